"""Pairs by the million: so many at a time as memory bears, and a limit for one document."""

from __future__ import annotations

from collections.abc import Iterator

from clineval.arrays import IntArray
from clineval.errors import InputError, called

AT_ONCE = 1 << 21
"""How many pairs are looked at together, so that their columns take a few dozen megabytes."""
MOST_PAIRS = 20_000_000
"""How many pairs of overlapping fragments one document may have: those of 4,472 mentions a side
that all overlap one another, which take about a gigabyte."""


def in_batches(counts: IntArray) -> Iterator[tuple[int, int]]:
    """Ranges of numbers whose counts add up to :data:`AT_ONCE` at most, or of one number.

    Examples:
        >>> import numpy as np
        >>> list(in_batches(np.array([AT_ONCE, 0, 1, 5, AT_ONCE + 1, 2])))
        [(0, 2), (2, 4), (4, 5), (5, 6)]
    """
    first, total = 0, 0
    for at, count in enumerate(counts.tolist()):
        if total and total + count > AT_ONCE:
            yield first, at
            first, total = at, 0
        total += count
    yield first, len(counts)


def too_many_pairs(name: str, pairs: int, golds: int, predictions: int) -> InputError:
    """The error for a document whose mentions cannot be compared in reasonable memory."""
    return InputError(
        f"{golds:,} gold and {predictions:,} predicted mentions overlap in {pairs:,} pairs, "
        f"expected at most {MOST_PAIRS:,}",
        where=f"document {called(name)}",
        remedy="Check that they are mentions of one document, and not of several under one name",
    )
