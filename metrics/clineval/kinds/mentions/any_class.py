"""Pair overlapping mentions of different classes, if a challenge pairs only equal classes.

Agreement, confusions and errors compare the classes of mentions that overlap, whatever their class.
If only mentions of one class were paired, agreement in the class would always be perfect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.matching import closest
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs, pair_greedily
from clineval.results.columns import MentionColumns
from clineval.results.match import NONE, VERDICTS, Match


def pair_any_class(
    match: Match,
    gold: MentionColumns,
    prediction: MentionColumns,
    documents: Sequence[str],
    differing: str = "",
) -> Match:
    """Add overlapping pairs of unpaired mentions to a match, closest first; they are not counted.

    Args:
        match: the match.
        gold: the gold mentions.
        prediction: the predicted mentions.
        documents: the names of the documents.
        differing: a slot in which the new pairs must differ; empty for none.
    """
    golds, predictions = find_wrong(match)
    corpus = Corpus(tuple(documents), as_side(gold), as_side(prediction), {})
    order, parts = closest(corpus), []
    for near in find_candidates_in_parts(gold, prediction, golds, predictions, documents):
        some = near.take(~_same(differing, gold, prediction, near)) if differing else near
        parts.append(pair_greedily(some, order))
    found = Pairs.joined(parts)
    return add_pairs(match, found, {s: _same(s, gold, prediction, found) for s in match.equal})


def _same(
    slot: str, gold: MentionColumns, prediction: MentionColumns, pairs: Pairs | Candidates
) -> BoolArray:
    left, right = (side.attributes[slot].ids for side in (gold, prediction))
    same: BoolArray = left[pairs.gold] == right[pairs.prediction]
    return same


def find_wrong(match: Match) -> tuple[IntArray, IntArray]:
    """Find the gold and the predicted rows that have no partner, and count as wrong."""
    alone = (match.gold == NONE) | (match.prediction == NONE)
    missed, spurious = (match.roles == VERDICTS.index(name) for name in ("fn", "fp"))
    return np.sort(match.gold[alone & missed]), np.sort(match.prediction[alone & spurious])


def as_side(columns: MentionColumns) -> Mentions:
    """Build a side from mentions in any order; a shape of 1 marks several fragments."""
    shape = (columns.fragment_counts > 1).astype(np.int64)
    return Mentions(columns, np.zeros(len(columns), np.int64), shape)


def add_pairs(match: Match, new_pairs: Pairs, equal: Mapping[str, BoolArray]) -> Match:
    """Add pairs after the pairs of a match; they are not counted.

    Special verdicts become the usual ones. ``equal`` maps slots to whether the new pairs agree in
    them, ``[p]`` each.
    """
    pairs = match.pairs
    taken = np.isin(match.gold, new_pairs.gold) | np.isin(match.prediction, new_pairs.prediction)
    rest = np.flatnonzero(~taken)
    rest = rest[rest >= pairs]
    right = np.full(len(new_pairs), VERDICTS.index("tp"), np.int8)
    golds, predictions, verdicts = (
        np.concatenate([before[:pairs], new, before[rest]])
        for before, new in (
            (match.gold, new_pairs.gold),
            (match.prediction, new_pairs.prediction),
            (match.roles.astype(np.int8), right),
        )
    )
    both = {slot: np.append(before, equal[slot]) for slot, before in match.equal.items()}
    return Match(golds, predictions, verdicts, VERDICTS, {}, both)
