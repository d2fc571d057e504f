"""Sections of notes as JSON Lines: ``{"id": ..., "sections": [{"start", "end", "label"}]}``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from clineval.base.errors import InputError, shown
from clineval.base.files import name_path
from clineval.base.strict_json import expect_json
from clineval.formats.files import read_text

Sections = Mapping[str, tuple[tuple[int, int, str], ...]]
"""Maps the name of a document to its sections: start, end (exclusive) in characters, and label."""


def read_sections(path: str | Path) -> Sections:
    """Read the sections of notes.

    Raises:
        InputError: a line is invalid; the message names it.
    """
    where = name_path(path)
    lines = read_text(path).splitlines()
    found = [_read_line(line, f"{where}:{n}") for n, line in enumerate(lines, 1) if line.strip()]
    return dict(found)


def _read_line(line: str, where: str) -> tuple[str, tuple[tuple[int, int, str], ...]]:
    note = expect_json(line, "one JSON object on the line", where)
    if not isinstance(note, dict) or not isinstance(note.get("id"), str):
        raise InputError('expected an object with "id" and "sections"', where=where)
    sections = note.get("sections")
    if not isinstance(sections, list):
        raise InputError(f'expected a list of "sections", got {shown(sections)}', where=where)
    return note["id"], tuple(sorted(_read_section(section, where) for section in sections))


def _read_section(section: object, where: str) -> tuple[int, int, str]:
    held: Mapping[str, object] = section if isinstance(section, dict) else {}
    start, end, label = held.get("start"), held.get("end"), held.get("label")
    if type(start) is int and type(end) is int and isinstance(label, str) and 0 <= start < end:
        return start, end, label
    raise InputError(
        'expected a section with "start" before "end", in characters, and "label"', where=where
    )
