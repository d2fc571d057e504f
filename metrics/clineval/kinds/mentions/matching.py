"""Compare two mentions, and order the pairs of a mention that has several."""

from __future__ import annotations

from collections.abc import Sequence, Sized

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, expand_ranges, unite_keys
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.overlap import Candidates
from clineval.kinds.mentions.pairing import Key, Pairs
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot


def others(taken: IntArray, annotations: Sized) -> IntArray:
    """List the rows of the annotations that are not taken."""
    free = np.ones(len(annotations), np.bool_)
    free[taken] = False
    return np.flatnonzero(free)


def outside(rows: IntArray, taken: IntArray, size: int) -> BoolArray:
    """Return which ``rows``, ``[k]``, are not taken; ``size`` is the number of all rows."""
    free = np.ones(size, np.bool_)
    free[taken] = False
    chosen: BoolArray = free[rows]
    return chosen


def same_value(pairs: Pairs | Candidates, corpus: Corpus, slot: Slot) -> BoolArray:
    """Return which pairs agree in a slot."""
    gold, prediction = corpus.gold.ids(slot.name), corpus.prediction.ids(slot.name)
    same: BoolArray = gold.take(pairs.gold) == prediction.take(pairs.prediction)
    return same


def same_spans(
    gold: MentionColumns, gold_rows: IntArray, prediction: MentionColumns, rows: IntArray
) -> BoolArray:
    """Return which pairs, ``[k]``, have the same fragments, or both no fragments.

    ``gold_rows`` and ``rows``, ``[k]`` each, are the gold and predicted mentions of the pairs.
    """
    counts = gold.fragment_counts[gold_rows]
    same: BoolArray = counts == prediction.fragment_counts[rows]
    alike = np.flatnonzero(same & (counts > 0))
    left = expand_ranges(gold.bounds[gold_rows[alike]], gold.bounds[gold_rows[alike] + 1])
    right = expand_ranges(prediction.bounds[rows[alike]], prediction.bounds[rows[alike] + 1])
    differ = gold.starts[left] != prediction.starts[right]
    differ |= gold.ends[left] != prediction.ends[right]
    first = np.cumsum(counts[alike]) - counts[alike]
    if len(alike):
        same[alike] = ~np.logical_or.reduceat(differ, first)
    return same


def agreement(corpus: Corpus, slots: Sequence[Slot]) -> tuple[Key, ...]:
    """Return sort keys: pairs of equal class first, then pairs with more equal slots.

    The first slot is the class.
    """

    def another_class(pairs: Pairs | Candidates) -> IntArray:
        return (~same_value(pairs, corpus, slots[0])).view(np.int8)

    def different_slots(pairs: Pairs | Candidates) -> IntArray:
        different = np.zeros(len(pairs), np.int8)
        for slot in slots:
            different += ~same_value(pairs, corpus, slot)
        return different

    return another_class, different_slots


def precedence(corpus: Corpus) -> tuple[Key, ...]:
    """Return sort keys of overlapping pairs under the protocols of the challenges' documents.

    The longest prediction (total characters) comes first, then the most shared characters, then
    gold start, then prediction start. Challenges add further keys.
    """
    gold, prediction = corpus.gold.columns, corpus.prediction.columns

    def length(near: Candidates) -> IntArray:
        if len(near) < len(prediction):
            return -prediction.lengths(near.prediction)
        return (-prediction.lengths(np.arange(len(prediction))))[near.prediction]

    return (
        length,
        lambda near: -near.shared,
        lambda near: gold.starts[gold.bounds[near.gold]],
        lambda near: prediction.starts[prediction.bounds[near.prediction]],
    )


def closest(corpus: Corpus) -> tuple[Key, ...]:
    """Return sort keys of overlapping pairs: pairs with most shared characters come first.

    Ties are broken by the smallest union, then by the fragments of the gold mention, then by the
    fragments of the prediction.
    """
    gold, prediction = corpus.gold, corpus.prediction

    def union(near: Candidates) -> IntArray:
        lengths = gold.columns.lengths(near.gold) + prediction.columns.lengths(near.prediction)
        difference: IntArray = lengths - near.shared
        return difference

    return (
        lambda near: -near.shared,
        union,
        lambda near: rank_fragments(gold, near.gold),
        lambda near: rank_fragments(prediction, near.prediction),
    )


def rank_fragments(side: Mentions, rows: IntArray) -> IntArray:
    """Rank mentions, ``[n]``, by document and fragments, first fragment first.

    The order is canonical, except if two mentions share the first of several fragments.
    """
    if not side.shape[rows].any():
        return rows
    chosen = unite_keys(rows)
    columns = side.columns
    bounds = zip(columns.bounds[chosen].tolist(), columns.bounds[chosen + 1].tolist(), strict=True)
    fragments = [
        (number, columns.starts[low:high].tolist(), columns.ends[low:high].tolist())
        for number, (low, high) in zip(columns.document[chosen].tolist(), bounds, strict=True)
    ]
    spans = [(number, list(zip(*both, strict=True))) for number, *both in fragments]
    places = np.zeros(len(chosen), np.int64)
    places[sorted(range(len(spans)), key=spans.__getitem__)] = np.arange(len(chosen))
    return places[np.searchsorted(chosen, rows)]
