"""Answers in their notes, as one side of a corpus: nothing that was answered is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from clineval.answers.alignment import (
    AMBIGUOUS,
    UNALIGNED,
    WITHOUT_TEXT,
    Alignment,
    Placement,
    Spans,
    align_quotes,
)
from clineval.answers.reading import Answer, Item
from clineval.answers.repair import REPAIRED, UNREADABLE
from clineval.base.arrays import Coded
from clineval.base.errors import listed, shown, warn
from clineval.formats.dicts import UNSCORED, read_records, spell
from clineval.kinds.mentions.columns import Intake, MentionColumns, Side
from clineval.kinds.mentions.slots import Slot, name_slots

INVENTED = "no\u00a0such\u00a0value"
"""Stands for a value that a slot cannot have; with these blanks it is not a value of any slot."""
_NO_QUOTE = "?"


@dataclass(frozen=True, slots=True)
class Lost:
    """Something of an answer that cannot be right.

    Args:
        document: the document's name, or its number where documents have none.
        position: the number of the item in the answer, from 0; None if it is about all of it.
        reason: ``unaligned``, ``ambiguous``, ``without text``, ``unreadable``, or ``invalid`` and
            the slot.
    """

    document: str
    position: int | None
    reason: str


@dataclass
class PlacedAnswers:
    """The answers of a model with the places of their quotes.

    It can be given wherever predictions of mentions can be. A quote without a place becomes a
    mention behind the end of the note, where no gold mention is, and so a false positive. A value
    that a slot cannot have, or that is missing where there must be one, becomes one that no gold
    mention has.

    Args:
        answers: one for each document.
        texts: their notes.
        alignment: the policies by which quotes are placed.
        below: the notes with the quotes of other systems that have no place, behind which those
            of this one follow; empty if there is no other system.
        values: for each document and item its values and the slots with none; there once a
            challenge has asked for its slots.
    """

    answers: Sequence[Answer]
    texts: Sequence[str]
    alignment: Alignment
    below: Sequence[str] = ()
    values: Sequence[Sequence[tuple[dict[str, Any], tuple[str, ...]]]] = ()

    @cached_property
    def placements(self) -> list[list[Placement]]:
        """What became of the quotes of each document."""
        if self.alignment.match == "text":  # they are not looked for
            verdicts = {True: Placement(UNALIGNED), False: Placement(WITHOUT_TEXT)}
            return [[verdicts[bool(i.quote)] for i in answer.items] for answer in self.answers]
        return [
            align_quotes([item.quote for item in answer.items], text, self.alignment)
            for answer, text in zip(self.answers, self.texts, strict=True)
        ]

    @cached_property
    def notes(self) -> list[str]:
        """The notes; quotes without a place follow, one on each line."""
        notes = []
        texts = self.below or self.texts
        for answer, text, placed in zip(self.answers, texts, self.placements, strict=True):
            added = [words_of(i) for i, p in zip(answer.items, placed, strict=True) if not p.places]
            notes.append("\n".join([text, *added]))
        return notes

    def as_side(self, slots: Sequence[Slot], unread: AbstractSet[str]) -> Side:
        """Return the answers as predictions.

        Slots of ``unread`` are known and not looked at; others are if they were asked for by name.
        """
        slots = name_slots(slots)
        required = {slot.name for slot in slots if slot.default is None}
        self.values = values = [
            [_read_values(i.values, slots, required) for i in answer.items]
            for answer in self.answers
        ]
        self._warn_of_unread()
        self._warn_of_others({*(slot.name for slot in slots), *unread, *UNSCORED})
        records, marks = [], []
        for spans, found in zip(self._spans(), values, strict=True):
            records.append(
                [
                    {"spans": s, **good}
                    for of, (good, _) in zip(spans, found, strict=True)
                    for s in of
                ]
            )
            marks += [bad for of, (_, bad) in zip(spans, found, strict=True) for _ in of]
        names = [answer.document for answer in self.answers if answer.document is not None]
        side = read_records(records, slots, names=names, side="answers")
        intake = Intake({"answers": str(self.alignment)}, self._count(values))
        marked = _mark(side.mentions, marks)
        return replace(side, mentions=marked, texts=tuple(self.notes), intake=intake)

    @property
    def lost(self) -> list[Lost]:
        """The answer items that cannot be correct, and where they are, without any text."""
        found, in_words = [], self.alignment.match == "text"
        values = self.values or [[({}, ())] * len(answer.items) for answer in self.answers]
        for number, (answer, placed, of) in enumerate(
            zip(self.answers, self.placements, values, strict=True)
        ):
            name = str(number) if answer.document is None else answer.document
            if answer.state == UNREADABLE:
                found.append(Lost(name, None, UNREADABLE))
            for position, (placement, (_, bad)) in enumerate(zip(placed, of, strict=True)):
                if not placement.places and (not in_words or placement.verdict == WITHOUT_TEXT):
                    found.append(Lost(name, position, placement.verdict))
                found += [Lost(name, position, f"invalid {slot}") for slot in bad]
        return found

    def _spans(self) -> Iterator[Sequence[Sequence[Spans]]]:
        """Return, for each document, the mentions that its items stand for, one or several each."""
        texts = self.below or self.texts
        for answer, text, placed in zip(self.answers, texts, self.placements, strict=True):
            behind = len(text) + 1
            spans: list[Sequence[Spans]] = []
            for item, placement in zip(answer.items, placed, strict=True):
                if placement.places:
                    spans.append(placement.places)
                    continue
                end = behind + len(words_of(item))
                spans.append((((behind, end),),))
                behind = end + 1
            yield spans

    def _count(self, values: Sequence[Sequence[Any]]) -> dict[str, Any]:
        """Count what the score reports about the answers, for each document."""
        verdicts = [Counter(p.verdict for p in placed) for placed in self.placements]
        counts = {
            "n_answers": [len(answer.items) for answer in self.answers],
            "n_unaligned": [of[UNALIGNED] for of in verdicts],
            "n_ambiguous": [of[AMBIGUOUS] for of in verdicts],
            "n_without_text": [of[WITHOUT_TEXT] for of in verdicts],
            "n_invalid": [sum(len(bad) for _, bad in of) for of in values],
            "n_repaired": [answer.state == REPAIRED for answer in self.answers],
            "n_unreadable": [answer.state == UNREADABLE for answer in self.answers],
        }
        if self.alignment.match == "text":
            del counts["n_unaligned"], counts["n_ambiguous"]
        return {name: np.array(numbers, np.int64) for name, numbers in counts.items()}

    def _warn_of_unread(self) -> None:
        """Warn of answers that cannot be read, and of items without a quote."""
        named = [(a.document or str(at), a) for at, a in enumerate(self.answers)]
        warn(
            "{n} {answer|answers} cannot be read, so {its|their} {document is|documents are} "
            "scored as empty: {names}",
            [name for name, answer in named if answer.state == UNREADABLE],
        )
        without = sum(not item.quote for answer in self.answers for item in answer.items)
        warn(
            "{n} {item|items} in the answers {has|have} no 'text', the words in the note, and "
            "{is a false positive|are false positives}",
            n=without,
        )

    def _warn_of_others(self, known: AbstractSet[str]) -> None:
        others = Counter(
            shown(name)
            for a in self.answers
            for i in a.items
            for name in i.values
            if name not in known
        )
        warn(
            "{n} {value|values} in the answers {is|are} of no slot of the metric and {is|are} not "
            "looked at: {slots}",
            n=sum(others.values()),
            slots=listed(list(others)),
        )


@dataclass(frozen=True, slots=True)
class WordedGold:
    """A gold standard with texts in place of offsets, in the form of answers."""

    answers: Sequence[Answer]

    def as_side(self, slots: Sequence[Slot], unread: AbstractSet[str]) -> Side:
        """Return the documents, judged as strictly as any gold standard."""
        names = [answer.document for answer in self.answers if answer.document is not None]
        records = [[{**i.values, "spans": [[0, 1]]} for i in a.items] for a in self.answers]
        return read_records(records, slots, names=names, side="references", unread=unread)


def words_of(item: Item) -> str:
    """Return the words of an item on one line."""
    return " ".join(" ".join(item.quote).split()) or _NO_QUOTE


def _read_values(
    given: Mapping[str, Any], slots: Sequence[Slot], required: AbstractSet[str]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the values that slots can have, and the slots with invalid values."""
    values: dict[str, Any] = {}
    invalid = []
    for slot in slots:
        name = slot.name
        value = slot.word(given[name]) if name in given else None
        absent = value is None and not (name in given and slot.kind == "code")
        if absent and name not in required:
            continue
        values[name] = value
        if absent or spell(value, slot) is None:
            invalid.append(name)
            values[name] = _stand_in(slot)
    return values, tuple(invalid)


def _stand_in(slot: Slot) -> str | None:
    """Return any value of a slot, until it is marked as invented."""
    if slot.kind == "code":
        return None
    return slot.values[0] if slot.kind == "closed" else "x"


def _mark(columns: MentionColumns, marks: Sequence[tuple[str, ...]]) -> MentionColumns:
    """Return mentions whose invalid slots have a value that no gold mention has."""
    attributes = dict(columns.attributes)
    for name in {name for of in marks for name in of}:
        column = attributes[name]
        ids = column.ids.astype(np.int64)
        ids[[row for row, of in enumerate(marks) if name in of]] = len(column.values)
        attributes[name] = Coded(ids, (*column.values, INVENTED))
    return replace(columns, attributes=attributes)
