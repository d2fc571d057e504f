"""Spans of both sides as numbers: a place, and a shape if there is more than one fragment.

Two mentions have the same span iff both numbers are equal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clineval.base.arrays import IntArray, rank_rows
from clineval.kinds.mentions.columns import MentionColumns


def number_spans(
    columns: Sequence[MentionColumns], documents: int
) -> list[tuple[IntArray, IntArray]]:
    """Give every mention of both sides numbers for its place and its shape, ``[n]`` each.

    A place is a number for document and first fragment, in that order; a shape is one for the rest
    of the span, 0 for one fragment written the usual way.
    """
    firsts = [
        (side.document, side.starts[side.bounds[:-1]], side.ends[side.bounds[:-1]])
        for side in columns
    ]
    places, shapes = _number_places(firsts, documents), _number_shapes(columns)
    return list(zip(places, shapes, strict=True))


def _number_places(
    firsts: Sequence[tuple[IntArray, IntArray, IntArray]], documents: int
) -> list[IntArray]:
    """Pack document, start and end into one number, or rank them if they need over 63 bits."""
    largest = [max(int(side[k].max(initial=0)) for side in firsts) for k in (1, 2)]
    start_bits, end_bits = (number.bit_length() for number in largest)
    if documents.bit_length() + start_bits + end_bits <= 63:  # noqa: PLR2004
        return [
            (document.astype(np.int64) << (start_bits + end_bits))
            | (start.astype(np.int64) << end_bits)
            | end
            for document, start, end in firsts
        ]
    both = [np.concatenate(parts) for parts in zip(*firsts, strict=True)]
    return np.split(rank_rows(both), [len(firsts[0][0])])


def _number_shapes(columns: Sequence[MentionColumns]) -> list[IntArray]:
    """Rank what follows the first fragment, and unusual spelling; 0 for the usual span."""
    spellings = tuple(sorted({value for side in columns for value in side.spelling.values}))
    counts = np.concatenate([side.fragment_counts for side in columns])
    spelled = np.concatenate([side.spelling.fold(str, spellings).ids for side in columns])
    bounds = np.concatenate([columns[0].bounds[:-1], columns[1].bounds + columns[0].bounds[-1]])
    starts, ends = (
        np.concatenate([getattr(side, name) for side in columns]) for name in ("starts", "ends")
    )
    unusual = (counts > 1) | (spelled > 0)
    shapes = np.zeros(len(counts), np.int64)
    following = 1
    for count in np.unique(counts[unusual]).tolist():
        rows = np.flatnonzero(unusual & (counts == count))
        at = bounds[rows]
        rest = [array[at + k] for k in range(1, count) for array in (starts, ends)]
        ranks = rank_rows([*rest, spelled[rows]])
        shapes[rows] = following + ranks
        following += int(ranks.max()) + 1
    return np.split(shapes, [len(columns[0])])
