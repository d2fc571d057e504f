"""Answers placed in their notes, as one side of a corpus; every item of an answer counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

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
from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import listed, shown, warn
from clineval.formats.dicts import UNSCORED, read_records, spell
from clineval.kinds.mentions.columns import Intake, Lost, Side
from clineval.kinds.mentions.mention import Document, Mention
from clineval.results.columns import MentionColumns
from clineval.results.slots import INVENTED, Slot, name_slots

_NO_QUOTE = "?"
_InvalidSlots = Sequence[Sequence[tuple[str, ...]]]
"""The slots with invalid values, for each document and item."""


@dataclass(frozen=True)
class PlacedAnswers:
    """The answers of a model with the places of their quotes.

    Every function that takes predictions of mentions accepts it. A quote without a place becomes a
    mention after the end of the note, and so a false positive, because no gold mention is there.
    An invalid value, or a missing value of a required slot, becomes a value that no gold mention
    has.

    Args:
        answers: one for each document.
        texts: their notes.
        alignment: the policies for placing quotes.
        below: the notes, extended by the unplaced quotes of other systems; those of this system
            follow after them. Empty if there is no other system.

    Examples:
        >>> from clineval.answers import Alignment, read_answers
        >>> answers = read_answers(['[{"text": "edema", "cui": "C0013604"}, {"text": "pain"}]'])
        >>> placed = PlacedAnswers(answers, ["No edema."], Alignment())
        >>> [placement.verdict for placement in placed.placements[0]]
        ['aligned', 'unaligned']
    """

    answers: Sequence[Answer]
    texts: Sequence[str]
    alignment: Alignment
    below: Sequence[str] = ()

    @cached_property
    def placements(self) -> list[list[Placement]]:
        """The placements of the quotes of each document."""
        if self.alignment.by_words:  # quotes are not searched in notes
            verdicts = {True: Placement(UNALIGNED), False: Placement(WITHOUT_TEXT)}
            return [[verdicts[bool(i.quote)] for i in answer.items] for answer in self.answers]
        return [
            align_quotes([item.quote for item in answer.items], text, self.alignment)
            for answer, text in zip(self.answers, self.texts, strict=True)
        ]

    @cached_property
    def notes(self) -> list[str]:
        """The notes, followed by the quotes without a place, one per line."""
        return [
            "\n".join([text, *(words_of(item) for item, places in placed if not places)])
            for text, placed in self._placed_items()
        ]

    def as_given(self) -> object:
        """Return the answers in a form that a challenge reads as predictions."""
        return self

    def as_side(self, slots: Sequence[Slot], unread: AbstractSet[str]) -> Side:
        """Return the answers as predictions, with a list of items that cannot be correct.

        Args:
            slots: the slots of the challenge.
            unread: names of other fields, which are ignored without a warning.
        """
        slots = name_slots(slots)
        self._warn_of_unread()
        self._warn_of_others({*(slot.name for slot in slots), *unread, *UNSCORED})
        records, marks, invalid = [], [], []
        for spans, answer in zip(self._spans(), self.answers, strict=True):
            values = [_read_values(item.values, slots) for item in answer.items]
            placed = list(zip(spans, values, strict=True))
            records.append([{"spans": s, **good} for of, (good, _) in placed for s in of])
            marks += [bad for of, (_, bad) in placed for _ in of]
            invalid.append([bad for _, bad in values])
        _warn_of_missing(slots, invalid)
        side = read_records(records, slots, names=_names_of(self.answers), side="answers")
        settings = {"answers": str(self.alignment)}
        intake = Intake(settings, self._count(invalid), tuple(self._list_lost(invalid)))
        marked = mark(side.mentions, marks)
        return replace(side, mentions=marked, texts=tuple(self.notes), intake=intake)

    def _list_lost(self, invalid: _InvalidSlots) -> Iterator[Lost]:
        """Yield the positions of answer items that cannot be correct, but no text of the note."""
        documents = zip(called_documents(self.answers), self.answers, self.placements, strict=True)
        for (name, answer, placed), slots in zip(documents, invalid, strict=True):
            if answer.state == UNREADABLE:
                yield Lost(name, None, UNREADABLE)
            for position, (placement, bad) in enumerate(zip(placed, slots, strict=True)):
                looked_for = not self.alignment.by_words or placement.verdict == WITHOUT_TEXT
                if looked_for and not placement.places:
                    yield Lost(name, position, placement.verdict)
                yield from (Lost(name, position, f"invalid {slot}") for slot in bad)

    def _placed_items(self) -> Iterator[tuple[str, list[tuple[Item, tuple[Spans, ...]]]]]:
        """Yield the note of each document with its items and their places."""
        texts = self.below or self.texts
        for answer, text, placed in zip(self.answers, texts, self.placements, strict=True):
            yield text, [(i, p.places) for i, p in zip(answer.items, placed, strict=True)]

    def _spans(self) -> Iterator[Sequence[Sequence[Spans]]]:
        """Yield the mentions of each item, for each document."""
        for text, placed in self._placed_items():
            behind = len(text) + 1
            spans: list[Sequence[Spans]] = []
            for item, places in placed:
                if places:
                    spans.append(places)
                    continue
                end = behind + len(words_of(item))
                spans.append((((behind, end),),))
                behind = end + 1
            yield spans

    def _count(self, invalid: _InvalidSlots) -> dict[str, IntArray]:
        """Count, for each document, the numbers that the score reports about answers."""
        verdicts = [Counter(p.verdict for p in placed) for placed in self.placements]
        counts = {
            "n_answers": [len(answer.items) for answer in self.answers],
            "n_unaligned": [of[UNALIGNED] for of in verdicts],
            "n_ambiguous": [of[AMBIGUOUS] for of in verdicts],
            "n_without_text": [of[WITHOUT_TEXT] for of in verdicts],
            "n_invalid": [sum(map(len, of)) for of in invalid],
            "n_repaired": [answer.state == REPAIRED for answer in self.answers],
            "n_unreadable": [answer.state == UNREADABLE for answer in self.answers],
        }
        if self.alignment.by_words:
            del counts["n_unaligned"], counts["n_ambiguous"]
        return {name: np.array(numbers, np.int64) for name, numbers in counts.items()}

    def _warn_of_unread(self) -> None:
        """Warn about unreadable answers, and about items without a quote."""
        named = zip(called_documents(self.answers), self.answers, strict=True)
        warn(
            "{n} {answer|answers} cannot be read, so {its|their} {document is|documents are} "
            "scored as empty: {names}",
            [name for name, answer in named if answer.state == UNREADABLE],
        )
        warn(
            "{n} {item|items} in the answers {has|have} no 'text' with the words of the note and "
            "{counts as a false positive|count as false positives}",
            n=sum(not item.quote for answer in self.answers for item in answer.items),
        )

    def _warn_of_others(self, slot_names: AbstractSet[str]) -> None:
        names = (name for answer in self.answers for item in answer.items for name in item.values)
        unread = Counter(shown(name) for name in names if name not in slot_names)
        warn(
            "{n} {value|values} in the answers {is|are} ignored, because the metric has no such "
            "slots: {slots}",
            n=sum(unread.values()),
            slots=listed(list(unread)),
        )


@dataclass(frozen=True, slots=True)
class WordedGold:
    """A gold standard with texts instead of offsets, in the form of answers.

    Its mentions get offsets in an artificial text, which has a line with the words of each mention.
    """

    answers: Sequence[Answer]

    def as_side(self, slots: Sequence[Slot], unread: AbstractSet[str]) -> Side:
        """Return the documents, validated as strictly as any gold standard."""
        names = _names_of(self.answers)
        records, texts = [], []
        for answer in self.answers:
            words = [words_of(item) for item in answer.items]
            ends = [end - 1 for end in accumulate(len(line) + 1 for line in words)]
            spans = [[[end - len(line), end]] for end, line in zip(ends, words, strict=True)]
            placed = zip(answer.items, spans, strict=True)
            records.append([{**item.values, "spans": place} for item, place in placed])
            texts.append("\n".join(words))
        side = read_records(records, slots, names=names, side="references", unread=unread)
        return replace(side, texts=tuple(texts))


def words_of(item: Item) -> str:
    """Return the words of an item on one line."""
    return " ".join(" ".join(item.quote).split()) or _NO_QUOTE


def called_documents(answers: Sequence[Answer]) -> list[str]:
    """Return the names of the answers' documents; numbers for documents without a name."""
    return [answer.document or str(number) for number, answer in enumerate(answers)]


def _names_of(answers: Sequence[Answer]) -> list[str]:
    return [answer.document for answer in answers if answer.document is not None]


def _read_values(
    item_values: Mapping[str, object], slots: Sequence[Slot]
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return the valid values of slots, and the slots with invalid values."""
    values: dict[str, object] = {}
    invalid = []
    for slot in slots:
        name = slot.name
        value = slot.word(item_values[name]) if name in item_values else None
        absent = value is None and not (name in item_values and slot.kind == "code")
        if absent and slot.default is not None:
            continue
        values[name] = value
        if absent or not _is_possible(value, slot):
            invalid.append(name)
            values[name] = _stand_in(slot)
    return values, tuple(invalid)


def _warn_of_missing(slots: Sequence[Slot], invalid: _InvalidSlots) -> None:
    """Warn about items with a missing or invalid label, or another required slot except codes."""
    numbers = Counter(name for document in invalid for bad in document for name in bad)
    for slot in slots:
        if slot.default is None and slot.kind != "code":
            warn(
                f"{{n}} {{item|items}} in the answers {{has|have}} no valid {slot.name!r} and "
                "{counts|count} as wrong",
                n=numbers[slot.name],
            )


def _is_possible(value: object, slot: Slot) -> bool:
    """Return whether a value is valid for a slot."""
    spelled = spell(value, slot)
    return spelled is not None and not slot.judge(spelled)


def _stand_in(slot: Slot) -> str | None:
    """Return any value of a slot, as a placeholder that is marked as invalid later."""
    if slot.kind == "code":
        return None
    return slot.values[0] if slot.values else "x"


def mark(columns: MentionColumns, marks: Sequence[tuple[str, ...]]) -> MentionColumns:
    """Return the mentions with invalid slots replaced by a value that no gold mention has."""
    attributes = dict(columns.attributes)
    for name in {name for of in marks for name in of}:
        column = attributes[name]
        ids = column.ids.astype(np.int64)
        ids[[row for row, of in enumerate(marks) if name in of]] = len(column.values)
        attributes[name] = Coded(ids, (*column.values, INVENTED))
    return replace(columns, attributes=attributes)


def as_documents(placed: PlacedAnswers, slots: Sequence[Slot]) -> list[Document]:
    """Return the mentions that have a place; warn about the number of others.

    Values of slots outside ``slots`` are kept if they are words.

    Examples:
        >>> from clineval.answers import Alignment, place_answers, read_answers
        >>> answers = read_answers({"a": [{"text": "fever", "label": "problem"}]})
        >>> placed = place_answers(answers, None, {"a": "No fever."}, Alignment())
        >>> as_documents(placed, [])[0].mentions[0].as_dict()
        {'spans': [[3, 8]], 'label': 'problem'}
    """
    by_name = {slot.name: slot for slot in slots}
    documents, dropped = [], 0
    for answer, text, of in zip(placed.answers, placed.texts, placed.placements, strict=True):
        mentions = []
        for item, placement in zip(answer.items, of, strict=True):
            values = {n: v for n, v in item.values.items() if _is_kept(n, v, by_name)}
            dropped += len(item.values) - len(values)
            mentions += [Mention.from_dict({**values, "spans": s}) for s in placement.places]
        documents.append(Document(answer.document, mentions, text))
    numbers = {
        "quotes without a place": sum(not p.places for of in placed.placements for p in of),
        "unreadable answers": sum(answer.state == UNREADABLE for answer in placed.answers),
        "invalid values of slots": dropped,
    }
    left_out = [f"{number} {what}" for what, number in numbers.items() if number]
    if left_out:
        warn(f"left out: {', '.join(left_out)}")
    return documents


def _is_kept(name: str, value: object, slots: Mapping[str, Slot]) -> bool:
    if name in UNSCORED or name == "spans":
        return False
    if name in slots:
        return spell(value, slots[name]) is not None
    words = value if isinstance(value, (list, tuple)) else [value]
    return name.isidentifier() and all(isinstance(word, str) for word in words)
