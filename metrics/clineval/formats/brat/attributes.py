r"""brat's attributes of mentions: ``A1<tab>Negated T3``, ``A2<tab>Severity T2 moderate``.

A slot is an attribute with its name, in any case; one without a value is true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from clineval.base.errors import InputError
from clineval.formats.brat.standoff import Standoff
from clineval.formats.dicts import spell
from clineval.results.slots import ANY, Slot, find_slot

Values = Mapping[str, Mapping[str, str]]
"""Name of a slot to id of a mention to value."""
_ANY_SLOT = [Slot(ANY, "free")]
_UNPLACED = ("E", "R")
"""What attributes can be of besides mentions: events and relations."""


class Statement(NamedTuple):
    """A line, and what it says of a mention or something else: a name, of what, and a value."""

    line: str
    name: str
    target: str
    value: str
    note: str


def parse_statement(line: str) -> Statement:
    r"""Take the line of an attribute, a normalization or a note apart.

    Examples:
        >>> parse_statement("A2\tSeverity T2 moderate")[1:]
        ('Severity', 'T2', 'moderate', '')
    """
    _, _, rest = line.partition("\t")
    head, _, note = rest.partition("\t")
    name, target, value = (*head.split(" ", 2), "", "")[:3]
    return Statement(line, name, target, value, note)


def read_statements(standoff: Standoff, kinds: str) -> Iterator[tuple[int, Statement]]:
    """Yield the attributes, normalizations or notes of a file, each with its line."""
    return ((number, parse_statement(line)) for number, line in standoff.lines(kinds))


def is_of_mention(target: str) -> bool:
    """Return whether an attribute is of a mention, be it one that is not there."""
    return target[:1] not in _UNPLACED


def read_attributes(standoff: Standoff) -> Values:
    """Read the attributes of mentions as values of free slots, and note what is wrong."""
    values: dict[str, dict[str, str]] = {}
    for number, statement in read_statements(standoff, "AM"):
        try:
            _add(values, statement, known=statement.target in standoff.mentions)
        except InputError as error:
            standoff.note(number, error.problem)
    return values


def _add(values: dict[str, dict[str, str]], statement: Statement, *, known: bool) -> None:
    slot = find_slot(_ANY_SLOT, statement.name.lower())
    value = spell(statement.value or True, slot) if slot else None
    if not known:
        if is_of_mention(statement.target):
            raise InputError("there is no mention of this id")
        return
    if slot is None or value is None:
        raise InputError("expected A1<tab>Name T1 or A1<tab>Name T1 value")
    if values.setdefault(slot.name, {}).setdefault(statement.target, value) != value:
        raise InputError("the mention has this attribute already, with another value")
