"""Numbers of a field, two of which are the same within a tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray
from clineval.kinds.records.values import INVALID

_DOUBT = 1e-9
"""How near to the tolerance, relative to the numbers, a difference is computed from the digits."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """The values of a field that are numbers.

    Args:
        written: ``[v]``, each value as text; what is no number is near nothing.
        doubles: ``[v]``, each as a double, NaN for what is no number.
        tolerance: the largest difference of two numbers that are the same.
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
        """Tell, ``[p]``, which pairs of values differ by the tolerance at most.

        The difference is that of the numbers as they are written, not of doubles: 36.7 is .1 away
        from 36.6.

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
        for at in np.flatnonzero((np.abs(excess) <= _DOUBT * size) | np.isinf(size)).tolist():
            exact = Fraction(self.written[left[at]]) - Fraction(self.written[right[at]])
            near[at] = abs(exact) <= self.tolerance
        return near
