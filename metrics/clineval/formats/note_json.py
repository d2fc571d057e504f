"""The JSON of ClinAIS 2023, and notes in any other form that users pass.

A file contains notes with gold sections, predictions, or both:

``{"annotated_entries": {ID: {"note_id", "note_text", "section_annotation": {"gold": [...],
"prediction": [...]}, "boundary_annotation": {"gold": [...], "prediction": [...]}}}}``.

A section is ``{"segment", "label", "start_offset", "end_offset"}``. An item of the boundary
annotation is a token, ``{"span", "boundary", "start_offset", "end_offset"}``. Its boundary is the
label of the section that begins there, or null. Ends are exclusive.

The items are the tokens. They are not the words between white space: in the task's files a line
end is an item too, and can have a boundary.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NoReturn, get_args

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, called, named, read_all, shown
from clineval.base.files import Source
from clineval.base.strict_json import NotJsonError, expect_json, parse_json
from clineval.formats.files import TextFile, read_text_files
from clineval.formats.given.forms import Items, judge_ids, open_given
from clineval.kinds.sections.segmentation import Note, NoteSide, Section, check_note

FILES = r"\.json$"
ENTRIES = "annotated_entries"
Token = Mapping[str, Any]
"""A token with the label of the section that begins there."""
Wanted = Literal["gold", "prediction"]
_MOST_BITS = 63
_ANNOTATIONS = ("boundary_annotation", "section_annotation")


def read_side(source: Source, wanted: Wanted) -> NoteSide:
    """Read one side of a file, a directory of files, or the text of a file."""
    [side] = read_sides(source, wanted)
    return side


def read_sides(source: Source, *wanted: Wanted) -> list[NoteSide]:
    """Read several sides from the same files, as :func:`read_side` reads one."""
    contents = [
        (parse(file), file.label) for file in read_text_files(source, pattern=FILES, separator="{")
    ]
    read = []
    for side in wanted:
        parts = [read_entries(content, side, label) for content, label in contents]
        names = tuple(name for part in parts for name in part.documents)
        if len(set(names)) < len(names):
            _refuse_repeated(next(name for name in names if names.count(name) > 1))
        read.append(NoteSide(names, names, tuple(note for part in parts for note in part.notes)))
    return read


def place_of_note(label: str, name: str) -> str:
    """Return the place of a note in a file or a side, for messages."""
    return f"{label}, note {called(name)}"


def _refuse_repeated(name: str, where: str = "") -> NoReturn:
    raise InputError(f"note {called(name)} is in more than one file", where=where)


def parse(file: TextFile) -> object:
    """Parse the JSON of a file.

    Raises:
        InputError: the file is not JSON; the message names file, line and column.
    """
    try:
        return parse_json(file.content.decode())
    except NotJsonError as error:
        line = f":{error.line}" if error.line else ""
        where, remedy = f"{file.label}{line}", "Is the file complete?"
        raise InputError(str(error), where=where, remedy=remedy) from None


def read_entries(content: object, wanted: Wanted, label: str) -> NoteSide:
    """Read one side from the result of :func:`parse`; messages call the file ``label``."""
    entries = find_entries(content, label)
    notes = [read_entry(e, wanted, place_of_note(label, name)) for name, e in entries.items()]
    return NoteSide(tuple(entries), tuple(entries), tuple(notes))


def find_entries(content: object, label: str) -> Mapping[str, object]:
    """Find the notes in the result of :func:`parse`, by name."""
    entries = content.get(ENTRIES) if isinstance(content, Mapping) else None
    if not isinstance(entries, Mapping):
        raise InputError(f"expected an object with an object {ENTRIES!r}", where=label)
    return entries


def is_entry(note: Mapping[str, object]) -> bool:
    """Return whether a note has the layout of ClinAIS."""
    return any(name in note for name in _ANNOTATIONS)


def read_entry(entry: object, wanted: Wanted, where: str) -> Note:
    """Read one side of a note.

    The boundary annotation counts; if it is missing, the section annotation. Sections use the
    tokens of the other side, if it has any.
    """
    if not isinstance(entry, Mapping):
        raise InputError(f"expected an object, got {shown(entry)}", where=where)
    items, sections = (_read_annotation(entry, name, where) for name in _ANNOTATIONS)
    text = _read_text(entry, "note_text", where)
    if items.get(wanted) or (wanted in items and wanted not in sections):
        return _read_items(items[wanted], where, text)
    if wanted not in sections:
        raise InputError(
            f"no {wanted!r} under {' or '.join(map(repr, _ANNOTATIONS))}",
            where=where,
            remedy="Give the file with the gold sections first, then the one with predictions",
        )
    others = [given for given in items.values() if given]
    tokens = _read_items(others[0], where, text).tokens if others else None
    names = ("start_offset", "end_offset", "label")
    found = read_all(partial(read_section, section, where, names) for section in sections[wanted])
    return Note(where, sections=tuple(found), tokens=tokens, text=text)


def read_section(section: object, where: str, names: tuple[str, str, str]) -> Section:
    """Read one section from a dict; ``names`` are the keys of start, end and label."""
    if not isinstance(section, Mapping) or not all(name in section for name in names):
        raise InputError(
            f"expected a section with {', '.join(names)}, got {shown(section)}", where=where
        )
    start, end, label = (section[name] for name in names)
    for offset in (start, end):
        if isinstance(offset, bool) or not isinstance(offset, (int, np.integer)):
            raise InputError(
                f"expected an integer offset of a section, got {shown(offset)}", where=where
            )
    return Section(int(start), int(end), label)


def _read_annotation(entry: Mapping[str, object], name: str, where: str) -> dict[str, list[Token]]:
    """Read the sides that an annotation contains."""
    sides = entry.get(name)
    if sides is None:
        return {}
    if not isinstance(sides, Mapping):
        raise InputError(f"{name}: expected an object, got {shown(sides)}", where=where)
    present = {side: given for side, given in sides.items() if given is not None}
    for side, given in present.items():
        if not isinstance(given, list):
            raise InputError(
                f"{name}: {named(side) or shown(side)}: expected a list, got {shown(given)}",
                where=where,
            )
    return present


def _read_text(entry: Mapping[str, object], name: str, where: str) -> str | None:
    text = entry.get(name)
    if text is not None and not isinstance(text, str):
        raise InputError(f"{name}: expected a string, got {shown(text)}", where=where)
    return text


def _read_items(items: Sequence[Token], where: str, text: str | None) -> Note:
    try:
        labels = [item["boundary"] for item in items]
        offsets = [(item["start_offset"], item["end_offset"]) for item in items]
        regular = {type(offset) for pair in offsets for offset in pair} <= {int}
        tokens: IntArray = np.array(offsets if regular else [], np.int64).reshape(-1, 2)
    except (TypeError, KeyError, OverflowError):
        regular = False
    if not regular:
        read_all(partial(_check_item, at, item, where) for at, item in enumerate(items))
    return Note(where, labels=labels, tokens=tokens, text=text)


def _check_item(at: int, item: object, where: str) -> None:
    if not isinstance(item, Mapping):
        raise InputError(f"token {at}: expected an object, got {shown(item)}", where=where)
    for name in ("boundary", "start_offset", "end_offset"):
        if name not in item:
            raise InputError(f"token {at}: {name!r} is missing", where=where)
        value = item[name]
        if name != "boundary" and not (type(value) is int and value.bit_length() <= _MOST_BITS):
            size = f" of up to {_MOST_BITS} bits" if type(value) is int else ""
            raise InputError(
                f"token {at}: {name}: expected an integer{size}, got {shown(value)}", where=where
            )


def check(source: Source, labels: Sequence[str], golds: Mapping[str, Note]) -> None:
    """Reject invalid files of notes; continue after an error in a note or section.

    Files may contain gold sections, predictions, or both. Predictions must have the tokens of
    ``golds``.
    """
    names: set[str] = set()
    readers: list[Callable[[], object]] = []
    for file in read_text_files(source, pattern=FILES, separator="{"):
        entries = find_entries(parse(file), file.label)
        sides = [s for s in get_args(Wanted) if any(has_side(e, s) for e in entries.values())]
        readers += (partial(_refuse_repeated, n, file.label) for n in entries if n in names)
        names.update(entries)
        for name, entry in entries.items():
            where, gold = place_of_note(file.label, name), golds.get(name)
            wanted = sides or ["prediction"]
            readers.append(partial(_check_note, entry, wanted, labels, gold, where))
    read_all(readers)


def _check_note(
    entry: object, wanted: Sequence[Wanted], labels: Sequence[str], gold: Note | None, where: str
) -> None:
    notes = read_all(partial(read_entry, entry, side, where) for side in wanted)
    gold = notes[0] if len(wanted) > 1 else gold
    read_all(partial(check_note, note, labels, gold) for note in notes)


def has_side(entry: object, side: Wanted) -> bool:
    """Return whether a note has annotations of a side."""
    annotations = [entry.get(name) for name in _ANNOTATIONS] if isinstance(entry, Mapping) else []
    return any(isinstance(sides, Mapping) and sides.get(side) is not None for sides in annotations)


_SIDES: Mapping[Wanted, str] = {"gold": "references", "prediction": "predictions"}


def read_notes(given: object, wanted: Wanted) -> NoteSide:
    """Read one side.

    Args:
        given: the path or the text of a ClinAIS JSON file, its content, or a list with an item
            for each note. An item is a list with a label for each token, which is None if no
            section begins there. Or it is an entry of the ClinAIS JSON, or a dict with ``text``,
            ``sections`` (a list of ``{"start", "end", "label"}``) and optionally ``id``. An item
            can also be a string of JSON.
        wanted: the side to read from entries that contain both.

    Examples:
        >>> side = read_notes([["TREATMENT", None, "EVOLUTION"]], "gold")
        >>> side.notes[0].labels
        ['TREATMENT', None, 'EVOLUTION']
    """
    side = _SIDES[wanted]

    def read_items(items: Items) -> NoteSide:
        values = [
            expect_json(each, "JSON in a string", f"{side}, note {at}", "Or give a list of labels")
            if isinstance(each, str)
            else each
            for at, each in enumerate(items.values)
        ]
        names = tuple(map(_name, values))
        judge_ids([name or None for name in names], side, "note")
        notes = tuple(
            _read_note(each, wanted, place_of_note(side, name or str(at)))
            for at, (each, name) in enumerate(zip(values, names, strict=True))
        )
        return NoteSide(names, names if any(names) else None, notes)

    return open_given(
        given,
        side,
        NoteSide,
        read_files=lambda source: read_side(source, wanted),
        read_items=read_items,
        read_named=lambda content: read_entries(content, wanted, side),
        wanted="a list with one item for each note",
    )


def read_shared(
    references: object, predictions: Sequence[object]
) -> tuple[object, Sequence[object]]:
    """Read a file only once if it contains both the references and predictions.

    Returns:
        References and predictions, with the sides that were read in place of the file.
    """
    source = _source(references)
    if source is None or source not in map(_source, predictions):
        return references, predictions
    predicted, gold = read_sides(source, "prediction", "gold")
    return gold, [predicted if _source(given) == source else given for given in predictions]


def _source(given: object) -> str | None:
    """Return the path or text that identifies a source; None for other values."""
    return os.fspath(given) if isinstance(given, (str, os.PathLike)) else None


def _name(item: object) -> str:
    if not isinstance(item, Mapping):
        return ""
    name = item.get("note_id" if is_entry(item) else "id")
    return name if isinstance(name, str) else ""


def _read_note(item: object, wanted: Wanted, where: str) -> Note:
    if isinstance(item, (list, tuple)):
        return Note(where, labels=item)
    if not isinstance(item, Mapping):
        raise InputError(
            f"expected a list of labels or a dict, got {shown(item)}",
            where=where,
            remedy="Give one list of labels, or text and sections, for each note",
        )
    if is_entry(item):
        return read_entry(item, wanted, where)
    return _read_sections(item, where)


def _read_sections(item: Mapping[str, object], where: str) -> Note:
    sections, names = item.get("sections"), ("start", "end", "label")
    if not isinstance(sections, (list, tuple)):
        raise InputError(f"expected a list of sections, got {shown(sections)}", where=where)
    text = _read_text(item, "text", where)
    found = tuple(read_section(section, where, names) for section in sections)
    return Note(where, sections=found, text=text)
