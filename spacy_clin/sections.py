"""Sections on a Doc: the span group ``clin_sections``, whose labels are those of the sections.

Where the challenge's own tokens are known, the group's ``attrs["tokens"]`` holds their offsets.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from clineval.errors import InputError, shown
from clineval.formats import clinais
from clineval.formats.clinais import ENTRIES
from spacy.tokens import Doc, Span, SpanGroup

from spacy_clin import guards
from spacy_clin.mentions import describe, read_group, set_mentions
from spacy_clin.getters import check_fields
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

    def read(self, docs: Iterable[Doc], names: Sequence[str], *, side: str = "") -> list[dict[str, Any]]:
        """The notes as the evaluate module takes them.

        Args:
            docs: the notes.
            names: their names.
            side: ``references`` or ``predictions``.
        """
        documents = docs if isinstance(docs, Sequence) else list(docs)
        kind = "gold" if side == "references" else "prediction"
        notes = []
        for doc, name, found in zip(
            documents, names, self.read_sections(documents, side=side), strict=True
        ):
            tokens = doc.spans[KEY].attrs.get(TOKENS) if KEY in doc.spans else None
            if tokens is None:
                notes.append({"id": name, "text": doc.text, "sections": found})
            else:
                notes.append(_as_entry(name, doc.text, found, tokens, kind))
        return notes

    def read_sections(self, docs: Sequence[Doc], *, side: str = "") -> list[list[dict[str, Any]]]:
        """The sections of each note: ``{"start", "end", "label"}`` in characters."""
        find = compile_source(self.sections)
        found = [find(doc) for doc in docs]
        lacking = [at for at, sources in enumerate(found) if sources is None]
        guards.report_lacking_groups(self.sections, docs, lacking, side)
        return [
            [
                {"start": start, "end": end, "label": label}
                for source in sources or []
                for start, end, label in self._read_source(source, describe(doc))
            ]
            for doc, sources in zip(docs, found, strict=True)
        ]

    def _read_source(self, found: Found, where: str) -> Iterator[tuple[int, int, str]]:
        for start, end, label in _offsets(found):
            if self.labels and label not in self.labels:
                raise InputError(
                    f"no label of the challenge is given for {shown(label)}",
                    where=where,
                    remedy="Name it under 'labels'; with '' its sections are left out",
                )
            wanted = self.labels.get(label, label)
            if wanted:
                yield start, end, wanted


def _offsets(found: Found) -> Iterator[tuple[int, int, str]]:
    if found.group is not None and "mentions" in found.group.attrs:
        labels = {span.id_: span.label_ for span in found.items}
        for id_, record in read_group(found.group, found.group.doc).items():
            yield record["spans"][0][0], record["spans"][-1][1], labels[id_]
        return
    for item in found.items:
        label, span = (item.label_, item) if isinstance(item, Span) else item
        if label:
            yield span.start_char, span.end_char, label


def _as_entry(
    name: str, text: str, sections: Sequence[Section], tokens: Sequence[Sequence[int]], kind: str
) -> dict[str, Any]:
    """A note with tokens of its own, in the layout of the task's JSON."""
    labels = {section["start"]: section["label"] for section in sections}
    starts = {start for start, _ in tokens}
    astray = sorted(start for start in labels if start not in starts)
    if astray:
        raise InputError(f"a section starts inside a token, at {astray[0]}", where=f"document {name}")
    items = [
        {"boundary": labels.get(start), "start_offset": start, "end_offset": end}
        for start, end in tokens
    ]
    return {"note_id": name, "note_text": text, "boundary_annotation": {kind: items}}


def _of_medspacy(doc: Doc) -> Iterator[tuple[str, Span]]:
    return zip(doc._.section_categories, doc._.section_spans, strict=True)


PRESETS: Mapping[str, SectionGetter] = {
    "clin": SectionGetter(),
    "medspacy": SectionGetter(
        _of_medspacy, note="medspaCy 1.3: the sectionizer; give 'labels' for its categories"
    ),
    "edsnlp": SectionGetter(
        "sections", note="edsnlp 0.23: eds.sections; give 'labels' for its titles"
    ),
}


def find_getter(given: Any, where: str = "") -> SectionGetter:
    """The getter that a configuration asks for, as for mentions."""
    from clineval.registry import check_name

    if isinstance(given, SectionGetter):
        return given
    settings = {"preset": given} if isinstance(given, str) else dict(given)
    preset = settings.pop("preset", "clin")
    check_name("preset", preset, PRESETS)
    check_fields(SectionGetter, settings, where)
    base = PRESETS[preset]
    known = {"sections": base.sections, "labels": base.labels, "note": base.note}
    return SectionGetter(**{**known, **settings})


def read_files(path: Path, make_doc: Any, text: Any, format: str | None, side: str) -> Iterator[Doc]:  # noqa: A002, ARG001
    """Docs from the task's JSON with the sections of one side, or of the only side there is."""
    content = json.loads(path.read_text("utf-8")) if path.is_file() else None
    if not isinstance(content, dict) or not isinstance(content.get(ENTRIES), dict):
        raise InputError(f"expected a file with an object {ENTRIES!r}", where=str(path))
    for name, entry in content[ENTRIES].items():
        where = f"{path}, note {name}"
        note = entry.get("note_text")
        if not isinstance(note, str):
            raise InputError("note_text is missing", where=where)
        doc = make_doc(note)
        tokens, sections = _sections_of(entry, side, where)
        set_sections(doc, sections, tokens=tokens, document=name)
        yield doc


def _sections_of(entry: Any, side: str, where: str) -> tuple[Any, list[Section]]:
    first: Literal["gold", "prediction"] = "gold" if side == "references" else "prediction"
    other: Literal["gold", "prediction"] = "prediction" if first == "gold" else "gold"
    wanted = first if _has(entry, first) else other
    note = clinais.read_entry(entry, wanted, where)
    if note.labels is None or note.tokens is None:
        tokens = None if note.tokens is None else note.tokens.tolist()
        return tokens, [{"start": s.start, "end": s.end, "label": s.label} for s in note.sections]
    tokens = note.tokens.tolist()
    begins = [at for at, label in enumerate(note.labels) if label is not None]
    lasts = [*(at - 1 for at in begins[1:]), len(tokens) - 1]
    return tokens, [
        {"start": tokens[first][0], "end": tokens[last][1], "label": note.labels[first]}
        for first, last in zip(begins, lasts, strict=False)
    ]


def _has(entry: Any, side: str) -> bool:
    annotations = (entry.get(f"{kind}_annotation") or {} for kind in ("boundary", "section"))
    return any(annotation.get(side) is not None for annotation in annotations)


def write_files(
    getter: SectionGetter,
    docs: Sequence[Doc],
    path: Path,
    names: Sequence[str],
    side: str,
    format: str | None,  # noqa: A002, ARG001
) -> None:
    """One file of the task's JSON."""
    kind = "gold" if side == "references" else "prediction"
    entries = {}
    for note, name in zip(getter.read(docs, names, side=side), names, strict=True):
        if clinais.is_entry(note):
            entries[name] = note
            continue
        sections = [
            {"label": s["label"], "start_offset": s["start"], "end_offset": s["end"]}
            for s in note["sections"]
        ]
        entries[name] = {
            "note_id": name,
            "note_text": note["text"],
            "section_annotation": {kind: sections},
        }
    path.write_text(json.dumps({ENTRIES: entries}, ensure_ascii=False, indent=1), "utf-8")
