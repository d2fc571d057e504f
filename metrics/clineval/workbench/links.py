"""Links between mentions of the two sides, and the partner of each mention that follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.matching import others
from clineval.kinds.mentions.overlap import (
    Candidates,
    find_candidates_in_parts,
    overlaps_any,
)
from clineval.results.columns import MentionColumns
from clineval.results.match import Match
from clineval.results.slots import Slot

NOBODY = -1
DISPLACED = -2
"""What counts as nothing: a prediction that lost its gold mention to another one, or a mention of
a span that counts once and that another mention stands for."""
_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Pairs of mentions, and mentions that count as nothing.

    Args:
        gold: ``[k]``, row of the gold mention; where one is in several pairs, the first counts.
        prediction: ``[k]``, row of the predicted mention, likewise.
        equal: slot to ``[k]``, which pairs agree in it by rules of the protocol's own.
        passed_over: rows of gold mentions, and rows of predictions, that count as nothing.
    """

    gold: IntArray
    prediction: IntArray
    equal: Mapping[str, BoolArray] = field(default_factory=dict)
    passed_over: tuple[IntArray, IntArray] = (_NONE, _NONE)

    @classmethod
    def of(cls, match: Match, corpus: Corpus) -> Links:
        """Return the pairs of a match. What it does not list counts as nothing."""
        pairs = slice(match.pairs)  # they come first
        counted = ~match.is_among(["displaced"])
        gold, prediction = (
            others(rows[counted & (rows >= 0)], side)
            for side, rows in ((corpus.gold, match.gold), (corpus.prediction, match.prediction))
        )
        return cls(match.gold[pairs], match.prediction[pairs], match.equal, (gold, prediction))

    def agree(self, slot: Slot | None, corpus: Corpus) -> BoolArray:
        """Return ``[k]``: which pairs agree in a slot; all where there is none."""
        if slot is None:
            return np.ones(len(self.gold), np.bool_)
        if slot.name in self.equal:
            return self.equal[slot.name]
        gold, prediction = corpus.gold.ids(slot.name), corpus.prediction.ids(slot.name)
        same: BoolArray = gold[self.gold] == prediction[self.prediction]
        return same

    def take(self, which: BoolArray) -> Links:
        """Return some of the pairs."""
        return Links(self.gold[which], self.prediction[which])


@dataclass(frozen=True, slots=True, eq=False)
class Partners:
    """Who is linked to whom: rows of the other side, or :data:`NOBODY`, :data:`DISPLACED`.

    True positives are the predictions with a partner, false positives those without, false
    negatives the gold mentions without. Where a released script does not pair one to one,
    several predictions may have the same partner.

    Args:
        gold: ``[g]``, row of the prediction of each gold mention.
        prediction: ``[p]``, row of the gold mention of each prediction.
    """

    gold: IntArray
    prediction: IntArray

    @classmethod
    def of(cls, links: Links, corpus: Corpus) -> Partners:
        """Return the partners that follow from links."""
        gold = np.full(len(corpus.gold), NOBODY, np.int64)
        prediction = np.full(len(corpus.prediction), NOBODY, np.int64)
        for side, passed_over in zip((gold, prediction), links.passed_over, strict=True):
            side[passed_over] = DISPLACED
        # of repeated indices the last assignment stands, so backwards the first one does
        gold[links.gold[::-1]] = links.prediction[::-1]
        prediction[links.prediction[::-1]] = links.gold[::-1]
        return cls(gold, prediction)


def link_any(corpus: Corpus, exact: Links, classes: Slot | None) -> tuple[Links, Links]:
    """Link all overlapping pairs, and those of the same class; the most alike come first.

    A released script may ask of each mention whether it overlaps any mention of the other side, and
    pair nobody. A page shows a partner all the same. Of a mention's pairs the one of the same span
    comes first, then those of the same class, then those that share most.
    """
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    sides = (gold, prediction, np.arange(len(gold)), np.arange(len(prediction)))
    parts = find_candidates_in_parts(*sides, corpus.documents)
    near = _add_empty(Candidates.joined(parts), corpus)
    same_span = Partners.of(exact, corpus).prediction[near.prediction] == near.gold
    same_class = Links(near.gold, near.prediction).agree(classes, corpus)
    order = np.lexsort((near.gold, -near.shared, ~same_class, ~same_span))
    links = Links(near.gold[order], near.prediction[order])
    return links, links.take(same_class[order])


def _add_empty(near: Candidates, corpus: Corpus) -> Candidates:
    """Add the pairs of empty fragments with what they lie inside of: they share no character."""
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    sides = ((prediction, gold, near.prediction), (gold, prediction, near.gold))
    found = []
    for swapped, (mine, theirs, known) in enumerate(sides):
        overlapping = np.flatnonzero(overlaps_any(mine, theirs))
        for row in np.setdiff1d(overlapping, known).tolist():
            other = _first_overlapped(mine, row, theirs)
            found.append((row, other) if swapped else (other, row))
    more: IntArray = np.array(sorted(set(found)), np.int64).reshape(-1, 2)
    return Candidates(
        np.concatenate([near.gold, more[:, 0]]),
        np.concatenate([near.prediction, more[:, 1]]),
        np.concatenate([near.shared, np.zeros(len(more), np.int64)]),
    )


def _first_overlapped(mine: MentionColumns, row: int, theirs: MentionColumns) -> int:
    low, high = mine.bounds[row], mine.bounds[row + 1]
    owners = theirs.owners
    inside = theirs.document[owners] == mine.document[row]
    touched = np.zeros(len(owners), np.bool_)
    for start, end in zip(mine.starts[low:high], mine.ends[low:high], strict=True):
        touched |= (theirs.starts < end) & (theirs.ends > start)
    return int(owners[np.flatnonzero(inside & touched)[0]])
