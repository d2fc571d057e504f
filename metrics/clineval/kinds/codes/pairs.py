"""Pairs of codes, such as the concepts of a relation, and their ancestors.

The ancestors of a pair combine the first code or one of its ancestors with the second code or one
of its ancestors. At a level, both codes of a pair are at this level, as single codes are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clineval.base.arrays import IntArray, unite_keys
from clineval.kinds.codes.hierarchy import Lineage, Lists

JOINED = "\t"
"""Joins the codes of a pair."""


def split_pair(value: str) -> list[str]:
    r"""Return the codes of a pair, or a single code.

    Examples:
        >>> split_pair("D1\tD2"), split_pair("D1")
        (['D1', 'D2'], ['D1'])
    """
    return value.split(JOINED)


@dataclass(frozen=True, eq=False)
class PairLineage:
    """The ancestors of pairs of codes.

    Args:
        lineage: the ancestors of the codes.
        first: ``[v]``, the first code of each pair.
        second: ``[v]``, its second code.
    """

    lineage: Lineage
    first: IntArray
    second: IntArray

    @cached_property
    def _names(self) -> IntArray:
        """The pairs that occur in any list, ascending; their places are the numbers of pairs."""
        lists = (self._raw_nodes, self._raw_itself, self._raw_siblings)
        return unite_keys(*(each.values for each in lists))

    @cached_property
    def _raw_nodes(self) -> Lists:
        return self._multiply(self.lineage.nodes)

    @cached_property
    def _raw_itself(self) -> Lists:
        return self._multiply(_list_own(self.lineage))

    @cached_property
    def _raw_siblings(self) -> Lists:
        """A code with a mark, or the parents of a code: equal codes and siblings share one."""
        own, parents = _list_own(self.lineage), self.lineage.parents
        marked = Lists(own.bounds, own.values + len(self.lineage.level))
        return self._multiply(_unite(marked, parents))

    def _multiply(self, lists: Lists) -> Lists:
        """Return all pairs of the numbers of both codes of each pair."""
        at, first = lists.spread(self.first)
        inner, second = lists.spread(self.second[at])
        width = np.int64(2 * len(self.lineage.level))
        return Lists.of(at[inner], first[inner] * width + second, len(self.first))

    def _number(self, lists: Lists) -> Lists:
        return Lists(lists.bounds, np.searchsorted(self._names, lists.values))

    @cached_property
    def level(self) -> IntArray:
        """``[size]``, the sum of the levels of both codes; the more, the closer two pairs are."""
        size = len(self.lineage.level)
        first, second = np.divmod(self._names, 2 * size)
        level: IntArray = self.lineage.level[first % size] + self.lineage.level[second % size]
        return level

    @cached_property
    def nodes(self) -> Lists:
        """The numbers of each pair and all its ancestors."""
        return self._number(self._raw_nodes)

    def at_level(self, level: int) -> Lists:
        """Return the ancestors whose codes both stand at a level."""
        return self._number(self._multiply(self.lineage.at_level(level)))

    def list_relations(self) -> Sequence[tuple[Lists, Lists]]:
        """Return for each relation the lists of gold and of predicted pairs that meet.

        A sibling has the same code or a sibling of it at both places.
        """
        itself = self._number(self._raw_itself)
        above = self.nodes.keep(self.nodes.values != itself.values[self.nodes.owner])
        siblings = self._number(self._raw_siblings)
        return [(above, itself), (itself, above), (siblings, siblings)]


def _list_own(lineage: Lineage) -> Lists:
    return Lists(np.arange(len(lineage.own) + 1), lineage.own)


def _unite(first: Lists, second: Lists) -> Lists:
    """Return the values of two lists together."""
    owner = np.concatenate([first.owner, second.owner])
    return Lists.of(owner, np.concatenate([first.values, second.values]), len(first.bounds) - 1)


def trace_pairs(values: Sequence[str], codes: Sequence[str], lineage: Lineage) -> PairLineage:
    """Find the ancestors of pairs of codes.

    Args:
        values: the pairs, joined by a tab.
        codes: all codes of the pairs.
        lineage: their ancestors.
    """
    numbers = {code: number for number, code in enumerate(codes)}
    pairs = [[numbers[code] for code in split_pair(value)] for value in values]
    first, second = np.array(pairs, np.int64).reshape(-1, 2).T
    return PairLineage(lineage, first, second)
