"""Places of codes in the text: whether a prediction points to where the gold standard does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clineval.arrays import BoolArray, IntArray, expand_ranges
from clineval.mentions.columns import MentionColumns
from clineval.mentions.pairing import Pairs

Near = Callable[[IntArray, IntArray], BoolArray]
"""For how much sooner a prediction starts, and how much later it ends, which ones are right."""


def point_alike(
    gold: MentionColumns, prediction: MentionColumns, pairs: Pairs, near: Near
) -> BoolArray:
    """``[p]``, for which pairs some place of the one is near enough to some place of the other."""
    counts = gold.fragment_counts[pairs.gold], prediction.fragment_counts[pairs.prediction]
    pair = np.repeat(np.arange(len(pairs)), counts[0])
    left = expand_ranges(gold.bounds[pairs.gold], gold.bounds[pairs.gold + 1])
    rows = pairs.prediction[pair]  # every gold place meets every predicted place of its pair
    right = expand_ranges(prediction.bounds[rows], prediction.bounds[rows + 1])
    pair, left = (np.repeat(column, counts[1][pair]) for column in (pair, left))
    before = gold.starts[left] - prediction.starts[right]
    after = prediction.ends[right] - gold.ends[left]
    alike = np.zeros(len(pairs), np.bool_)
    alike[pair[near(before, after)]] = True
    return alike
