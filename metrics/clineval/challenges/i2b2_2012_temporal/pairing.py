"""Pair entities one to one, and the ends of links with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.challenges.i2b2_2012_temporal.tags import EVENT, LABEL, SLOTS, TIMEX3, WORDS
from clineval.challenges.i2b2_2012_temporal.values import Time, same_value
from clineval.kinds.mentions.best import choose_best
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.matching import same_spans
from clineval.kinds.mentions.matching import same_value as same_slot
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs, find_same_spans
from clineval.kinds.relations.columns import RelatedCorpus
from clineval.kinds.relations.joining import find_firsts
from clineval.results.slots import Slot

ENTITIES = (EVENT, TIMEX3)


@dataclass(frozen=True, slots=True, eq=False)
class PairedEntities:
    """The pairs of the entities of one label.

    Args:
        rows: ``[g]`` and ``[p]``, the entities.
        pairs: the pairs.
        exact: for each pair, whether the words, or the offsets, are equal.
        right: slot to whether each pair has it right.
    """

    rows: tuple[IntArray, IntArray]
    pairs: Pairs
    exact: BoolArray
    right: dict[str, BoolArray]


def pair_entities(mentions: Corpus, label: str) -> PairedEntities:
    """Pair the entities of a label that share a character.

    The pairing has most pairs; in ties most exact ones, then most right attributes, one after the
    other, then most shared characters, then the nearest starts.
    """
    golds, found = (
        np.flatnonzero(side.columns.attributes[LABEL.name].is_among((label,)))
        for side in (mentions.gold, mentions.prediction)
    )
    sides = mentions.gold.columns, mentions.prediction.columns
    near = Candidates.joined(find_candidates_in_parts(*sides, golds, found, mentions.documents))
    exact = _is_exact(mentions, near)
    right = {name: _is_right(mentions, near, name) for name in SLOTS[label]}
    distance = _find_distance(mentions, near)
    nearness = distance.max(initial=0) - distance
    chosen = choose_best(
        near,
        [
            exact.astype(np.int64),
            *(of.astype(np.int64) for of in right.values()),
            near.shared,
            nearness,
        ],
    )
    return PairedEntities(
        (golds, found),
        Pairs(near.gold[chosen], near.prediction[chosen]),
        exact[chosen],
        {name: of[chosen] for name, of in right.items()},
    )


def _is_exact(mentions: Corpus, near: Candidates) -> BoolArray:
    """Return which pairs have the same words; where words are not known, the same span."""
    words = [side.columns.attributes[WORDS.name] for side in (mentions.gold, mentions.prediction)]
    known = ~words[0].is_among(("",))[near.gold] & ~words[1].is_among(("",))[near.prediction]
    placed = same_spans(
        mentions.gold.columns, near.gold, mentions.prediction.columns, near.prediction
    )
    return np.where(known, same_slot(near, mentions, WORDS), placed)


def _is_right(mentions: Corpus, near: Candidates, name: str) -> BoolArray:
    if name != "value":
        return same_slot(near, mentions, Slot(name, "label"))
    columns = [
        [side.columns.attributes[slot] for slot in Time._fields]
        for side in (mentions.gold, mentions.prediction)
    ]
    rows = near.gold, near.prediction
    table = np.column_stack([c.ids[at] for of, at in zip(columns, rows, strict=True) for c in of])
    distinct, inverse = np.unique(table, axis=0, return_inverse=True)
    values = [column.values for of in columns for column in of]
    named = [[values[k][at] for k, at in enumerate(row)] for row in distinct.tolist()]
    found = [same_value(Time(*row[:3]), Time(*row[3:])) for row in named]
    return np.array(found, np.bool_)[inverse.ravel()]


def _find_distance(mentions: Corpus, near: Candidates) -> IntArray:
    starts = [
        side.columns.starts[side.columns.bounds[rows]]
        for side, rows in ((mentions.gold, near.gold), (mentions.prediction, near.prediction))
    ]
    distance: IntArray = np.abs(starts[0] - starts[1])
    return distance


def pair_ends(mentions: Corpus, pairs: Sequence[Pairs]) -> tuple[tuple[IntArray, IntArray], Pairs]:
    """Find the mention that stands for each possible end of a link, and the ends of both sides.

    Entities of one place are one end. A predicted place stands for the first place of the partners
    of its entities, and otherwise for itself alone.

    Args:
        mentions: the mentions of both sides.
        pairs: the pairs of entities.

    Returns:
        ``[g]`` and ``[p]``, the mention that stands for each mention, and pairs of such mentions.
    """
    golds, found = find_firsts(mentions.gold), find_firsts(mentions.prediction)
    every = Pairs.joined([*pairs, pair_others(mentions)])
    places = found + len(golds)  # known to no gold mention
    np.minimum.at(places, found[every.prediction], golds[every.gold])
    places = places[found]
    ends, rows, numbers = np.unique(places, return_index=True, return_inverse=True)
    paired = ends < len(golds)
    return (golds, rows[numbers]), Pairs(ends[paired], rows[paired])


def pair_others(mentions: Corpus) -> Pairs:
    """Pair the times of sections and named ends, which both sides have."""
    same = find_same_spans(mentions)
    same = same.take(same_slot(same, mentions, LABEL))
    entity = mentions.gold.columns.attributes[LABEL.name].is_among(ENTITIES)
    return same.take(~entity[same.gold])


def move_ends(corpus: RelatedCorpus, rows: tuple[IntArray, IntArray]) -> RelatedCorpus:
    """Let links connect the mentions that stand for their ends."""
    gold, prediction = (
        replace(links, source=own[links.source], target=own[links.target])
        for links, own in zip((corpus.gold, corpus.prediction), rows, strict=True)
    )
    return replace(corpus, gold=gold, prediction=prediction)
