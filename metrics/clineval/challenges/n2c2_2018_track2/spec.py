"""n2c2 2018 Track 2 by its definition, which the package's docstring states."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from clineval.base.arrays import BoolArray, Coded, FloatArray, IntArray
from clineval.base.ratios import Columns
from clineval.challenges.n2c2_2018_track2.measures import (
    CONCEPTS,
    LABELS,
    MODES,
    RELATIONS,
    SCORES,
)
from clineval.formats.given.relations import read_related
from clineval.kinds.mentions.corpus import Corpus, trace_sides
from clineval.kinds.mentions.labelled import Labels
from clineval.kinds.mentions.match import Match
from clineval.kinds.mentions.matching import closest, others, same_spans, same_value
from clineval.kinds.mentions.outcomes import ANY_CLASS, Outcomes, columns_of
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs, find_same_spans, pair_greedily
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.relations.columns import (
    NO_RELATIONS,
    RelatedCorpus,
    RelatedSide,
    RelationColumns,
)
from clineval.kinds.relations.outcomes import NO_ROWS, UnitCorpus, list_rows
from clineval.kinds.relations.pairing import pair_any_class, pair_relations
from clineval.results.challenge import Protocol, Setup

LABEL = Slot("label", "label", CONCEPTS, required=True)
ANY_LABEL = Slot("label", "label", required=True)
CorpusT = TypeVar("CorpusT", bound=RelatedCorpus)
PairedT = TypeVar("PairedT")
"""What pairing the concepts or the relations of a block gives."""


def kinds_of(config: str) -> tuple[str, ...]:
    """Return what a configuration scores."""
    return tuple(LABELS) if config == "default" else (config,)


def without_unscored(side: RelatedSide, setup: Setup) -> RelatedSide:
    """Return a side without relations where they are not scored."""
    return replace(side, relations=NO_RELATIONS) if setup.config == "concepts" else side


def units_of(corpus: RelatedCorpus, setup: Setup) -> UnitCorpus:
    """Put mentions and relations in one table, as far as they are scored."""
    return UnitCorpus.of(corpus, LABEL.name, alone=setup.config == "relations")


class ByKinds(Protocol[RelatedSide, CorpusT, Mapping[str, PairedT]]):
    """What protocols share: ``concepts_strict`` and so on are paired, counted and listed."""

    def tally(self, corpus: CorpusT, pairing: Mapping[str, PairedT], setup: Setup, /) -> Columns:
        """Count each document, and what the means over documents are made of."""
        columns: dict[str, IntArray | FloatArray] = {}
        for kind in kinds_of(setup.config):
            found = {name: of for name, of in SCORES.items() if of.kind == kind}
            for name, measure in found.items():
                tables = self.count(corpus, kind, pairing[name])
                for verdict, table in zip(("tp", "fp", "fn"), tables, strict=True):
                    names = (f"{key}_{verdict}" for key in (measure.name, *measure.keys.values()))
                    columns |= zip(names, table.T, strict=True)
            averaged = self.find_averaged(corpus, kind)
            columns[f"{kind}_macro_documents"] = averaged.astype(np.float64)
            for measure in found.values():
                columns |= measure.average(columns, averaged)
        return columns

    @abstractmethod
    def count(
        self, corpus: CorpusT, kind: str, paired: PairedT
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Count tp, fp and fn, ``[documents, 1 + labels]`` each: of all types, then of each."""

    @abstractmethod
    def find_averaged(self, corpus: CorpusT, kind: str) -> BoolArray:
        """Tell of each document, ``[documents]``, whether the means count it."""

    def list_outcomes(
        self, corpus: CorpusT, pairings: Sequence[Mapping[str, PairedT]], setup: Setup, /
    ) -> Outcomes:
        """List what became of every concept and relation; a relation has its arguments' words.

        ``concepts_strict`` and the like list all types, ``drug_strict`` and the like those of one,
        ``strict`` and ``lenient`` concepts and relations together; ``any_class`` pairs annotations
        of different types too. What ``exact`` and ``overlap`` pair is up to the protocol.
        """
        rows = self.list_rows(corpus, pairings)
        units = units_of(corpus, setup)
        found: dict[str, Match] = {}
        for name, match in rows.items():
            found |= _list_units(units, name, match)
        of_modes = {m: [rows.get(f"{kind}_{m}", NO_ROWS) for kind in LABELS] for m in MODES}
        found |= {mode: units.join(*of_kinds) for mode, of_kinds in of_modes.items()}
        found[ANY_CLASS] = units.join(*pair_any_class(corpus, *of_modes["lenient"]))
        sides = units.corpus.gold.columns, units.corpus.prediction.columns
        found["exact"], found["overlap"] = self.list_spans(found, units.corpus)
        return Outcomes.of(setup, corpus, found, ANY_CLASS, sides)

    @abstractmethod
    def list_rows(
        self, corpus: CorpusT, pairings: Sequence[Mapping[str, PairedT]]
    ) -> dict[str, Match]:
        """List the outcomes of ``concepts_strict`` and so on, in rows of either."""

    @abstractmethod
    def list_spans(self, found: Mapping[str, Match], units: Corpus) -> tuple[Match, Match]:
        """List the outcomes of the same and of overlapping fragments, given those of all modes."""


def _list_units(units: UnitCorpus, name: str, rows: Match) -> dict[str, Match]:
    """List the outcomes of one kind under one match: all, and those of each type."""
    measure = SCORES[name]
    of = "mentions" if measure.kind == "concepts" else measure.kind
    match = units.place(of, rows, columns_of(measure.name))
    return {name: match, **Labels(LABEL.name, measure.keys).split(units.corpus, match)}


class Spec(ByKinds[RelatedCorpus, Pairs]):
    """The challenge's definition."""

    def read_side(self, given: object, side: str, _setup: Setup, /) -> RelatedSide:
        """Read brat files or text, JSON Lines, dicts, Documents."""
        return read_related(given, LABEL, RELATIONS, side=side)

    def join(self, gold: RelatedSide, predicted: RelatedSide, setup: Setup, /) -> RelatedCorpus:
        """Bring both sides together, without relations where they are not scored."""
        return join_related(
            without_unscored(gold, setup), without_unscored(predicted, setup), LABEL
        )

    def pair(self, corpus: RelatedCorpus, setup: Setup, /) -> Mapping[str, Pairs]:
        """Return the strict and lenient pairs of what is scored."""
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
            left = (
                np.delete(np.arange(len(corpus.gold)), strict.gold),
                np.delete(np.arange(len(corpus.prediction)), strict.prediction),
            )
            near_relations = pair_relations(corpus, *left, find_near)
            found |= {
                "relations_strict": strict,
                "relations_lenient": Pairs.joined([strict, near_relations]),
            }
        return found

    def count(
        self, corpus: RelatedCorpus, kind: str, paired: Pairs
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Count the annotations that are paired, and those that are left."""
        gold, prediction = corpus.sides_of(kind, LABEL.name)
        size, labels = len(corpus.documents), LABELS[kind]
        tp = _tabulate(*prediction, paired.prediction, labels, size)
        found = _tabulate(*prediction, np.arange(len(prediction[0])), labels, size)
        return tp, found - tp, _tabulate(*gold, np.arange(len(gold[0])), labels, size) - tp

    def find_averaged(self, corpus: RelatedCorpus, kind: str) -> BoolArray:
        """Tell of each document whether it has any annotations of a kind."""
        documents = np.concatenate([document for document, _ in corpus.sides_of(kind, LABEL.name)])
        return np.asarray(np.bincount(documents, minlength=len(corpus.documents)) > 0)

    def list_rows(
        self, corpus: RelatedCorpus, pairings: Sequence[Mapping[str, Pairs]]
    ) -> dict[str, Match]:
        """List pairs, and what they leave."""
        blocks = list(corpus.blocks()) if len(pairings) > 1 else [corpus]
        rows = {}
        for name in pairings[0]:
            both = [block.sides_of(SCORES[name].kind, LABEL.name) for block in blocks]
            sizes = [[len(document) for document, _ in sides] for sides in both]
            *firsts, whole = np.cumsum([[0, 0], *sizes], axis=0).tolist()
            parts = (of[name].shift(*at) for of, at in zip(pairings, firsts, strict=True))
            rows[name] = list_rows(Pairs.joined(parts), *whole)
        return rows

    def list_spans(self, found: Mapping[str, Match], units: Corpus) -> tuple[Match, Match]:
        """List what overlaps whatever the types, and what of it has the same fragments."""
        widest = found[ANY_CLASS]
        gold, prediction = widest.gold[: widest.pairs], widest.prediction[: widest.pairs]
        same = same_spans(units.gold.columns, gold, units.prediction.columns, prediction)
        exact = Pairs(gold[same], prediction[same])
        return list_rows(exact, len(units.gold), len(units.prediction)), widest


def join_related(gold: RelatedSide, prediction: RelatedSide, slot: Slot) -> RelatedCorpus:
    """Bring gold and predictions together; the slot says what a mention is.

    Raises:
        InputError: documents are paired by position and differ in number or name.
    """
    mentions, rows = trace_sides(gold.side, prediction.side, [slot])
    both = gold.relations.label.values, prediction.relations.label.values
    labels = tuple(sorted({label for values in both for label in values}))
    documents = mentions.gold.columns.document, mentions.prediction.columns.document
    return RelatedCorpus(
        mentions,
        _arrange(gold.relations, rows[0], documents[0], labels),
        _arrange(prediction.relations, rows[1], documents[1], labels),
    )


def _arrange(
    relations: RelationColumns, rows: IntArray, documents: IntArray, labels: tuple[str, ...]
) -> RelationColumns:
    """Return relations between the rows of a corpus, in the order of arguments and each once."""
    source, target = rows[relations.source], rows[relations.target]
    label = relations.label.fold(str, labels)
    _, kept = np.unique(_number(source, target, label, len(documents)), return_index=True)
    return RelationColumns(
        documents[source[kept]], Coded(label.ids[kept], labels), source[kept], target[kept]
    )


def _number(source: IntArray, target: IntArray, label: Coded, mentions: int) -> IntArray:
    """Return a number for arguments, of so many mentions, and label, in their order."""
    ends = source.astype(np.int64) * mentions + target
    return ends * len(label.values) + label.ids


def pair_by_partners(corpus: RelatedCorpus, partners: Pairs) -> Pairs:
    """Pair relations of equal label whose arguments are each other's partners, in gold's order.

    No mention has two partners.
    """
    partner = np.full(len(corpus.mentions.prediction), -1)
    partner[partners.prediction] = partners.gold
    gold, prediction, size = corpus.gold, corpus.prediction, len(corpus.mentions.gold)
    source, target = partner[prediction.source], partner[prediction.target]
    known = _number(gold.source, gold.target, gold.label, size)
    wanted = _number(source, target, prediction.label, size)
    wanted[(source < 0) | (target < 0)] = -1
    at = np.searchsorted(known, wanted)
    found = np.flatnonzero(np.append(known, -2)[at] == wanted)
    found = found[np.argsort(at[found], kind="stable")]
    return Pairs(at[found], found)


def _find_near(corpus: Corpus, gold: IntArray, prediction: IntArray) -> Iterator[Candidates]:
    """Yield overlapping pairs of equal type among some mentions."""
    sides = corpus.gold.columns, corpus.prediction.columns
    for near in find_candidates_in_parts(*sides, gold, prediction, corpus.documents):
        yield near.take(same_value(near, corpus, LABEL))


def _tabulate(
    document: IntArray, label: Coded, rows: IntArray, labels: Sequence[str], size: int
) -> IntArray:
    """Count some rows in each document: of all types, and of each."""
    places = {name: at for at, name in enumerate(labels)}
    number = np.array([places.get(value, len(labels)) for value in label.values], np.int64)
    of_row = number[label.ids[rows]] if len(rows) else rows
    cells = document[rows].astype(np.int64) * (len(labels) + 1) + of_row
    counts = np.bincount(cells, minlength=size * (len(labels) + 1))
    table = counts.reshape(-1, len(labels) + 1)
    return np.column_stack([table.sum(axis=1), table[:, :-1]])
