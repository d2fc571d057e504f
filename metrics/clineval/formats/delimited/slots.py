"""Convert cells with the values of slots to columns."""

from __future__ import annotations

import re

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, shown
from clineval.formats.delimited.cells import Table
from clineval.results.slots import Slot

CODE = re.compile(r"[^\s]*\Z")
ONE_CODE = re.compile(r"[^\s,]*\Z")
_CODES = re.compile(r"[^\s,]*( ?, ?[^\s,]+)*\Z")


def read_slot(table: Table, column: int, slot: Slot) -> Coded:
    """Read one column with any values."""
    cells = table.column(column)
    return cells.code_closed(slot.values) if slot.kind == "closed" else cells.code()


def judge_slot(  # noqa: PLR0913 - the format's rules for codes
    table: Table,
    column: int,
    slot: Slot,
    *,
    code: re.Pattern[str] = CODE,
    wanted: str = "a code",
    unwanted: str = "blanks",
) -> Coded:
    """Read one column, and reject values that the slot cannot have.

    Lines that are too short for the column are not checked.

    Args:
        table: the lines.
        column: the column, from 0.
        slot: the slot.
        code: pattern of a code.
        wanted: the expected form of a code, for messages.
        unwanted: the characters that codes cannot have, for messages.

    Raises:
        InputError: a value is invalid; the message names file, line and slot.
    """
    coded = read_slot(table, column, slot)
    wrong = [k for k, value in enumerate(coded.values) if not _is_value(slot, value, code)]
    if not wrong:
        return coded
    empty = [k for k, value in enumerate(coded.values) if not value]
    absent = (table.widths <= column) & np.isin(coded.ids, empty)
    lines = np.flatnonzero(np.isin(coded.ids, wrong) & ~absent)
    values = [coded.values[value] for value in coded.ids[lines].tolist()]
    if slot.kind == "closed":
        problems = [unknown_value(slot, value, "").problem for value in values]
    else:
        expected = f"{slot.name}: expected {wanted} such as C0020538 or CUI-less"
        got = "got a string of {} characters that contains {}"
        problems = [f"{expected}, {got.format(len(value), unwanted)}" for value in values]
    table.refuse(lines, problems)
    return coded


def _is_value(slot: Slot, value: str, code: re.Pattern[str]) -> bool:
    if slot.kind == "closed":
        return value in slot.values
    return bool((code if slot.kind == "code" else _CODES).match(value))


def unknown_value(slot: Slot, value: object, where: str) -> InputError:
    """Return the error for a value outside the closed set of a slot."""
    allowed = ", ".join(slot.values)
    return InputError(f"{slot.name}: expected one of {allowed}, got {shown(value)}", where=where)
