"""What span groups say in their attrs, judged: it comes with the data, and may be anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from spacy.tokens import SpanGroup

from clineval.errors import InputError, shown, shown_name

DOCUMENT = "document"
_MOST_BITS = 64


def tell(group: SpanGroup, name: str) -> dict[str, dict[str, Any]]:
    """What attrs say of each mention, or of each entry, by its id; empty if nothing.

    Raises:
        InputError: this is not a dict of dicts.
    """
    told = group.attrs.get(name)
    if told is None:
        return {}
    if not isinstance(told, dict):
        raise _unexpected(group, f"attrs[{name!r}]", "a dict of ids", told)
    if not (_are_all(told, str) and _are_all(told.values(), dict)):
        strange = [each for pair in told.items() for each in pair]
        wrong = next(
            each for at, each in enumerate(strange) if not isinstance(each, (str, dict)[at % 2])
        )
        raise _unexpected(group, f"attrs[{name!r}]", "a dict for each id", wrong)
    return told


def tell_list(group: SpanGroup, name: str) -> Sequence[Any] | None:
    """A list in attrs, such as the relations; None if there is none.

    Raises:
        InputError: this is something else.
    """
    told = group.attrs.get(name)
    if told is not None and not isinstance(told, (list, tuple)):
        raise _unexpected(group, f"attrs[{name!r}]", "a list", told)
    return told


def tell_document(group: SpanGroup) -> str:
    """The document's name, which may be a number; empty if attrs have none.

    Raises:
        InputError: this is something else.
    """
    told = group.attrs.get(DOCUMENT)
    short = isinstance(told, int) and told.bit_length() <= _MOST_BITS
    if not (told is None or isinstance(told, str) or short):
        raise _unexpected(group, f"attrs[{DOCUMENT!r}]", "a name", told)
    return "" if told is None else str(told)


def as_items(given: Any, wanted: str) -> Iterator[Any]:
    """One after the other what is given where there must be several things.

    Raises:
        InputError: it cannot be gone through, or is a string.
    """
    try:
        if not isinstance(given, (str, bytes)):
            return iter(given)  # span groups of old releases are gone through, but no Iterable
    except TypeError:
        pass
    raise InputError(f"expected {wanted}, got {shown(given)}")


def _are_all(values: Iterable[Any], kind: type) -> bool:
    # types first, because instances of a million records take a tenth of a second
    return set(map(type, values)) <= {kind} or all(isinstance(each, kind) for each in values)


def _unexpected(group: SpanGroup, place: str, wanted: str, told: object) -> InputError:
    return InputError(
        f"{place} of the span group {shown_name(group.name)}: expected {wanted}, got {shown(told)}",
        remedy="Write annotation with set_mentions, set_entries or set_sections of spacy_clin",
    )
