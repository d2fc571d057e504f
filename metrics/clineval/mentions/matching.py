"""What two mentions have in common, and which pairs come first when a mention has several."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clineval.arrays import BoolArray, IntArray
from clineval.mentions.corpus import Corpus, Mentions
from clineval.mentions.overlap import Candidates
from clineval.mentions.pairing import Pairs
from clineval.mentions.slots import Slot


def others(taken: IntArray, mentions: Mentions) -> IntArray:
    """The rows of the mentions that are not taken."""
    return np.flatnonzero(outside(np.arange(len(mentions)), taken, len(mentions)))


def outside(rows: IntArray, taken: IntArray, size: int) -> BoolArray:
    """Which of some rows are not among those taken."""
    free = np.ones(size, np.bool_)
    free[taken] = False
    chosen: BoolArray = free[rows]
    return chosen


def same_code(pairs: Pairs | Candidates, corpus: Corpus) -> BoolArray:
    """Which pairs agree in code."""
    gold, prediction = corpus.gold.ids("cui"), corpus.prediction.ids("cui")
    same: BoolArray = gold[pairs.gold] == prediction[pairs.prediction]
    return same


def agreement(pairs: Pairs | Candidates, corpus: Corpus, slots: Sequence[Slot]) -> list[IntArray]:
    """Sort keys: pairs of equal code first, then those with more equal slots."""
    different = np.zeros(len(pairs), np.int64)
    for slot in slots:
        gold, prediction = corpus.gold.ids(slot.name), corpus.prediction.ids(slot.name)
        different += gold[pairs.gold] != prediction[pairs.prediction]
    return [(~same_code(pairs, corpus)).astype(np.int64), different]


def precedence(near: Candidates, corpus: Corpus, slots: Sequence[Slot]) -> list[IntArray]:
    """Sort keys of overlapping pairs under the protocols of the challenges' documents.

    The longest prediction (total characters) comes first, then the most shared characters, then
    gold start, then prediction start, then agreement.
    """
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    return [
        -prediction.lengths(near.prediction),
        -near.shared,
        gold.starts[gold.bounds[near.gold]],
        prediction.starts[prediction.bounds[near.prediction]],
        *agreement(near, corpus, slots),
    ]


def count_matches(prefix: str, pairs: Pairs, corpus: Corpus) -> dict[str, IntArray]:
    """True and false positives and false negatives of each document."""
    size = len(corpus.documents)
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    tp = np.bincount(gold.document[pairs.gold], minlength=size)
    displaced = np.bincount(prediction.document[pairs.displaced], minlength=size)
    return {
        f"{prefix}_tp": tp,
        f"{prefix}_fp": prediction.sizes(size) - tp - displaced,
        f"{prefix}_fn": gold.sizes(size) - tp,
    }
