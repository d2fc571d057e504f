"""Corrections in JSON Lines: a line is written anew only if a mention of it changes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from clineval.base.strict_json import expect_json
from clineval.formats.editing import Edit, Known, Labels, Text, lines_of, refuse_lost
from clineval.kinds.mentions.mention import sort_fragments
from clineval.kinds.mentions.slots import CUI_LESS, Slot, find_slot

Line = dict[str, Any]


def names_in(text: str) -> list[str]:
    """List the names of a file's documents, a line each."""
    lines = [line for line in lines_of(text) if line.strip()]
    found = [expect_json(line, "one JSON object on the line", "") for line in lines]
    return [line["id"] for line in found]


def correct(text: str, edits: Mapping[str, Sequence[Edit]], labels: Labels, _texts: Text) -> str:
    """Correct the documents of a file, by their names.

    Raises:
        InputError: a mention that is not there, or that has relations and is taken out.
    """
    written = []
    for line in lines_of(text):
        held = json.loads(line) if line.strip() else {}
        own = edits.get(held.get("id", ""), ())
        written.append(_correct_line(held, own, labels) if own else line)
    return "".join(written)


def _correct_line(line: Line, edits: Sequence[Edit], labels: Labels) -> str:
    mentions: list[Line] = line["mentions"]
    known = [_know(mention, labels) for mention in mentions]
    done: set[int] = set()
    for number, edit in enumerate(edits):
        for at in [at for at, of in enumerate(known) if edit.old is not None and of == edit.old]:
            done.add(number)
            _change(line, mentions[at], edit, labels)
    gone = {e.old for n, e in enumerate(edits) if n in done and e.new is None}
    line["mentions"] = [m for m, of in zip(mentions, known, strict=True) if of not in gone]
    for edit in edits:
        if edit.old is None and edit.new is not None:
            line["mentions"].append(_write({}, edit.new, edit, labels))
    refuse_lost(edits, done)
    return json.dumps(line, ensure_ascii=False) + "\n"


def _know(mention: Line, labels: Labels) -> Known:
    name = labels.classes.name if labels.classes else ""
    return Known(sort_fragments(mention["spans"]), labels.spell(mention.get(name)))


def _change(line: Line, mention: Line, edit: Edit, labels: Labels) -> None:
    """Change a mention; refuse to take one out that relations end at."""
    if edit.new is None:
        ends = [end for of in line.get("relations", ()) for end in (of["from"], of["to"])]
        if mention.get("id") in ends:
            raise edit.refuse("relations end at it", "Take these out by hand first")
        return
    _write(mention, edit.new, edit, labels)


def _write(mention: Line, new: Known, edit: Edit, labels: Labels) -> Line:
    mention["spans"] = [list(span) for span in new.spans]
    _set_class(mention, new.label, labels)
    for name, value in (edit.slots or {}).items():
        _set_slot(mention, name, value, labels)
    return mention


def _set_class(mention: Line, label: str, labels: Labels) -> None:
    """Set the class, unless it is the same in other letters."""
    slot = labels.classes
    if slot is None or (slot.name in mention and labels.spell(mention[slot.name]) == label):
        return
    mention[slot.name] = None if slot.kind == "code" and slot.fold(label) == CUI_LESS else label


def _set_slot(mention: Line, name: str, value: str, labels: Labels) -> None:
    """Set a slot, unless it has this value already, if only by default."""
    slot = find_slot(labels.others(), name)
    if slot is None or slot.fold(_written(mention.get(name), slot)) == slot.fold(value):
        return
    mention[name] = value.split(",") if slot.kind == "codes" else value


def _written(value: object, slot: Slot) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(slot.word(value)) if value is not None else slot.default or ""
