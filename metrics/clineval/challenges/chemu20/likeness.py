"""Which pairs of mentions have similar words."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from clineval.base.arrays import BoolArray, Coded, is_number
from clineval.base.errors import InputError, shown
from clineval.challenges.chemu20.edits import edit_distance
from clineval.kinds.mentions.overlap import Candidates

Alike = Callable[[str, str], bool]
"""Compares the words of two mentions."""


def parse_threshold(value: object) -> float:
    """Parse the least similarity, a number above 0 and at most 1.

    Raises:
        InputError: it is not such a number.
    """
    try:
        number = float(value) if isinstance(value, str) else value
    except ValueError:
        number = None
    if not is_number(number) or not 0 < number <= 1:
        problem = f"expected a number above 0 and at most 1, such as 0.8, got {shown(value)}"
        raise InputError(problem, where="threshold")
    return float(number)


def are_alike(threshold: float) -> Alike:
    """Return a test for words: edit distance / longer length is at most 1 - threshold, exactly.

    Examples:
        >>> are_alike(0.8)("abcde", "bcde"), are_alike(0.8)("abcde", "cde")
        (True, False)
    """
    share = 1 - Fraction(repr(threshold))

    def compare(one: str, other: str) -> bool:
        allowed = share * max(len(one), len(other))
        return bool(one and other) and (
            abs(len(one) - len(other)) <= allowed and edit_distance(one, other) <= allowed
        )

    return compare


def find_alike(near: Candidates, quotes: tuple[Coded, Coded], alike: Alike) -> BoolArray:
    """Return which pairs have similar words, ``[c]``; equal pairs of words are compared once."""
    numbers = quotes[0].ids[near.gold], quotes[1].ids[near.prediction]
    pairs = numbers[0].astype(np.int64) * len(quotes[1].values) + numbers[1]
    distinct, places = np.unique(pairs, return_inverse=True)
    gold, prediction = (
        map(of.values.__getitem__, ids.tolist())
        for of, ids in zip(quotes, np.divmod(distinct, max(len(quotes[1].values), 1)), strict=True)
    )
    return np.array(list(map(alike, gold, prediction)), np.bool_)[places]
