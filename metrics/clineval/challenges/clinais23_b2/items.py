"""Readers of whatever a user gives as references or predictions of sections."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from clineval.base.errors import InputError, shown
from clineval.base.strict_json import expect_json
from clineval.challenges.clinais23_b2 import note_json
from clineval.challenges.clinais23_b2.segmentation import Note, NoteSide
from clineval.formats.given.forms import items_of, judge_ids

_SIDES: Mapping[note_json.Wanted, str] = {"gold": "references", "prediction": "predictions"}


def read_notes(given: Any, wanted: note_json.Wanted) -> NoteSide:
    """Read one side.

    Args:
        given: the path or the text of a ClinAIS JSON file, or what it holds; or for each note a
            list of labels, one for each token, None where no section begins; or a dict with
            ``text`` and ``sections``, a list of ``{"start", "end", "label"}``, and perhaps
            ``id``; or an entry of the ClinAIS JSON; or any of these as a string of JSON.
        wanted: the side that is read from entries that may hold both.

    Examples:
        >>> side = read_notes([["TREATMENT", None, "EVOLUTION"]], "gold")
        >>> side.notes[0].labels
        ['TREATMENT', None, 'EVOLUTION']
    """
    side = _SIDES[wanted]
    if isinstance(given, (str, os.PathLike)):
        return note_json.read_side(given, wanted)
    if isinstance(given, Mapping):
        return note_json.read_entries(given, wanted, side)
    given = items_of(given, "a list with one item for each note", side)
    items = [_parse(item, f"{side}, note {at}") for at, item in enumerate(given)]
    names = tuple(_name(item) for item in items)
    judge_ids([name or None for name in names], side, "note")
    notes = tuple(
        _read_note(item, wanted, note_json.place_of_note(side, name or str(at)))
        for at, (item, name) in enumerate(zip(items, names, strict=True))
    )
    return NoteSide(names, names if any(names) else None, notes)


def read_systems(references: Any, predictions: Sequence[Any]) -> tuple[NoteSide, list[NoteSide]]:
    """Read references and each system's predictions, each as :func:`read_notes` takes them.

    A file that is both is read once.
    """
    source = _source(references)
    if source is None or source not in map(_source, predictions):
        read = [read_notes(given, "prediction") for given in predictions]
        return read_notes(references, "gold"), read
    predicted, gold = note_json.read_sides(source, "prediction", "gold")
    return gold, [
        predicted if _source(given) == source else read_notes(given, "prediction")
        for given in predictions
    ]


def _source(given: Any) -> str | None:
    """Return the path or text, which identifies a source; None for anything else."""
    return os.fspath(given) if isinstance(given, (str, os.PathLike)) else None


def _parse(item: Any, where: str) -> Any:
    if not isinstance(item, str):
        return item
    return expect_json(item, "JSON in a string", where, "Or give a list of labels")


def _name(item: Any) -> str:
    if not isinstance(item, Mapping):
        return ""
    name = item.get("note_id" if note_json.is_entry(item) else "id")
    return name if isinstance(name, str) else ""


def _read_note(item: Any, wanted: note_json.Wanted, where: str) -> Note:
    if isinstance(item, (list, tuple)):
        return Note(where, labels=item)
    if not isinstance(item, Mapping):
        raise InputError(
            f"expected a list of labels or a dict, got {shown(item)}",
            where=where,
            remedy="Give one list of labels, or text and sections, for each note",
        )
    if note_json.is_entry(item):
        return note_json.read_entry(item, wanted, where)
    return _read_sections(item, where)


def _read_sections(item: Mapping[str, Any], where: str) -> Note:
    sections, text = item.get("sections"), item.get("text")
    if not isinstance(sections, (list, tuple)):
        raise InputError(f"expected a list of sections, got {shown(sections)}", where=where)
    if text is not None and not isinstance(text, str):
        raise InputError(f"text: expected a string, got {shown(text)}", where=where)
    names = ("start", "end", "label")
    found = tuple(note_json.read_section(section, where, names) for section in sections)
    return Note(where, sections=found, text=text)
