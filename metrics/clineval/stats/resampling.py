"""Resample documents: draw, swap or leave out rows of a table of counts, and add them up.

Every function takes counts ``[d, k]``, with a row for each document or cluster of documents
(:mod:`clineval.stats.units`), and returns the totals of many resampled corpora, ``[n, k]``. One
call of a challenge's ``finish`` converts all of them to scores. Work is split into blocks to limit
memory, even for 100,000 documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, lgamma, log

import numpy as np
from numpy.typing import NDArray

from clineval.base.arrays import FloatArray
from clineval.base.progress import track

_CELLS = 2_000_000  # cells of a block's matrix of weights: 16 MB
_KEPT = 10 * _CELLS  # cells of cached draws, because several tables often share draws: 20 MB


def bootstrap(table: FloatArray, n: int, seed: int) -> FloatArray:
    """Compute totals of ``n`` corpora of ``d`` documents drawn with replacement.

    Args:
        table: ``[d, k]``, the counts of each document.
        n: the number of corpora to draw.
        seed: the random seed; draws do not depend on the number of columns.

    Returns:
        ``[n, k]``, the totals.

    Examples:
        >>> bootstrap(np.array([[1.0, 5.0], [1.0, 7.0]]), 4, seed=1)[:, 0].tolist()
        [2.0, 2.0, 2.0, 2.0]
    """
    if len(table) == 0:
        return np.zeros((n, table.shape[1]))
    return np.concatenate([weights @ table for weights in draw_weights(len(table), n, seed)])


def draw_weights(d: int, n: int, seed: int) -> Iterator[FloatArray]:
    """Yield blocks with the number of draws of each document, ``[b, d]``.

    Args:
        d: the number of documents.
        n: the number of corpora to draw; the blocks have ``n`` rows in all.
        seed: the random seed.
    """
    draws = _keep_draws(d, n, seed) if n * d <= _KEPT else _draw(d, n, seed)
    for times in draws:
        yield times.astype(np.float64)


@lru_cache(maxsize=1)
def _keep_draws(d: int, n: int, seed: int) -> Sequence[NDArray[np.uint8]]:
    return list(_draw(d, n, seed))


def _draw(d: int, n: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    random = np.random.default_rng(seed)
    number = np.int32 if d < np.iinfo(np.int32).max else np.int64
    for rows in _blocks(n, d):
        # no document is drawn 256 times: the chance is at most 1 in the factorial of 256
        times = np.empty((len(rows), d), np.uint8)
        for row in times:
            row[:] = np.bincount(random.integers(0, d, d, dtype=number), minlength=d)
        yield times


def swaps(differences: FloatArray, n: int, seed: int) -> FloatArray:
    """Compute the counts that ``n`` random swaps of two systems' outputs move between totals.

    Every document is swapped with probability 1/2. The random numbers of a document do not depend
    on the counts of any document.

    Args:
        differences: ``[d, k]``, the counts of one system minus the counts of the other.
        n: the number of swaps.
        seed: the random seed.

    Returns:
        ``[n, k]``, sums of ``differences`` over the swapped documents.
    """
    d, random = len(differences), np.random.default_rng(seed)
    kept = np.flatnonzero(differences.any(axis=1))  # swapping equal counts changes nothing
    byte, shift = kept // 8, (7 - kept % 8).astype(np.uint8)
    moved: list[FloatArray] = [np.zeros((0, differences.shape[1]))]
    for rows in _blocks(n, d):
        coins = np.frombuffer(random.bytes(len(rows) * -(-d // 8)), np.uint8)
        swapped = (coins.reshape(len(rows), -1)[:, byte] >> shift) & 1
        moved.append(swapped.astype(np.float64) @ differences[kept])
    return np.concatenate(moved)


def all_swaps(differences: FloatArray) -> FloatArray:
    """Compute the same as :func:`swaps` for all ``2 ** d`` ways to swap."""
    moved = np.zeros((1, differences.shape[1]))
    for row in differences:
        moved = np.concatenate([moved, moved + row])
    return moved


def all_draws(d: int) -> tuple[FloatArray, FloatArray]:
    """List all ways to draw ``d`` of ``d`` documents with replacement.

    Returns:
        ``[c, d]``, the number of draws of each document, and ``[c]``, the probability of each way,
        with ``c = comb(2 d - 1, d)``.

    Examples:
        >>> weights, probabilities = all_draws(2)
        >>> weights.tolist(), probabilities.round(9).tolist()
        ([[0.0, 2.0], [1.0, 1.0], [2.0, 0.0]], [0.25, 0.5, 0.25])
    """
    # stars and bars: d - 1 bars among 2 d - 1 places
    bars = np.array(list(combinations(range(2 * d - 1), d - 1)), np.int64).reshape(-1, d - 1)
    edges = np.pad(bars, ((0, 0), (1, 1)), constant_values=((0, 0), (-1, 2 * d - 1)))
    weights = np.diff(edges, axis=1) - 1
    factorials = np.array([lgamma(k + 1) for k in range(d + 1)])
    logarithms = factorials[d] - factorials[weights].sum(axis=1) - d * log(d)
    return weights.astype(np.float64), np.exp(logarithms)


def count_draws(d: int) -> int:
    """Return the number of ways that :func:`all_draws` lists."""
    return comb(2 * d - 1, d)


def _blocks(n: int, d: int) -> Iterator[range]:
    size = max(1, min(n, _CELLS // max(d, 1)))
    yield from track([range(at, min(at + size, n)) for at in range(0, n, size)], "resampling")
