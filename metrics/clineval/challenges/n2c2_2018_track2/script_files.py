"""Read files as the released script of n2c2 2018 Track 2 does: line by line, with its quirks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.files import Source
from clineval.formats.brat import standoff
from clineval.formats.files import open_strings, read_text_files
from clineval.kinds.mentions.columns import Side
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.programs.lettered_lines import (
    decode_marked,
    read_mentions,
    split_lines,
    split_three,
    stop,
)
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot

FILES = standoff.FILES


@dataclass(frozen=True, slots=True, eq=False)
class ScriptSide(RelatedSide):
    """One side as the script reads it.

    Args:
        names: a number for each document and id, ``[n]``, by kind of annotation. Annotations with
            the same number count once. The script overwrites ids that are written alike, but
            strips blanks before it counts them.
    """

    names: Mapping[str, IntArray]


@dataclass(frozen=True, slots=True)
class Lines:
    """The annotations that the script reads in one file.

    Args:
        mentions: type, start and end of each mention, by its id as written.
        relations: type and ids of both arguments of each relation, by its id as written.
        messages: the script's messages about lines, in order; it prints the path before each.
    """

    mentions: Mapping[str, tuple[str, int, int]]
    relations: Mapping[str, tuple[str, str, str]]
    messages: Sequence[str]


def read_side(source: Source, slot: Slot) -> ScriptSide:
    """Read files as the script does, with any labels."""
    files = read_text_files(source, pattern=FILES, separator="\t", as_written=True)
    visible = [
        (file.stem or "", read_lines(decode_marked(file), file.label))
        for file in files
        if not (file.stem or "").startswith(".")
    ]
    names = tuple(name for name, _ in visible)
    return _as_side(names, names if all(names) else None, [read for _, read in visible], slot)


def read_strings(strings: Sequence[str], slot: Slot) -> ScriptSide:
    """Read one string of lines for each document; they are paired by position."""
    read = [read_lines(file.content.decode(), file.label) for file in open_strings(strings)]
    return _as_side(("",) * len(read), None, read, slot)


def _as_side(
    names: tuple[str, ...], keys: tuple[str, ...] | None, read: Sequence[Lines], slot: Slot
) -> ScriptSide:
    """Arrange the lines of all documents in columns, in the order of lines."""
    concepts = [(at, id_, *of) for at, doc in enumerate(read) for id_, of in doc.mentions.items()]
    relations = [(at, id_, *of) for at, doc in enumerate(read) for id_, of in doc.relations.items()]
    rows = {(at, id_): row for row, (at, id_, *_) in enumerate(concepts)}
    mentions = MentionColumns.labelled(
        [(at, label, start, end) for at, _, label, start, end in concepts], slot.name
    )
    related = RelationColumns.of(
        [len(doc.relations) for doc in read],
        [label for _, _, label, *_ in relations],
        [(rows[at, source], rows[at, target]) for at, *_, source, target in relations],
    )
    numbers = {
        "concepts": _number((at, id_) for at, id_, *_ in concepts),
        "relations": _number((at, id_) for at, id_, *_ in relations),
    }
    return ScriptSide(Side(names, keys, mentions), related, numbers)


def _number(ids: Iterable[tuple[int, str]]) -> IntArray:
    """Return a number for each pair of document and id; blanks around ids are ignored."""
    known: dict[tuple[int, str], int] = {}
    found = [known.setdefault((document, id_.strip()), len(known)) for document, id_ in ids]
    return np.array(found, np.int64)


def read_lines(text: str, label: str) -> Lines:
    """Read one file line by line as the script does; ``label`` is its name in messages.

    Raises:
        InputError: the script ends with an error at a line.
    """
    lines = split_lines(text, label)
    messages: list[str] = []
    mentions = read_mentions(lines, messages)
    relations: dict[str, tuple[str, str, str]] = {}
    for where, _, stripped in lines:
        if stripped.startswith("R"):
            id_, *relation = _read_relation(stripped, mentions, where)
            relations[id_] = (relation[0], relation[1], relation[2])
    return Lines(mentions, relations, messages)


def _read_relation(line: str, mentions: Collection[str], where: str) -> tuple[str, str, str, str]:
    id_, words = split_three(line, where)
    source, target = ((*word.split(":"), "")[1] for word in words[1:])
    if source not in mentions or target not in mentions:
        raise stop(where)
    return id_, words[0].strip(), source, target
