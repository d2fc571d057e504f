"""Pair relations one to one, the closest first, by arguments that may match.

The challenge decides which mentions may match, and passes their pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from clineval.base.arrays import IntArray, expand_ranges, unite_keys
from clineval.base.errors import InputError, called
from clineval.kinds.mentions import matching
from clineval.kinds.mentions.any_class import add_pairs, find_wrong
from clineval.kinds.mentions.batches import MOST_PAIRS, in_batches
from clineval.kinds.mentions.matching import rank_fragments
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Key, Pairs, pair_greedily
from clineval.kinds.relations.columns import RelatedCorpus, RelationColumns
from clineval.results.match import Match


def find_related(corpus: RelatedCorpus, near: Candidates, *, alike: bool = True) -> Candidates:
    """Find all pairs of relations whose arguments may match.

    The overlap of a pair is the sum of the overlaps of its sources and its targets.

    Args:
        corpus: both sides.
        near: the pairs of mentions that may match, sorted by gold and then by predicted row.
        alike: whether labels must be equal.

    Raises:
        InputError: there are more pairs than :data:`~clineval.kinds.mentions.batches.MOST_PAIRS`.
    """
    gold, prediction = corpus.gold, corpus.prediction
    low, sizes = _find_from(gold, near.gold)
    other_low, other_sizes = _find_from(prediction, near.prediction)
    related = np.flatnonzero(sizes * other_sizes)
    counts = (sizes * other_sizes)[related]
    _refuse_too_many(corpus, near.gold[related], counts)
    keys = _pack(near.gold, near.prediction)
    parts = [Candidates(*(related[:0],) * 3)]
    for first, last in in_batches(counts):
        batch = related[first:last]
        near_rows = np.repeat(batch, sizes[batch])  # the pair of sources of each gold relation
        left = np.repeat(expand_ranges(low[batch], (low + sizes)[batch]), other_sizes[near_rows])
        right = expand_ranges(other_low[near_rows], (other_low + other_sizes)[near_rows])
        origin = np.repeat(near_rows, other_sizes[near_rows])
        same = np.flatnonzero((gold.label.ids[left] == prediction.label.ids[right]) == alike)
        left, right, origin = left[same], right[same], origin[same]
        wanted = _pack(gold.target[left], prediction.target[right])
        place = np.searchsorted(keys, wanted)
        both = np.flatnonzero(np.append(keys, -1)[place] == wanted)
        shared = near.shared[origin[both]].astype(np.int64) + near.shared[place[both]]
        parts.append(Candidates(left[both], right[both], shared))
    return Candidates.joined(parts)


def _find_from(relations: RelationColumns, rows: IntArray) -> tuple[IntArray, IntArray]:
    """Find the first relation that starts at each of some mentions, and the number of them."""
    wanted = rows.astype(relations.source.dtype)
    low, high = (np.searchsorted(relations.source, wanted, side=end) for end in ("left", "right"))
    return low, high - low


def _pack(gold: IntArray, prediction: IntArray) -> IntArray:
    return (gold.astype(np.int64) << 32) | prediction


def _refuse_too_many(corpus: RelatedCorpus, rows: IntArray, counts: IntArray) -> None:
    """Reject a document in which too many relations start at the same places."""
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
"""Returns the pairs of gold and predicted mentions that may match, as ``near`` of
:func:`find_related`, in parts of whole documents."""


def pair_relations(  # noqa: PLR0913
    corpus: RelatedCorpus,
    gold: IntArray,
    prediction: IntArray,
    find_near: Near,
    *,
    alike: bool = True,
    directed: bool = True,
) -> Pairs:
    """Pair some gold and some predicted relations, the closest first: see :func:`closest`.

    Args:
        corpus: both sides.
        gold: ``[g]``, the rows of the gold relations.
        prediction: ``[p]``, the rows of the predicted relations.
        find_near: yields the pairs of arguments that may match, from the rows of gold and predicted
            arguments.
        alike: whether labels must be equal.
        directed: whether sources match only sources, and targets only targets.
    """
    gold = gold[np.argsort(corpus.gold.source[gold], kind="stable")]
    prediction = prediction[np.argsort(corpus.prediction.source[prediction], kind="stable")]
    left = replace(  # in the order of sources, where a released program keeps that of lines
        corpus, gold=corpus.gold.take(gold), prediction=corpus.prediction.take(prediction)
    )
    ends = (unite_keys(side.source, side.target) for side in (left.gold, left.prediction))
    parts = []
    for near in find_near(*ends):
        ordered = near.take(np.lexsort((near.prediction, near.gold)))
        related = find_related(left, ordered, alike=alike)
        if not directed:
            related = _add_turned(left, ordered, related, alike=alike)
        found = pair_greedily(related, closest(left))
        parts.append(Pairs(gold[found.gold], prediction[found.prediction]))
    return Pairs.joined(parts)


def _add_turned(
    corpus: RelatedCorpus, near: Candidates, related: Candidates, *, alike: bool
) -> Candidates:
    """Add pairs of relations whose sources match targets; of two ways the closer one counts."""
    straight = corpus.prediction
    order = np.argsort(straight.target, kind="stable")
    turned = replace(straight.take(order), source=straight.target[order])
    turned = replace(turned, target=straight.source[order])
    found = find_related(replace(corpus, prediction=turned), near, alike=alike)
    back = Candidates(found.gold, order[found.prediction], found.shared)
    both = Candidates.joined([related, back])
    both = both.take(np.lexsort((-both.shared, both.prediction, both.gold)))
    pairs = _pack(both.gold, both.prediction)
    return both.take(np.flatnonzero(np.diff(pairs, prepend=-1)))


def pair_any_class(
    corpus: RelatedCorpus, mentions: Match, relations: Match, *, directed: bool = True
) -> tuple[Match, Match]:
    """Add overlapping pairs of wrong mentions, and of wrong relations, to their outcomes.

    For relations, both arguments must overlap and the labels must differ: remaining relations with
    equal labels have wrong arguments. See also :mod:`clineval.kinds.mentions.any_class`.
    """
    sides = corpus.mentions.gold.columns, corpus.mentions.prediction.columns

    def find_near(golds: IntArray, predictions: IntArray) -> Iterable[Candidates]:
        return find_candidates_in_parts(*sides, golds, predictions, corpus.documents)

    order = matching.closest(corpus.mentions)
    near = find_near(*find_wrong(mentions))
    pairs = Pairs.joined(pair_greedily(part, order) for part in near)
    related = pair_relations(
        corpus, *find_wrong(relations), find_near, alike=False, directed=directed
    )
    return add_pairs(mentions, pairs, {}), add_pairs(relations, related, {})


def closest(corpus: RelatedCorpus) -> tuple[Key, ...]:
    """Return sort keys for pairs of relations: arguments with most shared characters first.

    Ties are broken by the shortest arguments (total characters), then by the fragments of the gold
    arguments, source before target, then by the fragments of the predicted arguments.
    """
    sides = corpus.sides

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
