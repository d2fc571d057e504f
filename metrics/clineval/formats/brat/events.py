r"""brat's events, ``E1<tab>Alcohol:T1 Status:T2 Type2:T3``, and attributes of events or mentions.

The trigger comes first, with the event's type, then the arguments, each with its role. A repeated
role ends with a number, which is not part of its name. ``A1<tab>Certainty E1 Certain`` is an
attribute of an event, ``A2<tab>StatusTimeVal T2 current`` an attribute of a mention.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Literal, NamedTuple

from clineval.formats.brat.standoff import TWICE, UNKNOWN_ID, Standoff

_EVENT = re.compile(r"(E\d{1,9}) *\t([^\s:]+):(T\d{1,9})((?: [^\s:]+:T\d{1,9})*)", re.ASCII)
_NESTED = re.compile(r"(E\d{1,9}) *\t([^\s:]+):(T\d{1,9})((?: [^\s:]+:[TE]\d{1,9})*)", re.ASCII)
_ARGUMENT = re.compile(r" ([^\s:]+?)\d*:([TE]\d+)", re.ASCII)
_ATTRIBUTE = re.compile(r"A\d+ *\t(\S+) ([TE]\d{1,9}) (\S+)", re.ASCII)
VALUE_ENDING = "Val"
"""``<type>Val`` is the name of the attribute with the value of a mention."""
_EVENT_LINE = "expected E1<tab>Type:T1 Role:T2, with single blanks"
_ATTRIBUTE_LINE = "expected A1<tab>Name {of}1 value, with single blanks"


class Event(NamedTuple):
    """A line ``E``: type, id of the trigger, and role and id of each argument."""

    line: int
    label: str
    trigger: str
    arguments: Sequence[tuple[str, str]]


class Attribute(NamedTuple):
    """A line ``A``: the id of a mention or event, the attribute's name, and its value."""

    line: int
    target: str
    name: str
    value: str


def read_events(standoff: Standoff, *, nested: bool = False) -> dict[str, Event]:
    r"""Read the events by id, and record problems.

    Args:
        standoff: the parsed file.
        nested: whether an argument can be an event.

    Examples:
        >>> from clineval.formats.brat.standoff import parse
        >>> from clineval.formats.files import from_string
        >>> lines = "T1\tDrug 0 4\tused\nT2\tType 5 11\theroin\nE1\tDrug:T1 Type2:T2\n"
        >>> read_events(parse(from_string("a", lines), None))
        {'E1': Event(line=3, label='Drug', trigger='T1', arguments=[('Type', 'T2')])}
    """
    events: dict[str, Event] = {}
    own = {line.partition("\t")[0].strip() for _, line in standoff.lines("E")} if nested else {}
    pattern, known = _NESTED if nested else _EVENT, {*standoff.mentions, *own}
    for number, line in standoff.lines("E"):
        match = pattern.fullmatch(line)
        if match is None:
            standoff.note(number, _EVENT_LINE)
            continue
        id_, label, trigger, rest = match.groups()
        arguments = _ARGUMENT.findall(rest)
        if not known >= {trigger, *(end for _, end in arguments)}:
            standoff.note(number, UNKNOWN_ID)
        elif id_ in events:
            standoff.note(number, TWICE)
        else:
            events[id_] = Event(number, label, trigger, arguments)
    return events


def read_attributes(
    standoff: Standoff, ids: Container[str], kind: Literal["T", "E"]
) -> list[Attribute]:
    """Read the attributes of the mentions or events with these ids.

    Attributes of anything else are recorded as problems.
    """
    attributes = []
    for number, line in standoff.lines("A"):
        match = _ATTRIBUTE.fullmatch(line)
        if match is None or match[2][0] != kind:
            standoff.note(number, _ATTRIBUTE_LINE.format(of=kind))
        elif match[2] not in ids:
            what = "mention" if kind == "T" else "event"
            standoff.note(number, f"no {what} has this id")
        else:
            attributes.append(Attribute(number, match[2], match[1], match[3]))
    return attributes
