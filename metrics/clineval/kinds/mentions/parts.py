"""Parts of a corpus: items of several kinds that are scored together, but paired by kind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import IntArray
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.results.columns import MentionColumns
from clineval.results.match import Match, Values


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part of the items of a corpus.

    Args:
        corpus: these items.
        gold: ``[g]``, their rows among all gold items.
        prediction: ``[p]``, their rows among all predicted items.
    """

    corpus: Corpus
    gold: IntArray
    prediction: IntArray

    @classmethod
    def of(cls, corpus: Corpus, wanted: Wanted, fold: Callable[[str], str] = str) -> Part:
        """Take the items with some values; the arguments are those of :func:`find_rows`."""
        gold, prediction = (
            find_rows(side, wanted, fold) for side in (corpus.gold, corpus.prediction)
        )
        sides = corpus.gold.take(gold), corpus.prediction.take(prediction)
        return cls(
            Corpus(corpus.documents, *sides, corpus.texts),
            gold,
            prediction,
        )

    def among(self) -> tuple[IntArray, IntArray]:
        """Return the rows of the part's items among all items, for both sides."""
        return self.gold, self.prediction


def list_keys(
    side: MentionColumns, spans: dict[str, int], without: Collection[str] = ()
) -> list[IntArray]:
    """Return the sort keys that equal items share.

    Args:
        side: the items.
        spans: assigns numbers to discontiguous spans; the same for both sides.
        without: slots that may differ.
    """
    values = [column.ids for name, column in side.attributes.items() if name not in without]
    first = side.bounds[:-1]
    rest = np.zeros(len(side), np.int64)
    for row in np.flatnonzero(side.fragment_counts > 1).tolist():
        rest[row] = spans.setdefault(side.text_of_spans(row), len(spans) + 1)
    return [side.document, *values, side.starts[first], side.ends[first], rest]


Wanted = Mapping[str, Collection[str]]
"""Slot to the wanted values; empty for any item."""


def find_rows(side: Mentions, wanted: Wanted, fold: Callable[[str], str] = str) -> IntArray:
    """Find the rows of the items with some values."""
    is_wanted = np.ones(len(side), np.bool_)
    for slot, values in wanted.items():
        column = side.columns.attributes[slot]
        if values and len(side):
            known = np.array([fold(value) in values for value in column.values], np.bool_)
            is_wanted &= known[column.ids]
    return np.flatnonzero(is_wanted)


def stack_matches(matches: Sequence[Match]) -> Match:
    """Stack the outcomes of parts into one list, pairs first, which is not counted.

    No two parts share an item, and all have the same verdicts and compared slots.
    """
    alone = np.concatenate([np.arange(len(match)) >= match.pairs for match in matches])
    order = np.argsort(alone, kind="stable")
    gold, prediction, verdict = (
        np.concatenate([getattr(match, name) for match in matches])[order]
        for name in ("gold", "prediction", "verdict")
    )
    equal = {
        slot: np.concatenate([match.equal[slot] for match in matches]) for slot in matches[0].equal
    }
    names = dict.fromkeys(name for match in matches for name in match.reasons)
    none = [np.zeros(len(match), np.bool_) for match in matches]
    reasons = {
        name: np.concatenate([m.reasons.get(name, no) for m, no in zip(matches, none, strict=True)])
        for name in names
    }
    reasons = {name: which[order] for name, which in reasons.items()}
    return Match(gold, prediction, verdict, matches[0].verdicts, {}, equal, reasons=reasons)


def join_blocks(matches: Sequence[Match]) -> Match:
    """Join the outcomes of a corpus's blocks under one match, with their counts."""

    def sums() -> Iterable[tuple[str, Values]]:
        parts = [match.sums() for match in matches]
        for columns in zip(*parts, strict=True):
            name, _ = columns[0]
            yield name, np.concatenate([values for _, values in columns])

    return replace(stack_matches(matches), columns=matches[0].columns, sums=sums)
