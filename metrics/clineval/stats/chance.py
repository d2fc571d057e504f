"""Intervals of agreement beyond chance: kappa and alpha.

Both are functions of sums over pairs of values. These sums change if a document is left out or
drawn several times. :mod:`clineval.evaluation.analysis.agreement` contains the formulas.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray
from clineval.stats.confidence import Confidence
from clineval.stats.intervals import METHODS, Drawn, choose_for_difference
from clineval.stats.resampling import draw_weights

_LEAST = 2
Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class ValuePairs:
    """The values that two annotators assigned to the mentions that both marked.

    Args:
        unit: ``[p]``, the number of the document, or cluster, of each pair.
        left: ``[p]``, the number of the first annotator's value.
        right: ``[p]``, the number of the second annotator's value.
    """

    unit: IntArray
    left: IntArray
    right: IntArray


def bound_agreement(
    pairs: ValuePairs, kappa: float, alpha: float, how: Confidence
) -> tuple[Bounds | None, Bounds | None]:
    """Compute the intervals of kappa and alpha; None if fewer than two units have pairs.

    Args:
        pairs: the pairs of values.
        kappa: kappa of all pairs.
        alpha: alpha of all pairs.
        how: the settings of intervals.
    """
    there = np.unique(pairs.unit)
    if len(there) < _LEAST:
        return None, None
    drawn: tuple[FloatArray, FloatArray] | None = None
    intervals = []
    for number, (value, without) in enumerate(zip((kappa, alpha), _leave_out(pairs), strict=True)):
        score = Drawn(value, without, np.where(np.isnan(without), value, without), most=1.0)
        method = choose_for_difference(score)
        if method == "percentile":
            drawn = drawn or _draw(pairs, how)
            many = drawn[number]
            score = replace(score, drawn=many[~np.isnan(many)])
        intervals.append(METHODS[method](score, how.level))
    return intervals[0], intervals[1]


def _leave_out(pairs: ValuePairs) -> tuple[FloatArray, FloatArray]:
    """Compute kappa and alpha without each unit, ``[u]`` each."""
    units = int(pairs.unit.max()) + 1
    size, same, chance, squares = _sums(pairs, np.ones(len(pairs.unit)))
    values = int(max(pairs.left.max(), pairs.right.max())) + 1
    left, right = (np.bincount(side, minlength=values) for side in (pairs.left, pairs.right))
    places = [pairs.unit * values + side for side in (pairs.left, pairs.right)]
    occupied, inverse = np.unique(np.concatenate(places), return_inverse=True)
    of_left, of_right = (
        np.bincount(part, minlength=len(occupied)) for part in np.split(inverse, 2)
    )
    unit, value = occupied // values, occupied % values
    both, of_both = left + right, of_left + of_right

    def add_up(of_value: IntArray) -> FloatArray:
        return np.bincount(unit, of_value, units).astype(np.float64)

    def add_up_pairs(of_pair: BoolArray | FloatArray) -> FloatArray:
        return np.bincount(pairs.unit, of_pair, units).astype(np.float64)

    smaller = add_up_pairs(np.ones(len(pairs.unit)))
    equal = add_up_pairs(pairs.left == pairs.right)
    cross = of_left * right[value] + of_right * left[value] - of_left * of_right
    return _agree(
        size - smaller,
        same - equal,
        chance - add_up(cross),
        squares - add_up(2 * both[value] * of_both - of_both**2 - of_both),
    )


def _draw(pairs: ValuePairs, how: Confidence) -> tuple[FloatArray, FloatArray]:
    """Compute kappa and alpha of drawn corpora, ``[n]`` each."""
    blocks = draw_weights(int(pairs.unit.max()) + 1, how.n_resamples, how.seed)
    sums = [_sums(pairs, weight[pairs.unit]) for block in blocks for weight in block]
    return _agree(*np.array(sums).T)


def _sums(pairs: ValuePairs, weight: FloatArray) -> tuple[float, float, float, float]:
    """Sum up all pairs, equal pairs, and the chance terms of kappa and alpha."""
    values = int(max(pairs.left.max(), pairs.right.max())) + 1
    left, right = (np.bincount(side, weight, values) for side in (pairs.left, pairs.right))
    both = left + right
    same = float(weight[pairs.left == pairs.right].sum())
    return float(weight.sum()), same, float(left @ right), float(both @ (both - 1))


def _agree(
    size: FloatArray, same: FloatArray, chance: FloatArray, expected: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Compute kappa and alpha from their sums; NaN where they are undefined."""
    possible = 2 * size * (2 * size - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = (size * same - chance) / (size**2 - chance)
        alpha = 1 - 2 * (2 * size - 1) * (size - same) / (possible - expected)
    return np.where(chance < size**2, kappa, np.nan), np.where(expected < possible, alpha, np.nan)
