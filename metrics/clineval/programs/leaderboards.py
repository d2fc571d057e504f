"""Scores of leaderboards: means over cases as NumPy computes them, and pooled counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from clineval.results.averages import PRF

Counts = Sequence[float]
"""True positives, false positives and false negatives."""
_RULE = "=" * 40


def write_heading(title: str) -> str:
    """Write a blank line and a heading between two rules."""
    return f"\n{_RULE}\n{title}\n{_RULE}\n"


def score_counts(counts: Counts, empty: float) -> tuple[float, float, float]:
    """Compute precision, recall and F from counts, with the programs' rounding errors.

    Args:
        counts: the counts.
        empty: all three scores if there is nothing on either side.

    Examples:
        >>> score_counts((1, 0, 1), 1.0), score_counts((0, 0, 0), 1.0)
        ((1.0, 0.5, 0.6666666666666666), (1.0, 1.0, 1.0))
    """
    tp, fp, fn = counts
    if not tp + fp + fn:
        return empty, empty, empty
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def average_cases(cases: Sequence[Counts], empty: float, *, none: float) -> Mapping[str, float]:
    """Compute the means over cases, in their order; ``none`` if there is no case."""
    rows = [score_counts(case, empty) for case in cases]
    columns = zip(*rows, strict=True) if rows else [()] * len(PRF)
    means = (float(np.mean(column)) if column else none for column in columns)
    return dict(zip(PRF, means, strict=True))


def pool_cases(cases: Sequence[Counts], empty: float) -> Mapping[str, float]:
    """Compute the scores of all cases together."""
    tp, fp, fn = (float(sum(case[at] for case in cases)) for at in range(3))
    return dict(zip(PRF, score_counts((tp, fp, fn), empty), strict=True))
