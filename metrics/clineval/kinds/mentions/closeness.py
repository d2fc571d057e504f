"""Sort keys that prefer the largest overlap."""

from __future__ import annotations

import numpy as np

from clineval.base.arrays import IntArray
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.overlap import Candidates
from clineval.kinds.mentions.pairing import Key


def closest(corpus: Corpus) -> tuple[Key, ...]:
    """Return sort keys of overlapping pairs: those that share most characters come first.

    Ties go to the smallest union, then by the fragments of the gold mention, then by those of
    the prediction.
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

    The order is the canonical one except where two share the first of several fragments.
    """
    if not side.shape[rows].any():
        return rows
    chosen = np.unique(rows)
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
