"""The first step of ``list.sort``: short runs are lengthened by insertion, here many at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clineval.base.arrays import IntArray

_PLACE = 6  # bits for a place in a run, which has at most 63 items when it is short
_SIGN = 31
_LANES = 1 << 12  # runs at once


def lengthen(
    scores: IntArray, starts: IntArray, sorted_: IntArray, sizes: IntArray, tie: int
) -> Iterator[tuple[IntArray, IntArray]]:
    """Sort runs whose first items are sorted by inserting the others one after the other.

    Yields:
        Places, and where the items that come there are.
    """
    short = np.flatnonzero(sorted_ < sizes)
    for low in range(0, len(short), _LANES):
        rows = short[low : low + _LANES]
        place = np.arange(int(sizes[rows].max()))[:, None]
        at = starts[rows] + place
        there = place < sizes[rows]
        table = (scores[np.minimum(at, len(scores) - 1)] << _PLACE | place).astype(np.int32)
        _insert(table, sorted_[rows], sizes[rows], tie)
        yield at[there], (starts[rows] + (table & (1 << _PLACE) - 1))[there]


def _insert(table: IntArray, sorted_: IntArray, sizes: IntArray, tie: int) -> None:
    """Insert in each column of a table, whose rows are places."""
    columns = np.arange(table.shape[1])
    places = np.arange(len(table), dtype=np.int32)[:, None]
    for row in range(int(sorted_.min()), len(table)):
        item = table[row].copy()
        active = (sorted_ <= row) & (row < sizes)
        target = np.where(active, _find_places(table, row, tie), row).astype(np.int32)
        # where a place is beyond the target, what is there and what is before differ in these bits
        difference = table[:row] ^ table[1 : row + 1]
        difference &= (target - places[1 : row + 1]) >> _SIGN
        table[1 : row + 1] ^= difference
        table[target, columns] = item


def _find_places(table: IntArray, row: int, tie: int) -> IntArray:
    """Where the items of a row go in the rows before, after their equals, by binary search."""
    size = table.shape[1]
    columns = np.arange(size)
    bound = ((table[row] >> _PLACE) + tie) << _PLACE
    low: IntArray = np.zeros(size, np.int64)
    high: IntArray = np.full(size, row)
    for _ in range(row.bit_length()):
        middle = (low + high) >> 1
        before = table.take(middle * size + columns) >= bound
        low = np.where(before, low, middle + 1)
        high = np.where(before, middle, high)
    return high
