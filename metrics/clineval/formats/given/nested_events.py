"""Nested events in JSON and dicts: each event contains its arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

from clineval.base.errors import InputError, shown
from clineval.results.scheme import Scheme

Given = Mapping[str, object]
_DOCUMENT, _EVENT = {"id", "text", "events"}, {"label", "spans", "arguments"}
_ARGUMENT = {"label", "spans", "value"}


def is_nested(document: object) -> TypeGuard[Given]:
    """Return whether a document contains nested events."""
    return isinstance(document, Mapping) and "events" in document


def flatten(document: Given, scheme: Scheme, where: str) -> dict[str, object]:
    """Convert a document of nested events to mentions and relations.

    The form is ``{"events": [{"label", "spans", "arguments": [{"label", "spans", "value"}]}]}``.
    A labelled argument without spans has the spans of its trigger. If events can have any types, so
    does any argument with a value.

    Raises:
        InputError: an event is invalid; the message names event and argument.

    Examples:
        >>> from clineval.results.scheme import Argument
        >>> scheme = Scheme({"Tobacco": (Argument("Status", ("current", "past")),)})
        >>> status = {"label": "Status", "value": "current"}
        >>> event = {"label": "Tobacco", "spans": [[0, 6]], "arguments": [status]}
        >>> flatten({"events": [event]}, scheme, "document 0")["mentions"][1]
        {'id': '1', 'spans': [[0, 6]], 'label': 'Status', 'value': 'current'}
    """
    _refuse_unknown(document, _DOCUMENT, where)
    mentions: list[dict[str, object]] = []
    relations: list[dict[str, object]] = []
    for at, event in enumerate(_expect_list(document["events"], "events", where)):
        place = f"{where}, event {at}"
        known = _check(event, _EVENT, scheme.triggers, place)  # no types are any types
        spans, trigger = _expect_spans(known, place), str(len(mentions))
        mentions.append({"id": trigger, "spans": spans, "label": known["label"]})
        for argument in _list_arguments(known, scheme, place):
            own = {"id": str(len(mentions)), "spans": spans, **argument}
            mentions.append(own)
            relations.append({"label": own["label"], "from": trigger, "to": own["id"]})
    rest = {name: document[name] for name in ("id", "text") if name in document}
    return {**rest, "mentions": mentions, "relations": relations}


def _list_arguments(event: Given, scheme: Scheme, where: str) -> Iterator[Given]:
    """Yield the arguments of an event, without keys whose value is None."""
    given = event.get("arguments")
    for at, argument in enumerate(_expect_list([] if given is None else given, "arguments", where)):
        place = f"{where}, argument {at}"
        known = _check(argument, _ARGUMENT, scheme.arguments, place)
        found = {name: value for name, value in known.items() if value is not None}
        if "value" not in found if scheme.is_open else found["label"] in scheme.spans:
            _expect_spans(found, place)
        yield found


def _check(given: object, names: set[str], labels: Sequence[str], where: str) -> Given:
    if not isinstance(given, Mapping):
        raise InputError(f"expected a dict, got {shown(given)}", where=where)
    _refuse_unknown(given, names, where)
    label = given.get("label")
    if not isinstance(label, str) or not (label in labels if labels else _is_label(label)):
        expected = f"one of {', '.join(labels)}" if labels else "a label in printable characters"
        raise InputError(f"label: expected {expected}", where=where)
    return given


def _is_label(label: str) -> bool:
    return label.isprintable() and bool(label.strip())


def _refuse_unknown(given: Given, names: set[str], where: str) -> None:
    unknown = sorted(map(shown, given.keys() - names))
    if unknown:
        expected = ", ".join(sorted(names))
        raise InputError(f"unknown {', '.join(unknown)}, expected {expected}", where=where)


def _expect_spans(given: Given, where: str) -> object:
    if "spans" not in given:
        raise InputError("'spans' is missing", where=where)
    return given["spans"]


def _expect_list(given: object, what: str, where: str) -> Sequence[object]:
    if not isinstance(given, (list, tuple)):
        raise InputError(f"expected a list of {what}, got {shown(given)}", where=where)
    return given
