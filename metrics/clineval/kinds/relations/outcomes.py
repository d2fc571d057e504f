"""Outcomes of mentions and relations together: each relation is a row, as a mention is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.kinds.mentions.columns import concatenate
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.matching import same_spans
from clineval.kinds.mentions.pairing import NO_PAIRS, Pairs
from clineval.kinds.mentions.rows import list_units
from clineval.kinds.relations.columns import RelatedCorpus, RelationColumns, unplaced
from clineval.results.columns import ABSENT, MentionColumns, Sides
from clineval.results.match import NONE, VERDICTS, Match

MATCHES = {
    "exact/span": "exact",
    "overlap/span": "overlap",
    "exact/both": "strict",
    "overlap/both": "lenient",
}
"""Pairing of a page to the kind of match of mentions and relations together."""


def list_rows(pairs: Pairs, golds: int, predictions: int) -> Match:
    """List the outcomes of gold and predicted mentions, or relations, from their numbers."""
    return list_units(pairs, np.arange(golds), np.arange(predictions))


def pairs_first(gold: IntArray, prediction: IntArray, verdict: IntArray) -> Match:
    """Build a match: first pairs in their order, then predictions, then gold annotations."""
    order = _order_pairs_first(gold, prediction)
    return Match(gold[order], prediction[order], verdict[order], VERDICTS, {})


def _order_pairs_first(gold: IntArray, prediction: IntArray) -> IntArray:
    alone = (gold == NONE) | (prediction == NONE)
    return np.lexsort((np.maximum(gold, prediction) * alone, alone & (gold != NONE), alone))


NO_ROWS = list_rows(NO_PAIRS, 0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The mentions and relations of one side as rows of one table, in the order of the text.

    Args:
        rows: the rows; the fragments of a relation are those of its source and its target.
        mentions: ``[n]``, the row of each mention; empty if there are no mentions.
        relations: ``[r]``, the row of each relation.
        sources: ``[n + r]``, the number of fragments of a relation's source; 0 for a mention.
        arguments: ``[n + r, 2]``, the distance in rows from a relation to its source and target; 0
            for a mention, and if there are no mentions.
    """

    rows: Mentions
    mentions: IntArray
    relations: IntArray
    sources: IntArray
    arguments: IntArray

    @classmethod
    def of(cls, mentions: Mentions, relations: RelationColumns, slot: str, *, alone: bool) -> Units:
        """Return the units of one side.

        The slot holds the classes of mentions, and also gets the labels of relations, which have
        no other slots of mentions. ``alone`` leaves mentions out.
        """
        columns = mentions.columns
        related = relations.as_mentions(columns, slot)
        sizes = columns.fragment_counts[relations.source]
        if alone:
            every, nowhere = np.arange(len(related)), np.zeros((len(related), 2), np.int64)
            return cls(unplaced(related), every[:0], every, sizes, nowhere)
        both = concatenate([columns, _add_slots(related, columns.attributes)])
        first = both.starts[both.bounds[:-1]] if len(both) else both.document
        order = np.lexsort((first, both.document))
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        rows = unplaced(both.take(order))
        sources = np.concatenate([np.zeros(len(columns), np.int64), sizes])[order]
        mentions_at, relations_at = np.split(places, [len(columns)])
        ends = np.column_stack([relations.source, relations.target])
        arguments = np.zeros((len(order), 2), np.int64)
        arguments[relations_at] = mentions_at[ends] - relations_at[:, None]
        return cls(rows, mentions_at, relations_at, sources, arguments)


def _add_slots(related: MentionColumns, slots: Iterable[str]) -> MentionColumns:
    """Return relations with slots in the order of mentions; they have no value in these."""
    absent = Coded(np.zeros(len(related), np.int8), (ABSENT,))
    attributes = {name: related.attributes.get(name, absent) for name in slots}
    return replace(related, attributes=attributes)


@dataclass(frozen=True, slots=True, eq=False)
class UnitCorpus:
    """Both sides of a corpus as units.

    Args:
        corpus: the units, as a corpus of mentions, except for pairing.
        gold: the units of the gold standard.
        prediction: the units of the system.
    """

    corpus: Corpus
    gold: Units
    prediction: Units

    @classmethod
    def of(cls, corpus: RelatedCorpus, slot: str, *, alone: bool = False) -> UnitCorpus:
        """Return the units of a corpus; see :meth:`Units.of` for the arguments."""
        mentions = corpus.mentions
        gold = Units.of(mentions.gold, corpus.gold, slot, alone=alone)
        prediction = Units.of(mentions.prediction, corpus.prediction, slot, alone=alone)
        units = Corpus(mentions.documents, gold.rows, prediction.rows, mentions.texts)
        return cls(units, gold, prediction)

    @property
    def sides(self) -> Sides:
        """The units of both sides."""
        return self.corpus.gold.columns, self.corpus.prediction.columns

    @property
    def sources(self) -> tuple[IntArray, IntArray]:
        """``[g]`` and ``[p]``, the number of fragments that belong to the source of a relation."""
        return self.gold.sources, self.prediction.sources

    @property
    def arguments(self) -> tuple[IntArray, IntArray]:
        """``[g, 2]`` and ``[p, 2]``, the distance in rows from each unit to its arguments."""
        return self.gold.arguments, self.prediction.arguments

    def keep_same_spans(self, match: Match) -> Match:
        """Return the outcomes of units if only pairs of a match with the same fragments count."""
        sides = self.sides
        gold, prediction = match.gold[: match.pairs], match.prediction[: match.pairs]
        same = same_spans(sides[0], gold, sides[1], prediction)
        return list_rows(Pairs(gold[same], prediction[same]), len(sides[0]), len(sides[1]))

    def join(self, mentions: Match, relations: Match) -> Match:
        """Turn outcomes of mentions and of relations into outcomes of units, pairs first.

        The kinds of errors are those of both, and the chains of links are those of relations.
        """
        parts = [self.place("mentions", mentions), self.place("relations", relations)]
        gold, prediction, verdict = (
            np.concatenate([getattr(part, column) for part in parts])
            for column in ("gold", "prediction", "verdict")
        )
        joined, order = pairs_first(gold, prediction, verdict), _order_pairs_first(gold, prediction)
        names = dict.fromkeys(name for part in parts for name in part.reasons)
        none = [np.zeros(len(part), np.bool_) for part in parts]
        reasons = {
            name: np.concatenate(
                [part.reasons.get(name, no) for part, no in zip(parts, none, strict=True)]
            )[order]
            for name in names
        }
        return replace(joined, reasons=reasons, reasonings=relations.reasonings)

    def rows_of(self, kind: str) -> tuple[IntArray, IntArray]:
        """Return the rows of all ``relations``, or of the mentions, of both sides."""
        gold, prediction = (
            side.relations if kind == "relations" else side.mentions
            for side in (self.gold, self.prediction)
        )
        return gold, prediction

    def take(self, kind: str, match: Match) -> Match:
        """Return the outcomes of ``relations``, or of mentions, with their own row numbers."""
        rows = []
        for places, among in zip(self.rows_of(kind), (match.gold, match.prediction), strict=True):
            own = np.full(int(places.max(initial=NONE)) + 2, NONE)
            own[places] = np.arange(len(places))
            rows.append(own[among])
        return replace(match, gold=rows[0], prediction=rows[1], columns={})

    def place(self, kind: str, match: Match) -> Match:
        """Turn outcomes of ``relations``, or of mentions, into outcomes of units."""
        golds, predictions = (np.append(rows, NONE) for rows in self.rows_of(kind))
        rows = golds[match.gold], predictions[match.prediction]
        return replace(match, gold=rows[0], prediction=rows[1], columns={})
