"""Mentions as the released scripts of the ShARe corpus read them, where the writing matters.

These scripts keep the mentions of a document by the text of their spans: of lines with the same
text the last one counts, with the codes of all. Values are compared as they are written, but for
case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.hashing import Hashes
from clineval.kinds.mentions.columns import MentionColumns, Side
from clineval.kinds.mentions.corpus import Corpus, Reading, join_sides
from clineval.kinds.mentions.digest import digest_documents
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.slots import Slot

WRITTEN = Slot("written", "label")
"""What the text of a mention's span is kept in."""
Span = tuple[int, str]
"""A document and the text of a span."""


@dataclass(frozen=True, slots=True, eq=False)
class WrittenCorpus(Corpus):
    """Mentions of both sides, with the texts of their spans."""

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of the gold mentions of each, without the texts."""
        return digest_documents(without_texts(self).gold.columns, len(self.documents))


def without_texts(corpus: Corpus) -> Corpus:
    """Return the corpus without the texts of spans."""

    def change(columns: MentionColumns) -> MentionColumns:
        others = {k: column for k, column in columns.attributes.items() if k != WRITTEN.name}
        return replace(columns, attributes=others)

    return corpus.with_columns(change)


def join_written(
    gold: Side, predicted: Side, slots: Sequence[Slot], visited: Literal["all", "gold"]
) -> WrittenCorpus:
    """Join both sides; of ``gold`` documents those that have no gold mention do not count."""
    labels = [WRITTEN, *(Slot(slot.name, "label", slot.values) for slot in slots)]
    sides = _keep_last(gold, slots), _keep_last(predicted, slots)
    corpus = join_sides(*sides, labels, Reading(documents=visited))
    both = corpus.gold, corpus.prediction
    return WrittenCorpus(corpus.documents, *both, corpus.texts, intake=corpus.intake)


def _keep_last(side: Side, slots: Sequence[Slot]) -> Side:
    """Keep the last mention of each span of a document, with the codes of all."""
    columns = side.mentions
    spans = list(zip(columns.document.tolist(), _write_spans(columns), strict=True))
    last = {span: row for row, span in enumerate(spans)}
    rows = np.fromiter(last.values(), np.int64, len(last))
    attributes = {WRITTEN.name: Coded.of([text for _, text in last])}
    for slot in slots:
        column = columns.attributes[slot.name]
        cells = [column.values[value].lower() for value in column.ids.tolist()]
        if slot.kind == "codes":
            sets: dict[Span, set[str]] = {span: set() for span in last}
            for span, cell in zip(spans, cells, strict=True):
                sets[span].update(cell.split(","))
            written = [",".join(sorted(codes)) for codes in sets.values()]
        else:
            written = [cells[row] for row in last.values()]
        attributes[slot.name] = Coded.of(written)
    return replace(side, mentions=replace(columns.take(rows), attributes=attributes))


def _write_spans(columns: MentionColumns) -> list[str]:
    """List the spans as they were written."""
    offsets = zip(columns.starts.tolist(), columns.ends.tolist(), strict=True)
    fragments = [f"{start}-{end}" for start, end in offsets]
    odd = [columns.spelling.values[number] for number in columns.spelling.ids.tolist()]
    return [
        text or ",".join(fragments[low:high])
        for text, (low, high) in zip(odd, pairwise(columns.bounds.tolist()), strict=True)
    ]


def list_spans(columns: MentionColumns) -> list[Span]:
    """List the spans of mentions that are joined."""
    texts = columns.attributes[WRITTEN.name]
    words = map(texts.values.__getitem__, texts.ids.tolist())
    return list(zip(columns.document.tolist(), words, strict=True))


def pair_written(corpus: Corpus) -> Pairs:
    """Pair the mentions whose spans are written alike, of which no side has two."""
    places = {span: row for row, span in enumerate(list_spans(corpus.prediction.columns))}
    found = [
        (row, places[span])
        for row, span in enumerate(list_spans(corpus.gold.columns))
        if span in places
    ]
    rows = np.array(found, np.int64).reshape(-1, 2)
    return Pairs(rows[:, 0], rows[:, 1])
