r"""brat's files of the challenge: a line ``T`` for a medication, ``E`` for what is said of it.

``T1<tab>Disposition 0 7<tab>aspirin`` is a medication, ``E1<tab>Disposition:T1`` its event and
``A1<tab>Action E1 Stop`` an attribute of the event. The type of the event counts, that of the
medication does not; a medication without an event has the label Drug.
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
"""The attributes of events, as brat's files call them; slots have their names in lower case."""
ABSENT = "no"
"""The value of an attribute that is not there."""
_SECOND = "the mention has an event already; a second one needs a mention of its own"
SLOTS = tuple(Slot(name.lower(), "free") for name in CONTEXT)


@dataclass(frozen=True, slots=True)
class EventFiles:
    """The challenge's text format, as :class:`~clineval.formats.given.mentions.TextFormat`."""

    FILES: str = FILES
    UNREAD: AbstractSet[str] = frozenset({"cui"})

    def document_key(self, name: str) -> str:
        """Return the name without ``.txt``, which names of brat's documents may lack."""
        return name.removesuffix(".txt")

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read files, which are paired by their names."""
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
    """Read the labels of mentions by their ids; note events that are not the challenge's."""
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
    """Read the attributes of events by their names and the ids of mentions."""
    slots: dict[str, dict[str, str]] = {name: {} for name in CONTEXT}
    for line, event, name, value in read_attributes(file, events, "E"):
        if name not in slots:
            file.note(line, f"unknown attribute, expected one of {', '.join(CONTEXT)}")
        elif slots[name].setdefault(events[event].trigger, value) != value:
            file.note(line, "the event has this attribute already, with another value")
    return slots


def _warn_of_types(files: Sequence[Standoff]) -> None:
    types = (mention.label for file in files for mention in file.mentions.values())
    warn(
        "{n} {mention is|mentions are} of another type than a medication, which is not read",
        n=sum(label not in (DRUG, *EVENTS) for label in types),
    )
