"""Pair as many overlapping mentions as possible, one to one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from clineval.base.arrays import IntArray, find_first
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.pairing import Pairs
from clineval.results.columns import MentionColumns

Place = tuple[int, int, int, int]
"""End, start, label and row of a mention."""


def pair_most(corpus: Corpus, label: str) -> Pairs:
    """Pair mentions that have the same label and share a character, as many as possible.

    A mention covers everything from its first to its last character. Mentions are visited in the
    order of their ends. Each one takes the mention of the other side that overlaps it and ends
    first. Any later mention that overlaps this one also overlaps the alternatives, so the number of
    pairs is the largest possible.
    """
    sides = [_list_places(side.columns, label) for side in (corpus.gold, corpus.prediction)]
    edges = [
        find_first(side.columns.document, np.arange(len(corpus.documents) + 1))
        for side in (corpus.gold, corpus.prediction)
    ]
    pairs: list[tuple[int, int]] = []
    for at in range(len(corpus.documents)):
        gold, found = (of[edge[at] : edge[at + 1]] for of, edge in zip(sides, edges, strict=True))
        pairs += _pair(gold, found)
    columns = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    return Pairs(columns[0], columns[1])


def _list_places(columns: MentionColumns, label: str) -> list[Place]:
    first, last = columns.bounds[:-1], columns.bounds[1:] - 1
    parts: tuple[IntArray, ...] = (columns.ends[last], columns.starts[first])
    labels = columns.attributes[label].ids
    rows = (*(part.tolist() for part in parts), labels.tolist(), range(len(columns)))
    return list(zip(*rows, strict=True))


def _pair(gold: Sequence[Place], found: Sequence[Place]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of a document."""
    free = [sorted(gold), sorted(found)]
    while free[0] and free[1]:
        side = int(free[1][0] < free[0][0])
        end, start, label, row = free[side].pop(0)
        other = free[1 - side]
        near = (
            at for at, of in enumerate(other) if of[1] < end and of[0] > start and of[2] == label
        )
        partner = next(near, -1)
        if partner >= 0:
            rows = row, other.pop(partner)[3]
            yield (rows[side], rows[1 - side])
