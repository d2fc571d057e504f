"""Millions of pairs, in batches that fit into memory, with a limit for one document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, called

MOST_PAIRS = 4_000_000
"""The largest number of pairs of overlapping fragments in one document. A document with 2,000
mentions a side that all overlap has that many."""
AT_ONCE = MOST_PAIRS
"""The number of pairs in a batch; their columns take a few hundred megabytes."""


def in_batches(counts: IntArray) -> Iterator[tuple[int, int]]:
    """Yield ranges of numbers with counts of :data:`AT_ONCE` at most together, or of one number.

    Examples:
        >>> list(in_batches(np.array([AT_ONCE, 0, 1, 5, AT_ONCE + 1, 2])))
        [(0, 2), (2, 4), (4, 5), (5, 6)]
    """
    first, total = 0, 0
    for number, count in enumerate(counts.tolist()):
        if total and total + count > AT_ONCE:
            yield first, number
            first, total = number, 0
        total += count
    yield first, len(counts)


def count_by_document(document: IntArray, pairs: IntArray, names: Sequence[str]) -> IntArray:
    """Add up the pairs of each document's rows.

    Args:
        document: ``[n]``, the document of each row.
        pairs: ``[n]``, the number of pairs of each row.
        names: the names of the documents.

    Returns:
        ``[documents]``, the number of pairs of each document.

    Raises:
        InputError: a document has more than :data:`MOST_PAIRS` pairs.
    """
    of_document = np.bincount(document, pairs, len(names)).astype(np.int64)
    if of_document.max(initial=0) > MOST_PAIRS:
        raise too_many_pairs(f"document {called(names[int(of_document.argmax())])}")
    return of_document


def too_many_pairs(where: str, what: str = "mentions") -> InputError:
    """Return the error for a document whose mentions cannot be compared in reasonable time."""
    return InputError(
        f"gold and predicted {what} overlap in more than {MOST_PAIRS:,} pairs",
        where=where,
        remedy=f"Check the offsets, and that they are {what} of one document and not of several",
    )
