"""brat's standoff files straight into columns, for scoring."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import warn
from clineval.base.files import Source
from clineval.formats.brat import parts, standoff, words
from clineval.formats.brat.attributes import read_attributes
from clineval.formats.brat.standoff import Standoff, parse
from clineval.formats.files import TextFile
from clineval.kinds.mentions.columns import MentionColumns, Side, concatenate, fill_slots
from clineval.kinds.mentions.slots import ANY, Slot
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.kinds.relations.columns import concatenate as concatenate_relations

FILES = standoff.FILES
ReadSlots = Callable[[Standoff], Mapping[str, Coded]]
"""Reads slots of the mentions of some files, ``[n]`` each."""


class Part(NamedTuple):
    """What some files hold, and how many events and equivalences, which are not read."""

    mentions: MentionColumns
    relations: RelationColumns
    events: int
    equivalences: int


def read_nothing(_standoff: Standoff) -> Mapping[str, Coded]:
    """Read no slots."""
    return {}


def read_side(
    source: Source,
    slot: Slot,
    labels: Sequence[str],
    *,
    slots: ReadSlots = read_nothing,
    loops: bool = False,
) -> RelatedSide:
    r"""Read files for scoring; documents are paired by the names of the files.

    Args:
        source: a directory of ``*.ann``, one file, or the text itself.
        slot: the slot that a mention's type is, with its types.
        labels: the types that relations can have; empty for any.
        slots: reads what else is said of mentions, such as brat's attributes.
        loops: whether a mention can be related with itself.

    Raises:
        InputError: names the file and the line, also of a mention that a text beside the file
            does not reach. All other problems of the same files come with it.

    Examples:
        >>> text = "T1\tDrug 0 7\taspirin\nT2\tForm 8 14\ttablet\nR1\tForm-Drug Arg1:T2 Arg2:T1\n"
        >>> side = read_side(text, Slot("label", "label"), [])
        >>> side.side.mentions.ends.tolist(), side.relations.source.tolist()
        ([7, 14], [1])
    """

    def read(files: Sequence[TextFile], texts: Sequence[str | None], first: int) -> Part:
        return _read(files, texts, slot, labels, first, slots=slots, loops=loops)

    return _join(*parts.read_files(source, read))


def read_strings(
    strings: Sequence[str],
    slot: Slot,
    labels: Sequence[str],
    *,
    slots: ReadSlots = read_nothing,
    loops: bool = False,
) -> RelatedSide:
    """Read one string of lines for each document; they are paired by position."""

    def read(files: Sequence[TextFile], texts: Sequence[str | None], first: int) -> Part:
        return _read(files, texts, slot, labels, first, slots=slots, loops=loops)

    return _join(*parts.read_strings(strings, read))


def _read(  # noqa: PLR0913 - as read_side, and where the files stand
    files: Sequence[TextFile],
    texts: Sequence[str | None],
    slot: Slot,
    labels: Sequence[str],
    first: int,
    *,
    slots: ReadSlots,
    loops: bool,
) -> Part:
    """Read the mentions and relations of some files; documents are numbered from ``first``."""
    found = parse(files, labels=slot.values, relations=labels, loops=loops)
    found.check_offsets(texts)
    others = slots(found)
    found.refuse()
    mentions, relations = found.mentions, found.relations
    return Part(
        replace(
            mentions,
            document=(mentions.document + first).astype(np.int32),
            attributes={**others, slot.name: mentions.attributes["label"]},
        ),
        replace(relations, document=(relations.document + first).astype(np.int32)),
        found.count(b"E"),
        found.count(b"*"),
    )


def _join(read: Sequence[Part], documents: parts.Documents) -> RelatedSide:
    mentions = fill_slots([part.mentions for part in read])
    relations = concatenate_relations([part.relations for part in read], list(map(len, mentions)))
    warn(
        "{n} {event|events} in brat's files {is|are} not read",
        n=sum(part.events for part in read),
    )
    warn(
        "{n} {equivalence|equivalences} (* lines) in brat's files {is|are} not read",
        n=sum(part.equivalences for part in read),
    )
    return RelatedSide(documents.with_mentions(concatenate(mentions)), relations)


@dataclass(frozen=True, slots=True)
class BratLabels:
    """brat's files as the text format of mentions whose labels are brat's types.

    It is what :func:`clineval.formats.given.mentions.read_side` asks for.
    """

    FILES: str = FILES
    UNREAD: AbstractSet[str] = frozenset({"cui"})
    why: str = "only spans are scored"
    """Why relations are not read, for the warning."""

    def document_key(self, name: str) -> str:
        """Return the name without ``.txt``, which names of brat's documents may lack."""
        return name.removesuffix(".txt")

    def reader_of(self, slots: Sequence[Slot]) -> ReadSlots:
        """Return what reads slots of files besides the types: attributes, if any are wanted."""
        return read_attributes if any(slot.name == ANY for slot in slots) else read_nothing

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read a directory, a file or a text; if not strictly, as released scripts split words."""
        if not strict:
            return words.read_side(source, slots[0].name)
        found = read_side(source, slots[0], (), slots=self.reader_of(slots), loops=True)
        message = "{n} {relation|relations} in brat's files {is|are} not read, as "
        warn(message + self.why, n=len(found.relations))
        return found.side

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read one string of lines for each document."""
        return read_strings(strings, slots[0], (), loops=True).side
