"""Pair events by their triggers, and arguments within paired events only.

A labelled argument is right by its value, a span argument by its span; criteria may require both.
If several events or arguments could be paired, the protocol chooses.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, expand_ranges, rank_rows
from clineval.kinds.events.units import EVENT, LABEL, VALUE, EventCorpus
from clineval.kinds.mentions.batches import count_by_document
from clineval.kinds.mentions.best import choose_best
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs, find_same_spans
from clineval.results.match import NONE
from clineval.results.scheme import has_label

_Key = tuple[object, ...]
"""The parts of an argument that must be equal (label, value, span), and a number for repeats."""


@dataclass(frozen=True, slots=True)
class Criteria:
    """When triggers and arguments can be paired; types are always equal.

    Args:
        trigger: ``overlap`` (a character in common), ``exact`` (the same fragments), or
            ``min_dist`` (anywhere in the document).
        span: for arguments without a value: ``exact`` or ``overlap``.
        labelled: for arguments with a value, which must be equal: ``label`` (anywhere), ``exact``
            or ``overlap``.
        labels: the labels of arguments with a value.
    """

    trigger: str
    span: str
    labelled: str
    labels: Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class ArgumentPairs:
    """Arguments that can be paired within pairs of events.

    Args:
        edge: ``[c]``, the pair of events.
        near: ``[c]``, the pair of arguments.
    """

    edge: IntArray
    near: Candidates

    def take(self, rows: IntArray | BoolArray) -> ArgumentPairs:
        """Return some of the pairs."""
        return ArgumentPairs(self.edge[rows], self.near.take(rows))


def find_triggers(corpus: EventCorpus, match: str) -> Candidates:
    """Find the pairs of triggers of one type that can be paired."""
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    triggers = corpus.triggers
    if match == "exact":
        same = find_same_spans(corpus)
        heads = corpus.heads
        own = (heads[0][same.gold] == same.gold) & (heads[1][same.prediction] == same.prediction)
        found = same.take(own)
        near = Candidates(found.gold, found.prediction, gold.lengths(found.gold))
    elif match == "min_dist":
        near = _find_all(corpus)
    else:
        parts = find_candidates_in_parts(gold, prediction, *triggers, corpus.documents)
        near = Candidates.joined([_NOTHING, *parts])
    return near.take(same_value(near, corpus, EVENT))


_NONE = np.zeros(0, np.int64)
_NOTHING = Candidates(_NONE, _NONE, _NONE)


def _find_all(corpus: EventCorpus) -> Candidates:
    """Find all pairs of triggers of a document."""
    gold, prediction = corpus.triggers
    documents = corpus.gold.columns.document[gold], corpus.prediction.columns.document[prediction]
    low, high = (np.searchsorted(documents[1], documents[0], side=s) for s in ("left", "right"))
    count_by_document(documents[0], high - low, corpus.documents)
    left = np.repeat(gold, high - low)
    right = prediction[expand_ranges(low, high)]
    return Candidates(left, right, np.zeros(len(left), np.int64))


def find_arguments(corpus: EventCorpus, near: Candidates, criteria: Criteria) -> ArgumentPairs:
    """Find the arguments that can be paired within pairs of events.

    Repeated arguments are paired in the order of the input: the first with the first, the second
    with the second.
    """
    labelled = [
        has_label(side.columns.attributes[LABEL.name], criteria.labels)
        for side in (corpus.gold, corpus.prediction)
    ]
    by_place = [
        has_value if criteria.labelled == "overlap" else np.zeros(len(has_value), np.bool_)
        for has_value in labelled
    ]
    if criteria.span == "overlap":
        by_place = [place | ~has_value for place, has_value in zip(by_place, labelled, strict=True)]
    order = np.lexsort((near.prediction, near.gold))
    arranged = near.take(order)
    keyed = _find_equal(corpus, arranged, labelled, by_place, anywhere=criteria.labelled == "label")
    placed = _find_overlapping(corpus, arranged, labelled, by_place)
    parts = [keyed, placed]
    found = Candidates.joined([part.near for part in parts])
    return ArgumentPairs(order[np.concatenate([part.edge for part in parts])], found)


def _find_equal(
    corpus: EventCorpus,
    near: Candidates,
    labelled: list[BoolArray],
    by_place: list[BoolArray],
    *,
    anywhere: bool,
) -> ArgumentPairs:
    """Find equal arguments of pairs of events: by value, span or both."""
    golds, predictions = (
        _list_arguments(corpus, at, labelled[at], by_place[at], anywhere=anywhere) for at in (0, 1)
    )
    events = zip(near.gold.tolist(), near.prediction.tolist(), strict=True)
    equal_rows = [
        (edge, row, predictions[other][key])
        for edge, (one, other) in enumerate(events)
        for key, row in golds[one].items()
        if key in predictions[other]
    ]
    edge, gold, prediction = np.array(equal_rows, np.int64).reshape(-1, 3).T
    return ArgumentPairs(edge, Candidates(gold, prediction, np.zeros(len(equal_rows), np.int64)))


def _list_arguments(
    corpus: EventCorpus,
    side_number: int,
    labelled: BoolArray,
    by_place: BoolArray,
    *,
    anywhere: bool,
) -> Mapping[int, Mapping[_Key, int]]:
    """Map the row of each trigger to its arguments: the parts that must be equal, to a row.

    Arguments that are paired by overlap are left out.
    """
    side, rows = (corpus.gold, corpus.prediction)[side_number], corpus.arguments[side_number]
    rows = rows[~by_place[rows]]
    rows = rows[np.argsort(corpus.places[side_number][rows])]
    columns = (
        corpus.heads[side_number],
        side.ids(LABEL.name),
        side.ids(VALUE.name),
        side.place,
        side.shape,
    )
    arguments = zip(
        rows.tolist(), labelled[rows].tolist(), *(of[rows].tolist() for of in columns), strict=True
    )
    events: dict[int, dict[_Key, int]] = defaultdict(dict)
    repeats = Counter[tuple[int, _Key]]()
    for row, has_value, head, label, value, place, shape in arguments:
        span = None if has_value and anywhere else (place, shape)
        key = label, value if has_value else None, span
        events[head][(*key, repeats[head, key])] = row
        repeats[head, key] += 1
    return events


def _find_overlapping(
    corpus: EventCorpus, near: Candidates, labelled: list[BoolArray], by_place: list[BoolArray]
) -> ArgumentPairs:
    """Find arguments of pairs of events that overlap."""
    rows = [of[place[of]] for of, place in zip(corpus.arguments, by_place, strict=True)]
    sides = corpus.gold.columns, corpus.prediction.columns
    parts = find_candidates_in_parts(*sides, rows[0], rows[1], corpus.documents)
    candidates = Candidates.joined([_NOTHING, *parts])
    alike = same_value(candidates, corpus, LABEL)
    alike &= same_value(candidates, corpus, VALUE) | ~labelled[0][candidates.gold]
    candidates = candidates.take(alike)
    edges = (near.gold.astype(np.int64) << 32) | near.prediction
    heads = (
        corpus.heads[0][candidates.gold].astype(np.int64),
        corpus.heads[1][candidates.prediction],
    )
    wanted = (heads[0] << 32) | heads[1]
    at = np.searchsorted(edges, wanted)
    known = np.flatnonzero(np.append(edges, NONE)[at] == wanted)
    return ArgumentPairs(at[known], candidates.take(known))


def choose_arguments(candidates: ArgumentPairs) -> IntArray:
    """Choose as many arguments as possible in each pair of events, with most shared characters."""
    gold = rank_rows([candidates.edge, candidates.near.gold])
    prediction = rank_rows([candidates.edge, candidates.near.prediction])
    return choose_best(
        Candidates(gold, prediction, candidates.near.shared), [candidates.near.shared]
    )


def pair_best(corpus: EventCorpus, criteria: Criteria) -> Pairs:
    """Pair most events; in ties prefer most right arguments, then the closest triggers.

    Remaining ties are decided by the number of right arguments of each label and value, so that
    the order of the input makes no difference.
    """
    near = find_triggers(corpus, criteria.trigger)
    arguments = find_arguments(corpus, near, criteria)
    arguments = arguments.take(choose_arguments(arguments))
    right = np.bincount(arguments.edge, minlength=len(near))
    chosen = choose_best(near, [right, near.shared, *_count_rows(corpus, arguments, len(near))])
    return unite(near.take(chosen), arguments.take(np.isin(arguments.edge, chosen)))


def _count_rows(corpus: EventCorpus, arguments: ArgumentPairs, edges: int) -> Iterable[IntArray]:
    """Count the arguments of each label and value in each pair of events."""
    ids = [corpus.gold.ids(slot.name)[arguments.near.gold] for slot in (LABEL, VALUE)]
    kind = rank_rows([of.astype(np.int64) for of in ids])
    for at in range(kind.max(initial=-1) + 1):
        yield np.bincount(arguments.edge[kind == at], minlength=edges)


def unite(triggers: Candidates, arguments: ArgumentPairs) -> Pairs:
    """Return the pairs of units (triggers and arguments) in the order of the gold standard."""
    gold = np.concatenate([triggers.gold, arguments.near.gold])
    prediction = np.concatenate([triggers.prediction, arguments.near.prediction])
    order = np.argsort(gold, kind="stable")
    return Pairs(gold[order], prediction[order])
