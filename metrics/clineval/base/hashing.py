"""Hashes of 64 bits, column by column."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
ODD = np.uint64(0x9E3779B97F4A7C15)


def hash_text(text: str) -> int:
    """Hash a string to 64 bits."""
    digest = blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def mix(words: Hashes) -> Hashes:
    """Spread every bit over the whole word (the finalizer of splitmix64)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
