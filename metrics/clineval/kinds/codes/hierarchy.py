"""A hierarchy of codes: the parents of each code, and what follows from them.

A top is a code without parents. The level of a code is the length of its shortest path to a top.
If a file has a single top, such as the root of a terminology, it is left out: it is no ancestor,
and level 1 is the first one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from typing import Protocol, Self

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, expand_ranges, unite_keys
from clineval.base.errors import InputError, warn

Fold = Callable[[str], str]
UNKNOWN = -1
"""The level of a code that is not in the hierarchy."""
WHERE = "hierarchy"


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """Lists of numbers, one after the other.

    Args:
        bounds: ``[n + 1]``; list ``i`` is ``values[bounds[i]:bounds[i + 1]]``.
        values: the numbers of all lists.

    Examples:
        >>> lists = Lists.of(np.array([2, 0, 2]), np.array([5, 6, 7]), 3)
        >>> [part.tolist() for part in lists.spread(np.array([2, 1, 2]))]
        [[0, 0, 2, 2], [5, 7, 5, 7]]
    """

    bounds: IntArray
    values: IntArray

    @classmethod
    def of(cls, owner: IntArray, values: IntArray, size: int) -> Self:
        """Sort values into the lists of their owners, numbers below ``size``."""
        counts = np.bincount(owner, minlength=size)
        order = np.argsort(owner, kind="stable")
        return cls(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), values[order])

    @property
    def sizes(self) -> IntArray:
        """``[n]``, the length of each list."""
        return np.diff(self.bounds)

    @property
    def owner(self) -> IntArray:
        """The list of each value."""
        return np.repeat(np.arange(len(self.bounds) - 1), self.sizes)

    def spread(self, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Return all values of some lists, each after the position of its list in ``rows``."""
        places = expand_ranges(self.bounds[rows], self.bounds[rows + 1])
        return np.repeat(np.arange(len(rows)), self.sizes[rows]), self.values[places]

    def keep(self, kept: BoolArray) -> Lists:
        """Return the lists with some of their values."""
        before = np.concatenate([[0], np.cumsum(kept)])
        return Lists(before[self.bounds], self.values[kept])


@dataclass(frozen=True, slots=True, eq=False)
class Lineage:
    """The ancestors of some codes; numbers stand for the codes of the hierarchy.

    Args:
        own: ``[v]``, the number of each code; a code outside the hierarchy has one of its own.
        level: ``[size]``, the level of each number, or :data:`UNKNOWN`.
        nodes: the numbers of each code and all its ancestors, without a single top.
        parents: the numbers of the parents of each code, without a single top.
    """

    own: IntArray
    level: IntArray
    nodes: Lists
    parents: Lists

    @property
    def known(self) -> BoolArray:
        """``[v]``, whether each code is in the hierarchy."""
        known: BoolArray = self.level[self.own] != UNKNOWN
        return known

    def at_level(self, level: int) -> Lists:
        """Return the ancestors at a level; a code at this level or above it stands for itself."""
        nodes, sizes = self.nodes.values, self.nodes.sizes
        below, own = (np.repeat(of, sizes) for of in (self.level[self.own] > level, self.own))
        return self.nodes.keep(np.where(below, self.level[nodes] == level, nodes == own))

    def list_relations(self) -> Sequence[tuple[Lists, Lists]]:
        """Return for each relation the lists of gold and of predicted codes that meet.

        The relations are: an ancestor, a descendant, and a code with the same parent.
        """
        above = self.nodes.keep(self.nodes.values != self.own[self.nodes.owner])
        itself = Lists(np.arange(len(self.own) + 1), self.own)
        return [(above, itself), (itself, above), (self.parents, self.parents)]


class AnyLineage(Protocol):
    """The ancestors of codes, or of pairs of codes."""

    @property
    def level(self) -> IntArray:
        """``[size]``, the level of each number."""
        ...

    @property
    def nodes(self) -> Lists:
        """The numbers of each code and all its ancestors."""
        ...

    def at_level(self, level: int, /) -> Lists:
        """Return the ancestors at a level."""
        ...

    def list_relations(self) -> Sequence[tuple[Lists, Lists]]:
        """Return for each relation the lists of gold and of predicted codes that meet."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class NumberedLinks:
    """Links from codes to parents, as numbers.

    Args:
        codes: all codes and parents.
        child: ``[k]``, the number of a code for each link.
        parent: ``[k]``, the number of its parent, -1 for none.

    Examples:
        >>> links = NumberedLinks.of(["A1", "A", "A2"], ["A", "", "A"])
        >>> links.codes, links.child.tolist(), links.parent.tolist()
        (('A1', 'A', 'A2'), [0, 1, 2], [1, -1, 1])
    """

    codes: tuple[str, ...]
    child: IntArray
    parent: IntArray

    @classmethod
    def of(cls, codes: Sequence[str], parents: Sequence[str]) -> Self:
        """Assign numbers to codes and their parents."""
        names = tuple(filter(None, dict.fromkeys(chain(codes, parents))))
        numbers = {"": -1, **{name: number for number, name in enumerate(names)}}
        return cls(
            names,
            np.fromiter(map(numbers.__getitem__, codes), np.int64, len(codes)),
            np.fromiter(map(numbers.__getitem__, parents), np.int64, len(codes)),
        )

    @property
    def _with_parent(self) -> IntArray:
        return np.flatnonzero(self.parent >= 0)

    def list_parents(self) -> Lists:
        """Return the distinct parents of each code."""
        rows, size = self._with_parent, np.int64(len(self.codes))
        links = unite_keys(self.child[rows] * size + self.parent[rows])
        return Lists.of(links // size, links % size, len(self.codes))

    def find_cycle(self) -> list[int]:
        """Return the positions of links that form a cycle; empty if there is none."""
        rows = self._with_parent
        cycle = find_cycle(len(self.codes), self.child[rows], self.parent[rows])
        return [int(rows[at]) for at in cycle]

    def find_repeats(self) -> IntArray:
        """Return the positions of links that repeat an earlier one."""
        keys = self.child * np.int64(len(self.codes) + 1) + self.parent + 1
        order = np.argsort(keys, kind="stable")
        return np.sort(order[1:][np.diff(keys[order]) == 0])

    def find_odd_tops(self) -> IntArray:
        """Return the positions of links that have a parent, although another link has none."""
        tops = np.zeros(len(self.codes), np.bool_)
        tops[self.child[self.parent < 0]] = True
        return np.flatnonzero(tops[self.child] & (self.parent >= 0))


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Codes and their parents.

    Args:
        name: identifies it in signatures: a name, or the digest of a file.
        codes: the codes.
        parents: the numbers of the parents of each code.
        rooted: whether a single top is left out.

    Examples:
        >>> tree = Hierarchy.of("plants", [("oak", "tree"), ("ash", "tree"), ("rose", "flower")])
        >>> tree.levels, tree.level.tolist()
        (range(0, 2), [1, 1, 1, 0, 0])
    """

    name: str
    codes: tuple[str, ...]
    parents: Lists
    rooted: bool = True

    @classmethod
    def of(cls, name: str, links: Iterable[tuple[str, str]], *, rooted: bool = True) -> Self:
        """Build a hierarchy from codes, each with a parent or an empty string.

        Raises:
            InputError: a code is its own ancestor.
        """
        columns = list(links)
        numbered = NumberedLinks.of([code for code, _ in columns], [above for _, above in columns])
        if numbered.find_cycle():
            raise InputError("a code is its own ancestor", where=WHERE)
        return cls(name, numbered.codes, numbered.list_parents(), rooted)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Code to its number."""
        return {code: number for number, code in enumerate(self.codes)}

    @cached_property
    def level(self) -> IntArray:
        """``[n]``, the length of the shortest path from each code to a top."""
        level = np.full(len(self.codes), UNKNOWN, np.int32)
        children = _invert(self.parents)
        front, depth = np.flatnonzero(self.parents.sizes == 0), 0
        while len(front):
            level[front] = depth
            _, below = children.spread(front)
            front, depth = unite_keys(below[level[below] == UNKNOWN]), depth + 1
        return level

    @cached_property
    def root(self) -> int:
        """The number of the single top; -1 if there are several, or if it counts."""
        tops = np.flatnonzero(self.parents.sizes == 0)
        return int(tops[0]) if self.rooted and len(tops) == 1 else -1

    @property
    def levels(self) -> Sequence[int]:
        """The levels that have scores."""
        return range(int(self.root >= 0), int(self.level.max(initial=0)) + 1)

    def over(self, _codes: Iterable[str], fold: Fold) -> Hierarchy:
        """Return the hierarchy with codes in the form in which they are compared."""
        return _fold(self, fold)

    def knows(self, code: str, fold: Fold) -> bool:
        """Return whether a code is in the hierarchy."""
        return fold(code) in _fold(self, fold).numbers

    def trace(self, codes: Sequence[str]) -> Lineage:
        """Find the ancestors of some codes, which are distinct."""
        size = len(self.codes)
        total = size + len(codes)
        own = np.array([self.numbers.get(c, size + n) for n, c in enumerate(codes)], np.int64)
        level = np.append(self.level, np.full(len(codes), UNKNOWN, self.level.dtype))
        known = np.flatnonzero(own < size)
        at, parents = self.parents.spread(own[known])
        keys = self._climb(known * total + own[known], total)
        keys = unite_keys(keys, np.arange(len(codes)) * total + own)
        return Lineage(
            own,
            level,
            self._list(keys // total, keys % total, len(codes)),
            self._list(known[at], parents, len(codes)),
        )

    def _list(self, owner: IntArray, nodes: IntArray, size: int) -> Lists:
        """Sort numbers into lists, without a single top."""
        kept = nodes != self.root
        return Lists.of(owner[kept], nodes[kept], size)

    def _climb(self, keys: IntArray, total: int) -> IntArray:
        """Add the ancestors to pairs of a code and a number, written as one number each."""
        steps = [keys]
        while len(steps[-1]):
            at, parents = self.parents.spread(steps[-1] % total)
            steps.append(unite_keys((steps[-1] // total)[at] * total + parents))
        return unite_keys(*steps)


def _invert(lists: Lists) -> Lists:
    return Lists.of(lists.values, lists.owner, len(lists.bounds) - 1)


@lru_cache(maxsize=4)
def _fold(hierarchy: Hierarchy, fold: Fold) -> Hierarchy:
    """Fold the codes of a hierarchy; codes that become equal are one code, with all parents."""
    codes = [fold(code) for code in hierarchy.codes]
    numbers = {code: number for number, code in enumerate(dict.fromkeys(codes))}
    if len(numbers) == len(codes):
        return replace(hierarchy, codes=tuple(codes))
    problem = "{n} {code|codes} of the hierarchy {is|are} compared as equal to another one"
    warn(f"{problem}, and {{has|have}} the parents of both", n=len(codes) - len(numbers))
    place = np.array([numbers[code] for code in codes], np.int64)
    size = np.int64(len(numbers))
    links = place[hierarchy.parents.owner] * size + place[hierarchy.parents.values]
    links = unite_keys(links[links // size != links % size])
    if find_cycle(len(numbers), links // size, links % size):
        problem = "a code is its own ancestor, because codes differ only in upper and lower case"
        raise InputError(f"{problem}, blanks or points", where=WHERE)
    parents = Lists.of(links // size, links % size, len(numbers))
    return replace(hierarchy, codes=tuple(numbers), parents=parents)


def find_cycle(size: int, child: IntArray, parent: IntArray) -> list[int]:
    """Return the links that form a cycle, as positions; empty if there is none.

    Args:
        size: the number of codes.
        child: ``[k]``, the number of a code for each link.
        parent: ``[k]``, the number of its parent.

    Examples:
        >>> find_cycle(4, np.array([0, 1, 2, 3]), np.array([1, 2, 0, 0]))
        [0, 1, 2]
    """
    children = Lists.of(parent, child, size)
    waiting = np.bincount(child, minlength=size)
    front = np.flatnonzero(waiting == 0)
    while len(front):
        _, below = children.spread(front)
        np.subtract.at(waiting, below, 1)
        front = unite_keys(below[waiting[below] == 0])
    left = np.flatnonzero((waiting[child] > 0) & (waiting[parent] > 0))
    steps = dict(zip(child[left].tolist(), left.tolist(), strict=True))
    path: dict[int, int] = {}
    at = int(child[left[0]]) if len(left) else -1
    while at >= 0 and at not in path:
        path[at] = steps[at]
        at = int(parent[steps[at]])
    return list(path.values())[list(path).index(at) :] if path else []
