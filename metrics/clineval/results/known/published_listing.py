"""The list of published results, and of the outputs of systems, as a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from clineval.results.challenge import Challenge
from clineval.results.known.published import Collection, list_published
from clineval.results.tables import Sheet, Table

_COLUMNS = "results", "outputs", "gold standards", "licence", "download"


def list_outputs(challenges: Iterable[Challenge]) -> Sheet:
    """List the published results of some challenges for the writers of tables."""
    every = [(of.name, one) for of in challenges for one in list_published(of)]
    places = tuple((_name(one), one.home, one.how_to_get) for _, one in every)
    return Sheet(
        lambda: [
            Table("Published results", _COLUMNS, tuple(_row(one) for _, one in every)),
            Table("Where the outputs are", ("home", "how to get them"), places),
        ],
        lambda: [_describe(name, one) for name, one in every],
    )


def _name(collection: Collection) -> str:
    return f"{collection.module}/{collection.name}"


def _row(collection: Collection) -> tuple[str, ...]:
    runs = [run for ranking in collection.rankings for run in ranking.runs]
    sets = dict.fromkeys(ranking.dataset for ranking in collection.rankings if ranking.dataset)
    outputs = sum(bool(run.file) for run in runs)
    downloads = "yes" if collection.downloads else "never" if outputs else "not public"
    verified = all(file.verified for file in collection.downloads)
    return (
        _name(collection),
        str(len(runs)),
        str(outputs),
        ", ".join(sets) or "–",
        collection.licence or "none is stated",
        f"{downloads}{'' if verified else ', unverified'}",
    )


def _describe(module: str, collection: Collection) -> dict[str, object]:
    name, results, outputs, sets, *_ = _row(collection)
    return {
        "name": name,
        "metric": module,
        "results": int(results),
        "outputs": int(outputs),
        "datasets": sets.split(", ") if sets != "–" else [],
        "licence": collection.licence,
        "home": collection.home,
        "version": collection.version,
        "downloads": [asdict(file) for file in collection.downloads],
    }
