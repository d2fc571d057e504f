"""Intervals of agreement beyond chance.

A coefficient of agreement is 1 - r, where r is observed divided by expected disagreement
(:mod:`clineval.stats.coefficients`). Disagreements can be rare, and a few units say little about
how rare. So one unit is added in which annotators agree no better than by chance, with r = 1:

    q = (n r + 1) / (n + 1)
    low = 1 - (upper bound of q e) / e        high = 1 - (lower bound of q e) / e

n is the number of units, and e the disagreement that chance would cause between unordered answers.
q e is about the share of units with a disagreement. Its bounds are ``binomial``
(:mod:`clineval.stats.intervals`), and its variance is that of e r if the n + 1 units are left out
one by one. If annotators never disagree, no unit is added; the trials are then the units that both
answered. A lower bound is at least -1, and an upper bound at least the coefficient. The README of
evaluation/analysis shows how often the intervals contain the true value.

Units are documents or clusters. The coefficients are functions of sums, so those of a corpus
without a unit follow from the sums of the corpus and of the unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray
from clineval.stats.coefficients import (
    ac1,
    alpha,
    kappa,
    ordinal_alpha,
    weighted_kappa,
)
from clineval.stats.intervals import Drawn, by_binomial, by_student

NOMINAL, ORDERED = ("kappa", "ac1", "alpha"), ("linear_kappa", "quadratic_kappa", "ordinal_alpha")
"""The coefficients of two annotators, for unordered and for ordered answers."""
_LEAST = 2
_BLOCK = 2**20
_ROUNDED = 1e-11
Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class ValuePairs:
    """The answers of two annotators to the units that both answered.

    Args:
        unit: ``[p]``, the number of the document, or cluster, of each pair.
        left: ``[p]``, the number of the first annotator's answer.
        right: ``[p]``, the number of the second annotator's answer.
        times: ``[p]``, how often the pair occurs.
    """

    unit: IntArray
    left: IntArray
    right: IntArray
    times: FloatArray

    @classmethod
    def of(cls, unit: IntArray, left: IntArray, right: IntArray) -> ValuePairs:
        """Return pairs that occur once each."""
        return cls(unit, left, right, np.ones(len(unit)))

    def __len__(self) -> int:
        return int(self.times.sum())

    @property
    def same(self) -> BoolArray:
        """``[p]``, whether both answers are the same."""
        return np.asarray(self.left == self.right)

    @property
    def agreement(self) -> float:
        """The share of pairs with equal answers; 0 without pairs."""
        return float(self.times[self.same].sum() / max(self.times.sum(), 1))


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient, a score, or a mean of these, and its values if units are left out.

    Args:
        value: the coefficient; None if it is undefined.
        without: ``[u]``, the coefficient without each unit; the coefficient itself if that is
            undefined.
        units: the number of units with something to compare.
        expected: the disagreement between unordered answers that chance would cause; 0 if that is
            nothing, and for scores.
        lowest: the smallest value that is possible.
    """

    value: float | None
    without: FloatArray = field(compare=False)
    units: int
    expected: float = 0.0
    lowest: float = -1.0

    def place(self, places: IntArray, units: int) -> Coefficient:
        """Return the same coefficient among more units, which do not affect it.

        Args:
            places: ``[u]``, the number of each of its units among all units.
            units: the number of all units.
        """
        if self.value is None:
            return replace(self, without=np.zeros(units))
        without = np.full(units, self.value)
        without[places] = self.without
        return replace(self, without=without)

    def subtract(self, other: Coefficient, level: float) -> tuple[float | None, Bounds | None]:
        """Return the difference to another coefficient of the same units, with its interval."""
        if self.value is None or other.value is None:
            return None, None
        difference, without = self.value - other.value, self.without - other.without
        score = Drawn(difference, without, without, most=1 - max(self.lowest, other.lowest))
        known = len(without) >= _LEAST and score.variance > 0
        return difference, by_student(score, level) if known else None

    def bounds(self, level: float) -> Bounds | None:
        """Compute the interval; None if it is undefined, such as with fewer than two units."""
        if self.value is None or min(self.units, len(self.without)) < _LEAST:
            return None
        value, size = self.value, len(self.without)
        ratio, without, chance = 1 - value, 1 - self.without, self.expected or 1.0
        if self.expected and ratio:
            without = np.append(without, ratio - value / size)
            ratio = (size * ratio + 1) / (size + 1)
            chance = min(chance, 1 / ratio)
        score = Drawn(ratio * chance, without * chance, without * chance, scored=self.units)
        low, high = by_binomial(score, level)
        return max(1 - high / chance, self.lowest), max(1 - low / chance, value)


def compare_answers(pairs: ValuePairs, units: int, answers: int) -> dict[str, Coefficient]:
    """Compute kappa, AC1 and alpha of unordered answers.

    Args:
        pairs: the answers of two annotators.
        units: the number of documents, or clusters.
        answers: the number of possible answers.

    Examples:
        >>> pairs = ValuePairs.of(*np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 1, 0]]))
        >>> found = compare_answers(pairs, 4, 2)
        >>> {name: round(of.value, 4) for name, of in found.items()}
        {'kappa': 0.5, 'ac1': 0.5294, 'alpha': 0.5333}
    """
    size, same, product, squares = _add_up(pairs, units)
    values = {
        "kappa": kappa(size, same, product),
        "ac1": ac1(size, same, squares, answers),
        "alpha": alpha(2 * size, 2 * same, squares),
    }
    n = float(size[0]) or 1.0
    of_both = 1 - float(squares[0]) / (4 * n**2)
    expected = {
        "kappa": 1 - float(product[0]) / n**2,
        "ac1": 1 - of_both / max(answers - 1, 1),
        "alpha": of_both,
    }
    return {name: _make(of, expected[name], pairs) for name, of in values.items()}


def compare_ordered(pairs: ValuePairs, units: int, answers: int) -> dict[str, Coefficient]:
    """Compute weighted kappa and ordinal alpha; the numbers of answers are their order.

    The arguments are those of :func:`compare_answers`.
    """
    parts: dict[str, list[FloatArray]] = {name: [] for name in ORDERED}
    for table in _leave_out_tables(pairs, units, answers):
        parts["linear_kappa"].append(weighted_kappa(table, 1))
        parts["quadratic_kappa"].append(weighted_kappa(table, 2))
        parts["ordinal_alpha"].append(ordinal_alpha(table + np.swapaxes(table, -1, -2)))
    size, _, product, _ = _add_up(pairs, 0)
    expected = 1 - float(product[0]) / (float(size[0]) or 1.0) ** 2
    return {name: _make(np.concatenate(of), expected, pairs) for name, of in parts.items()}


def compare_many(
    pairs: ValuePairs, units: int, answers: int, *, ordered: bool
) -> dict[str, Coefficient]:
    """Compute alpha of any number of annotators.

    Args:
        pairs: the answers of every two annotators to a unit, in both orders. They occur
            1 / (m - 1) times if m annotators answered the unit, and add up to o(a, b).
        units: the number of documents, or clusters.
        answers: the number of answers.
        ordered: whether the numbers of answers are their order; then also ordinal alpha.

    Examples:
        >>> unit, left, right = np.array([[0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 0]])
        >>> found = compare_many(ValuePairs.of(unit, left, right), 2, 2, ordered=False)
        >>> round(found["alpha"].value, 4)
        0.0
    """
    size, same, _, squares = _add_up(pairs, units)
    varied = 4 * size**2 - squares > _ROUNDED * size**2
    nominal = alpha(size, same, np.where(varied, squares / 4, size**2))
    expected = 1 - float(squares[0]) / (4 * (float(size[0]) or 1.0) ** 2)
    found = {"alpha": _make(nominal, expected, pairs)}
    if ordered:
        tables = _leave_out_tables(pairs, units, answers)
        of_order = np.where(varied, np.concatenate([ordinal_alpha(t) for t in tables]), np.nan)
        found["ordinal_alpha"] = _make(of_order, expected, pairs)
    return found


def _make(values: FloatArray, expected: float, pairs: ValuePairs) -> Coefficient:
    """Make a coefficient from its value, which comes first, and its values without each unit."""
    value, without = float(values[0]), values[1:]
    known = np.where(np.isnan(without), value, without)
    there = len(np.unique(pairs.unit))
    return Coefficient(None if np.isnan(value) else value, known, there, max(expected, 0.0))


def _add_up(pairs: ValuePairs, units: int) -> tuple[FloatArray, ...]:
    """Add up pairs, equal pairs, and the chance terms: of the corpus, and without each unit."""
    values = int(max(pairs.left.max(initial=0), pairs.right.max(initial=0))) + 1
    sides = pairs.left, pairs.right
    left, right = (np.bincount(side, pairs.times, values) for side in sides)
    both = left + right
    whole = pairs.times.sum(), pairs.times[pairs.same].sum(), left @ right, both @ both
    if not units:
        return tuple(np.array([of]) for of in whole)
    places = np.concatenate([pairs.unit * np.int64(values) + side for side in sides])
    occupied, inverse = np.unique(places, return_inverse=True)
    of_left, of_right = (
        np.bincount(part, pairs.times, len(occupied)) for part in np.split(inverse, 2)
    )
    unit, value = np.divmod(occupied, values)
    of_both = of_left + of_right
    cross = of_left * right[value] + of_right * left[value] - of_left * of_right
    parts = (
        np.bincount(pairs.unit, pairs.times, units),
        np.bincount(pairs.unit, pairs.times * pairs.same, units),
        np.bincount(unit, cross, units),
        np.bincount(unit, 2 * both[value] * of_both - of_both**2, units),
    )
    return tuple(np.append(of, of - part) for of, part in zip(whole, parts, strict=True))


def _leave_out_tables(pairs: ValuePairs, units: int, answers: int) -> Iterator[FloatArray]:
    """Yield tables, ``[b, k, k]``: that of the corpus, then the tables without each unit."""
    cells = (pairs.unit * np.int64(answers) + pairs.left) * answers + pairs.right
    width = answers**2
    whole: FloatArray = np.bincount(cells % width, pairs.times, width).astype(np.float64)
    yield whole.reshape(1, answers, answers)
    order = np.argsort(cells, kind="stable")
    cells, times, step = cells[order], pairs.times[order], max(_BLOCK // width, 1)
    for first in range(0, units, step):
        last = min(first + step, units)
        rows = slice(*np.searchsorted(cells, [first * width, last * width]))
        own = np.bincount(cells[rows] - first * width, times[rows], (last - first) * width)
        tables: FloatArray = whole - own.reshape(-1, width)
        yield tables.reshape(-1, answers, answers)


def average(each: Sequence[Coefficient]) -> Coefficient:
    """Average coefficients of the same units; the mean is undefined if one of them is."""
    without = np.mean([of.without for of in each], axis=0)
    values = [of.value for of in each if of.value is not None]
    expected = float(np.mean([of.expected for of in each]))
    units, lowest = min(of.units for of in each), max(of.lowest for of in each)
    mean = float(np.mean(values)) if len(values) == len(each) else None
    return Coefficient(mean, without, units, expected, lowest)
