"""Mentions with their words, which are compared beside offsets, and their relations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.kinds.mentions.items import QUOTE
from clineval.kinds.relations.columns import RelatedCorpus, RelatedSide
from clineval.kinds.relations.joining import trace_related
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot


@dataclass(frozen=True, slots=True, eq=False)
class QuotedCorpus(RelatedCorpus):
    """Mentions with words, and their relations; digests do not depend on the words.

    Args:
        quotes: the words of each gold and each predicted mention; empty if they are unknown.
    """

    quotes: tuple[Coded, Coded]

    def blocks(self, documents: int = 2048) -> Iterator[QuotedCorpus]:
        """Yield the corpus in parts whose columns fit into the processor's cache."""
        first = 0, 0
        for block in RelatedCorpus.blocks(self, documents):
            golds, predictions = len(block.mentions.gold), len(block.mentions.prediction)
            last = first[0] + golds, first[1] + predictions
            quotes = [
                Coded(of.ids[low:high], of.values)
                for of, low, high in zip(self.quotes, first, last, strict=True)
            ]
            yield QuotedCorpus(block.mentions, block.gold, block.prediction, (quotes[0], quotes[1]))
            first = last


def join_quoted(gold: RelatedSide, prediction: RelatedSide, slot: Slot) -> QuotedCorpus:
    """Join sides that were read with the slot :data:`QUOTE`; ``slot`` holds the labels.

    Mentions without words of their own have those of the note, if it is known. Of equal mentions
    with different words, the first words in alphabetical order count.
    """
    corpus, rows = trace_related(gold, prediction, [slot])
    mentions = corpus.mentions
    sides = (
        (mentions.gold.columns, gold.side.mentions, rows[0]),
        (mentions.prediction.columns, prediction.side.mentions, rows[1]),
    )
    quotes = [_find_quotes(*side, mentions.texts) for side in sides]
    return QuotedCorpus(mentions, corpus.gold, corpus.prediction, (quotes[0], quotes[1]))


def _find_quotes(
    joined: MentionColumns, read: MentionColumns, rows: IntArray, texts: Mapping[int, str]
) -> Coded:
    """Return the words of joined mentions, from the mentions that were read with these rows."""
    column = read.attributes.get(QUOTE.name) or Coded(np.zeros(len(read), np.int64), ("",))
    values = tuple(sorted({*column.values} - {""}))
    places = np.full(len(joined), len(values))
    np.minimum.at(places, rows, column.fold(str, (*values, "")).ids)
    quotes = list(map((*values, "").__getitem__, places.tolist()))
    for row in np.flatnonzero(places == len(values)).tolist() if texts else ():
        text = texts.get(int(joined.document[row]), "")
        fragments = range(joined.bounds[row], joined.bounds[row + 1])
        quotes[row] = " ".join(text[joined.starts[at] : joined.ends[at]] for at in fragments)
    return Coded.of(quotes)
