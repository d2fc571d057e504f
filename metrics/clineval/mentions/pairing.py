"""Pairing gold and predicted mentions one to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from clineval.arrays import BoolArray, IntArray, expand_ranges
from clineval.mentions.batches import AT_ONCE, MOST_PAIRS, in_batches, too_many_pairs
from clineval.mentions.corpus import Corpus, Mentions
from clineval.mentions.overlap import Candidates

_NONE = np.zeros(0, np.int64)
_ROUNDS = 8
_MANY = 1 << 18
"""From how many pairs on it is faster not to sort them all."""
_FEW = 1 << 13
"""How many pairs are sorted at a time then."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Gold and predicted mentions that belong together, each in at most one pair.

    Args:
        gold: ``[k]``, row of the gold mention.
        prediction: ``[k]``, row of the predicted mention.
        displaced: rows of predictions that lost their gold mention to another one and are
            neither true nor false positives; only the released scripts have any.
    """

    gold: IntArray
    prediction: IntArray
    displaced: IntArray = field(default_factory=lambda: _NONE)

    def __len__(self) -> int:
        return len(self.gold)

    def take(self, which: IntArray | BoolArray) -> Pairs:
        """Some of the pairs."""
        at = np.flatnonzero(which) if which.dtype == np.bool_ else which  # much faster for many
        return Pairs(self.gold.take(at), self.prediction.take(at))

    def replaced_by(self, parts: Iterable[Pairs]) -> Pairs:
        """These pairs and others; a gold mention that is in one of those leaves its old one."""
        found = Pairs.joined(parts)
        both = np.concatenate([self.gold, found.gold])
        taken = np.zeros(int(both.max(initial=-1)) + 1, np.bool_)
        taken[found.gold] = True
        left = taken[self.gold]
        if not left.any():
            return Pairs.joined([self, found])
        stays = self.take(~left)
        return Pairs.joined([Pairs(stays.gold, stays.prediction, self.prediction[left]), found])

    def shift(self, golds: int, predictions: int) -> Pairs:
        """The same pairs where so many mentions of either side come before them."""
        moved = (self.prediction + predictions, self.displaced + predictions)
        return Pairs(self.gold + golds, *moved)

    @classmethod
    def joined(cls, parts: Iterable[Pairs]) -> Pairs:
        """The pairs of all parts, one part after the other."""
        columns = [(p.gold, p.prediction, p.displaced) for p in (NO_PAIRS, *parts)]
        return cls(*map(np.concatenate, zip(*columns, strict=True)))


@dataclass(frozen=True, slots=True, eq=False)
class Loose:
    """Mentions that overlap any of the other side, as a script counts that pairs nothing.

    Args:
        right: ``[p]``, whether each predicted mention overlaps a gold one.
        missed: ``[g]``, whether each gold mention overlaps no predicted one.
    """

    right: BoolArray
    missed: BoolArray

    def shift(self, golds: int, predictions: int) -> Loose:  # noqa: ARG002 - as Pairs.shift
        """The same: nothing here is a row."""
        return self

    @classmethod
    def joined(cls, parts: Iterable[Loose]) -> Loose:
        """The mentions of all parts, one part after the other."""
        columns = [(part.right, part.missed) for part in parts]
        return cls(*map(np.concatenate, zip(*columns, strict=True)))


NO_PAIRS = Pairs(_NONE, _NONE)
Rivals = TypeVar("Rivals", Pairs, Candidates)
Key = Callable[[Any], IntArray]
"""Gives ``[c]`` by which pairs are ordered: those with the smallest numbers come first."""


def find_same_spans(gold: Mentions, prediction: Mentions) -> Pairs:
    """All pairs of mentions with the same span; a mention may be in several.

    Both sides are in canonical order, and so are the pairs: both columns never decrease where
    no mention is in two pairs.
    """
    return _expand(gold, prediction, *_find_places(gold, prediction))


def pair_same_spans(corpus: Corpus, keys: Sequence[Key]) -> Pairs:
    """Pair mentions with the same span, those with the smallest keys first.

    Raises:
        InputError: more than :data:`~clineval.mentions.batches.MOST_PAIRS` pairs of one span.
    """
    return Pairs.joined(pair_greedily(same, keys) for same in _same_spans_in_parts(corpus))


def _same_spans_in_parts(corpus: Corpus) -> Iterator[Pairs]:
    """As :func:`find_same_spans`, in parts of whole spans."""
    gold, prediction = corpus.gold, corpus.prediction
    found, low, high = _find_places(gold, prediction)
    sizes = high - low
    if sizes.sum() <= AT_ONCE:
        yield _expand(gold, prediction, found, low, high)
        return
    firsts = np.flatnonzero(np.diff(low, prepend=-1))
    counts, ends = np.add.reduceat(sizes, firsts), np.append(firsts, len(found))
    for first, last in in_batches(counts):
        if counts[first] > MOST_PAIRS:
            name = corpus.documents[gold.columns.document[found[firsts[first]]]]
            golds = int(ends[last] - ends[first])
            raise too_many_pairs(name, int(counts[first]), golds, int(sizes[firsts[first]]))
        rows = np.arange(ends[first], ends[last])
        yield Pairs.joined(
            _expand(gold, prediction, *(column[rows[start:end]] for column in (found, low, high)))
            for start, end in in_batches(sizes[rows])
        )


def _find_places(gold: Mentions, prediction: Mentions) -> tuple[IntArray, IntArray, IntArray]:
    """Gold rows, and the range of predictions that each may share the span with.

    They have document and first fragment in common, and where they are very many the rest too.
    """
    new = np.diff(prediction.place, prepend=-1) != 0
    starts = np.flatnonzero(new)
    bounds = np.append(starts, len(prediction))
    places = prediction.place[starts]
    at = np.searchsorted(places, gold.place)
    found = np.flatnonzero(np.append(places, -1)[at] == gold.place)
    low, high = bounds[at[found]], bounds[at[found] + 1]
    if (high - low).sum() > AT_ONCE:
        spans = ((np.cumsum(new) - 1) << 32) | prediction.shape
        wanted = (at[found] << 32) | gold.shape[found]
        low, high = (np.searchsorted(spans, wanted, side=side) for side in ("left", "right"))
        some = np.flatnonzero(high > low)
        found, low, high = found[some], low[some], high[some]
    return found, low, high


def _expand(
    gold: Mentions, prediction: Mentions, found: IntArray, low: IntArray, high: IntArray
) -> Pairs:
    left, right = np.repeat(found, high - low), expand_ranges(low, high)
    same = gold.shape[left] == prediction.shape[right]
    return Pairs(left[same].astype(np.int32), right[same].astype(np.int32))


def pair_in_order(gold: IntArray, prediction: IntArray) -> IntArray:
    """Go through candidate pairs in order and accept those whose two mentions are both free.

    Done in rounds: a pair that is the first one of both its mentions is certain to be accepted,
    and all others of these two mentions are certain not to be. What a few rounds leave, where
    each mention waits for another one, is gone through one by one.

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
    rest = np.arange(len(gold))
    accepted = [rest[:0]]
    for _ in range(_ROUNDS):
        if not len(rest):
            break
        g, p = gold[rest], prediction[rest]
        # of repeated indices the last assignment stands, so backwards the first one does
        first_of_gold[g[::-1]] = rest[::-1]
        first_of_prediction[p[::-1]] = rest[::-1]
        certain = (first_of_gold[g] == rest) & (first_of_prediction[p] == rest)
        accepted.append(rest[certain])
        first_of_gold[g[certain]] = -1
        first_of_prediction[p[certain]] = -1
        rest = rest[(first_of_gold[g] >= 0) & (first_of_prediction[p] >= 0)]
    accepted.append(rest[_accept_one_by_one(gold[rest].tolist(), prediction[rest].tolist())])
    return np.sort(np.concatenate(accepted))


def _accept_one_by_one(gold: Sequence[int], prediction: Sequence[int]) -> list[int]:
    golds, predictions = set[int](), set[int]()
    accepted = []
    for at, (g, p) in enumerate(zip(gold, prediction, strict=True)):
        if g not in golds and p not in predictions:
            golds.add(g)
            predictions.add(p)
            accepted.append(at)
    return accepted


def pair_greedily(candidates: Rivals, keys: Sequence[Key]) -> Pairs:
    """Accept candidate pairs one to one, those with the smallest keys first.

    Ties go to the smaller gold row, then to the smaller predicted row.
    """
    contested = is_contested(candidates)
    alone = candidates.take(~contested)
    alone = alone.take(np.argsort(alone.gold, kind="stable"))
    rivals: Rivals = candidates.take(contested)
    certain = Pairs(alone.gold, alone.prediction)
    every_key: Sequence[Key] = (*keys, attrgetter("gold"), attrgetter("prediction"))
    if len(rivals) <= _MANY:
        return Pairs.joined([certain, _accept(rivals, every_key)])
    free: tuple[BoolArray, BoolArray] = _all_free(rivals.gold), _all_free(rivals.prediction)
    return Pairs.joined([certain, *_accept_many(rivals, every_key, *free)])


def _all_free(rows: IntArray) -> BoolArray:
    return np.ones(int(rows.max()) + 1, np.bool_)


def _accept(rivals: Rivals, keys: Sequence[Key]) -> Pairs:
    gold, prediction = rivals.gold, rivals.prediction
    order = np.lexsort([key(rivals) for key in keys[::-1]])
    accepted = order[pair_in_order(gold[order], prediction[order])]
    return Pairs(gold[accepted], prediction[accepted])


def _accept_many(
    rivals: Rivals, keys: Sequence[Key], free_golds: BoolArray, free_others: BoolArray
) -> Iterator[Pairs]:
    """As :func:`_accept`, without sorting them all.

    Those with the smallest keys come first, and most others are of mentions that are taken then.

    ``free_golds`` and ``free_others`` say who is free; what is accepted is taken off.
    """
    while len(rivals) > _FEW:
        first = _first_part(keys[0](rivals))
        if not first.any():
            keys = keys[1:]
            continue
        yield from _accept_many(rivals.take(first), keys, free_golds, free_others)
        rest = ~first & free_golds[rivals.gold] & free_others[rivals.prediction]
        rivals = rivals.take(rest)
    accepted = _accept(rivals, keys)
    free_golds[accepted.gold] = False
    free_others[accepted.prediction] = False
    yield accepted


def _first_part(key: IntArray) -> BoolArray:
    """Those with the smallest keys, a quarter or so, ties included; none if all are equal."""
    quarter = len(key) // 4
    border = np.partition(key, quarter)[quarter]
    first: BoolArray = key <= border
    return key < border if first.all() else first


def is_contested(candidates: Pairs | Candidates) -> BoolArray:
    """Whether one of a pair's two mentions is in another pair as well."""
    gold, prediction = candidates.gold, candidates.prediction
    contested: BoolArray = (np.bincount(gold) > 1)[gold]
    contested |= (np.bincount(prediction) > 1)[prediction]
    return contested
