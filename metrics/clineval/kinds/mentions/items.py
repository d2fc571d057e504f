"""Columns of annotations as items, which a rule for two documents compares."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from clineval.results.columns import MentionColumns
from clineval.results.item import Item
from clineval.results.slots import Slot
from clineval.results.task import ClassSlot

ID = Slot("id", "free")
"""The slot that holds the ids of mentions, if ids are compared."""
QUOTE = Slot("text", "free")
"""The slot that holds the words of mentions while a side is read, if words are compared."""


def list_items(
    columns: MentionColumns, classes: ClassSlot | None, ends: Sequence[tuple[Item, ...]] = ()
) -> list[Item]:
    """Return each annotation as an item; the class slot provides its label.

    Args:
        columns: the annotations.
        classes: the slot; None if there is none.
        ends: the items that each annotation connects; empty if annotations connect nothing.
    """
    bounds = columns.bounds.tolist()
    fragments = list(zip(columns.starts.tolist(), columns.ends.tolist(), strict=True))
    attributes = {
        name: [column.values[at] for at in column.ids.tolist()]
        for name, column in columns.attributes.items()
    }
    count = len(columns)
    ids = attributes.pop(ID.name, [""] * count)
    labels = attributes.pop(classes.name, [""] * count) if classes else [""] * count
    spans = [tuple(fragments[first:end]) for first, end in pairwise(bounds)]
    rows = zip(*attributes.values(), strict=True) if attributes else [()] * count
    values = [dict(zip(attributes, row, strict=True)) for row in rows]
    return list(map(Item, labels, spans, ends or [()] * count, values, ids))


def list_sides(
    sides: tuple[MentionColumns, MentionColumns], classes: ClassSlot | None
) -> tuple[list[Item], list[Item]]:
    """Return the annotations of both sides as items without ends."""
    gold, prediction = (list_items(side, classes) for side in sides)
    return gold, prediction
