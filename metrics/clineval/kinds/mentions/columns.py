"""Mentions as flat NumPy columns: what the engine works on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Protocol as Structure
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from clineval.base.arrays import Coded, IntArray, expand_ranges, find_first
from clineval.base.errors import InputError, called
from clineval.kinds.documents import Documents
from clineval.kinds.mentions.mention import Fragment

USUAL = Coded(np.zeros(0, np.int8), ("",))
"""The spelling of mentions whose spans are written the usual way."""


@dataclass(frozen=True, slots=True, eq=False)
class MentionColumns:
    """The mentions of one side of a corpus: ``n`` mentions with ``f`` fragments in all.

    Args:
        document: ``[n]``, index of the mention's document, never decreasing.
        bounds: ``[n + 1]``; the fragments of mention ``i`` are ``bounds[i]:bounds[i + 1]``.
        starts: ``[f]``, first character of each fragment.
        ends: ``[f]``, the character after the last one.
        attributes: slot name to column.
        spelling: how the span was written, where the writing matters; empty for the usual way,
            the default.
    """

    document: IntArray
    bounds: IntArray
    starts: IntArray
    ends: IntArray
    attributes: Mapping[str, Coded]
    spelling: Coded = USUAL

    def __post_init__(self) -> None:
        if self.spelling is USUAL:
            usual = Coded(np.zeros(len(self.document), np.int8), USUAL.values)
            object.__setattr__(self, "spelling", usual)

    @classmethod
    def of(
        cls,
        documents: ArrayLike,
        spans: Sequence[Sequence[Fragment]],
        attributes: Mapping[str, Coded],
    ) -> MentionColumns:
        """Make columns of mentions, given the document and the fragments of each.

        Examples:
            >>> columns = MentionColumns.of([0, 0], [[(4, 15), (31, 38)], [(60, 65)]], {})
            >>> columns.bounds.tolist(), columns.starts.tolist()
            ([0, 2, 3], [4, 31, 60])
        """
        bounds = np.cumsum([0, *map(len, spans)])
        offsets = chain.from_iterable(chain.from_iterable(spans))
        table = np.fromiter(offsets, np.int64, 2 * bounds[-1])
        starts, ends = table.reshape(-1, 2).T.copy()
        return cls(np.asarray(documents, np.int32), bounds, starts, ends, attributes)

    @classmethod
    def labelled(cls, rows: Sequence[tuple[int, str, int, int]], slot: str) -> MentionColumns:
        """Make columns of mentions of one fragment: document, label, start and end of each."""
        documents, labels, starts, ends = zip(*rows, strict=True) if rows else ((), (), (), ())
        ids, first, last = (np.array(column, np.int64) for column in (documents, starts, ends))
        bounds = np.arange(len(rows) + 1)
        return cls(ids.astype(np.int32), bounds, first, last, {slot: Coded.of(labels)})

    def __len__(self) -> int:
        return len(self.document)

    @property
    def fragment_counts(self) -> IntArray:
        """``[n]``, the number of fragments of each mention."""
        return np.diff(self.bounds)

    @property
    def owners(self) -> IntArray:
        """``[f]``, the mention of each fragment."""
        return np.repeat(np.arange(len(self)), self.fragment_counts)

    def lengths(self, rows: IntArray) -> IntArray:
        """Count the characters, or tokens, of the mentions at ``rows``."""
        low, high = self.bounds[rows], self.bounds[rows + 1]
        fragments = expand_ranges(low, high)
        first = np.cumsum(high - low) - (high - low)
        sizes: IntArray = self.ends[fragments] - self.starts[fragments]
        return np.add.reduceat(sizes, first, dtype=np.int64) if len(rows) else sizes

    def sizes(self, documents: int) -> IntArray:
        """Count the mentions of each document, ``[documents]``."""
        return np.diff(find_first(self.document, np.arange(documents + 1)))

    def take(self, rows: IntArray) -> MentionColumns:
        """Return the mentions at ``rows``, in that order."""
        fragments = expand_ranges(self.bounds[rows], self.bounds[rows + 1])
        counts = self.fragment_counts[rows]
        return MentionColumns(
            self.document[rows],
            np.concatenate([[0], np.cumsum(counts)]),
            self.starts[fragments],
            self.ends[fragments],
            {name: Coded(c.ids.take(rows), c.values) for name, c in self.attributes.items()},
            Coded(self.spelling.ids.take(rows), self.spelling.values),
        )

    def without_gaps(self) -> MentionColumns:
        """Return mentions of one fragment, each from the first start to the last end."""
        firsts, lasts = self.bounds[:-1], self.bounds[1:] - 1
        bounds = np.arange(len(self) + 1)
        return replace(self, bounds=bounds, starts=self.starts[firsts], ends=self.ends[lasts])

    def compact(self) -> MentionColumns:
        """Return the same without values that no mention has."""
        values = {name: column.compact() for name, column in self.attributes.items()}
        return replace(self, attributes=values)

    def of_documents(self, first: int, last: int) -> MentionColumns:
        """Return the mentions of the documents ``first:last``, renumbered from 0; no copy."""
        low, high = find_first(self.document, [first, last])
        bounds = self.bounds[low : high + 1]
        return MentionColumns(
            self.document[low:high] - first,
            bounds - bounds[0],
            self.starts[bounds[0] : bounds[-1]],
            self.ends[bounds[0] : bounds[-1]],
            {name: Coded(c.ids[low:high], c.values) for name, c in self.attributes.items()},
            Coded(self.spelling.ids[low:high], self.spelling.values),
        )

    def text_of_spans(self, row: int) -> str:
        r"""Return the span of one mention as it was written, or as the pipe format writes it.

        Examples:
            >>> from clineval.formats.delimited.pipe import read_side
            >>> side = read_side("d.txt|4-15,31-38|C0344720|\n", [], strict=True)
            >>> side.mentions.text_of_spans(0)
            '4-15,31-38'
        """
        written = self.spelling.values[self.spelling.ids[row]]
        low, high = self.bounds[row], self.bounds[row + 1]
        fragments = zip(self.starts[low:high].tolist(), self.ends[low:high].tolist(), strict=True)
        return written or ",".join(f"{start}-{end}" for start, end in fragments)


Sides = tuple[MentionColumns, MentionColumns]
"""The gold and the predicted mentions."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Something of an answer that cannot be right.

    Args:
        document: the document's name, or its number where documents have none.
        position: the number of the item in the answer, from 0; None if it is about all of it.
        reason: ``unaligned``, ``ambiguous``, ``without text``, ``unreadable``, or ``invalid`` and
            the slot.

    Examples:
        >>> Lost("note-1", 0, "unaligned")
        Lost(document='note-1', position=0, reason='unaligned')
    """

    document: str
    position: int | None
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Intake:
    """What reading predictions found out about them, for the score.

    Args:
        settings: what the numbers depend on, as the signature names it.
        counts: names that begin with ``n_`` to ``[documents]``, what was counted.
        lost: what cannot be right.
    """

    settings: Mapping[str, str]
    counts: Mapping[str, IntArray]
    lost: Sequence[Lost] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Side(Documents):
    """One side of a corpus, gold or predicted, as it was read.

    Args:
        mentions: the mentions.
        texts: the text of each document; empty if the texts did not come with the mentions.
        intake: what reading it found out, if there is anything.
        languages: the language of each document, empty for one whose language is not said; empty
            if none is.
    """

    mentions: MentionColumns
    texts: tuple[str | None, ...] = ()
    intake: Intake | None = None
    languages: tuple[str, ...] = ()

    @property
    def noted(self) -> Side:
        """The documents, their mentions and texts."""
        return self

    def with_notes(self, texts: tuple[str | None, ...]) -> Self:
        """Return the same with other texts."""
        return replace(self, texts=texts)


class Noted(Structure):
    """A side whose documents have notes: of mentions alone, or with relations beside them."""

    @property
    def noted(self) -> Side:
        """The documents, their mentions and texts."""
        ...

    def with_notes(self, texts: tuple[str | None, ...], /) -> Self:
        """Return the same with other texts."""
        ...


def check_texts(gold: Side, prediction: Side) -> None:
    """Refuse sides with different texts of a document, and say where these begin to differ."""
    named = gold.keys is not None and prediction.keys is not None
    keys = [side.keys if named else range(len(side.documents)) for side in (gold, prediction)]
    texts = dict(zip(keys[0] or (), gold.texts, strict=False))
    for key, name, text in zip(keys[1] or (), prediction.documents, prediction.texts, strict=False):
        other = texts.get(key)
        if text is not None and other is not None and text != other:
            pairs = enumerate(zip(text, other, strict=False))
            shorter = min(len(text), len(other))
            at = next((at for at, (one, two) in pairs if one != two), shorter)
            raise InputError(
                f"the texts of the two sides differ from offset {at} on",
                where=f"document {called(str(name or key))}",
                remedy="Offsets mean the same only in the same text",
            )


def join_texts(
    gold: Side, prediction: Side, numbers: tuple[IntArray, IntArray]
) -> Mapping[int, str]:
    """Return the number of a document to its text; ``numbers`` are those of each side's."""
    return {
        int(number): text
        for side, of_side in ((prediction, numbers[1]), (gold, numbers[0]))
        for number, text in zip(of_side, side.texts, strict=False)
        if text is not None
    }


def fill_slots(parts: Sequence[MentionColumns], others: Sequence[str] = ()) -> list[MentionColumns]:
    """Give all parts the free slots that any part has, and others; ``no`` where one has none."""
    names = dict.fromkeys([*(name for part in parts for name in part.attributes), *others])
    return [
        replace(
            part,
            attributes={
                name: part.attributes.get(name) or Coded(np.zeros(len(part), np.int8), ("no",))
                for name in names
            },
        )
        for part in parts
    ]


def concatenate(parts: Sequence[MentionColumns]) -> MentionColumns:
    """Join parts, one after the other; the documents are numbered alike in all of them."""
    if len(parts) == 1:
        return parts[0]
    shift = np.cumsum([0, *(part.bounds[-1] for part in parts)])
    return MentionColumns(
        np.concatenate([part.document for part in parts]),
        np.concatenate([[0], *(p.bounds[1:] + s for p, s in zip(parts, shift, strict=False))]),
        np.concatenate([part.starts for part in parts]),
        np.concatenate([part.ends for part in parts]),
        {name: _join([p.attributes[name] for p in parts]) for name in parts[0].attributes},
        _join([part.spelling for part in parts]),
    )


def share_values(
    sides: Sequence[MentionColumns], slots: Mapping[str, Sequence[str]]
) -> list[MentionColumns]:
    """Give equal values of the sides equal numbers, in the order of the values.

    ``slots`` are those that they get, each with values that are always numbered.
    """
    shared: list[dict[str, Coded]] = [{} for _ in sides]
    for slot, known in slots.items():
        columns = [side.attributes[slot] for side in sides]
        values = tuple(sorted({*known, *chain.from_iterable(of.values for of in columns)}))
        for attributes, column in zip(shared, columns, strict=True):
            attributes[slot] = column.fold(str, values)
    return [replace(side, attributes=of) for side, of in zip(sides, shared, strict=True)]


def _join(columns: Sequence[Coded]) -> Coded:
    values = tuple(dict.fromkeys(value for column in columns for value in column.values))
    return Coded(np.concatenate([c.fold(str, values).ids for c in columns]), values)


def sort_fragments(columns: MentionColumns) -> MentionColumns:
    """Sort the fragments of each mention by their starts."""
    owners, starts = columns.owners, columns.starts
    if ((owners[1:] != owners[:-1]) | (starts[1:] >= starts[:-1])).all():
        return columns
    order = np.lexsort((starts, owners))
    return replace(columns, starts=starts[order], ends=columns.ends[order])
