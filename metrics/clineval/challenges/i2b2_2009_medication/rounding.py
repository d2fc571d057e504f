"""Rounding as Python 2 did it, for the released script that was written in it."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from clineval.base.arrays import FloatArray
from clineval.base.ratios import Number

_UNSURE = 1e-6


def round_as_python2(values: Number, digits: int = 4) -> FloatArray:
    """Round numbers that are not negative to some decimals, halves away from zero.

    Examples:
        >>> round_as_python2(np.array([0.03125, 0.00625, 2 / 3])).tolist()
        [0.0313, 0.0063, 0.6667]
    """
    given = np.asarray(values, np.float64)
    scale = 10.0**digits
    scaled = given * scale
    whole = np.rint(scaled)
    unsure = np.abs(scaled - np.floor(scaled) - 0.5) < _UNSURE
    if unsure.any():
        unit = Decimal(1).scaleb(-digits)
        distinct, which = np.unique(given[unsure], return_inverse=True)
        exact = [Decimal(value).quantize(unit, ROUND_HALF_UP) for value in distinct.tolist()]
        whole[unsure] = np.array([float(value.scaleb(digits)) for value in exact])[which]
    rounded: FloatArray = whole / scale
    return rounded
