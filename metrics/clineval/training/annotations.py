"""Annotations, which tags stand for, from and to what the challenges take.

An annotation is fragments with a label. What a challenge wants besides - a code, slots, the
medication that a dosage belongs to - is added by the functions here or by one of yours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from clineval.arrays import IntArray
from clineval.entries.entry import FIELDS
from clineval.mentions.mention import Document
from clineval.sections.segmentation import split_text

_LINES = 2


class Annotation(NamedTuple):
    """Fragments ``(start, end)`` in characters, ends exclusive, and their label."""

    spans: tuple[tuple[int, int], ...]
    label: str


Describe = Callable[[str, str], Mapping[str, Any]]
Build = Callable[[Sequence[Annotation], str], Any]


def as_mentions(describe: Describe | None = None) -> Build:
    """Builds mentions, for ``semeval15_task14`` and ``clefehealth13_task1``.

    Args:
        describe: gives a mention's code and slots from its words and its label; without it every
            mention is CUI-less and has default slots.

    Examples:
        >>> codes = {"asthma": "C0004096"}
        >>> build = as_mentions(lambda words, label: {"cui": codes.get(words)})
        >>> build([Annotation(((0, 6),), "Disorder")], "asthma, stable")
        [{'spans': [[0, 6]], 'cui': 'C0004096'}]
    """

    def build(annotations: Sequence[Annotation], text: str) -> list[dict[str, Any]]:
        return [
            {
                "spans": [list(span) for span in annotation.spans],
                "cui": None,
                **(describe(words_of(annotation, text), annotation.label) if describe else {}),
            }
            for annotation in annotations
        ]

    return build


def as_sections(annotations: Sequence[Annotation], text: str) -> dict[str, Any]:
    """Builds a note's sections, for ``clinais23_b2``.

    A section begins with the word, between white space, that its first token is in; of sections
    that begin with the same word the first one counts, and a section ends where the next begins.

    Examples:
        >>> found = [Annotation(((7, 16),), "PLAN"), Annotation(((17, 18),), "OTHER")]
        >>> as_sections(found, "Fever (Reposo en cama)")["sections"]
        [{'start': 6, 'end': 16, 'label': 'PLAN'}, {'start': 17, 'end': 18, 'label': 'OTHER'}]
    """
    words = split_text(text)
    begins: dict[int, tuple[int, str]] = {}
    for spans, label in sorted(annotations):
        start, end = spans[0]
        word = int(np.searchsorted(words[:, 1], start, side="right"))
        begin = int(words[word, 0]) if word < len(words) else start
        begins.setdefault(begin, (end, label))
    stops = [*begins, len(text)][1:]
    sections = [
        {"start": begin, "end": min(end, stop), "label": label}
        for (begin, (end, label)), stop in zip(begins.items(), stops, strict=True)
    ]
    return {"text": text, "sections": sections}


def as_entries(annotations: Sequence[Annotation], text: str) -> list[dict[str, Any]]:
    """Builds medication entries, for ``i2b2_2009_medication``; labels are its six fields.

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
    for found, number in zip(others, tokens.find_nearest(others, medications), strict=True):
        if number >= 0:
            linked[number].setdefault(found.label, []).append(found)
    return [
        {
            field: tokens.phrase(values[min(number, len(values) - 1)])
            for field, values in fields.items()
        }
        for fields in linked
        for number in range(max(map(len, fields.values())))
    ]


BUILDS: Mapping[str, Build] = {
    "semeval15_task14": as_mentions(),
    "clefehealth13_task1": as_mentions(),
    "clinais23_b2": as_sections,
    "i2b2_2009_medication": as_entries,
}
"""What is built of annotations for each metric, unless something else is asked for."""


def from_mentions(
    document: Document | Iterable[Mapping[str, Any]],
    label: str | Callable[[Mapping[str, Any]], str] = "Disorder",
) -> list[Annotation]:
    """A document's mentions as annotations.

    Args:
        document: a list of dicts, or a :class:`~clineval.Document`.
        label: the label of all of them, or what gives a mention's.

    Examples:
        >>> from_mentions([{"spans": [[4, 15], [31, 38]], "cui": None}])
        [Annotation(spans=((4, 15), (31, 38)), label='Disorder')]
    """
    if isinstance(document, Document):
        document = [mention.as_dict() for mention in document.mentions]
    return [
        Annotation(
            tuple(sorted((start, end) for start, end in mention["spans"])),
            label if isinstance(label, str) else label(mention),
        )
        for mention in document
    ]


def from_entries(entries: Iterable[Any], text: str) -> list[Annotation]:
    """A record's entries as annotations, each phrase once; the labels are the fields.

    Args:
        entries: dicts, or entries as objects.
        text: the record.
    """
    tokens = LineTokens(text)
    found: dict[Annotation, None] = {}
    for entry in entries:
        fields = entry.as_dict() if hasattr(entry, "as_dict") else entry
        for field in FIELDS:
            if fields.get(field):
                spans = tuple(map(tokens.characters, fields[field]["offsets"]))
                found[Annotation(spans, field)] = None
    return list(found)


def words_of(annotation: Annotation, text: str) -> str:
    """The words of an annotation, blanks between them."""
    parts = (text[start:end] for start, end in annotation.spans)
    return " ".join(" ".join(parts).split())


class LineTokens:
    """A record's tokens as i2b2 counts them: lines from 1, tokens between single blanks from 0."""

    def __init__(self, text: str) -> None:
        self._text = text
        lines = text.replace("\t", " ").split("\n")
        words = [line.split(" ") for line in lines]
        sizes = [len(word) + 1 for line in words for word in line]
        self._starts = np.array([0, *accumulate(sizes)], np.int64)
        self._lines = np.array([0, *accumulate(map(len, words))], np.int64)

    def characters(self, offset: Sequence[int]) -> tuple[int, int]:
        """The characters of ``[line, token, line, token]``."""
        first_line, first, last_line, last = offset
        start = self._starts[self._lines[first_line - 1] + first]
        end = self._starts[self._lines[last_line - 1] + last + 1] - 1
        return int(start), int(end)

    def phrase(self, annotation: Annotation) -> dict[str, Any]:
        """A field of an entry."""
        bounds = np.array(annotation.spans) - [0, 1]
        tokens = np.searchsorted(self._starts, bounds, side="right") - 1
        offsets = [
            [*self._place(first), *self._place(last)] for first, last in _join(tokens.tolist())
        ]
        return {"text": words_of(annotation, self._text), "offsets": offsets}

    def find_nearest(self, found: Sequence[Annotation], targets: Sequence[Annotation]) -> list[int]:
        """For each annotation the number of the nearest target, or -1 if all are too far."""
        if not found or not targets:
            return [-1] * len(found)
        first, last, line = self._extents(found)[..., None]
        to_first, to_last, to_line = self._extents(targets)[:, None]
        gaps = np.maximum(np.maximum(to_first - last, first - to_last), 0)
        far = np.abs(to_line - line) > _LINES
        gaps = np.where(far, len(self._starts), gaps)
        nearest = gaps.argmin(axis=1)
        return np.where(far.all(axis=1), -1, nearest).tolist()  # type: ignore[no-any-return]

    def _extents(self, annotations: Sequence[Annotation]) -> IntArray:
        """``[3, annotations]``: first token, last token, line of the first."""
        bounds = [(found.spans[0][0], found.spans[-1][1] - 1) for found in annotations]
        tokens = np.searchsorted(self._starts, np.array(bounds).T, side="right") - 1
        lines = np.searchsorted(self._lines, tokens[0], side="right")
        return np.stack([*tokens, lines])

    def _place(self, token: int) -> tuple[int, int]:
        line = int(np.searchsorted(self._lines, token, side="right")) - 1
        return line + 1, token - int(self._lines[line])


def _join(fragments: Iterable[list[int]]) -> list[list[int]]:
    """First and last tokens, with fragments that share a token as one."""
    joined: list[list[int]] = []
    for first, last in sorted(fragments):
        if joined and first <= joined[-1][1]:
            joined[-1][1] = max(last, joined[-1][1])
        else:
            joined.append([first, last])
    return joined
