"""The number of units needed to detect a difference, from the influences of units in a pilot.

Let v be the variance of the difference over one unit, by the jackknife, and f its degrees of
freedom. A two-sided test at 1 - confidence detects a true difference x with some power in

    n = v (t(1 - (1 - confidence) / 2) + t(power))^2 / x^2

units, where t are quantiles of Student's distribution with f degrees of freedom. Quantiles of the
normal distribution would be too optimistic: v is an estimate, and if it depends on a few long
documents, it is more often too small than too large. As in :mod:`clineval.stats.intervals`, f is
2 u / (k - 1) for u units, with k the kurtosis of their influences. For several pilots, squares,
fourth powers and units are added up.

Another pilot of that size would return another number. To estimate this variation, units are drawn
from the pilot with replacement. The ratios of the quartiles of the resulting numbers to their
median estimate the distance of one number from the truth. Two numbers differ by sqrt(2) times as
much.

The formula is from Julious and Owen (Statistics in Medicine 25, 2006: sample size from an estimated
variance). The range is our own. tests/benchmarks/bench_power.py simulates both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

import numpy as np

from clineval.base.arrays import FloatArray
from clineval.stats.distributions import t_quantile
from clineval.stats.resampling import draw_weights

_LEAST_FREEDOM = 2.0
_KNOTS = 40
_DRAWS = 1000
_SEED = 12345
_QUARTILES = (0.25, 0.5, 0.75)
_ROUNDING = 1e-18  # of a variance of scores
_SAME = 1e-9  # of a variance; a smaller one of equal units is due to rounding
_MOMENTS = np.arange(1, 5)[:, np.newaxis]


@dataclass(frozen=True, slots=True)
class Aim:
    """The difference to detect.

    Args:
        difference: the smallest difference worth detecting, greater than 0.
        power: the probability of detecting it if it exists; greater than 1 - confidence.
        confidence: 1 minus the probability of detecting a difference if there is none.
    """

    difference: float
    power: float
    confidence: float

    def reach(self, freedom: float) -> float:
        """Return the number of standard errors in a difference that is detected with this power.

        Examples:
            >>> aim = Aim(0.02, 0.8, 0.95)
            >>> round(aim.reach(10_000), 2), round(aim.reach(8), 2)
            (2.8, 3.19)
        """
        tails = (1 + self.confidence) / 2, self.power
        return sum(t_quantile(tail, freedom) for tail in tails)

    def reaches(self, freedoms: FloatArray) -> FloatArray:
        """Return ``[n]``, :meth:`reach` for each, interpolated to four digits."""
        knots = np.linspace(1 / freedoms.max(), 1 / _LEAST_FREEDOM, _KNOTS)
        found = [self.reach(1 / knot) for knot in knots.tolist()]
        return np.interp(1 / freedoms, knots, found)


@dataclass(frozen=True, slots=True)
class Spread:
    """The variation of a difference over one unit.

    Args:
        variance: the variance over one unit.
        freedom: the degrees of freedom of the variance.
        units: the number of units in all pilots.
    """

    variance: float
    freedom: float
    units: int

    @classmethod
    def of(cls, pilots: Sequence[FloatArray]) -> Spread:
        """Measure the spread of influences, ``[u]`` for each pilot, as multiples of 1 / u."""
        variances, freedoms = _measure(pilots, [np.ones((1, len(pilot))) for pilot in pilots])
        return cls(float(variances[0]), float(freedoms[0]), sum(map(len, pilots)))

    @property
    def varies(self) -> bool:
        """Whether the variance exceeds rounding errors."""
        return self.variance / self.units > _ROUNDING

    def needed(self, aim: Aim) -> float:
        """Return the number of units needed, not rounded."""
        return self.variance * aim.reach(self.freedom) ** 2 / aim.difference**2


def find_range(pilots: Sequence[FloatArray], aim: Aim) -> tuple[int, int]:
    """Find the number of units needed, and the range with half the results of similar pilots.

    Influences, ``[u]`` for each pilot, must vary.

    Examples:
        >>> pilot, aim = np.linspace(-1, 1, 40), Aim(0.2, 0.8, 0.95)
        >>> round(Spread.of([pilot]).needed(aim)), find_range([pilot], aim)
        (74, (63, 85))
    """
    blocks = [draw_weights(len(pilot), _DRAWS, _SEED + k) for k, pilot in enumerate(pilots)]
    weights = [np.concatenate([*of]) for of in blocks]
    variances, freedoms = _measure(pilots, weights)
    spread = Spread.of(pilots)
    some = variances > _SAME * spread.variance  # a pilot without variation has no result
    low, middle, high = np.quantile((variances * aim.reaches(freedoms) ** 2)[some], _QUARTILES)
    ends = [spread.needed(aim) * float(end / middle) ** 2**0.5 for end in (low, high)]
    return max(floor(ends[0]), 1), max(ceil(ends[1]), 1)


def _measure(
    pilots: Sequence[FloatArray], weights: Sequence[FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """Return ``[n]`` variances over a unit and degrees of freedom, for ``[n, u]`` draws."""
    parts = [_sum_powers(*both) for both in zip(pilots, weights, strict=True)]
    second, fourth = np.sum(parts, axis=0)
    units, free = sum(map(len, pilots)), sum(len(pilot) - 1 for pilot in pilots)
    kurtosis = units * fourth / np.maximum(second**2, np.finfo(np.float64).tiny)
    freedom = 2 * units / np.maximum(kurtosis - 1, 1 / units)
    return second / free, np.clip(freedom, _LEAST_FREEDOM, max(free, _LEAST_FREEDOM))


def _sum_powers(influence: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return ``[n]`` sums of squares and of fourth powers of the distances from the mean."""
    size = len(influence)
    first, second, third, fourth = (weights @ (influence**_MOMENTS).T).T
    mean = first / size
    squares = second - size * mean**2
    fours = fourth - 4 * mean * third + 6 * mean**2 * second - 3 * size * mean**4
    return np.maximum(squares, 0), np.maximum(fours, 0)
