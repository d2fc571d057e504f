"""Align the documents of two sides by name or by position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, agree, called, warn


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """The documents of one side of a corpus, with any kind of annotation.

    Args:
        documents: the name of each document; empty if it has none.
        keys: the keys that pair documents of two sides; None to pair by position.
    """

    documents: tuple[str, ...]
    keys: tuple[str, ...] | None


class Whole:
    """A corpus that is paired all at once."""

    __slots__ = ()

    def blocks(self, _documents: int = 0) -> Iterator[Self]:
        """Yield the whole corpus."""
        yield self


def align_documents(
    gold: Documents, prediction: Documents, *, visited: Literal["all", "gold"] = "all"
) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """Align the documents of both sides, and return the numbers of each side's documents.

    Warn about documents on one side only. ``visited`` is ``all`` if the protocol also counts
    documents without a gold document.
    """
    if gold.keys is None or prediction.keys is None:
        return _align_by_position(gold, prediction)
    numbers = {key: number for number, key in enumerate(gold.keys)}
    size = len(numbers)
    predicted_numbers = [numbers.setdefault(key, len(numbers)) for key in prediction.keys]
    extra = [
        name for name, at in zip(prediction.documents, predicted_numbers, strict=True) if at >= size
    ]
    seen = set(predicted_numbers)
    missing = [name for at, name in enumerate(gold.documents) if at not in seen]
    problem = "{n} {document has|documents have} no predictions and {counts|count} as all missed"
    warn(f"{problem}: {{names}}", missing)
    spurious = "{counts|count} as all spurious" if visited == "all" else "{does|do} not count"
    problem = "{n} predicted {document is|documents are} not in the gold standard and"
    warn(f"{problem} {spurious}: {{names}}", extra)
    documents = (*gold.documents, *extra)
    warn_of_case(documents)
    return documents, np.arange(size, dtype=np.int32), np.array(predicted_numbers, np.int32)


def check_shared(gold: object, other: object, *names: str) -> None:
    """Reject sides without a common document; they may be annotations of different notes.

    Args:
        gold: one side.
        other: the other side.
        names: the names of both sides.

    Raises:
        InputError: documents have names, and no name is on both sides.
    """
    keys = [getattr(getattr(side, "side", side), "keys", None) or () for side in (gold, other)]
    if all(keys) and not set(keys[0]) & set(keys[1]):
        sizes = " and ".join(agree("{n} {document|documents}", len(of)) for of in keys)
        problem = f"{' and '.join(map(called, names))} have no document in common, of {sizes}"
        raise InputError(problem, remedy="Pass annotations of the same documents")


def warn_of_case(documents: Iterable[str]) -> None:
    """Warn about documents whose names differ only in case, because they may be the same."""
    names = set(documents)
    times = Counter(map(str.casefold, names))
    if len(times) < len(names):
        alike = sorted(name for name in names if times[name.casefold()] > 1)
        warn(
            "{n} documents have names that differ only in case, and count as different "
            "documents: {names}",
            alike,
        )


def check_as_many(
    predictions: int,
    references: int,
    remedy: str = "Give an empty list for a document without mentions",
) -> None:
    """Reject sides with different numbers of documents, which cannot be paired by position.

    Raises:
        InputError: the numbers differ.
    """
    if predictions != references:
        found = agree("{n} {document|documents}", predictions)
        raise InputError(
            f"expected as many predictions as references, got {found} with predictions and "
            f"{references} with references",
            remedy=remedy,
        )


def _align_by_position(
    gold: Documents, prediction: Documents
) -> tuple[tuple[str, ...], IntArray, IntArray]:
    check_as_many(len(prediction.documents), len(gold.documents))
    names = []
    for position, (left, right) in enumerate(
        zip(gold.documents, prediction.documents, strict=True)
    ):
        if left and right and left.lower() != right.lower():
            raise InputError(
                f"the references belong to {called(left)}, the predictions to {called(right)}",
                where=f"document {position}",
                remedy="Give both sides in the same order",
            )
        names.append(left or right or str(position))
    numbers = np.arange(len(names), dtype=np.int32)
    return tuple(names), numbers, numbers
