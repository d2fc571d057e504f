"""Score ChEMU 2020 as brateval does: document by document, in the order of its hash tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from clineval.base.arrays import Coded, IntArray, find_first
from clineval.base.errors import InputError, listed, warn
from clineval.challenges.chemu20 import script_files
from clineval.challenges.chemu20.edits import edit_distance
from clineval.challenges.chemu20.measures import APPROX, ENTITIES, EXACT, MODES
from clineval.challenges.chemu20.quoted import QuotedCorpus
from clineval.challenges.chemu20.spec import Agree, Chemu, find_agreement
from clineval.formats.brat.standoff import FILES
from clineval.formats.given.forms import open_given
from clineval.kinds.documents import check_as_many
from clineval.kinds.mentions.columns import Side, share_values
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.items import QUOTE
from clineval.kinds.mentions.mention import Fragment
from clineval.kinds.mentions.overlap import find_candidates_in_parts
from clineval.kinds.relations.columns import RelatedSide, RelationColumns, unplaced
from clineval.kinds.relations.outcomes import pairs_first
from clineval.protocols.mentions_and_relations import LABEL, RELATIONS
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.match import NONE, VERDICTS, Match

_TP, _FP, _FN = map(VERDICTS.index, ("tp", "fp", "fn"))
Row = tuple[int, int, int]
"""The rows of a gold and a predicted annotation, and the verdict."""


class Entity(NamedTuple):
    """An entity: its label, its fragments and its words."""

    label: str
    spans: Sequence[Fragment]
    words: str


class Relation(NamedTuple):
    """A relation: its row name, and the numbers of its ends among the entities of the document."""

    name: str
    ends: tuple[int, int]


class Document(NamedTuple):
    """A side of a document, in the order in which the program visits it.

    Args:
        entities: the entities.
        relations: the relations.
        first: the rows of the first entity and of the first relation.
    """

    entities: Sequence[Entity]
    relations: Sequence[Relation]
    first: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the program compares two entities; exactly if the other has all fragments of the first.

    Args:
        mode: the kind of match.
        threshold: the least similarity of words.
        agree: compares labels.
    """

    mode: str
    threshold: float
    agree: Agree

    def fits(self, one: Entity, other: Entity) -> bool:
        """Return whether the program accepts the other entity for the first one."""
        return self._fits_in_place(one, other) and self.agree(one.label, other.label)

    def _fits_in_place(self, one: Entity, other: Entity) -> bool:
        if all(span in other.spans for span in one.spans):
            return True
        if self.mode == EXACT or not (_touch(one, other) or _touch(other, one)):
            return False
        return self.mode != APPROX or self._is_similar(one.words, other.words)

    def _is_similar(self, one: str, other: str) -> bool:
        """Compare words in UTF-16 units, with the errors of floating point."""
        units = [text.encode("utf-16-be", "surrogatepass") for text in (one, other)]
        texts = [[text[at : at + 2] for at in range(0, len(text), 2)] for text in units]
        longer = max(map(len, texts))
        allowed = math.floor((1.0 - self.threshold) * longer)
        if not longer or abs(len(texts[0]) - len(texts[1])) > allowed:
            return False
        distance = edit_distance(*texts)
        return distance <= allowed and 1.0 - distance / longer >= self.threshold


def _touch(one: Entity, other: Entity) -> bool:
    """Return whether a fragment begins or ends in a fragment of the other entity."""
    return any(
        low <= start < high or low < end <= high
        for start, end in one.spans
        for low, high in other.spans
    )


class Official(Chemu[Match]):
    """Score as the program does: the first annotation that fits is taken."""

    def read_side(self, given: object, side: str, _setup: Setup, /) -> RelatedSide:
        """Read one side; brat files and text are read as the program does."""
        related = RELATIONS in self.scored
        return open_given(
            given,
            side,
            RelatedSide,
            read_files=lambda source: script_files.read_files(source, related=related),
            read_items=script_files.read_objects,
            read_strings=lambda texts: script_files.read_strings(texts, related=related),
            lines_beside=FILES,
        )

    def join(self, gold: RelatedSide, predicted: RelatedSide, _setup: Setup, /) -> QuotedCorpus:
        """Join the documents of the gold standard.

        Raises:
            InputError: the system lacks a document, where the program stops.
        """
        numbers = _find_documents(gold.side, predicted.side)
        sides = [_take(self.keep_scored(predicted), numbers), self.keep_scored(gold)][::-1]
        labels = tuple(sorted({label for side in sides for label in side.relations.label.values}))
        relations = [side.share_labels(labels).relations for side in sides]
        columns = share_values([side.side.mentions for side in sides], {LABEL.name: ()})
        quotes = [side.side.mentions.attributes[QUOTE.name] for side in sides]
        golds, found = map(unplaced, columns)
        pairs = enumerate(zip(gold.side.documents, predicted.side.documents, strict=False))
        names = gold.side.documents
        if gold.side.keys is None or predicted.side.keys is None:
            names = tuple(one or other or str(at) for at, (one, other) in pairs)
        texts = {at: text for at, text in enumerate(gold.side.texts) if text is not None}
        corpus = Corpus(names, golds, found, texts)
        return QuotedCorpus(corpus, relations[0], relations[1], (quotes[0], quotes[1]))

    def pair(self, corpus: QuotedCorpus, setup: Setup, /) -> Mapping[str, Match]:
        """Return the outcome of each annotation under each kind of match."""
        documents = list(list_documents(corpus))
        near = list_near(corpus)
        found = {}
        for mode in MODES:
            comparison = Comparison(mode, setup["threshold"], find_agreement(setup))
            for kind in self.scored:
                match = partial(match_entities, near) if kind == ENTITIES else match_relations
                rows = [
                    (g if g == NONE else g + gold.first[kind],
                     p if p == NONE else p + system.first[kind], verdict)
                    for gold, system in documents
                    for g, p, verdict in match(gold, system, comparison)
                ]  # fmt: skip
                table = np.array(rows, np.int64).reshape(-1, 3).T
                found[f"{kind}_{mode}"] = pairs_first(*table)
        return found


def _find_documents(gold: Side, predicted: Side) -> IntArray:
    """Return the number in the gold standard of each predicted document; -1 if it has none."""
    if gold.keys is None or predicted.keys is None:
        check_as_many(len(predicted.documents), len(gold.documents))
        return np.arange(len(predicted.documents))
    places = {key: number for number, key in enumerate(gold.keys)}
    if missing := sorted(places.keys() - {*predicted.keys}):
        raise InputError(
            f"the released program stops, because {listed(missing)} has no file",
            where="predictions",
            remedy="Add an empty file, or use protocol='spec', which counts all as missed",
        )
    extra = [key for key in predicted.keys if key not in places]
    warn("{n} predicted {document is|documents are} not read, because the gold standard lacks "
         "{it|them}: {names}", extra)  # fmt: skip
    return np.array([places.get(key, -1) for key in predicted.keys], np.int64)


def _take(side: RelatedSide, numbers: IntArray) -> RelatedSide:
    """Return a side with these numbers of documents, without those below 0."""
    mentions, relations = side.side.mentions, side.relations
    rows, kept = (_sort(numbers[of.document]) for of in (mentions, relations))
    places = np.zeros(len(mentions), np.int64)
    places[rows] = np.arange(len(rows))
    taken = mentions.take(rows)
    document = numbers[taken.document].astype(np.int32)
    links = relations.take(kept)
    links = replace(
        links,
        document=numbers[links.document].astype(np.int32),
        source=places[links.source],
        target=places[links.target],
    )
    return RelatedSide(replace(side.side, mentions=replace(taken, document=document)), links)


def _sort(document: IntArray) -> IntArray:
    """Return the rows of documents that count, in the order of documents, then as they are."""
    order = np.argsort(document, kind="stable")
    return order[document[order] >= 0]


def list_documents(corpus: QuotedCorpus) -> Iterator[tuple[Document, Document]]:
    """Yield both sides of each document."""
    size = len(corpus.documents)
    sides = [
        _list_side(mentions.columns, relations, quotes, size)
        for (mentions, relations), quotes in zip(corpus.sides, corpus.quotes, strict=True)
    ]
    return zip(*sides, strict=True)


def _list_side(
    mentions: MentionColumns, relations: RelationColumns, quotes: Coded, size: int
) -> Iterator[Document]:
    fragments = list(zip(mentions.starts.tolist(), mentions.ends.tolist(), strict=True))
    spans = (fragments[low:high] for low, high in pairwise(mentions.bounds.tolist()))
    labels = mentions.attributes[LABEL.name]
    columns = (_values(labels), spans, _values(quotes))
    entities = list(map(Entity, *columns))
    ends = list(zip(relations.source.tolist(), relations.target.tolist(), strict=True))
    names = ["|".join((label, *(entities[end].label for end in pair)))
             for label, pair in zip(_values(relations.label), ends, strict=True)]  # fmt: skip
    bounds = [find_first(of.document, np.arange(size + 1)).tolist() for of in (mentions, relations)]
    for (first, last), (low, high) in zip(*map(pairwise, bounds), strict=True):
        links = [Relation(names[at], (ends[at][0] - first, ends[at][1] - first))
                 for at in range(low, high)]  # fmt: skip
        yield Document(entities[first:last], links, {ENTITIES: first, RELATIONS: low})


def _values(column: Coded) -> list[str]:
    return [column.values[at] for at in column.ids.tolist()]


Near = Callable[[Document, Document, int], Sequence[int]]
"""Returns the entities of the system that may fit a gold entity, in the program's order."""


def list_near(corpus: QuotedCorpus) -> Near:
    """Find the entities that overlap; if there are empty fragments, all entities are near."""
    gold, prediction = corpus.mentions.gold.columns, corpus.mentions.prediction.columns
    if any((of.ends <= of.starts).any() for of in (gold, prediction)):
        return lambda _gold, system, _at: range(len(system.entities))
    rows = np.arange(len(gold)), np.arange(len(prediction))
    found: dict[int, list[int]] = {}
    for part in find_candidates_in_parts(gold, prediction, *rows, corpus.documents):
        order = np.lexsort((part.prediction, part.gold))
        pairs = part.gold[order].tolist(), part.prediction[order].tolist()
        for one, other in zip(*pairs, strict=True):
            found.setdefault(one, []).append(other)

    def find(document: Document, system: Document, at: int) -> Sequence[int]:
        first = system.first[ENTITIES]
        return [row - first for row in found.get(document.first[ENTITIES] + at, ())]

    return find


def match_entities(
    near: Near, gold: Document, system: Document, comparison: Comparison
) -> Iterator[Row]:
    """Yield the outcomes of entities: each takes the first one that fits and is free."""
    free = dict.fromkeys(range(len(system.entities)))
    for at, entity in enumerate(gold.entities):
        fitting = (
            other
            for other in near(gold, system, at)
            if other in free and comparison.fits(entity, system.entities[other])
        )
        other = next(fitting, NONE)
        free.pop(other, None)
        yield at, other, _FN if other == NONE else _TP
    yield from ((NONE, other, _FP) for other in free)


def match_relations(gold: Document, system: Document, comparison: Comparison) -> Iterator[Row]:
    """Yield the outcomes of relations: each takes the first one of its name with ends that fit."""
    free: dict[str, dict[int, Relation]] = {}
    for at, relation in enumerate(system.relations):
        free.setdefault(relation.name, {})[at] = relation
    for at, relation in enumerate(gold.relations):
        named = free.get(relation.name, {})
        fitting = (
            other
            for other, found in named.items()
            if all(
                comparison.fits(gold.entities[one], system.entities[two])
                for one, two in zip(relation.ends, found.ends, strict=True)
            )
        )
        other = next(fitting, NONE)
        named.pop(other, None)
        yield at, other, _FN if other == NONE else _TP
    yield from ((NONE, at, _FP) for named in free.values() for at in named)


def has_lost_end(
    relation: Relation, own: Document, others: Document, comparison: Comparison
) -> bool:
    """Return whether an end of a relation fits no entity of the other side at all."""
    ends = (own.entities[end] for end in relation.ends)
    return any(not any(comparison.fits(end, one) for one in others.entities) for end in ends)
