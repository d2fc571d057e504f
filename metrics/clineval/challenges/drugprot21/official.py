"""DrugProt as its released library scores it."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import warn
from clineval.base.narrowing import as_type
from clineval.base.ratios import (
    Columns,
    Number,
    Totals,
    harmonic_mean,
    precision_recall_f1,
    prf_keys,
    ratio,
)
from clineval.challenges.drugprot21.slots import Slots
from clineval.challenges.drugprot21.spec import SPEC, TYPES
from clineval.challenges.drugprot21.tables import (
    Entity,
    Link,
    list_entities,
    list_rows,
    name_documents,
    prepare,
    read_entities,
    read_rows,
)
from clineval.formats.argument_tables import Files
from clineval.kinds.documents import Whole
from clineval.kinds.mentions.columns import Intake, Side
from clineval.kinds.mentions.corpus import renumber_intake
from clineval.kinds.mentions.items import ID
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.kinds.relations.columns import (
    NO_RELATIONS,
    RelatedCorpus,
    RelatedSide,
    RelationColumns,
)
from clineval.kinds.relations.given import give_mentions
from clineval.kinds.relations.measures import MICRO, TypedRelations
from clineval.kinds.relations.outcomes import pairs_first
from clineval.protocols.given_relations import GivenRelations
from clineval.protocols.relations import LABEL
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.match import NONE, VERDICTS, Match

_SINGLE = f"{MICRO}_single"
"""The count of corpora with a single pair of a chemical and a gene."""
Cell = tuple[int, int]
"""The number of a type, and a slot."""


@dataclass(frozen=True)
class ProgramScores(TypedRelations):
    """The scores as the library computes them: F1 from the rounded precision and recall."""

    def rate(self, key: str, totals: Totals) -> dict[str, Number]:
        """Compute F1 from precision and recall; a corpus of one pair has its accuracy thrice."""
        scores = precision_recall_f1(key, totals)
        p, r, f = prf_keys(key)[:3]
        if key == MICRO and _SINGLE in totals:
            wrong = totals[f"{key}_fp"] + totals[f"{key}_fn"]
            accuracy = ratio(len(self.labels) - wrong, len(self.labels))
            single = np.asarray(totals[_SINGLE]) > 0
            for name in (p, r):
                value = np.where(single, accuracy, scores[name])
                scores[name] = value if value.shape else float(value)
        scores[f] = harmonic_mean(scores[p], scores[r])
        return scores


@dataclass(frozen=True, slots=True, eq=False)
class ProgramSide(RelatedSide):
    """One side as the library reads it.

    Args:
        names: the name of each document, by which the library sorts them.
        entities: the entities in the order of lines.
        listed: the documents whose predictions count.
        types: the types of the relations that the library keeps.
    """

    names: tuple[str, ...]
    entities: Sequence[Entity]
    listed: Collection[str]
    types: frozenset[str]

    def with_links(self, links: Sequence[Link], intake: Intake | None = None) -> ProgramSide:
        """Return a copy with other relations; those without a slot are left out.

        ``intake`` holds facts from reading them.
        """
        pairs = Slots.assign(self.entities).of
        kept = [link for link in links if (link.document, link.chemical, link.gene) in pairs]
        warn("{n} {relation does|relations do} not count in the released library",
             n=len(links) - len(kept))  # fmt: skip
        mentions, numbers = self.side.mentions, {name: at for at, name in enumerate(self.names)}
        ids = mentions.attributes[ID.name]
        named = zip(mentions.document.tolist(), ids.ids.tolist(), strict=True)
        rows = {(at, ids.values[value]): row for row, (at, value) in enumerate(named)}
        places = [numbers[link.document] for link in kept]
        both = zip(places, kept, strict=True)
        ends = [(rows[at, link.chemical], rows[at, link.gene]) for at, link in both]
        source, target = np.array(ends, np.int64).reshape(-1, 2).T
        labels = Coded.of([link.label for link in kept])
        order = np.argsort(places, kind="stable")
        related = RelationColumns(np.array(places, np.int32), labels, source, target).take(order)
        types = frozenset(link.label for link in links)
        side = replace(self.side, intake=intake)
        return ProgramSide(side, related, self.names, self.entities, self.listed, types)


@dataclass(frozen=True, slots=True, eq=False)
class ProgramCorpus(Whole, RelatedCorpus):
    """Both sides, with the slots of their pairs.

    Args:
        slots: the slots.
        names: the name of each document, by which the library sorts them.
        types: the types of the relations that the library keeps, of both sides.
    """

    slots: Slots
    names: tuple[str, ...]
    types: tuple[frozenset[str], frozenset[str]]

    def list_cells(self, side: int) -> list[list[Cell]]:
        """List the cells of each relation of a side."""
        mentions, relations = self.sides[side]
        ids = mentions.columns.attributes[ID.name]
        ends = [
            [ids.values[at] for at in ids.ids[rows].tolist()]
            for rows in (relations.source, relations.target)
        ]
        names = [self.names[at] for at in relations.document.tolist()]
        labels = [TYPES.index(relations.label.values[at]) for at in relations.label.ids.tolist()]
        pairs = zip(names, *ends, strict=True)
        return [
            [(label, slot) for slot in self.slots.of.get(pair, ())]
            for label, pair in zip(labels, pairs, strict=True)
        ]


@dataclass(frozen=True)
class Official(GivenRelations):
    """Count the cells of types and slots; two documents can share a slot."""

    def read_gold(self, given: object, setup: Setup) -> ProgramSide:
        """Read the gold standard; tables are read as the library does."""
        if isinstance(given, ProgramSide):
            return given
        listed = self.list_documents(given, setup)
        if isinstance(given, (str, os.PathLike)) and self.files.is_table(given):
            files = Files.find(given, self.tables, setup["entities"])
            entities = read_entities(files.need_entities())
            names = tuple(dict.fromkeys(entity.document for entity in entities))
            related = RelatedSide(Side(names, names, _place(entities, names)), NO_RELATIONS)
            rows, stops = read_rows(files.relations), True
        else:
            related = self.files.read_gold(given, setup["entities"])
            names, stops = name_documents(related.side), False
            entities, rows = list_entities(related.side, names), list_rows(related, names)
        listed = frozenset(names) if listed is None else listed
        side = ProgramSide(related.side, NO_RELATIONS, names, entities, listed, frozenset())
        return side.with_links(prepare(rows, entities, None, "references", stops=stops))

    def read_predictions(self, given: object, gold: RelatedSide) -> RelatedSide:
        """Read predictions in the documents of the list, between the given mentions."""
        if not isinstance(gold, ProgramSide) or isinstance(given, ProgramSide):
            return as_type(given, ProgramSide)
        intake: Intake | None = None
        if isinstance(given, (str, os.PathLike)) and self.files.is_table(given):
            rows, stops = (
                read_rows(Files.find(given, self.tables, None).relations, gold.listed),
                True,
            )
        else:
            found = self.files.read_predictions(given, gold.side)
            names = found.side.keys or gold.names
            numbers = {name: at for at, name in enumerate(gold.names)}
            places = np.array([numbers.get(name, len(numbers)) for name in names], np.int64)
            intake = renumber_intake(found.side.intake, places, len(numbers))
            rows, stops = list_rows(give_mentions(gold, found, LABEL.name), names), False
        links = prepare(rows, gold.entities, gold.listed, "predictions", stops=stops)
        return gold.with_links(links, intake)

    def join(self, gold: RelatedSide, predicted: RelatedSide, setup: Setup, /) -> ProgramCorpus:
        """Join both sides, and number the slots of pairs."""
        first, second = (as_type(side, ProgramSide) for side in (gold, predicted))
        both = super().join(first, second, setup)
        slots, types = Slots.assign(first.entities), (first.types, second.types)
        return ProgramCorpus(both.mentions, both.gold, both.prediction, slots, first.names, types)

    def whole(self, _setup: Setup, /) -> str:
        """Return the reason why parts cannot be counted alone."""
        return "neighbouring documents share a slot. Count all documents at once"

    def list_matches(
        self, block: RelatedCorpus, _pairing: Pairs, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the outcome of each relation, and the counts of cells."""
        corpus = as_type(block, ProgramCorpus)
        golds, found = (_find_firsts(corpus.list_cells(side)) for side in (0, 1))
        match = _match_cells(corpus, golds, found)
        rows = Rows(match, (corpus.gold, corpus.prediction), columns_of(MICRO))
        split = self.score.split(rows, (corpus.gold.label, corpus.prediction.label), self.labels)
        return {MICRO: replace(split, recount=partial(_count_cells, corpus, golds, found))}

    def complete(
        self, block: RelatedCorpus, _pairing: Pairs, counted: Columns, _setup: Setup, /
    ) -> Columns:
        """Add the mark of a corpus with a single pair of a chemical and a gene."""
        single = np.zeros(len(block.documents), np.int64)
        single[:1] = as_type(block, ProgramCorpus).slots.pairs == 1
        return {**counted, _SINGLE: single}


def _find_firsts(cells: Sequence[Sequence[Cell]]) -> Mapping[Cell, int]:
    """Map each cell to the first relation that has it."""
    return {cell: row for row, of in reversed([*enumerate(cells)]) for cell in of}


def _match_cells(
    corpus: RelatedCorpus, golds: Mapping[Cell, int], found: Mapping[Cell, int]
) -> Match:
    """Pair the first gold and the first predicted relation of each cell.

    Relations whose cells belong to earlier relations are displaced.
    """
    used: tuple[set[int], set[int]] = (set(), set())
    rows = []
    shared = golds.keys() & found.keys()
    for cell in [*sorted(shared), *sorted(golds.keys() ^ found.keys())]:
        gold, prediction = golds.get(cell, NONE), found.get(cell, NONE)
        if gold in used[0] or prediction in used[1]:
            continue
        verdict = "fp" if gold == NONE else "fn" if prediction == NONE else "tp"
        rows.append((gold, prediction, VERDICTS.index(verdict)))
        for known, row in zip(used, (gold, prediction), strict=True):
            known.update({row} - {NONE})
    left = VERDICTS.index("displaced")
    rows += [(at, NONE, left) for at in range(len(corpus.gold)) if at not in used[0]]
    rows += [(NONE, at, left) for at in range(len(corpus.prediction)) if at not in used[1]]
    return pairs_first(*np.array(rows, np.int64).reshape(-1, 3).T)


def _count_cells(
    corpus: RelatedCorpus, golds: Mapping[Cell, int], found: Mapping[Cell, int], size: int
) -> Columns:
    """Count the cells of each type; a cell belongs to the document of its first relation."""
    first = {cell: corpus.prediction.document[row] for cell, row in found.items()}
    first |= {cell: corpus.gold.document[row] for cell, row in golds.items()}
    one, other = golds.keys(), found.keys()
    counts: dict[str, IntArray] = {}
    for verdict, cells in (("tp", one & other), ("fp", other - one), ("fn", one - other)):
        table = np.zeros((size, len(TYPES)), np.int64)
        for cell in cells:
            table[first[cell], cell[0]] += 1
        counts[f"{MICRO}_{verdict}"] = table.sum(axis=1)
        for at, label in enumerate(TYPES):
            counts[f"{label_key(label)}_{verdict}"] = table[:, at]
    return counts


def _place(entities: Sequence[Entity], names: Sequence[str]) -> MentionColumns:
    """Return the entities as mentions, each id of a document once, with its last type."""
    numbers = {name: at for at, name in enumerate(names)}
    labels = {(of.document, of.id): of.label for of in entities}
    places = {(of.document, of.id): of[3:] for of in reversed(entities)}
    keys = sorted(labels, key=lambda key: numbers[key[0]])
    spans = [[places[key]] for key in keys]
    slots = {LABEL.name: Coded.of([*map(labels.__getitem__, keys)])}
    slots[ID.name] = Coded.of([id_ for _, id_ in keys])
    return MentionColumns.of([numbers[name] for name, _ in keys], spans, slots)


OFFICIAL = Official(
    TYPES, roles=SPEC.roles, closed=SPEC.closed, tables=SPEC.tables, short=SPEC.short
)
"""The protocol of the released library."""
PROGRAM_SCORES = ProgramScores(**vars(SPEC.score))
