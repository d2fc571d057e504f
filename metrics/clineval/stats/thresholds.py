"""The threshold of scores with the best F1."""

from __future__ import annotations

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray
from clineval.base.ratios import ratio


def find_best_threshold(score: FloatArray, right: BoolArray, rights: int) -> float | None:
    """Find the score from which rows are accepted with the best F1; the highest of equal ones.

    Args:
        score: ``[n]``, the score of each row.
        right: ``[n]``, whether the row is right.
        rights: the number of right rows, also of those without a score.

    Returns:
        One of the scores; None if there are no right rows with a score.

    Examples:
        >>> right = np.array([True, False, True, False])
        >>> find_best_threshold(np.array([0.9, 0.6, 0.4, 0.1]), right, 2)
        0.4
    """
    if not right.any():
        return None
    levels, level = np.unique(-score, return_inverse=True)
    accepted = np.cumsum(np.bincount(level))
    found = np.cumsum(np.bincount(level, right))
    f1 = np.asarray(ratio(2 * found, accepted + rights))
    return float(-levels[int(np.argmax(f1))])
