"""Overlapping rows by a released program, and overlapping mentions by a definition."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np

from clineval.challenges.symptemist23.most_overlaps import pair_most
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.rows import Pairing
from clineval.programs.pandas_cells import Cell
from clineval.programs.row_sets import RowSets
from clineval.programs.span_rows import RowCorpus, RowSide
from clineval.protocols.linked_spans import LinkedSpans
from clineval.results.challenge import Setup

Offsets = tuple[Cell, ...]
"""Start, end and label of a row."""


class OverlappingSpans(LinkedSpans):
    """Spans; ``lenient`` are as many pairs of one label that overlap as there can be."""

    def pair(self, block: Corpus, setup: Setup, /) -> Pairing:
        """Pair by every kind of match."""
        return {**super().pair(block, setup), "lenient": pair_most(block, self.label)}


class OverlappingRows(RowSets):
    """Rows as sets of cells; ``lenient``: each gold row takes the first free one that overlaps."""

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join both sides; two rows that overlap have a key in common."""
        corpus = super().join(gold, predicted, setup)
        sides = [side.rows for side in (gold, predicted) if isinstance(side, RowSide)]
        if not isinstance(corpus, RowCorpus):
            return corpus
        cells = [list(zip(*rows.need(["start", "end", "label"]), strict=True)) for rows in sides]
        # what is in no pair has a number of its own
        keys = [2 * np.arange(-len(order), 0) - at for at, order in enumerate(corpus.order)]
        free: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        documents = corpus.prediction.columns.document.tolist()
        for at in np.argsort(corpus.order[1]).tolist():
            free[documents[at]].append((at, int(corpus.order[1][at])))
        documents = corpus.gold.columns.document.tolist()
        for at in np.argsort(corpus.order[0]).tolist():
            near, row = free[documents[at]], cells[0][corpus.order[0][at]]
            first = next((each for each in near if overlap(row, cells[1][each[1]])), None)
            if first:
                near.remove(first)
                keys[0][at] = keys[1][first[0]] = at
        both = keys[0].reshape(-1, 1), keys[1].reshape(-1, 1)
        return replace(corpus, keys={**corpus.keys, "lenient": both})


def overlap(gold: Offsets, found: Offsets) -> bool:
    """Tell whether two rows of one label overlap, by start and end as strings; ends count.

    Examples:
        >>> overlap(("100", "200", "x"), ("15", "17", "x")), overlap(("95", "105"), ("95", "105"))
        (True, False)
    """
    (a, b), (c, d) = (tuple(map(str, row[:2])) for row in (gold, found))
    return (c <= a <= d or a <= c <= b) and gold[2:] == found[2:]
