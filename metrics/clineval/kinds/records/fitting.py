"""Pair records one to one so that their fields share most, independent of their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import lcm
from typing import Protocol

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray, expand_ranges
from clineval.base.errors import InputError, called
from clineval.kinds.mentions.batches import count_by_document, in_batches
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.records.assignment import assign
from clineval.kinds.records.corpus import RecordCorpus
from clineval.kinds.records.fields import Field
from clineval.kinds.records.members import Members, find_members
from clineval.kinds.records.numbers import Numbers
from clineval.results.columns import MentionColumns

MOST_RIVALS = 250_000
"""The largest number of cells in a document's table of records for the best assignment."""
_MARGIN = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A field of both sides, ready to be compared.

    Args:
        ids: ``[n]`` for each side, the number of each record's value.
        members: the members of each value; None if values are only equal or different.
        filled: ``[v]``, which values are not empty; None for values with members.
        clipped: whether a member counts at most as often as it occurs in the other value; otherwise
            each repeat counts.
        numbers: the values, if they are compared within a tolerance.
    """

    ids: tuple[IntArray, IntArray]
    members: Members | None
    filled: BoolArray | None = None
    clipped: bool = True
    numbers: Numbers | None = None

    @classmethod
    def of(cls, corpus: RecordCorpus, field: Field) -> Compared:
        """Prepare a field of a corpus."""
        columns = [side.attributes[field.name] for side in corpus.sides]
        ids = columns[0].ids, columns[1].ids
        values = columns[0].values
        if field.kind in ("words", "set"):
            return cls(ids, find_members(values, listed=field.kind == "set"))
        filled = np.array([value != "" for value in values], np.bool_)
        numbers = Numbers.of(values, field.tolerance) if field.kind == "number" else None
        return cls(ids, None, filled, numbers=numbers)

    def sizes(self, side: int) -> IntArray:
        """Count the members of each record of the gold (0) or the predicted side (1), ``[n]``."""
        if self.members is None:
            return np.ones(len(self.ids[side]), np.int64)
        sizes: IntArray = self.members.sizes[self.ids[side]]
        return sizes

    def count_common(self, pairs: Pairs) -> IntArray:
        """Count the shared members of pairs, ``[p]``; without members, 1 for equal values or 0."""
        if self.members is None:
            return self.are_equal(pairs).astype(np.int64)
        return self.members.count_common(*self._ids_of(pairs))

    def are_equal(self, pairs: Pairs) -> BoolArray:
        """Return which pairs, ``[p]``, have equal values; for words, the same text."""
        left, right = self._ids_of(pairs)
        if self.numbers is None:
            return np.asarray(left == right)
        return self.numbers.are_near(left, right)

    def _ids_of(self, pairs: Pairs) -> tuple[IntArray, IntArray]:
        return self.ids[0][pairs.gold], self.ids[1][pairs.prediction]

    def count_found(self, pairs: Pairs) -> tuple[IntArray, IntArray]:
        """Count the right members of gold and of predicted values, ``[p]`` each."""
        if self.members is None or self.clipped:
            common = self.count_common(pairs)
            return common, common
        gold, found = self._ids_of(pairs)
        return self.members.count_found(gold, found), self.members.count_found(found, gold)

    def has(self, side: int) -> BoolArray:
        """Return which records of a side, ``[n]``, have a value in the field."""
        filled: BoolArray = self.sizes(side) > 0
        return filled if self.filled is None else self.filled[self.ids[side]]

    def compare(self, pairs: Pairs) -> tuple[IntArray, IntArray]:
        """Return numerator and denominator of F1, ``[p]`` each; the denominator is never 0."""
        sizes = self.sizes(0)[pairs.gold], self.sizes(1)[pairs.prediction]
        below = sizes[0].astype(np.int64) + sizes[1]
        return 2 * self.count_common(pairs), np.maximum(below, 1)


class Comparable(Protocol):
    """A field of both sides, or several fields together, whose values can share something."""

    def compare(self, pairs: Pairs) -> tuple[IntArray, IntArray]:
        """Return numerator and denominator of the similarity, ``[p]`` each."""
        ...


def pair_fitting(
    corpus: RecordCorpus, compared: Sequence[Comparable], able: Sequence[BoolArray]
) -> Pairs:
    """Pair the records of each document so that the sum of the F1 of the first field is largest.

    In ties the second field decides, and so on; then the number of pairs, and finally the order of
    the records' texts. Records that share nothing in the first field are never paired.

    Args:
        corpus: both sides.
        compared: the fields, the most important one first; a pair scores the F1 of words or
            members, or 1 for equal values.
        able: ``[n]`` for each side, which records can be paired.

    Raises:
        InputError: a document has more records than can be compared in reasonable time.
    """
    parts = [_pair_part(corpus, compared, part) for part in _find_candidates(corpus, able)]
    found = Pairs.joined(parts)
    return found.take(np.argsort(found.gold, kind="stable"))


def _find_candidates(corpus: RecordCorpus, able: Sequence[BoolArray]) -> Iterator[Pairs]:
    """Yield all pairs of records of a document, in the order of the records' texts."""
    rows = [_arrange(side, of) for side, of in zip(corpus.sides, able, strict=True)]
    documents = [side.document[of] for side, of in zip(corpus.sides, rows, strict=True)]
    size = len(corpus.documents)
    edges = np.searchsorted(documents[1], np.arange(size + 1))
    low, high = edges[documents[0]], edges[documents[0] + 1]
    counts = count_by_document(documents[0], high - low, corpus.documents)
    bounds = np.searchsorted(documents[0], np.arange(size + 1))
    for first, last in in_batches(counts):
        some = slice(bounds[first], bounds[last])
        at = expand_ranges(low[some], high[some])
        yield Pairs(np.repeat(rows[0][some], (high - low)[some]), rows[1][at])


def _arrange(side: MentionColumns, able: BoolArray) -> IntArray:
    """Return the rows that can be paired, sorted by document and by the texts of their fields."""
    rows = np.flatnonzero(able)
    keys = [side.attributes[name].ids[rows] for name in sorted(side.attributes, reverse=True)]
    return rows[np.lexsort([*keys, side.document[rows]])]


def _pair_part(corpus: RecordCorpus, compared: Sequence[Comparable], candidates: Pairs) -> Pairs:
    above, below = compared[0].compare(candidates)
    some = np.flatnonzero(above)
    left, weights = candidates.take(some), above[some] / below[some]
    pairs_in_order = []
    while len(left):
        certain = _find_certain(left, weights)
        pairs_in_order.append(left.take(certain))
        if not certain.any():
            break
        free = ~_are_among(left.gold, certain) & ~_are_among(left.prediction, certain)
        left, weights = left.take(free), weights[free]
    return Pairs.joined([*pairs_in_order, *_pair_rivals(corpus, compared, left)])


def _are_among(rows: IntArray, chosen: BoolArray) -> BoolArray:
    """Return which rows also occur among the chosen ones."""
    taken = np.zeros(rows.max(initial=-1) + 1, np.bool_)
    taken[rows[chosen]] = True
    return taken[rows]


def _find_certain(pairs: Pairs, weights: FloatArray) -> BoolArray:
    """Find pairs that every best pairing contains.

    They weigh more than the best other pairs of their two records together.
    """
    others = _best_other(pairs.gold, weights) + _best_other(pairs.prediction, weights)
    return np.asarray(weights > others + _MARGIN)


def _best_other(rows: IntArray, weights: FloatArray) -> FloatArray:
    """Find the largest weight of the other pairs of each pair's record; 0 if there are none."""
    best: FloatArray = np.zeros(len(rows))
    if not len(rows):
        return best
    order = np.lexsort((-weights, rows))
    arranged, heavy = rows[order], weights[order]
    first = np.searchsorted(arranged, arranged)
    second = np.minimum(first + 1, len(rows) - 1)
    runner_up = np.where((arranged[second] == arranged) & (second > first), heavy[second], 0)
    is_first = np.arange(len(rows)) == first
    best[order] = np.where(is_first, runner_up, heavy[first])
    return best


def _pair_rivals(
    corpus: RecordCorpus, compared: Sequence[Comparable], pairs: Pairs
) -> Iterator[Pairs]:
    """Yield the best pairs of each document."""
    if not len(pairs):
        return
    ones = np.ones(len(pairs), np.int64)
    fractions = [*(each.compare(pairs) for each in compared), (ones, ones)]
    document = corpus.gold.document[pairs.gold]
    edges = [*np.flatnonzero(np.diff(document, prepend=-1)).tolist(), len(pairs)]
    for first, last in pairwise(edges):
        own = pairs.take(np.arange(first, last))
        levels = [(above[first:last], below[first:last]) for above, below in fractions]
        rows, columns = (_number(side) for side in (own.gold, own.prediction))
        if (max(rows) + 1) * (max(columns) + 1) > MOST_RIVALS:
            name = corpus.documents[int(document[first])]
            problem = f"more than {MOST_RIVALS:,} pairs of records must be compared"
            raise InputError(
                problem,
                where=f"document {called(name)}",
                remedy="Remove records that are repeated, or split the document on both sides",
            )
        table = [[0] * (max(columns) + 1) for _ in range(max(rows) + 1)]
        cell = {}
        for at, weight in enumerate(_weigh(levels)):
            table[rows[at]][columns[at]] = weight
            cell[rows[at], columns[at]] = at
        chosen = [cell[pair] for pair in assign(table) if pair in cell]
        yield own.take(np.array(chosen, np.int64))


def _number(rows: IntArray) -> list[int]:
    """Return numbers of records, in the order of their first occurrence."""
    listed = rows.tolist()
    numbers = {row: at for at, row in enumerate(dict.fromkeys(listed))}
    return [numbers[row] for row in listed]


def _weigh(levels: Sequence[tuple[IntArray, IntArray]]) -> list[int]:
    """Pack the fractions of each pair into one integer; a level outweighs all levels below it.

    Examples:
        >>> half = np.array([1, 1]), np.array([2, 2])
        >>> _weigh([half, (np.array([0, 2]), np.array([2, 3]))])
        [13, 17]
    """
    totals = [0] * len(levels[0][0])
    for above, below in levels:
        common = lcm(*below.tolist())
        base = len(totals) * common + 1
        shares = (a * (common // b) for a, b in zip(above.tolist(), below.tolist(), strict=True))
        totals = [total * base + share for total, share in zip(totals, shares, strict=True)]
    return totals
