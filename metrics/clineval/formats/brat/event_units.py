r"""brat's files of events; their triggers and arguments are units.

``T1<tab>Tobacco 0 6<tab>Smokes`` is a trigger or an argument. ``E1<tab>Tobacco:T1 Status:T2`` is
an event. ``A1<tab>StatusTimeVal T2 current`` is the value of an argument. Names of roles and
attributes are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import warn
from clineval.formats.brat.columns import as_side
from clineval.formats.brat.events import Event, read_attributes, read_events
from clineval.formats.brat.standoff import (
    Standoff,
    find_text,
    parse,
    refuse,
    warn_of_links,
)
from clineval.formats.files import TextFile
from clineval.kinds.events.units import LABEL, NO_VALUE, VALUE, EventSide, warn_of_unused
from clineval.results.columns import MentionColumns
from clineval.results.scheme import Scheme, has_label


def read_units(files: Iterable[TextFile], scheme: Scheme) -> EventSide:
    """Read the units of some files; warn about ignored parts."""
    parsed = [parse(file, find_text(file), labels=scheme.labels) for file in files]
    events = [list(read_events(file).values()) for file in parsed]
    values = list(map(_read_values, parsed))
    for file, own in zip(parsed, events, strict=True):
        _check(own, file, scheme)
    refuse(parsed)
    _warn_of_types(events, parsed)
    warn_of_links(parsed)
    rows = [(at, *unit) for at, own in enumerate(events) for unit in _list_units(own)]
    units = _as_columns(parsed, values, [row[:2] for row in rows])
    units = drop_values(units, scheme.labelled)
    warn_of_unused(*_count_unused(parsed, {row[:2] for row in rows}, scheme))
    begins = [is_trigger for *_, is_trigger in rows]
    return EventSide.from_units(as_side(parsed, units), units, begins)


def _as_columns(
    files: Sequence[Standoff], values: Sequence[Mapping[str, str]], rows: Sequence[tuple[int, str]]
) -> MentionColumns:
    """Return the units for rows with the number of a file and the id of a mention."""
    mentions = [files[at].mentions[id_] for at, id_ in rows]
    label = Coded.of([mention.label for mention in mentions])
    value = Coded.of([values[at].get(id_, NO_VALUE) for at, id_ in rows])
    spans = [mention.spans for mention in mentions]
    attributes = {LABEL.name: label, VALUE.name: value}
    return MentionColumns.of([at for at, _ in rows], spans, attributes)


def _list_units(events: Sequence[Event]) -> Iterator[tuple[str, bool]]:
    """Yield the ids of triggers and their arguments, each with whether it is a trigger."""
    for event in events:
        yield event.trigger, True
        yield from ((id_, False) for _, id_ in event.arguments)


def _check(events: Sequence[Event], file: Standoff, scheme: Scheme) -> None:
    """Record events that do not begin with a trigger, or have a trigger as an argument."""
    triggers = {id_ for id_, mention in file.mentions.items() if mention.label in scheme.triggers}
    for event in events:
        if event.trigger not in triggers:
            expected = f"expected the trigger first, one of {', '.join(scheme.triggers)}"
            file.note(event.line, expected)
        if any(id_ in triggers for _, id_ in event.arguments):
            expected = ", ".join(scheme.arguments)
            file.note(event.line, f"a trigger is an argument, expected one of {expected}")


def _count_unused(
    files: Sequence[Standoff], used: AbstractSet[tuple[int, str]], scheme: Scheme
) -> tuple[int, int]:
    """Count the arguments and the triggers without an event."""
    unused = [
        mention.label in scheme.triggers
        for at, file in enumerate(files)
        for id_, mention in file.mentions.items()
        if (at, id_) not in used
    ]
    return len(unused) - sum(unused), sum(unused)


def _warn_of_types(events: Sequence[Sequence[Event]], files: Sequence[Standoff]) -> None:
    warn(
        "{n} {event has|events have} another type than {its trigger|their triggers}; the type of "
        "the trigger counts",
        n=sum(
            event.label != file.mentions[event.trigger].label
            for own, file in zip(events, files, strict=True)
            for event in own
        ),
    )


def _read_values(file: Standoff) -> Mapping[str, str]:
    """Read the values of mentions by their ids."""
    values: dict[str, str] = {}
    for attribute in read_attributes(file, file.mentions, "T"):
        if values.setdefault(attribute.target, attribute.value) != attribute.value:
            file.note(attribute.line, "the mention already has another value")
    return values


def drop_values(units: MentionColumns, labels: Sequence[str], advice: str = "") -> MentionColumns:
    """Remove the values of triggers and of span-only arguments; a warning counts them.

    Args:
        units: the units.
        labels: the labels of arguments with a value.
        advice: the end of the warning.
    """
    label, value = units.attributes[LABEL.name], units.attributes[VALUE.name]
    labelled = has_label(label, labels)
    names = (NO_VALUE, *(name for name in value.values if name != NO_VALUE))
    ids = value.fold(str, names).ids
    warn(
        "{n} {value|values} of triggers, or of span-only arguments, {is|are} ignored" + advice,
        n=int(np.count_nonzero(~labelled & (ids != 0))),
    )
    kept = Coded(np.where(labelled, ids, 0), names)
    return replace(units, attributes={**units.attributes, VALUE.name: kept})
