"""One merge of ``list.sort``, comparison by comparison."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from clineval.base.arrays import IntArray, expand_ranges

MIN_GALLOP = 7
_LONG = 1 << 11

Run: TypeAlias = "list[int] | memoryview[int]"


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """What a merge does.

    Args:
        low: the items before stay where they are.
        high: and so do those from here on.
        order: ``[high - low]``, which items come between.
        patience: how often a side must win in a row to gallop in the next merge.
    """

    low: int
    high: int
    order: IntArray
    patience: int


def merge_runs(scores: IntArray, middle: int, patience: int, tie: int) -> Merged:
    """Merge two neighbouring runs.

    It begins at the side of the shorter run. From the back it is what it is from the front with
    all scores turned round and negative, but that the middle of an even number of items is the
    other one.

    A side that wins ``patience`` times in a row gallops; scores that differ by less than ``tie``
    are ties.
    """
    left, right = scores[:middle], scores[middle:]
    turned = -scores[::-1]
    turned_right, turned_left = turned[: len(right)], turned[len(right) :]
    low = leap(left.data, 0, int(right[0]) + tie, 0)
    high = len(scores) - leap(turned_right.data, 0, int(turned_left[0]) + tie, 1)
    if not low < middle < high:
        return Merged(low, low, np.zeros(0, np.int64), patience)
    backwards = middle - low > high - middle
    if backwards:
        first, second = turned_right[len(scores) - high :], turned_left[: middle - low]
    else:
        first, second = left[low:], right[: high - middle]
    merge = _Merge(_read(first), _read(second), patience, tie, backwards)
    order = _trace(merge.run(), low, middle, high, backwards=backwards)
    return Merged(low, high, order, merge.patience)


def _trace(taken: list[int], low: int, middle: int, high: int, *, backwards: bool) -> IntArray:
    """The items in their new order, from how far the second and the first run were taken."""
    ends = np.array([0, 0, *taken], np.int64)
    if backwards:
        ends = (np.array([middle, high]) - ends.reshape(-1, 2)).ravel()[::-1]
        return expand_ranges(ends[:-2], ends[2:])
    ends = (np.array([middle, low]) + ends.reshape(-1, 2)).ravel()
    return expand_ranges(ends[:-2], ends[2:])


def _read(scores: IntArray) -> Run:
    """As a list, but of long runs few items are looked at."""
    return scores.tolist() if len(scores) < _LONG else scores.data


def leap(run: Run, start: int, bound: int, turned: int) -> int:
    """Leap from ``start`` by 1, 3, 7, ..., and search back for an item not below ``bound``.

    In a run that is sorted it is the first one.

    ``turned`` says whether the run is turned round: 1 for the earlier middle of an even number of
    items, 0 for the later one.
    """
    if run[start] >= bound:
        return start
    low, step, most = start + 1, 1, len(run) - start
    while step < most and run[start + step] < bound:
        low, step = start + step + 1, 2 * step + 1
    high = start + min(step, most)
    while low < high:
        middle = (low + high - turned) >> 1
        if run[middle] >= bound:
            high = middle
        else:
            low = middle + 1
    return low


@dataclass(slots=True, eq=False)
class _Merge:
    """Merges two runs; of ties those of the first run come first."""

    first: Run
    second: Run
    patience: int
    tie: int
    backwards: bool
    at: tuple[int, int] = (0, 1)
    ends: list[int] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The place of the first run's last item."""
        return len(self.first) - 1

    def run(self) -> list[int]:
        """Do it; how many items are taken whenever the side changes, to the end."""
        while not self._is_done:
            self._take_one_by_one()
            if not self._is_done:
                self._gallop()
        rest = [len(self.first)] if len(self.ends) % 2 else [len(self.second), len(self.first)]
        return self.ends + rest

    @property
    def _is_done(self) -> bool:
        return self.at[0] >= self.last or self.at[1] == len(self.second)

    def _take_one_by_one(self) -> None:
        """Take items until a side wins too often in a row."""
        first, second, tie = self.first, self.second, self.tie
        last, size, patience = self.last, len(self.second), self.patience
        end = self.ends.append
        i, j = self.at
        while True:
            stop = j + patience
            if stop > size:  # noqa: PLR1730 - a call of min takes longer than all the rest
                stop = size
            bound = first[i] - tie
            while j < stop and second[j] <= bound:
                j += 1
            end(j)
            if j == stop:
                break
            stop = i + patience
            if stop > last:  # noqa: PLR1730 - here too
                stop = last
            bound = second[j] + tie
            i += 1
            while i < stop and first[i] < bound:
                i += 1
            end(i)
            if i == stop:
                break
        self.at = i, j

    def _gallop(self) -> None:
        """Leap over items of one run and of the other until leaps are short."""
        first, second, tie = self.first, self.second, self.tie
        last, size, backwards = self.last, len(self.second), self.backwards
        end = self.ends.append
        i, j = self.at
        if len(self.ends) % 2 == backwards:
            end(i if backwards else j)
        self.patience += 1
        over_second, far = backwards, False
        while i < last and j < size:
            if over_second == backwards:
                self.patience -= self.patience > 1
                far = False
            if over_second:
                start, j = j, leap(second, j, first[i] - tie + 1, backwards)
                end(j)
                far |= j - start >= MIN_GALLOP
                i += j < size
                if i == last:
                    end(i)
            else:
                start, i = i, leap(first, i, second[j] + tie, backwards)
                end(i)
                far |= i - start >= MIN_GALLOP
                j += i < last
            over_second = not over_second
            if over_second == backwards and not far:
                break
        self.at = i, j
        if not self._is_done:
            end(j if backwards else i)
            if backwards:
                end(i)
            self.patience += 1
