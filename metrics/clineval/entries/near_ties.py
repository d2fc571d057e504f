"""Sorting as the released i2b2 script does, with a comparison that is no order.

The script compares two scores by 1000 times their difference, which Python 2 cuts to an integer:
scores that differ by less than .001 are ties. So .8566 equals .8571, which equals .8575, and yet
.8575 may stand before .8566 or after it; the outcome depends on which numbers ``list.sort`` of
CPython 2.7 happens to compare. Where being tied is transitive, and it nearly always is, any
stable sort gives the same.
"""

from __future__ import annotations

import numpy as np

from clineval.arrays import IntArray, find_first
from clineval.entries.timsort import sort_stably

TIE = 10
"""Scores in ten-thousandths that differ by less than this are ties."""


def order_with_near_ties(group: IntArray, score: IntArray) -> IntArray:
    """Sort the members of each group by score, highest first, ties in the order given.

    Args:
        group: ``[n]``, never decreasing.
        score: ``[n]``, in ten-thousandths.

    Returns:
        ``[n]``, indices.

    Examples:
        >>> scores = np.array([8566, 8571, 8575, 8600])
        >>> order_with_near_ties(np.zeros(4, int), scores).tolist()
        [3, 0, 1, 2]
    """
    order = np.lexsort((-score, group))
    groups, scores = group[order], score[order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (groups[1:] != groups[:-1]) | (scores[:-1] - scores[1:] >= TIE)
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(order)) - 1 if len(order) else first
    cluster = np.empty(len(order), np.int64)
    cluster[order] = np.cumsum(new)
    result = np.argsort(cluster, kind="stable")
    for entangled in np.unique(groups[first[scores[first] - scores[last] >= TIE]]).tolist():
        low, high = find_first(group, [entangled, entangled + 1])
        result[low:high] = low + np.array(_sort(score[low:high].tolist()))
    return result


def _sort(scores: list[int]) -> list[int]:
    """``list.sort(reverse=True)``: turned round, sorted, and turned round again."""
    turned = list(range(len(scores)))[::-1]
    return sort_stably(turned, lambda a, b: scores[b] - scores[a] >= TIE)[::-1]
