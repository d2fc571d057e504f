"""Read mentions as the released scripts of the ShARe corpus do, which compare offsets as written.

These scripts identify the mentions of a document by their offsets. If several lines have the same
offsets, the last one counts, with the codes of all. Values are compared as written, but without
case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import numpy as np

from clineval.base.arrays import Coded
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus, join_sides
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot


def join_written(
    gold: Side, predicted: Side, slots: Sequence[Slot], visited: Literal["all", "gold"]
) -> Corpus:
    """Join both sides; if ``visited`` is ``gold``, ignore documents without gold mentions."""
    labels = [Slot(slot.name, "label", slot.values) for slot in slots]
    sides = _keep_last(gold, slots), _keep_last(predicted, slots)
    return join_sides(*sides, labels, visited=visited)


def _keep_last(side: Side, slots: Sequence[Slot]) -> Side:
    """Keep the last mention of each span of a document, with the codes of all."""
    columns = side.mentions
    spans = list(zip(columns.document.tolist(), _write_spans(columns), strict=True))
    last = {span: row for row, span in enumerate(spans)}
    attributes = {}
    for slot in slots:
        column = columns.attributes[slot.name]
        cells = [column.values[value].lower() for value in column.ids.tolist()]
        if slot.kind == "codes":
            sets: dict[tuple[int, str], set[str]] = {span: set() for span in last}
            for span, cell in zip(spans, cells, strict=True):
                sets[span].update(cell.split(","))
            written = [",".join(sorted(codes)) for codes in sets.values()]
        else:
            written = [cells[row] for row in last.values()]
        attributes[slot.name] = Coded.of(written)
    kept = columns.take(np.fromiter(last.values(), np.int64, len(last)))
    spelling = Coded.of([text for _, text in last])
    return replace(side, mentions=replace(kept, attributes=attributes, spelling=spelling))


def _write_spans(columns: MentionColumns) -> list[str]:
    """List the spans as written."""
    offsets = zip(columns.starts.tolist(), columns.ends.tolist(), strict=True)
    fragments = [f"{start}-{end}" for start, end in offsets]
    odd = [columns.spelling.values[number] for number in columns.spelling.ids.tolist()]
    return [
        text or ",".join(fragments[low:high])
        for text, (low, high) in zip(odd, pairwise(columns.bounds.tolist()), strict=True)
    ]
