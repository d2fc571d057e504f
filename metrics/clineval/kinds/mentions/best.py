"""Choose the best one-to-one pairing if pairs compete.

The best pairing has most pairs; in ties the largest sum of the first count, then of the second, and
so on. Only competing pairs are examined, one group of competitors after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from clineval.base.arrays import IntArray
from clineval.kinds.mentions.overlap import Candidates
from clineval.kinds.mentions.pairing import Pairs, is_contested

_BITS = 61


def choose_best(near: Pairs | Candidates, counts: Sequence[IntArray]) -> IntArray:
    """Choose the best of some pairs one to one.

    Args:
        near: the pairs that may be chosen, each of them once.
        counts: ``[c]`` each, 0 or more, the most important one first; the last ones are ignored if
            very many pairs compete.

    Returns:
        The rows of the chosen pairs, ascending. Among rows with equal counts, the order of gold and
        predicted rows decides; the sums are the same.

    Examples:
        >>> near = Pairs(np.array([0, 0, 1]), np.array([0, 1, 0]))
        >>> choose_best(near, [np.array([9, 1, 1])]).tolist()
        [1, 2]
    """
    contested = is_contested(near)
    rivals = np.flatnonzero(contested)
    gold, prediction = near.gold[rivals], near.prediction[rivals]
    group = _find_groups(gold, prediction)
    order = np.lexsort((prediction, gold, group))
    rivals, group = rivals[order], group[order]
    bounds = np.append(np.flatnonzero(np.diff(group, prepend=-1)), len(group)).tolist()
    table = np.array([count[rivals] for count in counts], np.int64).reshape(
        len(counts), len(rivals)
    )
    chosen = [np.flatnonzero(~contested)]
    for first, last in pairwise(bounds):
        rows = rivals[first:last]
        found = _choose(near.gold[rows], near.prediction[rows], table[:, first:last])
        chosen.append(rows[found])
    return np.sort(np.concatenate(chosen))


def _find_groups(gold: IntArray, prediction: IntArray) -> IntArray:
    """Return the number of each pair's group, ``[c]``; groups compete, perhaps through others."""
    left = np.unique(gold, return_inverse=True)[1]
    right = np.unique(prediction, return_inverse=True)[1] + left.max(initial=-1) + 1
    group = np.arange(right.max(initial=-1) + 1)
    while True:
        lowest = np.minimum(group[left], group[right])
        joined = group.copy()
        for ends in (left, right, group[left], group[right]):
            np.minimum.at(joined, ends, lowest)
        joined = joined[joined]
        if (joined == group).all():
            return group[left]
        group = joined


def _choose(gold: IntArray, prediction: IntArray, counts: IntArray) -> IntArray:
    """Choose among the pairs of one group."""
    golds, left = np.unique(gold, return_inverse=True)
    predictions, right = np.unique(prediction, return_inverse=True)
    weight = _weigh(left, counts, min(len(golds), len(predictions)))
    if len(golds) == 1 or len(predictions) == 1:
        return np.array([np.argmax(weight)])
    matrix = np.zeros((len(golds), len(predictions)), np.int64)
    matrix[left, right] = weight
    partners = assign(matrix)
    return np.flatnonzero(partners[left] == right)


def _weigh(left: IntArray, counts: IntArray, pairs: int) -> IntArray:
    """Pack the counts of each pair into one number, ``[c]``, so that sums compare in order."""
    most = np.zeros((len(counts), left.max() + 1), np.int64)
    for row, count in zip(most, counts, strict=True):
        np.maximum.at(row, left, count)
    room = _BITS - int(pairs).bit_length()
    weight = np.ones(len(left), np.int64)
    used = pairs.bit_length()
    for count, limit in zip(counts, most.sum(axis=1).tolist(), strict=True):
        used += limit.bit_length()
        if used > room:
            break
        weight = (weight << limit.bit_length()) + count
    return weight


def assign(weights: IntArray) -> IntArray:
    """Assign a different column to each row, so that the sum of the weights is largest.

    The successive shortest paths of Kuhn (1955), as Jonker and Volgenant (1987) order them.

    Args:
        weights: ``[n, m]``, 0 or more; pairs of weight 0 may be assigned too.

    Returns:
        ``[n]``, the column of each row, -1 for none.

    Examples:
        >>> assign(np.array([[3, 2, 0], [2, 0, 0]])).tolist()
        [1, 0]
    """
    if weights.shape[0] > weights.shape[1]:
        rows = assign(weights.T)
        partners = np.full(len(weights), -1)
        partners[rows] = np.arange(len(rows))
        return partners
    size, width = weights.shape
    prices, values = np.zeros(width + 1, np.int64), np.zeros(size + 1, np.int64)
    owners = np.zeros(width + 1, np.int64)  # of columns; 0 for none, so rows begin at 1
    for row in range(1, size + 1):
        owners[0] = row
        _extend(-weights, prices, values, owners)
    partners = np.full(size, -1)
    taken = np.flatnonzero(owners[1:])
    partners[owners[taken + 1] - 1] = taken
    return partners


def _extend(costs: IntArray, prices: IntArray, values: IntArray, owners: IntArray) -> None:
    """Assign the row of column 0 along a shortest path; other rows may change their columns."""
    endless = np.iinfo(np.int64).max
    least, before = np.full(len(prices), endless), np.zeros(len(prices), np.int64)
    done = np.zeros(len(prices), np.bool_)
    column = 0
    while True:
        done[column] = True
        row = owners[column]
        distance = costs[row - 1] - values[row] - prices[1:]
        closer = np.flatnonzero(~done[1:] & (distance < least[1:])) + 1
        least[closer], before[closer] = distance[closer - 1], column
        free = np.flatnonzero(~done)
        column = int(free[np.argmin(least[free])])
        step = least[column]
        values[owners[done]] += step
        prices[done] -= step
        least[free] -= step
        if not owners[column]:
            break
    while column:
        owners[column] = owners[before[column]]
        column = int(before[column])
