"""Score ChEMU 2020 by its definition; see the package's docstring."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.errors import InputError, warn
from clineval.challenges.chemu20.likeness import are_alike, find_alike
from clineval.challenges.chemu20.measures import (
    APPROX,
    ENTITIES,
    EXACT,
    KINDS,
    LABELS,
    MODES,
    OVERLAP,
    KindSpans,
    declare,
)
from clineval.challenges.chemu20.quoted import QuotedCorpus, join_quoted
from clineval.challenges.chemu20.taxonomy import Taxonomy
from clineval.formats.given.relations import read_related
from clineval.formats.given.texts import with_texts
from clineval.kinds.mentions.best import choose_best
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.matching import same_spans, same_value
from clineval.kinds.mentions.outcomes import ANY_CLASS
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.relations.columns import NO_RELATIONS, RelatedCorpus, RelatedSide
from clineval.kinds.relations.kind import RelationKind
from clineval.kinds.relations.outcomes import UnitCorpus
from clineval.kinds.relations.pairing import find_related
from clineval.protocols.mentions_and_relations import (
    LABEL,
    RELATIONS,
    MentionsAndRelations,
    PairedT,
)
from clineval.results.challenge import Setup
from clineval.results.faces import Faces
from clineval.results.match import Match
from clineval.results.measures import Measures
from clineval.results.settings import Setting, declare_settings
from clineval.results.task import ClassSlot
from clineval.results.views import DocView, MentionView

_SAME_PLACE = "same_place"
_PAGE = {
    "exact/span": _SAME_PLACE,
    "overlap/span": ANY_CLASS,
    "exact/both": EXACT,
    "overlap/both": OVERLAP,
}
Agree = Callable[[str, str], bool]
"""Compares the labels of two mentions."""


def find_agreement(setup: Setup) -> Agree:
    """Return the test for labels that the options choose."""
    types, taxonomy = setup["types"], setup["taxonomy"]
    if types == "any":
        return lambda _one, _other: True
    if types == "hier" and isinstance(taxonomy, Taxonomy):
        return lambda one, other: one == other or taxonomy.share_type(one, other)
    return lambda one, other: one == other


@dataclass(frozen=True)
class Chemu(MentionsAndRelations[QuotedCorpus, PairedT]):
    """The common part of both protocols.

    Args:
        scored: the kinds of annotation that are scored.
    """

    kinds = KINDS
    modes = MODES
    kind = RelationKind(ClassSlot(LABEL.name, "label"), slots_of=lambda _: (LABEL,))
    scored: tuple[str, ...] = KINDS

    @cached_property
    def scores(self) -> Mapping[str, KindSpans]:
        """The scores, by the name of the pairing that they count."""
        return declare(self.scored)

    @property
    def measures(self) -> Measures:
        """The scores; exact ones rank systems."""
        ranking = tuple(of.headline[0] for name, of in self.scores.items() if EXACT in name)
        return Measures.of(*self.scores.values(), ranking={"default": ranking})

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[RelatedSide, list[RelatedSide]]:
        """Read both sides, with the texts of the notes."""
        gold, systems = super().read(references, predictions, setup)
        return with_texts(gold, setup["texts"]), systems

    def known_labels(self, _setup: Setup, /) -> Collection[str]:
        """Return the labels that are scored separately."""
        return [label for kind in self.scored for label in LABELS[kind]]

    own_settings = declare_settings(
        Setting("types", "the types that count", option="--types"),
        Setting("threshold", "the least similarity of spans that match", option="--threshold"),
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the options that affect the numbers."""
        return {"types": setup["types"], "threshold": repr(setup["threshold"])}

    def list_spans(self, found: Mapping[str, Match], units: UnitCorpus) -> Mapping[str, Match]:
        """Return the pairs with identical fragments, whatever the labels."""
        return {_SAME_PLACE: units.keep_same_spans(found[ANY_CLASS])}

    @property
    def faces(self) -> Faces:
        """A page of entities and relations, and Docs with relations."""
        return Faces(
            page=MentionView(matches=_PAGE),
            docs=self.docs,
            notes_apart=True,
        )

    @property
    def docs(self) -> DocView:
        """Docs with relations; each configuration has its own scores in the training table."""
        columns = {kind: Measures.of(*declare((kind,)).values()).headline for kind in KINDS}
        return DocView(
            "ch",
            {"default": self.measures.headline, **columns},
            slots=lambda _: (LABEL,),
            format="brat",
            take=list,
            relations="id",
        )

    def keep_scored(self, side: RelatedSide) -> RelatedSide:
        """Return a side, without its relations if they are not scored."""
        return side if RELATIONS in self.scored else replace(side, relations=NO_RELATIONS)


class Spec(Chemu[Pairs]):
    """The largest one-to-one pairing under each kind of match."""

    def read_side(self, given: object, side: str, setup: Setup, /) -> RelatedSide:
        """Read brat files or text, JSON Lines, dicts or Documents.

        Raises:
            InputError: a side is invalid, or types are compared without a taxonomy.
        """
        if setup["types"] == "hier" and setup["taxonomy"] is None:
            raise InputError(
                "types='hier' needs to know which types are kinds of others",
                where="taxonomy",
                remedy="Pass the path of brat's annotation.conf as taxonomy",
            )
        return read_related(given, LABEL, (), side=side, quotes=True)

    def join(self, gold: RelatedSide, predicted: RelatedSide, _setup: Setup, /) -> QuotedCorpus:
        """Join both sides; warn about mentions without words."""
        corpus = join_quoted(self.keep_scored(gold), self.keep_scored(predicted), LABEL)
        silent = sum(sum(not of.values[at] for at in of.ids.tolist()) for of in corpus.quotes)
        warn(
            "{n} {mention has|mentions have} neither words nor a note, and {is|are} similar to "
            "none: approx is then exact. Give the text of each document",
            n=silent,
        )
        return corpus

    def pair(self, corpus: QuotedCorpus, setup: Setup, /) -> Mapping[str, Pairs]:
        """Return the largest pairing of the kinds that are scored, for each kind of match."""
        mentions = corpus.mentions
        near = _find_near(mentions, find_agreement(setup))
        same = _same_places(mentions, near.gold, near.prediction)
        alike = find_alike(near, corpus.quotes, are_alike(setup["threshold"]))
        found: dict[str, Pairs] = {}
        for mode, kept in ((EXACT, same), (OVERLAP, same | True), (APPROX, same | alike)):
            some = near.take(kept)
            if ENTITIES in self.scored:
                found[f"{ENTITIES}_{mode}"] = _pair_entities(mentions, some)
            if RELATIONS in self.scored:
                found[f"{RELATIONS}_{mode}"] = _pair_relations(corpus, some)
        return found


def _find_near(mentions: Corpus, agree: Agree) -> Candidates:
    """Find the overlapping pairs of mentions whose labels agree, in the order of rows."""
    gold, prediction = mentions.gold.columns, mentions.prediction.columns
    rows = np.arange(len(gold)), np.arange(len(prediction))
    parts = find_candidates_in_parts(gold, prediction, *rows, mentions.documents)
    near = Candidates.joined([Candidates(*(rows[0][:0],) * 3), *parts])
    labels = gold.attributes[LABEL.name], prediction.attributes[LABEL.name]
    table = [[agree(one, other) for other in labels[1].values] for one in labels[0].values]
    fits = np.array(table, np.bool_).reshape(len(labels[0].values), len(labels[1].values))
    near = near.take(fits[labels[0].ids[near.gold], labels[1].ids[near.prediction]])
    return near.take(np.lexsort((near.prediction, near.gold)))


def _same_places(mentions: Corpus, gold: IntArray, prediction: IntArray) -> BoolArray:
    """Return which pairs of rows have the same fragments."""
    return same_spans(mentions.gold.columns, gold, mentions.prediction.columns, prediction)


def _pair_entities(mentions: Corpus, near: Candidates) -> Pairs:
    """Choose as many pairs as possible; in ties most of equal place and label."""
    label = same_value(near, mentions, LABEL)
    place = _same_places(mentions, near.gold, near.prediction)
    counts = [np.asarray(of, np.int64) for of in (place & label, place, label)]
    chosen = near.take(choose_best(near, [*counts, near.shared]))
    return Pairs(chosen.gold, chosen.prediction)


def _pair_relations(corpus: RelatedCorpus, near: Candidates) -> Pairs:
    """Choose as many pairs of relations as possible; in ties most with equal ends."""
    related, mentions = find_related(corpus, near), corpus.mentions
    equal = [
        _same_places(mentions, gold[related.gold], prediction[related.prediction])
        for gold, prediction in (
            (corpus.gold.source, corpus.prediction.source),
            (corpus.gold.target, corpus.prediction.target),
        )
    ]
    counts = [np.asarray(equal[0] & equal[1], np.int64), related.shared]
    chosen = related.take(choose_best(related, counts))
    return Pairs(chosen.gold, chosen.prediction)
