"""Convert tagged spans to medication entries and back, with tokens as the challenge counts them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np

from clineval.base.arrays import IntArray, expect_list
from clineval.base.errors import InputError
from clineval.kinds.entries.entry import Entry, Offset
from clineval.results.tagged import Annotation, words_of


class LineTokens:
    r"""The tokens of one text, and their positions.

    Examples:
        >>> tokens = LineTokens("Start\nlantus 7 units")
        >>> tokens.place(13, 20), tokens.characters((2, 1, 2, 2))
        ((2, 1, 2, 2), (13, 20))
    """

    def __init__(self, text: str) -> None:
        lines = [line.split(" ") for line in text.replace("\t", " ").split("\n")]
        self._starts = [0, *accumulate(len(word) + 1 for words in lines for word in words)]
        self._lines = [0, *accumulate(map(len, lines))]

    def __len__(self) -> int:
        return len(self._starts) - 1

    def number(self, at: int) -> int:
        """Return the number, from 0, of the token that contains or precedes a character."""
        return bisect_right(self._starts, at) - 1

    def locate(self, token: int) -> tuple[int, int]:
        """Return the line of a token, and its number in the line."""
        line = bisect_right(self._lines, token)
        return line, token - self._lines[line - 1]

    def place(self, start: int, end: int) -> Offset:
        """Return the lines and tokens of a span of characters."""
        return (*self.locate(self.number(start)), *self.locate(self.number(end - 1)))

    def places(self, spans: Iterable[tuple[int, int]]) -> list[list[int]]:
        """Return the lines and tokens of a phrase; fragments that share a token become one."""
        joined: list[list[int]] = []
        for first, last in sorted(
            (self.number(start), self.number(end - 1)) for start, end in spans
        ):
            if joined and first <= joined[-1][1]:
                joined[-1][1] = max(last, joined[-1][1])
            else:
                joined.append([first, last])
        return [[*self.locate(first), *self.locate(last)] for first, last in joined]

    def characters(self, offset: Sequence[int]) -> tuple[int, int]:
        """Return the characters of a fragment ``(line, token, line, token)``.

        An empty token has no character. The space after it, if any, stands for it.
        """
        first_line, first, last_line, last = offset
        start = self._starts[self._number_of(first_line, first)]
        token = self._number_of(last_line, last)
        end = max(self._starts[token + 1] - 1, self._starts[token] + 1)
        return start, min(end, self._starts[-1] - 1)

    def _number_of(self, line: int, token: int) -> int:
        """Return the number of a token, counted from the start of the text."""
        if not 1 <= line < len(self._lines):
            raise InputError(
                f"there is no line {line}, lines count from 1 to {len(self._lines) - 1}"
            )
        size = self._lines[line] - self._lines[line - 1]
        if token >= size:
            raise InputError(
                f"token {token} is beyond line {line}, which has {size} tokens",
                remedy="Tokens count from 0",
            )
        return self._lines[line - 1] + token


_LINES = 2


def as_entries(annotations: Sequence[Annotation], text: str) -> list[dict[str, object]]:
    """Build medication entries; labels are the six fields.

    Tags do not link fields to medications. A field is linked to the nearest medication in tokens,
    at most two lines away (the challenge's own window); in a tie, to the earlier one. If a
    medication has several values of a field, it gets several entries. Fields without a near
    medication are left out, because entries cannot represent them.

    Args:
        annotations: annotations with fields as labels, such as ``m`` and ``do``, and offsets in
            characters.
        text: the record.

    Returns:
        The entries as dicts, for :func:`clineval.score`.

    Examples:
        >>> text = "Lasix 80 mg daily"
        >>> found = [Annotation(((0, 5),), "m"), Annotation(((6, 11),), "do")]
        >>> as_entries(found, text)[0]["do"]
        {'text': '80 mg', 'offsets': [[1, 1, 1, 2]]}
    """
    tokens = LineTokens(text)
    medications = [annotation for annotation in annotations if annotation.label == "m"]
    linked: list[dict[str, list[Annotation]]] = [{"m": [annotation]} for annotation in medications]
    others = [annotation for annotation in annotations if annotation.label != "m"]
    for annotation, number in zip(others, _find_nearest(others, medications, tokens), strict=True):
        if number >= 0:
            linked[number].setdefault(annotation.label, []).append(annotation)
    return [
        {
            field: _phrase(values[min(number, len(values) - 1)], text, tokens)
            for field, values in fields.items()
        }
        for fields in linked
        for number in range(max(map(len, fields.values())))
    ]


def from_entries(entries: Iterable[object], text: str) -> list[Annotation]:
    """Turn a record's entries into annotations, each phrase once; the labels are the fields.

    Args:
        entries: dicts, or entries as objects.
        text: the record.

    Returns:
        An annotation for each phrase; offsets count characters of the text.

    Raises:
        InputError: an entry is invalid, or the text does not have its tokens.

    Examples:
        >>> entry = {"m": {"text": "Lasix", "offsets": [[1, 0, 1, 0]]}}
        >>> from_entries([entry], "Lasix 80 mg daily")
        [Annotation(spans=((0, 5),), label='m')]
    """
    tokens = LineTokens(text)
    phrases: dict[Annotation, None] = {}
    for given in expect_list(entries, "a list of entries"):
        entry = given if isinstance(given, Entry) else Entry.from_dict(given)
        for field, phrase in entry.fields.items():
            phrases[Annotation(tuple(map(tokens.characters, phrase.offsets)), field)] = None
    return list(phrases)


def _phrase(annotation: Annotation, text: str, tokens: LineTokens) -> dict[str, object]:
    return {"text": words_of(annotation, text), "offsets": tokens.places(annotation.spans)}


def _find_nearest(
    annotations: Sequence[Annotation], targets: Sequence[Annotation], tokens: LineTokens
) -> list[int]:
    """Return the number of each annotation's nearest target, or -1 if all are too far."""
    if not annotations or not targets:
        return [-1] * len(annotations)
    first, last, line = _extents(annotations, tokens)[..., None]
    to_first, to_last, to_line = _extents(targets, tokens)[:, None]
    gaps = np.maximum(np.maximum(to_first - last, first - to_last), 0)
    far = np.abs(to_line - line) > _LINES
    gaps = np.where(far, len(tokens), gaps)
    nearest = gaps.argmin(axis=1)
    return np.where(far.all(axis=1), -1, nearest).tolist()  # type: ignore[no-any-return]


def _extents(annotations: Sequence[Annotation], tokens: LineTokens) -> IntArray:
    """Return first token, last token, and line of the first token: ``[3, annotations]``."""
    firsts = [tokens.number(found.spans[0][0]) for found in annotations]
    lasts = [tokens.number(found.spans[-1][1] - 1) for found in annotations]
    return np.array([firsts, lasts, [tokens.locate(first)[0] for first in firsts]], np.int64)
