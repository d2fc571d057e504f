"""A digest of reference annotations, the same whatever the order of documents and mentions."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from clineval.arrays import find_first
from clineval.mentions.columns import MentionColumns

Hashes = NDArray[np.uint64]
_ODD = np.uint64(0x9E3779B97F4A7C15)


def digest_documents(mentions: MentionColumns, documents: int) -> Hashes:
    """One 64-bit number for each document, from the offsets and values of its mentions.

    Neither the text nor the names of documents enter. Numbers of mentions are added, so that
    their order does not matter, and mixed once more for each document.
    """
    fragments = mix(mentions.starts.astype(np.uint64) * _ODD + mentions.ends.astype(np.uint64))
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(fragments, dtype=np.uint64)])
    hashes = sums[mentions.bounds[1:]] - sums[mentions.bounds[:-1]]
    for name, column in sorted(mentions.attributes.items()):
        values = [_digest(f"{name}={value}") for value in column.values]
        if values:
            hashes = mix(hashes * _ODD + np.array(values, np.uint64).take(column.ids))
    totals = np.concatenate([np.zeros(1, np.uint64), np.cumsum(hashes, dtype=np.uint64)])
    bounds = find_first(mentions.document, np.arange(documents + 1))
    return mix(totals[bounds[1:]] - totals[bounds[:-1]] + _ODD)


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def mix(words: Hashes) -> Hashes:
    """Spread every bit over the whole word (the finalizer of splitmix64)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
