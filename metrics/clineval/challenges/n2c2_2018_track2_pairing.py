"""How the released script of n2c2 2018 Track 2 brings two sides together, and pairs them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from clineval.arrays import BoolArray, IntArray, expand_ranges, find_first, rank_rows
from clineval.challenges.n2c2_2018_track2_lines import ScriptSide
from clineval.errors import InputError, InputWarning
from clineval.mentions.columns import MentionColumns
from clineval.mentions.corpus import Corpus, Mentions
from clineval.mentions.matching import same_value
from clineval.mentions.overlap import SHARED, Candidates, find_candidates_in_parts
from clineval.mentions.pairing import Pairs, is_contested
from clineval.mentions.slots import Slot
from clineval.relations.columns import RelatedSide
from clineval.relations.corpus import RelatedCorpus, RelatedWhole
from clineval.relations.pairing import find_related


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
        if sizes[0] != sizes[1]:
            raise InputError(
                f"expected as many predictions as references, got {sizes[1]} documents with "
                f"predictions and {sizes[0]} with references"
            )
        return np.arange(sizes[0]), np.arange(sizes[1])
    places = {key: number for number, key in enumerate(keys[1])}
    common = [number for number, key in enumerate(keys[0]) if key in places]
    skipped = sorted({*keys[0]} ^ {*keys[1]})
    if skipped:
        problem = "{n} documents are on one side only and do not count: {names}"
        warnings.warn(InputWarning(problem, skipped, n=len(skipped)), stacklevel=2)
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
    """The hits of both modes, and the predictions that are dropped."""
    mentions, found = corpus.related.mentions, {}
    for mode, find in (("strict", _find_same), ("lenient", _find_overlapping)):
        near = [some.take(same_value(some, mentions, slot)) for some in find(mentions)]
        if "concepts" in kinds:
            found[f"concepts_{mode}"] = Pairs.joined(map(_take_turns, near))
        if "relations" in kinds:
            related = (_find_related(corpus.related, some) for some in near)
            found[f"relations_{mode}"] = Pairs.joined(map(_take_turns, related))
    return found


def _find_same(corpus: Corpus) -> Iterator[Candidates]:
    """Pairs with the same start and end."""
    sides = corpus.gold.columns, corpus.prediction.columns
    columns = [(side.document, side.starts, side.ends) for side in sides]
    ranks = rank_rows([np.concatenate(both) for both in zip(*columns, strict=True)])
    gold, prediction = ranks[: len(sides[0])], ranks[len(sides[0]) :]
    order = np.argsort(prediction, kind="stable")
    low, high = (np.searchsorted(prediction[order], gold, side=side) for side in ("left", "right"))
    left, right = np.repeat(np.arange(len(gold)), high - low), order[expand_ranges(low, high)]
    yield Candidates(left, right, np.zeros(len(left), np.int64))


def _find_overlapping(corpus: Corpus) -> Iterator[Candidates]:
    """Pairs of which each ends after the other starts, as numbers."""
    sides = corpus.gold.columns, corpus.prediction.columns
    odd = [np.unique(side.document[side.ends <= side.starts]) for side in sides]
    documents = np.union1d(*odd)
    rows = [np.flatnonzero(~np.isin(side.document, documents)) for side in sides]
    yield from find_candidates_in_parts(*sides, rows[0], rows[1], SHARED, corpus.documents)
    for document in documents.tolist():
        yield _compare_all(*sides, document)


def _compare_all(gold: MentionColumns, prediction: MentionColumns, document: int) -> Candidates:
    """The overlapping pairs of a document in which not all spans are spans."""
    edges = [find_first(side.document, [document, document + 1]) for side in (gold, prediction)]
    (low, high), (other_low, other_high) = edges
    mine, theirs = slice(low, high), slice(other_low, other_high)
    overlap: BoolArray = gold.ends[mine, None] > prediction.starts[None, theirs]
    overlap &= gold.starts[mine, None] < prediction.ends[None, theirs]
    left, right = np.nonzero(overlap)
    return Candidates(left + low, right + other_low, np.zeros(len(left), np.int64))


def _find_related(corpus: RelatedCorpus, near: Candidates) -> Candidates:
    """Pairs of relations whose arguments are pairs, in rows of the corpus."""
    near = near.take(np.lexsort((near.prediction, near.gold)))
    orders = [np.argsort(side.source, kind="stable") for side in (corpus.gold, corpus.prediction)]
    sides = (corpus.gold.take(orders[0]), corpus.prediction.take(orders[1]))
    found = find_related(RelatedCorpus(corpus.mentions, *sides), near)
    return Candidates(orders[0][found.gold], orders[1][found.prediction], found.shared)


def _take_turns(near: Candidates) -> Pairs:
    """The script's pairing, prediction by prediction in the order of lines.

    A prediction takes all gold annotations that it matches, whatever becomes of it. It is a hit if
    none of them was taken before, and is dropped otherwise.
    """
    contested = is_contested(near)
    alone, rest = near.take(~contested), near.take(contested)
    rest = rest.take(np.lexsort((rest.gold, rest.prediction)))
    taken: set[int] = set()
    hits: list[tuple[int, int]] = []
    dropped: list[int] = []
    pairs = zip(rest.gold.tolist(), rest.prediction.tolist(), strict=True)
    for prediction, group in groupby(pairs, lambda pair: pair[1]):
        matched = [gold for gold, _ in group]
        if taken.isdisjoint(matched):
            hits.append((matched[0], prediction))
        else:
            dropped.append(prediction)
        taken.update(matched)
    gold, prediction = np.array(hits, np.int64).reshape(-1, 2).T
    certain = Pairs(alone.gold, alone.prediction)
    return Pairs.joined([certain, Pairs(gold, prediction, np.array(dropped, np.int64))])
