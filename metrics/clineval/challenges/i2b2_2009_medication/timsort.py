"""``list.sort`` of CPython 2.7 for scores of which near ones are ties.

Being tied is not transitive here (1 and 8 are, 8 and 15 are, 1 and 15 are not), so that the order
depends on which scores are compared; and later versions of Python compare others (the merge
policy changed in 3.11, the search for runs in 3.13). The algorithm is Tim Peters' as described in
CPython's listsort.txt: find runs, lengthen short ones by insertion, merge neighbours.

Most of the work is merging short runs, and it is done for many of them at once: a draft is made
as if no merge galloped, and where one gallops after all, it is done again one comparison after
the other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, expand_ranges
from clineval.challenges.i2b2_2009_medication.drafts import SHIFT, Drafts, Merge
from clineval.challenges.i2b2_2009_medication.galloping import MIN_GALLOP, merge_runs
from clineval.challenges.i2b2_2009_medication.insertion import lengthen

_MIN_MERGE = 64
_SHORT = 1 << 11
"""Items of a merge that is drafted; longer ones gallop more often than not."""
_REGION = 1 << 17


def sort_stably(scores: IntArray, tie: int) -> IntArray:
    """``[n]``, the order of scores from 0 to 2 ** 24, lowest first; those closer than a tie tie.

    Examples:
        >>> sort_stably(np.array([8, 15, 1, 9]), 1).tolist()
        [2, 0, 3, 1]
    """
    keys = (scores.astype(np.int64) << SHIFT) | np.arange(len(scores))
    runs = _Runs.of(scores, tie)
    runs.turn(keys)
    for at, found in lengthen(keys >> SHIFT, runs.starts, runs.natural, runs.sizes, tie):
        keys[at] = keys[found]
    sorter = _Sorter(keys, tie)
    for merges in _divide(list(_plan(runs.starts.tolist(), len(keys)))):
        sorter.merge(merges)
    return keys & ((1 << SHIFT) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """The ``[r]`` runs before merging; ``natural`` first items of each rise or are ``falling``."""

    starts: IntArray
    sizes: IntArray
    natural: IntArray
    falling: BoolArray

    @classmethod
    def of(cls, scores: IntArray, tie: int) -> _Runs:
        """Find them; two scores fall if they do by a tie's width, and rise otherwise."""
        size, shortest = len(scores), _shortest_run(len(scores))
        falls = scores[:-1].astype(np.int64) - scores[1:] >= tie
        turns = np.append(np.flatnonzero(np.diff(falls)) + 1, size - 1).data
        starts, natural = [], []
        start = turn = 0
        while start < size:
            turn = bisect_right(turns, start, turn) if start < size - 1 else len(turns) - 1
            starts.append(start)
            natural.append(turns[turn] + 1 - start)
            start = min(size, start + max(natural[-1], shortest))
        found = np.array(starts, np.int64)
        falling = np.append(falls, np.False_)[found]
        return cls(found, np.diff(found, append=size), np.array(natural, np.int64), falling)

    def turn(self, keys: IntArray) -> None:
        """Turn round what falls."""
        falling = np.flatnonzero(self.falling)
        low, counts = self.starts[falling], self.natural[falling]
        at = expand_ranges(low, low + counts)
        keys[at] = keys[np.repeat(2 * low + counts - 1, counts) - at]


def _shortest_run(size: int) -> int:
    odd = 0
    while size >= _MIN_MERGE:
        odd |= size & 1
        size >>= 1
    return size + odd


def _plan(starts: Sequence[int], end: int) -> Iterator[Merge]:
    """The merges in their order: they depend on nothing but the lengths of the runs."""
    runs: list[tuple[int, int, int]] = []  # start, length, depth

    def merge_at(n: int) -> Merge:
        (left, left_size, left_depth), (right, right_size, right_depth) = runs[n : n + 2]
        depth = 1 + max(left_depth, right_depth)
        runs[n : n + 2] = [(left, left_size + right_size, depth)]
        return left, right, right + right_size, depth

    for start, stop in pairwise([*starts, end]):
        runs.append((start, stop - start, 0))
        while (n := _next_merge(runs)) is not None:
            yield merge_at(n)
    while len(runs) > 1:
        n = len(runs) - 2
        yield merge_at(n - 1 if n > 0 and runs[n - 1][1] < runs[n + 1][1] else n)


def _next_merge(runs: Sequence[tuple[int, int, int]]) -> int | None:
    """Which runs to merge now; None if the lengths of those that wait fall fast enough."""
    n = len(runs) - 2
    if n < 0:
        return None
    last, before = runs[n + 1][1], runs[n][1]
    third = runs[n - 1][1] if n > 0 else None
    if third is not None and (
        third <= before + last or (n > 1 and runs[n - 2][1] <= third + before)
    ):
        return n - 1 if third < last else n
    return n if before <= last else None


def _divide(merges: Sequence[Merge]) -> Iterator[Sequence[Merge]]:
    """Merges that follow one another and lie near one another, or one long one."""
    first = 0
    while first < len(merges):
        last, low = first + 1, merges[first][0]
        while last < len(merges) and merges[last][2] <= low + _REGION:
            low = min(low, merges[last][0])
            last += 1
        yield merges[first:last]
        first = last


class _Sorter:
    """The keys, and how often a side must win in a row to gallop: it goes from merge to merge."""

    def __init__(self, keys: IntArray, tie: int) -> None:
        self.keys = keys
        self.tie = tie
        self.patience = MIN_GALLOP

    def merge(self, merges: Sequence[Merge]) -> None:
        """Do these merges, one after the other."""
        drafts = Drafts(self.keys, [merge for merge in merges if _is_short(merge)], self.tie)
        for merge in merges:
            start, middle, end, _ = merge
            if not _is_short(merge):
                drafts.hand_over(start, middle)
                self._merge(self.keys[start:end], middle - start)
            elif drafts.holds(merge, self.patience):
                drafts.accept(merge)
            else:
                keys = drafts.read_runs(merge)
                self._merge(keys, middle - start)
                drafts.replace(merge, keys)
        drafts.hand_over(*drafts.ready)

    def _merge(self, keys: IntArray, middle: int) -> None:
        scores = (keys >> SHIFT).astype(np.int32)
        merged = merge_runs(scores, middle, self.patience, self.tie)
        keys[merged.low : merged.high] = keys[merged.order]
        self.patience = merged.patience


def _is_short(merge: Merge) -> bool:
    return merge[2] - merge[0] <= _SHORT
