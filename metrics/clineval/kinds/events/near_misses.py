"""Find out what is wrong with a wrong unit: its value, its place, its event, or its label."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, rank_rows
from clineval.kinds.events.units import EVENT, LABEL, EventCorpus
from clineval.kinds.mentions.any_class import add_pairs, find_wrong, pair_any_class
from clineval.kinds.mentions.matching import closest, same_value
from clineval.kinds.mentions.measures import compare_all
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs, pair_greedily
from clineval.results.match import NONE, Match
from clineval.results.scheme import has_label

OTHER_VALUE, OTHER_EVENT, OTHER_TRIGGER = REASONS = "value", "event", "trigger"
"""Kinds of errors: another value, the argument of another event, and another trigger."""


def explain(corpus: EventCorpus, match: Match, labelled: Sequence[str]) -> Match:
    """Pair wrong units that are close to each other, and name what is wrong.

        value      labelled arguments of paired events with equal labels and other values
        event      overlapping arguments with equal labels, whose events are not paired
        trigger    triggers of one type that do not overlap, but arguments with equal labels do

    Arguments of paired events with equal labels, and triggers of one type, are paired too if they
    overlap; these differ in their boundaries. Last come overlapping units with different labels.

    Args:
        corpus: both sides.
        match: the units as they are scored; the new pairs follow.
        labelled: the labels of arguments with a value.
    """
    wrong = _Wrong(corpus, _find_partners(corpus, match), labelled)
    finders = (
        (OTHER_VALUE, wrong.pair_values),
        ("", wrong.pair_shifted),
        (OTHER_EVENT, wrong.pair_displaced),
        (OTHER_TRIGGER, wrong.pair_triggers),
    )
    of_pair = [""] * match.pairs
    for name, find in finders:
        found = find(*find_wrong(match))
        match = add_pairs(match, found, compare_all(corpus, found))
        of_pair += [name] * len(found)
    columns = corpus.gold.columns, corpus.prediction.columns
    match = pair_any_class(match, *columns, corpus.documents, LABEL.name)
    names = np.array([*of_pair, *[""] * (len(match) - len(of_pair))])
    return replace(match, reasons={name: names == name for name in REASONS})


def pair_overlapping(corpus: EventCorpus, match: Match) -> Match:
    """Pair all wrong units that overlap, those with equal labels first; they are not counted."""
    wrong = _Wrong(corpus, _find_partners(corpus, match), ())
    for find in (wrong.pair_shifted, wrong.pair_displaced):
        found = find(*find_wrong(match))
        match = add_pairs(match, found, compare_all(corpus, found))
    columns = corpus.gold.columns, corpus.prediction.columns
    return pair_any_class(match, *columns, corpus.documents)


def _find_partners(corpus: EventCorpus, match: Match) -> IntArray:
    """Return ``[g]``, the partner of each gold unit, -1 without one."""
    partners = np.full(len(corpus.gold), NONE, np.int64)
    partners[match.gold[: match.pairs]] = match.prediction[: match.pairs]
    return partners


@dataclass(frozen=True, slots=True)
class _Wrong:
    """Pairs wrong units, given by their rows.

    Args:
        corpus: both sides.
        partners: ``[g]``, the partner of each gold unit as they are scored.
        labelled: the labels of arguments with a value.
    """

    corpus: EventCorpus
    partners: IntArray
    labelled: Sequence[str]

    def pair_values(self, gold: IntArray, prediction: IntArray) -> Pairs:
        """Pair labelled arguments of paired events, in their order."""
        rows = [self._keep_labelled(*each) for each in enumerate((gold, prediction))]
        heads = self.partners[self.corpus.heads[0][rows[0]]], self.corpus.heads[1][rows[1]]
        sides = self.corpus.gold, self.corpus.prediction
        labels = [side.ids(LABEL.name)[of] for side, of in zip(sides, rows, strict=True)]
        free = defaultdict[tuple[int, int], list[int]](list)
        for row, *key in zip(rows[1].tolist(), heads[1].tolist(), labels[1].tolist(), strict=True):
            free[key[0], key[1]].insert(0, row)
        pairs = [
            (row, found.pop())
            for row, head, label in zip(
                rows[0].tolist(), heads[0].tolist(), labels[0].tolist(), strict=True
            )
            if (found := free.get((head, label)))
        ]
        golds, predictions = np.array(pairs, np.int64).reshape(-1, 2).T
        return Pairs(golds, predictions)

    def _keep_labelled(self, side: int, rows: IntArray) -> IntArray:
        """Keep the labelled arguments among some rows."""
        label = (self.corpus.gold, self.corpus.prediction)[side].columns.attributes[LABEL.name]
        kept: IntArray = rows[(has_label(label, self.labelled) & ~self._is_trigger(side))[rows]]
        return kept

    def pair_shifted(self, gold: IntArray, prediction: IntArray) -> Pairs:
        """Pair overlapping arguments of paired events, and overlapping triggers."""
        near = self._find_near(gold, prediction)
        return self._pair_closest(near.take(self._are_triggers(near) | self._are_together(near)))

    def pair_displaced(self, gold: IntArray, prediction: IntArray) -> Pairs:
        """Pair overlapping arguments of other events."""
        near = self._find_near(gold, prediction)
        return self._pair_closest(near.take(~self._are_triggers(near)))

    def pair_triggers(self, gold: IntArray, prediction: IntArray) -> Pairs:
        """Pair triggers of one type with overlapping arguments, most of them first."""
        heads, wrong = self.corpus.heads, (gold, prediction)
        rows = [np.flatnonzero(np.isin(of, some)) for of, some in zip(heads, wrong, strict=True)]
        near = self._find_near(*rows)
        near = near.take(~self._are_triggers(near) & same_value(near, self.corpus, EVENT))
        events = heads[0][near.gold].astype(np.int64), heads[1][near.prediction].astype(np.int64)
        edge = rank_rows([*events])
        _, first, shared = np.unique(edge, return_index=True, return_counts=True)
        found = Candidates(events[0][first], events[1][first], shared)
        return pair_greedily(found, [lambda some: -some.shared])

    def _find_near(self, gold: IntArray, prediction: IntArray) -> Candidates:
        """Find overlapping units with equal labels: two triggers, or two arguments."""
        columns = self.corpus.gold.columns, self.corpus.prediction.columns
        parts = find_candidates_in_parts(*columns, gold, prediction, self.corpus.documents)
        nothing = np.zeros(0, np.int64)
        near = Candidates.joined([Candidates(nothing, nothing, nothing), *parts])
        same_sort = self._is_trigger(0)[near.gold] == self._is_trigger(1)[near.prediction]
        return near.take(same_sort & same_value(near, self.corpus, LABEL))

    def _is_trigger(self, side: int) -> BoolArray:
        heads = self.corpus.heads[side]
        is_trigger: BoolArray = heads == np.arange(len(heads))
        return is_trigger

    def _are_triggers(self, near: Candidates) -> BoolArray:
        return self._is_trigger(0)[near.gold]

    def _are_together(self, near: Candidates) -> BoolArray:
        heads = self.corpus.heads
        together: BoolArray = self.partners[heads[0][near.gold]] == heads[1][near.prediction]
        return together

    def _pair_closest(self, near: Candidates) -> Pairs:
        return pair_greedily(near, closest(self.corpus))
