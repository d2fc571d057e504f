"""Views of labelled spans: the same mentions with fewer labels, cut into tokens, or merged.

A challenge declares a :class:`View` by its steps. Each step turns columns into columns, so that all
views are paired and counted alike. Equal mentions of a view become one.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.kinds.mentions.corpus import Corpus, arrange_again
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.pairing import Pairs, find_same_spans
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot

Texts = Mapping[int, str]
"""Number of a document to its text."""
Step = Callable[[MentionColumns, Texts], MentionColumns]


@dataclass(frozen=True, slots=True)
class View:
    """A view of the mentions of a corpus.

    Args:
        slot: the slot of the labels.
        steps: the steps, in their order.
        reach: the largest difference in characters between the ends of two mentions that count as
            the same.
    """

    slot: Slot
    steps: tuple[Step, ...] = ()
    reach: int = 0

    def of(self, corpus: Corpus, texts: Sequence[Texts] = ()) -> Corpus:
        """Build the view of a corpus.

        Pass the texts of gold and predictions if they may differ.
        """
        if not self.steps:
            return corpus
        sides = [corpus.gold.columns, corpus.prediction.columns]
        for step in self.steps:
            both = zip(sides, texts or (corpus.texts, corpus.texts), strict=True)
            sides = [step(side, of_side) for side, of_side in both]
        return arrange_again(corpus, sides, [self.slot])

    def pair(self, corpus: Corpus, texts: Sequence[Texts] = ()) -> Viewed:
        """Build the view of a corpus, and pair its equal mentions."""
        derived = self.of(corpus, texts)
        if self.reach:
            return Viewed(derived, pair_near_ends(derived, self.slot, self.reach))
        same = find_same_spans(derived)
        return Viewed(derived, same.take(same_value(same, derived, self.slot)))


class Viewed(NamedTuple):
    """A view of a corpus, and the pairs of its mentions."""

    corpus: Corpus
    pairs: Pairs


def keep(slot: Slot, wanted: Callable[[str], bool]) -> Step:
    """Keep the mentions whose labels are wanted."""

    def step(columns: MentionColumns, _texts: Texts) -> MentionColumns:
        column = columns.attributes[slot.name]
        some = np.array([wanted(value) for value in column.values], np.bool_)
        return columns.take(np.flatnonzero(some[column.ids]))

    return step


def relabel(slot: Slot, name: Callable[[str], str]) -> Step:
    """Give mentions new labels, which depend on the old ones."""

    def step(columns: MentionColumns, _texts: Texts) -> MentionColumns:
        column = columns.attributes[slot.name]
        named = Coded.of([name(value) for value in column.values])
        changed = Coded(named.ids[column.ids], named.values)
        return replace(columns, attributes={**columns.attributes, slot.name: changed})

    return step


def untyped(slot: Slot) -> Step:
    """Remove the labels of mentions."""
    return relabel(slot, lambda _: "")


def split_fragments(columns: MentionColumns, _texts: Texts) -> MentionColumns:
    """Turn every fragment into a mention."""
    return _contiguous(columns, columns.owners, columns.starts, columns.ends)


def cut(slot: Slot, pattern: re.Pattern[str], *, empty: bool = False) -> Step:
    """Cut mentions into tokens, each with the label of its mention.

    Tokens are found inside each fragment. If ``empty``, a fragment without tokens gets an empty one
    at its end. ``pattern`` matches runs of characters, and every part of a run.
    """

    def step(columns: MentionColumns, texts: Texts) -> MentionColumns:
        owners = columns.owners
        keys = (columns.document[owners], columns.attributes[slot.name].ids[owners])
        order = np.lexsort((columns.starts, *keys[::-1]))
        each = (part[order].tolist() for part in (*keys, owners, columns.starts, columns.ends))
        rows: list[tuple[int, int, int]] = []
        for (document, _), group in groupby(zip(*each, strict=True), itemgetter(0, 1)):
            spans = [span for _, _, *span in group]
            text = texts.get(document, "")
            few = sum(max(end - start, 0) for _, start, end in spans) <= len(text)
            find = _cut_each if few else _cut_overlapping
            for owner, end, tokens in find(spans, text, pattern):
                rows += [(owner, *token) for token in tokens or ([(end, end)] if empty else ())]
        return _contiguous(columns, *np.array(rows, np.int64).reshape(-1, 3).T)

    return step


_Tokens = Iterator[tuple[int, int, Sequence[tuple[int, int]]]]
"""The mention, the end and the tokens of each fragment."""


def _cut_each(spans: Sequence[Sequence[int]], text: str, pattern: re.Pattern[str]) -> _Tokens:
    for owner, start, end in spans:
        yield owner, end, [token.span() for token in pattern.finditer(text, start, end)]


def _cut_overlapping(
    spans: Sequence[Sequence[int]], text: str, pattern: re.Pattern[str]
) -> _Tokens:
    """Cut spans that are sorted by starts, like :func:`_cut_each`; yield shared tokens once.

    Otherwise long fragments that overlap would have more tokens than fit into memory.
    """
    runs = [token.span() for token in pattern.finditer(text)]
    starts, ends = zip(*runs, strict=True) if runs else ((), ())
    yielded = 0
    for owner, start, end in spans:
        first, last = bisect_right(ends, start), bisect_left(starts, end)
        if first >= last or start >= end:
            yield owner, end, ()
            continue
        edges = [(max(run[0], start), min(run[1], end)) for run in (runs[first], runs[last - 1])]
        yield owner, end, [*edges, *runs[max(first + 1, yielded) : last - 1]]
        yielded = max(yielded, last - 1)


def merge(between: re.Pattern[str], *, within: bool = True) -> Step:
    """Merge neighbours unless a separator stands between them.

    Mentions come from :func:`split_fragments`, in the order of starts and ends. The next mention
    joins if it starts no later than the last one ends, or if no character of the text between them
    matches ``between``. Without a text, only the first condition applies. Unless ``within``, a
    mention that ends inside another one also ends that one.
    """

    def step(columns: MentionColumns, texts: Texts) -> MentionColumns:
        order = np.lexsort((columns.ends, columns.starts, columns.document))
        spans = (
            column[order].tolist() for column in (columns.document, columns.starts, columns.ends)
        )
        merged: list[list[int]] = []
        for number, (document, start, end) in enumerate(zip(*spans, strict=True)):
            last = merged[-1] if merged else [-1, 0, 0, 0]
            if last[0] == document and _touch(texts.get(document), between, last[2], start):
                last[2] = max(last[2], end) if within else end
            else:
                merged.append([document, start, end, number])
        rows = np.array([order[number] for *_, number in merged], np.int64)
        starts, ends = (np.array([span[k] for span in merged], np.int64) for k in (1, 2))
        return _contiguous(columns, rows, starts, ends)

    return step


def _touch(text: str | None, between: re.Pattern[str], end: int, start: int) -> bool:
    if start <= end:
        return True
    return text is not None and between.search(text, end, start) is None


def _contiguous(
    columns: MentionColumns, rows: IntArray, starts: IntArray, ends: IntArray
) -> MentionColumns:
    """Build mentions with one fragment, each with the document and values of an old mention."""
    return MentionColumns(
        columns.document[rows],
        np.arange(len(rows) + 1),
        starts,
        ends,
        {name: Coded(c.ids[rows], c.values) for name, c in columns.attributes.items()},
    )


def pair_near_ends(corpus: Corpus, slot: Slot, reach: int) -> Pairs:
    """Pair as many mentions as possible whose last offsets differ by at most the reach.

    Both have the same label, and the same offsets except the last one. The function walks through
    the mentions of both sides together, in the order of their ends.
    """
    sides = [_by_beginning(side.columns, slot) for side in (corpus.gold, corpus.prediction)]
    row_pairs = [
        pair
        for beginning in sides[0].keys() & sides[1].keys()
        for pair in _pair_ends(sides[0][beginning], sides[1][beginning], reach)
    ]
    rows = np.array(sorted(row_pairs), np.int64).reshape(-1, 2)
    return Pairs(rows[:, 0], rows[:, 1])


Ends = list[tuple[int, int]]
"""The last offset and the row of each mention."""


def _by_beginning(columns: MentionColumns, slot: Slot) -> dict[tuple[object, ...], Ends]:
    ends_by_beginning: dict[tuple[object, ...], Ends] = {}
    starts, ends = columns.starts.tolist(), columns.ends.tolist()
    bounds = columns.bounds.tolist()
    labels = columns.attributes[slot.name].ids.tolist()
    for row, document in enumerate(columns.document.tolist()):
        low, high = bounds[row], bounds[row + 1]
        beginning = (document, labels[row], *starts[low:high], *ends[low : high - 1])
        ends_by_beginning.setdefault(beginning, []).append((ends[high - 1], row))
    return ends_by_beginning


def _pair_ends(gold: Ends, prediction: Ends, reach: int) -> Iterator[tuple[int, int]]:
    golds, others = sorted(gold, reverse=True), sorted(prediction, reverse=True)
    while golds and others:
        (left, row), (right, other) = golds[-1], others[-1]
        if abs(left - right) <= reach:
            yield row, other
        if left <= right + reach:
            golds.pop()
        if right <= left + reach:
            others.pop()
