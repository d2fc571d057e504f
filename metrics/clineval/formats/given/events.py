"""Read events from brat's files, JSON Lines, dicts or Documents.

Mentions with relations are read as events, too: a mention with the label of a trigger is a trigger,
and relations lead from triggers to arguments.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from clineval.base.errors import InputError
from clineval.formats.brat.event_units import drop_values, read_units
from clineval.formats.brat.standoff import FILES, open_files
from clineval.formats.files import open_strings
from clineval.formats.given.forms import Items, open_given
from clineval.formats.given.free_events import read_free_events
from clineval.formats.given.nested_events import Given, flatten, is_nested
from clineval.formats.given.relations import read_items
from clineval.kinds.events.units import LABEL, VALUE, EventSide
from clineval.results.scheme import Scheme, has_label
from clineval.results.slots import Slot


def read_side(given: object, side: str, scheme: Scheme) -> EventSide:
    """Read one side: brat's files or text, JSON Lines, dicts, Documents."""
    if scheme.is_open:
        return read_free_events(given, side)
    slots = [Slot(LABEL.name, "label", scheme.labels, required=True), VALUE]

    def read_nested(items: Items) -> EventSide:
        related = read_items(items, slots, (), convert=partial(_flatten, scheme=scheme))
        return _check_arguments(EventSide.of(related, scheme.triggers), side, scheme)

    return open_given(
        given,
        side,
        EventSide,
        read_files=lambda source: read_units(open_files(source), scheme),
        read_items=read_nested,
        read_strings=lambda strings: read_units(open_strings(strings), scheme),
        lines_beside=FILES,
    )


def _check_arguments(side: EventSide, name: str, scheme: Scheme) -> EventSide:
    """Reject triggers that are arguments; remove values of units that cannot have any."""
    units = side.mentions
    label = units.attributes[LABEL.name]
    is_argument = side.heads != np.arange(len(units))
    wrong = np.flatnonzero(has_label(label, scheme.triggers) & is_argument)
    if len(wrong):
        document = side.documents[units.document[wrong[0]]] or str(units.document[wrong[0]])
        raise InputError(
            f"an argument of an event is {label.values[label.ids[wrong[0]]]}, expected one of "
            f"{', '.join(scheme.arguments)}",
            where=f"{name}, document {document}" if name else f"document {document}",
        )
    return replace(side, mentions=drop_values(units, scheme.labelled))


def _flatten(document: Given, where: str, scheme: Scheme) -> Given:
    return flatten(document, scheme, where) if is_nested(document) else document
