"""brat's standoff files as columns, for scoring."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import warn
from clineval.base.files import Source
from clineval.base.offsets import LARGEST
from clineval.formats.brat.attributes import Values, read_attributes
from clineval.formats.brat.free_links import read_free_links
from clineval.formats.brat.standoff import (
    FILES,
    Standoff,
    count_lines,
    find_text,
    open_files,
    parse_mentions,
    read_relations,
    refuse,
)
from clineval.formats.files import TextFile, open_strings
from clineval.kinds.mentions.columns import Side
from clineval.kinds.relations.columns import NO_RELATIONS, RelatedSide, RelationColumns
from clineval.results.columns import MentionColumns
from clineval.results.slots import ANY, Slot

_PLAIN = re.compile(
    r"^(T\d{1,9})\t([^ \t\r\n]+) (\d{1,9} \d{1,9})\t[^\t\r\n]*[^ \t\r\n] *\n",
    re.ASCII | re.MULTILINE,
)
ReadSlots = Callable[[Standoff], Values]
"""Reads the slots of the mentions of a file."""


class Unread(NamedTuple):
    """The ends of the warnings about lines that are ignored.

    Args:
        events: the end of the warning about events.
        equivalences: the end of the warning about equivalences.
        attributes: the end of the warning about attributes; empty for no warning.
    """

    events: str = ""
    equivalences: str = ""
    attributes: str = ""


NO_ADVICE = Unread()


def read_nothing(_standoff: Standoff) -> Values:
    """Read no slots."""
    return {}


def read_files(  # noqa: PLR0913 - all of them differ between challenges
    files: Iterable[TextFile],
    slot: Slot,
    labels: Sequence[str] = (),
    slots: ReadSlots = read_nothing,
    *,
    loops: bool = False,
    free: bool = False,
    unread: Unread = NO_ADVICE,
) -> RelatedSide:
    r"""Read mentions and relations; documents are paired by file name.

    Args:
        files: the files.
        slot: the slot for the type of a mention, with the allowed types.
        labels: the types that relations can have; empty for any.
        slots: reads further slots of mentions, such as brat's attributes.
        loops: whether a relation can connect a mention with itself.
        free: whether relations of any scheme are read, and equivalences as relations; see
            :mod:`clineval.formats.brat.free_links`.
        unread: how the warnings about lines that are ignored end.

    Raises:
        InputError: a line is invalid, or a mention is outside the text beside the file. The
            message names file and line; all other problems are added.

    Examples:
        >>> text = "T1\tDrug 0 7\taspirin\nT2\tForm 8 14\ttablet\nR1\tForm-Drug Arg1:T2 Arg2:T1\n"
        >>> side = read_files(open_files(text), Slot("label", "label"))
        >>> side.side.mentions.ends.tolist(), side.relations.source.tolist()
        ([7, 14], [1])
    """
    files = list(files)
    texts = list(map(find_text, files))
    plain = _read_plain(files, texts, slot) if slots is read_nothing else None
    if plain is not None:
        return plain
    parsed = [
        parse_mentions(file, text, labels=slot.values)
        for file, text in zip(files, texts, strict=True)
    ]
    for standoff in parsed:
        if free:
            read_free_links(standoff)
        else:
            read_relations(standoff, labels, loops=loops)
    values = list(map(slots, parsed))
    refuse(parsed)
    _warn_of_unread(parsed, unread, free=free)
    names = dict.fromkeys(name for own in values for name in own)
    found = {name: as_column(parsed, [own.get(name, {}) for own in values]) for name in names}
    labelled = [mention.label for file in parsed for mention in file.mentions.values()]
    mentions = as_columns(parsed, {**found, slot.name: Coded.of(labelled)})
    return RelatedSide(as_side(parsed, mentions), as_relations(parsed))


def _warn_of_unread(files: Sequence[Standoff], unread: Unread, *, free: bool) -> None:
    warn(
        "{n} {event|events} in brat's files {is|are} ignored" + unread.events,
        n=count_lines(files, "E"),
    )
    warn(
        "{n} {equivalence|equivalences} (* lines) in brat's files {is|are} ignored"
        + unread.equivalences,
        n=0 if free else count_lines(files, "*"),
    )
    warn(
        "{n} {attribute|attributes} in brat's files {is|are} ignored" + unread.attributes,
        n=count_lines(files, "AM") if unread.attributes else 0,
    )


def _read_plain(
    files: Sequence[TextFile], texts: Sequence[str | None], slot: Slot
) -> RelatedSide | None:
    """Read files with only mentions of one fragment in a fast way; None if a file has other lines.

    Corpora for de-identification consist of many such files.
    """
    opened = list(map(Standoff, files, texts))
    counts, labels, offsets = list[int](), list[str](), list[int]()
    for each in opened:
        content = each.file.content.decode()
        rows = _PLAIN.findall(content)
        numbers = [int(number) for *_, span in rows for number in span.split(" ")]
        size = len(each.text) if each.text is not None else LARGEST
        if len({id_ for id_, *_ in rows}) < content.count("\n") or max(numbers, default=0) > size:
            return None
        counts.append(len(rows))
        labels += [label for _, label, _ in rows]
        offsets += numbers
    starts, ends = np.array(offsets, np.int32).reshape(-1, 2).T.copy()
    if (ends <= starts).any() or (slot.values and not set(slot.values).issuperset(labels)):
        return None
    documents = np.repeat(np.arange(len(files), dtype=np.int32), np.array(counts, np.int64))
    bounds = np.arange(len(labels) + 1)
    columns = MentionColumns(documents, bounds, starts, ends, {slot.name: Coded.of(labels)})
    return RelatedSide(as_side(opened, columns), NO_RELATIONS)


def as_side(files: Sequence[Standoff], mentions: MentionColumns) -> Side:
    """Return the documents of some files with these mentions, paired by file name."""
    names = tuple(file.file.stem or "" for file in files)
    return Side(names, names if all(names) else None, mentions, tuple(file.text for file in files))


def as_columns(files: Sequence[Standoff], attributes: Mapping[str, Coded]) -> MentionColumns:
    """Return the mentions of some files; the number of a file is that of its document."""
    sizes = np.array([len(file.mentions) for file in files], np.int64)
    spans = [mention.spans for file in files for mention in file.mentions.values()]
    return MentionColumns.of(np.repeat(np.arange(len(files)), sizes), spans, attributes)


def as_column(
    files: Sequence[Standoff], values: Sequence[Mapping[str, str]], absent: str = "no"
) -> Coded:
    """Return the value of each mention, from the values of each file by mention id."""
    both = zip(files, values, strict=True)
    return Coded.of([own.get(id_, absent) for file, own in both for id_ in file.mentions])


def as_relations(files: Sequence[Standoff]) -> RelationColumns:
    """Return the relations of some files, between the mentions of :func:`as_columns`."""
    first = 0
    ends: list[tuple[int, int]] = []
    for file in files:
        rows = {id_: row for row, id_ in enumerate(file.mentions, first)}
        ends += ((rows[link.source], rows[link.target]) for link in file.relations.values())
        first += len(rows)
    labels = [link.label for file in files for link in file.relations.values()]
    return RelationColumns.of([len(file.relations) for file in files], labels, ends)


@dataclass(frozen=True, slots=True)
class BratLabels:
    """brat as the text format of mentions whose labels are brat's types.

    It is a text format for :func:`clineval.formats.given.mentions.read_side`.
    """

    FILES: str = FILES
    UNREAD: AbstractSet[str] = frozenset({"cui"})
    why: str = "only spans are scored"
    """Why relations are ignored, for the warning."""
    unread: Unread = NO_ADVICE
    """How the warnings about other ignored lines end."""

    def document_key(self, name: str) -> str:
        """Return the name without ``.txt``."""
        return name.removesuffix(".txt")

    def reader_of(self, slots: Sequence[Slot]) -> ReadSlots:
        """Return the reader of slots: it reads attributes if ``slots`` allows any slot."""
        return read_attributes if any(slot.name == ANY for slot in slots) else read_nothing

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read a directory, a file or a text."""
        reader, files = self.reader_of(slots), open_files(source)
        found = read_files(files, slots[0], (), reader, loops=True, unread=self.unread)
        message = "{n} {relation|relations} in brat's files {is|are} ignored, because "
        warn(message + self.why, n=len(found.relations))
        return found.side

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read one string of lines for each document."""
        files = open_strings(strings)
        reader = self.reader_of(slots)
        return read_files(files, slots[0], (), reader, loops=True, unread=self.unread).side
