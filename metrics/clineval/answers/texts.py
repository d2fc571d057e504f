"""Answers compared with the texts of the gold mentions, where offsets play no part.

Gold mentions and items are paired by their words, in each document as a multiset: first those that
have the class and all slots in common, then those of the same class, then any of the same words.
Both sides then get offsets in a text made for it, in which a line holds each gold mention and each
item that is left: partners have the same offsets, and nothing else overlaps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, agree, listed
from clineval.kinds.mentions.columns import MentionColumns, Side
from clineval.kinds.mentions.slots import Slot

_NOBODY = -1


@dataclass(frozen=True, slots=True)
class Worded:
    """A side, and the words of each of its mentions."""

    side: Side
    words: Sequence[str]


def words_of_spans(side: Side) -> Worded:
    """Return the gold standard with the words at its offsets, fragments joined by blanks.

    Raises:
        InputError: a document with mentions and without a text, or one that is too short.
    """
    columns = side.mentions
    documents = sorted(set(columns.document.tolist()))
    texts = side.texts or (None,) * len(side.documents)
    missing = [side.documents[at] or str(at) for at in documents if texts[at] is None]
    if missing:
        some = agree("{n} {document|documents}", len(missing))
        raise InputError(
            f"no texts of {some} whose gold mentions have offsets: {listed(missing)}",
            remedy="Give texts=, the notes",
        )
    check_reach(side)
    bounds, starts, ends = columns.bounds.tolist(), columns.starts.tolist(), columns.ends.tolist()
    words = []
    for row, document in enumerate(columns.document.tolist()):
        text = texts[document] or ""
        parts = (text[starts[k] : ends[k]] for k in range(bounds[row], bounds[row + 1]))
        words.append(" ".join(" ".join(parts).split()))
    return Worded(side, words)


def check_reach(side: Side) -> None:
    """Refuse a gold standard with mentions beyond the end of its text."""
    columns = side.mentions
    lengths = np.array([-1 if text is None else len(text) for text in side.texts], np.int64)
    if not len(lengths):
        return
    document = columns.document[columns.owners]
    beyond = (lengths[document] >= 0) & (columns.ends > lengths[document])
    names = [side.documents[at] or str(at) for at in np.unique(document[beyond]).tolist()]
    if names:
        problem = (
            "{n} {document has|documents have} gold mentions behind the end of {its|their} text"
        )
        raise InputError(
            f"{agree(problem, len(names))}: {listed(names)}",
            remedy="Give the texts that the gold standard was made on, with their line ends",
        )


def pair_by_words(
    gold: Worded, found: Worded, slots: Sequence[Slot], class_slot: str
) -> tuple[Side, Side]:
    """Return both sides with offsets in texts made of their words.

    Documents are paired by key, or by position; ``class_slot`` says what a mention is.
    """
    mine, theirs = _number_documents(gold.side, found.side)
    of_gold = _Items(gold, mine, slots, class_slot)
    of_found = _Items(found, theirs, slots, class_slot)
    partner = np.full(len(found.words), _NOBODY)
    free = np.ones(len(gold.words), np.bool_)
    for level in range(3):
        waiting = defaultdict(list)
        for row in reversed(of_gold.order):
            if free[row]:
                waiting[of_gold.keys[row][: 4 - level]].append(row)
        for row in of_found.order:
            rows = waiting[of_found.keys[row][: 4 - level]] if partner[row] == _NOBODY else ()
            if rows:
                partner[row] = rows.pop()
                free[partner[row]] = False
    return _lay_out(of_gold, of_found, partner)


class _Items:
    """Mentions by document, words, class and slots; documents are numbered in both sides."""

    def __init__(
        self, worded: Worded, documents: IntArray, slots: Sequence[Slot], class_slot: str
    ) -> None:
        columns = worded.side.mentions
        values = [_folded(columns, slot) for slot in slots]
        classes = [v for v, slot in zip(values, slots, strict=True) if slot.name == class_slot]
        self.side, self.words = worded.side, worded.words
        self.document = documents[columns.document].tolist() if len(columns) else []
        rows = range(len(worded.words))
        self.keys: list[tuple[Hashable, ...]] = [
            (
                self.document[row],
                worded.words[row],
                tuple(of[row] for of in classes),
                tuple(of[row] for of in values),
            )
            for row in rows
        ]
        self.order = sorted(rows, key=lambda row: self.keys[row])


def _folded(columns: MentionColumns, slot: Slot) -> list[str]:
    column = columns.attributes[slot.name]
    folded = [slot.fold(value) for value in column.values]
    return [folded[at] for at in column.ids.tolist()]


def _number_documents(gold: Side, found: Side) -> tuple[IntArray, IntArray]:
    """Give each document of both sides a number, the same document the same one."""
    if gold.keys is None or found.keys is None:
        return np.arange(len(gold.documents)), np.arange(len(found.documents))
    numbers = {key: at for at, key in enumerate(gold.keys)}
    theirs = [numbers.setdefault(key, len(numbers)) for key in found.keys]
    return np.arange(len(gold.keys)), np.array(theirs, np.int64)


def _lay_out(gold: _Items, found: _Items, partner: IntArray) -> tuple[Side, Side]:
    """Lay out offsets line by line: gold mentions in order, then the items without a partner."""
    alone = [row for row in found.order if partner[row] == _NOBODY]
    lines: dict[int, list[str]] = defaultdict(list)
    spans: dict[tuple[Any, int], tuple[int, int]] = {}
    for items, rows in ((gold, gold.order), (found, alone)):
        for row in rows:
            lines[items.document[row]].append(items.words[row])
    starts = {d: [0, *accumulate(len(line) + 1 for line in of)] for d, of in lines.items()}
    taken: dict[int, int] = defaultdict(int)
    for items, rows in ((gold, gold.order), (found, alone)):
        for row in rows:
            document = items.document[row]
            start = starts[document][taken[document]]
            spans[id(items), row] = (start, start + len(items.words[row]))
            taken[document] += 1
    texts = {document: "\n".join(of) for document, of in lines.items()}
    of_gold = [spans[id(gold), row] for row in range(len(gold.words))]
    of_found = [
        spans[id(found), row] if at == _NOBODY else of_gold[at]
        for row, at in enumerate(partner.tolist())
    ]
    mine, theirs = _number_documents(gold.side, found.side)
    return (
        _with_spans(gold.side, of_gold, [texts.get(at, "") for at in mine.tolist()]),
        _with_spans(found.side, of_found, [texts.get(at, "") for at in theirs.tolist()]),
    )


def _with_spans(side: Side, spans: Sequence[tuple[int, int]], texts: Sequence[str]) -> Side:
    table = np.array(spans, np.int32).reshape(-1, 2)
    columns = replace(
        side.mentions,
        bounds=np.arange(len(table) + 1),
        starts=table[:, 0].copy(),
        ends=table[:, 1].copy(),
    )
    return replace(side, mentions=columns, texts=tuple(texts))
