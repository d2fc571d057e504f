"""Items of i2b2/VA 2010, however a user gives them, as one side of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import InputError, located
from clineval.base.files import Source
from clineval.challenges.i2b2_2010.lines import (
    ASSERTIONS,
    CONCEPTS,
    ENDINGS,
    FILES,
    RELATIONS,
    Draft,
    ItemSide,
    Parsed,
    split_as_java,
)
from clineval.formats.dicts import read_records
from clineval.formats.given.relations import read_related
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.relations.columns import NO_RELATIONS, RelatedSide

MENTION = Slot("label", "label", (*CONCEPTS, *ASSERTIONS), required=True)
"""The labels of what is given as a mention."""
_NOTHING = read_records([], (MENTION,)), NO_RELATIONS


def read_items(given: object, side: str, files: OwnFiles) -> ItemSide:
    """Read one side.

    Args:
        given: a folder of .con, .ast and .rel files, or one of them; JSON Lines; or for each
            document a dict of ``mentions`` and ``relations``, a list of mentions alone, a
            :class:`~clineval.Document`, or a string of lines or of JSON; or a side that was read.
        side: ``predictions`` or ``references``, for messages.
        files: reads the challenge's own format, as the protocol does.
    """
    if isinstance(given, ItemSide):
        return given
    found = read_related(given, MENTION, RELATIONS, side=side, text_format=files)
    return found.items if isinstance(found, _OwnSide) else _as_items(found, side)


@dataclass(frozen=True, slots=True, eq=False)
class _OwnSide(RelatedSide):
    """A side of the challenge's own files, which are no mentions."""

    items: ItemSide


@dataclass(frozen=True, slots=True)
class OwnFiles:
    """The challenge's own format.

    Args:
        read_folder: reads a folder of files, or a file.
        parse: parses a line of a kind of items.
    """

    read_folder: Callable[[Source], ItemSide]
    parse: Callable[[str, str], Parsed]
    FILES: str = FILES

    def read_side(self, source: Source, _slot: Slot, _labels: Sequence[str], /) -> RelatedSide:
        """Read a folder, or a file."""
        return _OwnSide(*_NOTHING, self.read_folder(source))

    def read_strings(
        self, strings: Sequence[str], _slot: Slot, _labels: Sequence[str], /
    ) -> RelatedSide:
        """Read the lines of all kinds of each document."""
        draft = Draft()
        for number, text in enumerate(strings):
            for at, line in enumerate(split_as_java(text), 1):
                if line.strip():
                    where = f"document {number}:{at}"
                    draft.add(number, *located(where, self.parse, line, _kind_of(line)))
        return _OwnSide(*_NOTHING, draft.finish([""] * len(strings), None))


def _kind_of(line: str) -> str:
    """Tell the kind of a line by its fields."""
    return "relations" if '||r="' in line else "assertions" if '||a="' in line else "concepts"


def _as_items(found: RelatedSide, side: str) -> ItemSide:
    """Return mentions and relations as items whose offsets have no lines."""
    mentions, relations = found.side.mentions, found.relations
    if len(mentions.starts) != len(mentions):
        at = int(np.argmax(mentions.fragment_counts > 1))
        raise InputError(
            "expected one fragment: the items of this challenge are not discontiguous",
            where=f"{side}, document {mentions.document[at]}",
        )
    values = mentions.attributes[MENTION.name]
    runs = list(zip(mentions.starts.tolist(), (mentions.ends - 1).tolist(), strict=True))
    draft = Draft()
    for row, (start, end) in enumerate(runs):
        label = values.values[values.ids[row]]
        draft.add(int(mentions.document[row]), label, (0, start, 0, end))
    for row, ends in enumerate(zip(relations.source, relations.target, strict=True)):
        first, second = ((0, runs[at][0], 0, runs[at][1]) for at in ends)
        label = relations.label.values[relations.label.ids[row]]
        draft.add(int(relations.document[row]), label, first, second)
    return draft.finish(found.side.documents, found.side.keys, lines=False)


def all_kinds(side: ItemSide) -> frozenset[str]:
    """Return the kinds of items that a side may have: those of its files, or all."""
    return frozenset(side.files or ENDINGS)


def find_widths(
    sides: Sequence[ItemSide], moved: Sequence[IntArray], documents: int, width: int
) -> IntArray:
    """Return how many tokens lines are apart, ``[documents]``.

    Args:
        sides: the items of both sides.
        moved: the number of the document of each.
        documents: how many there are.
        width: how many tokens; 0 for as many as the longest line that an item ends in.
    """
    widths = np.full(documents, width, np.int64)
    if not width:
        for side, document in zip(sides, moved, strict=True):
            np.maximum.at(widths, document, side.places[:, 1::2].max(axis=1, initial=0) + 1)
    return widths


def as_columns(side: ItemSide, document: IntArray, widths: IntArray, slot: str) -> MentionColumns:
    """Return items as mentions; a relation has two fragments, which may overlap.

    Args:
        side: the items.
        document: ``[n]``, the number of the document of each.
        widths: as :func:`find_widths` gives them.
        slot: the slot of the labels.
    """
    order = np.argsort(document, kind="stable")
    places, related = side.places[order], side.related[order]
    offsets = places[:, ::2] * widths[document[order]][:, None] + places[:, 1::2]
    first, second = offsets[:, :2], offsets[:, 2:]
    counts = 1 + related.astype(np.int64)
    both = np.stack([first, second], axis=1)
    kept = np.column_stack([np.ones(len(order), np.bool_), related])
    return MentionColumns(
        document[order],
        np.concatenate([[0], np.cumsum(counts)]),
        both[kept][:, 0],
        both[kept][:, 1] + 1,
        {slot: Coded(side.label.ids[order], side.label.values)},
        Coded(np.zeros(len(order), np.int8), ("",)),
    )
