"""Quantiles and tails of the beta and Student's t distributions, which NumPy lacks.

Both are integrals of sin(x) ** p * cos(x) ** q, if a beta variable with parameters a and b is
written as sin(x) ** 2, and Student's t with df degrees of freedom as sqrt(df) * tan(x).
"""

from __future__ import annotations

from math import atan, atan2, pi, sin, sqrt, tan

import numpy as np

from clineval.base.arrays import FloatArray

_POINTS = 2001
_REACH = 10.0  # standard deviations; the probability beyond is less than 1e-20


def beta_quantile(share: float, a: float, b: float) -> float:
    """Compute the value below which a beta variable lies with a given probability.

    Args:
        share: the probability, between 0 and 1.
        a: the first parameter, at least 1/2.
        b: the second parameter, at least 1/2.

    Examples:
        >>> round(beta_quantile(0.025, 20.5, 5.5), 4)
        0.6158
    """
    middle, spread = atan2(sqrt(a), sqrt(b)), 1 / (2 * sqrt(a + b))
    low, high = max(middle - _REACH * spread, 0.0), min(middle + _REACH * spread, pi / 2)
    x = _points(low, high)
    tiny = np.finfo(np.float64).tiny
    of_sine, of_cosine = (np.log(np.maximum(part, tiny)) for part in (np.sin(x), np.cos(x)))
    logarithm = (2 * a - 1) * of_sine + (2 * b - 1) * of_cosine
    below = _integrate(np.exp(logarithm - logarithm.max()), x)
    return sin(float(np.interp(share * below[-1], below, x))) ** 2


def t_quantile(share: float, df: float) -> float:
    """Compute the value below which Student's t lies with a given probability.

    Args:
        share: the probability, between 0 and 1.
        df: the degrees of freedom, at least 1.

    Examples:
        >>> round(t_quantile(0.975, 10), 3)
        2.228
    """
    reach = min(_REACH / sqrt(df), pi / 2)
    x = _points(-reach, reach)
    below = _integrate(np.cos(x) ** (df - 1), x)
    return sqrt(df) * tan(float(np.interp(share * below[-1], below, x)))


def t_tails(value: float, df: float) -> float:
    """Compute the probability that Student's t is at least as far from 0 as a value.

    Args:
        value: the value, positive or negative.
        df: the degrees of freedom, at least 1.

    Examples:
        >>> round(t_tails(2.228, 10), 3)
        0.05
    """
    edge = atan(abs(value) / sqrt(df))
    end = min(edge + _REACH / sqrt(df), pi / 2)
    inside, outside = _points(0, edge), _points(edge, end)
    rest, tail = (_integrate(np.cos(x) ** (df - 1), x)[-1] for x in (inside, outside))
    return float(tail / (tail + rest))


def _points(low: float, high: float) -> FloatArray:
    return np.linspace(low, high, _POINTS, dtype=np.float64)


def _integrate(density: FloatArray, x: FloatArray) -> FloatArray:
    """Integrate from the first point to each one, by trapezoids."""
    steps = (density[1:] + density[:-1]) / 2 * np.diff(x)
    return np.concatenate([np.zeros(1), np.cumsum(steps)])
