"""Sections on a Doc: the span group ``clin_sections``, with the labels of the sections.

If the challenge's own tokens are known, the group's ``attrs["tokens"]`` holds their offsets.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from spacy.tokens import Doc, SpanGroup

from clineval.base.errors import InputError, shown
from clineval.base.files import write_file
from clineval.formats import note_json
from clineval.formats.dicts import Record
from clineval.formats.files import read_text_files
from clineval.formats.note_json import ENTRIES
from clineval.kinds.mentions.mention import sort_fragments
from clineval.kinds.sections.segmentation import Note
from clineval.results.slots import Slot
from spacy_clin.annotation import Annotation, Files, Parsed, Side
from spacy_clin.guards import (
    REFERENCES,
    as_items,
    describe,
    located,
    place_of_document,
    tell_list,
)
from spacy_clin.mentions import set_mentions
from spacy_clin.presets import SECTIONS
from spacy_clin.reader import Reading
from spacy_clin.settings import SPANS

KEY, TOKENS = "clin_sections", "tokens"
_SLOTS = (Slot("label", "closed", ("",)),)
_LABEL = itemgetter("label")
_OTHER: Mapping[note_json.Wanted, note_json.Wanted] = {"gold": "prediction", "prediction": "gold"}


def set_sections(
    doc: Doc,
    sections: Iterable[Record],
    *,
    tokens: Sequence[Sequence[int]] | None = None,
    document: str | None = None,
) -> SpanGroup:
    """Write sections to a Doc, in place of earlier ones.

    Args:
        doc: the note.
        sections: dicts ``{"start", "end", "label"}`` in characters, ends exclusive.
        tokens: ``[start, end]`` of each of the challenge's own tokens, in characters, ends
            exclusive; None if white space separates them.
        document: the note's name; None keeps the current name.

    Returns:
        The span group: a span for each section, with its label as ``label_``.

    Raises:
        InputError: a section is invalid or outside the text.

    Examples:
        >>> import spacy
        >>> doc = spacy.blank("es")("Antecedentes: HTA. Evolución: buena.")
        >>> group = set_sections(doc, [{"start": 19, "end": 36, "label": "EVOLUTION"}])
        >>> [(span.text, span.label_) for span in group]
        [('Evolución: buena.', 'EVOLUTION')]
    """
    names = ("start", "end", "label")
    given = as_items(sections, "sections")
    found = [note_json.read_section(section, describe(doc), names) for section in given]
    strange = [section.label for section in found if not isinstance(section.label, str)]
    if strange:
        raise InputError(f"label: expected a string, got {shown(strange[0])}", where=describe(doc))
    mentions = {
        f"S{number}": {"spans": [[section.start, section.end]], "cui": None, "type": section.label}
        for number, section in enumerate(found, 1)
    }
    group: SpanGroup = set_mentions(doc, mentions, key=KEY, document=document)
    if tokens is not None:
        with located(describe(doc)):
            group.attrs[TOKENS] = _read_tokens(tokens)
    return group


class SectionAnnotation(Annotation):
    """Sections."""

    presets = SECTIONS

    def read(self, side: Side) -> list[Record]:
        """Return the notes in the form that the evaluate module takes."""
        found = zip(side.docs, side.names, self.objects(side), strict=True)
        return [_as_input(doc, name, each["sections"], side.side) for doc, name, each in found]

    def objects(self, side: Side) -> list[Record]:
        """Return the sections of each note, without those whose label maps to nothing."""
        reading = Reading(
            side.reader, side.docs, _SLOTS, names=side.names, side=side.side, key=self.view.group
        )
        return [{"sections": list(map(_as_section, filter(_LABEL, found)))} for found in reading]

    def write(self, doc: Doc, found: Record, name: str) -> None:
        """Write sections, and the challenge's tokens."""
        set_sections(doc, **found, document=name)

    def parse(self, files: Files) -> Iterator[Parsed]:
        """Parse the sections of one side, or of the only side, in the task's JSON."""
        first = _kind(files.side)
        for file in read_text_files(files.path, pattern=note_json.FILES, separator="{"):
            for name, entry in note_json.find_entries(note_json.parse(file), file.label).items():
                wanted = first if note_json.has_side(entry, first) else _OTHER[first]
                note = note_json.read_entry(
                    entry, wanted, note_json.place_of_note(file.label, name)
                )
                tokens = None if note.tokens is None else note.tokens.tolist()
                yield name, note.text, {"sections": _sections_of(note), "tokens": tokens}

    def write_files(self, side: Side, files: Files) -> None:
        """Write one file of the task's JSON."""
        entries = {
            name: _as_written(note, _kind(side.side))
            for name, note in zip(side.names, self.read(side), strict=True)
        }
        write_file(files.path, json.dumps({ENTRIES: entries}, ensure_ascii=False, indent=1))


def _as_section(record: Record) -> Record:
    spans = record[SPANS]
    return {"start": spans[0][0], "end": spans[-1][1], "label": record["label"]}


def _as_input(doc: Doc, name: str, sections: Sequence[Record], side: str) -> Record:
    told = tell_list(doc.spans[KEY], TOKENS) if KEY in doc.spans else None
    if told is None:
        return {"id": name, "text": doc.text, "sections": sections}
    with located(place_of_document(name)):
        tokens = _read_tokens(told)
    labels = {section["start"]: section["label"] for section in sections}
    astray = sorted(labels.keys() - {start for start, _ in tokens})
    if astray:
        raise InputError(
            f"a section starts at {astray[0]}, but no token of the challenge starts there",
            where=describe(doc),
        )
    items = [
        {"boundary": labels.get(start), "start_offset": start, "end_offset": end}
        for start, end in tokens
    ]
    return {"note_id": name, "note_text": doc.text, "boundary_annotation": {_kind(side): items}}


def _read_tokens(given: Iterable[object]) -> list[list[int]]:
    """Return start and end of each token."""
    found: list[list[int]] = []
    for number, token in enumerate(as_items(given, "tokens such as [[0, 4], [5, 9]]")):
        with located(f"token {number}"):
            found += map(list, sort_fragments([token]))
    return found


def _kind(side: str) -> note_json.Wanted:
    """Return the name of a side in the task's JSON."""
    return "gold" if side == REFERENCES else "prediction"


def _as_written(note: Record, kind: str) -> Record:
    if note_json.is_entry(note):
        return note
    sections = [
        {"label": s["label"], "start_offset": s["start"], "end_offset": s["end"]}
        for s in note["sections"]
    ]
    annotation = {kind: sections}
    return {"note_id": note["id"], "note_text": note["text"], "section_annotation": annotation}


def _sections_of(note: Note) -> list[Record]:
    """Return the sections of a note; if only beginnings are given, each ends at the next one."""
    if note.labels is None or note.tokens is None:
        return [{"start": s.start, "end": s.end, "label": s.label} for s in note.sections]
    tokens: list[list[int]] = note.tokens.tolist()
    begins = [at for at, label in enumerate(note.labels) if label is not None]
    ends = [*(tokens[at - 1][1] for at in begins[1:]), tokens[-1][1] if tokens else 0]
    return [
        {"start": tokens[at][0], "end": end, "label": note.labels[at]}
        for at, end in zip(begins, ends, strict=False)
    ]
