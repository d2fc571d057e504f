"""Ratios; all scores are divided here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from math import copysign
from typing import TypeVar

import numpy as np

from clineval.base.arrays import FloatArray, IntArray

Number = float | FloatArray
Totals = Mapping[str, Number]
Columns = Mapping[str, IntArray | FloatArray]
"""Maps the name of a count to ``[documents]``."""
NumberT = TypeVar("NumberT", float, FloatArray)
_EMPTY: ContextVar[float] = ContextVar("empty", default=0.0)
"""The ratio without a denominator: 0, or -0 while such ratios are marked."""


@contextmanager
def marking_empty() -> Iterator[None]:
    """Mark ratios without a denominator: within the context they are -0.0.

    -0.0 equals 0.0, so no sum, product or comparison changes, and a product with a marked factor is
    marked too if it is 0. Take the marks away with :func:`unmark` before a value leaves the
    package.

    Examples:
        >>> with marking_empty():
        ...     empty, zero = ratio(3, 0), ratio(0, 3)
        >>> is_empty(empty), is_empty(zero), unmark(empty)
        (True, False, 0.0)
    """
    token = _EMPTY.set(-0.0)
    try:
        yield
    finally:
        _EMPTY.reset(token)


def is_empty(value: float) -> bool:
    """Return whether a score was marked as a ratio without a denominator.

    Args:
        value: a score that was computed within :func:`marking_empty`.
    """
    return value == 0 and copysign(1, value) < 0


def unmark(value: NumberT) -> NumberT:
    """Return a score without the mark of :func:`marking_empty`.

    Args:
        value: a number or an array.
    """
    return value + 0.0


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
    quotient = np.divide(top + 0.0, bottom, out=np.full(shape, _EMPTY.get()), where=bottom != 0)
    return quotient if shape else float(quotient)


def harmonic_mean(precision: Number, recall: Number) -> Number:
    """Return 2 P R / (P + R); 0 if both are 0, elementwise for arrays.

    The result counts as a ratio without a denominator (:func:`marking_empty`) only if both P and R
    do.

    Args:
        precision: a number or an array.
        recall: a number or an array.

    Examples:
        >>> harmonic_mean(0.5, 1.0), harmonic_mean(0.0, 0.0)
        (0.6666666666666666, 0.0)
    """
    both = np.asarray(precision) + np.asarray(recall)
    mean = ratio(2 * np.multiply(precision, recall), both)
    mean = np.where(both == 0, both, mean)
    return mean if mean.shape else float(mean)


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
