"""Corrections in JSON Lines: a line is rewritten only if one of its mentions changes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from clineval.base.strict_json import expect_json
from clineval.formats.editing import (
    Edit,
    Held,
    Known,
    Labels,
    Text,
    find_meant,
    lines_of,
    refuse_lost,
)
from clineval.kinds.mentions.mention import sort_fragments
from clineval.results.slots import CUI_LESS, Slot, as_truth

Line = dict[str, Any]


def names_in(text: str) -> list[str]:
    """List the names of a file's documents, one for each line."""
    lines = [line for line in lines_of(text) if line.strip()]
    found = [expect_json(line, "one JSON object on the line", "") for line in lines]
    return [line["id"] for line in found]


def correct(text: str, edits: Mapping[str, Sequence[Edit]], labels: Labels, _texts: Text) -> str:
    """Correct the documents of a file, by name.

    Raises:
        InputError: a mention does not exist, or relations refer to a mention to remove.
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
    """Find the slots that have booleans as values in the file."""
    mentions = (mention for line in lines for mention in line.get("mentions", ()))
    return frozenset(n for mention in mentions for n, v in mention.items() if isinstance(v, bool))


def _correct_line(line: Line, edits: Sequence[Edit], labels: Labels, flags: frozenset[str]) -> str:
    mentions: list[Line] = line["mentions"]
    known = [_know(mention, labels) for mention in mentions]
    meant = [_find_places(mentions, known, edit, labels) for edit in edits]
    gone: set[int] = set()
    for edit, places in zip(edits, meant, strict=True):
        for at in places:
            if edit.new is None:
                _refuse_related(line, mentions[at], edit)
                gone.add(at)
            else:
                _write(mentions[at], edit.new, edit, labels, flags)
    line["mentions"] = [mention for at, mention in enumerate(mentions) if at not in gone]
    for edit in edits:
        if edit.old is None and edit.new is not None:
            line["mentions"].append(_write({}, edit.new, edit, labels, flags))
    refuse_lost(edits, {number for number, places in enumerate(meant) if places})
    return json.dumps(line, ensure_ascii=False) + "\n"


def _find_places(
    mentions: Sequence[Line], known: Sequence[Known], edit: Edit, labels: Labels
) -> list[int]:
    """Find the mentions to correct; call it before any mention changes."""
    places = [at for at, of in enumerate(known) if of == edit.old]
    twins = [_slots_of(mentions[at], labels) for at in places]
    return [places[at] for at in find_meant(edit, labels, twins)]


def _slots_of(mention: Line, labels: Labels) -> Held:
    slots = ((labels.find(name), value) for name, value in mention.items())
    return {slot.name: _written(value, slot) for slot, value in slots if slot is not None}


def _know(mention: Line, labels: Labels) -> Known:
    name = labels.classes.name if labels.classes else ""
    return Known(sort_fragments(mention["spans"]), labels.spell(mention.get(name)))


def _refuse_related(line: Line, mention: Line, edit: Edit) -> None:
    """Reject the removal of a mention if relations refer to it."""
    ends = [end for of in line.get("relations") or () for end in (of["from"], of["to"])]
    if mention.get("id") in ends:
        raise edit.refuse("relations refer to it", "Remove these by hand first")


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
    """Set the class, unless the present class differs only in its spelling."""
    slot = labels.classes
    if slot is None or (slot.name in mention and labels.spell(mention[slot.name]) == label):
        return
    mention[slot.name] = None if slot.kind == "code" and slot.fold(label) == CUI_LESS else label


def _as_json(value: str, slot: Slot, *, flag: bool) -> object:
    """Convert a value for JSON; to a boolean if ``flag``, that is, if the file uses booleans."""
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
