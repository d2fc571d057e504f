"""Score n2c2 2018 Track 2 by its definition; see the package's docstring."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray
from clineval.base.ratios import Columns
from clineval.challenges.n2c2_2018_track2.measures import (
    CONCEPTS,
    LABELS,
    MODES,
    RELATIONS,
    SCORES,
    Typed,
)
from clineval.formats.given.relations import read_related
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.matching import closest, others, same_value
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs, find_same_spans, pair_greedily
from clineval.kinds.relations.columns import NO_RELATIONS, RelatedCorpus, RelatedSide
from clineval.kinds.relations.joining import join_related, pair_by_partners
from clineval.kinds.relations.kind import RelationKind
from clineval.kinds.relations.pairing import pair_relations
from clineval.protocols.mentions_and_relations import CorpusT, MentionsAndRelations, PairedT
from clineval.results.challenge import Setup
from clineval.results.slots import Slot
from clineval.results.task import ClassSlot

LABEL = Slot("label", "label", CONCEPTS, required=True)
ANY_LABEL = Slot("label", "label", required=True)


def kinds_of(config: str) -> tuple[str, ...]:
    """Return the kinds of annotation that a configuration scores."""
    return tuple(LABELS) if config == "default" else (config,)


def without_unscored(side: RelatedSide, setup: Setup) -> RelatedSide:
    """Return a side, without its relations if they are not scored."""
    return replace(side, relations=NO_RELATIONS) if setup.config == "concepts" else side


class ByKinds(MentionsAndRelations[CorpusT, PairedT]):
    """The common part of both protocols: they count pairings such as ``concepts_strict``."""

    kinds = tuple(LABELS)
    modes = tuple(MODES)
    kind = RelationKind(
        ClassSlot("label", "label"), slots_of=lambda _: (ANY_LABEL,), labels=RELATIONS
    )

    @property
    def scores(self) -> Mapping[str, Typed]:
        """The scores, by the name of the pairing that they count."""
        return SCORES

    def complete(
        self, block: CorpusT, pairing: Mapping[str, PairedT], counted: Columns, setup: Setup, /
    ) -> Columns:
        """Add the counts for the means over documents."""
        columns: dict[str, IntArray | FloatArray] = {}
        for kind in kinds_of(setup.config):
            found = [SCORES[name] for name in pairing if SCORES[name].kind == kind]
            for measure in found:
                keys = measure.name, *measure.keys.values()
                names = (f"{key}_{verdict}" for verdict in ("tp", "fp", "fn") for key in keys)
                columns |= {name: counted[name] for name in names}
            averaged = self.find_averaged(block, kind)
            columns[f"{kind}_macro_documents"] = averaged.astype(np.float64)
            for measure in found:
                columns |= measure.average(columns, averaged)
        return columns

    @abstractmethod
    def find_averaged(self, corpus: CorpusT, kind: str) -> BoolArray:
        """Return whether the means include each document, ``[documents]``."""


class Spec(ByKinds[RelatedCorpus, Pairs]):
    """Score by the challenge's definition."""

    def read_side(self, given: object, side: str, _setup: Setup, /) -> RelatedSide:
        """Read brat files or text, JSON Lines, dicts or Documents."""
        return read_related(given, LABEL, RELATIONS, side=side)

    def join(self, gold: RelatedSide, predicted: RelatedSide, setup: Setup, /) -> RelatedCorpus:
        """Join both sides, without relations if they are not scored."""
        return join_related(
            without_unscored(gold, setup), without_unscored(predicted, setup), [LABEL]
        )

    def pair(self, corpus: RelatedCorpus, setup: Setup, /) -> Mapping[str, Pairs]:
        """Return the strict and lenient pairs of the kinds that are scored."""
        kinds, mentions = kinds_of(setup.config), corpus.mentions
        same = find_same_spans(mentions)
        same = same.take(same_value(same, mentions, LABEL))
        find_near = partial(_find_near, mentions)
        found: dict[str, Pairs] = {}
        if "concepts" in kinds:
            left = others(same.gold, mentions.gold), others(same.prediction, mentions.prediction)
            order = closest(mentions)
            near = (pair_greedily(part, order) for part in find_near(*left))
            found |= {"concepts_strict": same, "concepts_lenient": Pairs.joined([same, *near])}
        if "relations" in kinds:
            strict = pair_by_partners(corpus, same)
            left = others(strict.gold, corpus.gold), others(strict.prediction, corpus.prediction)
            near_relations = pair_relations(corpus, *left, find_near)
            found |= {
                "relations_strict": strict,
                "relations_lenient": Pairs.joined([strict, near_relations]),
            }
        return found

    def find_averaged(self, corpus: RelatedCorpus, kind: str) -> BoolArray:
        """Return whether each document has annotations of a kind, ``[documents]``."""
        documents = np.concatenate([side.document for side in corpus.annotations_of(kind)])
        return np.asarray(np.bincount(documents, minlength=len(corpus.documents)) > 0)


def _find_near(corpus: Corpus, gold: IntArray, prediction: IntArray) -> Iterator[Candidates]:
    """Yield the overlapping pairs of mentions with the same type."""
    sides = corpus.gold.columns, corpus.prediction.columns
    for near in find_candidates_in_parts(*sides, gold, prediction, corpus.documents):
        yield near.take(same_value(near, corpus, LABEL))
