"""Edit distances of strings."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def edit_distance(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Count the insertions, deletions and replacements that turn a sequence into another.

    The bits of whole numbers hold the differences between cells of a column of Levenshtein's table
    (Myers, A fast bit-vector algorithm for approximate string matching, Journal of the ACM, 1999;
    Hyyrö, 2003).

    Examples:
        >>> edit_distance("kitten", "sitting"), edit_distance("", "abc")
        (3, 3)
    """
    places: dict[Hashable, int] = {}
    for at, item in enumerate(one):
        places[item] = places.get(item, 0) | 1 << at
    every, last = (1 << len(one)) - 1, 1 << len(one) >> 1
    rises, falls, distance = every, 0, len(one)
    for item in other:
        equal = places.get(item, 0) | falls
        level = (((equal & rises) + rises) ^ rises) | equal
        right, left = falls | ~(level | rises), level & rises
        distance += bool(right & last) - bool(left & last) if one else 1
        right, left = right << 1 | 1, left << 1
        rises, falls = (left | ~(level | right)) & every, level & right & every
    return distance
