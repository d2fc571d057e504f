"""Paired tests: could two systems be equally good, and differ on these documents by chance?

All tests are two-sided and use the scores of both systems on the same documents. Let delta be the
difference of the two scores.

    ar           approximate randomization (Noreen, 1989): if the systems are equally good, it
                 does not matter which system produced the output for a document. The outputs
                 for each document are swapped at random; p is the share of trials with a
                 difference of at least |delta| in either direction.
    bootstrap    documents are drawn with replacement; p is the share of trials in which the
                 difference deviates from delta by at least |delta| (Efron and Tibshirani, 1993,
                 chapter 16; shifted so that the systems are equal on average).

    mcnemar      McNemar's exact test (1947) compares accuracies over the same items: an item
                 that only one system has right is equally likely to belong to either system.

If t of n trials are at least as extreme, p = (t + 1) / (n + 1). If there are at most n ways to
swap or draw, all of them are used, and p is exact. The p-value of a score depends only on its own
counts. The random numbers of a document are the same for all scores, and only documents whose swap
can change the score count as ways to swap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp, fsum, lgamma, log

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray
from clineval.stats.confidence import FinishRows, find_scored
from clineval.stats.resampling import all_draws, all_swaps, bootstrap, count_draws, swaps

_TOLERANCE = 1e-10  # of sums that are rounded differently in different orders
PValues = Mapping[str, float]
Exact = Mapping[str, bool]
"""A dict from score to whether its p is exact."""


def randomize(
    finish: FinishRows, left: FloatArray, right: FloatArray, trials: int, seed: int
) -> tuple[PValues, Exact]:
    """Test by approximate randomization.

    Args:
        finish: a function from totals, ``[n, k]``, to scores, ``[n]`` each.
        left: ``[d, k]``, the counts of the first system for each document.
        right: ``[d, k]``, the counts of the second system for the same documents.
        trials: the largest number of trials.
        seed: the random seed.

    Returns:
        A dict from score to p, and a dict from score to whether p is exact.
    """
    steps = right - left
    a, b = left.sum(axis=0), right.sum(axis=0)
    observed = _subtract(finish(b[None]), finish(a[None]))
    values, exact = {}, {}
    for keys, rows in _list_trials(finish, steps, trials.bit_length()):
        moved = swaps(steps, trials, seed) if rows is None else all_swaps(steps[rows])
        swapped = _subtract(finish(b - moved), finish(a + moved))
        for key in keys:
            exact[key] = rows is not None
            reached = _reaches(swapped[key], observed[key])
            values[key] = _probability(reached, None, exact=exact[key])
    return {key: values[key] for key in observed}, exact


def _list_trials(
    finish: FinishRows, steps: FloatArray, most: int
) -> Iterator[tuple[list[str], list[int] | None]]:
    """Yield scores with the documents to swap in all ways, or None for random swaps.

    Scores share a list if their relevant documents together are fewer than ``most``. A document is
    relevant if its swap can change the score. Each further document doubles the number of ways.
    """
    chance: list[str] = []
    groups: list[tuple[list[str], set[int]]] = []
    for key, matters in find_scored(finish, np.abs(steps)).items():
        if matters.sum() >= most:
            chance.append(key)
            continue
        rows = {*np.flatnonzero(matters).tolist()}
        for keys, together in groups:
            if len(together | rows) < most:
                keys.append(key)
                together.update(rows)
                break
        else:
            groups.append(([key], rows))
    yield from ((keys, sorted(rows)) for keys, rows in groups)
    if chance:
        yield chance, None


def resample(
    finish: FinishRows, left: FloatArray, right: FloatArray, trials: int, seed: int
) -> tuple[PValues, Exact]:
    """Test by the paired bootstrap; arguments and results are as for :func:`randomize`."""
    both = np.hstack([left, right])
    exact = 0 < len(both) <= trials and count_draws(len(both)) <= trials
    probabilities = None
    if exact:
        weights, probabilities = all_draws(len(both))
        totals = weights @ both
    else:
        totals = bootstrap(both, trials, seed)
    drawn = differences_of(finish, totals)
    observed = differences_of(finish, both.sum(axis=0, keepdims=True))
    values = {
        key: _probability(_reaches(drawn[key] - value, value), probabilities, exact=exact)
        for key, value in observed.items()
    }
    return values, dict.fromkeys(values, exact)


TESTS = {"ar": randomize, "bootstrap": resample}


def mcnemar(left: BoolArray, right: BoolArray) -> float:
    """Compare two accuracies by McNemar's exact test.

    Args:
        left: ``[n]``, whether the first system has each item right.
        right: ``[n]``, whether the second system has each item right.

    Returns:
        The two-sided p, at most 1. Of the items that exactly one system has right, one system has
        the smaller number. p is twice the probability that a fair coin, tossed for each of these
        items, assigns at most this number to that system.

    Examples:
        >>> mcnemar(np.array([True] * 8 + [False] * 2), np.array([False] * 8 + [True] * 2))
        0.109375
    """
    ours, theirs = int((left & ~right).sum()), int((right & ~left).sum())
    size, fewer = ours + theirs, min(ours, theirs)
    ways = [lgamma(size + 1) - lgamma(k + 1) - lgamma(size - k + 1) for k in range(fewer + 1)]
    return min(1.0, 2 * fsum(exp(way - size * log(2)) for way in ways))


def count_differing(finish: FinishRows, left: FloatArray, right: FloatArray) -> dict[str, int]:
    """Count the units in which two systems differ, for each score.

    Swapping such a unit changes the difference.

    Args:
        finish: a function from totals, ``[n, k]``, to scores, ``[n]`` each.
        left: ``[u, k]``, the counts of the first system for each unit.
        right: ``[u, k]``, the counts of the second system for the same units.

    Examples:
        >>> found = np.array([[1.0, 2.0], [2.0, 2.0], [0.0, 1.0]])
        >>> share = lambda totals: {"recall": totals[:, 0] / totals[:, 1]}
        >>> count_differing(share, found, np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 1.0]]))
        {'recall': 2}
    """
    steps = right - left
    a, b = left.sum(axis=0), right.sum(axis=0)
    swapped = _subtract(finish(b - steps), finish(a + steps))
    observed = _subtract(finish(b[None]), finish(a[None]))
    return {key: int((swapped[key] != value).sum()) for key, value in observed.items()}


def differences_of(finish: FinishRows, totals: FloatArray) -> dict[str, FloatArray]:
    """Subtract the scores of the left system from the scores of the right system.

    ``totals``, ``[n, 2 k]``, are the totals of the left system followed by those of the right one.
    """
    left, right = np.hsplit(totals, 2)
    return _subtract(finish(right), finish(left))


def correct_by_holm(values: Sequence[float]) -> list[float]:
    """Correct p-values for the number of tests by Holm's method.

    In ascending order, the i-th of m values is multiplied by m - i + 1, raised to the previous
    result if it is smaller, and limited to 1 (Holm, 1979).

    Examples:
        >>> correct_by_holm([0.01, 0.04, 0.03])
        [0.03, 0.06, 0.06]
    """
    p = np.asarray(values, np.float64)
    order = np.argsort(p, kind="stable")
    scaled = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(scaled, 1.0)
    return [float(value) for value in corrected]


def _subtract(
    right: Mapping[str, FloatArray], left: Mapping[str, FloatArray]
) -> dict[str, FloatArray]:
    return {key: right[key] - left[key] for key in right}


def _reaches(differences: FloatArray, observed: FloatArray) -> BoolArray:
    """Mark differences that are at least as large as the observed one, in either direction."""
    return np.abs(differences) >= np.abs(observed) - _TOLERANCE


def _probability(reached: BoolArray, weights: FloatArray | None, *, exact: bool) -> float:
    """Compute the (weighted) share of ``[trials]``; random trials also count the outcome."""
    if weights is not None:
        return min(float(weights @ reached), 1.0)
    more = 0 if exact else 1
    return float((reached.sum() + more) / (len(reached) + more))
