r"""brat's events, ``E1<tab>Alcohol:T1 Status:T2 Type2:T3``, and attributes of these or of mentions.

The trigger stands first, with the event's type; then come its arguments, each with its role. A role
that is there twice has a number, which is not part of it. ``A1<tab>Certainty E1 Certain`` is an
attribute of an event, ``A2<tab>StatusTimeVal T2 current`` one of a mention.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.formats.brat.standoff import Standoff

_EVENT = re.compile(r"E(\d{1,9})\t([^\s:]+):T(\d{1,9})((?: [^\s:]+:T\d{1,9})*)\Z", re.ASCII)
_ARGUMENT = re.compile(r" ([^\s:]+?)\d*:T(\d+)", re.ASCII)
_ATTRIBUTE = re.compile(r"A\d+\t(\S+) ([TE])(\d{1,9}) (\S+)\Z", re.ASCII)
_EVENT_LINE = "expected E1<tab>Type:T1 Role:T2, with single blanks"
_ATTRIBUTE_LINE = "expected A1<tab>Name {of}1 value, with single blanks"


@dataclass(frozen=True, slots=True, eq=False)
class EventLines:
    """The ``e`` events of some files, with ``a`` arguments in all.

    Args:
        lines: ``[e]``, the line of each in the table of the files.
        ids: ``[e]``, the number in its id, as 12 of ``E12``.
        label: ``[e]``, the type.
        trigger: ``[e]``, the row of its trigger among the mentions of the files.
        bounds: ``[e + 1]``; the arguments of event ``i`` are ``bounds[i]:bounds[i + 1]``.
        role: ``[a]``, the role of each argument.
        argument: ``[a]``, its row among the mentions.
    """

    lines: IntArray
    ids: IntArray
    label: Coded
    trigger: IntArray
    bounds: IntArray
    role: Coded
    argument: IntArray

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def owners(self) -> IntArray:
        """``[a]``, the event of each argument."""
        return np.repeat(np.arange(len(self)), np.diff(self.bounds))


class Attribute(NamedTuple):
    """A line ``A``: of which mention or event, by its row, what it is called, and its value."""

    line: int
    row: int
    name: str
    value: str


def number_mentions(standoff: Standoff) -> dict[tuple[int, int], int]:
    """Map file and number of its id to the row of each mention."""
    keys = zip(standoff.mentions.document.tolist(), standoff.ids.tolist(), strict=True)
    return {key: row for row, key in enumerate(keys)}


def read_events(standoff: Standoff) -> EventLines:
    r"""Read the events of some files; what is wrong is added to the problems of ``standoff``.

    Examples:
        >>> from clineval.formats.brat.standoff import parse
        >>> from clineval.formats.files import from_string
        >>> lines = "T1\tDrug 0 4\tused\nT2\tType 5 11\theroin\nE1\tDrug:T1 Type2:T2\n"
        >>> events = read_events(parse([from_string("a", lines)]))
        >>> events.label.values, events.role.values, events.argument.tolist()
        (('Drug',), ('Type',), [1])
    """
    rows, seen = number_mentions(standoff), set()
    found: list[tuple[int, int, str, int]] = []
    arguments: list[list[tuple[str, int]]] = []
    for line, text in _lines_of(standoff, b"E"):
        match, file = _EVENT.match(text), int(standoff.table.file[line])
        if match is None:
            _refuse(standoff, line, _EVENT_LINE)
            continue
        own = [(name, rows.get((file, int(at)), -1)) for name, at in _ARGUMENT.findall(match[4])]
        event = line, int(match[1]), match[2], rows.get((file, int(match[3])), -1)
        if min(event[3], *(row for _, row in own), 0) < 0:
            _refuse(standoff, line, "there is no mention of one of these ids")
        elif (file, event[1]) in seen:
            _refuse(standoff, line, "the id is there twice in the file")
        else:
            seen.add((file, event[1]))
            found.append(event)
            arguments.append(own)
    lines, ids, labels, triggers = zip(*found, strict=True) if found else ((), (), (), ())
    parts = [argument for of in arguments for argument in of]
    return EventLines(
        np.array(lines, np.int64),
        np.array(ids, np.int64),
        Coded.of(labels),
        np.array(triggers, np.int64),
        np.cumsum([0, *map(len, arguments)]),
        Coded.of([role for role, _ in parts]),
        np.array([row for _, row in parts], np.int64),
    )


def list_arguments(events: EventLines) -> list[list[tuple[str, int]]]:
    """List role and row of the arguments of each event."""
    roles = (events.role.values[number] for number in events.role.ids.tolist())
    pairs = list(zip(roles, events.argument.tolist(), strict=True))
    return [pairs[first:last] for first, last in pairwise(events.bounds.tolist())]


def read_attributes(
    standoff: Standoff, rows: Mapping[tuple[int, int], int], of: Literal["T", "E"]
) -> list[Attribute]:
    """Read the attributes of mentions or of events, each of which has a row by file and id.

    What is wrong, also attributes of what is not asked for, is added to the problems.
    """
    found = []
    for line, text in _lines_of(standoff, b"A"):
        match, file = _ATTRIBUTE.match(text), int(standoff.table.file[line])
        if match is None or match[2] != of:
            _refuse(standoff, line, _ATTRIBUTE_LINE.format(of=of))
        elif (file, int(match[3])) not in rows:
            what = "mention" if of == "T" else "event"
            _refuse(standoff, line, f"there is no {what} of this id")
        else:
            found.append(Attribute(line, rows[file, int(match[3])], match[1], match[4]))
    return found


def _lines_of(standoff: Standoff, kind: bytes) -> list[tuple[int, str]]:
    texts = ((line, standoff.table.line(line)) for line in standoff.others.tolist())
    return [(line, text.decode()) for line, text in texts if text[:1] == kind]


def _refuse(standoff: Standoff, line: int, problem: str) -> None:
    standoff.problems.append((np.array([line]), problem))


def as_column(values: Mapping[int, str], size: int, absent: str) -> Coded:
    """Return ``[size]``, the values of some rows, and another one for the rest.

    Examples:
        >>> column = as_column({2: "past"}, 3, "no")
        >>> column.ids.tolist(), column.values
        ([0, 0, 1], ('no', 'past'))
    """
    names = tuple(dict.fromkeys([absent, *values.values()]))
    numbers = {name: at for at, name in enumerate(names)}
    ids: IntArray = np.zeros(size, np.int64)
    ids[list(values)] = [numbers[value] for value in values.values()]
    return Coded(ids, names)
