"""What follows from the links of a document: closure, reduction and contradictions.

A link says that its first end comes strictly before its second one, or that both are the same. Any
strict order can take the place of time: a container comes before its content.

    closure         a link follows from others if a chain of them leads from its first end to its
                    second one, over links of the same in both directions. The chain of a strict
                    link has at least one strict link, the chain of the same has none.
    contradictions  a strict link contradicts others if a chain leads back from its second end. All
                    links between ends that lead to each other in this way are contradictory. They
                    take no part in the closure.
    reduction       a strict link is left out if it follows over an end between its own ends, which
                    is the same as neither. All other links stay.

None of this depends on the order of the links.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.errors import InputError

MOST_ENDS, MOST_LINKS = 1_000, 5_000
"""The limits of one side of a document: the closure compares every two ends."""
_BITS = 64


class Step(NamedTuple):
    """A link of a chain: its row, and whether the chain passes it from its second end."""

    row: int
    backwards: bool


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Links of one side of a document.

    Args:
        first: ``[n]``, the first end of each link, a number of any size.
        second: ``[n]``, the second end.
        same: ``[n]``, whether both ends are the same; if not, the first one comes before the
            second.
    """

    first: IntArray
    second: IntArray
    same: BoolArray

    @classmethod
    def of(cls, links: Iterable[tuple[int, int, bool]]) -> Self:
        """Build columns from first ends, second ends, and whether they are the same.

        Examples:
            >>> len(Links.of([(0, 1, False), (1, 4, True)]))
            2
        """
        first, second, same = np.array([*links], np.int64).reshape(-1, 3).T
        return cls(first, second, same.astype(np.bool_))

    def __len__(self) -> int:
        return len(self.first)

    def take(self, rows: IntArray | slice) -> Links:
        """Return some of the links."""
        return Links(self.first[rows], self.second[rows], self.same[rows])


@dataclass(frozen=True, eq=False)
class ClosedLinks:
    """Links with everything that follows from them.

    Args:
        links: the links.
        where: the place of the links, for errors.

    Raises:
        InputError: there are more than :data:`MOST_ENDS` ends or :data:`MOST_LINKS` links.

    Examples:
        >>> closed = ClosedLinks(Links.of([(0, 1, False), (1, 2, True), (2, 3, False)]))
        >>> closed.imply(Links.of([(0, 3, False), (3, 0, False), (2, 1, True)])).tolist()
        [True, False, True]
        >>> closed.find_path(0, 3)
        [Step(row=0, backwards=False), Step(row=1, backwards=False), Step(row=2, backwards=False)]
    """

    links: Links
    where: str = ""

    def __post_init__(self) -> None:
        for number, most, name in (
            (len(self._ends), MOST_ENDS, "ends of links"),
            (len(self.links), MOST_LINKS, "links"),
        ):
            if number > most:
                raise InputError(
                    f"there are {number:,} {name}, expected at most {most:,}",
                    where=self.where,
                    remedy="Check that they are links of one document, and not of several under "
                    "one name",
                )

    @cached_property
    def contradictory(self) -> BoolArray:
        """``[n]``, whether each link is part of a contradiction."""
        links, reached = self._numbered, self._reach_by(np.ones(len(self.links), np.bool_))
        back = ~links.same & reached[links.second, links.first]
        mutual = reached & reached.T
        contradicted: BoolArray = np.any(mutual[:, links.first[back]], axis=1)
        found: BoolArray = contradicted[links.first] & mutual[links.first, links.second]
        return found

    @cached_property
    def reduced(self) -> BoolArray:
        """``[n]``, whether each link is part of the reduction; contradictory links are."""
        links, strictly = self._numbered, self._reached & ~self._reached.T
        between = np.any(strictly[links.first] & strictly.T[links.second], axis=1)
        stays: BoolArray = links.same | self.contradictory | ~between
        return stays

    def imply(self, links: Links) -> BoolArray:
        """Return whether each of some links follows, ``[k]``.

        Nothing implies a link of an end with itself.
        """
        first, second = self._number(links.first), self._number(links.second)
        there, back = self._reached[first, second], self._reached[second, first]
        implied: BoolArray = there & (back == links.same) & (first != second)
        return implied

    def find_path(self, first: int, second: int) -> list[Step]:
        """Find the shortest chain from which a link between two ends follows; empty if none does.

        Links that both say the same have the order of their rows.
        """
        return self._sound.walk((first, False), [(second, True), (second, False)])

    def find_cycle(self, row: int) -> list[Step]:
        """Find the shortest chain with a contradictory link that leads back to its first end.

        The chain begins with the link, and has at least one strict link.
        """
        first, second = int(self.links.first[row]), int(self.links.second[row])
        start = second, not self.links.same[row]
        return [Step(row, backwards=False), *self._contradicting.walk(start, [(first, True)])]

    @cached_property
    def _ends(self) -> IntArray:
        """The ends, sorted."""
        return np.unique([self.links.first, self.links.second])

    @cached_property
    def _numbered(self) -> Links:
        """The links between numbers of ends."""
        links = self.links
        return Links(self._number(links.first), self._number(links.second), links.same)

    def _number(self, ends: IntArray) -> IntArray:
        """Return the number of each of some ends; the last one of all is for unknown ends."""
        numbers = np.searchsorted(self._ends, ends)
        known = np.append(self._ends, -1)[numbers] == ends
        return np.where(known, numbers, len(self._ends))

    @cached_property
    def _reached(self) -> BoolArray:
        """``[ends + 1, ends + 1]``, which ends other ends lead to; the last one is unknown."""
        return self._reach_by(~self.contradictory)

    def _reach_by(self, which: BoolArray) -> BoolArray:
        """Return which ends some of the links lead to."""
        links = self._numbered.take(np.flatnonzero(which))
        same = links.take(np.flatnonzero(links.same))
        first = np.concatenate([links.first, same.second])
        second = np.concatenate([links.second, same.first])
        order = np.argsort(first, kind="stable")
        return close(first[order], second[order], len(self._ends) + 1)

    @cached_property
    def _sound(self) -> _Graph:
        return _Graph(self.links, np.flatnonzero(~self.contradictory))

    @cached_property
    def _contradicting(self) -> _Graph:
        return _Graph(self.links, np.flatnonzero(self.contradictory))


def close(first: IntArray, second: IntArray, size: int) -> BoolArray:
    """Return what steps between ends, sorted by their first end, lead to: ``[size, size]``.

    Each round adds what the second ends lead to, 64 ends in a number. A product of matrices would
    be shorter, but its threads wait for each other on a busy machine.
    """
    starts = np.flatnonzero(np.diff(first, prepend=-1))
    rows = first[starts]
    steps = np.zeros((size, -(-size // _BITS) * _BITS), np.bool_)
    steps[first, second] = True
    reached = np.packbits(steps, axis=1).view(np.uint64)
    while len(rows):
        further = reached[rows] | np.bitwise_or.reduceat(reached[second], starts, axis=0)
        if np.array_equal(further, reached[rows]):
            break
        reached[rows] = further
    return np.unpackbits(reached.view(np.uint8), axis=1, count=size).view(np.bool_)


_State = tuple[int, bool]
"""An end, and whether the chain has a strict link."""
_Tree = dict[_State, tuple[_State, Step]]
"""State to the one before it on the shortest chain, and the step between."""


@dataclass(frozen=True, eq=False)
class _Graph:
    """Some of the links, to find chains.

    Args:
        links: all links.
        rows: the rows of the links that chains may have.
    """

    links: Links
    rows: IntArray

    def walk(self, start: _State, goals: Iterable[_State]) -> list[Step]:
        """Return the shortest chain from one state to the first of some others that it reaches."""
        before = self._search(start)
        for goal in goals:
            if goal in before and goal != start:
                return [*_retrace(before, start, goal)][::-1]
        return []

    @cached_property
    def _steps(self) -> dict[int, list[tuple[Step, int, bool]]]:
        """End to the links at it, each with its other end, and whether it is strict."""
        steps: dict[int, list[tuple[Step, int, bool]]] = {}
        some = self.links.take(self.rows)
        columns = (column.tolist() for column in (self.rows, some.first, some.second, some.same))
        for row, first, second, same in zip(*columns, strict=True):
            steps.setdefault(first, []).append((Step(row, backwards=False), second, not same))
            if same:
                steps.setdefault(second, []).append((Step(row, backwards=True), first, False))
        return steps

    @cached_property
    def _latest(self) -> dict[_State, _Tree]:
        """The last start and what it leads to: callers ask for one start after the other."""
        return {}

    def _search(self, start: _State) -> _Tree:
        """Return for each state that a start leads to the one before it, and the step between."""
        if start in self._latest:
            return self._latest[start]
        before: _Tree = {}
        left = deque([start])
        while left:
            state = left.popleft()
            for step, end, strict in self._steps.get(state[0], ()):
                new = end, state[1] or strict
                if new not in before:
                    before[new] = state, step
                    left.append(new)
        self._latest.clear()
        self._latest[start] = before
        return before


def _retrace(before: _Tree, start: _State, goal: _State) -> Iterator[Step]:
    """Yield the steps from a start to a goal, last one first."""
    while goal != start:
        goal, step = before[goal]
        yield step
