"""Units: the rows that are resampled, one for each document or cluster of documents.

They have a fixed order. So the same seed draws the same documents, regardless of the order of the
input and of the other counts. The interval of a score does not depend on other scores.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from clineval.base.arrays import FloatArray, IntArray
from clineval.base.hashing import ODD, Hashes, mix
from clineval.stats.clusters import Clusters


def make_units(
    names: Sequence[str],
    digests: Hashes,
    table: FloatArray,
    clusters: Clusters | None = None,
    order_by: FloatArray | None = None,
) -> FloatArray:
    """Make the rows that are resampled, in their fixed order.

    Args:
        names: the names of the ``d`` documents.
        digests: ``[d]``, digests of their gold annotations.
        table: ``[d, k]``, their counts.
        clusters: the assignment to clusters; None if each document is a unit.
        order_by: the columns that order documents without names; by default the counts.

    Returns:
        ``[u, k]``, a row for each unit.

    Examples:
        >>> table = np.array([[1.0], [2.0], [4.0]])
        >>> patients = Clusters({"a": "p1", "b": "p2", "c": "p1"})
        >>> make_units(["a", "b", "c"], np.zeros(3, np.uint64), table, patients).tolist()
        [[5.0], [2.0]]
    """
    order = order_documents(names, digests, table if order_by is None else order_by)
    if clusters is None:
        return table[order]
    numbers = clusters.number([names[row] for row in order])
    if not len(numbers):
        return table
    together = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.diff(numbers[together], prepend=-1))
    return np.add.reduceat(table[order[together]], starts, axis=0)


def group_units(table: FloatArray, groups: int) -> FloatArray:
    """Add up units in groups of equal size, or nearly so.

    Neighbours are in different groups, because their names, and so their contents, can be similar.

    Args:
        table: ``[u, k]``, the counts of each unit, in their fixed order.
        groups: the number of groups; at most ``u``.

    Returns:
        ``[groups, k]``.

    Examples:
        >>> group_units(np.array([[1.0], [2.0], [4.0], [8.0], [16.0]]), 2).tolist()
        [[21.0], [10.0]]
    """
    return np.stack([table[group::groups].sum(axis=0) for group in range(groups)])


def number_units(names: Sequence[str], clusters: Clusters | None = None) -> IntArray:
    """Return the number of each document's unit, ``[d]``; units are sorted by name."""
    ranks = np.argsort(np.argsort(np.asarray(names, np.str_), kind="stable"), kind="stable")
    if clusters is None:
        return ranks
    return clusters.number([names[row] for row in np.argsort(ranks)])[ranks]


def order_documents(names: Sequence[str], digests: Hashes, table: FloatArray) -> IntArray:
    """Order documents independently of their order in the input.

    Documents with names are sorted by name. Documents without names have their positions as names;
    they are sorted by the digests of their gold annotations, and equal digests by their counts.

    Args:
        names: the names of the ``d`` documents.
        digests: ``[d]``, digests of their gold annotations.
        table: ``[d, k]``, their counts.

    Returns:
        ``[d]``, the positions of the documents in the new order.
    """
    keys: list[NDArray[np.generic]] = [_hash_rows(table), digests]
    if any(name != str(row) for row, name in enumerate(names)):
        _, ranks = np.unique(np.asarray(names), return_inverse=True)
        keys.append(ranks)
    return np.lexsort(keys)


def _hash_rows(table: FloatArray) -> Hashes:
    """Hash each row; equal rows are interchangeable.

    Values are rounded to 32-bit floats, so that differences between machines in the last bit do not
    change the order.
    """
    hashes: Hashes = np.zeros(len(table), np.uint64)
    for column in table.T:
        bits = (column + 0.0).astype(np.float32).view(np.uint32).astype(np.uint64)
        hashes = mix(hashes * ODD + bits)
    return hashes
