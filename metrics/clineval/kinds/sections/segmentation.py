"""Segmented notes: the input for each note, and the boundaries of both sides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise, zip_longest

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.base.errors import InputError, listed, named, read_all, shown
from clineval.base.hashing import Hashes
from clineval.kinds.documents import Documents, Whole, align_documents
from clineval.kinds.mentions.digest import digest_documents
from clineval.results.columns import MentionColumns, Sides
from clineval.results.tagged import TYPELESS

_TOKEN = re.compile(r"\S+")
_OTHERS = "Name other labels with the option 'labels'"
Labels = Sequence[str | None]
_NONE = -1


@dataclass(frozen=True, slots=True)
class Section:
    """A section: characters from ``start`` to ``end`` (exclusive), and its label."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class Note:
    """One side of a note: either the labels of its tokens or its sections.

    Args:
        where: its name in messages.
        labels: for each token the label of the section that begins there, or None.
        sections: the sections, in any order.
        tokens: ``[t, 2]``, start and end of each token in characters.
        text: the note's text, which is never shown.
    """

    where: str
    labels: Labels | None = None
    sections: tuple[Section, ...] = ()
    tokens: IntArray | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Boundaries:
    """The boundaries of one side, where sections begin; at most one at each token.

    Args:
        note: ``[n]``, index of the note, never decreasing.
        position: ``[n]``, index of the section's first token, increasing within a note.
        label: ``[n]``, the section's label as a number that both sides share.
    """

    note: IntArray
    position: IntArray
    label: IntArray

    def __len__(self) -> int:
        return len(self.note)

    def find(self, note: IntArray, position: IntArray, which: BoolArray) -> IntArray:
        """Find the boundary at a token of a note, ``[e]``; -1 if ``which`` is False."""
        largest = max(int(self.position.max(initial=0)), int(position.max(initial=0))) + 1
        rows = np.full(len(note), _NONE)
        keys = self.note.astype(np.int64) * largest + self.position
        rows[which] = np.searchsorted(keys, (note.astype(np.int64) * largest + position)[which])
        return rows


@dataclass(frozen=True, slots=True, eq=False)
class NoteSide(Documents):
    """The notes of one side of a corpus after reading."""

    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Segmentation(Whole):
    """Gold and predicted boundaries of the same notes.

    Args:
        documents: the names of the ``d`` notes.
        labels: the section labels; boundaries refer to their index.
        gold: the gold boundaries.
        prediction: the predicted boundaries.
        notes: the notes of one of the sides, with the text if a side has it.
    """

    documents: tuple[str, ...]
    labels: tuple[str, ...]
    gold: Boundaries
    prediction: Boundaries
    notes: tuple[Note, ...]

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of each document's gold boundaries."""
        return digest_documents(self.as_mentions(self.gold), len(self.documents))

    @property
    def gold_sizes(self) -> IntArray:
        """``[documents]``, the number of each document's gold boundaries."""
        return self.as_mentions(self.gold).sizes(len(self.documents))

    @property
    def sides(self) -> Sides:
        """The boundaries of both sides as mentions."""
        return self.as_mentions(self.gold), self.as_mentions(self.prediction)

    def as_mentions(self, side: Boundaries) -> MentionColumns:
        """Return the boundaries of one side as mentions with one token."""
        return MentionColumns(
            side.note,
            np.arange(len(side) + 1),
            side.position,
            side.position + 1,
            {"label": Coded(side.label, self.labels)},
        )


def join_notes(gold: NoteSide, prediction: NoteSide, labels: Iterable[str]) -> Segmentation:
    """Join gold and predictions.

    Raises:
        InputError: the two sides of a note have different tokens; a section overlaps another one,
            starts inside a token or has no token; a label is unknown.
    """
    documents, gold_at, predicted_at = align_documents(gold, prediction)
    golds = dict(zip(gold_at.tolist(), gold.notes, strict=True))
    predictions = dict(zip(predicted_at.tolist(), prediction.notes, strict=True))
    pairs = [(golds.get(number), predictions.get(number)) for number in range(len(documents))]
    known = tuple(dict.fromkeys(labels))
    left, right = _find_sides(pairs, known)
    return Segmentation(documents, known, left, right, tuple(map(_choose_note, pairs)))


def check_note(note: Note, labels: Sequence[str], gold: Note | None = None) -> None:
    """Reject errors in one side of a note, first in each section and then between them.

    The tokens of ``gold`` are used, if it is given.
    """
    frame = None if gold is None else replace(gold, sections=(), labels=None)
    tokens = _find_tokens([note] if frame is None else [frame, note])
    placed = replace(note, tokens=tokens) if note.tokens is None else note
    sound: list[Section] = []

    def check(*sections: Section) -> None:
        _find_sides([(frame, replace(placed, sections=sections))], tuple(labels))
        sound.extend(sections)

    with suppress(InputError):
        check(*note.sections)
        return
    alone = [partial(check, section) for section in note.sections]
    read_all([*alone, lambda: check(*sound)])


def _find_sides(
    pairs: Sequence[tuple[Note | None, Note | None]], labels: tuple[str, ...]
) -> tuple[Boundaries, Boundaries]:
    both = [_label_tokens(*notes) for notes in pairs]
    gold, prediction = zip(*both, strict=True) if both else ((), ())
    return _find_boundaries(gold, labels), _find_boundaries(prediction, labels)


def _choose_note(sides: tuple[Note | None, Note | None]) -> Note:
    """Choose one side of a note, with the text if one has it."""
    present = [side for side in sides if side is not None]
    return next((side for side in present if side.text is not None), present[0])


_Labelled = tuple[Labels, Note]


def _label_tokens(gold: Note | None, prediction: Note | None) -> tuple[_Labelled, _Labelled]:
    """Label the same tokens on both sides; a missing side has no labels."""
    sides = [side for side in (gold, prediction) if side is not None]
    tokens = _find_tokens(sides)
    for side in sides:
        _compare_offsets(tokens, side)
    labelled = [_labels_of(note, tokens, sides[0]) for note in (gold, prediction)]
    if len(sides) > 1 and len(labelled[0][0]) != len(labelled[1][0]):
        raise InputError(
            f"expected as many tokens as in the references, {len(labelled[0][0])}, "
            f"got {len(labelled[1][0])}",
            where=labelled[1][1].where,
            remedy="Give a label or None for every token",
        )
    return labelled[0], labelled[1]


def _labels_of(note: Note | None, tokens: IntArray | None, other: Note) -> _Labelled:
    """Return the labels of one side's tokens; empty if only the other side has the note."""
    if note is None:
        return (), other
    return (place_sections(note, tokens) if note.labels is None else note.labels), note


def _find_tokens(sides: Sequence[Note]) -> IntArray | None:
    """Return the tokens of one side, or the parts of the text between white space."""
    given = next((side.tokens for side in sides if side.tokens is not None), None)
    if given is not None or all(side.labels is not None for side in sides):
        return given
    texts = [side.text for side in sides if side.text is not None]
    where = next(side.where for side in reversed(sides) if side.labels is None)
    if not texts:
        raise InputError(
            "the sections come without the note's text",
            where=where,
            remedy="Give the text with them",
        )
    if texts[0] != texts[-1]:
        pairs = enumerate(zip_longest(texts[0], texts[-1]))
        at = next(at for at, (one, other) in pairs if one != other)
        raise InputError(f"the texts of the two sides differ from offset {at} on", where=where)
    return split_text(texts[0])


def split_text(text: str) -> IntArray:
    """Return ``[t, 2]``, start and end of the tokens between white space.

    Examples:
        >>> split_text("Mujer de 46").tolist()
        [[0, 5], [6, 8], [9, 11]]
    """
    spans = [match.span() for match in _TOKEN.finditer(text)]
    return np.array(spans, np.int64).reshape(-1, 2)


def _compare_offsets(tokens: IntArray | None, side: Note) -> None:
    if tokens is None or side.tokens is None or np.array_equal(tokens, side.tokens):
        return
    shorter = min(len(tokens), len(side.tokens))
    different = (tokens[:shorter] != side.tokens[:shorter]).any(axis=1)
    token = int(np.argmax(different)) if different.any() else shorter
    theirs, ours = (_describe(offsets, token) for offsets in (tokens, side.tokens))
    raise InputError(
        f"token {token}: the references have {theirs}, the predictions {ours}",
        where=side.where,
        remedy="Both sides need the same tokens",
    )


def _describe(tokens: IntArray, at: int) -> str:
    return f"{tokens[at, 0]}-{tokens[at, 1]}" if at < len(tokens) else "no more tokens"


def place_sections(note: Note, tokens: IntArray | None) -> Labels:
    """Return for each token the label of the section that begins there, or None.

    Tokens are sorted, ``[t, 2]``, start and end of each.

    Raises:
        InputError: sections overlap, or a section is outside the text, starts inside a token, or
            has no token.

    Examples:
        >>> treatment, evolution = Section(0, 8, "TREATMENT"), Section(8, 15, "EVOLUTION")
        >>> note = Note("note a", sections=(treatment, evolution))
        >>> place_sections(note, split_text("Reposo. Mejora."))
        ['TREATMENT', 'EVOLUTION']
    """
    if tokens is None:
        raise InputError("the sections come without the note's text", where=note.where)
    _check_sections(note)
    labels: list[str | None] = [None] * len(tokens)
    starts, ends = tokens[:, 0], tokens[:, 1]
    firsts = np.searchsorted(starts, [section.start for section in note.sections]).tolist()
    for section, first in zip(note.sections, firsts, strict=True):
        name = f"section {section.start}-{section.end}"
        if first and ends[first - 1] > section.start:
            token = _describe(tokens, first - 1)
            raise InputError(f"{name} starts inside the token {token}", where=note.where)
        if first == len(tokens) or starts[first] >= section.end:
            raise InputError(f"{name} has no token", where=note.where, remedy="Leave it out")
        labels[first] = section.label
    return labels


def _check_sections(note: Note) -> None:
    for section in note.sections:
        if not 0 <= section.start < section.end:
            raise InputError(
                f"section {section.start}-{section.end}: expected 0 <= start < end",
                where=note.where,
            )
        if note.text is not None and section.end > len(note.text):
            raise InputError(
                f"section {section.start}-{section.end} ends after the text, which has "
                f"{len(note.text)} characters",
                where=note.where,
            )
    arranged = sorted(note.sections, key=lambda section: section.start)
    read_all(partial(_check_apart, *pair, note.where) for pair in pairwise(arranged))


def _check_apart(one: Section, other: Section, where: str) -> None:
    if one.end > other.start:
        raise InputError(
            f"sections {one.start}-{one.end} and {other.start}-{other.end} overlap", where=where
        )


def _find_boundaries(side: Sequence[_Labelled], labels: tuple[str, ...]) -> Boundaries:
    flat = list(chain.from_iterable(labels for labels, _ in side))
    numbers: Mapping[str | None, int] = {None: -1, **{name: k for k, name in enumerate(labels)}}
    ids = _number(flat, numbers)
    if ids is None:  # outside the handler, so that no error refers to the label
        raise _unknown_labels(side, labels)
    sizes = np.array([len(labels) for labels, _ in side], np.int64)
    rows = np.flatnonzero(ids >= 0)
    note = np.repeat(np.arange(len(side)), sizes)[rows]
    first = np.cumsum([0, *sizes])[:-1]
    return Boundaries(note, rows - first[note], ids[rows])


def _number(flat: Labels, numbers: Mapping[str | None, int]) -> IntArray | None:
    """Return the number of each label; None if one has no number."""
    try:
        return np.fromiter(map(numbers.__getitem__, flat), np.int64, len(flat))
    except (KeyError, TypeError):
        return None


def _unknown_labels(side: Sequence[_Labelled], possible: tuple[str, ...]) -> InputError:
    """Return the error of the first unknown label, with the errors of the others."""
    expected = (
        f"expected one of {listed([named(label) or shown(label) for label in possible])}, or None"
    )
    first, *others = [
        InputError(
            f"token {place}{'' if note.tokens is None else f' at {_describe(note.tokens, place)}'}"
            f": unknown label {shown(label)}, {expected}",
            where=note.where,
            remedy=TYPELESS if isinstance(label, str) and not label else _OTHERS,
        )
        for labels, note in side
        for place, label in enumerate(labels)
        if label is not None and (not isinstance(label, str) or label not in possible)
    ]
    first.others = tuple(others)
    return first
