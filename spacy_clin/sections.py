"""Sections on a Doc: the span group ``clin_sections``, whose labels are those of the sections.

Where the challenge's own tokens are known, the group's ``attrs["tokens"]`` holds their offsets.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spacy.tokens import Doc, Span, SpanGroup

from clineval.errors import InputError, shown
from clineval.formats import clinais
from clineval.formats.clinais import ENTRIES
from clineval.formats.files import read_text_files
from clineval.sections.segmentation import Note
from spacy_clin import guards
from spacy_clin.documents import PREDICTIONS, REFERENCES, Documents, FileSource
from spacy_clin.getters import choose_getter
from spacy_clin.mentions import MENTIONS, describe, read_group, set_mentions
from spacy_clin.spans import Found, SpanSource, compile_source

KEY = "clin_sections"
TOKENS = "tokens"
Section = Mapping[str, Any]


def set_sections(
    doc: Doc,
    sections: Iterable[Section],
    *,
    tokens: Sequence[Sequence[int]] | None = None,
    document: str | None = None,
) -> SpanGroup:
    """Write sections to a Doc, instead of those it had.

    Args:
        doc: the note.
        sections: ``{"start", "end", "label"}`` in characters, ends exclusive.
        tokens: start and end of the challenge's own tokens, where they are not what stands
            between white space.
        document: the note's name.

    Examples:
        >>> import spacy
        >>> doc = spacy.blank("es")("Antecedentes: HTA. Evolución: buena.")
        >>> group = set_sections(doc, [{"start": 19, "end": 36, "label": "EVOLUTION"}])
        >>> [(span.text, span.label_) for span in group]
        [('Evolución: buena.', 'EVOLUTION')]
    """
    mentions = {
        f"S{number}": {"spans": [[s["start"], s["end"]]], "cui": None, "type": s["label"]}
        for number, s in enumerate(sections, 1)
    }
    group = set_mentions(doc, mentions, key=KEY, document=document)
    if tokens is not None:
        group.attrs[TOKENS] = [[int(start), int(end)] for start, end in tokens]
    return group


@dataclass(frozen=True, slots=True)
class SectionGetter:
    """Finds the sections of a Doc.

    Args:
        sections: the spans, see :data:`~spacy_clin.spans.SpanSource`; a function may give pairs of
            a label and a span.
        labels: label found to label of the challenge; an empty one leaves the section out. It
            must name every label that can be found, unless it names none.
        note: what a reader of the scores should know.
    """

    sections: SpanSource = KEY
    labels: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    def read(self, documents: Documents) -> list[dict[str, Any]]:
        """The notes as the evaluate module takes them."""
        found = self.read_sections(documents.docs, side=documents.side)
        return [
            _as_input(doc, name, sections, documents.side)
            for doc, name, sections in zip(documents.docs, documents.names, found, strict=True)
        ]

    def read_sections(self, docs: Sequence[Doc], *, side: str = "") -> list[list[Section]]:
        """The sections of each note: ``{"start", "end", "label"}`` in characters."""
        find = compile_source(self.sections)
        found = [find(doc) for doc in docs]
        lacking = [at for at, sources in enumerate(found) if sources is None]
        guards.report_lacking_groups(self.sections, docs, lacking, side)
        return [
            [section for source in sources or [] for section in self._read(source, doc)]
            for doc, sources in zip(docs, found, strict=True)
        ]

    def _read(self, found: Found, doc: Doc) -> Iterator[Section]:
        for start, end, label in _offsets(found, doc):
            if self.labels and label not in self.labels:
                raise InputError(
                    f"no label of the challenge is given for {shown(label)}",
                    where=describe(doc),
                    remedy="Name it under 'labels'; with '' its sections are left out",
                )
            wanted = self.labels.get(label, label)
            if wanted:
                yield {"start": start, "end": end, "label": wanted}


def _offsets(found: Found, doc: Doc) -> Iterator[tuple[int, int, str]]:
    if found.group is not None and MENTIONS in found.group.attrs:
        labels = {span.id_: span.label_ for span in found.items}
        for id_, record in read_group(found.group, doc).items():
            yield record["spans"][0][0], record["spans"][-1][1], labels[id_]
        return
    for item in found.items:
        label, span = (item.label_, item) if isinstance(item, Span) else item
        if label:
            yield span.start_char, span.end_char, label


def _as_input(doc: Doc, name: str, sections: list[Section], side: str) -> dict[str, Any]:
    tokens = doc.spans[KEY].attrs.get(TOKENS) if KEY in doc.spans else None
    if tokens is None:
        return {"id": name, "text": doc.text, "sections": sections}
    labels = {section["start"]: section["label"] for section in sections}
    astray = sorted(labels.keys() - {start for start, _ in tokens})
    if astray:
        raise InputError(
            f"no token of the challenge starts where a section does, at {astray[0]}",
            where=describe(doc),
        )
    items = [
        {"boundary": labels.get(start), "start_offset": start, "end_offset": end}
        for start, end in tokens
    ]
    annotation = {_kind(side): items}
    return {"note_id": name, "note_text": doc.text, "boundary_annotation": annotation}


def _of_medspacy(doc: Doc) -> Iterator[tuple[str, Span]]:
    return zip(doc._.section_categories, doc._.section_spans, strict=True)


PRESETS: Mapping[str, SectionGetter] = {
    "clin": SectionGetter(),
    "spacy": SectionGetter(
        "sc", note="spaCy 3.7, 3.8: the span categorizer; give 'labels' for its labels"
    ),
    "medspacy": SectionGetter(
        _of_medspacy, note="medspaCy 1.3: the sectionizer; give 'labels' for its categories"
    ),
    "edsnlp": SectionGetter(
        "sections", note="edsnlp 0.23: eds.sections; give 'labels' for its titles"
    ),
}


class SectionAnnotation:
    """Sections; see :class:`~spacy_clin.integrations.Annotation`."""

    key = KEY

    def find_getter(self, given: Any, where: str) -> SectionGetter:
        """The getter that a configuration asks for."""
        return choose_getter(SectionGetter, PRESETS, given, where)

    def read(self, getter: SectionGetter, documents: Documents, config: str) -> Any:  # noqa: ARG002
        """What the evaluate module takes."""
        return getter.read(documents)

    def keep(self, getter: SectionGetter, doc: Doc, name: str) -> None:
        """Write what a getter reads to the span group."""
        [found] = getter.read_sections([doc], side=PREDICTIONS)
        set_sections(doc, found, document=name)

    def read_files(self, source: FileSource) -> Iterator[Doc]:
        """Docs from the task's JSON with the sections of one side, or of the only one there is."""
        for file in read_text_files(source.path, pattern=clinais.FILES, separator="{"):
            content = clinais.parse(file)
            entries = content.get(ENTRIES) if isinstance(content, Mapping) else None
            if not isinstance(entries, Mapping):
                raise InputError(f"expected an object with an object {ENTRIES!r}", where=file.label)
            for name, entry in entries.items():
                yield _make_doc(source, name, entry, f"{file.label}, note {name}")

    def write_files(
        self,
        getter: SectionGetter,
        documents: Documents,
        path: Path,
        format: str | None,  # noqa: A002, ARG002 - there is one
    ) -> None:
        """One file of the task's JSON."""
        entries = {
            name: _as_written(note, _kind(documents.side))
            for name, note in zip(documents.names, getter.read(documents), strict=True)
        }
        path.write_text(json.dumps({ENTRIES: entries}, ensure_ascii=False, indent=1), "utf-8")


def _kind(side: str) -> clinais.Wanted:
    """What the task's JSON calls a side."""
    return "gold" if side == REFERENCES else "prediction"


def _as_written(note: dict[str, Any], kind: str) -> dict[str, Any]:
    if clinais.is_entry(note):
        return note
    sections = [
        {"label": s["label"], "start_offset": s["start"], "end_offset": s["end"]}
        for s in note["sections"]
    ]
    annotation = {kind: sections}
    return {"note_id": note["id"], "note_text": note["text"], "section_annotation": annotation}


def _make_doc(source: FileSource, name: str, entry: Any, where: str) -> Doc:
    text = entry.get("note_text") if isinstance(entry, Mapping) else None
    if not isinstance(text, str):
        raise InputError("note_text is missing", where=where)
    doc = source.make_doc(text)
    sides: tuple[clinais.Wanted, clinais.Wanted] = ("gold", "prediction")
    first, other = sides if source.side == REFERENCES else sides[::-1]
    note = clinais.read_entry(entry, first if _has(entry, first) else other, where)
    tokens = None if note.tokens is None else note.tokens.tolist()
    set_sections(doc, _sections_of(note), tokens=tokens, document=name)
    return doc


def _has(entry: Mapping[str, Any], side: str) -> bool:
    annotations = (entry.get(f"{kind}_annotation") or {} for kind in ("boundary", "section"))
    return any(annotation.get(side) is not None for annotation in annotations)


def _sections_of(note: Note) -> list[Section]:
    """The sections of a note, each up to the next one where only beginnings are said."""
    if note.labels is None or note.tokens is None:
        return [{"start": s.start, "end": s.end, "label": s.label} for s in note.sections]
    tokens: list[list[int]] = note.tokens.tolist()
    begins = [at for at, label in enumerate(note.labels) if label is not None]
    ends = [*(tokens[at - 1][1] for at in begins[1:]), tokens[-1][1] if tokens else 0]
    return [
        {"start": tokens[at][0], "end": end, "label": note.labels[at]}
        for at, end in zip(begins, ends, strict=False)
    ]
