"""Pair rows one by one, as a program that compares document, label, start and end.

Offsets are truncated to whole numbers. Of predictions that are equal in all four, only the first
counts; gold rows all count. Each gold row, in the order of the file, takes the first free
prediction that is equal. Documents of one side count. A gap equals nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clineval.base.arrays import Coded
from clineval.programs.pandas_cells import Cell, Frame, is_gap, stop
from clineval.programs.row_spans import RowSpans, drop_repeats
from clineval.programs.span_rows import Keys, RowSide, cut_offset
from clineval.results.challenge import Setup


class RowPairs(RowSpans):
    """Score rows as such a program does."""

    def select(self, side: RowSide, name: str, _setup: Setup) -> RowSide:
        """Truncate offsets, and drop repeated predictions; an empty span stops the program."""
        cells, places = side.rows.columns, side.rows.places
        starts, ends = (list(map(cut_offset, cells[of], places)) for of in ("start", "end"))
        for start, end, where in zip(starts, ends, places, strict=True):
            if end <= start:
                raise stop("the end is not after the start", where)
        rows = replace(side.rows, columns={**cells, "start": starts, "end": ends})
        whole = replace(side, rows=rows)
        return whole if name == "references" else _tell_gaps_apart(drop_repeats(whole))

    def find_keys(self, rows: Frame) -> Keys:
        """Return the key of each row: document, label, start and end."""
        cells = zip(*rows.need(["filename", "label", "start", "end"]), strict=True)
        return {"strict": [[object() if any(map(is_gap, of)) else of] for of in cells]}


def _tell_gaps_apart(side: RowSide) -> RowSide:
    """Label predictions without a label so that they differ from gold mentions without one."""
    labels: Sequence[Cell] = side.rows.columns["label"]
    if not any(map(is_gap, labels)):
        return side
    attributes = side.mentions.attributes
    values = ["NaN" if is_gap(labels[row]) else str(labels[row]) for row in side.numbers]
    label = {**attributes, "label": Coded.of(values)}
    return replace(side, mentions=replace(side.mentions, attributes=label))
