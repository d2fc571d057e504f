"""Pair overlapping rows as the released program does, and overlapping mentions by definition."""

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
    """Score spans; ``lenient`` pairs as many overlapping mentions of one label as possible."""

    def pair(self, block: Corpus, setup: Setup, /) -> Pairing:
        """Pair by each kind of match."""
        return {**super().pair(block, setup), "lenient": pair_most(block, self.label)}


class OverlappingRows(RowSets):
    """Score rows as sets of cells; ``lenient`` takes the first free row that overlaps."""

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join both sides; give the two rows of a lenient pair the same key."""
        corpus = super().join(gold, predicted, setup)
        sides = [side.rows for side in (gold, predicted) if isinstance(side, RowSide)]
        if not isinstance(corpus, RowCorpus):
            return corpus
        cells = [list(zip(*rows.need(["start", "end", "label"]), strict=True)) for rows in sides]
        # unpaired rows have numbers of their own
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
    """Return whether two rows of one label overlap; offsets are strings, and ends are inclusive.

    Examples:
        >>> overlap(("100", "200", "x"), ("15", "17", "x")), overlap(("95", "105"), ("95", "105"))
        (True, False)
    """
    (a, b), (c, d) = (tuple(map(str, row[:2])) for row in (gold, found))
    return (c <= a <= d or a <= c <= b) and gold[2:] == found[2:]
