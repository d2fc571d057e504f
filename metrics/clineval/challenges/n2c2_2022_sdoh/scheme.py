"""The event types, arguments and values of SHAC, and how events are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clineval.base.errors import InputError, shown

SUBSTANCES = ("Alcohol", "Drug", "Tobacco")
TRIGGERS = (*SUBSTANCES, "Employment", "LivingStatus")
VALUES = {
    "StatusTime": ("none", "current", "past", "future"),
    "StatusEmploy": (
        "employed", "unemployed", "retired", "on_disability", "student", "homemaker",
    ),
    "TypeLiving": ("alone", "with_family", "with_others", "homeless"),
}  # fmt: skip
"""Labelled argument to the values that are scored one by one; others count with it."""
_EXTENT = ("Amount", "Duration", "Frequency", "History", "Method", "Type")
SPANS = _EXTENT
"""The arguments whose place counts."""
ARGUMENTS = {
    **dict.fromkeys(SUBSTANCES, ("StatusTime", *_EXTENT)),
    "Employment": ("StatusEmploy", "Duration", "History", "Type"),
    "LivingStatus": ("StatusTime", "TypeLiving", "Duration", "History"),
}
"""Event type to the arguments that are scored one by one."""
LABELS = (*TRIGGERS, *VALUES, *SPANS)
_EVENT, _ARGUMENT = ({"label", "spans", "arguments"}, {"label", "spans", "value"})


def is_nested(document: object) -> bool:
    """Tell whether a document has its events one by one, each with its arguments."""
    return isinstance(document, Mapping) and "events" in document


def flatten(document: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return a document of events as one of mentions and relations.

    ``{"events": [{"label", "spans", "arguments": [{"label", "spans", "value"}]}]}``; a labelled
    argument without spans has those of its trigger.

    Raises:
        InputError: names the event and the argument.

    Examples:
        >>> status = {"label": "StatusTime", "value": "current"}
        >>> event = {"label": "Tobacco", "spans": [[0, 6]], "arguments": [status]}
        >>> flatten({"events": [event]}, "document 0")["mentions"][1]
        {'id': '1', 'spans': [[0, 6]], 'label': 'StatusTime', 'value': 'current'}
    """
    unknown = sorted(map(shown, document.keys() - {"id", "text", "events"}))
    if unknown:
        raise InputError(f"unknown {', '.join(unknown)}, expected id, text, events", where=where)
    mentions: list[dict[str, Any]] = []
    relations = []
    for at, event in enumerate(_expect_list(document["events"], "events", where)):
        place = f"{where}, event {at}"
        _check(event, _EVENT, TRIGGERS, place)
        trigger = {"id": str(len(mentions)), "spans": event["spans"], "label": event["label"]}
        mentions.append(trigger)
        for argument in _list_arguments(event, place):
            own = {"id": str(len(mentions)), "spans": event["spans"], **argument}
            mentions.append(own)
            ends = {"from": trigger["id"], "to": own["id"]}
            relations.append({"label": argument["label"], **ends})
    rest = {name: document[name] for name in ("id", "text") if name in document}
    return {**rest, "mentions": mentions, "relations": relations}


def _list_arguments(event: Mapping[str, Any], where: str) -> Iterator[dict[str, Any]]:
    """Yield the arguments of an event, without what is None."""
    given = event.get("arguments")
    for at, argument in enumerate(_expect_list([] if given is None else given, "arguments", where)):
        place = f"{where}, argument {at}"
        _check(argument, _ARGUMENT, (*VALUES, *SPANS), place)
        found = {name: value for name, value in argument.items() if value is not None}
        if "spans" not in found and found["label"] in SPANS:
            raise InputError("'spans' is missing", where=place)
        yield found


def _check(given: object, names: set[str], labels: Sequence[str], where: str) -> None:
    if not isinstance(given, Mapping):
        raise InputError(f"expected a dict, got {shown(given)}", where=where)
    unknown = sorted(map(shown, given.keys() - names))
    if unknown:
        expected = ", ".join(sorted(names))
        raise InputError(f"unknown {', '.join(unknown)}, expected {expected}", where=where)
    if given.get("label") not in labels:
        raise InputError(f"label: expected one of {', '.join(labels)}", where=where)
    if names is _EVENT and "spans" not in given:
        raise InputError("'spans' is missing", where=where)


def _expect_list(given: object, what: str, where: str) -> Sequence[Any]:
    if not isinstance(given, (list, tuple)):
        raise InputError(f"expected a list of {what}, got {shown(given)}", where=where)
    return given
