"""Scores by a hierarchy of the concepts of items, and of the pairs of concepts in relations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, rank_rows
from clineval.formats.pubtator.items import KIND
from clineval.formats.pubtator.scheme import RELATIONS, Scheme
from clineval.kinds.codes.hierarchical import list_nodes
from clineval.kinds.codes.hierarchy import AnyLineage
from clineval.kinds.codes.near_misses import explain
from clineval.kinds.codes.pairs import JOINED, split_pair, trace_pairs
from clineval.kinds.codes.placed import PlacedSides, Split, join_placed, place_values
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.parts import list_keys
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.protocols.hierarchies import trace
from clineval.protocols.placed_codes import HierarchyJudge
from clineval.results.columns import MentionColumns
from clineval.results.match import Match

CONCEPT = "concept"


def list_coded(scheme: Scheme, names: Sequence[str]) -> list[str]:
    """Return which kinds of items have concepts."""
    coded = [kind.name for kind in scheme.kinds if kind.coded]
    return [name for name in names if name in coded or name == RELATIONS]


@dataclass(frozen=True, slots=True)
class ItemJudge:
    """Scores the concepts of items by a hierarchy.

    Args:
        judge: scores codes at places.
        kinds: the scored kinds of items that have concepts.
    """

    judge: HierarchyJudge
    kinds: Sequence[str]

    def check(self, corpus: Corpus) -> None:
        """Reject gold concepts that are not in the hierarchy; count such predicted concepts."""
        sides = join_placed([place_items(corpus, kind, split_pair) for kind in self.kinds])
        self.judge.check(sides, corpus.documents)

    def list_matches(self, corpus: Corpus, uncounted: Mapping[str, IntArray]) -> Mapping[str, Rows]:
        """Return the outcomes of concepts and their ancestors.

        Args:
            corpus: both sides.
            uncounted: kind to the rows of predicted items that do not count.
        """
        matches: dict[str, Rows] = {}
        for kind in self.kinds:
            gold, prediction = place_items(corpus, kind)
            kept = ~np.isin(prediction.rows, uncounted.get(kind, ()))
            sides, name = (gold, prediction.take(kept)), self._name(kind)
            rows = list_nodes(sides, self._trace(sides, kind), self.judge.hierarchy.levels)
            matches |= {
                f"{name}{key}": replace(each, columns=columns_of(f"{name}{key}"))
                for key, each in rows.items()
            }
        return matches

    def _name(self, kind: str) -> str:
        """Return the beginning of the names of scores: the kind, if there are several."""
        return f"{kind}_" if len(self.kinds) > 1 else ""

    def explain(self, corpus: Corpus, matches: Mapping[str, Match]) -> Mapping[str, Match]:
        """Return how wrong concepts are related to gold concepts, by kind."""
        explained = {}
        for kind in self.kinds:
            sides = place_items(corpus, kind)
            explained[kind] = explain(sides, self._trace(sides, kind), matches[kind])
        return explained

    def _trace(self, sides: PlacedSides, kind: str) -> AnyLineage:
        if kind != RELATIONS:
            return trace(sides, self.judge.hierarchy, self.judge.fold)
        values = sides[0].values
        codes = tuple(dict.fromkeys(code for value in values for code in split_pair(value)))
        lineage = self.judge.hierarchy.over(codes, self.judge.fold).trace(codes)
        return trace_pairs(values, codes, lineage)


def place_items(corpus: Corpus, kind: str, split: Split = lambda value: (value,)) -> PlacedSides:
    """Place the concepts of items of a kind at their documents, types and fragments.

    Args:
        corpus: both sides.
        kind: the kind.
        split: returns the codes of a concept, or of a pair of concepts.
    """
    spans: dict[str, int] = {}
    keys = [list_keys(side, spans, (CONCEPT,)) for side in corpus.sides]
    ranks = rank_rows([np.concatenate(both) for both in zip(*keys, strict=True)])
    places = ranks[: len(corpus.gold)], ranks[len(corpus.gold) :]
    concepts = tuple(side.attributes[CONCEPT] for side in corpus.sides)

    def split_own(value: str) -> Iterable[str]:
        is_pair = JOINED in value
        return split(value) if value and is_pair == (kind == RELATIONS) else ()

    sides = place_values(corpus.sides, (concepts[0], concepts[1]), places, split_own)
    gold, prediction = (side.take(_is_of(side.columns, kind)[side.rows]) for side in sides)
    return gold, prediction


def _is_of(columns: MentionColumns, kind: str) -> BoolArray:
    column = columns.attributes[KIND]
    known = np.array([value == kind for value in column.values], np.bool_)
    return known[column.ids]
