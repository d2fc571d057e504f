"""The closure of temporal links by the points where their intervals begin and end.

The released program of Clinical TempEval converts each link to relations between such points,
closes them under < and =, and asks which links hold then. It does not look for contradictions: the
intervals of a cycle contain each other and themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import BoolArray
from clineval.kinds.relations.closure import close

Interval = object
"""An interval, by anything that identifies it."""
_SAME = "a=b A=B"
_FORMS = {
    "BEFORE": "A<b", "AFTER": "B<a", "IBEFORE": "A=b", "IAFTER": "a=B",
    "CONTAINS": "a<b B<A", "INCLUDES": "a<b B<A", "IS_INCLUDED": "b<a A<B",
    "BEGINS-ON": "a=b", "ENDS-ON": "A=B", "OVERLAP": "a<B b<A",
    "BEGINS": "a=b A<B", "BEGUN_BY": "a=b B<A", "ENDS": "b<a A=B", "ENDED_BY": "a<b A=B",
    "SIMULTANEOUS": _SAME, "IDENTITY": _SAME, "DURING": _SAME, "DURING_INV": _SAME,
}  # fmt: skip
"""Where the first interval begins (a) and ends (A), and the second one (b, B)."""
RELATIONS = frozenset(_FORMS)
_PLACES = "aAbB"


@dataclass(frozen=True, slots=True)
class Link:
    """A link between two intervals.

    Args:
        source: the first interval.
        target: the second interval.
        relation: its relation, one of :data:`RELATIONS`.
        name: what links must share, beside their relation, to be the same.
    """

    source: Interval
    target: Interval
    relation: str
    name: object

    def list_points(self) -> Iterator[tuple[tuple[Interval, int], str, tuple[Interval, int]]]:
        """Yield the relations of points, each a point, < or =, and another point."""
        ends = [(self.source, 0), (self.source, 1), (self.target, 0), (self.target, 1)]
        for first, sign, second in map(tuple, (*_FORMS[self.relation].split(), "a<A", "b<B")):
            pair = ends[_PLACES.index(first)], ends[_PLACES.index(second)]
            yield pair[0], sign, pair[1]
            if sign == "=":
                yield pair[1], sign, pair[0]


def drop_synonyms(links: Sequence[Link]) -> list[Link]:
    """Return the first of the links that have the same relations of points."""
    found: dict[frozenset[object], Link] = {}
    for link in links:
        found.setdefault(frozenset(link.list_points()), link)
    return [*found.values()]


def find_following(links: Sequence[Link], premises: Sequence[Link]) -> list[bool]:
    """Return which links follow from other links."""
    intervals: dict[Interval, int] = {}
    names: dict[Interval, set[object]] = {}
    for link in premises:
        for interval in (link.source, link.target):
            intervals.setdefault(interval, len(intervals))
            names.setdefault(interval, set()).add(link.name)
    reached, size = _close(premises, intervals), 2 * len(intervals)
    return [
        link.name in names.get(link.source, ()) and link.name in names.get(link.target, ())
        and all(
            reached[_number(one, intervals), _number(other, intervals) + size * (sign == "<")]
            for one, sign, other in link.list_points()
        )
        for link in links
    ]  # fmt: skip


def _number(point: tuple[Interval, int], intervals: dict[Interval, int]) -> int:
    return 2 * intervals[point[0]] + point[1]


def _close(links: Sequence[Link], intervals: dict[Interval, int]) -> BoolArray:
    """Return what follows from points, ``[2 p, 2 p]``: that they equal others, or are before them.

    The second half of the numbers stands for points to which a chain with < leads.
    """
    size = 2 * len(intervals)
    steps = set()
    for link in links:
        for one, sign, other in link.list_points():
            first, second = _number(one, intervals), _number(other, intervals)
            steps |= {(first, second + size * (sign == "<")), (first + size, second + size)}
    starts, ends = np.array(sorted(steps), np.int64).reshape(-1, 2).T
    return close(starts, ends, 2 * size)
