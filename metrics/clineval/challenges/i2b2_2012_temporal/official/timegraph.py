"""The time graph of the i2b2 2012 program: chains of points with pseudo-times.

It is not a sound closure. Names in brackets are cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from clineval.base.errors import InputError

AFTER, BEFORE, SAME = "AFTER", "BEFORE", "SIMULTANEOUS"
REVERSE: Mapping[str, str] = {BEFORE: AFTER, AFTER: BEFORE}
_REFUSED = {"DURING", "DURING_BY", "IBEFORE", "IAFTER", "BEGINS", "BEGUN_BY", "ENDS", "ENDED_BY"}
_REFUSED |= {"INCLUDES", "IS_INCLUDED", "IDENTITY", "HOLDS", "HELD_BY"}
"""Types of TimeML that the program knows, and the challenge does not have."""
_FIRST, _STEP, _MOST_STEPS = 100_000, 1000, 1_000_000
Triple = tuple[str, str, str]
"""The ends of a link, and its type."""


def refuse_others(kind: str) -> None:
    """Raise an error for a type of TimeML that the challenge does not have."""
    if kind.upper() in _REFUSED:
        problem = "the program's rules for this type of TimeML are not implemented"
        raise InputError(problem, remedy="Use BEFORE, AFTER or OVERLAP")


class Answer(Enum):
    """Whether the graph knows that a relation is right."""

    TRUE, FALSE, UNKNOWN = range(3)


@dataclass(slots=True, eq=False)
class Point:
    """A start or an end.

    Args:
        chain: the number of its chain.
        time: its pseudo-time.
        first, last: whether a point can be put before, or after it, in the same chain.
    """

    chain: int
    time: int = 0
    first: bool = False
    last: bool = False


@dataclass(slots=True)
class Crossings:
    """Where a chain leads to other chains.

    Args:
        exits: the points of the chain, in the order in which the program visits them.
        entries: the points of other chains to which each of them leads.
    """

    exits: list[str] = field(default_factory=list)
    entries: dict[str, list[str]] = field(default_factory=dict)

    def add(self, leaving: str, entered: str) -> None:
        """Add a crossing; a name that is part of one that is there counts as there."""
        _add_name(self.exits, leaving)
        _add_name(self.entries.setdefault(leaving, []), entered)


def _add_name(names: list[str], name: str) -> None:
    if not any(name in other for other in names):
        names.append(name)


@dataclass(slots=True)
class TimeGraph:
    """The graph, and the links of one side that are left after reading them in order.

    Args:
        points: the start and the end of each entity, by name.
        crossings: where chains lead.
        chains: the number of chains.
        steps: how many steps were tried along paths that are not the shortest.
        links: links that do not follow from those before them, then those that contradict them.
    """

    points: dict[str, Point] = field(default_factory=dict)
    crossings: dict[int, Crossings] = field(default_factory=dict)
    chains: int = 0
    steps: int = 0
    links: list[Triple] = field(default_factory=list)

    @classmethod
    def of(cls, links: Iterable[Triple]) -> TimeGraph:
        """Add links in their order; the order decides which of them are left [l03, l06, l32]."""
        graph = cls()
        kept, following, contradicting = [], set(), []
        types: dict[tuple[str, str], list[str]] = {}
        for source, target, kind in links:
            known = types.setdefault((source, target), [])
            if any(other.startswith(kind) for other in known):  # repeats [l07]
                continue
            known.append(kind)
            kept.append((source, target, kind))
            refuse_others(kind)
            shown = (source, target, kind.upper())
            answer = graph.add(*shown)
            if answer is Answer.TRUE:
                following.add(shown)
            elif answer is Answer.FALSE:
                contradicting.append(shown)
        left = following.union(contradicting)
        graph.links = [link for link in kept if link not in left] + contradicting  # [l13, l14]
        return graph

    def add(self, source: str, target: str, kind: str) -> Answer:
        """Add a link, and return whether it follows from the graph, or contradicts it."""
        answer = Answer.FALSE if source == target and kind != SAME else Answer.UNKNOWN  # [l24]
        known = _start(source) in self.points, _start(target) in self.points
        if known == (False, False):
            self._add_chain(source, target, kind)
        elif known == (True, False):
            self._add_entity(target, source, REVERSE.get(kind, kind))
        elif known == (False, True):
            self._add_entity(source, target, kind)
        elif answer is Answer.UNKNOWN:
            answer = self.ask(source, target, kind)
            if answer is Answer.UNKNOWN:
                self._connect(source, target, kind)
        return Answer.FALSE if kind not in (BEFORE, AFTER, SAME) else answer

    def ask(self, source: str, target: str, kind: str) -> Answer:
        """Return whether the graph says that a link is right."""
        if _start(source) not in self.points or _start(target) not in self.points:
            return Answer.UNKNOWN
        if kind == BEFORE:
            return _IF_BEFORE[self._compare(_end(source), _start(target))]
        if kind == AFTER:
            return _IF_BEFORE[self._compare(_end(target), _start(source))]
        if kind != SAME:
            return Answer.FALSE
        signs = self._compare(_start(source), _start(target))
        signs += self._compare(_end(source), _end(target)) if signs in "=?" else ""
        return _IF_SAME.get(signs, Answer.FALSE)

    def _add_chain(self, source: str, target: str, kind: str) -> None:
        """Put two new entities into a chain of their own."""
        chain, self.chains = self.chains, self.chains + 1
        for entity, at in zip((source, target), _PLACES.get(kind, (-1, -1)), strict=True):
            start, end = Point(chain), Point(chain)
            if at >= 0:  # of equals, each is free at both sides [l08]
                start = Point(chain, _FIRST + at * _STEP, first=at == 0)
                end = Point(chain, _FIRST + (at + 1) * _STEP, last=at > 0 or kind == SAME)
            self.points[_start(entity)], self.points[_end(entity)] = start, end

    def _add_entity(self, new: str, known: str, kind: str) -> None:
        """Put a new entity before, after or to the place of a known one."""
        start, end = self.points[_start(known)], self.points[_end(known)]
        names = _start(new), _end(new)
        if kind == SAME:
            self.points |= zip(names, (start, end), strict=True)
        elif kind == BEFORE:  # its start is at -1000, whatever its end [l09]
            chain, crosses = self._extend(start.chain, free=start.first)
            times, start.first = (-_STEP, start.time - _STEP), False
            points = Point(chain, times[0], first=True), Point(chain, times[1])
            self.points |= zip(names, points, strict=True)
            if crosses:
                self._cross(_end(new), _start(known))
        elif kind == AFTER:
            chain, crosses = self._extend(end.chain, free=end.last)
            times, end.last = (end.time + _STEP, end.time + 2 * _STEP), False
            points = Point(chain, times[0]), Point(chain, times[1], last=True)
            self.points |= zip(names, points, strict=True)
            if crosses:
                self._cross(_end(known), _start(new))

    def _extend(self, chain: int, *, free: bool) -> tuple[int, bool]:
        """Return a chain, or the number of a new one and that it needs a crossing."""
        self.chains += not free
        return (chain, False) if free else (self.chains - 1, True)

    def _connect(self, source: str, target: str, kind: str) -> None:
        """Add crossings for a link between two known entities."""
        if kind == BEFORE:
            self._cross(_end(source), _start(target))
        elif kind == AFTER:
            self._cross(_end(target), _start(source))
        else:
            for name in (_start, _end):
                self._cross(name(target), name(source))
                self._cross(name(source), name(target))

    def _cross(self, leaving: str, entered: str) -> None:
        self.crossings.setdefault(self.points[leaving].chain, Crossings()).add(leaving, entered)

    def _compare(self, one: str, other: str) -> str:
        """Return ``<``, ``=``, ``>``, or ``?`` if the graph does not know."""
        first, second = self.points[one], self.points[other]
        if first.chain == second.chain:
            return "<" if first.time < second.time else "=" if first.time == second.time else ">"
        return _SIGNS[self._leads(first, second), self._leads(second, first)]

    def _leads(self, start: Point, goal: Point) -> bool:
        """Return whether a path of crossings that enters no chain twice leads to the goal."""
        lowest = {start.chain: start.time}
        queue: list[tuple[Point, tuple[int, ...]]] = [(start, (start.chain,))]
        for point, chains in queue:
            for entry in self._list_entries(point):
                if entry.chain == goal.chain:
                    if entry.time <= goal.time:
                        simple = len({*chains}) == len(chains)
                        return simple or self._leads_once(start, goal, frozenset())
                elif entry.time < lowest.get(entry.chain, entry.time + 1):
                    lowest[entry.chain] = entry.time
                    queue.append((entry, (*chains, entry.chain)))
        return False

    def _leads_once(self, point: Point, goal: Point, chains: frozenset[int]) -> bool:
        """Try all paths; where chains lead back to earlier points, the shortest is not enough."""
        if point.chain == goal.chain:
            return point.time <= goal.time
        self.steps += 1
        if self.steps > _MOST_STEPS:
            problem = f"the program tries all paths of the links, here more than {_MOST_STEPS:,}"
            raise InputError(problem, remedy="Score with protocol='spec'")
        chains |= {point.chain}
        return any(
            self._leads_once(entry, goal, chains)
            for entry in self._list_entries(point)
            if entry.chain not in chains
        )

    def _list_entries(self, point: Point) -> Iterator[Point]:
        """Yield the points of other chains that a point leads to."""
        crossings = self.crossings.get(point.chain, _NOWHERE)
        for name in crossings.exits:
            if point.time <= self.points[name].time:
                yield from (self.points[entry] for entry in crossings.entries[name])


_NOWHERE = Crossings()
_PLACES = {BEFORE: (0, 2), AFTER: (2, 0), SAME: (0, 0)}
"""Where the points of the source and of the target begin in a new chain."""
_SIGNS = {(True, True): "=", (True, False): "<", (False, True): ">", (False, False): "?"}
_IF_BEFORE = {"<": Answer.TRUE, "?": Answer.UNKNOWN, "=": Answer.FALSE, ">": Answer.FALSE}
_IF_SAME = {"==": Answer.TRUE, "=?": Answer.UNKNOWN, "?=": Answer.UNKNOWN, "??": Answer.UNKNOWN}


def _start(entity: str) -> str:
    return f"{entity}_s"


def _end(entity: str) -> str:
    return f"{entity}_e"
