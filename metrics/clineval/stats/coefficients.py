"""Coefficients of agreement beyond chance.

All of them compare the observed disagreement with the disagreement that chance would cause:

    coefficient = 1 - observed / expected

They are at most 1. They are 0 if annotators disagree as often as by chance, and undefined, 0 / 0,
if chance would cause no disagreement. Two annotators answer N units; p(a, b) is the share of units
with the answers a and b, p(a, .) and p(., b) are its sums.

    kappa       observed = 1 - sum_a p(a, a)
                expected = 1 - sum_a p(a, .) p(., a)
    weighted    observed = sum_ab d(a, b) p(a, b)
    kappa       expected = sum_ab d(a, b) p(a, .) p(., b)
                d(a, b) = |a - b| is linear, (a - b)^2 is quadratic, for answers 0, 1, 2, ...
    AC1         observed = 1 - sum_a p(a, a)
                expected = 1 - sum_a pi(a) (1 - pi(a)) / (q - 1),  pi(a) = (p(a, .) + p(., a)) / 2
                q is the number of possible answers. AC1 is undefined if q < 2
    alpha       for any number of annotators, of whom some may lack answers. Unit u has m(u)
                answers, n(u, a) of them are a. Units with fewer than two answers do not count.
                o(a, b) = sum_u n(u, a) (n(u, b) - [a = b]) / (m(u) - 1)
                n(a) = sum_b o(a, b),  n = sum_a n(a)
                observed = sum_ab d(a, b) o(a, b) / n
                expected = sum_ab d(a, b) n(a) n(b) / (n (n - 1))
                d(a, b) = [a != b] is nominal. For ordered answers a <= b,
                d(a, b) = (n(a) / 2 + n(a + 1) + ... + n(b - 1) + n(b) / 2)^2 is ordinal

Sources

    Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement
    20, 1960
    Cohen, Weighted kappa, Psychological Bulletin 70, 1968
    Gwet, Computing inter-rater reliability and its variance in the presence of high agreement,
    British Journal of Mathematical and Statistical Psychology 61, 2008
    Krippendorff, Computing Krippendorff's alpha-reliability, 2011

The functions take sums, so that they also compute the coefficients of many corpora at once, such as
of a corpus without each of its documents. They return NaN where a coefficient is undefined.
"""

from __future__ import annotations

import numpy as np

from clineval.base.arrays import FloatArray


def kappa(size: FloatArray, same: FloatArray, product: FloatArray) -> FloatArray:
    """Compute Cohen's kappa.

    Args:
        size: ``[...]``, the number of units.
        same: ``[...]``, the number of units with equal answers.
        product: ``[...]``, the sum over answers of the products of both annotators' frequencies.

    Examples:
        >>> float(kappa(*map(np.array, (50.0, 35.0, 25 * 30 + 25 * 20.0))).round(4))
        0.4
    """
    return _compare((size - same) * size, size**2 - product)


def weighted_kappa(table: FloatArray, power: int) -> FloatArray:
    """Compute weighted kappa from ``[..., k, k]``, the number of units by both answers.

    Args:
        table: the answers of the first annotator are rows, and answers are in order.
        power: 1 for linear, 2 for quadratic weights.

    Examples:
        >>> float(weighted_kappa(np.array([[4.0, 1, 0], [1, 2, 1], [0, 0, 1]]), 2).round(4))
        0.717
    """
    places = np.arange(table.shape[-1])
    distance = np.abs(places[:, None] - places) ** float(power)
    chance = _sum_products(table.sum(axis=-1), distance, table.sum(axis=-2))
    return _compare((table * distance).sum(axis=(-1, -2)) * table.sum(axis=(-1, -2)), chance)


def ac1(size: FloatArray, same: FloatArray, squares: FloatArray, answers: int) -> FloatArray:
    """Compute Gwet's AC1.

    Args:
        size: ``[...]``, the number of units.
        same: ``[...]``, the number of units with equal answers.
        squares: ``[...]``, the sum over answers of the squares of their frequencies, for both
            annotators together.
        answers: the number of possible answers, q.

    Examples:
        >>> numbers = map(np.array, (125.0, 118.0, 243.0**2 + 7.0**2))
        >>> round(float(ac1(*numbers, 2)), 4)
        0.9408
    """
    if answers <= 1:
        return np.full(np.shape(size), np.nan)
    agreeing_by_chance = (4 * size**2 - squares) / (answers - 1)
    return _compare(4 * size * (size - same), 4 * size**2 - agreeing_by_chance)


def alpha(size: FloatArray, same: FloatArray, squares: FloatArray) -> FloatArray:
    """Compute Krippendorff's alpha for nominal answers.

    Args:
        size: ``[...]``, n.
        same: ``[...]``, the sum over answers of o(a, a).
        squares: ``[...]``, the sum over answers of n(a)^2.

    Examples:
        >>> float(alpha(*map(np.array, (100.0, 70.0, 55.0**2 + 45.0**2))).round(4))
        0.4
    """
    return _compare((size - 1) * (size - same), size**2 - squares)


def ordinal_alpha(coincidences: FloatArray) -> FloatArray:
    """Compute Krippendorff's alpha for ordered answers from ``[..., k, k]``, o(a, b).

    Examples:
        >>> table = np.array([[4.0, 1, 0], [1, 2, 1], [0, 0, 1]])
        >>> float(ordinal_alpha(table + table.T).round(4))
        0.7086
    """
    frequency = coincidences.sum(axis=-1)
    size = frequency.sum(axis=-1)
    place = np.cumsum(frequency, axis=-1) - frequency / 2
    distance = (place[..., :, None] - place[..., None, :]) ** 2
    observed = (coincidences * distance).sum(axis=(-1, -2))
    return _compare(observed * (size - 1), _sum_products(frequency, distance, frequency))


def _sum_products(left: FloatArray, distance: FloatArray, right: FloatArray) -> FloatArray:
    """Sum up the products of frequencies and distances over all pairs of answers."""
    total: FloatArray = (left[..., None, :] @ distance @ right[..., :, None])[..., 0, 0]
    return total


def _compare(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """Return 1 - observed / expected, NaN if nothing is expected."""
    some = np.asarray(expected > 0)
    ratio: FloatArray = np.full(some.shape, np.nan)
    np.divide(observed, expected, out=ratio, where=some)
    return 1 - ratio
