"""64-bit hashes of columns."""

from __future__ import annotations

from hashlib import blake2b, sha256

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)
_FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def hash_text(text: str) -> int:
    """Hash a string to 64 bits."""
    digest = blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def mix(words: Hashes) -> Hashes:
    """Spread every bit over the whole word (the finalizer of splitmix64)."""
    words = (words ^ (words >> _SHIFTS[0])) * _FACTORS[0]
    words = (words ^ (words >> _SHIFTS[1])) * _FACTORS[1]
    return words ^ (words >> _SHIFTS[2])


def digest_all(digests: Hashes) -> str:
    """Combine the digests of documents into 64 hex digits, independent of their order.

    Documents without annotations are ignored: not every format can contain them, and a system
    may have named them.
    """
    annotated = np.sort(digests[~np.isin(digests, EMPTY)])
    return sha256(annotated.astype("<u8").tobytes()).hexdigest()


_SUM = mix(np.array([ODD]))
EMPTY: Hashes = np.concatenate(
    [
        np.zeros(1, np.uint64),  # a document that is missing in a system's counts
        _SUM,
        mix(_SUM * ODD + _SUM),  # mentions and relations
        np.array([hash_text("")], np.uint64),
    ]
)
"""The digests of documents without gold annotations, for all kinds of annotation."""
