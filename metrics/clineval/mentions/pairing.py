"""Pairing gold and predicted mentions: the protocols' two ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeVar

import numpy as np

from clineval.arrays import BoolArray, IntArray, expand_ranges
from clineval.mentions.corpus import Mentions
from clineval.mentions.overlap import Candidates

_NONE = np.zeros(0, np.int64)


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
        return Pairs(self.gold[which], self.prediction[which])

    def __add__(self, other: Pairs) -> Pairs:
        return Pairs(
            np.concatenate([self.gold, other.gold]),
            np.concatenate([self.prediction, other.prediction]),
            np.concatenate([self.displaced, other.displaced]),
        )


Rivals = TypeVar("Rivals", Pairs, Candidates)


def find_same_spans(gold: Mentions, prediction: Mentions) -> Pairs:
    """All pairs of mentions with the same span; a mention may be in several.

    Both sides are in canonical order, and so are the pairs: both columns never decrease where
    no mention is in two pairs.
    """
    starts = np.flatnonzero(np.diff(prediction.place, prepend=-1))
    bounds = np.append(starts, len(prediction))
    places = prediction.place[starts]
    at = np.searchsorted(places, gold.place)
    found = np.flatnonzero(np.append(places, -1)[at] == gold.place)
    low, high = bounds[at[found]], bounds[at[found] + 1]
    left, right = np.repeat(found, high - low), expand_ranges(low, high)
    same = gold.shape[left] == prediction.shape[right]
    return Pairs(left[same], right[same])


def pair_in_order(gold: IntArray, prediction: IntArray) -> IntArray:
    """Go through candidate pairs in order and accept those whose two mentions are both free.

    Done in rounds: a pair that is the first one of both its mentions is certain to be accepted,
    and all others of these two mentions are certain not to be.

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
    while len(rest):
        g, p = gold[rest], prediction[rest]
        # of repeated indices the last assignment stands, so backwards the first one does
        first_of_gold[g[::-1]] = rest[::-1]
        first_of_prediction[p[::-1]] = rest[::-1]
        certain = (first_of_gold[g] == rest) & (first_of_prediction[p] == rest)
        accepted.append(rest[certain])
        first_of_gold[g[certain]] = -1
        first_of_prediction[p[certain]] = -1
        rest = rest[(first_of_gold[g] >= 0) & (first_of_prediction[p] >= 0)]
    return np.sort(np.concatenate(accepted))


def pair_greedily(candidates: Rivals, keys: Callable[[Rivals], Sequence[IntArray]]) -> Pairs:
    """Accept candidate pairs one to one, those with the smallest keys first.

    Args:
        candidates: the pairs.
        keys: gives the keys of some candidates, ``[c]`` each, first key first; ties go to the
            smaller gold row, then to the smaller predicted row.
    """
    contested = _is_contested(candidates)
    rivals: Rivals = candidates.take(np.flatnonzero(contested))
    gold, prediction = rivals.gold, rivals.prediction
    order = np.lexsort([prediction, gold, *keys(rivals)[::-1]])
    accepted = order[pair_in_order(gold[order], prediction[order])]
    return Pairs(
        np.concatenate([candidates.gold[~contested], gold[accepted]]),
        np.concatenate([candidates.prediction[~contested], prediction[accepted]]),
    )


def _is_contested(candidates: Pairs | Candidates) -> BoolArray:
    """Whether one of a pair's two mentions is in another pair as well."""
    gold, prediction = candidates.gold, candidates.prediction
    return (np.bincount(gold)[gold] > 1) | (np.bincount(prediction)[prediction] > 1)


def pair_by_collecting(
    exact: Pairs,
    near: Candidates,
    gold: Mentions,
    prediction: Mentions,
    *,
    partners: Pairs | None = None,
) -> Pairs:
    """The second pass of the released SemEval-2015 scripts, on top of exact pairs.

    Gold mentions take turns in the byte order of their written spans. Each collects every
    overlapping prediction that nobody has collected yet, and keeps the one that shares most,
    of equals the last in byte order. The others are false positives, and so they cannot serve
    another gold mention; a pair that the gold mention had before is dissolved.

    Args:
        exact: the pairs of the first pass.
        near: overlapping pairs of any gold mention and predictions outside ``exact``.
        gold: the gold mentions.
        prediction: the predicted mentions.
        partners: if given, pairs of equal span: a gold mention whose partner has been
            collected is passed over (the script confuses the two sides' marks).
    """
    marked = set(exact.prediction.tolist())
    partner = _as_dict(partners) if partners else {}
    tied = np.isin(near.gold, list(partner)) | np.isin(near.prediction, [*partner.values()])
    simple = ~(_is_contested(near) | tied)
    kept = _as_dict(near.take(np.flatnonzero(simple)))
    near = near.take(np.flatnonzero(~simple))
    for row, collected in groupby(_in_byte_order(near, gold, prediction), key=lambda c: c[0]):
        if partner.get(row) in marked:
            continue
        most = 0
        for _, other, shared in collected:
            if other not in marked:
                marked.add(other)
                if shared >= most:
                    most, kept[row] = shared, other
    stays = ~np.isin(exact.gold, list(kept))
    found = Pairs(np.array(list(kept), np.int64), np.array(list(kept.values()), np.int64))
    displaced = exact.prediction[~stays]
    return Pairs(exact.gold[stays], exact.prediction[stays], displaced) + found


def _as_dict(pairs: Pairs | Candidates) -> dict[int, int]:
    return dict(zip(pairs.gold.tolist(), pairs.prediction.tolist(), strict=True))


def _in_byte_order(
    near: Candidates, gold: Mentions, prediction: Mentions
) -> list[tuple[int, int, int]]:
    """Rows and shared length of candidates, by document and the spans as they are written."""
    spans = [
        {row: side.columns.text_of_spans(row) for row in np.unique(rows).tolist()}
        for side, rows in ((gold, near.gold), (prediction, near.prediction))
    ]
    documents = gold.columns.document[near.gold].tolist()
    columns = (near.gold.tolist(), near.prediction.tolist(), near.shared.tolist())
    candidates = zip(*columns, strict=True)
    ordered = sorted(
        zip(documents, candidates, strict=True),
        key=lambda item: (item[0], spans[0][item[1][0]], spans[1][item[1][1]]),
    )
    return [candidate for _, candidate in ordered]
