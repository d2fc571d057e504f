"""Find out what is wrong with a wrong relation: its direction, one of its ends, or all of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.kinds.mentions.any_class import add_pairs, find_wrong
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.relations.columns import RelatedCorpus, RelationColumns
from clineval.kinds.relations.pairing import pair_relations
from clineval.results.match import NONE, Match

DIRECTION, END, UNLINKED = "direction", "end", "unlinked"
"""Kinds of errors: the wrong direction, one wrong end, and both ends without a relation."""


def explain(corpus: RelatedCorpus, match: Match) -> Match:
    """Pair wrong relations that are close to each other, and name what is wrong.

        direction   the ends overlap those of a gold relation of this type, but are swapped
        end         one end overlaps that of a gold relation of this type, in the same role
        unlinked    a gold relation without a partner; predicted mentions overlap both ends

    Args:
        corpus: both sides.
        match: relations whose ends overlap, in pairs; the new pairs follow.
    """
    reasons: dict[str, BoolArray] = {}
    of_pair = np.zeros(match.pairs, np.int8)
    for number, name in enumerate((DIRECTION, END), 1):
        for view in _VIEWS[name]:
            found = _pair_wrong(corpus, match, view)
            match = add_pairs(match, found, dict.fromkeys(match.equal, np.ones(len(found), bool)))
            of_pair = np.append(of_pair, np.full(len(found), number, np.int8))
    numbers = np.zeros(len(match), np.int8)
    numbers[: len(of_pair)] = of_pair
    reasons = {name: numbers == number for number, name in enumerate((DIRECTION, END), 1)}
    missed = match.prediction == NONE
    missed[missed] = _have_ends(corpus, match.gold[missed])
    return replace(match, reasons={**reasons, UNLINKED: missed})


@dataclass(frozen=True, slots=True)
class _View:
    """Which end of a relation takes the place of its source, and of its target."""

    gold: tuple[str, str]
    prediction: tuple[str, str]

    def of(self, corpus: RelatedCorpus) -> RelatedCorpus:
        gold, prediction = corpus.gold, corpus.prediction
        return replace(
            corpus, gold=_view(gold, self.gold), prediction=_view(prediction, self.prediction)
        )


def _view(relations: RelationColumns, ends: tuple[str, str]) -> RelationColumns:
    rows = {"source": relations.source, "target": relations.target}
    return replace(relations, source=rows[ends[0]], target=rows[ends[1]])


_AS_THEY_ARE, _SWAPPED = ("source", "target"), ("target", "source")
_VIEWS: Mapping[str, tuple[_View, ...]] = {
    DIRECTION: (_View(_AS_THEY_ARE, _SWAPPED),),
    END: tuple(_View((end, end), (end, end)) for end in _AS_THEY_ARE),
}


def _pair_wrong(corpus: RelatedCorpus, match: Match, view: _View) -> Pairs:
    """Pair wrong relations of one type whose ends overlap in a view."""
    golds, predictions = find_wrong(match)
    if not len(golds) or not len(predictions):
        return Pairs(golds[:0], predictions[:0])
    return pair_relations(view.of(corpus), golds, predictions, partial(find_near, corpus.mentions))


def find_near(mentions: Corpus, gold: IntArray, prediction: IntArray) -> Iterable[Candidates]:
    """Yield the overlapping pairs of some mentions, in parts of whole documents."""
    sides = mentions.gold.columns, mentions.prediction.columns
    return find_candidates_in_parts(*sides, gold, prediction, mentions.documents)


def find_touched(mentions: Corpus) -> tuple[BoolArray, BoolArray]:
    """Return for both sides which mentions overlap any of the other side, ``[g]`` and ``[p]``."""
    sizes = len(mentions.gold), len(mentions.prediction)
    gold, prediction = (np.zeros(size, np.bool_) for size in sizes)
    for near in find_near(mentions, *map(np.arange, sizes)):
        gold[near.gold], prediction[near.prediction] = True, True
    return gold, prediction


def _have_ends(corpus: RelatedCorpus, relations: IntArray) -> BoolArray:
    """Return for some gold relations whether predicted mentions overlap both ends."""
    found, _ = find_touched(corpus.mentions)
    both: BoolArray = found[corpus.gold.source[relations]] & found[corpus.gold.target[relations]]
    return both
