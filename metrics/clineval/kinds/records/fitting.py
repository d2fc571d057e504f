"""Records paired one to one so that their fields have most in common, whatever their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import lcm

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
"""Cells of the table of a document's records between which the best assignment chooses."""
_MARGIN = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A field of both sides, ready to be compared.

    Args:
        ids: ``[n]`` for each side, the number of each record's value.
        members: of each value; None where values are equal or not.
        filled: ``[v]``, which values count as something; None for those that have members.
        clipped: whether a member counts as often as both values have it; otherwise each time that
            one of them has it.
        numbers: the values, where they are equal within a tolerance.
    """

    ids: tuple[IntArray, IntArray]
    members: Members | None
    filled: BoolArray | None = None
    clipped: bool = True
    numbers: Numbers | None = None

    @classmethod
    def of(cls, corpus: RecordCorpus, field: Field) -> Compared:
        """Look at a field of a corpus."""
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
        """Count what pairs have in common, ``[p]``; 1 or 0 where values are equal or not."""
        if self.members is None:
            return self.are_equal(pairs).astype(np.int64)
        return self.members.count_common(*self._ids_of(pairs))

    def are_equal(self, pairs: Pairs) -> BoolArray:
        """Tell, ``[p]``, which pairs have equal values; of words, which have the same text."""
        left, right = self._ids_of(pairs)
        if self.numbers is None:
            return np.asarray(left == right)
        return self.numbers.are_near(left, right)

    def _ids_of(self, pairs: Pairs) -> tuple[IntArray, IntArray]:
        return self.ids[0][pairs.gold], self.ids[1][pairs.prediction]

    def count_found(self, pairs: Pairs) -> tuple[IntArray, IntArray]:
        """Count, ``[p]`` each, the members of gold and of predicted values that are right."""
        if self.members is None or self.clipped:
            common = self.count_common(pairs)
            return common, common
        gold, found = self._ids_of(pairs)
        return self.members.count_found(gold, found), self.members.count_found(found, gold)

    def has(self, side: int) -> BoolArray:
        """Tell, ``[n]``, which records of a side have something there."""
        filled: BoolArray = self.sizes(side) > 0
        return filled if self.filled is None else self.filled[self.ids[side]]

    def compare(self, pairs: Pairs) -> tuple[IntArray, IntArray]:
        """Return numerator and denominator of F1, ``[p]`` each, not 0 below."""
        sizes = self.sizes(0)[pairs.gold], self.sizes(1)[pairs.prediction]
        below = sizes[0].astype(np.int64) + sizes[1]
        return 2 * self.count_common(pairs), np.maximum(below, 1)


def pair_fitting(
    corpus: RecordCorpus, compared: Sequence[Compared], able: Sequence[BoolArray]
) -> Pairs:
    """Pair the records of each document so that the sum of the F1 of the first field is largest.

    Of pairings that are equally good in it the second field decides, and so on; of those that are
    equally good in all, the number of pairs, and then the order of the records' texts. Records that
    have nothing in common in the first field are no pair.

    Args:
        corpus: both sides.
        compared: the fields, the most important one first; F1 of the words or members that two
            values have, or 1 for equal values.
        able: ``[n]`` for each side, which records can be in a pair.

    Raises:
        InputError: a document with more records than can be compared in reasonable time.
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
    """Return the rows that can be in a pair, by document and then by the texts of their fields."""
    rows = np.flatnonzero(able)
    keys = [side.attributes[name].ids[rows] for name in sorted(side.attributes, reverse=True)]
    return rows[np.lexsort([*keys, side.document[rows]])]


def _pair_part(corpus: RecordCorpus, compared: Sequence[Compared], candidates: Pairs) -> Pairs:
    above, below = compared[0].compare(candidates)
    some = np.flatnonzero(above)
    left, weights = candidates.take(some), above[some] / below[some]
    found = []
    while len(left):
        certain = _find_certain(left, weights)
        found.append(left.take(certain))
        if not certain.any():
            break
        free = ~_are_among(left.gold, certain) & ~_are_among(left.prediction, certain)
        left, weights = left.take(free), weights[free]
    return Pairs.joined([*found, *_pair_rivals(corpus, compared, left)])


def _are_among(rows: IntArray, chosen: BoolArray) -> BoolArray:
    """Tell which rows are also a chosen one."""
    taken = np.zeros(rows.max(initial=-1) + 1, np.bool_)
    taken[rows[chosen]] = True
    return taken[rows]


def _find_certain(pairs: Pairs, weights: FloatArray) -> BoolArray:
    """Find pairs that every best pairing has.

    They weigh more than the best other pair of the one record and that of the other together.
    """
    others = _best_other(pairs.gold, weights) + _best_other(pairs.prediction, weights)
    return np.asarray(weights > others + _MARGIN)


def _best_other(rows: IntArray, weights: FloatArray) -> FloatArray:
    """Find the largest weight among the other pairs of each pair's record; 0 if there is none."""
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
    corpus: RecordCorpus, compared: Sequence[Compared], pairs: Pairs
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
            problem = f"more than {MOST_RIVALS:,} pairs of records have something in common"
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
    """Return numbers of records, in the order in which they first come."""
    listed = rows.tolist()
    numbers = {row: at for at, row in enumerate(dict.fromkeys(listed))}
    return [numbers[row] for row in listed]


def _weigh(levels: Sequence[tuple[IntArray, IntArray]]) -> list[int]:
    """Make one whole number of the fractions of each pair; a level counts more than all below it.

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
