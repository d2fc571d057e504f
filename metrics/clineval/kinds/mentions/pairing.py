"""Pairing gold and predicted mentions one to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from clineval.base.arrays import (
    BoolArray,
    IntArray,
    expand_ranges,
    find_first,
    number_repeats,
    rank_rows,
)
from clineval.kinds.mentions.batches import AT_ONCE, count_by_document, in_batches
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.overlap import Candidates

_NONE = np.zeros(0, np.int64)
_ROUNDS, _PART = 8, 1 << 16
_TAKEN = -1
_BITS = 63
"""The bits of a number into which several sort keys are packed."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of gold and predicted mentions, with each mention in at most one pair.

    Args:
        gold: ``[k]``, row of the gold mention.
        prediction: ``[k]``, row of the predicted mention.
    """

    gold: IntArray
    prediction: IntArray

    def __len__(self) -> int:
        return len(self.gold)

    def take(self, which: IntArray | BoolArray) -> Pairs:
        """Return some of the pairs."""
        at = np.flatnonzero(which) if which.dtype == np.bool_ else which  # much faster for many
        return Pairs(self.gold.take(at), self.prediction.take(at))

    def shift(self, golds: int, predictions: int) -> Pairs:
        """Return a copy with rows moved by the numbers of preceding mentions of both sides."""
        return Pairs(self.gold + golds, self.prediction + predictions)

    @classmethod
    def joined(cls, parts: Iterable[Pairs]) -> Pairs:
        """Join the pairs of all parts, one part after the other."""
        every = list(parts)
        if len(every) == 1:
            of = every[0]
            return cls(
                of.gold.astype(np.int64, copy=False), of.prediction.astype(np.int64, copy=False)
            )
        columns = [(p.gold, p.prediction) for p in (NO_PAIRS, *every)]
        return cls(*map(np.concatenate, zip(*columns, strict=True)))


NO_PAIRS = Pairs(_NONE, _NONE)
Rivals = TypeVar("Rivals", Pairs, Candidates)
Key = Callable[[Any], IntArray]
"""Returns ``[c]``, the order of pairs: pairs with the smallest numbers come first."""


def pair_equal_keys(gold: IntArray, prediction: IntArray) -> Pairs:
    """Pair equal keys one to one: as many pairs as the side with fewer of them has.

    Examples:
        >>> pairs = pair_equal_keys(np.array([3, 1, 3]), np.array([3, 3, 3, 2]))
        >>> pairs.gold.tolist(), pairs.prediction.tolist()
        ([0, 2], [0, 1])
    """
    both = np.concatenate([gold, prediction])
    repeats = np.concatenate([number_repeats(keys) for keys in (gold, prediction)])
    numbers = rank_rows([both, repeats])
    golds, found = numbers[: len(gold)], numbers[len(gold) :]
    _, left, right = np.intersect1d(golds, found, assume_unique=True, return_indices=True)
    order = np.argsort(left)
    return Pairs(left[order], right[order])


def find_same_spans(corpus: Corpus) -> Pairs:
    """Find all pairs of mentions with the same span; a mention may be in several.

    Both sides are in canonical order, and so are the pairs: neither column ever decreases if no
    mention is in two pairs.

    Raises:
        InputError: a document has more than :data:`~clineval.kinds.mentions.batches.MOST_PAIRS`.
    """
    return Pairs.joined(_same_spans_in_parts(corpus))


def pair_same_spans(corpus: Corpus, keys: Sequence[Key]) -> Pairs:
    """Pair mentions with the same span, pairs with the smallest keys first.

    It raises the errors of :func:`find_same_spans`.
    """
    return Pairs.joined(pair_greedily(same, keys) for same in _same_spans_in_parts(corpus))


def _same_spans_in_parts(corpus: Corpus) -> Iterator[Pairs]:
    """Yield what :func:`find_same_spans` finds, in parts of whole documents."""
    gold, prediction = corpus.gold, corpus.prediction
    gold_rows, low, high = _find_places(gold, prediction)
    sizes = high - low
    if sizes.sum() <= AT_ONCE:
        yield _expand(gold, prediction, gold_rows, low, high)
        return
    document = gold.columns.document[gold_rows]
    for documents in in_batches(count_by_document(document, sizes, corpus.documents)):
        part = slice(*find_first(document, documents))
        yield _expand(gold, prediction, gold_rows[part], low[part], high[part])


def _find_places(gold: Mentions, prediction: Mentions) -> tuple[IntArray, IntArray, IntArray]:
    """Find gold rows, and for each the range of predictions that may have its span.

    These predictions have the same document and first fragment. If there are very many of them,
    only those with the same span are in the range.
    """
    new = np.diff(prediction.place, prepend=-1) != 0
    starts = np.flatnonzero(new)
    bounds = np.append(starts, len(prediction))
    places = prediction.place[starts]
    place_numbers = np.searchsorted(places, gold.place)
    gold_rows = np.flatnonzero(np.append(places, -1)[place_numbers] == gold.place)
    low, high = bounds[place_numbers[gold_rows]], bounds[place_numbers[gold_rows] + 1]
    if (high - low).sum() > AT_ONCE:
        spans = ((np.cumsum(new) - 1) << 32) | prediction.shape
        wanted = (place_numbers[gold_rows] << 32) | gold.shape[gold_rows]
        low, high = (np.searchsorted(spans, wanted, side=side) for side in ("left", "right"))
        some = np.flatnonzero(high > low)
        gold_rows, low, high = gold_rows[some], low[some], high[some]
    return gold_rows, low, high


def _expand(
    gold: Mentions, prediction: Mentions, found: IntArray, low: IntArray, high: IntArray
) -> Pairs:
    left, right = np.repeat(found, high - low), expand_ranges(low, high)
    same = gold.shape[left] == prediction.shape[right]
    return Pairs(left[same].astype(np.int32), right[same].astype(np.int32))


def pair_in_order(gold: IntArray, prediction: IntArray) -> IntArray:
    """Go through candidate pairs in order and accept those whose two mentions are both free.

    The function works in rounds. If a pair is the first one of both its mentions, it is accepted,
    and all other pairs of these two mentions are rejected. After a few rounds, the remaining pairs
    are examined one by one. Very many pairs come in parts, best first; most pairs of later parts
    have mentions that are already taken.

    Args:
        gold: ``[c]``, row of the gold mention of each candidate.
        prediction: ``[c]``, row of the predicted mention.

    Returns:
        Indices of the accepted candidates, ascending.

    Examples:
        >>> pair_in_order(np.array([0, 0, 1]), np.array([5, 6, 5])).tolist()
        [0]
        >>> pair_in_order(np.array([0, 0, 1]), np.array([5, 6, 6])).tolist()
        [0, 2]
    """
    first_of_gold = np.zeros(int(gold.max(initial=-1)) + 1, np.int64)
    first_of_prediction = np.zeros(int(prediction.max(initial=-1)) + 1, np.int64)
    accepted = [_NONE]

    def accept(rows: IntArray) -> None:
        accepted.append(rows)
        first_of_gold[gold[rows]] = first_of_prediction[prediction[rows]] = _TAKEN

    def free(rows: IntArray) -> IntArray:
        left: BoolArray = first_of_gold[gold[rows]] != _TAKEN
        left &= first_of_prediction[prediction[rows]] != _TAKEN
        return rows.compress(left)

    for low in range(0, len(gold), _PART):
        rest = free(np.arange(low, min(low + _PART, len(gold))))
        for _ in range(_ROUNDS):
            if not len(rest):
                break
            g, p = gold[rest], prediction[rest]
            # if an index is repeated, the last assignment counts; in reverse order, the first one
            first_of_gold[g[::-1]] = rest[::-1]
            first_of_prediction[p[::-1]] = rest[::-1]
            accept(rest[(first_of_gold[g] == rest) & (first_of_prediction[p] == rest)])
            rest = free(rest)
        accept(rest[_accept_one_by_one(gold[rest].tolist(), prediction[rest].tolist())])
    return np.sort(np.concatenate(accepted))


def _accept_one_by_one(gold: Sequence[int], prediction: Sequence[int]) -> list[int]:
    golds, predictions = set[int](), set[int]()
    accepted = []
    for number, (g, p) in enumerate(zip(gold, prediction, strict=True)):
        if g not in golds and p not in predictions:
            golds.add(g)
            predictions.add(p)
            accepted.append(number)
    return accepted


def pair_greedily(candidates: Rivals, keys: Sequence[Key]) -> Pairs:
    """Accept candidate pairs one to one, pairs with the smallest keys first.

    Ties go to the smaller gold row, then to the smaller predicted row.
    """
    contested = is_contested(candidates)
    alone = candidates.take(~contested)
    alone = alone.take(np.argsort(alone.gold, kind="stable"))
    certain = Pairs(alone.gold, alone.prediction)
    if len(alone) == len(candidates):
        return Pairs.joined([certain])
    rivals: Rivals = candidates.take(contested)
    every_key: Sequence[Key] = (*keys, attrgetter("gold"), attrgetter("prediction"))
    order = _sort([key(rivals) for key in every_key])
    accepted = order[pair_in_order(rivals.gold[order], rivals.prediction[order])]
    return Pairs.joined([certain, Pairs(rivals.gold[accepted], rivals.prediction[accepted])])


def _sort(keys: Sequence[IntArray]) -> IntArray:
    """Order rows by keys, the most important one first.

    As many keys as fit are packed into one number, because sorting by each key takes time.

    Examples:
        >>> _sort([np.array([2, 1, 1]), np.array([0, 5, -5])]).tolist()
        [2, 1, 0]
    """
    words: list[IntArray] = []
    room = 0
    rows = np.arange(len(keys[0]))
    for key in keys if len(rows) else ():
        low = int(key.min())
        size = (int(key.max()) - low).bit_length()
        if not size:
            continue
        if size > room:
            words.append(np.zeros(len(key), np.int64))
            room = _BITS
        words[-1] <<= size
        words[-1] |= key.astype(np.int64) - low
        room -= size
    return np.lexsort(words[::-1]) if words else rows


def is_contested(candidates: Pairs | Candidates) -> BoolArray:
    """Return which pairs have a mention that is also in another pair."""
    gold, prediction = candidates.gold, candidates.prediction
    contested: BoolArray = (np.bincount(gold) > 1)[gold]
    contested |= (np.bincount(prediction) > 1)[prediction]
    return contested
