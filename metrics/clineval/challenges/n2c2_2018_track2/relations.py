"""Relations of both sides joined, and paired by the partners of their arguments."""

from __future__ import annotations

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.kinds.mentions.corpus import Reading, trace_sides
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.relations.columns import RelatedCorpus, RelatedSide, RelationColumns


def join_related(gold: RelatedSide, prediction: RelatedSide, slot: Slot) -> RelatedCorpus:
    """Bring gold and predictions together; the slot says what a mention is.

    Raises:
        InputError: documents are paired by position and differ in number or name.
    """
    mentions, rows = trace_sides(gold.side, prediction.side, [slot], Reading())
    both = gold.relations.label.values, prediction.relations.label.values
    labels = tuple(sorted({label for values in both for label in values}))
    documents = mentions.gold.columns.document, mentions.prediction.columns.document
    return RelatedCorpus(
        mentions,
        _arrange(gold.relations, rows[0], documents[0], labels),
        _arrange(prediction.relations, rows[1], documents[1], labels),
    )


def _arrange(
    relations: RelationColumns, rows: IntArray, documents: IntArray, labels: tuple[str, ...]
) -> RelationColumns:
    """Return relations between the rows of a corpus, in the order of arguments and each once."""
    source, target = rows[relations.source], rows[relations.target]
    label = relations.label.fold(str, labels)
    _, kept = np.unique(_number(source, target, label, len(documents)), return_index=True)
    return RelationColumns(
        documents[source[kept]], Coded(label.ids[kept], labels), source[kept], target[kept]
    )


def _number(source: IntArray, target: IntArray, label: Coded, mentions: int) -> IntArray:
    """Return a number for arguments, of so many mentions, and label, in their order."""
    ends = source.astype(np.int64) * mentions + target
    return ends * len(label.values) + label.ids


def pair_by_partners(corpus: RelatedCorpus, partners: Pairs) -> Pairs:
    """Pair relations of equal label whose arguments are each other's partners, in gold's order.

    No mention has two partners.
    """
    partner = np.full(len(corpus.mentions.prediction), -1)
    partner[partners.prediction] = partners.gold
    gold, prediction, size = corpus.gold, corpus.prediction, len(corpus.mentions.gold)
    source, target = partner[prediction.source], partner[prediction.target]
    known = _number(gold.source, gold.target, gold.label, size)
    wanted = _number(source, target, prediction.label, size)
    wanted[(source < 0) | (target < 0)] = -1
    at = np.searchsorted(known, wanted)
    found = np.flatnonzero(np.append(known, -2)[at] == wanted)
    found = found[np.argsort(at[found], kind="stable")]
    return Pairs(at[found], found)
