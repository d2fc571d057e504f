"""Columns of mentions as objects for users."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from clineval.base.arrays import find_first
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.mention import Document, Mention, Value
from clineval.results.columns import MentionColumns
from clineval.results.slots import CUI_LESS, Slot


def to_documents(side: Side, slots: Sequence[Slot]) -> list[Document]:
    r"""Return the documents of a side.

    Default values are left out, except codes.

    Examples:
        >>> from clineval.formats.delimited.pipe import read_side
        >>> slots = [Slot("cui", "code")]
        >>> [document] = to_documents(read_side("d|4-15|CUI-less\n", slots, strict=True), slots)
        >>> document.mentions[0].as_dict()
        {'spans': [[4, 15]], 'cui': None}
    """
    size = len(side.documents)
    texts, languages = side.texts or (None,) * size, side.languages or (None,) * size
    bounds = find_first(side.mentions.document, np.arange(size + 1)).tolist()
    return [
        Document(
            name or None,
            [_mention(side.mentions, row, slots) for row in range(*rows)],
            text,
            language=language,
        )
        for name, rows, text, language in zip(
            side.documents, pairwise(bounds), texts, languages, strict=True
        )
    ]


def _mention(columns: MentionColumns, row: int, slots: Sequence[Slot]) -> Mention:
    at = slice(columns.bounds[row], columns.bounds[row + 1])
    spans = zip(columns.starts[at].tolist(), columns.ends[at].tolist(), strict=True)
    values: dict[str, Value | None] = {}
    for slot in slots:
        column = columns.attributes[slot.name]
        value = slot.fold(column.values[column.ids[row]])
        if slot.kind == "code":
            values[slot.name] = None if value == CUI_LESS else slot.spell(value)
        elif value != slot.default:
            spelled = slot.spell(value)
            values[slot.name] = tuple(spelled.split(",")) if slot.kind == "codes" else spelled
    return Mention.from_dict({"spans": list(spans), **values})
