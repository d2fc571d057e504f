"""Sort as the released i2b2 script does, with a comparison that is not a consistent order.

The script compares two scores by 1000 times their difference, which Python 2 cuts to an integer.
Scores that differ by less than .001 are ties. So .8566 equals .8571, and .8571 equals .8575, yet
.8575 may come before or after .8566. The outcome depends on which numbers ``list.sort`` of CPython
2.7 compares. Later versions of Python compare other numbers: the merge policy changed in 3.11, the
search for runs in 3.13. Tim Peters' algorithm is described in CPython's listsort.txt: find runs,
lengthen short ones by insertion, merge neighbours. If ties are transitive, as they nearly always
are, any stable sort gives the same result.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from clineval.base.arrays import IntArray, find_first

TIE = 10
"""Scores in ten-thousandths that differ by less than this are ties."""


def order_with_near_ties(group: IntArray, score: IntArray) -> IntArray:
    """Return indices, ``[n]``, that sort each group by score, highest first, ties as given.

    ``group``, ``[n]``, never decreases; ``score``, ``[n]``, is in ten-thousandths.

    Examples:
        >>> scores = np.array([8566, 8571, 8575, 8600])
        >>> order_with_near_ties(np.zeros(4, int), scores).tolist()
        [3, 0, 1, 2]
    """
    if not len(score):
        return np.zeros(0, np.int64)
    most = int(score.max())
    place = group.astype(np.int64) * (most + TIE) + (most - score)
    ordered = np.sort(place)
    at = np.flatnonzero(np.diff(ordered, prepend=-TIE) >= TIE)
    first, last = ordered[at], ordered[np.append(at[1:], len(ordered)) - 1]
    entangled = np.unique(first[last - first >= TIE] // (most + TIE))
    ranges = np.stack([find_first(group, entangled + k) for k in (0, 1)], axis=1).tolist()
    result, simple = np.arange(len(place)), np.ones(len(place), np.bool_)
    for low, high in ranges:
        # to sort in reverse, Python reverses the list, sorts it, and reverses it again
        result[low:high] = high - 1 - sort_stably(score[low:high][::-1], TIE)[::-1]
        simple[low:high] = False
    rest = np.flatnonzero(simple)
    result[rest] = rest[np.argsort(np.searchsorted(first, place[rest], "right"), kind="stable")]
    return result


_RUN_BITS = 6
"""Bits of the shortest run's length; shorter runs are lengthened."""
_MIN_GALLOP = 7


def sort_stably(scores: IntArray, tie: int) -> IntArray:
    """Return the order of scores, ``[n]``, lowest first; differences below ``tie`` are ties.

    Examples:
        >>> sort_stably(np.array([8, 15, 1, 9]), 1).tolist()
        [2, 0, 3, 1]
    """
    # an item is its score plus a fraction below 1/2 for its place; so ties differ by less than the
    # width of a tie minus 1/2, and all other items by more
    unit = 2 * len(scores)
    items = (scores.astype(np.int64) * unit + np.arange(len(scores))).tolist()
    _Sort(items, tie * unit - unit // 2).run()
    return np.array(items, np.int64) % unit


class _Sort:
    """One call of ``list.sort``; items that differ by less than the width are ties."""

    def __init__(self, items: list[int], width: int) -> None:
        self.items = items
        self.width = width
        self.patience = _MIN_GALLOP
        # bounds of the waiting runs, after three dummy runs that are too long to be merged
        self.bounds = [-length * (len(items) + 1) for length in (13, 4, 1, 0)]

    def run(self) -> None:
        """Sort in place."""
        size = len(self.items)
        shortest = -(-size >> max(0, size.bit_length() - _RUN_BITS))
        while self.bounds[-1] < size:
            self.bounds.append(self._make_run(self.bounds[-1], shortest))
            self._merge_waiting()

    def _make_run(self, start: int, shortest: int) -> int:
        """Find a run, reverse it if it falls, lengthen it by insertion; return its end."""
        items, width, size = self.items, self.width, len(self.items)
        end = start + 1
        falls = end < size and items[end] + width <= items[start]
        while end < size and (items[end] + width <= items[end - 1]) == falls:
            end += 1
        run = items[start:end][:: -1 if falls else 1]
        for item in items[end : start + shortest]:
            run.insert(bisect_left(run, item + width), item)
        items[start : start + len(run)] = run
        return start + len(run)

    def _merge_waiting(self) -> None:
        """Merge until sizes fall fast enough from run to run; at the end, until one run is left."""
        at_end = self.bounds[-1] == len(self.items)
        while True:
            a, b, c, d = (end - start for start, end in pairwise(self.bounds[-5:]))
            fall = a > b + c and b > c + d and c > d
            if fall and not (at_end and self.bounds[-2]):
                return
            self._merge_at(-3 if b < d else -2)

    def _merge_at(self, bound: int) -> None:
        """Merge the runs on both sides of a bound, except the items that stay in place.

        The merge begins at the side of the shorter run; from the back, both runs are reversed.
        """
        items, width = self.items, self.width
        start, middle, end = (self.bounds[bound + k] for k in (-1, 0, 1))
        del self.bounds[bound]
        start += _leap(items[start:middle], 0, items[middle] + width, 1)
        end -= _leap(items[middle:end][::-1], 0, width - items[middle - 1], -1)
        left, right = items[start:middle], items[middle:end]
        if not left or not right:
            return
        sign = 1 if len(left) <= len(right) else -1
        runs = (left, right) if sign > 0 else (right[::-1], left[::-1])
        merge = _Merge(runs, width, self.patience, sign)
        items[start:end] = merge.run()[::sign]
        self.patience = merge.patience


@dataclass(slots=True, eq=False)
class _Merge:
    """A merge of two runs: the second has the first item, the first has the last one.

    Args:
        runs: the two runs; in a tie, the item of the first run comes first.
        width: items that differ by less are ties.
        patience: number of wins in a row after which galloping starts; merges pass it on.
        sign: 1, or -1 if the runs are reversed, so that items fall.
        at: number of items taken from each run.
        merged: the items taken so far.
    """

    runs: tuple[list[int], list[int]]
    width: int
    patience: int
    sign: int
    at: list[int] = field(default_factory=lambda: [0, 1])
    merged: list[int] = field(default_factory=list)

    def run(self) -> list[int]:
        """Take items one by one and by galloping, in turns, and return all items."""
        first, second = self.runs
        self.merged.append(second[0])
        while not self._is_done:
            self._take_singly()
            if not self._is_done:
                self._gallop()
        return self.merged + second[self.at[1] :] + first[self.at[0] :]

    @property
    def _is_done(self) -> bool:
        return self.at[0] >= len(self.runs[0]) - 1 or self.at[1] == len(self.runs[1])

    def _take_singly(self) -> None:
        """Take single items until a run wins too often in a row."""
        (first, second), (i, j) = self.runs, self.at
        last, size, patience = len(first) - 1, len(second), self.patience
        width, sign = self.width, self.sign
        won, streak = False, 0
        while i < last and j < size and streak < patience:
            wins = sign * (first[i] - second[j]) >= width
            streak = streak + 1 if wins == won else 1
            won = wins
            if wins:
                self.merged.append(second[j])
                j += 1
            else:
                self.merged.append(first[i])
                i += 1
        self.at = [i, j]

    def _gallop(self) -> None:
        """Leap over items of one run and of the other until both leaps are short."""
        self.patience += 1
        far = True
        while far and not self._is_done:
            self.patience -= self.patience > 1
            leaps = [self._leap_over(number) for number in (0, 1)[:: self.sign]]
            far = max(leaps) >= _MIN_GALLOP
        self.patience += not self._is_done

    def _leap_over(self, number: int) -> int:
        """Take a run's items before the other run's next item, then that item; return how many."""
        if self._is_done:
            return 0
        run, other = self.runs[number], self.runs[1 - number]
        start, rival = self.at[number], other[self.at[1 - number]]
        bound = self.sign * rival + (1 - self.width if number else self.width)
        end = self.at[number] = _leap(run, start, bound, self.sign)
        self.merged += run[start:end]
        if not self._is_done:
            self.merged.append(rival)
            self.at[1 - number] += 1
        return end - start


def _leap(run: list[int], start: int, bound: int, sign: int) -> int:
    """Leap from ``start`` by 1, 3, 7, ..., and search back for an item not below ``bound``.

    If the number of items is even, try the later middle, or the earlier one in reversed runs.
    """
    if sign * run[start] >= bound:
        return start
    low, step, most = start + 1, 1, len(run) - start
    while step < most and sign * run[start + step] < bound:
        low, step = start + step + 1, 2 * step + 1
    high = start + min(step, most)
    while low < high:
        middle = (low + high - (sign < 0)) >> 1
        low, high = (low, middle) if sign * run[middle] >= bound else (middle + 1, high)
    return low
