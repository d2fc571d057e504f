"""Print and write what the released programs of ArchEHR-QA 2026 do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from clineval.base.errors import InputError
from clineval.challenges.archehr_qa26.official import OFFICIAL
from clineval.kinds.pages import AnyScored
from clineval.protocols.evidence import LENIENT, LINKS, MEANS, STRICT
from clineval.protocols.evidence_entries import label_entries
from clineval.results.averages import PRF
from clineval.results.scripts import Output, ScriptRun

Counts = Sequence[float]
"""True positives, false positives and false negatives."""
_RULE = "=" * 40
_LONGEST = 100_000
"""The most ids of a range."""
_CODABENCH = tuple(
    Path("/app", *of.split("/"))
    for of in ("input/res/submission.json", "input/ref/archehr-qa_key.json", "output/scores.json")
)
Submission = Annotated[Path | None, typer.Option("--submission_path", help="Submission, JSON.")]
Key = Annotated[Path | None, typer.Option("--key_path", help="Key, JSON.")]
Out = Annotated[Path | None, typer.Option("--out_file_path", help="File of the scores.")]
Ids = Annotated[
    list[str] | None,
    typer.Option("--case_ids_to_score", help="Case ids and ranges, such as 1 3-5; others are cut."),
]
Codabench = Annotated[bool, typer.Option("--codabench", help="Use the paths of Codabench.")]


def task2(
    submission: Submission = None,
    key: Key = None,
    out: Out = None,
    ids: Ids = None,
    codabench: Codabench = False,  # noqa: FBT002 - the program's option
) -> ScriptRun:
    """Print and write what ArchEHR-QA's scoring_subtask_2.py does."""
    paths = _CODABENCH if codabench else (submission, key, out)
    return _run("subtask2", "evidence identification", (STRICT, LENIENT), paths, ids)


def task4(
    submission: Submission = None,
    key: Key = None,
    out: Out = None,
    ids: Ids = None,
    codabench: Codabench = False,  # noqa: FBT002 - the program's option
) -> ScriptRun:
    """Print and write what ArchEHR-QA's scoring_subtask_4.py does."""
    paths = _CODABENCH if codabench else (submission, key, out)
    return _run("subtask4", "alignment", (LINKS,), paths, ids)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {
    "archehr-2026-task2": task2,
    "archehr-2026-task4": task4,
}


def _run(
    config: str,
    title: str,
    matches: Sequence[str],
    paths: Sequence[Path | None],
    words: Sequence[str] | None,
) -> ScriptRun:
    submission, key, out = paths
    if submission is None or key is None or out is None:
        raise InputError("expected --submission_path, --key_path and --out_file_path")
    chosen = _parse_ids(words or (), "--case_ids_to_score")
    sides, printed = [], [f"Scoring only the following case IDs: {chosen}\n"] if chosen else []
    for path, name in ((submission, "submission"), (key, "reference key")):
        cases = OFFICIAL.form.list_all(path)
        kept = [case for case in cases if not chosen or case.name in chosen]
        printed.append(_write_heading(f"Loading {name}"))
        sides.append([case.content for case in kept])
        if path == submission:
            printed.append(f"Number of cases in submission: {len(cases)}\n")
            if chosen:
                printed.append(f"Number of cases in submission after filtering: {len(kept)}\n")
        else:
            printed.append(f"Number of cases in key: {len({case.name for case in kept})}\n")
    printed.append(_write_heading("Validating submission") + "Submission validation passed!\n")
    printed.append(_write_heading(f"Computing {title} scores"))
    entries = label_entries([OFFICIAL.form.open_document(case, "").name or "" for case in sides[0]])
    write = partial(_write, matches=matches, entries=entries, printed="".join(printed), out=out)
    return ScriptRun(config, sides[0], sides[1], write)


def _write(
    evaluation: AnyScored, matches: Sequence[str], entries: Sequence[str], printed: str, out: Path
) -> Iterator[Output]:
    """Yield the printed lines, and the file of the scores in percent."""
    counts = evaluation.counts
    order = [counts.documents.index(entry) for entry in entries]
    scores: dict[str, float] = {}
    for match in matches:
        columns = [counts.columns.index(f"{match}_{verdict}") for verdict in ("tp", "fp", "fn")]
        rows = counts.table[np.ix_(order, columns)].tolist() if order else []
        empty = float(match != LINKS)
        means = _average_cases(rows, empty, none=0.0 if match == LINKS else float("nan"))
        pooled = _pool_cases(rows, empty)
        parts = ((MEANS[match], means), (match, pooled))
        for name, each in parts if match != LINKS else reversed(parts):
            scores |= {f"{name}_{score}": value * 100 for score, value in each.items()}
    scores["overall_score"] = scores[f"{matches[0]}_f1"]
    lines = "".join(f"  {name}: {value:.2f}\n" for name, value in scores.items())
    head = _write_heading("Computing leaderboard scores")
    saved = f"{_write_heading('Saving scores')}Scores saved to: {out}\n"
    yield Output(f"{printed}{head}{lines}{saved}")
    text = json.dumps(scores, indent=2)
    yield Output(text, out.name, folder=str(out.parent), option="--out_file_path")


def _write_heading(title: str) -> str:
    """Write a blank line and a heading between two rules."""
    return f"\n{_RULE}\n{title}\n{_RULE}\n"


def _score_counts(counts: Counts, empty: float) -> tuple[float, float, float]:
    """Compute precision, recall and F from counts, with the programs' rounding errors.

    Args:
        counts: the counts.
        empty: all three scores if there is nothing on either side.

    Examples:
        >>> _score_counts((1, 0, 1), 1.0), _score_counts((0, 0, 0), 1.0)
        ((1.0, 0.5, 0.6666666666666666), (1.0, 1.0, 1.0))
    """
    tp, fp, fn = counts
    if not tp + fp + fn:
        return empty, empty, empty
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def _average_cases(cases: Sequence[Counts], empty: float, *, none: float) -> Mapping[str, float]:
    """Compute the means over cases, in their order; ``none`` if there is no case."""
    rows = [_score_counts(case, empty) for case in cases]
    columns = zip(*rows, strict=True) if rows else [()] * len(PRF)
    means = (float(np.mean(column)) if column else none for column in columns)
    return dict(zip(PRF, means, strict=True))


def _pool_cases(cases: Sequence[Counts], empty: float) -> Mapping[str, float]:
    """Compute the scores of all cases together."""
    tp, fp, fn = (float(sum(case[at] for case in cases)) for at in range(3))
    return dict(zip(PRF, _score_counts((tp, fp, fn), empty), strict=True))


def _parse_ids(words: Sequence[str], where: str) -> list[str]:
    """List the ids of words that are ids or ranges.

    Args:
        words: the words.
        where: the option, for messages.

    Raises:
        InputError: a range is invalid, or too long.

    Examples:
        >>> _parse_ids(["7", "1-3"], "--ids")
        ['1', '2', '3', '7']
    """
    ids: set[str] = set()
    for word in words:
        if "-" in word and not word.startswith("-"):
            ids |= {*map(str, _parse_range(word, where))}
        else:
            ids.add(word)
    return sorted(ids)


def _parse_range(word: str, where: str) -> range:
    with suppress(ValueError):
        first, last = map(int, word.split("-"))
        if last - first < _LONGEST:
            return range(first, last + 1)
    problem = f"expected ids and ranges such as 1-3, with at most {_LONGEST:,} ids"
    raise InputError(problem, where=where)
