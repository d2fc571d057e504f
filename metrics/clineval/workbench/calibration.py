"""Calibration: how often labels with a probability are in the gold standard."""

from __future__ import annotations

import numpy as np

from clineval.results.label_rows import SCORES, LabelRows

BINS = 10
Bin = tuple[int, float, float]
"""The number of labels, their mean probability, and the share of them in the gold standard."""


def find_bins(labels: LabelRows | None) -> list[Bin]:
    """Return the bins of equal width that have labels; none if scores are no probabilities."""
    if labels is None or labels.ranking != SCORES:
        return []
    known = ~np.isnan(labels.score)
    score, gold = labels.score[known], labels.gold[known]
    if score.min(initial=0) < 0 or score.max(initial=0) > 1:
        return []
    number = np.minimum((score * BINS).astype(np.int64), BINS - 1)
    sizes = np.bincount(number, minlength=BINS)
    sums, right = (np.bincount(number, of, BINS) for of in (score, gold))
    found = zip(sizes.tolist(), sums.tolist(), right.tolist(), strict=True)
    return [(size, total / size, golds / size) for size, total, golds in found if size]
