"""Digests of reference annotations, independent of the order of documents and mentions."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from clineval.base.arrays import IntArray, find_first
from clineval.base.hashing import ODD, Hashes, hash_text, mix
from clineval.results.columns import MentionColumns


def digest_documents(mentions: MentionColumns, documents: int) -> Hashes:
    """Hash each document to 64 bits, from the offsets and values of its mentions.

    The digests depend neither on texts nor on names of documents. The hashes of mentions are added,
    so that their order does not matter, and mixed once more for each document.
    """
    return add_up_hashes(hash_mentions(mentions), mentions.document, documents)


def hash_mentions(mentions: MentionColumns) -> Hashes:
    """Hash each mention to 64 bits, ``[n]``, from its offsets and values."""
    fragments = mix(mentions.starts.astype(np.uint64) * ODD + mentions.ends.astype(np.uint64))
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(fragments, dtype=np.uint64)])
    hashes: Hashes = sums[mentions.bounds[1:]] - sums[mentions.bounds[:-1]]
    for name, column in sorted(mentions.attributes.items()):
        if column.values:
            hash_all = _hash_few if len(column.values) <= _FEW else _hash_values
            hashes = mix(hashes * ODD + hash_all(name, column.values).take(column.ids))
    return hashes


def _hash_values(name: str, values: tuple[str, ...]) -> Hashes:
    return np.array([hash_text(f"{name}={value}") for value in values], np.uint64)


_FEW = 16
_hash_few = lru_cache(maxsize=256)(_hash_values)
"""Slots with few values often have the same ones."""


def add_up_hashes(hashes: Hashes, document: IntArray, documents: int) -> Hashes:
    """Add up the hashes of parts to 64 bits for each document.

    ``document``, ``[n]``, never decreases.
    """
    totals = np.concatenate([np.zeros(1, np.uint64), np.cumsum(hashes, dtype=np.uint64)])
    bounds = find_first(document, np.arange(documents + 1))
    return mix(totals[bounds[1:]] - totals[bounds[:-1]] + ODD)
