"""Medication entries on a Doc: the span group ``clin_meds``, for the i2b2 2009 challenge.

A span is a fragment of a field: ``span.label_`` is the field (``m``, ``do``, ``mo``, ``f``, ``du``,
``r``), ``span.id_`` the entry. The group's ``attrs["entries"][id]`` holds ``ln`` (list or
narrative), the fields that are not scored, and under ``offsets`` the lines and tokens of the
fields, which the spans do not always tell: the challenge counts empty tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from spacy.tokens import Doc, Span, SpanGroup

from clineval.base.errors import InputError, shown
from clineval.challenges.i2b2_2009_medication import entry_lines
from clineval.challenges.i2b2_2009_medication.entry import FIELDS, REMARKS, Entry, sort_offsets
from clineval.challenges.i2b2_2009_medication.tagged import LineTokens
from clineval.kinds.mentions.slots import Slot
from spacy_clin.annotation import Annotation, Parsed, Side
from spacy_clin.attrs import as_items, tell
from spacy_clin.guards import describe, located, place_of_document, snap
from spacy_clin.mentions import set_group
from spacy_clin.settings import ENTRIES, SPANS, Record

KEY, OFFSETS = "clin_meds", "offsets"
_SLOTS = tuple(Slot(name, "codes") for name in ("field", "entry", "ln"))


def set_entries(
    doc: Doc, entries: Iterable[Entry | Mapping[str, Any]], *, document: str | None = None
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
    lines = LineTokens(doc.text)
    spans: list[Span] = []
    attributes: dict[str, dict[str, Any]] = {}
    for number, given in enumerate(as_items(entries, "entries"), 1):
        id_ = f"E{number}"
        with located(f"{describe(doc)}, entry {number}"):
            if not isinstance(given, (Entry, Mapping)):
                raise InputError(f"expected an entry or a dict, got {shown(given)}")
            entry = given if isinstance(given, Entry) else Entry.from_dict(given)
            spans += [
                snap(doc, *lines.characters(offset), tag, span_id=id_)
                for tag, phrase in entry.fields.items()
                for offset in phrase.offsets
            ]
        genre = {"ln": entry.genre} if entry.genre else {}
        offsets = {tag: list(map(list, phrase.offsets)) for tag, phrase in entry.fields.items()}
        attributes[id_] = {**entry.remarks, **genre, OFFSETS: offsets}
    return set_group(doc, KEY, spans, {ENTRIES: attributes}, document)


class EntryAnnotation(Annotation):
    """Medication entries."""

    def read(self, side: Side) -> list[list[dict[str, Any]]]:
        """Return the entries of each record as the evaluate module takes them."""
        reading, entries = self.open(side, _SLOTS), []
        for doc, name, records in zip(side.docs, side.names, reading, strict=True):
            with located(place_of_document(name)):
                entries.append(_read_entries(doc, records, _tell(doc, reading.getter)))
        return entries

    objects = read

    def write(self, doc: Doc, found: Iterable[Entry | Mapping[str, Any]], name: str) -> None:
        """Write entries."""
        set_entries(doc, found, document=name)

    def parse(
        self,
        path: Path,
        format: str | None,  # noqa: A002, ARG002
        side: str,  # noqa: ARG002
        texts: Any = None,  # noqa: ARG002
    ) -> Iterator[Parsed]:
        """Parse the challenge's entries files; the texts are those of the records."""
        for name, found in entry_lines.read_entries(path).items():
            yield name, None, found

    def write_files(self, side: Side, path: Path, format: str | None) -> None:  # noqa: A002, ARG002
        """Write the challenge's entries files, one for each record."""
        records = {
            name: [Entry.from_dict(_with_text(entry, doc)) for entry in entries]
            for doc, name, entries in zip(side.docs, side.names, self.read(side), strict=True)
        }
        entry_lines.write_entries(records, path)


def _tell(doc: Doc, getter: Any) -> Mapping[str, Record]:
    """Return what the span group says of entries, if they are read from it."""
    return tell(doc.spans[KEY], ENTRIES) if getter == KEY and KEY in doc.spans else {}


def _read_entries(
    doc: Doc, records: Iterable[Record], known: Mapping[str, Record]
) -> list[dict[str, Any]]:
    """Return the entries that spans of fields make up."""
    entries, read = dict[str, list[Record]](), []
    for record in filter(lambda record: record["field"], records):
        if not record["entry"]:
            [(start, end), *_] = record[SPANS]
            raise InputError(
                f"the span {start}-{end} has no id, which says what entry it belongs to",
                remedy="Give all spans of an entry the same span_id",
            )
        entries.setdefault(str(record["entry"]), []).append(record)
    lines = LineTokens(doc.text)
    for id_, parts in entries.items():
        with located(f"entry {id_}"):
            read.append(_read_entry(parts, known.get(id_) or {}, lines, doc))
    return read


def _read_entry(
    parts: Sequence[Record], told: Record, lines: LineTokens, doc: Doc
) -> dict[str, Any]:
    fields: dict[str, list[Sequence[int]]] = {}
    for part in parts:
        tag = part["field"]
        if tag not in FIELDS:
            raise InputError(
                f"the label {shown(tag)} is not a field, expected one of {', '.join(FIELDS)}",
                remedy="Say under 'fields' which field it is; with '' its spans are left out",
            )
        fields.setdefault(tag, []).extend(part[SPANS])
    exact = {} if told.get(OFFSETS) is None else told[OFFSETS]
    if not isinstance(exact, Mapping):
        raise InputError(f"attrs tell of no offsets of fields, got {shown(exact)}")
    entry: dict[str, Any] = {
        tag: {"text": "", "offsets": _place_in_lines(doc, tag, places, exact.get(tag), lines)}
        for tag, places in fields.items()
    }
    entry |= {name: told[name] for name in REMARKS if name in told}
    genre = next((part["ln"] for part in parts if part["ln"]), None)
    return {**entry, "ln": genre} if genre else entry


def _place_in_lines(
    doc: Doc,
    tag: str,
    places: Sequence[Sequence[int]],
    exact: Any,
    lines: LineTokens,
) -> list[list[int]]:
    """Return lines and tokens of a field: those in attrs of its spans, or else their own."""
    if exact is None:
        return lines.places((start, end) for start, end in places)
    exact = sort_offsets(exact)
    told = [snap(doc, *lines.characters(offset)) for offset in exact]
    if sorted((s.start_char, s.end_char) for s in told) != sorted(map(tuple, places)):
        raise InputError(
            f"attrs tell of other offsets of the field {tag} than its spans have, so one of the "
            "two is left over from before",
            remedy="Change entries with spacy_clin.set_entries, which writes spans and attrs alike",
        )
    return list(map(list, exact))


def _with_text(entry: Mapping[str, Any], doc: Doc) -> dict[str, Any]:
    """Return the entry with the words of its fields, which the format requires."""
    lines = LineTokens(doc.text)
    filled: dict[str, Any] = dict(entry)
    for tag in FIELDS:
        if tag in filled:
            extents = map(lines.characters, filled[tag]["offsets"])
            words = " ... ".join(" ".join(doc.text[a:b].split()) for a, b in extents)
            filled[tag] = {**filled[tag], "text": words}
    return filled
