"""Medication entries on a Doc: the span group ``clin_meds``, for the i2b2 2009 challenge.

A span is a fragment of a field: ``span.label_`` is the field (``m``, ``do``, ``mo``, ``f``, ``du``,
``r``), ``span.id_`` the entry. The group's ``attrs["entries"][id]`` holds ``ln`` (list or
narrative), the fields that are not scored, and under ``offsets`` the lines and tokens of the
fields, which the spans do not always tell: the challenge counts empty tokens.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

from spacy.tokens import Doc, Span, SpanGroup

from clineval.entries.entry import FIELDS, REMARKS, Entry, Offset
from clineval.errors import InputError, shown
from clineval.formats import i2b2_entries
from clineval.formats.texts import find_texts
from spacy_clin import guards
from spacy_clin.documents import PREDICTIONS, Documents, FileSource
from spacy_clin.getters import choose_getter
from spacy_clin.mention_files import missing_text
from spacy_clin.mentions import DOCUMENT, describe, get_document_name, snap
from spacy_clin.paths import Batch, compile_path
from spacy_clin.spans import Found, SpanSource, compile_source

KEY = "clin_meds"
ENTRIES, OFFSETS = "entries", "offsets"
GivenEntry = Entry | Mapping[str, Any]


class LineTokens:
    r"""The challenge's count of a text: lines from 1, tokens of a line from 0.

    A token is what stands between two blanks; two blanks in a row have an empty one between them.

    Examples:
        >>> lines = LineTokens("Start\nlantus 7 units")
        >>> lines.place(13, 20), lines.characters((2, 1, 2, 2))
        ((2, 1, 2, 2), (13, 20))
    """

    def __init__(self, text: str) -> None:
        self._text = text.replace("\t", " ")
        lines = self._text.split("\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in lines)][:-1]
        self._lines = lines

    def place(self, start: int, end: int) -> Offset:
        """The lines and tokens of some characters."""
        return (*self._locate(start), *self._locate(end - 1))

    def characters(self, offset: Sequence[int]) -> tuple[int, int]:
        """The characters of a fragment ``(line, token, line, token)``.

        Raises:
            InputError: there is no such line or token.
        """
        first_line, first, last_line, last = offset
        start, _ = self._extent(first_line, first)
        begin, end = self._extent(last_line, last)
        # an empty token has no character: the blank after it stands for it
        return start, max(end, begin + 1)

    def _locate(self, at: int) -> tuple[int, int]:
        line = bisect_right(self._starts, at) - 1
        return line + 1, self._text.count(" ", self._starts[line], at)

    def _extent(self, line: int, token: int) -> tuple[int, int]:
        if not 1 <= line <= len(self._lines):
            raise InputError(f"there is no line {line}, lines count from 1 to {len(self._lines)}")
        words = self._lines[line - 1].split(" ")
        if token >= len(words):
            raise InputError(
                f"token {token} is beyond line {line}, which has {len(words)} tokens",
                remedy="Tokens count from 0",
            )
        start = self._starts[line - 1] + sum(len(word) + 1 for word in words[:token])
        return start, start + len(words[token])


def set_entries(
    doc: Doc, entries: Iterable[GivenEntry], *, document: str | None = None
) -> SpanGroup:
    r"""Write medication entries to a Doc, instead of those it had.

    Args:
        doc: the record.
        entries: entries as objects, or as dicts as the evaluate module takes them.
        document: the record's name; None to keep the one that is there.

    Raises:
        InputError: an offset that the text does not have.

    Examples:
        >>> import spacy
        >>> doc = spacy.blank("en")("Start\nlantus 7 units")
        >>> group = set_entries(doc, [{"m": {"offsets": [[2, 0, 2, 0]]}, "ln": "list"}])
        >>> [(span.text, span.label_, span.id_) for span in group]
        [('lantus', 'm', 'E1')]
    """
    name = get_document_name(doc) if document is None else document
    lines = LineTokens(doc.text)
    spans: list[Span] = []
    attributes: dict[str, dict[str, Any]] = {}
    for number, given in enumerate(entries, 1):
        id_ = f"E{number}"
        try:
            entry = given if isinstance(given, Entry) else Entry.from_dict(given)
            spans += _place(doc, entry, id_, lines)
        except InputError as error:
            raise InputError(str(error), where=f"{describe(doc)}, entry {number}") from None
        attributes[id_] = _attributes_of(entry)
    attrs: dict[str, Any] = {ENTRIES: attributes}
    if name:
        attrs[DOCUMENT] = name
    group = SpanGroup(doc, name=KEY, attrs=attrs, spans=spans)
    doc.spans[KEY] = group
    return group


def _place(doc: Doc, entry: Entry, id_: str, lines: LineTokens) -> Iterator[Span]:
    for tag, phrase in entry.fields.items():
        for offset in phrase.offsets:
            start, end = lines.characters(offset)
            yield snap(doc, start, min(end, len(doc.text)), label=tag, span_id=id_)


def _attributes_of(entry: Entry) -> dict[str, Any]:
    attributes: dict[str, Any] = dict(entry.remarks)
    if entry.genre:
        attributes["ln"] = entry.genre
    offsets = {tag: [list(o) for o in phrase.offsets] for tag, phrase in entry.fields.items()}
    return {**attributes, OFFSETS: offsets}


@dataclass(frozen=True, slots=True)
class MedicationGetter:
    """Finds the medication entries of a Doc.

    Args:
        medications: the spans of all fields, see :data:`~spacy_clin.spans.SpanSource`.
        fields: label of a span to field of the challenge; labels that it does not name are those
            of the challenge, or an error. An empty field leaves the span out.
        entry: the id of a span's entry, a path as in :mod:`spacy_clin.paths`.
        genre: where ``list`` or ``narrative`` is; None if nowhere.
        note: what a reader of the scores should know.
    """

    medications: SpanSource = KEY
    fields: Mapping[str, str] = field(default_factory=dict)
    entry: str = "id_"
    genre: str | None = "attrs.ln"
    note: str = ""

    def read(self, docs: Iterable[Doc], *, side: str = "") -> list[list[dict[str, Any]]]:
        """The entries of each record as the evaluate module takes them.

        Args:
            docs: the records.
            side: ``references`` or ``predictions``.

        Raises:
            InputError: a label that is no field, or a span without entry.
        """
        documents = docs if isinstance(docs, Sequence) else list(docs)
        find = compile_source(self.medications)
        found = [find(doc) for doc in documents]
        lacking = [at for at, sources in enumerate(found) if sources is None]
        guards.report_lacking_groups(self.medications, documents, lacking, side)
        return [
            [entry for source in sources or [] for entry in self._read(source, doc, at)]
            for at, (doc, sources) in enumerate(zip(documents, found, strict=True))
        ]

    def _read(self, found: Found, doc: Doc, at: int) -> Iterator[dict[str, Any]]:
        spans = list(found.items)
        known = found.attrs.get(ENTRIES) or {}
        ids = compile_path(self.entry)(Batch(spans, [{}] * len(spans))) if spans else []
        entries: dict[str, list[Span]] = {}
        for span, id_ in zip(spans, ids, strict=False):
            if not id_:
                raise InputError(
                    f"the span {span.start_char}-{span.end_char} has no id, which says what entry "
                    "it belongs to",
                    where=describe(doc, at),
                    remedy="Give all spans of an entry the same span_id",
                )
            entries.setdefault(str(id_), []).append(span)
        lines = LineTokens(doc.text)
        for id_, fields in entries.items():
            yield self._read_entry(fields, known.get(id_) or {}, lines, describe(doc, at))

    def _read_entry(
        self, spans: Sequence[Span], attributes: Mapping[str, Any], lines: LineTokens, where: str
    ) -> dict[str, Any]:
        entry: dict[str, Any] = {}
        for span in spans:
            tag = self._field(span.label_, where)
            if tag:
                phrase = entry.setdefault(tag, {"text": "", "offsets": []})
                phrase["offsets"].append(list(lines.place(span.start_char, span.end_char)))
        exact = attributes.get(OFFSETS) or {}
        for tag, phrase in entry.items():
            known = exact.get(tag) or ()
            same = len(known) == len(phrase["offsets"])
            phrase["offsets"] = list(map(list, known)) if same else _merge(phrase["offsets"])
        entry |= {name: attributes[name] for name in REMARKS if name in attributes}
        if self.genre is not None and spans:
            [genre] = compile_path(self.genre)(Batch(spans[:1], [attributes])) or [None]
            if genre:
                entry["ln"] = genre
        return entry

    def _field(self, label: str, where: str) -> str:
        tag = self.fields.get(label, label)
        if tag and tag not in FIELDS:
            raise InputError(
                f"the label {shown(label)} is no field, expected one of {', '.join(FIELDS)}",
                where=where,
                remedy="Say under 'fields' which field it is; with '' its spans are left out",
            )
        return tag


def _merge(offsets: Iterable[list[int]]) -> list[list[int]]:
    """One fragment of those that share a token: spaCy's tokens are parts of the challenge's."""
    merged: list[list[int]] = []
    for offset in sorted(offsets):
        if merged and offset[:2] <= merged[-1][2:]:
            merged[-1][2:] = max(merged[-1][2:], offset[2:])
        else:
            merged.append(offset)
    return merged


PRESETS: Mapping[str, MedicationGetter] = {
    "clin": MedicationGetter(),
    "spacy": MedicationGetter(
        "ents",
        entry="ent_id_",
        genre=None,
        note="spaCy 3.7, 3.8: entities; ent_id_ ties those of an entry; give 'fields' for labels",
    ),
}


class MedicationAnnotation:
    """Medication entries; see :class:`~spacy_clin.integrations.Annotation`."""

    key = KEY

    def find_getter(self, given: Any, where: str) -> MedicationGetter:
        """The getter that a configuration asks for."""
        return choose_getter(MedicationGetter, PRESETS, given, where)

    def read(self, getter: MedicationGetter, documents: Documents, config: str) -> Any:  # noqa: ARG002
        """What the evaluate module takes."""
        return getter.read(documents.docs, side=documents.side)

    def keep(self, getter: MedicationGetter, doc: Doc, name: str) -> None:
        """Write what a getter reads to the span group."""
        [entries] = getter.read([doc], side=PREDICTIONS)
        set_entries(doc, entries, document=name)

    def read_files(self, source: FileSource) -> Iterator[Doc]:
        """Docs from the challenge's entries files; the texts are those of the records."""
        entries = i2b2_entries.read_entries(source.path)
        texts: Sequence[str | None] = [None] * len(entries)
        if source.text is not None:
            texts = find_texts(list(entries), source.text, "text")
        for (name, found), record in zip(entries.items(), texts, strict=True):
            if record is None:
                raise missing_text(name)
            doc = source.make_doc(record)
            set_entries(doc, found, document=name)
            yield doc

    def write_files(
        self,
        getter: MedicationGetter,
        documents: Documents,
        path: Path,
        format: str | None,  # noqa: A002, ARG002 - there is one
    ) -> None:
        """The challenge's entries files, one for each record."""
        found = getter.read(documents.docs, side=documents.side)
        records = {
            name: [Entry.from_dict(_with_text(entry, doc)) for entry in entries]
            for doc, name, entries in zip(documents.docs, documents.names, found, strict=True)
        }
        i2b2_entries.write_entries(records, path)


def _with_text(entry: Mapping[str, Any], doc: Doc) -> dict[str, Any]:
    """The entry with the words of its fields, which the format wants."""
    lines = LineTokens(doc.text)
    filled: dict[str, Any] = dict(entry)
    for tag in FIELDS:
        if tag in filled:
            extents = map(lines.characters, filled[tag]["offsets"])
            words = " ... ".join(" ".join(doc.text[a:b].split()) for a, b in extents)
            filled[tag] = {**filled[tag], "text": words}
    return filled
