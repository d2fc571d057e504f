"""Texts in parts, such as sections, or a title and an abstract, whose offsets restart in each part.

Mentions get offsets in the joined text: the parts in their order, with a line end between two of
them. If the texts of the parts are unknown, each part begins at a multiple of :data:`ROOM`, so that
mentions of different parts never overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Self

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, called, shown, unknown_name
from clineval.base.offsets import judge_offset
from clineval.kinds.mentions.columns import Side
from clineval.results.columns import MentionColumns

BETWEEN = "\n"
"""The text between two parts."""
ROOM = 10_000_000
"""The distance between the beginnings of two parts whose texts are unknown."""
_WIDEST = np.int64(2**32)
Fragment = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one document's text.

    Args:
        sizes: name of a part to the number of its characters, in the order of the text.
        inclusive: whether the end of a mention is its last character, and not the one after it.
        text: the joined text; None if it is unknown.

    Examples:
        >>> parts = Parts.of({"title": "Gut flora", "abstract": "No effect."}, inclusive=True)
        >>> parts.place("abstract", 3, 8), parts.text[13:19], parts.find(13, 19)
        ((13, 19), 'effect', ('abstract', 3, 8))
    """

    sizes: Mapping[str, int]
    inclusive: bool = False
    text: str | None = None

    @classmethod
    def of(cls, texts: Mapping[str, str], *, inclusive: bool = False) -> Self:
        """Join the texts of the parts.

        Args:
            texts: name of a part to its text, in the order of the text.
            inclusive: see :class:`Parts`.
        """
        sizes = {name: len(text) for name, text in texts.items()}
        return cls(sizes, inclusive, BETWEEN.join(texts.values()))

    @classmethod
    def unknown(cls, names: Iterable[str], *, inclusive: bool = False) -> Self:
        """Return parts without texts.

        Args:
            names: the names of the parts, in the order of the text.
            inclusive: see :class:`Parts`.
        """
        return cls(dict.fromkeys(names, ROOM - len(BETWEEN)), inclusive)

    @property
    def starts(self) -> dict[str, int]:
        """Name of a part to its beginning in the joined text."""
        steps = (size + len(BETWEEN) for size in self.sizes.values())
        return dict(zip(self.sizes, accumulate(steps, initial=0), strict=False))

    @property
    def beyond(self) -> int:
        """The first offset after the joined text, where no mention can be right."""
        return sum(size + len(BETWEEN) for size in self.sizes.values())

    def place(self, part: object, start: object, end: object) -> Fragment:
        """Return a fragment's offsets in the joined text, with an exclusive end.

        Args:
            part: the name of the part.
            start: the first character of the fragment, counted from the beginning of the part.
            end: its end; see ``inclusive``.

        Raises:
            InputError: the part is unknown, the offsets are not whole numbers, the end is not after
                the start, or the fragment is outside the part.
        """
        if not isinstance(part, str) or part not in self.sizes:
            raise unknown_name("part", part, self.sizes)
        first, last = _expect_whole(start), _expect_whole(end) + self.inclusive
        if not judge_offset(first) < last:
            order = "before" if self.inclusive else "not after"
            raise InputError(f"offsets {first}-{end}: the end is {order} the start")
        if last > self.sizes[part]:
            problem = f"offset {end} is outside the {part}, which has {self.sizes[part]} characters"
            raise InputError(problem)
        return first + self.starts[part], last + self.starts[part]

    def find(self, start: int, end: int) -> tuple[str, int, int]:
        """Return the part of a fragment in the joined text, and its offsets there.

        Raises:
            InputError: the fragment is in no part, or in several.
        """
        for part, first in self.starts.items():
            if first <= start < end <= first + self.sizes[part]:
                return part, start - first, end - first - self.inclusive
        raise InputError(
            f"offsets {start}-{end} are not in one of the parts {', '.join(self.sizes)}"
        )


def _expect_whole(offset: object) -> int:
    if isinstance(offset, int) and not isinstance(offset, bool):
        return offset
    raise InputError(f"expected a whole number as offset, got {shown(offset)}")


@dataclass(frozen=True, slots=True, eq=False)
class PartedSide(Side):
    """One side of a corpus whose files count offsets in parts.

    Args:
        parts: the parts of each document; None if its offsets count in the whole text.
    """

    parts: Sequence[Parts | None] = ()

    def with_notes(self, texts: tuple[str | None, ...]) -> Self:
        """Return a copy with other texts.

        Raises:
            InputError: a text differs from the joined parts, or the texts of the parts are unknown.
        """
        for name, parts, text in zip(self.documents, self.parts, texts, strict=False):
            if parts is not None and text not in (None, parts.text):
                names = " and ".join(parts.sizes)
                raise InputError(
                    f"the text differs from {names}, joined by line ends, to which offsets refer"
                    if parts.text is not None
                    else f"the file does not contain {names}, in which its offsets count",
                    where=f"document {called(name)}",
                    remedy="Leave out texts=" if parts.text is not None else "Add them to the file",
                )
        return replace(self, texts=texts)


def align_parts(side: Side, gold: Side) -> Side:
    """Return predictions with the offsets of the gold standard's joined texts.

    Files of predictions rarely contain the texts of the parts. A mention outside its part in the
    gold standard moves beyond the text, where it is wrong.

    Args:
        side: the predictions.
        gold: the gold standard.

    Raises:
        InputError: one side counts offsets in parts of unknown texts, and the other in the whole
            text.
    """
    moved = [
        (number, own, other)
        for number, own, other in _pair_parts(side, gold)
        if own is not None and other is not None and own.sizes != other.sizes
    ]
    if not moved:
        return side
    rows = sorted(row for each in moved for row in _list_moves(*each))
    return replace(side, mentions=_move(side.mentions, np.array(rows, np.int64)))


def _list_moves(number: int, own: Parts, other: Parts) -> Iterator[tuple[int, int, int, int]]:
    """Yield for each part its key, shift, new end, and the first offset beyond the new text."""
    starts = other.starts
    for part, start in own.starts.items():
        begin, size = starts.get(part, 0), other.sizes.get(part, 0)
        yield number * int(_WIDEST) + start, begin - start, begin + size, other.beyond


def _move(mentions: MentionColumns, rows: IntArray) -> MentionColumns:
    """Move the mentions of the documents in the rows of :func:`_list_moves`, which are sorted."""
    document = mentions.document[mentions.owners].astype(np.int64)
    keys, shifts, ends, beyond = rows.T
    at = np.searchsorted(keys, document * _WIDEST + mentions.starts, side="right") - 1
    moved = (at >= 0) & (keys[at] // _WIDEST == document)
    shift = np.where(moved, shifts[at], 0)
    outside = moved & (mentions.ends + shift > ends[at])
    shift = np.where(outside, beyond[at], shift)
    return replace(mentions, starts=mentions.starts + shift, ends=mentions.ends + shift)


def _pair_parts(side: Side, gold: Side) -> Iterator[tuple[int, Parts | None, Parts | None]]:
    """Yield the number of each predicted document that is also a gold one, and its parts."""
    own, others = (each.parts if isinstance(each, PartedSide) else () for each in (side, gold))
    if not own and not others:
        return
    named = side.keys is not None and gold.keys is not None
    keys = (gold.keys or ()) if named else range(len(gold.documents))
    numbers = {key: number for number, key in enumerate(keys)}
    for at, key in enumerate((side.keys or ()) if named else range(len(side.documents))):
        if key in numbers:
            pair = own[at] if own else None, others[numbers[key]] if others else None
            _check_texts(*pair, side.documents[at])
            yield (at, *pair)


def _check_texts(own: Parts | None, other: Parts | None, name: str) -> None:
    """Reject offsets in the whole text on one side only, if the parts of the text are unknown."""
    for known, missing, which in ((own, other, "predictions"), (other, own, "references")):
        if missing is None and known is not None and known.text is None:
            raise InputError(
                f"the {which} count offsets in each part of the text, the other side in the whole "
                "text, and the texts of the parts are unknown",
                where=f"document {called(name)}",
                remedy="Give a gold standard whose file contains the texts of the parts",
            )
