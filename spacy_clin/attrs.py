"""What span groups say in their attrs, judged: it comes with the data, and may be anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from spacy.tokens import SpanGroup

from clineval.base.errors import MOST_BITS, InputError, shown, shown_name

DOCUMENT = "document"


def tell(group: SpanGroup, name: str) -> dict[str, dict[str, Any]]:
    """Return what attrs say of each mention or entry, by its id; empty if nothing.

    Raises:
        InputError: this is not a dict of dicts.
    """
    told = group.attrs.get(name)
    if told is None:
        return {}
    if not isinstance(told, dict):
        raise _unexpected(group, name, "a dict of ids", told)
    if others := [*_others(told, str), *_others(told.values(), dict)]:
        raise _unexpected(group, name, "a dict for each id", others[0])
    return told


def tell_list(group: SpanGroup, name: str) -> Sequence[Any] | None:
    """Return a list in attrs, such as the relations; None if it is absent.

    Raises:
        InputError: this is something else.
    """
    told = group.attrs.get(name)
    if told is not None and not isinstance(told, (list, tuple)):
        raise _unexpected(group, name, "a list", told)
    return told


def tell_document(group: SpanGroup) -> str:
    """Return the document's name, which may be a number; empty if attrs have none.

    Raises:
        InputError: this is something else.
    """
    told = group.attrs.get(DOCUMENT)
    short = isinstance(told, int) and told.bit_length() <= MOST_BITS
    if not (told is None or isinstance(told, str) or short):
        raise _unexpected(group, DOCUMENT, "a name", told)
    return "" if told is None else str(told)


def as_items(given: Any, wanted: str) -> Iterator[Any]:
    """Return an iterator over what is given where several things are expected.

    Raises:
        InputError: it cannot be gone through, or is a string.
    """
    try:
        if not isinstance(given, (str, bytes)):
            return iter(given)  # span groups of old releases are gone through, but no Iterable
    except TypeError:
        pass
    raise InputError(f"expected {wanted}, got {shown(given)}")


def _others(values: Iterable[Any], kind: type) -> list[Any]:
    """Return the values of another type."""
    # types first, because instances of a million records take a tenth of a second
    alike = set(map(type, values)) <= {kind}
    return [] if alike else [each for each in values if not isinstance(each, kind)]


def _unexpected(group: SpanGroup, name: str, wanted: str, told: object) -> InputError:
    return InputError(
        f"attrs[{name!r}] of the span group {shown_name(group.name)}: expected {wanted}, got "
        f"{shown(told)}",
        remedy="Write annotation with set_mentions, set_entries or set_sections of spacy_clin",
    )
