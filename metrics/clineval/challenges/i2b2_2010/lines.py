"""Lines of i2b2/VA 2010: ``.con``, ``.ast`` and ``.rel`` files, one of each kind for a note.

``c="the ECG" 10:3 10:4||t="test"``                                a concept
``c="pain" 8:2 8:2||t="problem"||a="absent"``                      an assertion
``c="pain" 8:2 8:2||r="PIP"||c="fever" 8:4 8:4``                   a relation

An offset is a line, counted from 1, and a token of the line, counted from 0. The last token is
inclusive. The words are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.base.errors import InputError, located, read_each, shown
from clineval.base.files import Source, find_path, name_path
from clineval.formats import looks
from clineval.formats.files import list_names, read_text_files
from clineval.formats.given.forms import open_given
from clineval.formats.given.relations import read_items
from clineval.kinds.documents import Documents
from clineval.kinds.relations.columns import RelatedSide
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot

CONCEPTS = ("problem", "test", "treatment")
ASSERTIONS = (
    "present", "absent", "possible", "hypothetical", "conditional", "associated_with_someone_else",
)  # fmt: skip
RELATIONS = ("TrIP", "TrWP", "TrCP", "TrAP", "TrNAP", "PIP", "TeRP", "TeCP")
LABELS = {"concepts": CONCEPTS, "assertions": ASSERTIONS, "relations": RELATIONS}
"""Labels of the items of each kind."""
ENDINGS = {"concepts": "con", "assertions": "ast", "relations": "rel"}
FILES = r"\.(con|ast|rel)$"
_SPAN = r'c="(?:.*)" (\d{1,9}):(\d{1,9}) (\d{1,9}):(\d{1,9})'
_LINES = {
    "concepts": re.compile(rf'{_SPAN}\|\|t="([^"]*)"\Z', re.ASCII),
    "assertions": re.compile(rf'{_SPAN}\|\|t="[^"]*"\|\|a="([^"]*)"\Z', re.ASCII),
    "relations": re.compile(rf'{_SPAN}\|\|r="([^"]*)"\|\|{_SPAN}\Z', re.ASCII),
}
_SHAPES = {
    "concepts": 'c="words" 10:3 10:4||t="test"',
    "assertions": 'c="words" 8:2 8:2||t="problem"||a="present"',
    "relations": 'c="words" 5:7 5:9||r="TrAP"||c="words" 5:4 5:5',
}
KNOWN = {kind: {label.lower(): label for label in labels} for kind, labels in LABELS.items()}
_LINE_ENDS = re.compile("\r\n|[\n\r\u2028\u2029\x85]")
_GLUED = '\rc="'
_ONE = (0, 0, 0, 0)

Place = tuple[int, int, int, int]
Parsed = tuple[str, Place, Place | None]
"""Label and place of an item, and the second place of a relation."""


@dataclass(frozen=True, slots=True, eq=False)
class ItemSide(Documents):
    """The items of one side of a corpus, in the order of the input.

    Args:
        document: ``[n]``, index of the item's document, never decreasing.
        label: ``[n]``, the item's label, which also identifies its kind.
        places: ``[n, 8]``: line and token of the first token, then of the last token. A relation
            has both concepts, in the order of the text.
        related: ``[n]``, whether the item is a relation.
        files: for each kind, the documents that have a file of it; empty if there are no files.
        lines: whether offsets have lines.
    """

    document: IntArray
    label: Coded
    places: IntArray
    related: BoolArray
    files: Mapping[str, frozenset[str]]
    lines: bool


@dataclass(slots=True)
class Draft:
    """A side under construction; items are added one by one."""

    document: list[int] = field(default_factory=list)
    label: list[str] = field(default_factory=list)
    places: list[tuple[int, ...]] = field(default_factory=list)
    related: list[bool] = field(default_factory=list)

    def add(self, document: int, label: str, first: Place, second: Place | None = None) -> None:
        """Add an item; the two concepts of a relation are sorted."""
        ends = sorted((first, second)) if second else [first, _ONE]
        self.document.append(document)
        self.label.append(label)
        self.places.append((*ends[0], *ends[1]))
        self.related.append(second is not None)

    def finish(
        self,
        documents: Sequence[str],
        keys: Sequence[str] | None,
        files: Mapping[str, Iterable[str]] | None = None,
        *,
        lines: bool = True,
    ) -> ItemSide:
        """Return the columns, document by document."""
        order = np.argsort(np.array(self.document, np.int64), kind="stable")
        label = Coded.of(self.label)
        return ItemSide(
            tuple(documents),
            None if keys is None else tuple(keys),
            np.array(self.document, np.int32)[order],
            Coded(label.ids[order], label.values),
            np.array(self.places, np.int64).reshape(-1, 8)[order],
            np.array(self.related, np.bool_)[order],
            {kind: frozenset(names) for kind, names in (files or {}).items()},
            lines,
        )


def read_folder(source: Source) -> ItemSide:
    """Read a folder's files, or one file, by the definition; errors name file and line."""
    folder = find_path(source)
    given = Path(source)
    paths = [given]
    if folder and folder.is_dir():
        paths = [folder / name for name in list_names(source, FILES)[0]]
    chosen = [
        (kind, each)
        for kind, ending in ENDINGS.items()
        for each in paths
        if each.suffix == f".{ending}"
    ]
    if not chosen:
        raise InputError(
            "expected files whose names end in .con, .ast or .rel",
            where=name_path(source),
            remedy=looks.say(
                looks.by_names(each.name for each in (*paths, *given.glob("*"))),
                "Give the directory that holds the annotations",
            ),
        )
    stems = sorted({name.stem for _, name in chosen})
    numbers = {stem: number for number, stem in enumerate(stems)}
    files: dict[str, list[str]] = {}
    draft = Draft()
    lines: list[tuple[str, str, str, int]] = []
    for kind, path in chosen:
        files.setdefault(kind, []).append(path.stem)
        for file in read_text_files(path, pattern=r"\.", separator="|"):
            lines += ((where, line, kind, numbers[path.stem]) for where, line in file.lines())
    read_each(partial(_read_line, draft), lines)
    return draft.finish(stems, stems, files)


def _read_line(draft: Draft, where: str, line: str, kind: str, document: int) -> None:
    draft.add(document, *located(where, parse_line, line.rstrip(), kind))


def parse_line(line: str, kind: str) -> Parsed:
    """Parse an item's label and place, and the second place of a relation.

    Raises:
        InputError: the line has another shape, an unknown label, or impossible offsets.

    Examples:
        >>> parse_line('c="the ECG" 10:3 10:4||t="test"', "concepts")
        ('test', (10, 3, 10, 4), None)
    """
    if _GLUED in line:  # words may contain a carriage return, so they would extend to the last item
        raise InputError(
            "two items with a carriage return between them",
            remedy="Save the file with a line feed at the end of each line",
        )
    match = _LINES[kind].match(line)
    if match is None:
        raise InputError(f"expected a line such as {_SHAPES[kind]}")
    value = match[5]
    label = KNOWN[kind].get(value.lower())
    if label is None:
        raise InputError(f"unknown value {shown(value)}, expected one of {', '.join(LABELS[kind])}")
    first = _judge([int(match[at]) for at in range(1, 5)])
    if kind != "relations":
        return label, first, None
    second = _judge([int(match[at]) for at in range(6, 10)])
    if first == second:
        raise InputError("a relation of a concept with itself")
    return label, first, second


def _judge(numbers: Sequence[int]) -> Place:
    line, token, last_line, last = numbers
    if not line or not last_line:
        raise InputError("there is no line 0, lines count from 1")
    if (last_line, last) < (line, token):
        raise InputError(f"the end {last_line}:{last} is before the start {line}:{token}")
    return line, token, last_line, last


def split_as_java(text: str) -> list[str]:
    """Split into lines as Java's Scanner does."""
    lines = _LINE_ENDS.split(text)
    return lines if lines[-1] else lines[:-1]


MENTION = Slot("label", "label", (*CONCEPTS, *ASSERTIONS), required=True)
"""The labels of items that are given as mentions."""


def read_side(
    given: object,
    side: str,
    read_folder: Callable[[Source], ItemSide],
    parse: Callable[[str, str], Parsed],
) -> ItemSide:
    """Read one side.

    Args:
        given: a folder of .con, .ast and .rel files, or one such file; JSON Lines; a side that was
            read; or a list with one item for each document. An item is a dict of ``mentions`` and
            ``relations``, a list of mentions, a :class:`~clineval.Document`, or a string of lines
            or of JSON.
        side: ``predictions`` or ``references``, for messages.
        read_folder: function that reads a folder of files, or a file, as the protocol does.
        parse: function that parses a line of a kind of items as the protocol does.
    """
    return open_given(
        given,
        side,
        ItemSide,
        read_files=read_folder,
        read_items=lambda items: _as_items(read_items(items, [MENTION], RELATIONS), side),
        read_strings=partial(_read_strings, parse=parse),
        lines_beside=FILES,
    )


def _read_strings(strings: Sequence[str], parse: Callable[[str, str], Parsed]) -> ItemSide:
    """Read the lines of all kinds of each document."""
    draft = Draft()
    for number, text in enumerate(strings):
        for at, line in enumerate(split_as_java(text), 1):
            if line.strip():
                where = f"document {number}:{at}"
                draft.add(number, *located(where, parse, line, _kind_of(line)))
    return draft.finish([""] * len(strings), None)


def _kind_of(line: str) -> str:
    return "relations" if '||r="' in line else "assertions" if '||a="' in line else "concepts"


def _as_items(found: RelatedSide, side: str) -> ItemSide:
    """Return mentions and relations as items whose offsets have no lines."""
    mentions, relations = found.side.mentions, found.relations
    if len(mentions.starts) != len(mentions):
        at = int(np.argmax(mentions.fragment_counts > 1))
        raise InputError(
            "expected one fragment: the items of this challenge are contiguous",
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


def as_columns(side: ItemSide, document: IntArray, widths: IntArray, slot: str) -> MentionColumns:
    """Return items as mentions; a relation has two fragments, which may overlap.

    Args:
        side: the items.
        document: ``[n]``, the number of the document of each item.
        widths: ``[documents]``, the number of tokens from one line to the next.
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
