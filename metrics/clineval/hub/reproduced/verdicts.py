"""Compute published tables again, and say of each row whether it agrees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from clineval.base.errors import agree as number_of
from clineval.base.files import is_there
from clineval.base.progress import metered_by, track
from clineval.evaluation.corpora import how_to_get
from clineval.hub.reproduced.scoring import find_gold, join_signatures, score_run
from clineval.results.known.names import find_dataset
from clineval.results.known.published import PROTOCOLS, Collection, Ranking, Run
from clineval.results.tables import Sheet, Table, format_value

_PRINTED = len("0.1234")
AGREES, EXPLAINED, DIFFERS, MISSING = "agrees", "explained", "differs", "not computed"
"""The same numbers as far as they were printed; others, for a recorded reason; others; none."""


@dataclass(frozen=True, slots=True)
class Row:
    """A published result, computed again.

    Args:
        run: the published result, with the scores of today; without scores if there are none.
        verdict: one of the four words above.
        why: the reason, unless it agrees.
        signatures: a dict from protocol to the signature of the scores.
    """

    run: Run
    verdict: str
    why: str
    signatures: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A ranking, computed again."""

    collection: Collection
    ranking: Ranking
    rows: tuple[Row, ...]

    @property
    def signatures(self) -> dict[str, str]:
        """The signatures of the scores, by protocol."""
        return join_signatures(self.ranking.title, [row.signatures for row in self.rows])


def reproduce(
    collections: Iterable[Collection], folder_of: Callable[[Collection], Path]
) -> list[Reproduction]:
    """Score all outputs that are on this computer, and compare the scores with published ones.

    Args:
        collections: the published results.
        folder_of: returns the folder with the files of a collection.

    Raises:
        InputError: ``official`` rejects a file.
    """
    found = [(of, ranking) for of in collections for ranking in of.rankings]
    jobs = [(of, ranking, run) for of, ranking in found for run in ranking.runs]
    rows = iter(list(_compute(jobs, folder_of)))  # the bar ends with the last one
    return [
        Reproduction(of, ranking, tuple(next(rows) for _ in ranking.runs)) for of, ranking in found
    ]


def _compute(
    jobs: Sequence[tuple[Collection, Ranking, Run]], folder_of: Callable[[Collection], Path]
) -> Iterator[Row]:
    for collection, ranking, run in track(jobs, "published results"):
        with metered_by(None):  # one count for all
            row = _compute_row(collection, ranking, run, folder_of(collection))
        yield row


def _compute_row(collection: Collection, ranking: Ranking, run: Run, folder: Path) -> Row:
    if reason := _find_reason(collection, ranking, run, folder):
        return Row(replace(run, official={}, spec={}, refused=""), MISSING, reason, {})
    scored, signatures = score_run(ranking, run, folder)
    return Row(scored, *_judge(run, scored), signatures)


def _judge(recorded: Run, scored: Run) -> tuple[str, str]:
    """Return a verdict and its reason; a recorded reason explains only the recorded scores."""
    if scored.agrees:
        return AGREES, ""
    if recorded.why and recorded.official == scored.official:
        return EXPLAINED, recorded.why
    if recorded.official and recorded.official != scored.official:
        ours = ", ".join(f"{key} {format_value(of)}" for key, of in recorded.official.items())
        return DIFFERS, f"clineval computed other scores when they were recorded: {ours}"
    return DIFFERS, "No reason is known. Please report it"


def _find_reason(collection: Collection, ranking: Ranking, run: Run, folder: Path) -> str:
    """Return the reason why a result cannot be computed here; empty if it can."""
    if not run.file:
        return run.why or "No public file with the output is known."
    if find_gold(ranking, folder) is None:
        how = f"The gold standard is not here. {_how_to_get_gold(collection, ranking)}"
        return how if run.official or not run.why else f"{run.why} {how}"
    alone = replace(ranking, runs=(run,))
    files = [file.path for file in collection.downloads_for([alone])]
    missing = [path for path in (*alone.paths, *files) if not is_there(folder / path)]
    return f"{missing[0]} is not here. {_how_to_get(collection, missing[0])}" if missing else ""


def _how_to_get(collection: Collection, path: str) -> str:
    how = collection.how_to_get
    return how if collection.downloads else f"{how}. {_say_where(collection, path)}"


def _how_to_get_gold(collection: Collection, ranking: Ranking) -> str:
    if not ranking.dataset:
        return _how_to_get(collection, ranking.gold)
    dataset = find_dataset(f"{ranking.module}/{ranking.dataset}")
    if dataset.files:
        return how_to_get(dataset)
    return f"{how_to_get(dataset)}. {_say_where(collection, ranking.gold)}"


def _say_where(collection: Collection, path: str) -> str:
    return f"Put it at DIR/{collection.name}/{path}, and pass --files DIR"


def lay_out(module: str, found: Sequence[Reproduction]) -> Sheet:
    """Lay out the rows for the writers of tables."""
    return Sheet(
        lambda: _tabulate(found),
        lambda: _describe(module, found),
        lambda: _list_lines(found),
        heading=summarize(found),
    )


def summarize(found: Iterable[Reproduction]) -> str:
    """Count the verdicts in a sentence."""
    verdicts = [row.verdict for of in found for row in of.rows]
    counts = {word: verdicts.count(word) for word in (AGREES, EXPLAINED, DIFFERS, MISSING)}
    return number_of("Of {n} published {result|results}, ", len(verdicts)) + (
        f"{counts[AGREES]} agree, {counts[EXPLAINED]} differ for a known reason, "
        f"{counts[DIFFERS]} differ, and {counts[MISSING]} could not be computed here."
    )


def _tabulate(found: Iterable[Reproduction]) -> list[Table]:
    columns = ("score", "published", *PROTOCOLS, "result")
    tables = [Table(of.ranking.title, columns, tuple(map(_write_row, of.rows))) for of in found]
    signatures = tuple(
        (f"{of.ranking.title}, {protocol}", signature)
        for of in found
        for protocol, signature in of.signatures.items()
    )
    return [*tables, *([Table("Signatures", ("signature",), signatures)] if signatures else [])]


def _write_row(row: Row) -> tuple[str, ...]:
    key, said = next(iter(row.run.published.items()))
    published = said if len(said) <= _PRINTED else format_value(float(said))
    ours = (format_value(getattr(row.run, protocol).get(key)) for protocol in PROTOCOLS)
    result = f"{row.verdict}: {row.why}" if row.why else row.verdict
    return row.run.run, key, published, *ours, result


def _describe(module: str, found: Iterable[Reproduction]) -> dict[str, object]:
    return {"metric": module, "rankings": [_describe_ranking(of) for of in found]}


def _describe_ranking(of: Reproduction) -> dict[str, object]:
    ranking = of.ranking
    return {
        "title": ranking.title,
        "collection": of.collection.name,
        "dataset": ranking.dataset and f"{ranking.module}/{ranking.dataset}",
        "source": ranking.source,
        "config": ranking.config,
        "signatures": of.signatures,
        "runs": [_describe_row(row) for row in of.rows],
    }


def _describe_row(row: Row) -> dict[str, object]:
    run = row.run
    return {
        "run": run.run,
        "verdict": row.verdict,
        "why": row.why,
        "published": run.published,
        "official": run.official,
        "spec": run.spec,
        "refused": run.refused,
    }


def _list_lines(found: Iterable[Reproduction]) -> Iterator[Sequence[object]]:
    yield "ranking", "run", "score", "published", *PROTOCOLS, "verdict", "why"
    for of in found:
        for row in of.rows:
            for key, said in row.run.published.items():
                ours = [getattr(row.run, protocol).get(key) for protocol in PROTOCOLS]
                yield of.ranking.title, row.run.run, key, said, *ours, row.verdict, row.why
