"""Partners to look at where a released script looks for none.

A script may ask of each mention whether it overlaps any mention of the other side, and pair
nobody. A page shows a partner all the same: what it overlaps.
"""

from __future__ import annotations

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.overlap import (
    SHARED,
    Candidates,
    find_candidates_in_parts,
    overlaps_any,
)
from clineval.kinds.mentions.slots import Slot
from clineval.workbench.links import Links, Partners


def link_any(corpus: Corpus, exact: Links, classes: Slot | None) -> tuple[Links, Links]:
    """Link all overlapping pairs, and those of the same class; the most alike come first.

    Of a mention's pairs the one of the same span comes first, then those of the same class, then
    those that share most.
    """
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    sides = (gold, prediction, np.arange(len(gold)), np.arange(len(prediction)))
    parts = find_candidates_in_parts(*sides, SHARED, corpus.documents)
    near = _add_empty(Candidates.joined(parts), corpus)
    same_span = Partners.of(exact, corpus).prediction[near.prediction] == near.gold
    same_class = _agree(Links(near.gold, near.prediction), corpus, classes)
    order = np.lexsort((near.gold, -near.shared, ~same_class, ~same_span))
    links = Links(near.gold[order], near.prediction[order])
    return links, links.take(same_class[order])


def _agree(links: Links, corpus: Corpus, classes: Slot | None) -> BoolArray:
    return links.agree(classes, corpus) if classes else np.ones(len(links.gold), np.bool_)


def _add_empty(near: Candidates, corpus: Corpus) -> Candidates:
    """Add the pairs of empty fragments with what they lie inside of: they share no character."""
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    sides = ((prediction, gold, near.prediction), (gold, prediction, near.gold))
    found = []
    for swapped, (mentions, others, known) in enumerate(sides):
        overlapping = np.flatnonzero(overlaps_any(mentions, others))
        for row in np.setdiff1d(overlapping, known).tolist():
            other = _first_overlapped(mentions, row, others)
            found.append((row, other) if swapped else (other, row))
    more: IntArray = np.array(sorted(set(found)), np.int64).reshape(-1, 2)
    return Candidates(
        np.concatenate([near.gold, more[:, 0]]),
        np.concatenate([near.prediction, more[:, 1]]),
        np.concatenate([near.shared, np.zeros(len(more), np.int64)]),
    )


def _first_overlapped(mentions: MentionColumns, row: int, others: MentionColumns) -> int:
    low, high = mentions.bounds[row], mentions.bounds[row + 1]
    owners = others.owners
    inside = others.document[owners] == mentions.document[row]
    touched = np.zeros(len(owners), np.bool_)
    for start, end in zip(mentions.starts[low:high], mentions.ends[low:high], strict=True):
        touched |= (others.starts < end) & (others.ends > start)
    return int(owners[np.flatnonzero(inside & touched)[0]])
