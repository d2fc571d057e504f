"""Join both sides with their relations without repeats, and pair relations by their ends."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.kinds.mentions.corpus import Mentions, trace_sides
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.relations.columns import RelatedCorpus, RelatedSide, RelationColumns
from clineval.results.slots import Slot


def join_related(
    gold: RelatedSide, prediction: RelatedSide, slots: Sequence[Slot]
) -> RelatedCorpus:
    """Join gold and predictions; mentions with one span and equal slots become one.

    Raises:
        InputError: documents are paired by position, and their number or names differ.
    """
    return trace_related(gold, prediction, slots)[0]


def trace_related(
    gold: RelatedSide, prediction: RelatedSide, slots: Sequence[Slot]
) -> tuple[RelatedCorpus, tuple[IntArray, IntArray]]:
    """Join sides as :func:`join_related` does; also return the new row of each mention."""
    mentions, rows = trace_sides(gold.side, prediction.side, slots)
    both = gold.relations.label.values, prediction.relations.label.values
    labels = tuple(sorted({label for values in both for label in values}))
    documents = mentions.gold.columns.document, mentions.prediction.columns.document
    corpus = RelatedCorpus(
        mentions,
        _arrange(gold.relations, rows[0], documents[0], labels),
        _arrange(prediction.relations, rows[1], documents[1], labels),
    )
    return corpus, rows


def _arrange(
    relations: RelationColumns, rows: IntArray, documents: IntArray, labels: tuple[str, ...]
) -> RelationColumns:
    """Return relations between rows of a corpus, in the order of arguments, without repeats."""
    source, target = rows[relations.source], rows[relations.target]
    return _keep_one(source, target, relations.label.fold(str, labels), documents)


def _keep_one(
    source: IntArray, target: IntArray, label: Coded, documents: IntArray
) -> RelationColumns:
    """Build relations between rows of mentions with these documents; equal ones become one."""
    _, kept = np.unique(_number(source, target, label, len(documents)), return_index=True)
    first = source[kept]
    own = Coded(label.ids[kept], label.values)
    return RelationColumns(documents[first], own, first, target[kept])


def find_firsts(mentions: Mentions) -> IntArray:
    """Return ``[n]``, the first row with the fragments of each mention."""
    rows = np.arange(len(mentions))
    new = (np.diff(mentions.place, prepend=-1) != 0) | (np.diff(mentions.shape, prepend=-1) != 0)
    return np.maximum.accumulate(np.where(new, rows, 0)) if len(rows) else rows


def merge_ends(corpus: RelatedCorpus) -> RelatedCorpus:
    """Return a corpus where all ends with the same fragments are the first one of them."""
    gold, prediction = (
        _with_ends(mentions, relations, rows[relations.source], rows[relations.target])
        for mentions, relations in corpus.sides
        for rows in [find_firsts(mentions)]
    )
    return replace(corpus, gold=gold, prediction=prediction)


def without_direction(
    corpus: RelatedCorpus,
    ranks: tuple[IntArray, IntArray],
    labels: Collection[str] | None = None,
) -> RelatedCorpus:
    """Return a corpus whose relations go from the end of lower rank; equal ones become one.

    Args:
        corpus: the corpus.
        ranks: ``[g]`` and ``[p]``, the rank of each gold and each predicted mention.
        labels: the labels without direction; None for all.
    """
    gold, prediction = (
        _turn(*side, rank, labels) for side, rank in zip(corpus.sides, ranks, strict=True)
    )
    return replace(corpus, gold=gold, prediction=prediction)


def change_labels(
    corpus: RelatedCorpus,
    renamed: Mapping[str, str],
    labels: tuple[str, ...],
    turned: Collection[str],
) -> RelatedCorpus:
    """Return a corpus with other labels; equal relations become one.

    Args:
        corpus: the corpus.
        renamed: label to the new label; others stay.
        labels: the labels afterwards, in the order of their numbers.
        turned: the old labels of relations that change their direction.
    """

    def change(mentions: Mentions, relations: RelationColumns) -> RelationColumns:
        backwards = has_label(relations, turned)
        label = relations.label.fold(lambda old: renamed.get(old, old), labels)
        source = np.where(backwards, relations.target, relations.source)
        target = np.where(backwards, relations.source, relations.target)
        return _keep_one(source, target, label, mentions.columns.document)

    gold, prediction = (change(*side) for side in corpus.sides)
    return replace(corpus, gold=gold, prediction=prediction)


def has_label(relations: RelationColumns, labels: Collection[str]) -> BoolArray:
    """Return whether each relation has one of some labels, ``[r]``."""
    wanted = np.array([value in labels for value in relations.label.values], np.bool_)
    return wanted[relations.label.ids]


def _turn(
    mentions: Mentions,
    relations: RelationColumns,
    rank: IntArray,
    labels: Collection[str] | None,
) -> RelationColumns:
    """Reverse the relations that do not go from the end of lower rank."""
    backwards = rank[relations.source] > rank[relations.target]
    if labels is not None:
        backwards &= has_label(relations, labels)
    source = np.where(backwards, relations.target, relations.source)
    target = np.where(backwards, relations.source, relations.target)
    return _with_ends(mentions, relations, source, target)


def _with_ends(
    mentions: Mentions, relations: RelationColumns, source: IntArray, target: IntArray
) -> RelationColumns:
    """Return relations between other rows of mentions; equal ones become one."""
    return _keep_one(source, target, relations.label, mentions.columns.document)


def _number(source: IntArray, target: IntArray, label: Coded, mentions: int) -> IntArray:
    """Return a number for the arguments and label of each relation, in their order."""
    ends = source.astype(np.int64) * mentions + target
    return ends * len(label.values) + label.ids


def pair_by_partners(corpus: RelatedCorpus, partners: Pairs) -> Pairs:
    """Pair relations with equal labels and paired arguments, in the order of the gold standard.

    No mention has two partners.
    """
    partner = np.full(len(corpus.mentions.prediction), -1)
    partner[partners.prediction] = partners.gold
    gold, prediction, size = corpus.gold, corpus.prediction, len(corpus.mentions.gold)
    source, target = partner[prediction.source], partner[prediction.target]
    gold_keys = _number(gold.source, gold.target, gold.label, size)
    wanted = _number(source, target, prediction.label, size)
    wanted[(source < 0) | (target < 0)] = -1
    gold_rows = np.searchsorted(gold_keys, wanted)
    predicted_rows = np.flatnonzero(np.append(gold_keys, -2)[gold_rows] == wanted)
    predicted_rows = predicted_rows[np.argsort(gold_rows[predicted_rows], kind="stable")]
    return Pairs(gold_rows[predicted_rows], predicted_rows)
