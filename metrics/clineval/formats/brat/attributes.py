r"""brat's attributes of mentions: ``A1<tab>Negated T3``, ``A2<tab>Severity T2 moderate``.

A slot is an attribute with its name, in any case; one without a value is true.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import InputError
from clineval.formats.brat.standoff import Standoff
from clineval.formats.dicts import spell
from clineval.kinds.mentions.slots import ANY, Slot, find_slot

_KINDS = b"AM"
_UNPLACED = ("E", "R")
"""What attributes can be of besides mentions: events and relations."""


class Statement(NamedTuple):
    """What a line says of a mention or something else: a name, of what, and a value."""

    name: str
    target: str
    value: str
    note: str


def parse_statement(line: str) -> Statement:
    r"""Take the line of an attribute, a normalization or a note apart.

    Examples:
        >>> parse_statement("A2\tSeverity T2 moderate")
        Statement(name='Severity', target='T2', value='moderate', note='')
    """
    _, _, rest = line.partition("\t")
    head, _, note = rest.partition("\t")
    name, target, value = (*head.split(" ", 2), "", "")[:3]
    return Statement(name, target, value, note)


def is_of_mention(target: str) -> bool:
    """Return whether an attribute is of a mention, be it one that is not there."""
    return target[:1] not in _UNPLACED


def read_attributes(standoff: Standoff) -> dict[str, Coded]:
    """Read the attributes of the mentions of some files as columns of free slots.

    What is wrong is added to the problems of ``standoff``.
    """
    keys = zip(standoff.mentions.document.tolist(), standoff.ids.tolist(), strict=True)
    rows = {(file, f"T{number}"): row for row, (file, number) in enumerate(keys)}
    found: dict[str, dict[int, str]] = {}
    for line in standoff.others.tolist():
        text = standoff.table.line(line)
        if text[:1] in _KINDS:
            statement = parse_statement(text.decode())
            row = rows.get((int(standoff.table.file[line]), statement.target))
            try:
                _add(found, statement, row)
            except InputError as error:
                standoff.problems.append((np.array([line]), error.problem))
    return {name: _as_column(values, len(rows)) for name, values in found.items()}


def _add(found: dict[str, dict[int, str]], statement: Statement, row: int | None) -> None:
    slot = find_slot([Slot(ANY, "free")], statement.name.lower())
    value = spell(statement.value or True, slot) if slot else None
    if row is None:
        if is_of_mention(statement.target):
            raise InputError("there is no mention of this id")
        return
    if slot is None or value is None:
        raise InputError("expected A1<tab>Name T1 or A1<tab>Name T1 value")
    if found.setdefault(slot.name, {}).setdefault(row, value) != value:
        raise InputError("the mention has this attribute already, with another value")


def _as_column(values: dict[int, str], size: int) -> Coded:
    """Return ``[size]``, the values of some rows, and ``no`` for the others."""
    names = tuple(dict.fromkeys(["no", *values.values()]))
    numbers = {name: at for at, name in enumerate(names)}
    ids: IntArray = np.zeros(size, np.int64)
    ids[list(values)] = [numbers[value] for value in values.values()]
    return Coded(ids, names)
