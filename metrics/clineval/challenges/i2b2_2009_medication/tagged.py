"""Medication entries of tagged spans, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from clineval.base.arrays import IntArray, expect_list
from clineval.challenges.i2b2_2009_medication.entry import Entry
from clineval.challenges.i2b2_2009_medication.tokens import LineTokens
from clineval.kinds.tagged import Annotation, words_of

_LINES = 2


def as_entries(annotations: Sequence[Annotation], text: str) -> list[dict[str, Any]]:
    """Build medication entries; labels are the six fields.

    Tags do not say which medication a field belongs to. It is linked to the nearest one, in
    tokens, not more than two lines away (the challenge's own window), of equals to the earlier
    one. Where a medication has several values of a field, there are several entries; fields near
    no medication are left out, as the challenge has no place for them.

    Examples:
        >>> text = "Lasix 80 mg daily"
        >>> found = [Annotation(((0, 5),), "m"), Annotation(((6, 11),), "do")]
        >>> as_entries(found, text)[0]["do"]
        {'text': '80 mg', 'offsets': [[1, 1, 1, 2]]}
    """
    tokens = LineTokens(text)
    medications = [found for found in annotations if found.label == "m"]
    linked: list[dict[str, list[Annotation]]] = [{"m": [found]} for found in medications]
    others = [found for found in annotations if found.label != "m"]
    for found, number in zip(others, _find_nearest(others, medications, tokens), strict=True):
        if number >= 0:
            linked[number].setdefault(found.label, []).append(found)
    return [
        {
            field: _phrase(values[min(number, len(values) - 1)], text, tokens)
            for field, values in fields.items()
        }
        for fields in linked
        for number in range(max(map(len, fields.values())))
    ]


def from_entries(entries: Iterable[Any], text: str) -> list[Annotation]:
    """Turn a record's entries into annotations, each phrase once; the labels are the fields.

    Args:
        entries: dicts, or entries as objects.
        text: the record.

    Raises:
        InputError: an invalid entry, or one whose tokens the text does not have.
    """
    tokens = LineTokens(text)
    found: dict[Annotation, None] = {}
    for given in expect_list(entries, "a list of entries"):
        entry = given if isinstance(given, Entry) else Entry.from_dict(given)
        for field, phrase in entry.fields.items():
            found[Annotation(tuple(map(tokens.characters, phrase.offsets)), field)] = None
    return list(found)


def _phrase(annotation: Annotation, text: str, tokens: LineTokens) -> dict[str, Any]:
    """Return a field of an entry."""
    return {"text": words_of(annotation, text), "offsets": tokens.places(annotation.spans)}


def _find_nearest(
    found: Sequence[Annotation], targets: Sequence[Annotation], tokens: LineTokens
) -> list[int]:
    """Return the number of each annotation's nearest target, or -1 if all are too far."""
    if not found or not targets:
        return [-1] * len(found)
    first, last, line = _extents(found, tokens)[..., None]
    to_first, to_last, to_line = _extents(targets, tokens)[:, None]
    gaps = np.maximum(np.maximum(to_first - last, first - to_last), 0)
    far = np.abs(to_line - line) > _LINES
    gaps = np.where(far, len(tokens), gaps)
    nearest = gaps.argmin(axis=1)
    return np.where(far.all(axis=1), -1, nearest).tolist()  # type: ignore[no-any-return]


def _extents(annotations: Sequence[Annotation], tokens: LineTokens) -> IntArray:
    """Return first token, last token and line of the first: ``[3, annotations]``."""
    firsts = [tokens.number(found.spans[0][0]) for found in annotations]
    lasts = [tokens.number(found.spans[-1][1] - 1) for found in annotations]
    return np.array([firsts, lasts, [tokens.locate(first)[0] for first in firsts]], np.int64)
