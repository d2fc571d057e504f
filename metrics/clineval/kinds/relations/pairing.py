"""Pairing relations one to one: by partners of their arguments, or by arguments that may match.

Which mentions match is the challenge's matter: it hands in either a partner for each predicted
mention, or all pairs of mentions that may stand for each other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import Coded, IntArray, expand_ranges
from clineval.base.errors import InputError, called
from clineval.kinds.mentions import closeness
from clineval.kinds.mentions.batches import MOST_PAIRS, in_batches
from clineval.kinds.mentions.closeness import rank_fragments
from clineval.kinds.mentions.matching import others
from clineval.kinds.mentions.overlap import SHARED, Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Key, Pairs, pair_greedily
from clineval.kinds.relations.columns import RelationColumns
from clineval.kinds.relations.corpus import RelatedCorpus, turn


def partners_of(pairs: Pairs, predictions: int) -> IntArray:
    """Return ``[predictions]``, the row of the gold mention paired with each; -1 for none."""
    partner = np.full(predictions, -1)
    partner[pairs.prediction] = pairs.gold
    return partner


def pair_by_partners(
    corpus: RelatedCorpus, partner: IntArray, undirected: Collection[str] = ()
) -> Pairs:
    """Pair relations of equal label whose arguments are each other's partners, in gold's order.

    A partner, ``[p]``, is the row of the gold mention that stands for a predicted one, -1 where
    none does; no gold mention stands for two. Of undirected labels it does not matter which way
    they go.
    """
    gold, prediction = corpus.gold, corpus.prediction
    source, target = partner[prediction.source], partner[prediction.target]
    source, target = turn(source, target, prediction.label, undirected)
    size = max(len(corpus.mentions.gold), 1)
    known = _number(gold.source, gold.target, gold.label, size)
    wanted = _number(source, target, prediction.label, size)
    wanted[(source < 0) | (target < 0)] = -1
    at = np.searchsorted(known, wanted)
    found = np.flatnonzero(np.append(known, -2)[at] == wanted)
    found = found[np.argsort(at[found], kind="stable")]
    return Pairs(at[found], found)


def _number(source: IntArray, target: IntArray, label: Coded, size: int) -> IntArray:
    """Return a number for arguments and label, in their order."""
    ends = source.astype(np.int64) * size + target
    return ends * len(label.values) + label.ids


def find_related(
    corpus: RelatedCorpus,
    near: Candidates,
    undirected: Collection[str] = (),
    *,
    alike: bool = True,
) -> Candidates:
    """Find all pairs of relations of equal label, or of different ones, whose arguments may match.

    Both arguments of the one may match those of the other.
    ``near`` are the pairs of mentions that may match, by gold and then by predicted row. Pairs have
    what their sources and their targets share together; of undirected ones whichever way shares
    most.

    Raises:
        InputError: more pairs than :data:`~clineval.kinds.mentions.batches.MOST_PAIRS`.
    """
    directed = _join_sources(corpus, corpus.prediction, near, alike=alike)
    if not undirected:
        return directed
    back, rows = _turned(corpus.prediction, undirected)
    other = _join_sources(corpus, back, near, alike=alike)
    either = [directed, Candidates(other.gold, rows[other.prediction], other.shared)]
    return _keep_best(Candidates.joined(either))


def _turned(
    relations: RelationColumns, undirected: Collection[str]
) -> tuple[RelationColumns, IntArray]:
    """Return the undirected relations reversed, by their new sources; also their rows."""
    loose = np.array([value in undirected for value in relations.label.values], np.bool_)
    rows = np.flatnonzero(loose[relations.label.ids]) if len(relations) else relations.source
    rows = rows[np.argsort(relations.target[rows], kind="stable")]
    some = relations.take(rows)
    return RelationColumns(some.document, some.label, some.target, some.source), rows


def _keep_best(found: Candidates) -> Candidates:
    order = np.lexsort((-found.shared, found.prediction, found.gold))
    found = found.take(order)
    new = np.ones(len(found), np.bool_)
    new[1:] = (np.diff(found.gold) != 0) | (np.diff(found.prediction) != 0)
    return found.take(new)


@dataclass(frozen=True, slots=True, eq=False)
class _Join:
    """For ``[c]`` pairs of mentions the ranges of the relations that go from either."""

    near: Candidates
    low: IntArray
    high: IntArray
    other_low: IntArray
    other_high: IntArray

    @classmethod
    def of(cls, gold: RelationColumns, prediction: RelationColumns, near: Candidates) -> _Join:
        """Return the ranges of relations that are in the order of their sources."""
        sides = (gold.source, near.gold), (prediction.source, near.prediction)
        ranges = (
            np.searchsorted(source, rows.astype(source.dtype), side=side)
            for source, rows in sides
            for side in ("left", "right")
        )
        return cls(near, *ranges)

    @property
    def counts(self) -> IntArray:
        """``[c]``, the number of pairs of relations that go from each pair of mentions."""
        return (self.high - self.low) * (self.other_high - self.other_low)

    def expand(self, at: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Return the pairs of relations from some pairs of mentions, and where each starts."""
        origin = np.repeat(at, (self.high - self.low)[at])
        left = expand_ranges(self.low[at], self.high[at])
        sizes = (self.other_high - self.other_low)[origin]
        right = expand_ranges(self.other_low[origin], self.other_high[origin])
        return np.repeat(left, sizes), right, np.repeat(origin, sizes)


def _join_sources(
    corpus: RelatedCorpus, prediction: RelationColumns, near: Candidates, *, alike: bool
) -> Candidates:
    """Find pairs of relations, ``alike`` in label or not, from one pair of mentions to another."""
    gold, join = corpus.gold, _Join.of(corpus.gold, prediction, near)
    some = np.flatnonzero(join.counts)
    counts = join.counts[some]
    _refuse_too_many(corpus, near.gold[some], counts)
    keys = _pack(near.gold, near.prediction)
    parts = [Candidates(*(some[:0],) * 3)]
    for first, last in in_batches(counts):
        left, right, origin = join.expand(some[first:last])
        same = np.flatnonzero((gold.label.ids[left] == prediction.label.ids[right]) == alike)
        left, right, origin = left[same], right[same], origin[same]
        wanted = _pack(gold.target[left], prediction.target[right])
        place = np.searchsorted(keys, wanted)
        both = np.flatnonzero(np.append(keys, -1)[place] == wanted)
        shared = near.shared[origin[both]].astype(np.int64) + near.shared[place[both]]
        parts.append(Candidates(left[both], right[both], shared))
    return Candidates.joined(parts)


def _pack(gold: IntArray, prediction: IntArray) -> IntArray:
    return (gold.astype(np.int64) << 32) | prediction


def _refuse_too_many(corpus: RelatedCorpus, rows: IntArray, counts: IntArray) -> None:
    """Refuse a document in which too many relations go from the same places."""
    if counts.sum() <= MOST_PAIRS:
        return
    documents = corpus.mentions.gold.columns.document[rows]
    of_document = np.bincount(documents, counts)
    most = int(np.argmax(of_document))
    if of_document[most] > MOST_PAIRS:
        raise InputError(
            f"the sources of gold and predicted relations overlap in {int(of_document[most]):,} "
            f"pairs, expected at most {MOST_PAIRS:,}",
            where=f"document {called(corpus.documents[most])}",
            remedy="Check that they are relations of one document, and not of several under one "
            "name",
        )


Near = Callable[[IntArray, IntArray], Iterable[Candidates]]
"""Gives the pairs that may match of some gold and some predicted mentions, as ``near`` of
:func:`find_related`, in parts of whole documents."""


def pair_others(
    corpus: RelatedCorpus, certain: Pairs, find_near: Near, *, alike: bool = True
) -> Pairs:
    """Pair the relations that are left, the closest first: see :func:`closest`.

    ``find_near`` is asked which of their arguments may match. The pairs that are certain come
    first.
    """
    gold = np.delete(np.arange(len(corpus.gold)), certain.gold)
    taken = np.concatenate([certain.prediction, certain.displaced])
    prediction = np.delete(np.arange(len(corpus.prediction)), taken)
    gold = gold[np.argsort(corpus.gold.source[gold], kind="stable")]
    prediction = prediction[np.argsort(corpus.prediction.source[prediction], kind="stable")]
    left = replace(  # in the order of sources, where a released program keeps that of lines
        corpus, gold=corpus.gold.take(gold), prediction=corpus.prediction.take(prediction)
    )
    ends = (np.unique([side.source, side.target]) for side in (left.gold, left.prediction))
    parts = [certain]
    for near in find_near(*ends):
        near = near.take(np.lexsort((near.prediction, near.gold)))  # noqa: PLW2901
        found = pair_greedily(find_related(left, near, alike=alike), closest(left))
        parts.append(Pairs(gold[found.gold], prediction[found.prediction]))
    return Pairs.joined(parts)


def pair_any_class(corpus: RelatedCorpus, mentions: Pairs, relations: Pairs) -> tuple[Pairs, Pairs]:
    """Return pairs of mentions and of relations, and of what these leave whatever overlaps.

    Of relations both arguments must overlap, and labels differ: those of equal label that are left
    are wrong by their arguments. See also :mod:`clineval.kinds.mentions.any_class`.
    """
    gold, prediction = corpus.mentions.gold, corpus.mentions.prediction

    def find_near(golds: IntArray, predictions: IntArray) -> Iterable[Candidates]:
        sides = gold.columns, prediction.columns
        return find_candidates_in_parts(*sides, golds, predictions, SHARED, corpus.documents)

    taken = np.concatenate([mentions.prediction, mentions.displaced])
    near = find_near(others(mentions.gold, gold), others(taken, prediction))
    order = closeness.closest(corpus.mentions)
    found = Pairs.joined([mentions, *(pair_greedily(some, order) for some in near)])
    return found, pair_others(corpus, relations, find_near, alike=False)


def closest(corpus: RelatedCorpus) -> tuple[Key, ...]:
    """Return sort keys for pairs of relations: first those whose arguments share most characters.

    Ties go to the shortest arguments (total characters), then by the fragments of the gold
    arguments, source before target, then by those of the predicted ones.
    """
    sides = (corpus.mentions.gold, corpus.gold), (corpus.mentions.prediction, corpus.prediction)

    def lengths(near: Candidates) -> IntArray:
        rows = near.gold, near.prediction
        parts = [
            mentions.columns.lengths(end[at])
            for (mentions, relations), at in zip(sides, rows, strict=True)
            for end in (relations.source, relations.target)
        ]
        total: IntArray = np.sum(parts, axis=0, dtype=np.int64)
        return total

    def place(side: int, end: str) -> Key:
        mentions, relations = sides[side]
        column: IntArray = getattr(relations, end)
        name = ("gold", "prediction")[side]
        return lambda near: rank_fragments(mentions, column[getattr(near, name)])

    ends = ((side, end) for side in (0, 1) for end in ("source", "target"))
    return (lambda near: -near.shared, lengths, *(place(*end) for end in ends))
