"""Medication entries as objects for users; the core computes with columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import index
from types import MappingProxyType
from typing import Any

from clineval.base.arrays import expect_list
from clineval.base.errors import InputError, shown, unknown_name

FIELDS = ("m", "do", "mo", "f", "du", "r")
"""The scored fields."""
FIELD_NAMES = ("medication", "dosage", "mode", "frequency", "duration", "reason")
"""The full names of the scored fields."""
REMARKS = ("e", "t", "c")
"""Optional fields that are not scored: event, temporal, certainty."""
GENRES = ("list", "narrative")
SETS = ("A", "B", "C")
LARGEST = 999_999

Offset = tuple[int, int, int, int]
EntryDict = Mapping[str, Any]
"""An entry for the evaluate module: fields, remarks, and ``ln``."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """The value of one field: its words and their positions.

    Args:
        text: the words, which are carried from file to file and never scored.
        offsets: fragments ``(line, token, line, token)``, first and last token; lines count
            from 1, tokens of a line from 0. They are kept sorted.

    Raises:
        InputError: there is no fragment, or a fragment is not four integers in range, ends before
            it begins, or overlaps another one.

    Examples:
        >>> Phrase("one tab", [(5, 4, 5, 5)])
        Phrase(offsets=((5, 4, 5, 5),))
    """

    text: str
    offsets: tuple[Offset, ...]

    def __init__(self, text: str, offsets: Iterable[Sequence[int]]) -> None:
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "offsets", sort_offsets(offsets))

    def __repr__(self) -> str:
        return f"Phrase(offsets={self.offsets!r})"

    def as_dict(self) -> dict[str, object]:
        """Return the phrase as the evaluate module takes it."""
        return {"text": self.text, "offsets": [list(offset) for offset in self.offsets]}


@dataclass(frozen=True, slots=True)
class Entry:
    """A medication with its fields.

    Args:
        fields: field tag to phrase; a field that is not mentioned (``nm``) is left out; ``m`` is
            required.
        genre: the kind of passage, ``list`` or ``narrative``; None if unknown.
        remarks: tag to the value of the fields ``e``, ``t`` and ``c``, which are not scored.

    Raises:
        InputError: there is no medication, an unknown field, or an unknown genre.

    Examples:
        >>> Entry({"m": Phrase("lantus", [(6, 1, 6, 1)])}, "list").as_dict()
        {'m': {'text': 'lantus', 'offsets': [[6, 1, 6, 1]]}, 'ln': 'list'}
    """

    fields: Mapping[str, Phrase]
    genre: str | None = None
    remarks: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for tag in self.fields:
            if tag not in FIELDS:
                raise unknown_field(tag)
        if "m" not in self.fields:
            raise InputError(NO_MEDICATION, remedy=NO_MEDICATION_REMEDY)
        if self.genre is not None and not (isinstance(self.genre, str) and self.genre in GENRES):
            raise unknown_genre(self.genre)
        ordered = {tag: self.fields[tag] for tag in FIELDS if tag in self.fields}
        object.__setattr__(self, "fields", MappingProxyType(ordered))
        object.__setattr__(self, "remarks", MappingProxyType(dict(self.remarks)))

    def __hash__(self) -> int:
        return hash(tuple(self.fields.items()))

    def __reduce__(self) -> tuple[object, ...]:
        return Entry, (dict(self.fields), self.genre, dict(self.remarks))

    def as_dict(self) -> dict[str, object]:
        """Return the entry as the evaluate module takes it."""
        result: dict[str, object] = {tag: phrase.as_dict() for tag, phrase in self.fields.items()}
        result |= self.remarks
        return result if self.genre is None else {**result, "ln": self.genre}

    @classmethod
    def from_dict(cls, entry: EntryDict) -> Entry:
        """Reverse :meth:`as_dict`; a field may also be None.

        Examples:
            >>> phrase = {"text": "lantus", "offsets": [[6, 1, 6, 1]]}
            >>> Entry.from_dict({"m": phrase, "do": None}).fields["m"].text
            'lantus'
        """
        if not isinstance(entry, Mapping):
            raise InputError(f"expected an entry as a dict, got {shown(entry)}")
        fields: dict[str, Phrase] = {}
        remarks: dict[str, str] = {}
        for tag, value in entry.items():
            if tag in REMARKS and value is not None:
                remarks[tag] = value
            elif tag not in REMARKS and tag != "ln" and value is not None:
                fields[tag] = _phrase(tag, value)
        return cls(fields, entry.get("ln"), remarks)


NO_MEDICATION = "the entry has no medication"
NO_MEDICATION_REMEDY = "Give every entry a field m with its offsets"


def unknown_field(tag: str) -> InputError:
    """Return the error of a tag that the format does not have."""
    return unknown_name("field", tag, (*FIELDS, *REMARKS, "ln"))


def unknown_genre(genre: object) -> InputError:
    """Return the error of an ``ln`` that is neither list nor narrative."""
    return InputError(f"ln: expected {' or '.join(GENRES)}, got {shown(genre)}")


def sort_offsets(offsets: Iterable[Sequence[int]]) -> tuple[Offset, ...]:
    """Check the fragments of one phrase, with the errors of :class:`Phrase`, and sort them."""
    fragments = sorted(map(_offset, expect_list(offsets, "offsets such as [[5, 1, 5, 3]]")))
    if not fragments:
        raise InputError("the field has no offsets", remedy="Leave it out if it is not mentioned")
    for left, right in pairwise(fragments):
        if right[:2] <= left[2:]:
            raise InputError(f"fragments {format_offset(left)} and {format_offset(right)} overlap")
    return tuple(fragments)


def format_offset(offset: Sequence[int]) -> str:
    """Format a fragment as the entries format does.

    Examples:
        >>> format_offset((5, 1, 5, 3))
        '5:1 5:3'
    """
    first_line, first, last_line, last = offset
    return f"{first_line}:{first} {last_line}:{last}"


def _offset(numbers: Sequence[int]) -> Offset:
    try:
        if any(isinstance(number, bool) for number in numbers):
            raise TypeError  # noqa: TRY301
        first_line, first, last_line, last = map(index, numbers)
    except (TypeError, ValueError):
        raise InputError(
            f"expected a fragment [line, token, line, token] of integers, got {shown(numbers)}"
        ) from None
    fragment = (first_line, first, last_line, last)
    if min(first_line, last_line) < 1:
        raise InputError(f"fragment {format_offset(fragment)}: lines count from 1")
    if min(fragment) < 0 or max(fragment) > LARGEST:
        raise InputError(
            f"fragment {format_offset(fragment)}: expected numbers from 0 to {LARGEST}"
        )
    if fragment[2:] < fragment[:2]:
        raise InputError(f"fragment {format_offset(fragment)} ends before it begins")
    return fragment


def _phrase(tag: str, value: object) -> Phrase:
    if tag not in FIELDS:
        raise unknown_field(tag)
    if not isinstance(value, Mapping) or "offsets" not in value:
        raise InputError(
            f"{tag}: expected a dict with 'text' and 'offsets', or None, got {shown(value)}"
        )
    try:
        text = value.get("text")  # which scoring ignores
        return Phrase(text if isinstance(text, str) else "", value["offsets"])
    except InputError as error:
        raise InputError(f"{tag}: {error}") from None
