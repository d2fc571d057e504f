"""Mentions of different classes that overlap, where a challenge pairs only those of one class.

A class is compared - for agreement, confusions and errors - between mentions that overlap, whatever
their class. Where only those of one class are paired, agreement in the class would be perfect by
construction.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.match import NONE, Match
from clineval.kinds.mentions.matching import closest
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs, pair_greedily


def pair_any_class(
    match: Match,
    gold: MentionColumns,
    prediction: MentionColumns,
    documents: Sequence[str],
    differing: str = "",
) -> Match:
    """Add to a match pairs of what it leaves alone: whatever overlaps, closest first.

    They are not counted. ``differing`` is a slot in which these pairs must differ.
    """
    golds, predictions = _alone(match, match.gold, "fn"), _alone(match, match.prediction, "fp")
    corpus = Corpus(tuple(documents), _as_side(gold), _as_side(prediction), {})
    order, parts = closest(corpus), []
    for near in find_candidates_in_parts(gold, prediction, golds, predictions, documents):
        some = near.take(~_same(differing, gold, prediction, near)) if differing else near
        parts.append(pair_greedily(some, order))
    return _with_pairs(match, Pairs.joined(parts), gold, prediction)


def _same(
    slot: str, gold: MentionColumns, prediction: MentionColumns, pairs: Pairs | Candidates
) -> BoolArray:
    """Tell which pairs agree in a slot."""
    left, right = (side.attributes[slot].ids for side in (gold, prediction))
    same: BoolArray = left[pairs.gold] == right[pairs.prediction]
    return same


def _alone(match: Match, rows: IntArray, verdict: str) -> IntArray:
    """Find the mentions of a side that have no partner, and count as wrong."""
    wrong = match.verdict == match.verdicts.index(verdict)
    return np.sort(rows[wrong & ((match.gold == NONE) | (match.prediction == NONE))])


def _as_side(columns: MentionColumns) -> Mentions:
    """Make a side of mentions in any order; a shape of 1 marks those of several fragments."""
    shape = (columns.fragment_counts > 1).astype(np.int64)
    return Mentions(columns, np.zeros(len(columns), np.int64), shape)


def _with_pairs(
    match: Match, found: Pairs, gold: MentionColumns, prediction: MentionColumns
) -> Match:
    """Add pairs to outcomes, after the pairs that they have."""
    pairs = match.pairs
    taken = np.isin(match.gold, found.gold) | np.isin(match.prediction, found.prediction)
    rest = np.flatnonzero(~taken)
    rest = rest[rest >= pairs]
    right = np.full(len(found), match.verdicts.index("tp"), match.verdict.dtype)
    golds, predictions, verdicts = (
        np.concatenate([before[:pairs], new, before[rest]])
        for before, new in (
            (match.gold, found.gold),
            (match.prediction, found.prediction),
            (match.verdict, right),
        )
    )
    equal = {
        slot: np.append(before, _same(slot, gold, prediction, found))
        for slot, before in match.equal.items()
    }
    return Match(golds, predictions, verdicts, match.verdicts, {}, equal)
