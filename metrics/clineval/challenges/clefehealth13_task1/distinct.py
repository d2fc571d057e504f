"""Distinct spans: mentions with the same fragments are one span, whatever their codes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import IntArray, expand_ranges
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.pairing import Pairs


@dataclass(frozen=True, slots=True, eq=False)
class DistinctSpans:
    """The distinct spans of a corpus, and the mentions behind them.

    Args:
        whole: all mentions of both sides.
        corpus: the first mention of each span, which represents it.
        gold: ``[s]``, the row of that mention among all gold mentions.
        prediction: ``[s]``, the row of that mention among all predicted ones.
        classes: the slot that holds the code of a mention.
    """

    whole: Corpus
    corpus: Corpus
    gold: IntArray
    prediction: IntArray
    classes: str

    @classmethod
    def of(cls, corpus: Corpus, classes: str) -> DistinctSpans:
        """Find the distinct spans of both sides; mentions must be in canonical order."""
        gold, prediction = _find_first(corpus.gold), _find_first(corpus.prediction)
        if len(gold) == len(corpus.gold) and len(prediction) == len(corpus.prediction):
            return cls(corpus, corpus, gold, prediction, classes)
        sides = corpus.gold.take(gold), corpus.prediction.take(prediction)
        some = Corpus(corpus.documents, *sides, corpus.texts)
        return cls(corpus, some, gold, prediction, classes)

    @property
    def repeated(self) -> bool:
        """Whether any span has several mentions."""
        return self.corpus is not self.whole

    def mentions_of(self, pairs: Pairs) -> Pairs:
        """Pair the mentions behind pairs of spans, one to one.

        Within a pair of spans, mentions with equal codes are paired first, then the others in
        order.

        ``pairs`` are rows of ``corpus``; the result has rows of ``whole``, in the order of gold.
        """
        if not self.repeated:
            return pairs
        golds = self._members(self.whole.gold, self.gold, pairs.gold)
        others = self._members(self.whole.prediction, self.prediction, pairs.prediction)
        left, right = _find_common(golds, golds.codes, others, others.codes)
        same = Pairs(golds.rows[left], others.rows[right])
        golds, others = golds.without(left), others.without(right)
        left, right = _find_common(golds, golds.places, others, others.places)
        found = Pairs.joined([same, Pairs(golds.rows[left], others.rows[right])])
        return found.take(np.argsort(found.gold, kind="stable"))

    def predictions_at(self, pairs: Pairs) -> Pairs:
        """Pair as :meth:`mentions_of` does; surplus predictions get their span's first mention.

        Predictions are surplus if their span has fewer gold mentions than predicted ones.
        """
        found = self.mentions_of(pairs)
        if not self.repeated:
            return found
        others = self._members(self.whole.prediction, self.prediction, pairs.prediction)
        surplus = ~np.isin(others.rows, found.prediction)
        firsts = self.gold[pairs.gold][others.number[surplus]]
        found = Pairs.joined([found, Pairs(firsts, others.rows[surplus])])
        return found.take(np.argsort(found.gold, kind="stable"))

    def representatives_of(self, pairs: Pairs) -> Pairs:
        """Return one pair of mentions for each pair of spans, in order: equal codes if possible."""
        if not self.repeated:
            return pairs
        found = self.mentions_of(pairs)
        codes = self.whole.gold.ids(self.classes), self.whole.prediction.ids(self.classes)
        different = codes[0][found.gold] != codes[1][found.prediction]
        span = np.searchsorted(self.gold, found.gold, side="right") - 1
        order = np.lexsort((different, span))
        first = order[np.flatnonzero(np.diff(span[order], prepend=-1))]
        at = np.searchsorted(span[first], pairs.gold)
        return found.take(first[at])

    def _members(self, mentions: Mentions, firsts: IntArray, spans: IntArray) -> _Members:
        bounds = np.append(firsts, len(mentions))
        low, high = bounds[spans], bounds[spans + 1]
        rows = expand_ranges(low, high)
        number = np.repeat(np.arange(len(spans)), high - low)
        return _Members(rows, number, mentions.ids(self.classes)[rows])


@dataclass(frozen=True, slots=True, eq=False)
class _Members:
    """The ``m`` mentions of some spans of one side, in the order of the spans."""

    rows: IntArray
    number: IntArray
    codes: IntArray

    @property
    def places(self) -> IntArray:
        """``[m]``, the position of each mention among the mentions of its span."""
        first = np.searchsorted(self.number, self.number, side="left")
        return np.arange(len(self.number)) - first

    def without(self, taken: IntArray) -> _Members:
        kept = np.delete(np.arange(len(self.rows)), taken)
        return _Members(self.rows[kept], self.number[kept], self.codes[kept])


def _find_first(mentions: Mentions) -> IntArray:
    new = np.diff(mentions.place, prepend=-1) != 0
    new |= np.diff(mentions.shape, prepend=-1) != 0
    return np.flatnonzero(new)


def _find_common(
    golds: _Members, gold_values: IntArray, others: _Members, values: IntArray
) -> tuple[IntArray, IntArray]:
    """Find members of the same pair of spans with the same value; values are distinct."""
    size = 1 + max(int(column.max(initial=0)) for column in (gold_values, values))
    keys = golds.number * size + gold_values, others.number * size + values
    _, left, right = np.intersect1d(*keys, assume_unique=True, return_indices=True)
    return left, right
