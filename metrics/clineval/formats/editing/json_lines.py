"""Corrections in JSON Lines: a line is written anew only if a mention of it changes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from clineval.base.strict_json import expect_json
from clineval.formats.editing import (
    Edit,
    Known,
    Labels,
    Text,
    lines_of,
    refuse_lost,
    refuse_twins,
)
from clineval.kinds.mentions.mention import sort_fragments
from clineval.kinds.mentions.slots import CUI_LESS, Slot, as_truth

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
    lines = lines_of(text)
    read = [json.loads(line) if line.strip() else {} for line in lines]
    flags = _find_flags(read)
    written = []
    for line, held in zip(lines, read, strict=True):
        own = edits.get(held.get("id", ""), ())
        written.append(_correct_line(held, own, labels, flags) if own else line)
    return "".join(written)


def _find_flags(lines: Sequence[Line]) -> frozenset[str]:
    """Find the slots that the file writes as true and false."""
    mentions = (mention for line in lines for mention in line.get("mentions", ()))
    return frozenset(n for mention in mentions for n, v in mention.items() if isinstance(v, bool))


def _correct_line(line: Line, edits: Sequence[Edit], labels: Labels, flags: frozenset[str]) -> str:
    mentions: list[Line] = line["mentions"]
    known = [_know(mention, labels) for mention in mentions]
    done: set[int] = set()
    for number, edit in enumerate(edits):
        places = [at for at, of in enumerate(known) if edit.old is not None and of == edit.old]
        refuse_twins(edit, [_slots_of(mentions[at]) for at in places])
        for at in places:
            done.add(number)
            if edit.new is None:
                _refuse_related(line, mentions[at], edit)
            else:
                _write(mentions[at], edit.new, edit, labels, flags)
    gone = {e.old for n, e in enumerate(edits) if n in done and e.new is None}
    line["mentions"] = [m for m, of in zip(mentions, known, strict=True) if of not in gone]
    for edit in edits:
        if edit.old is None and edit.new is not None:
            line["mentions"].append(_write({}, edit.new, edit, labels, flags))
    refuse_lost(edits, done)
    return json.dumps(line, ensure_ascii=False) + "\n"


def _slots_of(mention: Line) -> Line:
    return {name: value for name, value in mention.items() if name not in ("id", "spans", "cues")}


def _know(mention: Line, labels: Labels) -> Known:
    name = labels.classes.name if labels.classes else ""
    return Known(sort_fragments(mention["spans"]), labels.spell(mention.get(name)))


def _refuse_related(line: Line, mention: Line, edit: Edit) -> None:
    """Refuse to take out a mention that relations end at."""
    ends = [end for of in line.get("relations") or () for end in (of["from"], of["to"])]
    if mention.get("id") in ends:
        raise edit.refuse("relations end at it", "Take these out by hand first")


def _write(mention: Line, new: Known, edit: Edit, labels: Labels, flags: frozenset[str]) -> Line:
    mention["spans"] = [list(span) for span in new.spans]
    _set_class(mention, new.label, labels)
    for slot, value in labels.list_slots(edit):
        before = _written(mention.get(slot.name), slot)
        if slot.fold(before) != slot.fold(value):
            edit.changed[slot.name] = before, value
            mention[slot.name] = _as_json(value, slot, flag=slot.name in flags)
    return mention


def _set_class(mention: Line, label: str, labels: Labels) -> None:
    """Set the class, unless it is the same in other letters."""
    slot = labels.classes
    if slot is None or (slot.name in mention and labels.spell(mention[slot.name]) == label):
        return
    mention[slot.name] = None if slot.kind == "code" and slot.fold(label) == CUI_LESS else label


def _as_json(value: str, slot: Slot, *, flag: bool) -> object:
    """Return what JSON has for a value; true or false where the file has these for the slot."""
    if slot.kind == "codes":
        return value.split(",")
    folded = slot.fold(value)
    truths = [truth for truth in (True, False) if flag and slot.word(truth) == folded]
    return truths[0] if truths else value


def _written(value: object, slot: Slot) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    truth = as_truth(value)
    given = value if truth is None else truth
    return str(slot.word(given)) if given is not None else slot.default or ""
