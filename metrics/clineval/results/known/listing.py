"""The list of gold standards that have names, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from clineval.base.errors import InputError, warn
from clineval.results.challenge import Challenge
from clineval.results.known.entries import Dataset
from clineval.results.known.names import list_datasets
from clineval.results.tables import Sheet, Table

_COLUMNS = ("documents", "annotations", "language", "licence", "version", "digest")
_SHORT = 12


def list_sheet(challenges: Iterable[Challenge]) -> Sheet:
    """List the gold standards of some challenges for the writers of tables.

    If there are several challenges, an unreadable list is left out with a warning.

    Raises:
        InputError: the list of the only challenge is invalid.
    """
    every = list(_list_all(list(challenges)))
    datasets = [dataset for _, dataset in every]
    places = tuple((of.name, of.homepage or "–", of.source) for of in datasets)
    return Sheet(
        lambda: [
            Table("Gold standards by name", _COLUMNS, tuple(map(_row, datasets))),
            Table("Where they are", ("homepage", "how to get it"), places),
        ],
        lambda: [_describe(challenge, dataset) for challenge, dataset in every],
    )


def _list_all(challenges: Sequence[Challenge]) -> Iterator[tuple[Challenge, Dataset]]:
    for challenge in challenges:
        try:
            yield from ((challenge, dataset) for dataset in list_datasets(challenge))
        except InputError as error:
            if len(challenges) == 1:
                raise
            warn(f"{error}. The data sets of {challenge.name} are left out")


def _row(dataset: Dataset) -> tuple[str, ...]:
    numbers = (dataset.documents, dataset.annotations)
    digest = next(iter(dataset.digests.values()), ("",))[0][:_SHORT]
    return (
        dataset.name,
        *("–" if number is None else f"{number:,}" for number in numbers),
        *(text or "–" for text in (dataset.language, dataset.licence, dataset.version)),
        digest or "unknown",
    )


def _describe(challenge: Challenge, dataset: Dataset) -> dict[str, object]:
    return {
        "name": dataset.name,
        "challenge": challenge.task.title,
        **{key: value for key, value in asdict(dataset).items() if key not in ("name", "files")},
        "verified": dataset.verified,
        "files": [asdict(file) for file in dataset.files],
    }
