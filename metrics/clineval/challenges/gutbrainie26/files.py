"""The JSON of GutBrainIE: entities in title and abstract, relations of mentions and of concepts.

``{PMID: {"entities": [...], "mention_level_relations": [...], "concept_level_relations": [...],
"metadata": {"title", "abstract"}}}``; only the gold standard has ``metadata``. Offsets restart in
title and abstract, and ends are inclusive. The files of 2025 have another name for relations of
mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import NamedTuple

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, called, located, read_all, shown, unknown_name, warn
from clineval.base.files import Source
from clineval.formats.files import TextFile, check_new_id, read_text_files
from clineval.formats.note_json import parse
from clineval.formats.parts import PartedSide, Parts
from clineval.kinds.relations.tuples import LABEL, NO_CODE, SORT, VALUE, join_ends, join_labels
from clineval.results.columns import MentionColumns
from clineval.results.slots import INVENTED

FILES = r"\.json$"
NER, NERD, MENTIONS, CONCEPTS = "ner", "nerd", "mention_relations", "concept_relations"
LISTS = {
    NER: ("entities",),
    NERD: ("entities",),
    MENTIONS: ("mention_level_relations", "ternary_mention_based_relations"),
    CONCEPTS: ("concept_level_relations",),
}
"""Sort of items to the names of its list; the first name is the one of 2026."""
PARTS = ("title", "abstract")
LABELS = (
    "anatomical location",
    "animal",
    "bacteria",
    "biomedical technique",
    "chemical",
    "DDF",
    "dietary supplement",
    "drug",
    "food",
    "gene",
    "human",
    "microbiome",
    "statistical technique",
)
PREDICATES = (
    "administered",
    "affect",
    "change abundance",
    "change effect",
    "change expression",
    "compared to",
    "impact",
    "influence",
    "interact",
    "is a",
    "is linked to",
    "located in",
    "part of",
    "produced by",
    "strike",
    "target",
    "used by",
)
_ENDS = {MENTIONS: "text_span", CONCEPTS: "uri"}


class Item(NamedTuple):
    """A tuple: sort, label, words or codes, and its offsets in the joined text."""

    sort: str
    label: str
    value: str = ""
    start: int = 0
    end: int = 0
    words: str = ""


WORDS = "words"
"""The column of the words that files give for entities; no score compares them."""
Held = Mapping[str, object]
Named = tuple[str | None, object, str]
"""Name, content and place of a document."""


def list_documents(source: Source) -> Iterator[Named]:
    """Yield the documents of files or of text.

    Raises:
        InputError: a file is not an object of documents, or two documents have the same name.
    """
    places: dict[str | None, str] = {}
    for file in read_text_files(source, pattern=FILES, separator="{"):
        for name, document in open_file(file).items():
            where = f"{file.label}, document {called(name)}"
            check_new_id(places, name, where)
            yield name, document, where


def open_file(file: TextFile) -> Mapping[str, object]:
    """Return the documents of a file by name."""
    content = parse(file)
    if isinstance(content, dict):
        return content
    problem = f"expected an object of documents, got {shown(content)}"
    raise InputError(problem, where=file.label)


def is_native(document: object) -> bool:
    """Return whether a dict has one of the lists."""
    known = {name for names in LISTS.values() for name in names}
    return isinstance(document, Mapping) and not known.isdisjoint(document)


@dataclass(frozen=True, slots=True)
class Reading:
    """Reads documents.

    Args:
        sorts: the sorts of items to read.
        gold: whether to reject invalid items; otherwise they count as wrong, with a warning.
    """

    sorts: Sequence[str]
    gold: bool

    def read(self, documents: Iterable[Named]) -> PartedSide:
        """Return the items of documents as mentions; relations have an empty fragment."""
        listed = list(documents)
        read = read_all(partial(self._read_document, of, where) for _, of, where in listed)
        found: list[tuple[Parts, list[Item]]] = read
        self._warn([item for _, items in found for item in items])
        names = tuple(name or "" for name, _, _ in listed)
        keys = names if any(names) or not names else None
        parts = tuple(parts for parts, _ in found)
        texts = tuple(of.text for of in parts)
        rows = [(at, item) for at, (_, items) in enumerate(found) for item in items]
        return PartedSide(names, keys, as_columns(rows), texts, parts=parts)

    def _read_document(self, document: object, where: str) -> tuple[Parts, list[Item]]:
        held = located(where, expect_object, document)
        parts = located(where, read_parts, held)
        readers: list[Callable[[], Item]] = []
        numbers = count()
        for sort in self.sorts:
            for at, item in enumerate(located(where, self._find_list, held, sort), 1):
                place = f"{where}, {LISTS[sort][0]} {at}"
                readers.append(partial(self._read_item, sort, item, parts, place, next(numbers)))
        return parts, read_all(readers)

    def _find_list(self, held: Held, sort: str) -> Sequence[object]:
        several = len(self.sorts) > 1
        for name in LISTS[sort]:
            if name in held:
                found = expect_list(held[name], name)
                return () if several and sort == NERD and not any(map(_has_code, found)) else found
        if self.gold and not several:
            raise InputError(f"expected a list {LISTS[sort][0]!r}")
        return ()

    def _read_item(self, sort: str, item: object, parts: Parts, where: str, number: int) -> Item:
        read = partial(read_relation, sort) if sort in _ENDS else partial(read_entity, sort, parts)
        if self.gold:
            return located(where, read, item)
        try:
            return read(item)
        except InputError:
            held = item if isinstance(item, Mapping) else {}
            start = parts.beyond + number  # no gold item is there
            return Item(sort, find_label(held, sort), f"{INVENTED} {number}", start, start + 1)

    def _warn(self, items: Iterable[Item]) -> None:
        warn(
            "{n} predicted {item has|items have} an unknown label, predicate or location, invalid "
            "offsets or a missing field, and {counts|count} as wrong",
            n=sum(item.value.startswith(INVENTED) for item in items),
        )


def _has_code(item: object) -> bool:
    return isinstance(item, Mapping) and "uri" in item


def as_columns(rows: Sequence[tuple[int, Item]]) -> MentionColumns:
    """Return items, each with the number of its document, as columns."""
    slots = {
        SORT.name: Coded.of([item.sort for _, item in rows]),
        LABEL.name: Coded.of([item.label for _, item in rows]),
        VALUE.name: Coded.of([item.value for _, item in rows]),
    }
    slots[WORDS] = Coded.of([item.words for _, item in rows])
    spans = [((item.start, item.end),) for _, item in rows]
    return MentionColumns.of(np.array([at for at, _ in rows], np.int32), spans, slots)


def read_parts(held: Held) -> Parts:
    """Return the parts of a document; their texts are unknown without ``metadata``."""
    metadata = held.get("metadata")
    texts = {part: metadata.get(part) for part in PARTS} if isinstance(metadata, Mapping) else {}
    known = {part: text for part, text in texts.items() if isinstance(text, str)}
    if len(known) == len(PARTS):
        return Parts.of(known, inclusive=True)
    return Parts.unknown(PARTS, inclusive=True)


def read_entity(sort: str, parts: Parts, entity: object) -> Item:
    """Read an entity: its label and place, and for links its URI; the words are not compared."""
    held = expect_object(entity)
    label, words = expect_word(held, "label", LABELS), expect_word(held, "text_span")
    place = parts.place(*(expect(held, name) for name in ("location", "start_idx", "end_idx")))
    return Item(sort, label, read_code(held, "uri") if sort == NERD else "", *place, words)


def read_relation(sort: str, relation: object) -> Item:
    """Read a relation of mentions or concepts."""
    held = expect_object(relation)
    label = join_labels(
        expect_word(held, "subject_label", LABELS),
        expect_word(held, "predicate", PREDICATES),
        expect_word(held, "object_label", LABELS),
    )
    read = read_code if sort == CONCEPTS else expect_word
    ends = (read(held, f"{end}_{_ENDS[sort]}") for end in ("subject", "object"))
    return Item(sort, label, join_ends(*ends))


def find_label(held: Held, sort: str) -> str:
    """Return the label of an invalid item, whose unreadable parts are replaced."""
    names = ("subject_label", "predicate", "object_label") if sort in _ENDS else ("label",)
    values = (held.get(name) for name in names)
    words = [value if isinstance(value, str) and value else INVENTED for value in values]
    return join_labels(*words) if sort in _ENDS else words[0]


def expect(held: Held, name: str) -> object:
    """Return the value of a field."""
    if name not in held:
        raise InputError(f"{name!r} is missing")
    return held[name]


def expect_word(held: Held, name: str, known: Sequence[str] = ()) -> str:
    """Return the string in a field, one of ``known`` if there are any."""
    value = expect(held, name)
    if not isinstance(value, str):
        raise InputError(f"{name}: expected a string, got {shown(value)}")
    if known and value not in known:
        raise unknown_name(name, value, known)
    return value


def read_code(held: Held, name: str) -> str:
    """Return a URI; null and an empty string are no link, like NA."""
    value = expect(held, name)
    return NO_CODE if value is None or value == "" else expect_word(held, name)


def expect_object(given: object) -> Held:
    """Return an object."""
    if isinstance(given, Mapping):
        return given
    raise InputError(f"expected an object, got {shown(given)}")


def expect_list(given: object, name: str) -> Sequence[object]:
    """Return a list."""
    if isinstance(given, (list, tuple)):
        return given
    raise InputError(f"{name}: expected a list, got {shown(given)}")
