r"""Read relations of any scheme from brat's files.

``R1<tab>Type Arg1:T2 Arg2:T1`` leads from T2 to T1. If the roles have other names, the first one is
the source. An end may be an event, which stands for its trigger. ``*<tab>Type T1 T2 T3`` is an
equivalence: relations from its first mention to each other one, as ``clineval convert`` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from clineval.formats.brat.standoff import TWICE, Link, Standoff

_RELATION = re.compile(r"(R\d{1,9}) *\t([^ \t]+) ([^ \t:]+):([TE]\d{1,9}) ([^ \t:]+):([TE]\d{1,9})")
_EQUIVALENCE = re.compile(r"\* *\t([^ \t]+)((?: [TE]\d{1,9}){2,})")
_TRIGGER = re.compile(r"(E\d{1,9}) *\t[^ \t:]+:(T\d{1,9})(?: .*)?")
_UNKNOWN = "one of these ids belongs to no mention and no event"


def read_free_links(standoff: Standoff) -> None:
    """Add the relations of a parsed file, and its problems."""
    ends = {id_: id_ for id_ in standoff.mentions} | dict(_list_triggers(standoff))
    for number, line in standoff.lines("R"):
        _read_relation(standoff, number, line, ends)
    for number, line in standoff.lines("*"):
        _read_equivalence(standoff, number, line, ends)


def _list_triggers(standoff: Standoff) -> Iterator[tuple[str, str]]:
    """Yield the id of each event and of its trigger."""
    for _, line in standoff.lines("E"):
        match = _TRIGGER.fullmatch(line)
        if match and match[2] in standoff.mentions:
            yield match[1], match[2]


def _read_relation(standoff: Standoff, number: int, line: str, ends: Mapping[str, str]) -> None:
    match = _RELATION.fullmatch(line)
    if match is None:
        standoff.note(number, "expected R1<tab>Type Arg1:T1 Arg2:T2, with single blanks")
        return
    id_, label, role, first, _, second = match.groups()
    if id_ in standoff.relations:
        standoff.note(number, TWICE)
    if role == "Arg2":
        first, second = second, first
    _add(standoff, number, id_, Link(number, label, first, second), ends)


def _read_equivalence(standoff: Standoff, number: int, line: str, ends: Mapping[str, str]) -> None:
    match = _EQUIVALENCE.fullmatch(line)
    if match is None:
        standoff.note(number, "expected *<tab>Type T1 T2, with single blanks")
        return
    label, members = match[1], [ends.get(id_, id_) for id_ in match[2].split()]
    known = [id_ for id_ in members if id_ in standoff.mentions]
    if len(known) < len(members):
        standoff.note(number, _UNKNOWN)
    for at, other in enumerate(known[1:]):
        _add(standoff, number, f"*{number}.{at}", Link(number, label, known[0], other), ends)


def _add(standoff: Standoff, number: int, id_: str, link: Link, ends: Mapping[str, str]) -> None:
    source, target = ends.get(link.source), ends.get(link.target)
    if source is None or target is None:
        standoff.note(number, _UNKNOWN)
    elif source == target:
        standoff.note(number, "the relation connects a mention with itself")
    else:
        standoff.relations[id_] = link._replace(source=source, target=target)
