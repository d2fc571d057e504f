"""Scores of leaderboards: means over cases as NumPy computes them, and pooled counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

import numpy as np

from clineval.base.errors import InputError
from clineval.results.averages import PRF

Counts = Sequence[float]
"""True positives, false positives and false negatives."""
_RULE = "=" * 40
_LONGEST = 100_000
"""The most ids of a range."""


def write_heading(title: str) -> str:
    """Write a blank line and a heading between two rules."""
    return f"\n{_RULE}\n{title}\n{_RULE}\n"


def score_counts(counts: Counts, empty: float) -> tuple[float, float, float]:
    """Compute precision, recall and F from counts, with the programs' rounding errors.

    Args:
        counts: the counts.
        empty: all three scores if there is nothing on either side.

    Examples:
        >>> score_counts((1, 0, 1), 1.0), score_counts((0, 0, 0), 1.0)
        ((1.0, 0.5, 0.6666666666666666), (1.0, 1.0, 1.0))
    """
    tp, fp, fn = counts
    if not tp + fp + fn:
        return empty, empty, empty
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def average_cases(cases: Sequence[Counts], empty: float, *, none: float) -> Mapping[str, float]:
    """Compute the means over cases, in their order; ``none`` if there is no case."""
    rows = [score_counts(case, empty) for case in cases]
    columns = zip(*rows, strict=True) if rows else [()] * len(PRF)
    means = (float(np.mean(column)) if column else none for column in columns)
    return dict(zip(PRF, means, strict=True))


def pool_cases(cases: Sequence[Counts], empty: float) -> Mapping[str, float]:
    """Compute the scores of all cases together."""
    tp, fp, fn = (float(sum(case[at] for case in cases)) for at in range(3))
    return dict(zip(PRF, score_counts((tp, fp, fn), empty), strict=True))


def parse_ids(words: Sequence[str], where: str) -> list[str]:
    """List the ids of words that are ids or ranges.

    Args:
        words: the words.
        where: the option, for messages.

    Raises:
        InputError: a range is invalid, or too long.

    Examples:
        >>> parse_ids(["7", "1-3"], "--ids")
        ['1', '2', '3', '7']
    """
    ids: set[str] = set()
    for word in words:
        if "-" in word and not word.startswith("-"):
            ids |= {*map(str, _parse_range(word, where))}
        else:
            ids.add(word)
    return sorted(ids)


def _parse_range(word: str, where: str) -> range:
    with suppress(ValueError):
        first, last = map(int, word.split("-"))
        if last - first < _LONGEST:
            return range(first, last + 1)
    problem = f"expected ids and ranges such as 1-3, with at most {_LONGEST:,} ids"
    raise InputError(problem, where=where)
