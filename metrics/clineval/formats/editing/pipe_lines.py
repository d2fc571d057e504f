"""Corrections in pipe files: change cells of a mention's lines, remove lines, or add lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from clineval.base.errors import listed
from clineval.formats.brat.documents import is_default
from clineval.formats.delimited.pipe import (
    CUI_COLUMN,
    CUI_LESS,
    FULL,
    NULL,
    SEPARATOR,
    SHORT,
    SLOT_COLUMNS,
    SPANS_COLUMN,
)
from clineval.formats.editing import (
    Edit,
    Held,
    Known,
    Labels,
    Text,
    find_meant,
    lines_of,
    refuse_lost,
    spell_spans,
)
from clineval.kinds.mentions.mention import sort_fragments

_LOCATION = "body_location"
Cells = list[str]


def names_in(text: str) -> list[str]:
    """List the distinct names of a file's documents."""
    return list(dict.fromkeys(line.split(SEPARATOR)[0] for line in lines_of(text) if line.strip()))


def correct(text: str, edits: Mapping[str, Sequence[Edit]], labels: Labels, _texts: Text) -> str:
    """Correct the documents of a file, by name; add new lines after those of the document.

    Raises:
        InputError: a mention does not exist.
    """
    lines = lines_of(text)
    rows = [line.rstrip("\r\n").split(SEPARATOR) for line in lines]
    meant = {name: _find_lines(name, own, rows, labels) for name, own in edits.items()}
    corrected = _correct_lines(edits, meant, rows, labels)
    last = {cells[0]: at for at, cells in enumerate(rows)}
    written: list[str] = []
    for at, (line, cells) in enumerate(zip(lines, rows, strict=True)):
        written += corrected.get(at, [line])
        if last[cells[0]] == at:
            own = edits.get(cells[0], ())
            written += _add(cells[0], own, labels, wide=len(cells) > SHORT + 1)
    for name, own in edits.items():
        refuse_lost(own, {number for number, found in enumerate(meant[name]) if found})
        if name not in last:  # a document without a line
            written += _add(name, own, labels, wide=_is_wide(rows))
    return "".join(written)


def _is_wide(rows: Sequence[Cells]) -> bool:
    return not rows or max(map(len, rows)) > SHORT + 1


def _find_lines(
    name: str, edits: Sequence[Edit], rows: Sequence[Cells], labels: Labels
) -> list[list[list[int]]]:
    """Find the mentions for each correction of a document; return the lines of each mention."""
    mentions: dict[Known, dict[tuple[str, ...], list[int]]] = {}
    for at, cells in enumerate(rows):
        if cells[0] == name and len(cells) > CUI_COLUMN:
            own = mentions.setdefault(_know(cells, labels), {})
            own.setdefault(_without_location(cells, labels), []).append(at)
    found = []
    for edit in edits:
        twins = list(mentions.get(edit.old, {}).values()) if edit.old else []
        held = [_slots_of([rows[at] for at in lines]) for lines in twins]
        found.append([twins[at] for at in find_meant(edit, labels, held)])
    return found


def _without_location(cells: Cells, labels: Labels) -> tuple[str, ...]:
    """Return the slots that all lines of a mention share, to compare lines."""
    held = _slots_of([cells])
    slots = (slot for slot in labels.others() if slot.name != _LOCATION)
    return tuple(slot.fold(held.get(slot.name, slot.default or "")) for slot in slots)


def _slots_of(lines: Sequence[Cells]) -> Held:
    """Read the slots of a mention; a line without columns for slots has none."""
    if len(lines[0]) < FULL:
        return {}
    first = {name: lines[0][at] for name, at in SLOT_COLUMNS.items()}
    return first | {_LOCATION: ",".join(cells[SLOT_COLUMNS[_LOCATION]] for cells in lines)}


def _correct_lines(
    edits: Mapping[str, Sequence[Edit]],
    meant: Mapping[str, Sequence[Sequence[Sequence[int]]]],
    rows: Sequence[Cells],
    labels: Labels,
) -> dict[int, list[str]]:
    """Map the lines of corrected mentions to the new lines."""
    found: dict[int, list[str]] = {}
    for name, own in edits.items():
        for edit, mentions in zip(own, meant[name], strict=True):
            for lines in mentions:
                twins = [rows[at] for at in lines]
                for at in lines:
                    found.setdefault(at, list(_change(rows[at], edit, twins, labels)))
    return found


def _know(cells: Cells, labels: Labels) -> Known:
    spans = [
        tuple(map(int, span.split("-"))) for span in cells[SPANS_COLUMN].split(",") if span.strip()
    ]
    return Known(sort_fragments(spans), labels.spell(cells[CUI_COLUMN]))


def _change(cells: Cells, edit: Edit, twins: Sequence[Cells], labels: Labels) -> Iterator[str]:
    """Yield the new lines for a mention's line: none, one, or one for each body location."""
    if edit.new is None:
        return
    changed = [cells[0], spell_spans(edit.new.spans), edit.new.label or CUI_LESS, *cells[SHORT:]]
    if edit.slots is None or len(cells) < FULL:
        _refuse_slots(edit, labels)
        yield _join(changed)
        return
    if twins[0] is cells:  # the first line of a mention yields the lines for all
        _note_changes(edit, labels, twins)
        yield from _locate(_set_slots(changed, edit.slots), edit.slots, twins)


def _refuse_slots(edit: Edit, labels: Labels) -> None:
    """Reject slots if a line has no columns for them."""
    others = [slot.name for slot, value in labels.list_slots(edit) if not is_default(slot, value)]
    if others:
        raise edit.refuse(
            f"its line has no columns for {listed(others)}",
            "Convert the gold standard to JSON Lines",
        )


def _note_changes(edit: Edit, labels: Labels, twins: Sequence[Cells]) -> None:
    """Record the slots that change, and their values in the lines of a mention."""
    for slot, value in labels.list_slots(edit):
        at = SLOT_COLUMNS[slot.name]
        cells = [row[at] for row in twins] if slot.name == _LOCATION else [twins[0][at]]
        held = ",".join(cell for cell in cells if cell.lower() != NULL.lower())
        before = slot.spell(slot.fold(held or slot.default or ""))
        if slot.fold(before) != slot.fold(value):
            edit.changed[slot.name] = before, value


def _set_slots(cells: Cells, slots: Mapping[str, str]) -> Cells:
    """Set the slots; keep the cue of an unchanged value."""
    changed = list(cells)
    for name, at in SLOT_COLUMNS.items():
        value = slots.get(name)
        if name != _LOCATION and value is not None and cells[at].lower() != value:
            changed[at : at + 2] = [value, NULL]
    return changed


def _locate(cells: Cells, slots: Mapping[str, str], twins: Sequence[Cells]) -> Iterator[str]:
    """Yield a line for each body location; keep the cues of present body locations."""
    at = SLOT_COLUMNS[_LOCATION]
    cues = {row[at].lower(): row[at : at + 2] for row in twins if len(row) > at + 1}
    for location in slots.get(_LOCATION, cells[at]).split(","):
        own = cues.get(location.lower(), [NULL if location.lower() == "null" else location, NULL])
        yield _join([*cells[:at], *own, *cells[at + 2 :]])


def _add(name: str, edits: Sequence[Edit], labels: Labels, *, wide: bool) -> Iterator[str]:
    for edit in edits:
        if edit.old is not None or edit.new is None:
            continue
        cells = [name, spell_spans(edit.new.spans), edit.new.label or CUI_LESS]
        if not wide:
            _refuse_slots(edit, labels)
            yield _join([*cells, ""])
            continue
        slots = edit.slots or {}
        plain = [*cells, *[NULL] * (FULL - SHORT), ""]
        _note_changes(edit, labels, [plain])
        yield from _locate(_set_slots(plain, slots), {_LOCATION: NULL, **slots}, ())


def _join(cells: Sequence[str]) -> str:
    return SEPARATOR.join(cells) + "\n"
