"""The interval of one score from the scores of drawn corpora.

    percentile    the quantiles (1 - level) / 2 and (1 + level) / 2 of the drawn scores
    bca           quantiles that are corrected for the bias and the skewness of the scores:
                  Phi(z0 + (z0 + z) / (1 - a (z0 + z))). z is the normal quantile of each of the
                  two probabilities above. z0 is the normal quantile of the share of drawn scores
                  below the score itself (equal scores count half). a is sum(u^3) /
                  (6 sum(u^2)^1.5), where u is the mean of the scores without one unit, minus each
                  of these scores
    binomial      the score s is treated as a share of n trials: n = s (1 - s) / variance
                  * (z / t)^2. The variance comes from the scores without one unit; t is the
                  quantile of Student's distribution that corresponds to z. The bounds are
                  Jeffreys': quantiles of the beta distribution with n s + 1/2 and
                  n (1 - s) + 1/2
    student       the score, plus and minus t times its standard error; only for differences
    auto          one of the first three for each score, as explained below

A unit is a document or a cluster. For scores that need labels, a unit is one of 200 groups of
documents if there are more than 1,000 of them: to leave out each document would take too long.

The degrees of freedom of t are 2 u / (k - 1) for u units, with k the kurtosis of their influences,
at least 2 and at most u - 1. They are few if the variance depends on a few long documents.

``auto`` chooses the first of these that applies to a score:

    bca           the score is not a proportion
    binomial      the rarer of the two outcomes, n min(s, 1 - s), or the degrees of freedom are
                  fewer than 100; or the score is 0 or 1; or |z0| > 2. If the score is 0 or 1, n is
                  the number of units with something to score, such as a mention of the class in
                  question. z0 is that large if most drawn scores lie on one side of the score, as
                  for means over thousands of codes, because rare ones are not drawn
    bca           |z0| > 0.15
    percentile    all other scores

For differences, it chooses ``student`` if the degrees of freedom are fewer than 100, otherwise
``percentile``. Differences of two scores between 0 and 1 are limited to -1 and 1. These rules were
chosen by simulation, except the one for |z0| > 2, which no simulation has tested. The README of
this folder shows how often the intervals contain the true value.

Percentile and BCa follow Efron (Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
chapters 13, 14). The effective number of trials follows Korn and Graubard (Survey Methodology 24,
1998), with Jeffreys' bounds (Brown, Cai and DasGupta, Statistical Science 16, 2001).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from clineval.base.arrays import FloatArray
from clineval.stats.distributions import beta_quantile, t_quantile

if TYPE_CHECKING:
    from statistics import NormalDist

_BELOW_ONE = 1 - 2.0**-53  # tails next to 1 are rounded to 1, which has no quantile
_ENOUGH = 100.0
_BIASED = 0.15
_ONE_SIDED = 2.0
_LEAST_FREEDOM = 2.0
_OFF_MIDDLE = 0.5 + 2.0**-20  # at the middle the quantiles of both distributions are 0


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One score, with its values if documents are drawn or left out.

    Args:
        value: the score itself.
        drawn: ``[n]``, the scores of the drawn corpora.
        without: ``[u]``, the scores without one unit.
        parts: further parts of the variance with their degrees of freedom, such as the variance
            between the runs of a system.
        alone: ``[u]``, the score of each single unit; None unless ``witnesses`` is needed.
        scored: the number of units with something to score; None for all of them.
        most: the maximum distance of the score from 0.
    """

    value: float
    drawn: FloatArray
    without: FloatArray
    parts: Sequence[tuple[float, float]] = ()
    alone: FloatArray | None = None
    scored: int | None = None
    most: float = inf

    @property
    def influence(self) -> FloatArray:
        """``[u]``, the influence of each unit on the score."""
        mean = self.without.sum() / max(len(self.without), 1)
        moved: FloatArray = mean - self.without
        return moved

    @property
    def variance(self) -> float:
        """The variance of the score: the jackknife's between documents, and further parts."""
        return self.between_units + sum(variance for variance, _ in self.parts)

    @property
    def between_units(self) -> float:
        """The jackknife's variance."""
        units = len(self.without)
        return float((self.influence**2).sum()) * (units - 1) / units if units else 0.0

    @property
    def freedom(self) -> float:
        """The degrees of freedom of the variance; Satterthwaite's if it has several parts."""
        parts = [(self.between_units, self.freedom_of_units), *self.parts]
        uncertain = sum(variance**2 / freedom for variance, freedom in parts)
        return self.variance**2 / uncertain if uncertain > 0 else self.freedom_of_units

    @property
    def freedom_of_units(self) -> float:
        """The degrees of freedom of the jackknife's variance."""
        squares = self.influence**2
        total = float(squares.sum())
        units = len(squares)
        if total == 0 or units < _LEAST_FREEDOM + 1:
            return _LEAST_FREEDOM
        kurtosis = units * float((squares**2).sum()) / total**2
        return min(max(2 * units / max(kurtosis - 1, 1 / units), _LEAST_FREEDOM), units - 1.0)

    @property
    def trials(self) -> float:
        """The effective number of trials: a share of so many trials varies as the score does."""
        spread = self.value * (1 - self.value)
        return spread / self.variance if self.variance > 0 else 0.0

    @property
    def rarer(self) -> float:
        """The number of :attr:`trials` with the rarer outcome; infinite if no proportion."""
        if not 0 <= self.value <= 1:
            return inf
        return self.trials * min(self.value, 1 - self.value)

    @property
    def witnesses(self) -> float:
        """The number of units with a hit, or with an error, whichever is smaller.

        A unit has a hit if its own score exceeds 0, and an error if its own score is less than 1.
        A unit without anything to score has neither, because the score is the same without it.
        The number is infinite for scores that are not proportions.
        """
        if self.alone is None or not 0 <= self.value <= 1:
            return inf
        hit, wrong = self.alone > 0, self.alone < 1
        scored = (self.without != self.value) | (hit & wrong)
        return float(min((hit & scored).sum(), (wrong & scored).sum()))

    @property
    def bias(self) -> float:
        """z0; to keep it finite, at least half a drawn score counts as below, and half as above."""
        below = ((self.drawn < self.value).sum() + (self.drawn <= self.value).sum()) / 2
        least = 0.5
        size = len(self.drawn)
        return _normal().inv_cdf(min(max(float(below), least), size - least) / size)

    @property
    def skewness(self) -> float:
        """a; 0 if no document changes the score."""
        steps = self.influence
        spread = float((steps**2).sum())
        return float((steps**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0


def choose(score: Drawn) -> str:
    """Choose the interval for ``auto``."""
    if not 0 <= min(score.value, score.drawn.min()) <= max(score.value, score.drawn.max()) <= 1:
        return "bca"
    if not score.variance and score.value not in (0, 1):
        return "percentile"
    if min(score.rarer, score.freedom) < _ENOUGH or abs(score.bias) > _ONE_SIDED:
        return "binomial"
    return "bca" if abs(score.bias) > _BIASED else "percentile"


def choose_for_difference(score: Drawn) -> str:
    """Choose the interval of the difference of two scores for ``auto``."""
    return "student" if score.variance and score.freedom < _ENOUGH else "percentile"


def differ_at_most(*scores: FloatArray) -> float:
    """Return the largest possible difference of two scores: 1 if all scores are from 0 to 1."""
    return 1.0 if all(((of >= 0) & (of <= 1)).all() for of in scores) else inf


def by_percentile(score: Drawn, level: float) -> tuple[float, float]:
    """Compute quantiles of the drawn scores."""
    return _quantiles(score, _tails(level))


def by_bca(score: Drawn, level: float) -> tuple[float, float]:
    """Compute quantiles of the drawn scores, corrected for bias and skewness."""
    bias, skewness = score.bias, score.skewness
    shifted = [bias + _normal().inv_cdf(tail) for tail in _tails(level)]
    return _quantiles(score, [_normal().cdf(bias + s / (1 - skewness * s)) for s in shifted])


def by_binomial(score: Drawn, level: float) -> tuple[float, float]:
    """Compute Jeffreys' bounds of a proportion with an effective number of trials."""
    value, (low, high) = score.value, _tails(level)
    trials = float(len(score.without) if score.scored is None else score.scored)
    if score.variance > 0 and value not in (0, 1):
        share = max(high, _OFF_MIDDLE)
        trials = score.trials * (_normal().inv_cdf(share) / t_quantile(share, score.freedom)) ** 2
    shape = trials * value + 0.5, trials * (1 - value) + 0.5
    below = beta_quantile(low, *shape) if value > 0 else 0.0
    above = beta_quantile(high, *shape) if value < 1 else 1.0
    return min(below, value), max(above, value)


def by_student(score: Drawn, level: float) -> tuple[float, float]:
    """Add standard errors on both sides, within the range of the score."""
    reach = t_quantile((1 + level) / 2, score.freedom) * score.variance**0.5
    return max(score.value - reach, -score.most), min(score.value + reach, score.most)


METHODS: dict[str, Callable[[Drawn, float], tuple[float, float]]] = {
    "percentile": by_percentile,
    "bca": by_bca,
    "binomial": by_binomial,
    "student": by_student,
}


@cache
def _normal() -> NormalDist:
    """Return the normal distribution; scores without intervals import no ``statistics``."""
    from statistics import NormalDist

    return NormalDist()


def _tails(level: float) -> list[float]:
    return [(1 - level) / 2, min((1 + level) / 2, _BELOW_ONE)]


def _quantiles(score: Drawn, tails: list[float]) -> tuple[float, float]:
    low, high = np.quantile(score.drawn, tails).tolist()
    return low, high
