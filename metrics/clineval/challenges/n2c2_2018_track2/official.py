"""Score n2c2 2018 Track 2 as its released script does, document by document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, find_first
from clineval.base.errors import called, warn
from clineval.base.ratios import Columns
from clineval.challenges.n2c2_2018_track2 import script_files
from clineval.challenges.n2c2_2018_track2.measures import LABELS
from clineval.challenges.n2c2_2018_track2.script_files import ScriptSide
from clineval.challenges.n2c2_2018_track2.spec import (
    ANY_LABEL,
    LABEL,
    ByKinds,
    kinds_of,
    without_unscored,
)
from clineval.formats.given.forms import open_given
from clineval.formats.given.relations import read_items
from clineval.kinds.documents import Whole, check_as_many
from clineval.kinds.mentions.batches import MOST_PAIRS, too_many_pairs
from clineval.kinds.mentions.columns import Side, share_values
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.rows import Rows
from clineval.kinds.relations.columns import (
    RelatedCorpus,
    RelatedSide,
    RelationColumns,
    unplaced,
)
from clineval.kinds.relations.outcomes import UnitCorpus, pairs_first
from clineval.protocols.mentions_and_relations import KindScore
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.match import NONE, VERDICTS, Match

Names = Mapping[str, IntArray]
"""The numbers of ids, ``[n]``, by kind of annotation, as in :class:`ScriptSide`."""
_TP, _FP, _FN, _DROPPED = map(VERDICTS.index, ("tp", "fp", "fn", "displaced"))


@dataclass(frozen=True, slots=True, eq=False)
class ScriptCorpus(Whole, RelatedCorpus):
    """The documents that both sides have, with annotations in the order of lines.

    Args:
        names: the ``names`` of the :class:`ScriptSide` of each side.
    """

    names: tuple[Names, Names]


class Official(ByKinds[ScriptCorpus, Match]):
    """Score as the released script does: in the order of lines, documents of both sides only."""

    def read_side(self, given: object, side: str, _setup: Setup, /) -> RelatedSide:
        """Read one side; brat files and text are read as the script does."""
        return open_given(
            given,
            side,
            RelatedSide,
            read_files=lambda source: script_files.read_side(source, ANY_LABEL),
            read_items=lambda items: read_items(items, [ANY_LABEL], ()),
            read_strings=lambda strings: script_files.read_strings(strings, ANY_LABEL),
            lines_beside=script_files.FILES,
        )

    def join(self, gold: RelatedSide, predicted: RelatedSide, setup: Setup, /) -> ScriptCorpus:
        """Join both sides without the documents that only one side has."""
        numbers = _find_common(gold.side, predicted.side)
        scored = (without_unscored(side, setup) for side in (gold, predicted))
        mentions, relations, names = zip(*map(_keep, scored, numbers.T), strict=True)
        values = tuple(sorted({value for side in relations for value in side.label.values}))
        related = [replace(side, label=side.label.fold(str, values)) for side in relations]
        golds, found = map(unplaced, share_values(mentions, {LABEL.name: ()}))
        documents, texts = _name(gold.side, predicted.side, numbers)
        corpus = Corpus(documents, golds, found, texts)
        return ScriptCorpus(corpus, related[0], related[1], names)

    def pair(self, corpus: ScriptCorpus, setup: Setup, /) -> Mapping[str, Match]:
        """Return the outcome of each annotation under both modes."""
        found = {}
        for kind in kinds_of(setup.config):
            sides = [_list_values(corpus, side, kind) for side in ("gold", "prediction")]
            for mode, find in (("strict", _find_same), ("lenient", _find_overlapping)):
                rows = [
                    (g if g == NONE else g + first, p if p == NONE else p + other, verdict)
                    for name, (first, gold), (other, system) in zip(
                        corpus.documents, *sides, strict=True
                    )
                    for g, p, verdict in match_document(gold, system, partial(find, kind, name))
                ]
                found[f"{kind}_{mode}"] = pairs_first(*np.array(rows, np.int64).reshape(-1, 3).T)
        return found

    def judge(self, block: ScriptCorpus, measure: KindScore, rows: Rows) -> Rows:
        """Return the rows, counted so that predictions with the same name count once."""
        if not isinstance(rows.pairs, Match):
            return rows
        return replace(rows, recount=partial(_recount, block, measure, rows.pairs))

    def find_averaged(self, corpus: ScriptCorpus, _kind: str) -> BoolArray:
        """Return True for each document: the mean includes documents without annotations."""
        return np.ones(len(corpus.documents), np.bool_)

    def list_spans(self, found: Mapping[str, Match], _units: UnitCorpus) -> Mapping[str, Match]:
        """Return the strict and the lenient outcomes; the script pairs nothing else."""
        return {"exact": found["strict"], "overlap": found["lenient"]}


def _recount(corpus: ScriptCorpus, measure: KindScore, paired: Match, _size: int) -> Columns:
    """Count predictions that are not dropped; those with equal names in a document count once."""
    kind, right, wrong = measure.kind, paired.verdict == _TP, paired.verdict == _FP
    tp = _tabulate(corpus, kind, 1, paired.prediction[right])
    found = _tabulate(corpus, kind, 1, paired.prediction[right | wrong])
    golds = _tabulate(corpus, kind, 0, np.arange(len(corpus.names[0][kind])))
    keys = measure.name, *measure.keys.values()
    return {
        f"{key}_{verdict}": column
        for verdict, table in (("tp", tp), ("fp", found - tp), ("fn", golds - tp))
        for key, column in zip(keys, table.T, strict=True)
    }


def _find_common(gold: Side, predicted: Side) -> IntArray:
    """Return the number on each side of the documents that both sides have, ``[documents, 2]``."""
    keys = gold.keys, predicted.keys
    if keys[0] is None or keys[1] is None:
        size = len(gold.documents)
        check_as_many(len(predicted.documents), size)
        return np.column_stack([np.arange(size), np.arange(size)])
    problem = "{n} {document is|documents are} on one side only and {does|do} not count"
    warn(f"{problem}: {{names}}", sorted({*keys[0]} ^ {*keys[1]}))
    places = {key: number for number, key in enumerate(keys[1])}
    common = [(number, places[key]) for number, key in enumerate(keys[0]) if key in places]
    return np.array(common, np.int64).reshape(-1, 2)


def _name(gold: Side, predicted: Side, numbers: IntArray) -> tuple[tuple[str, ...], dict[int, str]]:
    """Return the names of some documents, and their texts if known."""
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
    """Take and renumber some documents; mentions reach from the first start to the last end."""
    mentions, relations = side.side.mentions, side.relations
    number = np.full(len(side.side.documents), -1, np.int32)
    number[documents] = np.arange(len(documents))
    rows, related = (_sort(number[of.document]) for of in (mentions, relations))
    taken, kept = mentions.take(rows), relations.take(related)
    hull = replace(
        taken.without_gaps(),
        document=number[taken.document],
        attributes={LABEL.name: taken.attributes[LABEL.name]},
    )
    place = np.zeros(len(mentions), np.int64)
    place[rows] = np.arange(len(rows))
    ends = place[kept.source], place[kept.target]
    names = {"concepts": rows, "relations": related}
    if isinstance(side, ScriptSide):
        names = {kind: side.names[kind][at] for kind, at in names.items()}
    return hull, RelationColumns(number[kept.document], kept.label, *ends), names


def _sort(document: IntArray) -> IntArray:
    """Return the rows of documents that count, in the order of documents, then of lines."""
    order = np.argsort(document, kind="stable")
    return order[document[order] >= 0]


Concept = tuple[int, int, int]
"""Number of the type, start and end."""
Value = Any
"""A concept, or a relation: the number of its type and both arguments."""
Test = Callable[[Value, Value], bool]
Near = Mapping[Value, Sequence[int]]
"""The rows of the gold annotations that each prediction matches."""


def _list_values(corpus: RelatedCorpus, side: str, kind: str) -> Sequence[tuple[int, list[Value]]]:
    """List the annotations of each document, with the row of the first one."""
    columns = getattr(corpus.mentions, side).columns
    document, label = columns.document, columns.attributes[LABEL.name]
    ends: Sequence[Iterable[object]] = (columns.starts.tolist(), columns.ends.tolist())
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
) -> Iterator[tuple[int, int, int]]:
    """Yield gold row, predicted row and verdict in the order in which the script finds them.

    Each prediction takes all gold annotations that it matches. It is a hit if none of them was
    taken before; otherwise it is dropped.
    """
    rows = dict(zip(reversed(gold), reversed(range(len(gold))), strict=True))  # the first of copies
    near = find(rows, dict.fromkeys(found))
    taken: set[int] = set()
    hits = set()
    for at, value in enumerate(found):
        matched = near.get(value, ())
        if matched and taken.isdisjoint(matched):
            hits.add(min(matched))
            yield min(matched), at, _TP
        else:
            yield NONE, at, _DROPPED if matched else _FP
        taken.update(matched)
    yield from ((row, NONE, _FN) for row in range(len(gold)) if row not in hits)


def _find_same(_kind: str, _name: str, gold: Mapping[Value, int], found: Iterable[Value]) -> Near:
    return {value: [gold[value]] for value in found if value in gold}


def _find_overlapping(
    kind: str, name: str, gold: Mapping[Value, int], found: Iterable[Value]
) -> Near:
    """Compare all pairs, and find those that match leniently.

    Raises:
        InputError: more than :data:`MOST_PAIRS` pairs of concepts or relation sources overlap.
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


def _match(gold: Concept, found: Concept) -> bool:
    return gold[0] == found[0] and gold[2] > found[1] and gold[1] < found[2]


_TESTS: Mapping[str, tuple[Test, Test]] = {
    "concepts": (
        lambda gold, found: gold[2] > found[1] and gold[1] < found[2],
        lambda gold, found: gold[0] == found[0],
    ),
    "relations": (
        lambda gold, found: _match(gold[1], found[1]),
        lambda gold, found: gold[0] == found[0] and _match(gold[2], found[2]),
    ),
}
"""By kind: which pairs count towards the limit, and which of these match leniently."""


def _tabulate(corpus: ScriptCorpus, kind: str, side: int, rows: IntArray) -> IntArray:
    """Count the distinct names of some rows in each document: of all types, and of each type."""
    document = corpus.annotations_of(kind)[side].document
    label = corpus.labels_of(kind, LABEL.name)[side]
    places = {name: at for at, name in enumerate(LABELS[kind], 1)}
    size, width = len(corpus.documents), len(places) + 2  # the last is for other types
    columns = np.array([places.get(value, width - 1) for value in label.values], np.int64)
    names = corpus.names[side][kind]
    many = int(names.max(initial=0)) + 1
    first = document[rows].astype(np.int64) * width
    of_row = columns[label.ids[rows]] if len(rows) else rows
    counts = np.zeros(size * width, np.int64)
    for cells in (first, first + of_row):
        distinct = np.unique(cells * many + names[rows])
        counts += np.bincount(distinct // many, minlength=size * width)
    return counts.reshape(size, width)[:, :-1]
