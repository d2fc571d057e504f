"""Pairing and counting as the released script of n2c2 2018 Track 2 does, document by document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, find_first
from clineval.base.errors import called, warn
from clineval.base.ratios import Columns
from clineval.challenges.n2c2_2018_track2 import official, spec
from clineval.challenges.n2c2_2018_track2.official import OfficialSide
from clineval.formats.given.relations import read_related
from clineval.kinds.documents import check_as_many
from clineval.kinds.mentions.batches import MOST_PAIRS, too_many_pairs
from clineval.kinds.mentions.columns import MentionColumns, Side, share_values
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.kinds.relations.corpus import RelatedCorpus, RelatedWhole
from clineval.results.challenge import Setup

Names = Mapping[str, IntArray]
"""Kind to ``[n]``, the numbers of ids, as in :class:`OfficialSide`."""


@dataclass(frozen=True, slots=True, eq=False)
class OfficialCorpus(RelatedWhole):
    """Both sides of the documents that both sides have, with annotations in the order of lines.

    Args:
        names: of either side, what :class:`OfficialSide` says of names.
    """

    names: tuple[Names, Names]


def join(gold: RelatedSide, predicted: RelatedSide, setup: Setup) -> OfficialCorpus:
    """Bring both sides together; skip documents that only one side has."""
    numbers = _find_common(gold, predicted)
    given = [spec.without_unscored(side, setup) for side in (gold, predicted)]
    sides = [_keep(side, of) for side, of in zip(given, numbers.T, strict=True)]
    mentions = share_values([side for side, *_ in sides], {spec.LABEL.name: ()})
    values = tuple(sorted({value for _, some, _ in sides for value in some.label.values}))
    related = [replace(some, label=some.label.fold(str, values)) for _, some, _ in sides]
    documents, texts = _name(gold.side, predicted.side, numbers)
    corpus = Corpus(documents, _unnumbered(mentions[0]), _unnumbered(mentions[1]), texts)
    return OfficialCorpus(corpus, related[0], related[1], (sides[0][2], sides[1][2]))


def _find_common(gold: RelatedSide, predicted: RelatedSide) -> IntArray:
    """Return the documents that both sides have, ``[documents, 2]``: their numbers on either."""
    keys = gold.side.keys, predicted.side.keys
    if keys[0] is None or keys[1] is None:
        size = len(gold.side.documents)
        check_as_many(len(predicted.side.documents), size)
        return np.column_stack([np.arange(size), np.arange(size)])
    problem = "{n} {document is|documents are} on one side only and {does|do} not count"
    warn(f"{problem}: {{names}}", sorted({*keys[0]} ^ {*keys[1]}))
    places = {key: number for number, key in enumerate(keys[1])}
    common = [(number, places[key]) for number, key in enumerate(keys[0]) if key in places]
    return np.array(common, np.int64).reshape(-1, 2)


def _name(gold: Side, predicted: Side, numbers: IntArray) -> tuple[tuple[str, ...], dict[int, str]]:
    """Return the names of some documents, and the texts that are known."""
    pairs = numbers.tolist()
    names = (gold.documents[n] or predicted.documents[m] or str(n) for n, m in pairs)
    texts = {
        at: text
        for side, of in ((gold, 0), (predicted, 1))
        for at, pair in enumerate(pairs)
        if side.texts and (text := side.texts[pair[of]]) is not None
    }
    return tuple(names), texts


def _keep(side: RelatedSide, documents: IntArray) -> tuple[MentionColumns, RelationColumns, Names]:
    """Take some documents, renumbered; mentions reach from the first start to the last end."""
    mentions, relations = side.side.mentions, side.relations
    number = np.full(len(side.side.documents), -1, np.int32)
    number[documents] = np.arange(len(documents))
    rows, related = (_sort(number[of.document]) for of in (mentions, relations))
    taken, kept = mentions.take(rows), relations.take(related)
    firsts, lasts = taken.bounds[:-1], taken.bounds[1:] - 1
    hull = MentionColumns(
        number[taken.document],
        np.arange(len(rows) + 1),
        taken.starts[firsts],
        taken.ends[lasts],
        {spec.LABEL.name: taken.attributes[spec.LABEL.name]},
    )
    place = np.zeros(len(mentions), np.int64)
    place[rows] = np.arange(len(rows))
    ends = place[kept.source], place[kept.target]
    names = {"concepts": rows, "relations": related}
    if isinstance(side, OfficialSide):
        names = {kind: side.names[kind][at] for kind, at in names.items()}
    return hull, RelationColumns(number[kept.document], kept.label, *ends), names


def _unnumbered(columns: MentionColumns) -> Mentions:
    """Return mentions that are not paired by the numbers of their spans."""
    nothing = np.zeros(len(columns), np.int64)
    return Mentions(columns, nothing, nothing)


def _sort(document: IntArray) -> IntArray:
    """Return the rows of documents that count, in the order of documents, then of lines."""
    order = np.argsort(document, kind="stable")
    return order[document[order] >= 0]


Concept = tuple[int, int, int]
"""Number of the type, start, end."""
Value = Any
"""A concept; or number of the type and both arguments of a relation."""
Test = Callable[[Value, Value], bool]
Near = Mapping[Value, Sequence[int]]
"""Prediction to the rows of the gold annotations that it matches."""


def pair(corpus: OfficialCorpus, setup: Setup) -> spec.Pairing:
    """Return the hits of both modes, and the predictions that are dropped."""
    kinds = spec.kinds_of(setup.config)
    sides = {k: [_list_values(corpus, side, k) for side in ("gold", "prediction")] for k in kinds}
    pairing = {}
    for mode, find in (("strict", _find_same), ("lenient", _find_overlapping)):
        for kind in kinds:
            documents = zip(corpus.documents, *sides[kind], strict=True)
            pairing[f"{kind}_{mode}"] = Pairs.joined(
                match_document(gold, found, partial(find, kind, name)).shift(first, other)
                for name, (first, gold), (other, found) in documents
            )
    return pairing


def _list_values(corpus: RelatedCorpus, side: str, kind: str) -> Sequence[tuple[int, list[Value]]]:
    """List the annotations of each document, and the row of the first."""
    columns = getattr(corpus.mentions, side).columns
    document, label = columns.document, columns.attributes[spec.LABEL.name]
    ends: Sequence[Iterable[Any]] = (columns.starts.tolist(), columns.ends.tolist())
    if kind == "relations":
        concepts = list(zip(label.ids.tolist(), *ends, strict=True))
        relations: RelationColumns = getattr(corpus, side)
        document, label = relations.document, relations.label
        ends = [
            map(concepts.__getitem__, of.tolist()) for of in (relations.source, relations.target)
        ]
    values = list(zip(label.ids.tolist(), *ends, strict=True))
    bounds = find_first(document, np.arange(len(corpus.documents) + 1)).tolist()
    return [(first, values[first:last]) for first, last in pairwise(bounds)]


def match_document(
    gold: Sequence[Value], found: Sequence[Value], find: Callable[..., Near]
) -> Pairs:
    """Pair one document as the script does: prediction by prediction, in the order of lines.

    A prediction takes all gold annotations that it matches, whatever becomes of it. It is a hit if
    none of them was taken before, and is dropped otherwise.
    """
    rows = dict(zip(reversed(gold), reversed(range(len(gold))), strict=True))  # the first of copies
    near = find(rows, dict.fromkeys(found))
    taken: set[int] = set()
    hits, dropped = [], []
    for at, value in enumerate(found):
        matched = near.get(value)
        if matched:
            if taken.isdisjoint(matched):
                hits.append((min(matched), at))
            else:
                dropped.append(at)
            taken.update(matched)
    pairs = np.array(hits, np.int64).reshape(-1, 2)
    return Pairs(pairs[:, 0], pairs[:, 1], np.array(dropped, np.int64))


def _find_same(_kind: str, _name: str, gold: Mapping[Value, int], found: Iterable[Value]) -> Near:
    return {value: [gold[value]] for value in found if value in gold}


def _find_overlapping(
    kind: str, name: str, gold: Mapping[Value, int], found: Iterable[Value]
) -> Near:
    """Compare each with each, and find what overlaps.

    Raises:
        InputError: more than :data:`MOST_PAIRS` concepts, or sources of relations, overlap.
    """
    meets, fits = _TESTS[kind]
    near, total = {}, 0
    for value in found:
        met = [other for other in gold if meets(other, value)]
        total += len(met)
        if total > MOST_PAIRS:
            what = "mentions" if kind == "concepts" else kind
            raise too_many_pairs(f"document {called(name)}", what)
        near[value] = [gold[other] for other in met if fits(other, value)]
    return near


def _overlap(gold: Concept, found: Concept) -> bool:
    return gold[2] > found[1] and gold[1] < found[2]


def _match(gold: Concept, found: Concept) -> bool:
    return gold[0] == found[0] and gold[2] > found[1] and gold[1] < found[2]


_TESTS: Mapping[str, tuple[Test, Test]] = {
    "concepts": (_overlap, lambda gold, found: gold[0] == found[0]),
    "relations": (
        lambda gold, found: _match(gold[1], found[1]),
        lambda gold, found: gold[0] == found[0] and _match(gold[2], found[2]),
    ),
}
"""Kind to which pairs count towards the limit, and which of these match leniently."""


@dataclass(frozen=True, slots=True, eq=False)
class CountedNames(spec.Counted):
    """Annotations to be counted; those of equal number in ``names`` count as one.

    Args:
        names: ``[n]`` of either side.
    """

    names: Sequence[IntArray]

    def visited(self) -> BoolArray:
        """Count every document, also those without annotations."""
        return np.ones(self.documents, np.bool_)

    def tabulate(self, side: int, rows: IntArray, labels: Sequence[str]) -> IntArray:
        """Count the names of some rows in each document: of all types, and of each."""
        places = {label: at for at, label in enumerate(labels, 1)}
        column = [places.get(value, -1) for value in self.label[side].values]
        of = self.document[side], self.label[side].ids, self.names[side]
        table = np.zeros((self.documents, len(labels) + 2), np.int64)  # the last of other types
        cells = set()
        for document, label, name in zip(*(each[rows].tolist() for each in of), strict=True):
            cells |= {(document, 0, name), (document, column[label], name)}
        for document, place, _ in cells:
            table[document, place] += 1
        return table[:, :-1]


def tally(corpus: OfficialCorpus, pairing: spec.Pairing, setup: Setup) -> Columns:
    """Count each document, and what the means over documents are made of."""

    def count(kind: str) -> CountedNames:
        plain = spec.Counted.of(corpus, kind)
        names = [side[kind] for side in corpus.names]
        return CountedNames(plain.documents, plain.document, plain.label, names)

    return spec.tally_kinds({kind: count(kind) for kind in spec.kinds_of(setup.config)}, pairing)


def read(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[RelatedSide, list[RelatedSide]]:
    """Read both sides as the script does where they are brat's files or text."""
    del setup
    read_one = partial(read_related, slot=spec.ANY_LABEL, labels=(), text_format=official)
    gold = read_one(references, side="references")
    return gold, [read_one(given, side="predictions") for given in predictions]


STEPS = replace(spec.STEPS, read=read, join=join, pair=pair, tally=tally, rules=None)
