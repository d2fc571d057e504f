"""The JSON of ClinAIS 2023: one file holds the notes, with gold sections, predictions, or both.

``{"annotated_entries": {ID: {"note_id", "note_text", "section_annotation": {"gold": [...],
"prediction": [...]}, "boundary_annotation": {"gold": [...], "prediction": [...]}}}}``. A section is
``{"segment", "label", "start_offset", "end_offset"}``; an item of the boundary annotation is a
token, ``{"span", "boundary", "start_offset", "end_offset"}``, whose boundary is the label of the
section that begins there, or null. Ends are exclusive.

The items are the tokens. They are not what stands between white space: in the task's files a
line end is an item of its own, and can carry a boundary.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from clineval.arrays import IntArray
from clineval.errors import InputError, shown
from clineval.formats.files import Source, TextFile, read_text_files
from clineval.sections.segmentation import Note, NoteSide, Section

FILES = r"\.json$"
ENTRIES = "annotated_entries"
Wanted = Literal["gold", "prediction"]
_ANNOTATIONS = ("boundary_annotation", "section_annotation")


def read_side(source: Source, wanted: Wanted) -> NoteSide:
    """Read one side from a file, a directory of files, or the text of a file.

    Args:
        source: the path of the file or the directory, or its text.
        wanted: which side to read; a file may hold both.

    Raises:
        InputError: no such file, no JSON, or not this layout.
    """
    [side] = read_sides(source, wanted)
    return side


def read_sides(source: Source, *wanted: Wanted) -> list[NoteSide]:
    """Read some sides that are in the same files, as :func:`read_side` reads one."""
    contents = [
        (parse(file), file.label) for file in read_text_files(source, pattern=FILES, separator="{")
    ]
    return [
        _join_files([read_entries(content, side, label) for content, label in contents])
        for side in wanted
    ]


def _join_files(sides: Sequence[NoteSide]) -> NoteSide:
    names = tuple(name for side in sides for name in side.documents)
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise InputError(f"note {repeated} is in more than one file")
    return NoteSide(names, names, tuple(note for side in sides for note in side.notes))


def parse(file: TextFile) -> Any:
    """The JSON of a file.

    Raises:
        InputError: names file, line and column.
    """
    try:
        return json.loads(file.content, object_pairs_hook=_without_repeats)
    except _RepeatedKeyError as error:
        raise InputError(f"the key {error} stands twice in one object", where=file.label) from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"column {error.colno}: not JSON",
            where=f"{file.label}:{error.lineno}",
            remedy="Is the file complete?",
        ) from None


class _RepeatedKeyError(Exception):
    """A key that stands twice in one object, of which Python would keep the last."""


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return unique


def read_entries(content: Any, wanted: Wanted, label: str) -> NoteSide:
    """Read one side of what :func:`parse` gives.

    Args:
        content: the object with ``annotated_entries``.
        wanted: the side.
        label: how messages name the file.
    """
    entries = content.get(ENTRIES) if isinstance(content, Mapping) else None
    if not isinstance(entries, Mapping):
        raise InputError(f"expected an object with an object {ENTRIES!r}", where=label)
    notes = [read_entry(entry, wanted, f"{label}, note {k}") for k, entry in entries.items()]
    return NoteSide(tuple(entries), tuple(entries), tuple(notes))


def is_entry(note: Mapping[str, Any]) -> bool:
    """Whether a note is written in this layout."""
    return any(name in note for name in _ANNOTATIONS)


def read_entry(entry: Any, wanted: Wanted, where: str) -> Note:
    """Read one side of a note.

    The boundary annotation counts, and the section annotation if there is none. Sections lie on
    the tokens of the other side where it has some.
    """
    if not isinstance(entry, Mapping):
        raise InputError(f"expected an object, got {shown(entry)}", where=where)
    items, sections = (_read_annotation(entry, name, where) for name in _ANNOTATIONS)
    text = _read_text(entry.get("note_text"), where)
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
    found = tuple(
        read_section(section, where, ("start_offset", "end_offset", "label"))
        for section in sections[wanted]
    )
    return Note(where, sections=found, tokens=tokens, text=text)


def read_section(section: Any, where: str, names: tuple[str, str, str]) -> Section:
    """One section from a dict.

    Args:
        section: the dict.
        where: how messages name the note.
        names: the names of start, end and label.
    """
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


def _read_annotation(entry: Mapping[str, Any], name: str, where: str) -> dict[str, list[Any]]:
    """The sides of one annotation that are there."""
    sides = entry.get(name)
    if sides is None:
        return {}
    if not isinstance(sides, Mapping):
        raise InputError(f"{name}: expected an object, got {shown(sides)}", where=where)
    present = {side: given for side, given in sides.items() if given is not None}
    for side, given in present.items():
        if not isinstance(given, list):
            raise InputError(f"{name}: {side}: expected a list, got {shown(given)}", where=where)
    return present


def _read_text(text: Any, where: str) -> str | None:
    if text is not None and not isinstance(text, str):
        raise InputError(f"note_text: expected a string, got {shown(text)}", where=where)
    return text


def _read_items(items: Sequence[Any], where: str, text: str | None) -> Note:
    """The tokens of a note and their labels."""
    try:
        labels = [item["boundary"] for item in items]
        offsets = [(item["start_offset"], item["end_offset"]) for item in items]
        regular = {type(offset) for pair in offsets for offset in pair} <= {int}
    except (TypeError, KeyError):
        regular = False
    if not regular:
        _refuse_item(items, where)
    tokens: IntArray = np.array(offsets, np.int64).reshape(-1, 2)
    return Note(where, labels=labels, tokens=tokens, text=text)


def _refuse_item(items: Sequence[Any], where: str) -> None:
    for at, item in enumerate(items):
        if not isinstance(item, Mapping):
            raise InputError(f"token {at}: expected an object, got {shown(item)}", where=where)
        for name in ("boundary", "start_offset", "end_offset"):
            if name not in item:
                raise InputError(f"token {at}: {name!r} is missing", where=where)
            if name != "boundary" and type(item[name]) is not int:
                raise InputError(
                    f"token {at}: {name}: expected an integer, got {shown(item[name])}",
                    where=where,
                )
