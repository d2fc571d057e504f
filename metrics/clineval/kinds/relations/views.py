"""Views of mentions and relations as sets: with and without types, and relations by their source.

The units of a view are compared as sets: equal units of a document count once. They are 64-bit
hashes, so that a view of a large corpus is two columns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.base.hashing import ODD, Hashes, hash_text, mix
from clineval.base.ratios import Columns
from clineval.kinds.mentions.digest import hash_mentions
from clineval.kinds.relations.columns import RelatedSide
from clineval.results.match import VERDICTS


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The units of one side; different documents have different units.

    Args:
        document: ``[n]``, the number of each unit's document.
        units: ``[n]``, the units, which may repeat.
    """

    document: IntArray
    units: Hashes

    @property
    def once(self) -> View:
        """The view without repeats, sorted by unit."""
        units, rows = np.unique(self.units, return_index=True)
        return View(self.document[rows], units)

    def count(self, predicted: View, documents: int, name: str) -> Columns:
        """Count the units that both sides have, and those of one side, for each document.

        Args:
            predicted: the view of the system's side; this is the gold standard's.
            documents: the number of documents.
            name: the beginning of the names of the counts.
        """
        gold, found = self.once, predicted.once
        same = np.isin(gold.units, found.units, assume_unique=True)
        tp = np.bincount(gold.document[same], minlength=documents)
        fp, fn = (np.bincount(of.document, minlength=documents) - tp for of in (found, gold))
        counts = zip(VERDICTS, (tp, fp, fn), strict=False)
        return {f"{name}_{verdict}": count for verdict, count in counts}


@dataclass(frozen=True, slots=True, eq=False)
class Keys:
    """Mentions and relations of one side as keys: equal ones have equal keys.

    Args:
        document: ``[n]``, the number of each mention's document.
        mentions: ``[n]``, the key of each mention.
        source: ``[r]``, the row of each relation's source.
        relations: ``[r]``, the key of each relation: its ends, and perhaps its label.
    """

    document: IntArray
    mentions: Hashes
    source: IntArray
    relations: Hashes

    @classmethod
    def of(cls, side: RelatedSide, numbers: IntArray, slot: str, *, typed: bool) -> Keys:
        """Return the keys of a side.

        Args:
            side: the side; mentions are compared by their fragments, as they are spelled.
            numbers: the number of each document of the side, equal on both sides.
            slot: the slot with the label of a mention.
            typed: whether to compare the labels of mentions and relations.
        """
        columns, links = side.side.mentions, side.relations
        document = numbers[columns.document] if len(columns) else columns.document
        bare = replace(columns, attributes={"spelling": columns.spelling})
        mentions = mix(hash_mentions(bare) * ODD + document.astype(np.uint64))
        labels = np.zeros(len(links), np.uint64)
        if typed:
            mentions = mix(mentions * ODD + _hash_values(columns.attributes[slot]))
            labels = _hash_values(links.label)
        ends = mix(mentions[links.source] * ODD + mentions[links.target])
        return cls(document, mentions, links.source, mix(ends * ODD + labels))

    def view_mentions(self) -> View:
        """Return each mention as a unit."""
        return View(self.document, self.mentions)

    def view_relations(self) -> View:
        """Return each relation as a unit."""
        return View(self.document[self.source], self.relations)

    def view_sources(self, *, merged: bool) -> View:
        """Return each source with all its relations as a unit.

        Args:
            merged: whether equal mentions are one source, and equal relations count once. If not,
                each mention with relations is a source; an equal mention without relations is a
                unit of its own.
        """
        relations = np.unique(self.relations, return_index=True)[1] if merged else ...
        source, own = self.source[relations], self.relations[relations]
        sources = self.mentions[source] if merged else source
        _, first, group = np.unique(sources, return_index=True, return_inverse=True)
        sums = np.zeros(len(first), np.uint64)
        np.add.at(sums, group, own)
        rows = source[first]
        units = mix(sums * ODD + self.mentions[rows])
        bare = np.flatnonzero(np.zeros(0) if merged else self._has_no_relation())
        document = np.concatenate([self.document[rows], self.document[bare]])
        return View(document, np.concatenate([units, self.mentions[bare]]))

    def _has_no_relation(self) -> BoolArray:
        """Return which mentions have no relation, although an equal one has, ``[n]``."""
        alone = ~np.isin(np.arange(len(self.mentions)), self.source)
        return alone & np.isin(self.mentions, self.mentions[self.source])


def _hash_values(column: Coded) -> Hashes:
    """Hash the value of each row."""
    return np.array([hash_text(value) for value in column.values], np.uint64)[column.ids]
