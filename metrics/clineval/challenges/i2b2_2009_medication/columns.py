"""Medication entries as flat NumPy columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray, expand_ranges
from clineval.base.errors import InputError, raise_all
from clineval.challenges.i2b2_2009_medication.entry import FIELDS
from clineval.kinds.documents import Documents

Place = Callable[[int], str]
_SHIFT = 20  # line and token numbers have up to 6 digits
_TOKEN = (1 << _SHIFT) - 1


@dataclass(frozen=True, slots=True, eq=False)
class EntryColumns:
    """The entries of one side of a corpus: ``n`` entries with ``f`` fragments in all.

    A position is a line and a token in one number, which orders as positions do.

    Args:
        record: ``[n]``, index of the entry's record, never decreasing.
        bounds: ``[n + 1]``; the fragments of entry ``i`` are ``bounds[i]:bounds[i + 1]``.
        field: ``[f]``, the field of each fragment, an index into ``FIELDS``.
        first: ``[f]``, position of the fragment's first token.
        last: ``[f]``, position of its last token.
        genre: ``[n]``, ``list``, ``narrative``, or empty if not said.
        row: ``[n]``, the entry's number as it was read, for ``place``.
        place: says where an entry is, for messages.
    """

    record: IntArray
    bounds: IntArray
    field: IntArray
    first: IntArray
    last: IntArray
    genre: Coded
    row: IntArray
    place: Place

    def __len__(self) -> int:
        return len(self.record)

    @property
    def owners(self) -> IntArray:
        """``[f]``, the entry of each fragment."""
        return np.repeat(np.arange(len(self)), np.diff(self.bounds))

    def refuse(self, wrong: BoolArray, describe: Callable[[int], str], remedy: str = "") -> None:
        """Refuse entries with a wrong fragment, and describe the first of each.

        Raises:
            InputError: names the first entry and its field, with the others.
        """
        fragments = np.flatnonzero(wrong)
        if not len(fragments):
            return
        entries, first = np.unique(self.owners[fragments], return_index=True)
        raise_all(
            [
                InputError(
                    describe(k),
                    where=f"{self.place(row)}, field {FIELDS[self.field[k]]}",
                    remedy=remedy,
                )
                for k, row in zip(
                    fragments[first].tolist(), self.row[entries].tolist(), strict=True
                )
            ]
        )

    def take(self, rows: IntArray) -> EntryColumns:
        """Select the entries at ``rows``, in that order."""
        low, high = self.bounds[rows], self.bounds[rows + 1]
        at = expand_ranges(low, high)
        return EntryColumns(
            self.record[rows],
            np.concatenate([[0], np.cumsum(high - low)]),
            self.field[at],
            self.first[at],
            self.last[at],
            Coded(self.genre.ids[rows], self.genre.values),
            self.row[rows],
            self.place,
        )


@dataclass(frozen=True, slots=True, eq=False)
class EntrySide(Documents):
    """The entries of one side of a corpus, as they were read; its documents are the records."""

    entries: EntryColumns


def position(line: IntArray, token: IntArray) -> IntArray:
    """Pack line and token numbers.

    Examples:
        >>> split_position(position(np.array([5]), np.array([3])))
        (array([5]), array([3]))
    """
    packed: IntArray = (line.astype(np.int64) << _SHIFT) | token
    return packed


def split_position(packed: IntArray) -> tuple[IntArray, IntArray]:
    """Unpack lines and tokens of positions."""
    return packed >> _SHIFT, packed & _TOKEN
