"""Numbers of a field, which are equal within a tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray
from clineval.kinds.records.values import INVALID

_DOUBT = 1e-9
"""The relative distance from the tolerance below which differences use the written digits."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """The values of a field that are numbers.

    Args:
        written: ``[v]``, each value as text; text that is not a number equals nothing.
        doubles: ``[v]``, each value as a double, NaN if it is not a number.
        tolerance: the largest difference between two numbers that count as equal.
    """

    written: Sequence[str]
    doubles: FloatArray
    tolerance: Fraction

    @classmethod
    def of(cls, written: Sequence[str], tolerance: float) -> Numbers:
        """Read numbers from their texts."""
        doubles = [float("nan") if text in ("", INVALID) else float(text) for text in written]
        return cls(written, np.array(doubles, np.float64), Fraction(str(tolerance)))

    def are_near(self, left: IntArray, right: IntArray) -> BoolArray:
        """Return which pairs of values, ``[p]``, differ by at most the tolerance.

        The difference is exact for the written numbers, not for doubles: 36.7 is 0.1 away from
        36.6.

        Examples:
            >>> numbers = Numbers.of(["36.6", "36.7", "36.71", ""], 0.1)
            >>> numbers.are_near(np.array([0, 0, 3]), np.array([1, 2, 3])).tolist()
            [True, False, False]
        """
        one, other = self.doubles[left], self.doubles[right]
        size = np.maximum(np.abs(one), np.abs(other))
        with np.errstate(invalid="ignore"):  # numbers beyond doubles
            excess = np.abs(one - other) - float(self.tolerance)
        near: BoolArray = excess < 0
        doubtful = np.flatnonzero((np.abs(excess) <= _DOUBT * size) | np.isinf(size))
        keys = left[doubtful].astype(np.int64) * len(self.written) + right[doubtful]
        pairs, places = np.unique(keys, return_inverse=True)  # few values make many pairs
        near[doubtful] = self._are_exactly_near(pairs.tolist())[places.reshape(-1)]
        return near

    def _are_exactly_near(self, pairs: Sequence[int]) -> BoolArray:
        """Return which pairs are near by their written digits; a pair is one number for two."""
        both = (divmod(pair, len(self.written)) for pair in pairs)
        differences = (Fraction(self.written[a]) - Fraction(self.written[b]) for a, b in both)
        return np.array([abs(exact) <= self.tolerance for exact in differences], np.bool_)
