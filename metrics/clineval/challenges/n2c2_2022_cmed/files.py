r"""Read the brat files of the challenge: medications, their events, and attributes of events.

``T1<tab>Disposition 0 7<tab>aspirin`` is a medication, ``E1<tab>Disposition:T1`` its event and
``A1<tab>Action E1 Stop`` an attribute of the event. The label of a mention is the type of its
event, or Drug if it has no event. The type in the line of the medication is ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from clineval.base.errors import warn
from clineval.base.files import Source
from clineval.formats.brat.columns import as_column, as_columns, as_side
from clineval.formats.brat.events import Event, read_attributes, read_events
from clineval.formats.brat.standoff import (
    FILES,
    Standoff,
    find_text,
    open_files,
    parse,
    refuse,
    warn_of_links,
)
from clineval.formats.files import TextFile, open_strings
from clineval.kinds.mentions.columns import Side
from clineval.results.slots import Slot

DRUG = "Drug"
EVENTS = ("Disposition", "NoDisposition", "Undetermined")
CONTEXT = ("Action", "Negation", "Temporality", "Certainty", "Actor")
"""The attributes of events in brat files; slots have the same names in lower case."""
ABSENT = "no"
"""The value of a missing attribute."""
_SECOND = "the mention already has an event; give a second event a mention of its own"
SLOTS = tuple(Slot(name.lower(), "free") for name in CONTEXT)


@dataclass(frozen=True, slots=True)
class EventFiles:
    """The challenge's text format, a :class:`~clineval.formats.given.mentions.TextFormat`."""

    FILES: str = FILES
    UNREAD: AbstractSet[str] = frozenset({"cui"})

    def document_key(self, name: str) -> str:
        """Return the name without ``.txt``, because names of brat documents may lack it."""
        return name.removesuffix(".txt")

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read files; they are paired by name."""
        return _read(open_files(source))

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read one string of lines for each document; they are paired by position."""
        return _read(open_strings(strings))


def _read(files: Iterable[TextFile]) -> Side:
    parsed = [parse(file, find_text(file)) for file in files]
    events = list(map(read_events, parsed))
    labels = [_read_labels(file, own) for file, own in zip(parsed, events, strict=True)]
    slots = [_read_slots(file, own) for file, own in zip(parsed, events, strict=True)]
    refuse(parsed)
    _warn_of_types(parsed)
    warn_of_links(parsed)
    columns = {
        name.lower(): as_column(parsed, [values[name] for values in slots], ABSENT)
        for name in CONTEXT
    }
    label = as_column(parsed, labels, DRUG)
    return as_side(parsed, as_columns(parsed, {"label": label, **columns}))


def _read_labels(file: Standoff, events: Mapping[str, Event]) -> Mapping[str, str]:
    """Read the labels of mentions by id; note events that the challenge does not have."""
    labels: dict[str, str] = {}
    for event in events.values():
        if event.label not in EVENTS:
            file.note(event.line, f"unknown type, expected one of {', '.join(EVENTS)}")
        if event.arguments:
            file.note(event.line, "events of this challenge have no arguments")
        if event.trigger in labels:
            file.note(event.line, _SECOND)
        labels[event.trigger] = event.label
    return labels


def _read_slots(file: Standoff, events: Mapping[str, Event]) -> Mapping[str, Mapping[str, str]]:
    """Read the attributes of events, by the name of the attribute and the id of the mention."""
    slots: dict[str, dict[str, str]] = {name: {} for name in CONTEXT}
    for line, event, name, value in read_attributes(file, events, "E"):
        if name not in slots:
            file.note(line, f"unknown attribute, expected one of {', '.join(CONTEXT)}")
        elif slots[name].setdefault(events[event].trigger, value) != value:
            file.note(line, "the event already has this attribute with another value")
    return slots


def _warn_of_types(files: Sequence[Standoff]) -> None:
    types = (mention.label for file in files for mention in file.mentions.values())
    warn(
        "{n} {mention has a type|mentions have types} other than medication; the types are ignored",
        n=sum(label not in (DRUG, *EVENTS) for label in types),
    )
