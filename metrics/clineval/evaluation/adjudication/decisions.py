"""Read a reviewer's decisions, which the Workbench exports with the remarks: JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from clineval.base.errors import InputError, shown
from clineval.base.files import find_path, name_path
from clineval.base.strict_json import expect_json
from clineval.formats.editing import Edit, Fragments, Known
from clineval.formats.files import read_text
from clineval.kinds.mentions.mention import sort_fragments

SCHEMA = "clineval remarks 1"
GOLD_WRONG, SYSTEM_RIGHT, BOUNDARY, LABEL = "gold wrong", "system right", "boundary", "label"
KINDS = (GOLD_WRONG, SYSTEM_RIGHT, BOUNDARY, LABEL)
"""Remove the mention; take or add the system's mention; take its span; take its class."""
_TEXTS = ("document", "side", "spans", "class", "decision", "to_spans", "to_class")
_SCORED, _BETWEEN = "scored_slots", "; "
_GUARD = "=+-@\t\r"


@dataclass(frozen=True, slots=True)
class Remarks:
    """The content of a file of remarks.

    Args:
        edits: the kind of each decision, and the correction that follows from it.
        undecided: the number of remarks without a decision.
        module: the metric, if the file names it.
        config: the configuration, if the file names it.
    """

    edits: list[tuple[str, Edit]]
    undecided: int
    module: str | None = None
    config: str = "default"


def read_remarks(path: Path) -> Remarks:
    """Read a file of remarks.

    Raises:
        InputError: the file has no remarks, or a decision that cannot be applied, with its place.
    """
    find_path(path)
    text, where = read_text(path).removeprefix("\ufeff"), name_path(path)
    is_json = text.lstrip().startswith("{")
    names: dict[str, str] = {}
    held = _read_json(text, where, names) if is_json else list(_read_table(text, where))
    edits, undecided = [], 0
    for number, remark in enumerate(held, 1):
        place = f"{where}, remark {number}" if is_json else f"{where}:{number + 1}"
        decided = _read_remark(remark, place)
        if decided is None:
            undecided += 1
        else:
            kind, edit = decided
            edits.append((kind, replace(edit, scored=_read_scored(remark, names))))
    return Remarks(edits, undecided, names.get("module"), names.get("config", "default"))


def _read_json(text: str, where: str, names: dict[str, str]) -> list[object]:
    """Return the remarks, and store the metric and its configuration in ``names``."""
    held = expect_json(text, "the Workbench's remarks", where)
    if not isinstance(held, dict) or held.get("schema") != SCHEMA:
        raise _no_remarks(where)
    for name in ("module", "config"):
        if isinstance(held.get(name), str):
            names[name] = held[name]
    if isinstance(held.get(_SCORED), list):
        names[_SCORED] = _BETWEEN.join(map(str, held[_SCORED]))
    remarks = held.get("remarks")
    if not isinstance(remarks, list):
        raise _no_remarks(where)
    return remarks


def _read_table(text: str, where: str) -> Iterator[dict[str, str]]:
    rows = csv.DictReader(io.StringIO(text, newline=""))
    if not {"document", "side", "spans", "class"} <= set(rows.fieldnames or ()):
        raise _no_remarks(where)
    for number, row in enumerate(rows, 2):
        if None in row:
            wanted = f"expected {len(row) - 1} cells, as in the header, got more"
            raise InputError(wanted, where=f"{where}:{number}")
        yield {name: _unguard(value or "") for name, value in row.items()}


def _unguard(cell: str) -> str:
    """Remove the quote that keeps spreadsheets from running a cell as a formula."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] and cell[1] in _GUARD else cell


def _read_scored(remark: object, names: Mapping[str, str]) -> frozenset[str] | None:
    """Read which slots were scored: JSON states it once, CSV in each row, older files do not."""
    given = remark.get(_SCORED) if isinstance(remark, dict) else None
    written = names.get(_SCORED, given if isinstance(given, str) and given else None)
    return None if written is None else frozenset(written.split(_BETWEEN))


def _no_remarks(where: str) -> InputError:
    return InputError(
        "expected the Workbench's remarks",
        where=where,
        remedy="Export them from the report: Remarks, JSON or CSV",
    )


def _read_remark(remark: object, where: str) -> tuple[str, Edit] | None:
    """Read one remark; None if it has no decision."""
    if not isinstance(remark, dict):
        raise InputError(f"expected a remark, got {shown(remark)}", where=where)
    cells = {name: remark.get(name) or "" for name in _TEXTS}
    for name, value in cells.items():
        if not isinstance(value, str):
            raise InputError(f"{name}: expected a string, got {shown(value)}", where=where)
    kind = cells["decision"]
    if not kind:
        return None
    if kind not in KINDS:
        expected = ", ".join(KINDS)
        raise InputError(f"decision: expected one of {expected}, got {shown(kind)}", where=where)
    slots = _read_slots(remark, "to_slots", where)
    return kind, _make_edit(cells, slots, _read_slots(remark, "slots", where), where)


def _make_edit(
    cells: Mapping[str, str], slots: Mapping[str, str], held: Mapping[str, str], where: str
) -> Edit:
    kind, is_gold = cells["decision"], cells["side"] == "gold"
    own = Known(_read_spans(cells["spans"], where), cells["class"])
    if kind == GOLD_WRONG:
        if not is_gold:
            raise InputError("gold wrong: the remark is not about a gold mention", where=where)
        return Edit(cells["document"], own, None, where=where, own=held)
    other = Known(_read_spans(cells["to_spans"] or cells["spans"], where), cells["to_class"])
    if kind == SYSTEM_RIGHT:
        old, held = (own, held) if is_gold else (None, {})
        return Edit(cells["document"], old, other, slots, where, held)
    if not is_gold:
        raise InputError(f"{kind}: the prediction is not paired with a gold mention", where=where)
    new = Known(other.spans, own.label) if kind == BOUNDARY else Known(own.spans, other.label)
    return Edit(cells["document"], own, new, where=where, own=held)


def _read_spans(written: str, where: str) -> Fragments:
    """Read fragments in the notation of the page, such as ``4-15,31-38``."""
    try:
        return sort_fragments([tuple(map(int, span.split("-"))) for span in written.split(",")])
    except ValueError as error:
        problem = (
            error.problem if isinstance(error, InputError) else "expected spans such as 4-15,31-38"
        )
        raise InputError(f"spans: {problem}, got {shown(written)}", where=where) from None


def _read_slots(remark: Mapping[str, object], name: str, where: str) -> dict[str, str]:
    """Read the values of slots; in CSV they are a JSON object."""
    written = remark.get(name)
    try:
        held = json.loads(written) if isinstance(written, str) and written else written or {}
    except ValueError:
        held = None
    if not isinstance(held, dict) or not all(isinstance(each, str) for each in held.values()):
        raise InputError(f"{name}: expected the values of slots by name", where=where)
    return held
