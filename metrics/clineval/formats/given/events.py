"""Events however a user gives them: brat's files, JSON Lines, dicts, Documents.

Mentions with relations are read as events, too: those whose label is a trigger's are triggers, and
relations lead from these to their arguments.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from clineval.base.errors import InputError, shown
from clineval.base.files import Source, find_path
from clineval.base.strict_json import expect_json
from clineval.formats import jsonl
from clineval.formats.brat.event_units import BratEvents, drop_values
from clineval.formats.brat.standoff import FILES
from clineval.formats.files import TextFile, check_new_id, read_text_files
from clineval.formats.given.nested_events import flatten, is_nested
from clineval.formats.given.relations import read_related
from clineval.kinds.events.scheme import Scheme, has_label
from clineval.kinds.events.units import LABEL, VALUE, EventSide
from clineval.kinds.mentions.slots import Slot


def read_side(given: object, side: str, scheme: Scheme) -> EventSide:
    """Read one side: brat's files or text, JSON Lines, dicts, Documents."""
    if isinstance(given, EventSide):
        return given
    if isinstance(given, (str, os.PathLike)):
        path = find_path(given, "\t")
        if path is not None and jsonl.is_jsonl(given, FILES):
            given = [line for _, line in _read_lines(given, scheme)]
    if isinstance(given, (list, tuple)):
        given = [_flatten(document, at, side, scheme) for at, document in enumerate(given)]
    slots = [Slot(LABEL.name, "label", scheme.labels, required=True), VALUE]
    related = read_related(given, slots, (), side=side, text_format=BratEvents(scheme))
    if isinstance(related.side, EventSide):
        return related.side
    return _check_arguments(EventSide.of(related, scheme.triggers), side, scheme)


def _check_arguments(side: EventSide, name: str, scheme: Scheme) -> EventSide:
    """Refuse triggers that are arguments; the values of what has none are left out."""
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
    return replace(side, mentions=drop_values(units, scheme))


def _flatten(document: object, at: int, side: str, scheme: Scheme) -> object:
    where = f"{side}, document {at}" if side else f"document {at}"
    if isinstance(document, str) and document.lstrip().startswith("{"):
        parsed = expect_json(document, "a JSON object", where)
        document = parsed if is_nested(parsed) else document
    return flatten(document, scheme, where) if is_nested(document) else document


def _read_lines(source: Source, scheme: Scheme) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the documents of JSON Lines, each with its place, as mentions and relations."""
    places: dict[str, str] = {}
    for file in read_text_files(source, pattern=jsonl.FILES, separator="{"):
        for where, line in _read_file(file, scheme):
            check_new_id(places, str(line["id"]), where)
            yield where, line


def _read_file(file: TextFile, scheme: Scheme) -> Iterator[tuple[str, dict[str, object]]]:
    for where, text in file.lines():
        line = expect_json(text, "one JSON object on the line", where)
        if not isinstance(line, dict) or not isinstance(line.get("id"), str):
            raise InputError(
                f"expected an object with a string 'id', got {shown(line)}", where=where
            )
        if not is_nested(line) and not isinstance(line.get("mentions"), list):
            raise InputError("expected a list 'events', or 'mentions'", where=where)
        yield where, flatten(line, scheme, where) if is_nested(line) else line
