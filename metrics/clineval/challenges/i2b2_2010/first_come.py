"""Pairing in the order of the input: the first prediction that is free and fits.

Released programs that go through lists do so. Mentions are in the order of the input here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clineval.base.arrays import IntArray, find_first, rank_rows
from clineval.kinds.mentions.batches import Fits, compare_all, in_batches
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.pairing import Pairs, pair_in_order

_NONE = np.zeros(0, np.int64)


def pair_equal(gold: Sequence[IntArray], prediction: Sequence[IntArray]) -> Pairs:
    """Pair what has equal keys: the first with the first, the second with the second.

    Both sides have the same keys, of gold mentions ``[g]`` each, of predictions ``[p]`` each.

    Examples:
        >>> pairs = pair_equal([np.array([7, 7, 8])], [np.array([8, 7])])
        >>> pairs.gold.tolist(), pairs.prediction.tolist()
        ([0, 2], [1, 0])
    """
    size = len(gold[0])
    keys = rank_rows([np.concatenate(both) for both in zip(gold, prediction, strict=True)])
    times = np.concatenate([_count_earlier(keys[:size]), _count_earlier(keys[size:])])
    places = rank_rows([keys, times])
    _, left, right = np.intersect1d(
        places[:size], places[size:], assume_unique=True, return_indices=True
    )
    order = np.argsort(left)
    return Pairs(left[order], right[order])


def _count_earlier(keys: IntArray) -> IntArray:
    """Count the equal keys that come before each."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    earlier = np.empty(len(keys), np.int64)
    earlier[order] = np.arange(len(keys)) - np.searchsorted(ordered, ordered)
    return earlier


def pair_fitting(corpus: Corpus, fits: Fits) -> Pairs:
    """Pair each gold mention with the first prediction of its document that is free and fits.

    Raises:
        InputError: more than :data:`~clineval.kinds.mentions.batches.MOST_PAIRS` of a document fit.
    """
    numbers = np.arange(len(corpus.documents) + 1)
    gold, prediction = (
        find_first(side.columns.document, numbers) for side in (corpus.gold, corpus.prediction)
    )
    rows, others = (
        list(map(slice, ends[:-1].tolist(), ends[1:].tolist())) for ends in (gold, prediction)
    )
    parts = []
    for low, high in in_batches(np.diff(gold) * np.diff(prediction)):
        found = [(_NONE, _NONE)]
        found += (
            compare_all(rows[at], others[at], fits, corpus.documents[at]) for at in range(low, high)
        )
        golds, predictions = map(np.concatenate, zip(*found, strict=True))
        accepted = pair_in_order(golds, predictions)
        parts.append(Pairs(golds[accepted], predictions[accepted]))
    return Pairs.joined(parts)
