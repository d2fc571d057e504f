"""Areas under the ROC curve and the precision-recall curve, for weighted documents.

A curve has rows with a score and a truth, right or wrong. The area under the ROC curve is the
probability that a right row has a higher score than a wrong one; equal scores count half. The area
under the precision-recall curve is the average precision: the mean, over right rows, of the
precision among the rows with at least the same score.

To resample documents, both take the number of times that each document was drawn: its weight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray
from clineval.base.ratios import ratio

_CELLS = 4_000_000
"""Cells of weights of rows that are held at once: 32 MB."""


def split_weights(weights: FloatArray, rows: int) -> Iterator[FloatArray]:
    """Yield blocks of ``[n, width]`` weights, so that weights of rows fit into memory."""
    step = max(1, _CELLS // max(rows, 1))
    for at in range(0, max(1, len(weights)), step):
        yield weights[at : at + step]


def add_up(values: FloatArray, group: IntArray, groups: int) -> FloatArray:
    """Add up ``[b, n]`` values by group, ``[b, groups]``; groups never decrease."""
    sums = np.zeros((len(values), groups))
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    if len(starts):
        sums[:, group[starts]] = np.add.reduceat(values, starts, axis=1)
    return sums


def weigh(weights: FloatArray, values: FloatArray) -> FloatArray:
    """Return ``[n]``, the weighted sums; a single one does not depend on the documents' order."""
    if len(weights) == 1:
        return np.array([fsum((weights[0] * values).tolist())])
    sums: FloatArray = weights @ values
    return sums


class Areas(NamedTuple):
    """Areas under curves, ``[n, curves]`` each.

    Args:
        values: the areas; 0 if undefined.
        defined: 1 if the curve has the rows that its area needs, otherwise 0.
    """

    values: FloatArray
    defined: FloatArray

    @property
    def mean(self) -> FloatArray:
        """``[n]``, the mean of the defined areas."""
        return np.asarray(ratio(self.values.sum(axis=1), self.defined.sum(axis=1)))


class Trace(NamedTuple):
    """The points of a curve, ``[t]`` each, from the highest score to the lowest.

    Args:
        right: how many right rows have at least each score; 0 first.
        wrong: how many wrong rows have.
    """

    right: IntArray
    wrong: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """One or several curves: rows by curve and score, the lowest score first.

    Args:
        row: ``[n]``, the number of the weight of each row.
        right: ``[n]``, whether the row is right.
        tie: ``[n]``, the number of the group of equal scores.
        curve: ``[t]``, the curve of each group; the first group of each curve has the score 0.
        times: how many rows of a curve each document has, if wrong rows with the score 0 are not
            listed; 0 if all rows are listed.
    """

    row: IntArray
    right: BoolArray
    tie: IntArray
    curve: IntArray
    times: int

    @classmethod
    def of(  # noqa: PLR0913 - one for each column
        cls,
        row: IntArray,
        right: BoolArray,
        score: FloatArray,
        curve: IntArray,
        curves: int,
        *,
        times: int = 0,
    ) -> Curves:
        """Sort rows by curve and score; a score that is NaN is 0.

        Examples:
            >>> row, right = np.arange(4), np.array([True, False, True, False])
            >>> curves = Curves.of(row, right, np.array([0.9, 0.4, 0.4, 0.1]), row * 0, 1)
            >>> curves.find_areas(np.ones((1, 4))).values.tolist()
            [[0.875]]
        """
        every = np.append(np.nan_to_num(score), np.zeros(curves))  # a group of rows not listed
        curve = np.append(curve, np.arange(curves))
        order = np.lexsort((every, curve))
        new = (np.diff(curve[order], prepend=-1) != 0) | (
            np.diff(every[order], prepend=np.nan) != 0
        )
        ties = np.cumsum(new) - 1
        listed = order < len(row)
        rows = order[listed]
        return cls(row[rows], right[rows], ties[listed], curve[order][new], times)

    def trace(self) -> list[Trace]:
        """Return the points of each curve, if all rows are listed and count once.

        Examples:
            >>> row, right = np.arange(3), np.array([True, False, True])
            >>> [found] = Curves.of(row, right, np.array([0.9, 0.4, 0.4]), row * 0, 1).trace()
            >>> found.right.tolist(), found.wrong.tolist()
            ([0, 1, 2, 2], [0, 0, 1, 1])
        """
        right, wrong = (
            np.bincount(self.tie[chosen], minlength=len(self.curve))
            for chosen in (self.right, ~self.right)
        )
        groups = [np.flatnonzero(self.curve == at)[::-1] for at in range(self.curve.max() + 1)]
        return [
            Trace(*(np.append(0, np.cumsum(values[group])) for values in (right, wrong)))
            for group in groups
        ]

    def find_areas(self, weights: FloatArray) -> Areas:
        """Return the areas under the ROC curves."""
        return self._find(weights, self._locate().measure)

    def find_precisions(self, weights: FloatArray) -> Areas:
        """Return the average precisions."""
        return self._find(weights, self._find_precision)

    def average(self, weights: FloatArray) -> FloatArray:
        """Return ``[n]``, the mean area of the curves with both kinds of rows."""
        measure = self._locate().measure
        blocks = split_weights(weights, len(self.row))
        return np.concatenate([measure(block).mean for block in blocks])

    def _find(self, weights: FloatArray, measure: Callable[[FloatArray], Areas]) -> Areas:
        blocks = [measure(part) for part in split_weights(weights, len(self.row))]
        return Areas(*map(np.concatenate, zip(*blocks, strict=True)))

    def _locate(self) -> _Located:
        """Find, once for all weights, the wrong rows with lower scores than each right row."""
        curves = int(self.curve.max(initial=-1)) + 1
        firsts = np.searchsorted(self.curve, np.arange(curves))  # the first group of each curve
        right, wrong = np.flatnonzero(self.right), np.flatnonzero(~self.right)
        before = np.searchsorted(self.tie[wrong], np.arange(len(self.curve) + 1))
        tie = self.tie[right]
        return _Located(
            self.row[right],
            self.row[wrong],
            (before[tie], before[tie + 1]),
            before[np.append(firsts, len(self.curve))],
            self.curve[tie],
            np.isin(tie, firsts),
            self.times,
        )

    def _find_precision(self, weights: FloatArray) -> Areas:
        """Add up the weights of right and wrong rows in each group, and measure the curves."""
        drawn = weights[:, self.row]
        right, wrong = (
            add_up(drawn[:, chosen], self.tie[chosen], len(self.curve))
            for chosen in (np.flatnonzero(self.right), np.flatnonzero(~self.right))
        )
        starts = np.flatnonzero(np.diff(self.curve, prepend=-1))
        if not len(starts):
            none = np.zeros((len(weights), 0))
            return Areas(none, none)
        if self.times:
            listed = np.add.reduceat(right + wrong, starts, axis=1)
            wrong[:, starts] += self.times * weights.sum(axis=1)[:, None] - listed
        return _average_precision(right, wrong, starts)


@dataclass(frozen=True, slots=True, eq=False)
class _Located:
    """The right rows of ROC curves, each with its place among the wrong rows.

    The weights of wrong rows are added up once, from the first row to the last; so the weight of
    the rows with lower scores is the difference of two sums.

    Args:
        right: ``[r]``, the number of the weight of each right row, by curve.
        wrong: ``[w]``, the number of the weight of each wrong row, by curve and score.
        place: ``[r]`` twice, the number of wrong rows before the first one with an equal score,
            and before the first one with a higher score.
        edges: ``[curves + 1]``, the number of wrong rows before each curve, and after the last.
        curve: ``[r]``, the curve of each right row.
        last: ``[r]``, whether a right row has the score 0, as wrong rows that are not listed have.
        times: see :class:`Curves`.
    """

    right: IntArray
    wrong: IntArray
    place: tuple[IntArray, IntArray]
    edges: IntArray
    curve: IntArray
    last: BoolArray
    times: int

    def measure(self, weights: FloatArray) -> Areas:
        """Return the areas under the curves."""
        curves = len(self.edges) - 1
        sums = _accumulate(weights, self.wrong)
        drawn = weights.take(self.right, axis=1)
        rights = add_up(drawn, self.curve, curves)
        edges = sums.take(self.edges, axis=1)
        wrongs = np.diff(edges, axis=1)
        won = sums.take(self.place[0], axis=1)
        won += sums.take(self.place[1], axis=1)  # half for lower scores, and half for equal ones
        won *= drawn
        wins = add_up(won, self.curve, curves) / 2 - rights * edges[:, :-1]
        if self.times:
            others = self.times * weights.sum(axis=1)[:, None] - rights - wrongs
            tied = add_up(drawn[:, self.last], self.curve[self.last], curves)
            wins += others * (rights - tied / 2)
            wrongs += others
        pairs = rights * wrongs
        return Areas(np.asarray(ratio(wins, pairs)), (pairs > 0).astype(np.float64))


def _accumulate(weights: FloatArray, row: IntArray) -> FloatArray:
    """Return ``[b, n + 1]``, the sums of the weights of no row, of the first, of two, and so on."""
    sums = np.zeros((len(weights), len(row) + 1))
    for of, found in zip(weights, sums[:, 1:], strict=True):
        np.cumsum(of[row], out=found)
    return sums


def _before(values: FloatArray, starts: IntArray) -> FloatArray:
    """Return ``[b, t]``, the sum of the values of earlier groups of the same curve."""
    earlier = np.cumsum(values, axis=1) - values
    sizes = np.diff([*starts, values.shape[1]])
    before: FloatArray = earlier - np.repeat(earlier[:, starts], sizes, axis=1)
    return before


def _average_precision(right: FloatArray, wrong: FloatArray, starts: IntArray) -> Areas:
    """Return average precisions from ``[b, t]`` right and wrong rows."""
    sizes = np.diff([*starts, right.shape[1]])
    rights, wrongs = (np.add.reduceat(values, starts, axis=1) for values in (right, wrong))
    above_right, above_wrong = (
        np.repeat(totals, sizes, axis=1) - _before(values, starts)
        for totals, values in ((rights, right), (wrongs, wrong))
    )
    precision = np.asarray(ratio(above_right, above_right + above_wrong))
    sums = np.add.reduceat(right * precision, starts, axis=1)
    return Areas(np.asarray(ratio(sums, rights)), (rights > 0).astype(np.float64))
