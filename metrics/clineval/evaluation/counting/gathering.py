"""Counts of parts, put together as they come: memory never holds them twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clineval.results.scores import Counts


class Gathering:
    """Counts of parts, in their order; the rows go into one table that grows."""

    def __init__(self) -> None:
        self._wholes: list[_Whole] = []

    def add(self, counts: Counts) -> None:
        """Put the counts of a part behind those of the others."""
        if not self._wholes or not self._wholes[-1].takes(counts):
            self._wholes.append(_Whole(counts))
        self._wholes[-1].add(counts)

    def finish(self) -> Counts | None:
        """Return the counts of all parts; None if there were none.

        Raises:
            InputError: as :meth:`Counts.sum <clineval.Counts.sum>`.
        """
        found = [whole.finish() for whole in self._wholes]
        return Counts.sum(found) if len(found) > 1 else next(iter(found), None)


class _Whole:
    """Counts of parts that were counted alike.

    Args:
        like: those of one of the parts.
    """

    def __init__(self, like: Counts) -> None:
        self._like = like
        self._documents: list[str] = []
        self._details: list[dict[str, Any]] = []
        self._digests: list[NDArray[np.uint64]] = []
        self._table = np.empty((0, len(like.columns)))

    def takes(self, counts: Counts) -> bool:
        """Tell whether the counts can be added as they are."""
        return self._like.kind == counts.kind and self._like.columns == counts.columns

    def add(self, counts: Counts) -> None:
        """Put the counts of a part behind those of the others."""
        first = len(self._documents)
        self._documents += counts.documents
        self._details += counts.details
        self._digests.append(counts.digests)
        last = len(self._documents)
        if last > len(self._table):
            self._resize(2 * last)
        self._table[first:last] = counts.table

    def finish(self) -> Counts:
        """Return the counts of all parts."""
        self._resize(len(self._documents))
        return replace(
            self._like,
            documents=tuple(self._documents),
            details=tuple(self._details),
            digests=np.concatenate(self._digests),
            table=self._table,
        )

    def _resize(self, rows: int) -> None:
        # in place: rows that are not yet written to take no memory
        self._table.resize((rows, len(self._like.columns)), refcheck=False)
