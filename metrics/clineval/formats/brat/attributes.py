r"""brat's attributes of mentions: ``A1<tab>Negated T3``, ``A2<tab>Severity T2 moderate``.

An attribute is read as the slot of the same name, in any case. Without a value it is true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from clineval.base.errors import InputError
from clineval.formats.brat.standoff import Standoff
from clineval.formats.dicts import spell
from clineval.results.slots import ANY, Slot, find_slot

Values = Mapping[str, Mapping[str, str]]
"""Maps the name of a slot to the ids of mentions and their values."""
_NO_EVENTS: Mapping[str, str] = {}
_ANY_SLOT = [Slot(ANY, "free")]
_UNPLACED = ("E", "R")
"""Letters of ids of events and relations, which can have attributes too."""


class Statement(NamedTuple):
    """The parts of a line about a mention, event or relation: name, target, value and note."""

    line: str
    name: str
    target: str
    value: str
    note: str


def parse_statement(line: str) -> Statement:
    r"""Split the line of an attribute, a normalization or a note into its parts.

    Examples:
        >>> parse_statement("A2\tSeverity T2 moderate")[1:]
        ('Severity', 'T2', 'moderate', '')
    """
    _, _, rest = line.partition("\t")
    head, _, note = rest.partition("\t")
    name, target, value = (*head.split(" ", 2), "", "")[:3]
    return Statement(line, name, target, value, note)


def read_statements(standoff: Standoff, kinds: str) -> Iterator[tuple[int, Statement]]:
    """Yield the attributes, normalizations or notes of a file, each with its line number."""
    return ((number, parse_statement(line)) for number, line in standoff.lines(kinds))


def is_of_mention(target: str) -> bool:
    """Return whether an attribute belongs to a mention, even if the mention is missing."""
    return target[:1] not in _UNPLACED


def read_attributes(standoff: Standoff, events: Mapping[str, str] = _NO_EVENTS) -> Values:
    """Read the attributes of mentions as values of free slots, and record problems.

    Args:
        standoff: the parsed file.
        events: the ids of events to the ids of the triggers that get their attributes; attributes
            of other events are ignored.
    """
    values: dict[str, dict[str, str]] = {}
    for number, given in read_statements(standoff, "AM"):
        statement = given._replace(target=events.get(given.target, given.target))
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
            raise InputError("no mention has this id")
        return
    if slot is None or value is None:
        raise InputError("expected A1<tab>Name T1 or A1<tab>Name T1 value")
    if values.setdefault(slot.name, {}).setdefault(statement.target, value) != value:
        raise InputError("the mention already has this attribute with another value")
