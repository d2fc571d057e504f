"""TREC runs and judgments, and the rules of ShARe/CLEF eHealth 2013 Task 3 on runs."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clineval.errors import InputError, InputWarning, listed
from clineval.formats.trec import QRELS, RUN
from clineval.validation.problems import Line, Problem, read_files

MOST_RUNS, BASELINE = 7, 1
WITH_SUMMARIES, WITHOUT_SUMMARIES = (2, 3, 4), (5, 6, 7)
_RUN_NUMBER = re.compile(r"(?<![a-z])run[ ._-]?(\d+)", re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?\d+\Z", re.ASCII)


@dataclass(slots=True)
class _Seen:
    """What the lines of a file have shown so far."""

    documents: dict[str, set[str]] = field(default_factory=dict)
    last: dict[str, tuple[int, float]] = field(default_factory=dict)
    tag: str = ""


def find_problems(paths: Sequence[Path], *, restricted: Collection[int] = ()) -> Iterator[Problem]:
    """All problems of runs, line by line, and of what the lab asks of a team's runs together.

    A file whose lines have four columns is taken for judgments.

    Args:
        paths: the files of a team's runs; the number of a run is in its file's name or in its
            tag, such as ``team.run1.txt``.
        restricted: the numbers of the runs that use only the fields title and desc.
    """
    numbers: dict[int, str] = {}
    runs = 0
    for found in read_files(paths, r"^[^.]"):
        if isinstance(found, Problem):
            yield found
            continue
        lines = [line for line in found.lines if not line.text.startswith("#")]
        if not lines:
            yield Problem(found.file, 0, "expected lines of a run or of judgments, got none")
        elif len(lines[0].text.split()) == len(QRELS.columns):
            yield from _check_qrels(lines)
        else:
            runs += 1
            yield from _check_run(lines)
            yield from _note_number(lines, numbers)
    yield from _check_runs(numbers, runs, restricted)


def _note_number(lines: Sequence[Line], numbers: dict[int, str]) -> Iterator[Problem]:
    file = lines[0].file
    tag = lines[0].text.split()[-1]
    found = _RUN_NUMBER.search(Path(file).name) or _RUN_NUMBER.search(tag)
    if not found:
        return
    number = int(found[1])
    if not BASELINE <= number <= MOST_RUNS:
        yield Problem(file, 0, f"run {number}: expected a number from 1 to {MOST_RUNS}")
    elif number in numbers:
        yield Problem(file, 0, f"run {number}: {numbers[number]} has this number too")
    numbers.setdefault(number, file)


def _check_runs(
    numbers: dict[int, str], runs: int, restricted: Collection[int]
) -> Iterator[Problem]:
    """The lab's rules on the runs of a team."""
    if runs > MOST_RUNS:
        yield Problem("", 0, f"expected at most {MOST_RUNS} runs, got {runs}")
    unknown = sorted(set(restricted) - set(numbers))
    if unknown:
        raise InputError(
            f"there is no run {', '.join(map(str, unknown))} among the files",
            remedy="Give the numbers of runs, which are in the files' names, as in team.run1.txt",
        )
    if not numbers:
        if runs:
            _warn("no file name or tag has a number such as run1, so that the rules on runs 1 to 7")
        return
    if BASELINE not in numbers:
        yield Problem(
            "", 0, "run 1 is missing: the baseline with title and description only is mandatory"
        )
    for group in (WITH_SUMMARIES, WITHOUT_SUMMARIES):
        present = sorted(set(group) & set(numbers))
        if present and not restricted:
            _warn(f"no restricted run is named, so that the rule on runs {group[0]}-{group[-1]}")
        elif present and not set(present) & set(restricted):
            yield Problem(
                "",
                0,
                f"one of the runs {group[0]}-{group[-1]} has to use only title and description, "
                f"and none of {listed(list(map(str, present)))} does",
            )


def _warn(reason: str) -> None:
    warnings.warn(f"{reason} cannot be checked", InputWarning, stacklevel=3)


def _check_run(lines: Sequence[Line]) -> Iterator[Problem]:
    seen = _Seen(tag=lines[0].text.split()[-1])
    for line in lines:
        yield from map(line.problem, _check_run_line(line.text.split(), seen))


def _check_run_line(cells: Sequence[str], seen: _Seen) -> Iterator[str]:
    if len(cells) != len(RUN.columns):
        yield f"expected {len(RUN.columns)} columns ({RUN.line}), got {len(cells)}"
        return
    topic, literal, document, rank, score, tag = cells
    if literal.upper() != "Q0":
        yield "column 2: expected Q0"
    yield from _check_repeated(topic, document, seen)
    ranked = _WHOLE.match(rank)
    if not ranked:
        yield "column 4: expected the rank, a whole number"
    value = _number(score)
    if value is None:
        yield "column 5: expected the score, a number"
    if tag != seen.tag:
        yield "column 6: expected the tag of the first line"
    if ranked and value is not None:
        last_rank, last_score = seen.last.get(topic, (int(rank), value))
        if int(rank) > last_rank and value > last_score:
            yield "the score is higher than at the rank before; trec_eval ranks by score"
        seen.last[topic] = int(rank), value


def _check_qrels(lines: Sequence[Line]) -> Iterator[Problem]:
    seen = _Seen()
    for line in lines:
        cells = line.text.split()
        if len(cells) != len(QRELS.columns):
            yield line.problem(
                f"expected {len(QRELS.columns)} columns ({QRELS.line}), got {len(cells)}"
            )
            continue
        yield from map(line.problem, _check_repeated(cells[0], cells[2], seen))
        if not _WHOLE.match(cells[3]):
            yield line.problem("column 4: expected the relevance, a whole number")


def _check_repeated(topic: str, document: str, seen: _Seen) -> Iterator[str]:
    documents = seen.documents.setdefault(topic, set())
    if document in documents:
        yield f"document {document} stands twice in topic {topic}"
    documents.add(document)


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
