"""How the released script of n2c2 2018 Track 2 brings two sides together, and pairs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import starmap

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, expand_ranges, find_first, rank_rows
from clineval.challenges.n2c2_2018_track2.lines import ScriptSide
from clineval.base.errors import warn
from clineval.kinds.mentions.batches import compare_all, count_by_document
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.overlap import SHARED, Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import NO_PAIRS, Pairs
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.relations.columns import RelatedSide
from clineval.kinds.relations.corpus import RelatedCorpus, RelatedWhole
from clineval.challenges.n2c2_2018_track2.relation_pairing import find_related
from clineval.kinds.documents import check_as_many


@dataclass(frozen=True, slots=True, eq=False)
class ScriptCorpus(RelatedWhole):
    """Both sides of the documents that both sides have, with annotations in the order of lines.

    Args:
        related: the mentions and relations.
        twins: for ``concepts`` and ``relations`` those of both sides; None if there are none.
    """

    twins: Mapping[str, tuple[IntArray, IntArray] | None]


def join_sides(gold: RelatedSide, prediction: RelatedSide, slot: str) -> ScriptCorpus:
    """Both sides together; documents that only one side has are skipped."""
    numbers = _find_common(gold, prediction)
    names = tuple(gold.side.documents[n] or prediction.side.documents[m] or str(n)
                  for n, m in zip(*(each.tolist() for each in numbers), strict=True))  # fmt: skip
    sides = [_take(side, of) for side, of in zip((gold, prediction), numbers, strict=True)]
    labels = [side.side.mentions.attributes[slot].values for side in sides]
    kinds = [side.relations.label.values for side in sides]
    values, types = (tuple(sorted({*both[0], *both[1]})) for both in (labels, kinds))
    mentions = [_as_mentions(side.side.mentions, slot, values) for side in sides]
    relations = (replace(s.relations, label=s.relations.label.fold(str, types)) for s in sides)
    texts = {
        n: text for side in sides for n, text in enumerate(side.side.texts) if text is not None
    }
    corpus = Corpus(names, mentions[0], mentions[1], texts)
    related = RelatedCorpus(corpus, *relations)
    twins = {
        "concepts": _twins_of(*(side.twins for side in sides)),
        "relations": _twins_of(*(side.related_twins for side in sides)),
    }
    return ScriptCorpus(related, twins)


def _twins_of(*sides: IntArray) -> tuple[IntArray, IntArray] | None:
    alone = all((side == np.arange(len(side))).all() for side in sides)
    return None if alone else (sides[0], sides[1])


def _find_common(gold: RelatedSide, prediction: RelatedSide) -> tuple[IntArray, IntArray]:
    """The numbers of the documents that both sides have, on either side."""
    keys = gold.side.keys, prediction.side.keys
    sizes = len(gold.side.documents), len(prediction.side.documents)
    if keys[0] is None or keys[1] is None:
        check_as_many(sizes[1], sizes[0])
        return np.arange(sizes[0]), np.arange(sizes[1])
    places = {key: number for number, key in enumerate(keys[1])}
    common = [number for number, key in enumerate(keys[0]) if key in places]
    skipped = sorted({*keys[0]} ^ {*keys[1]})
    problem = "{n} {document is|documents are} on one side only and {does|do} not count"
    warn(f"{problem}: {{names}}", skipped)
    others = [places[keys[0][number]] for number in common]
    return np.array(common, np.int64), np.array(others, np.int64)


def _take(side: RelatedSide, documents: IntArray) -> ScriptSide:
    """A side with some of its documents, in another order."""
    mentions, relations = side.side.mentions, side.relations
    if not isinstance(side, ScriptSide):
        side = ScriptSide(side.side, relations, np.arange(len(mentions)), np.arange(len(relations)))
    rows, numbers = _rows_of(mentions.document, documents)
    related, related_numbers = _rows_of(relations.document, documents)
    place = np.zeros(len(mentions) + 1, np.int64)
    place[rows] = np.arange(len(rows))
    kept = relations.take(related)
    related_place = np.zeros(len(relations) + 1, np.int64)
    related_place[related] = np.arange(len(related))
    texts = [side.side.texts[n] for n in documents.tolist()] if side.side.texts else []
    return ScriptSide(
        replace(
            side.side,
            mentions=replace(mentions.take(rows), document=numbers),
            texts=tuple(texts),
        ),
        replace(
            kept,
            document=related_numbers,
            source=place[kept.source],
            target=place[kept.target],
        ),
        place[side.twins[rows]],
        related_place[side.related_twins[related]] if len(related) else related,
    )


def _rows_of(column: IntArray, documents: IntArray) -> tuple[IntArray, IntArray]:
    """The rows of some documents, document by document, and the new numbers of these."""
    low, high = find_first(column, documents), find_first(column, documents + 1)
    return expand_ranges(low, high), np.repeat(
        np.arange(len(documents), dtype=np.int32), high - low
    )


def _as_mentions(columns: MentionColumns, slot: str, values: tuple[str, ...]) -> Mentions:
    """Mentions from their first start to their last end, with the labels that both sides share."""
    hull = MentionColumns(
        columns.document,
        np.arange(len(columns) + 1),
        columns.starts[columns.bounds[:-1]],
        columns.ends[columns.bounds[1:] - 1],
        {slot: columns.attributes[slot].fold(str, values)},
        columns.spelling,
    )
    nothing = np.zeros(len(hull), np.int64)
    return Mentions(hull, nothing, nothing)


def pair(corpus: ScriptCorpus, kinds: Sequence[str], slot: Slot) -> dict[str, Pairs]:
    """The hits of both modes, and the predictions that are dropped.

    Of annotations that say the same only the first is compared: whatever it takes, the others are
    dropped.
    """
    mentions, found = corpus.related.mentions, {}
    firsts = [
        _find_firsts([side.document, side.starts, side.ends, side.attributes[slot.name].ids])
        for side in (mentions.gold.columns, mentions.prediction.columns)
    ]
    rows = [np.unique(side) for side in firsts]
    relations = _Relations.between(corpus.related, firsts)
    for mode, find in (("strict", _find_same), ("lenient", _find_overlapping)):
        near = [some.take(same_value(some, mentions, slot)) for some in find(mentions, *rows)]
        if "concepts" in kinds:
            pairs = Pairs.joined(map(_take_turns, near))
            found[f"concepts_{mode}"] = _with_copies(pairs, firsts[1])
        if "relations" in kinds:
            pairs = Pairs.joined(map(_take_turns, map(relations.find, near)))
            found[f"relations_{mode}"] = _with_copies(pairs, relations.firsts[1])
    return found


def _find_firsts(columns: Sequence[IntArray]) -> IntArray:
    """``[n]``, the first row that is the same as each in all columns."""
    ranks = rank_rows(columns)
    first = np.empty(len(ranks), np.int64)
    first[ranks[::-1]] = np.arange(len(ranks))[::-1]
    return first[ranks]


@dataclass(frozen=True, slots=True, eq=False)
class _Relations:
    """The first of the relations of either side that say the same, by their sources.

    Args:
        corpus: these relations, between the first of the mentions that say the same.
        rows: of either side which they are.
        firsts: of either side ``[r]``, the row of the first that says the same as each.
        connected: of either side ``[n]``, whether some relation goes from or to each mention.
    """

    corpus: RelatedCorpus
    rows: Sequence[IntArray]
    firsts: Sequence[IntArray]
    connected: Sequence[BoolArray]

    @classmethod
    def between(cls, corpus: RelatedCorpus, mentions: Sequence[IntArray]) -> _Relations:
        """Those between mentions of which the first that say the same are known."""
        sides, rows, firsts, connected = [], [], [], []
        for side, first in zip((corpus.gold, corpus.prediction), mentions, strict=True):
            source, target = first[side.source], first[side.target]
            firsts.append(_find_firsts([source, target, side.label.ids]))
            alone = np.unique(firsts[-1])
            rows.append(alone[np.argsort(source[alone], kind="stable")])
            sides.append(replace(side, source=source, target=target).take(rows[-1]))
            connected.append(np.zeros(len(first), np.bool_))
            connected[-1][source] = connected[-1][target] = True
        return cls(RelatedCorpus(corpus.mentions, *sides), rows, firsts, connected)

    def find(self, near: Candidates) -> Candidates:
        """Pairs of them whose arguments are pairs, in rows of all relations."""
        gold, prediction = self.connected
        near = near.take(gold[near.gold] & prediction[near.prediction])
        near = near.take(np.lexsort((near.prediction, near.gold)))
        found = find_related(self.corpus, near)
        return Candidates(self.rows[0][found.gold], self.rows[1][found.prediction], found.shared)


def _with_copies(pairs: Pairs, first: IntArray) -> Pairs:
    """The pairs, and what is dropped with those that say the same."""
    taken = np.isin(first, np.concatenate([pairs.prediction, pairs.displaced]))
    taken[pairs.prediction] = False
    return replace(pairs, displaced=np.flatnonzero(taken))


def _find_same(corpus: Corpus, gold: IntArray, prediction: IntArray) -> Iterator[Candidates]:
    """Pairs, of some rows, with the same start and end."""
    sides = (corpus.gold.columns, gold), (corpus.prediction.columns, prediction)
    columns = [(side.document[at], side.starts[at], side.ends[at]) for side, at in sides]
    ranks = rank_rows([np.concatenate(both) for both in zip(*columns, strict=True)])
    mine, theirs = ranks[: len(gold)], ranks[len(gold) :]
    order = np.argsort(theirs, kind="stable")
    low, high = (np.searchsorted(theirs[order], mine, side=side) for side in ("left", "right"))
    count_by_document(corpus.gold.columns.document[gold], high - low, corpus.documents)
    left, right = np.repeat(gold, high - low), prediction[order[expand_ranges(low, high)]]
    yield Candidates(left, right, np.zeros(len(left), np.int64))


def _find_overlapping(corpus: Corpus, gold: IntArray, prediction: IntArray) -> Iterator[Candidates]:
    """Pairs, of some rows, of which each ends after the other starts, as numbers."""
    columns = corpus.gold.columns, corpus.prediction.columns
    odd = np.union1d(*(side.document[side.ends <= side.starts] for side in columns))
    sides = tuple(zip(columns, (gold, prediction), strict=True))
    is_odd = [np.isin(side.document[rows], odd) for side, rows in sides]
    rows = [rows[~some] for (_, rows), some in zip(sides, is_odd, strict=True)]
    yield from find_candidates_in_parts(*columns, rows[0], rows[1], SHARED, corpus.documents)
    parts = (
        _by_document(side, rows[some], odd)
        for (side, rows), some in zip(sides, is_odd, strict=True)
    )
    names = (corpus.documents[number] for number in odd.tolist())
    yield from starmap(_compare_all, zip(*parts, names, strict=False))


def _by_document(
    side: MentionColumns, rows: IntArray, documents: IntArray
) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Of each document its rows, and where they start and end."""
    cuts = np.searchsorted(side.document[rows], documents[1:])
    return zip(
        *(np.split(of, cuts) for of in (rows, side.starts[rows], side.ends[rows])), strict=True
    )


def _compare_all(
    gold: tuple[IntArray, IntArray, IntArray],
    prediction: tuple[IntArray, IntArray, IntArray],
    name: str,
) -> Candidates:
    """The overlapping pairs of a document in which not all spans are spans."""
    mine, starts, ends = gold
    theirs, other_starts, other_ends = prediction

    def fits(rows: slice, others: slice) -> BoolArray:
        overlap: BoolArray = ends[rows, None] > other_starts[others]
        return overlap & (starts[rows, None] < other_ends[others])

    left, right = compare_all(slice(0, len(mine)), slice(0, len(theirs)), fits, name)
    return Candidates(mine[left], theirs[right], np.zeros(len(left), np.int64))


def _take_turns(near: Candidates) -> Pairs:
    """The script's pairing, prediction by prediction in the order of lines.

    A prediction takes all gold annotations that it matches, whatever becomes of it. It is a hit if
    none of them was taken before, and is dropped otherwise.
    """
    if not len(near):
        return NO_PAIRS
    golds, predictions = near.gold - near.gold.min(), near.prediction - near.prediction.min()
    first = np.full(golds.max() + 1, len(predictions) + predictions.max())
    np.minimum.at(first, golds, predictions)  # the prediction that takes each
    dropped = np.zeros(predictions.max() + 1, np.bool_)
    dropped[predictions[first[golds] < predictions]] = True
    hits = near.take(~dropped[predictions])
    hits = hits.take(np.lexsort((hits.gold, hits.prediction)))
    hits = hits.take(np.diff(hits.prediction, prepend=-1) > 0)
    return Pairs(hits.gold, hits.prediction, np.flatnonzero(dropped) + near.prediction.min())
