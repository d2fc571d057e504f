"""Ratios; all scores are divided here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from clineval.base.arrays import FloatArray, IntArray

Number = float | FloatArray
Totals = Mapping[str, Number]
Columns = Mapping[str, IntArray | FloatArray]
"""Maps the name of a count to ``[documents]``."""


def ratio(numerator: Number | IntArray, denominator: Number | IntArray) -> Number:
    """Return numerator / denominator, elementwise for arrays; 0 if the denominator is 0.

    Args:
        numerator: a number or an array.
        denominator: a number or an array.

    Raises:
        ValueError: the arrays have different shapes.

    Examples:
        >>> ratio(1, 4), ratio(3, 0)
        (0.25, 0.0)
    """
    top, bottom = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    shape = np.broadcast_shapes(top.shape, bottom.shape)
    quotient = np.divide(top, bottom, out=np.zeros(shape), where=bottom != 0)
    return quotient if shape else float(quotient)


def mean_of_present(values: Sequence[Number], sizes: Sequence[Number], absent: Number) -> Number:
    """Compute the mean of the scores of classes or documents that have something to score.

    Args:
        values: the scores; a score is 0 if there is nothing to score.
        sizes: for each score, how many annotations there are to score.
        absent: 0 to leave out scores without annotations; any other number to include them as 0.

    Examples:
        >>> mean_of_present([0.5, 0.0, 0.0], [4, 2, 0], 0), mean_of_present([0.75, 0.0], [4, 0], 1)
        (0.25, 0.375)
    """
    there = [np.maximum(np.sign(size), np.sign(absent)) for size in sizes]
    return ratio(sum(values), sum(there))


def precision_recall_f1(prefix: str, totals: Totals) -> dict[str, Number]:
    """Compute precision, recall and F1 of one kind of match; return them with their counts.

    ``totals`` contains ``<prefix>_tp``, ``<prefix>_fp`` and ``<prefix>_fn``.

    Examples:
        >>> precision_recall_f1("span", {"span_tp": 3, "span_fp": 5, "span_fn": 2})
        ... # doctest: +NORMALIZE_WHITESPACE
        {'span_precision': 0.375, 'span_recall': 0.6, 'span_f1': 0.46153846153846156,
         'span_tp': 3, 'span_fp': 5, 'span_fn': 2}
    """
    tp, fp, fn = (totals[f"{prefix}_{kind}"] for kind in ("tp", "fp", "fn"))
    scores = (ratio(tp, tp + fp), ratio(tp, tp + fn), ratio(2 * tp, 2 * tp + fp + fn), tp, fp, fn)
    return dict(zip(prf_keys(prefix), scores, strict=True))


def prf_keys(prefix: str) -> tuple[str, ...]:
    """List the keys of :func:`precision_recall_f1`.

    Examples:
        >>> prf_keys("strict")[:3]
        ('strict_precision', 'strict_recall', 'strict_f1')
    """
    return tuple(f"{prefix}_{name}" for name in ("precision", "recall", "f1", "tp", "fp", "fn"))
