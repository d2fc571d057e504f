r"""Read events of any types from brat's files, as mentions and relations.

``E1<tab>Start:T1 Drug:T2 Cause:E2`` is an event; its type is in this line. A relation leads from
the trigger to each argument, and has the role as its label. An argument that is an event stands for
the trigger of that event. Attributes of events are attributes of their triggers. The attribute
``<type>Val`` is the slot ``value``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.formats.brat.attributes import Values, read_attributes, read_statements
from clineval.formats.brat.columns import as_column, as_columns, as_relations, as_side
from clineval.formats.brat.events import VALUE_ENDING, read_events
from clineval.formats.brat.standoff import (
    Link,
    Standoff,
    find_text,
    parse_mentions,
    refuse,
    warn_of_links,
)
from clineval.formats.files import TextFile
from clineval.kinds.events.found import Stated
from clineval.kinds.events.units import NO_VALUE, VALUE
from clineval.kinds.relations.columns import RelatedSide
from clineval.results.slots import Slot


def read_event_files(
    files: Iterable[TextFile], slot: Slot, advice: str = ""
) -> tuple[RelatedSide, BoolArray, Stated]:
    r"""Read mentions with their attributes, and relations from triggers to arguments.

    Args:
        files: the files.
        slot: the slot for the type of a mention.
        advice: the end of the warning about relations, which are ignored.

    Returns:
        The mentions and relations; which mentions are triggers, ``[n]``; and the mentions with
        attributes whose value is ``no``. A trigger of several events is several mentions.

    Raises:
        InputError: a line is invalid; the message names file and line.

    Examples:
        >>> from clineval.formats.files import open_strings
        >>> lines = "T1\tStart 0 7\tstarted\nT2\tDrug 8 15\taspirin\nE1\tStart:T1 Drug:T2\n"
        >>> related, triggers, _ = read_event_files(open_strings([lines]), Slot("label", "label"))
        >>> triggers.tolist(), related.relations.label.values
        ([True, False], ('Drug',))
    """
    parsed = [parse_mentions(file, find_text(file)) for file in files]
    events = list(map(_add_events, parsed))
    values = [_read_values(*each) for each in zip(parsed, events, strict=True)]
    refuse(parsed)
    warn_of_links(parsed, advice)
    names = dict.fromkeys(name for own in values for name in own)
    found = {name: as_column(parsed, [own.get(name, {}) for own in values]) for name in names}
    labels = [mention.label for file in parsed for mention in file.mentions.values()]
    mentions = as_columns(parsed, {**found, slot.name: Coded.of(labels)})
    of_files = zip(parsed, events, strict=True)
    triggers = chain.from_iterable(_mark_triggers(*each) for each in of_files)
    return (
        RelatedSide(as_side(parsed, mentions), as_relations(parsed)),
        np.fromiter(triggers, np.bool_, len(labels)),
        {name: _find_stated(parsed, values, name) for name in names},
    )


def _find_stated(files: Sequence[Standoff], values: Sequence[Values], name: str) -> IntArray:
    """Return the rows of the mentions with the value ``no`` of an attribute."""
    both = zip(files, values, strict=True)
    given = (own.get(name, {}).get(id_) for file, own in both for id_ in file.mentions)
    return np.array([row for row, value in enumerate(given) if value == NO_VALUE], np.intp)


def _read_values(file: Standoff, events: Mapping[str, str]) -> Values:
    """Read the attributes of mentions and events; ``<type>Val`` is the slot ``value``."""
    for number, statement in read_statements(file, "AM"):
        if statement.target.startswith("E") and statement.target not in events:
            file.note(number, "no event has this id")
    values: dict[str, dict[str, str]] = {}
    for name, of_ids in read_attributes(file, events).items():
        for id_, value in of_ids.items():
            own = f"{file.mentions[id_].label}{VALUE_ENDING}".lower() == name
            values.setdefault(VALUE.name if own else name, {}).setdefault(id_, value)
    return values


def _mark_triggers(file: Standoff, events: Mapping[str, str]) -> Iterable[bool]:
    triggers = set(events.values())
    return (id_ in triggers for id_ in file.mentions)


def _add_events(file: Standoff) -> dict[str, str]:
    """Add the arguments of events as relations; return the trigger of each event.

    The trigger of a second event is copied.
    """
    triggers: dict[str, str] = {}
    events, taken = read_events(file, nested=True), set[str]()
    for id_, event in events.items():
        name = event.trigger if event.trigger not in taken else f"{event.trigger}.{id_}"
        taken.add(event.trigger)
        triggers[id_] = name
        file.mentions[name] = file.mentions[event.trigger]._replace(label=event.label)
    for id_, event in events.items():
        for number, (role, end) in enumerate(event.arguments):
            link = Link(event.line, role, triggers[id_], triggers.get(end, end))
            file.relations[f"{id_}.{number}"] = link
    return triggers
