"""Confidence intervals of scores, by drawing documents with replacement.

The bootstrap draws as many documents as there are, again and again, and scores each drawn
corpus; the interval is that of the scores' distribution. Documents are the unit, since the
mentions of one document are alike; in a ranked run the unit is a topic.

    percentile    the quantiles (1 - level) / 2 and (1 + level) / 2 of the drawn scores
    bca           quantiles that are corrected for the bias and the skewness of the scores:
                  Phi(z0 + (z0 + z) / (1 - a (z0 + z))), where z are the normal quantiles of the
                  two above, z0 that of the share of drawn scores below the score itself (equal
                  ones count half), and a = sum(u^3) / (6 sum(u^2)^1.5) with u the mean of the
                  scores without one document minus each of these scores

Both are Efron's (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 13, 14).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from clineval.arrays import FloatArray
from clineval.errors import InputError, InputWarning, shown
from clineval.statistics.resampling import bootstrap, order_rows

INTERVALS = ("percentile", "bca")
MOST_DRAWN, LARGEST_SEED = 1_000_000, 2**64 - 1
"""Totals of more corpora would fill the memory of most machines; a seed is part of signatures."""
FinishRows = Callable[[FloatArray], Mapping[str, FloatArray]]
"""From totals, ``[n, k]``, to the scores that follow: name to ``[n]``."""
_NORMAL = NormalDist()
_BELOW_ONE = 1 - 2.0**-53  # a tail next to 1 is rounded to 1, where there is no quantile
_FEW = 2


@dataclass(frozen=True, slots=True)
class Confidence:
    """How intervals are made.

    Args:
        level: the share of intervals that are to hold the true value, between 0 and 1.
        n_resamples: how many corpora are drawn.
        seed: of the random numbers; the same seed, the same intervals.
        interval: ``percentile`` or ``bca``.

    Raises:
        InputError: a value that is not one of these.

    Examples:
        >>> Confidence(0.95).settings
        {'bs': '1000', 'seed': '12345', 'ci': 'percentile-0.95'}
    """

    level: float = 0.95
    n_resamples: int = 1000
    seed: int = 12345
    interval: str = "percentile"

    def __post_init__(self) -> None:
        number = isinstance(self.level, (int, float)) and not isinstance(self.level, bool)
        if not number or not 0 < self.level < 1:
            raise InputError(
                f"expected a number between 0 and 1 such as 0.95, got {shown(self.level)}",
                where="confidence",
            )
        check_whole("n_resamples", self.n_resamples, 1, MOST_DRAWN)
        check_whole("seed", self.seed, 0, LARGEST_SEED)
        if not isinstance(self.interval, str) or self.interval not in INTERVALS:
            raise InputError(
                f"unknown interval {shown(self.interval)}, expected one of {', '.join(INTERVALS)}"
            )

    @property
    def settings(self) -> dict[str, str]:
        """The part of a signature that says how intervals were made."""
        return {
            "bs": str(self.n_resamples),
            "seed": str(self.seed),
            "ci": f"{self.interval}-{self.level:g}",
        }

    def bounds(self, drawn: FloatArray, value: float, without: FloatArray) -> tuple[float, float]:
        """The interval of one score.

        Args:
            drawn: ``[n_resamples]``, the scores of the drawn corpora.
            value: the score itself.
            without: ``[d]``, the scores without one document; only ``bca`` looks at them.
        """
        tails = [(1 - self.level) / 2, (1 + self.level) / 2]
        if self.interval == "bca":
            bias, skewness = _bias(drawn, value), _skewness(without)
            tails = [_correct(tail, bias, skewness) for tail in tails]
        low, high = np.quantile(drawn, tails).tolist()
        return low, high


def check_whole(name: str, value: Any, least: int, most: int) -> None:
    """Refuse what is not a whole number from ``least`` to ``most``.

    Raises:
        InputError: names the option.
    """
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not least <= value <= most:
        raise InputError(
            f"expected a whole number from {least} to {most}, got {shown(value)}", where=name
        )


def intervals_of(
    finish: FinishRows, table: FloatArray, confidence: Confidence
) -> dict[str, tuple[float, float]]:
    """The interval of every score; the order of the documents does not matter.

    Args:
        finish: the scores that follow from totals.
        table: ``[d, k]``, the counts of each document.
        confidence: how intervals are made.

    Examples:
        >>> found = np.array([[0.0, 1.0]] + [[1.0, 1.0]] * 39)
        >>> share = lambda totals: {"recall": totals[:, 0] / totals[:, 1]}
        >>> intervals_of(share, found, Confidence(0.9))
        {'recall': (0.925, 1.0)}
    """
    if len(table) < _FEW:
        warnings.warn(
            f"expected at least {_FEW} documents to say how sure a score is, got {len(table)}: "
            "the intervals are meaningless", InputWarning, stacklevel=2,
        )  # fmt: skip
    table = table[order_rows(table)]
    totals = table.sum(axis=0, keepdims=True)
    values = finish(totals)
    drawn = finish(bootstrap(table, confidence.n_resamples, confidence.seed))
    rest = totals - table if confidence.interval == "bca" else totals
    without = finish(rest)
    return {
        key: confidence.bounds(drawn[key], float(value[0]), without[key])
        for key, value in values.items()
    }


def _bias(drawn: FloatArray, value: float) -> float:
    """z0; where all or none of the drawn scores are below the score, as if half of one were not."""
    below = ((drawn < value).sum() + (drawn <= value).sum()) / 2
    least = 0.5
    share = min(max(float(below), least), len(drawn) - least) / len(drawn)
    return _NORMAL.inv_cdf(share)


def _skewness(without: FloatArray) -> float:
    """a; 0 if no document makes a difference."""
    steps = without.mean() - without
    spread = float((steps**2).sum())
    return float((steps**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0


def _correct(tail: float, bias: float, skewness: float) -> float:
    shifted = bias + _NORMAL.inv_cdf(min(tail, _BELOW_ONE))
    return _NORMAL.cdf(bias + shifted / (1 - skewness * shifted))
