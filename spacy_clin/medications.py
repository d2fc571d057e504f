"""Medication entries on a Doc: the span group ``clin_meds``, for the i2b2 2009 challenge.

A span is a fragment of a field. ``span.label_`` is the field (``m``, ``do``, ``mo``, ``f``, ``du``,
``r``) and ``span.id_`` is the entry. The group's ``attrs["entries"][id]`` holds ``ln`` (list or
narrative) and the fields that are not scored. Under ``offsets`` it holds the lines and tokens of
the fields, because the challenge counts empty tokens, which spans do not show.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from spacy.tokens import Doc, Span, SpanGroup

from clineval.base.errors import InputError, shown
from clineval.formats import entry_lines
from clineval.formats.dicts import Record
from clineval.kinds.entries.entry import FIELDS, REMARKS, Entry, sort_offsets
from clineval.kinds.entries.tagged import LineTokens
from clineval.results.slots import Slot
from spacy_clin.annotation import Annotation, Files, Notes, Parsed, Side
from spacy_clin.guards import as_items, describe, located, place_of_document, tell
from spacy_clin.mentions import set_group
from spacy_clin.places import snap
from spacy_clin.presets import ENTRIES as PRESETS
from spacy_clin.reader import Reading
from spacy_clin.settings import ENTRIES, SPANS

KEY, OFFSETS = "clin_meds", "offsets"
_Entry = dict[str, object]
_SLOTS = tuple(Slot(name, "codes") for name in ("field", "entry", "ln"))


def set_entries(
    doc: Doc, entries: Iterable[Entry | Record], *, document: str | None = None
) -> SpanGroup:
    r"""Write medication entries to a Doc, in place of earlier ones.

    Args:
        doc: the record.
        entries: entries as objects, or as dicts in the form that the evaluate module takes.
            ``offsets`` are first line, first token, last line and last token; lines count from 1,
            tokens from 0.
        document: the record's name; None keeps the current name.

    Returns:
        The span group: a span for each phrase; the spans of an entry share their ``id_``.

    Raises:
        InputError: an offset is outside the text.

    Examples:
        >>> import spacy
        >>> doc = spacy.blank("en")("Start\nlantus 7 units")
        >>> group = set_entries(doc, [{"m": {"offsets": [[2, 0, 2, 0]]}, "ln": "list"}])
        >>> [(span.text, span.label_, span.id_) for span in group]
        [('lantus', 'm', 'E1')]
    """
    lines = LineTokens(doc.text)
    spans: list[Span] = []
    attributes: dict[str, Record] = {}
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

    presets = PRESETS

    def read(self, side: Side) -> list[list[_Entry]]:
        """Return the entries of each record in the form that the evaluate module takes."""
        reading = Reading(
            side.reader, side.docs, _SLOTS, names=side.names, side=side.side, key=self.view.group
        )
        entries = []
        for doc, name, records in zip(side.docs, side.names, reading, strict=True):
            with located(place_of_document(name)):
                own = reading.getter == KEY and KEY in doc.spans
                entries.append(
                    _read_entries(doc, records, tell(doc.spans[KEY], ENTRIES) if own else {})
                )
        return entries

    objects = read

    def name_read(self, found: object, notes: Notes) -> object:
        """Return a mapping from the names of records to entries, if all records have names."""
        if not (isinstance(found, list) and notes.named):
            return found
        return dict(zip(notes.names, found, strict=True))

    def write(self, doc: Doc, found: Iterable[Entry | Record], name: str) -> None:
        """Write entries."""
        set_entries(doc, found, document=name)

    def parse(self, files: Files) -> Iterator[Parsed]:
        """Parse the challenge's entries files, which lack the texts of the records."""
        for name, found in entry_lines.read_entries(files.path).items():
            yield name, None, found

    def write_files(self, side: Side, files: Files) -> None:
        """Write the challenge's entries files, one for each record."""
        records = {
            name: [Entry.from_dict(_with_text(entry, doc)) for entry in entries]
            for doc, name, entries in zip(side.docs, side.names, self.read(side), strict=True)
        }
        entry_lines.write_entries(records, files.path)


def _read_entries(doc: Doc, records: Iterable[Record], known: Mapping[str, Record]) -> list[_Entry]:
    """Group spans of fields into entries."""
    entries = defaultdict[str, list[Record]](list)
    for record in records:
        if not record["field"]:
            continue
        if not record["entry"]:
            [(start, end), *_] = record[SPANS]
            raise InputError(
                f"the span {start}-{end} has no id to identify its entry",
                remedy="Give all spans of an entry the same span_id",
            )
        entries[str(record["entry"])].append(record)
    lines, read = LineTokens(doc.text), []
    for id_, parts in entries.items():
        with located(f"entry {id_}"):
            read.append(_read_entry(parts, known.get(id_) or {}, lines, doc))
    return read


def _read_entry(parts: Sequence[Record], told: Record, lines: LineTokens, doc: Doc) -> _Entry:
    fields = defaultdict[str, list[Sequence[int]]](list)
    for part in parts:
        tag = part["field"]
        if tag not in FIELDS:
            raise InputError(
                f"the label {shown(tag)} is not a field, expected one of {', '.join(FIELDS)}",
                remedy="Map the label to a field under 'fields', or to '' to leave out its spans",
            )
        fields[tag] += part[SPANS]
    exact = {} if told.get(OFFSETS) is None else told[OFFSETS]
    if not isinstance(exact, Mapping):
        raise InputError(f"attrs: expected offsets of fields, got {shown(exact)}")
    entry: _Entry = {
        tag: {"text": "", "offsets": _place_in_lines(doc, tag, places, exact.get(tag), lines)}
        for tag, places in fields.items()
    }
    entry |= {name: told[name] for name in REMARKS if name in told}
    genre = next((part["ln"] for part in parts if part["ln"]), None)
    return {**entry, "ln": genre} if genre else entry


def _place_in_lines(
    doc: Doc,
    tag: str,
    places: Iterable[Sequence[int]],
    told: Iterable[Sequence[int]] | None,
    lines: LineTokens,
) -> list[list[int]]:
    """Return the lines and tokens of a field from attrs, or else from its spans."""
    if told is None:
        return lines.places((start, end) for start, end in places)
    exact = sort_offsets(told)
    spans = [snap(doc, *lines.characters(offset)) for offset in exact]
    if sorted((s.start_char, s.end_char) for s in spans) != sorted(map(tuple, places)):
        raise InputError(
            f"the offsets of the field {tag} in attrs differ from its spans, so one of the two is "
            "out of date",
            remedy="Change entries with spacy_clin.set_entries, which writes both",
        )
    return list(map(list, exact))


def _with_text(entry: Record, doc: Doc) -> _Entry:
    """Return the entry with the words of its fields, as the format requires."""
    lines, filled = LineTokens(doc.text), dict(entry)
    for tag in filled.keys() & set(FIELDS):
        extents = map(lines.characters, filled[tag]["offsets"])
        words = " ... ".join(" ".join(doc.text[a:b].split()) for a, b in extents)
        filled[tag] = {**filled[tag], "text": words}
    return filled
