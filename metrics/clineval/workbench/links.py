"""Links between mentions of the two sides, and the partner of each mention."""

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
"""A mention that does not count: a prediction that lost its gold mention to another prediction, or
a mention whose span counts once and is counted for another mention."""
_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Pairs of mentions, and mentions that do not count.

    Args:
        gold: ``[k]``, the row of the gold mention. If one is in several pairs, the first counts.
        prediction: ``[k]``, the row of the predicted mention. The same rule applies.
        equal: maps slots to ``[k]``, whether each pair agrees by the protocol's own rules.
        passed_over: rows of gold mentions, and rows of predictions, that do not count.
    """

    gold: IntArray
    prediction: IntArray
    equal: Mapping[str, BoolArray] = field(default_factory=dict)
    passed_over: tuple[IntArray, IntArray] = (_NONE, _NONE)

    @classmethod
    def of(cls, match: Match, corpus: Corpus) -> Links:
        """Return the pairs of a match. Mentions that it does not list do not count."""
        pairs = slice(match.pairs)  # pairs come first
        counted = ~match.is_among(["displaced"])
        gold, prediction = (
            others(rows[counted & (rows >= 0)], side)
            for side, rows in ((corpus.gold, match.gold), (corpus.prediction, match.prediction))
        )
        return cls(match.gold[pairs], match.prediction[pairs], match.equal, (gold, prediction))

    def agree(self, slot: Slot | None, corpus: Corpus) -> BoolArray:
        """Return ``[k]``, whether each pair agrees in a slot; without a slot, all do."""
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
    """The partners of mentions: rows of the other side, or :data:`NOBODY`, :data:`DISPLACED`.

    Predictions with a partner are true positives, and predictions without one are false positives.
    Gold mentions without a partner are false negatives. If a released script does not pair one to
    one, several predictions may have the same partner.

    Args:
        gold: ``[g]``, the row of the prediction of each gold mention.
        prediction: ``[p]``, the row of the gold mention of each prediction.
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
        # the last assignment to a repeated index wins, so in reverse order the first one does
        gold[links.gold[::-1]] = links.prediction[::-1]
        prediction[links.prediction[::-1]] = links.gold[::-1]
        return cls(gold, prediction)


def link_any(corpus: Corpus, exact: Links, classes: Slot | None) -> tuple[Links, Links]:
    """Link all overlapping pairs, and all with the same class; the most similar come first.

    A released script may only check whether each mention overlaps any mention of the other side,
    without pairing them. A page still shows a partner. The pair with the same span comes first,
    then pairs with the same class, then pairs with the most shared characters.
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
    """Add pairs of empty fragments with mentions around them, which share no character."""
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
