"""Pairing as the released SemEval-2015 scripts do: gold mentions collect predictions in turn."""

from __future__ import annotations

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.kinds.mentions.corpus import Mentions
from clineval.kinds.mentions.matching import outside
from clineval.kinds.mentions.overlap import Candidates
from clineval.kinds.mentions.pairing import NO_PAIRS, Pairs, is_contested

_NOBODY = -1


def collect(
    near: Candidates,
    gold: Mentions,
    prediction: Mentions,
    partners: Pairs = NO_PAIRS,
    *,
    passed_over: IntArray = NO_PAIRS.gold,
) -> Pairs:
    """Pair as the second pass of the released SemEval-2015 scripts does, over overlapping pairs.

    Gold mentions take turns in the byte order of their written spans. Each collects every
    overlapping prediction that nobody has collected yet, and keeps the one that shares most,
    of equals the last in byte order. The others are false positives, and so they cannot serve
    another gold mention.

    Args:
        near: overlapping pairs of any gold mention and predictions that the first pass left.
        gold: the gold mentions.
        prediction: the predicted mentions.
        partners: pairs of equal span, if a gold mention whose partner has been collected is to
            be passed over (the script confuses the two sides' marks).
        passed_over: gold mentions whose partner was marked in the first pass.
    """
    partner = np.full(len(gold), _NOBODY)
    partner[partners.gold] = partners.prediction
    simple = ~(is_contested(near) | _is_tied(near, partner, len(prediction)))
    alone = near.take(simple)
    alone = alone.take(np.argsort(alone.gold, kind="stable"))
    near = near.take(~simple & outside(near.gold, passed_over, len(gold)))
    turn, place = _byte_order(gold, near.gold), _byte_order(prediction, near.prediction)
    near = near.take(_find_collectors(near, partner, turn)[near.gold])
    first = np.full(len(prediction), len(gold))
    np.minimum.at(first, near.prediction, turn[near.gold])
    near = near.take(turn[near.gold] == first[near.prediction])
    near = near.take(np.lexsort((place[near.prediction], near.shared, turn[near.gold])))
    best = np.append(near.gold[1:] != near.gold[:-1], [True])[: len(near)]
    return Pairs.joined(Pairs(some.gold, some.prediction) for some in (alone, near.take(best)))


def _is_tied(near: Candidates, partner: IntArray, predictions: int) -> BoolArray:
    """Tell which pairs have a mention for which it may matter who is passed over."""
    with_partner = np.zeros(predictions, np.bool_)
    with_partner[partner[partner != _NOBODY]] = True
    tied: BoolArray = (partner != _NOBODY)[near.gold] | with_partner[near.prediction]
    return tied


def _find_collectors(near: Candidates, partner: IntArray, turn: IntArray) -> BoolArray:
    """Tell which gold mentions collect, ``[g]``: those whose partner nobody collected before."""
    collects = np.ones(len(partner), np.bool_)
    order = np.argsort(near.prediction, kind="stable")
    predictions, golds = near.prediction[order], near.gold[order]
    waiting = np.unique(near.gold)
    waiting = waiting[partner[waiting] != _NOBODY]
    waiting = waiting[np.argsort(turn[waiting])]
    low, high = (
        np.searchsorted(predictions, partner[waiting], side=side) for side in ("left", "right")
    )
    contested = np.flatnonzero(high > low)
    for row, start, end in zip(
        waiting[contested].tolist(), low[contested].tolist(), high[contested].tolist(), strict=True
    ):
        earlier = golds[start:end]
        collects[row] = not collects[earlier[turn[earlier] < turn[row]]].any()
    return collects


def _byte_order(side: Mentions, rows: IntArray) -> IntArray:
    """Return the place of some mentions by document and written span, ``[n]``."""
    chosen = np.unique(rows)
    documents = side.columns.document[chosen].tolist()
    spans = map(side.columns.text_of_spans, chosen.tolist())
    written = sorted(zip(documents, spans, chosen.tolist(), strict=True))
    places = np.zeros(len(side), np.int64)
    places[[row for _, _, row in written]] = np.arange(len(written))
    return places
