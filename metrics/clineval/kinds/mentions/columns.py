"""Mentions as flat NumPy columns, on which the engine works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Self
from typing import Protocol as Structure

import numpy as np

from clineval.base.arrays import Coded, IntArray, find_first
from clineval.base.errors import InputError, called, warn
from clineval.kinds.documents import Documents
from clineval.results.columns import MentionColumns

if TYPE_CHECKING:  # few corpora have words
    from clineval.kinds.mentions.words import Words


@dataclass(frozen=True, slots=True)
class Lost:
    """A part of an answer that cannot be right.

    Args:
        document: the document's name, or its number if documents have no names.
        position: the number of the item in the answer, from 0; None for the whole answer.
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
    """Facts from reading predictions, for the score.

    Args:
        settings: settings that affect the numbers, for the signature.
        counts: names that begin with ``n_`` to counts, ``[documents]``.
        lost: the parts that cannot be right.
    """

    settings: Mapping[str, str]
    counts: Mapping[str, IntArray]
    lost: Sequence[Lost] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Side(Documents):
    """One side of a corpus, gold or predicted, after reading.

    Args:
        mentions: the mentions.
        texts: the text of each document; empty if the texts did not come with the mentions.
        intake: facts from reading it, if there are any.
        languages: the language of each document, an empty string if it is not known; no items if no
            language is known.
        words: the places of the words, if the texts consist of words alone.
    """

    mentions: MentionColumns
    texts: tuple[str | None, ...] = ()
    intake: Intake | None = None
    languages: tuple[str, ...] = ()
    words: Words | None = None

    @property
    def noted(self) -> Side:
        """The documents, their mentions and texts."""
        return self

    def with_notes(self, texts: tuple[str | None, ...]) -> Self:
        """Return a copy with other texts.

        Raises:
            InputError: a text differs from the words of the document.
        """
        if self.words:
            for number, (own, other) in enumerate(zip(self.texts, texts, strict=False)):
                if other is not None and other != own:
                    raise InputError(
                        "the text is not the words joined by blanks, to which offsets refer",
                        where=self.words.files[number],
                        remedy="Leave out texts=",
                    )
            return self
        return replace(self, texts=texts)

    def number_items(self) -> IntArray:
        """Return ``[n]``, the number of each mention in its document, from 0."""
        document = self.mentions.document
        return np.arange(len(document)) - find_first(document, document)


class Noted(Structure):
    """A side whose documents have notes: of mentions alone, or with relations beside them."""

    @property
    def noted(self) -> Side:
        """The documents, their mentions and texts."""
        ...

    def with_notes(self, texts: tuple[str | None, ...], /) -> Self:
        """Return a copy with other texts."""
        ...


def check_texts(gold: Side, prediction: Side) -> None:
    """Reject sides with different texts of a document, and say where these begin to differ."""
    named = gold.keys is not None and prediction.keys is not None
    keys = [side.keys if named else range(len(side.documents)) for side in (gold, prediction)]
    numbers = {key: number for number, key in enumerate(keys[0] or ())}
    for at, (key, text) in enumerate(zip(keys[1] or (), prediction.texts, strict=False)):
        number = numbers.get(key, len(gold.texts))
        other = gold.texts[number] if number < len(gold.texts) else None
        if text is not None and other is not None and text != other:
            raise _differing((gold, number, other), (prediction, at, text), key)


def check_words(gold: Side, prediction: Side) -> None:
    """Check the texts if a side consists of words; warn about documents without a text to check."""
    if not (gold.words or prediction.words):
        return
    check_texts(gold, prediction)
    other = prediction if gold.words else gold
    unknown = sum(text is None for text in other.texts) if other.texts else len(other.documents)
    warn(
        "{n} {document has|documents have} words on one side and no text on the other. Offsets "
        "count the characters of the words, joined by blanks",
        n=unknown,
    )


def _differing(
    gold: tuple[Side, int, str], prediction: tuple[Side, int, str], key: object
) -> InputError:
    """Return the error for different texts; words have lines."""
    texts = prediction[-1], gold[-1]
    pairs = enumerate(zip(*texts, strict=False))
    at = next((at for at, (one, two) in pairs if one != two), min(map(len, texts)))
    places = [side.words and side.words.place(of, at) for side, of, _ in (gold, prediction)]
    if all(places):
        return InputError(
            f"the words of the two sides differ from here on; the references are at {places[0]}",
            where=str(places[1]),
            remedy="Both sides need the same words in the same sentences",
        )
    side, number, _ = prediction
    return InputError(
        f"the texts of the two sides differ from offset {at} on",
        where=f"document {called(str(side.documents[number] or key))}",
        remedy="Offsets are comparable only in the same text",
    )


def join_texts(
    gold: Side, prediction: Side, numbers: tuple[IntArray, IntArray]
) -> Mapping[int, str]:
    """Map document numbers to texts; ``numbers`` are the document numbers of each side."""
    return {
        int(number): text
        for side, of_side in ((prediction, numbers[1]), (gold, numbers[0]))
        for number, text in zip(of_side, side.texts, strict=False)
        if text is not None
    }


def fill_slots(parts: Sequence[MentionColumns], others: Sequence[str] = ()) -> list[MentionColumns]:
    """Give all parts the free slots of any part, and other slots; the missing value is ``no``."""
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
    """Concatenate parts that use the same document numbers."""
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
    """Give equal values of all sides equal numbers, in the order of the values.

    ``slots`` maps the slots to values that are always numbered.
    """
    shared: list[dict[str, Coded]] = [{} for _ in sides]
    for slot, known in slots.items():
        columns = [side.attributes[slot] for side in sides]
        values = tuple(sorted({*known, *chain.from_iterable(column.values for column in columns)}))
        for attributes, column in zip(shared, columns, strict=True):
            attributes[slot] = column if column.values == values else column.fold(str, values)
    return [
        side if side.attributes == coded else replace(side, attributes=coded)
        for side, coded in zip(sides, shared, strict=True)
    ]


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
