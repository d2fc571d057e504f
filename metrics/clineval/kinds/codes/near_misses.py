"""Find out what is wrong with a wrong code: it is too general, too specific, or a sibling."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, expand_ranges
from clineval.kinds.codes.hierarchy import AnyLineage, Lists
from clineval.kinds.codes.placed import PlacedCodes, PlacedSides
from clineval.kinds.mentions.any_class import add_pairs, find_wrong
from clineval.kinds.mentions.overlap import Candidates
from clineval.kinds.mentions.pairing import pair_greedily
from clineval.results.match import NONE, Match

TOO_GENERAL, TOO_SPECIFIC, SIBLING, UNRELATED = RELATED = (
    "too general",
    "too specific",
    "sibling",
    "unrelated",
)
"""Kinds of wrong codes: an ancestor of a gold code, a descendant, a code with a common parent, and
any other code."""


def explain(sides: PlacedSides, lineage: AnyLineage, match: Match) -> Match:
    """Pair wrong codes that are close to each other, and name what is wrong.

        too general     an ancestor of a gold code of the document
        too specific    a descendant of a gold code
        sibling         a code with a parent of a gold code
        unrelated       any other code

    Wrong codes are paired with missed codes first, one to one, in the order of these kinds, the
    closest ones first. A wrong code without a partner is compared with all gold codes.

    Args:
        sides: the codes of both sides.
        lineage: the ancestors of all codes.
        match: the codes as they are scored; the new pairs follow.
    """
    relations = _Relations(sides, lineage)
    of_pair = np.full(match.pairs, NONE, np.int8)
    for number in range(len(RELATED) - 1):
        pairs = pair_greedily(relations.find(number, *find_wrong(match)), [_closest])
        equal = dict.fromkeys(match.equal, np.zeros(len(pairs), np.bool_))
        match = add_pairs(match, pairs, equal)
        of_pair = np.append(of_pair, np.full(len(pairs), number, np.int8))
    kinds = np.full(len(match), NONE, np.int8)
    kinds[: len(of_pair)] = of_pair
    wrong = (match.gold == NONE) & (match.prediction != NONE)
    kinds[wrong] = relations.name(match.prediction[wrong])
    return replace(match, reasons={name: kinds == at for at, name in enumerate(RELATED)})


def explain_pairs(
    sides: PlacedSides, lineage: AnyLineage, match: Match, comparable: BoolArray
) -> Match:
    """Name what is wrong with the codes of pairs, in the same words.

    Args:
        sides: the codes of both sides.
        lineage: the ancestors of all codes.
        match: the pairs.
        comparable: ``[p]``, which pairs are at one place.
    """
    relations, rows = _Relations(sides, lineage), np.flatnonzero(comparable)
    rows = rows[relations.differ(match.gold[rows], match.prediction[rows])]
    kinds = np.full(len(match), NONE, np.int8)
    kinds[rows] = RELATED.index(UNRELATED)
    for number in reversed(range(len(RELATED) - 1)):
        shared = relations.count(number, match.gold[rows], match.prediction[rows])
        kinds[rows[shared > 0]] = number
    return replace(match, reasons={name: kinds == at for at, name in enumerate(RELATED)})


def _closest(candidates: Candidates) -> IntArray:
    return -candidates.shared


@dataclass(frozen=True, slots=True, eq=False)
class _Relations:
    """Relations between the codes of a place."""

    sides: PlacedSides
    lineage: AnyLineage

    def find(self, number: int, gold: IntArray, prediction: IntArray) -> Candidates:
        """Find the pairs of some rows in a relation; ``shared`` is the level that they share."""
        return self._meet(self.lineage.list_relations()[number], gold, prediction)

    def _meet(self, lists: tuple[Lists, Lists], gold: IntArray, prediction: IntArray) -> Candidates:
        golds = self._key(self.sides[0].among(gold), lists[0])
        keys, rows = self._key(self.sides[1].among(prediction), lists[1])
        order = np.argsort(keys, kind="stable")
        edges = [np.searchsorted(keys[order], golds[0], side) for side in ("left", "right")]
        places = expand_ranges(edges[0], edges[1])
        at = np.repeat(np.arange(len(golds[0])), edges[1] - edges[0])
        shared = self.lineage.level[golds[0][at] % len(self.lineage.level)]
        return Candidates(golds[1][at], rows[order[places]], shared)

    def count(self, number: int, gold: IntArray, prediction: IntArray) -> IntArray:
        """Count for pairs, ``[p]`` rows of each side, what their codes share in a relation."""
        return self._count(self.lineage.list_relations()[number], gold, prediction)

    def differ(self, gold: IntArray, prediction: IntArray) -> BoolArray:
        """Return which pairs have different codes."""
        _, itself = self.lineage.list_relations()[0]
        common = self._count((itself, itself), gold, prediction)
        sizes = [np.bincount(side.rows, minlength=len(side.columns)) for side in self.sides]
        equal: BoolArray = (common == sizes[0][gold]) & (common == sizes[1][prediction])
        return ~equal

    def _count(self, lists: tuple[Lists, Lists], gold: IntArray, prediction: IntArray) -> IntArray:
        found, size = self._meet(lists, gold, prediction), np.int64(len(self.sides[1].columns))
        keys, pairs = np.sort(found.gold * size + found.prediction), gold * size + prediction
        return np.searchsorted(keys, pairs, "right") - np.searchsorted(keys, pairs)

    def name(self, prediction: IntArray) -> IntArray:
        """Return the kinds of wrong codes, compared with all gold codes of their places."""
        every = np.arange(len(self.sides[0].columns))
        kinds = np.full(len(prediction), RELATED.index(UNRELATED), np.int8)
        for number in reversed(range(len(RELATED) - 1)):
            related = self.find(number, every, prediction).prediction
            kinds[np.isin(prediction, related)] = number
        return kinds

    def _key(self, side: PlacedCodes, lists: Lists) -> tuple[IntArray, IntArray]:
        """Return keys of places and codes, and the annotation of each."""
        at, nodes = lists.spread(side.codes)
        return side.place[at] * np.int64(len(self.lineage.level)) + nodes, side.rows[at]
