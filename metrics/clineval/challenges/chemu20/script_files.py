"""Read brat files as brateval does: line by line, in the order of its hash tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise

import numpy as np

from clineval.base.arrays import Coded, IntArray, find_first
from clineval.base.errors import InputError, located
from clineval.base.files import Source
from clineval.base.offsets import judge_offset
from clineval.challenges.chemu20.java_texts import (
    hash_order,
    java_lines,
    java_split,
    java_trim,
    java_whole,
)
from clineval.formats.brat.standoff import FILES
from clineval.formats.files import TextFile, open_strings, read_text_files
from clineval.formats.given.forms import Items
from clineval.formats.given.relations import read_items
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.items import ID, QUOTE
from clineval.kinds.mentions.mention import Fragment
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.programs.lettered_lines import decode_marked, stop
from clineval.protocols.mentions_and_relations import LABEL
from clineval.results.columns import MentionColumns

_PARTS = 3
"""The number of columns, or words, of lines that are read."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The annotations of a file by id: of lines with one id, the last counts.

    Args:
        entities: label, fragments and words of each entity.
        relations: label, ids of both ends, and place of each relation.
    """

    entities: dict[str, tuple[str, Sequence[Fragment], str]] = field(default_factory=dict)
    relations: dict[str, tuple[str, str, str, str]] = field(default_factory=dict)


def read_files(source: Source, *, related: bool) -> RelatedSide:
    """Read files as the program does; ``related`` says whether it scores relations."""
    files = read_text_files(source, pattern=FILES, separator="\t", as_written=True)
    return _read(files, decode_marked, related=related)


def read_strings(strings: Sequence[str], *, related: bool) -> RelatedSide:
    """Read one string of lines for each document; they are paired by position."""
    return _read(open_strings(strings), lambda file: file.content.decode(), related=related)


def read_objects(items: Items) -> RelatedSide:
    """Read dicts or objects; mentions without ids are T1, T2 and so on, and relations R1, R2."""
    found = read_items(items, [LABEL, ID, QUOTE], ())
    ids = found.side.mentions.attributes[ID.name]
    names = [ids.values[at] for at in ids.ids.tolist()]
    numbers = found.side.number_items().tolist()
    entities = [name or f"T{at + 1}" for name, at in zip(names, numbers, strict=True)]
    document = found.relations.document
    places = (np.arange(len(document)) - find_first(document, document)).tolist()
    return _arrange(found, entities, [f"R{at + 1}" for at in places])


def _read(
    files: Iterable[TextFile], decode: Callable[[TextFile], str], *, related: bool
) -> RelatedSide:
    opened = [(file, read_lines(decode(file), file.label, related=related)) for file in files]
    names = tuple(file.stem or "" for file, _ in opened)
    entities = [(at, *of) for at, (_, doc) in enumerate(opened) for of in doc.entities.values()]
    documents, labels, spans, words = zip(*entities, strict=True) if entities else ((),) * 4
    ids = [id_ for _, doc in opened for id_ in doc.entities]
    slots = {LABEL.name: Coded.of(labels), QUOTE.name: Coded.of(words)}
    mentions = MentionColumns.of(documents, spans, slots)
    rows = {(at, id_): row for row, (at, id_) in enumerate(zip(documents, ids, strict=True))}
    links = [(at, *of) for at, (_, doc) in enumerate(opened) for of in doc.relations.values()]
    relations = RelationColumns.of(
        [len(doc.relations) for _, doc in opened],
        [label for _, label, *_ in links],
        [(rows[at, source], rows[at, target]) for at, _, source, target, _ in links],
    )
    side = Side(names, names if all(names) else None, mentions)
    related_ids = [id_ for _, doc in opened for id_ in doc.relations]
    return _arrange(RelatedSide(side, relations), ids, related_ids)


def _arrange(side: RelatedSide, entities: Sequence[str], links: Sequence[str]) -> RelatedSide:
    """Put entities and relations in the order in which the program visits their ids."""
    mentions, relations = side.side.mentions, side.relations
    rows = _order(mentions.document, entities)
    places = np.empty(len(rows), np.int64)
    places[rows] = np.arange(len(rows))
    kept = relations.take(_order(relations.document, links))
    return RelatedSide(
        replace(side.side, mentions=mentions.take(rows)),
        replace(kept, source=places[kept.source], target=places[kept.target]),
    )


def _order(document: IntArray, ids: Sequence[str]) -> IntArray:
    """Return the rows of each document in the order of the hash table of their ids."""
    bounds = np.append(np.flatnonzero(np.diff(document, prepend=-1)), len(document)).tolist()
    rows = [first + at for first, last in pairwise(bounds) for at in hash_order(ids[first:last])]
    return np.array(rows, np.int64)


def read_lines(text: str, label: str, *, related: bool) -> Lines:
    """Read the lines of a file, whose name for messages is ``label``.

    Raises:
        InputError: the program ends with an error at a line.
    """
    lines = Lines()
    for number, line in enumerate(java_lines(text), 1):
        where = f"{label}:{number}"
        try:
            if java_trim(line):
                _read_line(line, lines, where)
        except InputError:
            raise
        except (IndexError, ValueError):
            raise stop(where) from None
    if not related:
        lines.relations.clear()
    for _, source, target, where in lines.relations.values():
        if not lines.entities.keys() >= {source, target}:
            raise stop(where)
    return lines


def _read_line(line: str, lines: Lines, where: str) -> None:
    """Add the annotation of a line; fail in any way if the program fails."""
    kind, cells = line[0], java_split(java_trim(line), "\t")
    if kind == "T":
        _read_entity(java_split(line, "\t"), lines, where)
    elif kind == "R":
        _read_relation(java_split(java_trim(line), " "), lines, where)
    elif kind == "*":
        _find(line, 1)
        _find(java_split(line[2:], " "), 0)
    elif kind in "NA#ME" and (len(cells) > 1 if kind in "AME" else len(cells) == _PARTS):
        words = java_split(cells[1], " ")
        _find(words, {"N": 2, "#": 1}.get(kind, 0))
        _find(java_split(words[0], ":"), int(kind == "E"))


def _find(parts: Sequence[str], at: int) -> str:
    """Return a part, which the program needs even if it does not score it."""
    return parts[at]


def _read_entity(cells: Sequence[str], lines: Lines, where: str) -> None:
    if len(cells) != _PARTS:
        return
    label = java_split(cells[1], " ")[0]
    parts = java_split(java_trim(cells[1][len(label) :]), ";")
    ends = [java_split(part, " ") for part in parts]
    spans = [(java_whole(pair[0]), java_whole(pair[1])) for pair in ends]
    for offset in chain.from_iterable(spans):
        located(where, judge_offset, offset)
    lines.entities[cells[0]] = label, spans, cells[2]


def _read_relation(words: Sequence[str], lines: Lines, where: str) -> None:
    if len(words) == _PARTS:
        source, target = (java_split(word, ":")[1] for word in words[1:])
        cells = java_split(words[0], "\t")
        lines.relations[cells[0]] = cells[1], source, target, where
