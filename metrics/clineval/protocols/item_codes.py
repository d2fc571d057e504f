"""Scores by a hierarchy of the concepts of items, and of the pairs of concepts in relations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, rank_rows
from clineval.kinds.codes.hierarchical import list_nodes
from clineval.kinds.codes.hierarchy import AnyLineage
from clineval.kinds.codes.near_misses import explain
from clineval.kinds.codes.pairs import split_pair, trace_pairs
from clineval.kinds.codes.placed import PlacedSides, Split, join_placed, place_values
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.parts import list_keys
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.protocols.hierarchies import trace
from clineval.protocols.placed_codes import HierarchyJudge
from clineval.results.columns import MentionColumns
from clineval.results.match import Match

CONCEPT = "concept"


@dataclass(frozen=True, slots=True)
class CodedKind:
    """A kind of items with concepts.

    Args:
        name: the name of the kind.
        paired: whether an item has two concepts, joined by a tab.
        prefix: what stands before the names of its scores.
        kind: the slot that holds the name of the kind.
        code: the slot that holds the concept.
    """

    name: str
    paired: bool
    prefix: str
    kind: str
    code: str

    def find(self, columns: MentionColumns) -> BoolArray:
        """Return which items, ``[n]``, belong to this kind."""
        column = columns.attributes[self.kind]
        known = np.array([value == self.name for value in column.values], np.bool_)
        return known[column.ids]

    def place(self, corpus: Corpus, split: Split = lambda value: (value,)) -> PlacedSides:
        """Place the concepts of items at their documents, types and fragments.

        Args:
            corpus: both sides.
            split: returns the codes of a concept, or of a pair of concepts.
        """
        spans: dict[str, int] = {}
        keys = [list_keys(side, spans, (self.code,)) for side in corpus.sides]
        ranks = rank_rows([np.concatenate(both) for both in zip(*keys, strict=True)])
        places = ranks[: len(corpus.gold)], ranks[len(corpus.gold) :]
        columns = [side.attributes[self.code] for side in corpus.sides]
        own = [self.find(side) for side in corpus.sides]
        used = {*columns[0].ids[own[0]].tolist(), *columns[1].ids[own[1]].tolist()}
        known = {columns[0].values[at] for at in used}

        def split_own(value: str) -> Iterable[str]:
            return split(value) if value in known else ()

        sides = place_values(corpus.sides, (columns[0], columns[1]), places, split_own)
        gold, prediction = (side.take(of[side.rows]) for side, of in zip(sides, own, strict=True))
        return gold, prediction


@dataclass(frozen=True, slots=True)
class ItemJudge:
    """Scores the concepts of items by a hierarchy.

    Args:
        judge: scores codes at places.
        kinds: the scored kinds of items that have concepts.
    """

    judge: HierarchyJudge
    kinds: Sequence[CodedKind]

    def check(self, corpus: Corpus) -> None:
        """Reject gold concepts that are not in the hierarchy; count such predicted concepts."""
        split = [split_pair if kind.paired else _keep for kind in self.kinds]
        each = [kind.place(corpus, of) for kind, of in zip(self.kinds, split, strict=True)]
        self.judge.check(join_placed(each), corpus.documents)

    def list_matches(self, corpus: Corpus, uncounted: Mapping[str, IntArray]) -> Mapping[str, Rows]:
        """Return the outcomes of concepts and their ancestors.

        Args:
            corpus: both sides.
            uncounted: kind to the rows of predicted items that do not count.
        """
        matches: dict[str, Rows] = {}
        for kind in self.kinds:
            gold, prediction = kind.place(corpus)
            kept = ~np.isin(prediction.rows, uncounted.get(kind.name, ()))
            sides = gold, prediction.take(kept)
            rows = list_nodes(sides, self._trace(sides, kind), self.judge.hierarchy.levels)
            names = {f"{kind.prefix}{key}": each for key, each in rows.items()}
            matches |= {k: replace(each, columns=columns_of(k)) for k, each in names.items()}
        return matches

    def explain(self, corpus: Corpus, matches: Mapping[str, Match]) -> Mapping[str, Match]:
        """Return how wrong concepts are related to gold concepts.

        Args:
            corpus: both sides.
            matches: kind to the match of equal items.
        """
        explained = {}
        for kind in self.kinds:
            sides, match = kind.place(corpus), matches[kind.name]
            explained[kind.name] = explain(sides, self._trace(sides, kind), match)
        return explained

    def _trace(self, sides: PlacedSides, kind: CodedKind) -> AnyLineage:
        if not kind.paired:
            return trace(sides, self.judge.hierarchy, self.judge.fold)
        values = sides[0].values
        codes = tuple(dict.fromkeys(code for value in values for code in split_pair(value)))
        lineage = self.judge.hierarchy.over(codes, self.judge.fold).trace(codes)
        return trace_pairs(values, codes, lineage)


def _keep(value: str) -> list[str]:
    return [value]
