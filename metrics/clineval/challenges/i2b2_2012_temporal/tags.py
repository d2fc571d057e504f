"""The annotations of i2b2 2012: events, times and links of a note, from its XML to columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, shown, warn
from clineval.formats.files import TextFile
from clineval.formats.i2b2_xml import Record, Tag, parse_document_tags
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.items import ID
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.results.columns import MentionColumns
from clineval.results.slots import INVENTED, Slot

EVENT, TIMEX3, SECTIME, TLINK = "EVENT", "TIMEX3", "SECTIME", "TLINK"
BEFORE, AFTER, OVERLAP = "BEFORE", "AFTER", "OVERLAP"
LINKS = (BEFORE, AFTER, OVERLAP)
"""The labels of links."""
SAME = (OVERLAP, "SIMULTANEOUS", "DURING")
"""The labels that mean OVERLAP."""
NAMED = ("ADMISSION", "DISCHARGE")
"""Ends of links that belong to both sides, by name."""
SLOTS = {
    EVENT: {"type": "type", "polarity": "polarity", "modality": "modality"},
    TIMEX3: {"value": "val", "type": "type", "modifier": "mod"},
}
"""Entity to its slots and the attributes of its tag, the most important one first."""
VALUES = {
    "type": (
        *("PROBLEM", "TEST", "TREATMENT", "CLINICAL_DEPT", "EVIDENTIAL", "OCCURRENCE"),
        *("DATE", "TIME", "DURATION", "FREQUENCY"),
    ),
    "polarity": ("POS", "NEG"),
    "modality": ("FACTUAL", "CONDITIONAL", "POSSIBLE", "PROPOSED"),
    "modifier": ("NA", "MORE", "LESS", "APPROX", "START", "MIDDLE", "END"),
}
"""Slot to its values in the guidelines."""
LABEL = Slot("label", "label", required=True)
ATTRIBUTES = tuple(
    Slot(name, "label") for name in ("type", "polarity", "modality", "value", "modifier")
)
WORDS = Slot("words", "label")
"""The words of a mention, by which exact spans are compared if they are known."""
ALL_SLOTS = (LABEL, *ATTRIBUTES, WORDS, ID)
NOWHERE = ((0, 0),)
"""The span of an end without a place."""
_NAMES = tuple(slot.name for slot in ALL_SLOTS)
_PUNCTUATION = frozenset(",.?!\"'<>;:/\\~_-+=()[]{}|@#$%^&*`")
_ENDS = ("fromID", "toID")
Entity = tuple[tuple[int, int], dict[str, str]]
"""A span, and the values of slots."""


def normalize_words(text: str) -> str:
    """Return the words of a text without those that are a punctuation mark.

    Examples:
        >>> normalize_words(" chest  pain . ")
        'chest pain'
    """
    return " ".join(word for word in text.split() if word not in _PUNCTUATION)


@dataclass(frozen=True, slots=True)
class Note:
    """The annotations of a file.

    Args:
        file: the file.
        record: its text and tags.
    """

    file: TextFile
    record: Record

    @classmethod
    def of(cls, file: TextFile) -> Note:
        """Read a file."""
        return cls(file, parse_document_tags(file))

    def list_entities(self) -> list[Entity]:
        """List events and times, and the times of sections, which can be ends of links.

        Raises:
            InputError: a tag has no id or an invalid span, or repeats an id.
        """
        found: dict[str, Entity] = {}
        for tag in self.record.tags:
            if tag.element not in (EVENT, TIMEX3, SECTIME):
                continue
            values = dict.fromkeys(_NAMES, "")
            for slot, name in SLOTS.get(tag.element, {}).items():
                values[slot] = tag.attributes.get(name, "").strip().upper()
            id_ = tag.attributes.get("id", "").strip()
            if not id_ or id_ in found:
                problem = "id: it is empty" if not id_ else f"id: {shown(id_)} is repeated"
                raise self._refuse(tag, problem, "Give each entity an id of its own")
            values |= {"label": tag.element, "id": id_}
            values["words"] = normalize_words(tag.attributes.get("text", ""))
            found[id_] = self._read_span(tag), values
        return [*found.values()]

    def _read_span(self, tag: Tag) -> tuple[int, int]:
        written = [tag.attributes.get(name, "").strip() for name in ("start", "end")]
        if not all(value.isascii() and value.isdecimal() for value in written):
            raise self._refuse(tag, "start, end: expected two numbers", "Correct the offsets")
        start, end = map(int, written)
        text = self.record.text
        if not start < end or (text is not None and end > len(text)):
            problem = f"start, end: {start}-{end} is no span of the text"
            raise self._refuse(tag, problem, "Count characters of the text from 0, end exclusive")
        return start, end

    def list_links(self) -> list[tuple[str, str, str]]:
        """List links: type, and the ids of both ends."""
        return [
            (tag.attributes.get("type", "").strip().upper(), *self._read_ends(tag))
            for tag in self.record.tags
            if tag.element == TLINK
        ]

    def _read_ends(self, tag: Tag) -> tuple[str, str]:
        source, target = (tag.attributes.get(name, "").strip() for name in _ENDS)
        return source, target

    def _refuse(self, tag: Tag, problem: str, remedy: str) -> InputError:
        return InputError(
            f"{tag.element} {problem}", where=f"{self.file.label}:{tag.line}", remedy=remedy
        )


class Columns:
    """Mentions and links as columns, to which notes are added.

    Args:
        side: ``predictions`` or ``references``, so that ends without a place differ between sides.
    """

    def __init__(self, side: str) -> None:
        self._side = side
        self._spans: list[tuple[tuple[int, int]]] = []
        self._values: dict[str, list[str]] = {name: [] for name in _NAMES}
        self._spelling: list[str] = []
        self._sizes: list[int] = []
        self._texts: list[str | None] = []
        self._links: list[str] = []
        self._link_counts: list[int] = []
        self._ends: list[tuple[int, int]] = []
        self._unknown_ends = self._unknown_types = 0

    def add(self, note: Note) -> None:
        """Add the entities, the links and the text of a note."""
        first = len(self._spans)
        rows: dict[str, int] = {}
        for span, values in note.list_entities():
            rows[values["id"]] = self._add_mention(span, values, "")
        links = note.list_links()
        for type_, *ids in links:
            known = type_ in (*LINKS, *SAME)
            self._unknown_types += not known
            own = f"{INVENTED} {type_} {' '.join(ids)} ({self._side})"
            ends = [
                self._find_end(id_, rows, f"{own} {at}", known=known) for at, id_ in enumerate(ids)
            ]
            self._links.append(OVERLAP if type_ in SAME else type_ if known else BEFORE)
            self._ends.append((ends[0], ends[1]))
        self._link_counts.append(len(links))
        self._sizes.append(len(self._spans) - first)
        self._texts.append(note.record.text)

    def _find_end(self, id_: str, rows: dict[str, int], own: str, *, known: bool) -> int:
        """Return the row of an end of a link; ``own`` names an end that no other link has."""
        named = known and id_.upper() in NAMED
        key = id_ if known and (id_ in rows or named) else own
        self._unknown_ends += known and key == own
        if key not in rows:
            label, spelling = (id_.upper(),) * 2 if named else (INVENTED, own)
            values = dict.fromkeys(_NAMES, "") | {"label": label, "id": spelling}
            rows[key] = self._add_mention(NOWHERE[0], values, spelling)
        return rows[key]

    def _add_mention(self, span: tuple[int, int], values: dict[str, str], spelling: str) -> int:
        self._spans.append((span,))
        self._spelling.append(spelling)
        for name, value in values.items():
            self._values[name].append(value)
        return len(self._spans) - 1

    def finish(self, names: Sequence[str] | None) -> RelatedSide:
        """Return the columns; ``names`` are those of the documents, None if they have none."""
        wrong = "so that the {link counts|links count} as wrong"
        warn(
            f"{{n}} {{end of a link is|ends of links are}} no entity of the note, {wrong}",
            n=self._unknown_ends,
        )
        warn(
            f"{{n}} {{link has a type|links have types}} other than {', '.join(LINKS)}, {wrong}",
            n=self._unknown_types,
        )
        documents = np.repeat(np.arange(len(self._sizes)), np.array(self._sizes, np.int64))
        attributes = {name: Coded.of(values) for name, values in self._values.items()}
        mentions = MentionColumns.of(documents, self._spans, attributes)
        mentions = replace(mentions, spelling=Coded.of(self._spelling))
        shown_names = ("",) * len(self._sizes) if names is None else tuple(names)
        keys = None if names is None else tuple(names)
        texts = tuple(self._texts) if any(text is not None for text in self._texts) else ()
        links = RelationColumns.of(self._link_counts, self._links, self._ends)
        return RelatedSide(Side(shown_names, keys, mentions, texts), links)


def read_notes(files: Iterable[TextFile], side: str) -> RelatedSide:
    """Read the XML of notes.

    Raises:
        InputError: a file is invalid; the message names file and line.
    """
    columns, stems = Columns(side), []
    for file in files:
        columns.add(Note.of(file))
        stems.append(file.stem)
    named = [stem for stem in stems if stem is not None]
    return columns.finish(named if len(named) == len(stems) else None)
