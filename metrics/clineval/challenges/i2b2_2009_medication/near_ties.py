"""Sorting as the released i2b2 script does, with a comparison that is no order.

The script compares two scores by 1000 times their difference, which Python 2 cuts to an integer:
scores that differ by less than .001 are ties. So .8566 equals .8571, which equals .8575, and yet
.8575 may stand before .8566 or after it; the outcome depends on which numbers ``list.sort`` of
CPython 2.7 happens to compare. Where being tied is transitive, and it nearly always is, any
stable sort gives the same.
"""

from __future__ import annotations

import numpy as np

from clineval.base.arrays import IntArray, find_first
from clineval.challenges.i2b2_2009_medication.timsort import sort_stably

TIE = 10
"""Scores in ten-thousandths that differ by less than this are ties."""


def order_with_near_ties(group: IntArray, score: IntArray) -> IntArray:
    """Return indices, ``[n]``, that sort each group by score, highest first, ties as given.

    Groups, ``[n]``, never decrease; scores, ``[n]``, are in ten-thousandths.

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
        # turned round, sorted, and turned round again is how Python sorts in reverse
        result[low:high] = high - 1 - sort_stably(score[low:high][::-1], TIE)[::-1]
        simple[low:high] = False
    rest = np.flatnonzero(simple)
    result[rest] = rest[np.argsort(np.searchsorted(first, place[rest], "right"), kind="stable")]
    return result
