"""Outcomes of mentions and relations together: each relation is a row, as a mention is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import IntArray
from clineval.kinds.mentions.columns import MentionColumns, concatenate
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.match import NONE, VERDICTS, Match
from clineval.kinds.mentions.outcomes import list_units
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.relations.columns import RelationColumns
from clineval.kinds.relations.corpus import RelatedCorpus

MATCHES = {
    "exact/span": "exact",
    "overlap/span": "overlap",
    "exact/both": "strict",
    "overlap/both": "lenient",
}
"""The pairings of a page, and the kinds of match of mentions and relations together."""


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The mentions and relations of one side as rows of one table, in the order of the text.

    Args:
        rows: the rows; the fragments of a relation are those of its source and its target.
        mentions: ``[n]``, the row of each mention; empty if they are not there.
        relations: ``[r]``, the row of each relation.
        sources: ``[n + r]``, how many fragments of each row are a relation's source's; 0 of a
            mention.
        arguments: ``[n + r, 2]``, how many rows after a relation its source and its target stand;
            0 of a mention, and where mentions are not there.
    """

    rows: Mentions
    mentions: IntArray
    relations: IntArray
    sources: IntArray
    arguments: IntArray

    @classmethod
    def of(cls, mentions: Mentions, relations: RelationColumns, slot: str, *, alone: bool) -> Units:
        """Return the units of one side.

        The slot says what a mention is, and gets the relations' labels too; ``alone`` leaves
        mentions out.
        """
        columns = mentions.columns
        related = relations.as_mentions(columns, slot)
        sizes = columns.fragment_counts[relations.source]
        if alone:
            size = len(related)
            nowhere = np.zeros((size, 2), np.int64)
            return cls(_as_side(related), columns.document[:0], np.arange(size), sizes, nowhere)
        labelled = replace(columns, attributes={slot: columns.attributes[slot]})
        both = concatenate([labelled, related])
        first = both.starts[both.bounds[:-1]] if len(both) else both.document
        order = np.lexsort((first, both.document))
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        rows = _as_side(both.take(order))
        sources = np.concatenate([np.zeros(len(columns), np.int64), sizes])[order]
        mentions_at, relations_at = np.split(places, [len(columns)])
        ends = np.column_stack([relations.source, relations.target])
        arguments = np.zeros((len(order), 2), np.int64)
        arguments[relations_at] = mentions_at[ends] - relations_at[:, None]
        return cls(rows, mentions_at, relations_at, sources, arguments)


def _as_side(columns: MentionColumns) -> Mentions:
    """Return rows that are no longer paired by their spans."""
    nothing = np.zeros(len(columns), np.int64)
    return Mentions(columns, nothing, nothing)


@dataclass(frozen=True, slots=True, eq=False)
class UnitCorpus:
    """Both sides of a corpus as units.

    Args:
        corpus: the units; it works as a corpus of mentions does, but for pairing.
        gold: the gold standard's.
        prediction: the system's.
    """

    corpus: Corpus
    gold: Units
    prediction: Units

    @classmethod
    def of(cls, corpus: RelatedCorpus, slot: str, *, alone: bool = False) -> UnitCorpus:
        """Return the units of a corpus; the arguments are those of :meth:`Units.of`."""
        mentions = corpus.mentions
        gold = Units.of(mentions.gold, corpus.gold, slot, alone=alone)
        prediction = Units.of(mentions.prediction, corpus.prediction, slot, alone=alone)
        units = Corpus(mentions.documents, gold.rows, prediction.rows, mentions.texts)
        return cls(units, gold, prediction)

    @property
    def sources(self) -> tuple[IntArray, IntArray]:
        """``[g]`` and ``[p]``, how many fragments of each unit are a relation's source's."""
        return self.gold.sources, self.prediction.sources

    @property
    def arguments(self) -> tuple[IntArray, IntArray]:
        """``[g, 2]`` and ``[p, 2]``, how many rows after each unit its arguments stand."""
        return self.gold.arguments, self.prediction.arguments

    def join(self, mentions: Pairs, relations: Pairs) -> Pairs:
        """Return pairs of mentions and pairs of relations as pairs of units."""
        return Pairs.joined(
            [self._pairs(mentions, "mentions"), self._pairs(relations, "relations")]
        )

    def _pairs(self, pairs: Pairs, kind: str) -> Pairs:
        gold, prediction = (getattr(side, kind) for side in (self.gold, self.prediction))
        if not len(gold) * len(prediction):
            return Pairs(gold[:0], prediction[:0])
        return Pairs(gold[pairs.gold], prediction[pairs.prediction], prediction[pairs.displaced])

    def list_match(self, kind: str, pairs: Pairs, columns: Mapping[str, tuple[str, ...]]) -> Match:
        """List the outcomes of ``mentions`` or ``relations``, paired by their rows.

        Columns are names of counts, each with the verdicts that it counts.
        """
        gold, prediction = getattr(self.gold, kind), getattr(self.prediction, kind)
        golds, predictions, verdicts = list_units(pairs, len(gold), len(prediction))
        rows = self.rows_of(kind, golds, predictions)
        return Match(*rows, verdicts, VERDICTS, columns)

    def split(
        self, match: Match, slot: str, columns: Mapping[str, Mapping[str, tuple[str, ...]]]
    ) -> Iterator[Match]:
        """Yield the outcomes of each of some labels."""
        gold, prediction = self.corpus.gold, self.corpus.prediction
        number = match.choose(gold.ids(slot), prediction.ids(slot))
        values = gold.columns.attributes[slot].values
        for label, counts in columns.items():
            known = label in values
            at = np.flatnonzero(number == values.index(label)) if known else number[:0]
            rows = match.gold[at], match.prediction[at], match.verdict[at]
            yield Match(*rows, match.verdicts, counts)

    def rows_of(self, kind: str, gold: IntArray, prediction: IntArray) -> tuple[IntArray, IntArray]:
        """Return the rows of units from those of mentions or relations; -1 for none."""
        known = (np.append(getattr(side, kind), NONE) for side in (self.gold, self.prediction))
        golds, predictions = known
        return golds[gold], predictions[prediction]
