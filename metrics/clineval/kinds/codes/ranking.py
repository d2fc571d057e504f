"""Scores of ranked codes: precision and recall at k, R-precision, and mean average precision.

Codes are ranked by score, or by their order. If they are ranked by score, a code without a score
has 0, and codes with equal scores are in random order: every score is its mean over all orders.
So a tied group at a cutoff gives its right codes in proportion (McSherry and Najork, Computing
Information Retrieval Performance Measures Efficiently in the Presence of Tied Scores, ECIR 2008).
If codes are ranked by their order, a code that is not listed has no rank.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray
from clineval.base.ratios import Number, Totals, ratio
from clineval.results.label_rows import ORDER, SCORES, LabelRows
from clineval.results.measures import Grid, Measure
from clineval.stats.curves import weigh

_AT = re.compile(r"(precision|recall|map)_at_(\d+)\Z")


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """Groups of codes with the same rank, ``t`` groups: the best of a document first.

    Groups without right codes are left out, because no score needs them.

    Args:
        row: ``[t]``, the number of the document's weight.
        before: ``[t]``, the number of codes with better ranks.
        size: ``[t]``, the number of codes.
        right_before: ``[t]``, the number of right codes with better ranks.
        right: ``[t]``, the number of right codes.
        golds: ``[width]``, the number of gold codes of each document.
    """

    row: IntArray
    before: FloatArray
    size: FloatArray
    right_before: FloatArray
    right: FloatArray
    golds: FloatArray

    def count_right(self, depth: FloatArray | float) -> FloatArray:
        """Return ``[width]``, the number of right codes among the first ``depth``."""
        among = np.clip(depth - self.before, 0, self.size)
        return np.bincount(self.row, self.right * ratio(among, self.size), len(self.golds)).astype(
            np.float64
        )

    def sum_precisions(self, depth: float, harmonic: FloatArray) -> FloatArray:
        """Return ``[width]``, the sum of the precisions at right codes among the first ``depth``.

        ``harmonic`` has the sum of 1 / i for i from 1 to each of its places.
        """
        among = np.clip(depth - self.before, 0, self.size)
        first = self.before.astype(np.int64)
        tail = harmonic[first + among.astype(np.int64)] - harmonic[first]
        others = ratio(self.right - 1, self.size - 1)  # right ones among the other tied codes
        sums = (self.right_before + 1) * tail + others * (among - (self.before + 1) * tail)
        return np.bincount(self.row, ratio(self.right, self.size) * sums, len(self.golds)).astype(
            np.float64
        )


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The codes of each document, grouped by rank once, so that some codes can be left out.

    Args:
        labels: the codes.
        ties: the groups with right codes.
        sizes: ``[t]``, the number of codes of each group, also of groups without right codes.
        place: the number of each group with right codes among all groups.
        first: the number of the first group of the same document, for the same groups.
        group: ``[n]``, the group of each code that is ranked; -1 for others.
        rest: ``[width]``, the group of the codes that a document does not mention.
    """

    labels: LabelRows
    ties: Ties
    sizes: FloatArray
    place: IntArray
    first: IntArray
    group: IntArray
    rest: IntArray

    def keep(self, kept: BoolArray) -> Ties:
        """Return the ranks among some codes of the label set, if codes are ranked by score.

        A document whose gold codes are left out has no valid ranks; its weight must be 0.

        Args:
            kept: ``[codes]``, whether each code is kept.
        """
        labels, sizes = self.labels, self.sizes
        out = np.flatnonzero(~kept[labels.label.ids])
        sizes = sizes - np.bincount(self.group[out], minlength=len(sizes))
        listed = np.bincount(labels.row[out], minlength=labels.width)
        sizes[self.rest] -= (~kept).sum() - listed
        before = _count_before(sizes, self.place, self.first)
        return replace(self.ties, size=sizes[self.place], before=before)


def find_ties(labels: LabelRows) -> Ties:
    """Group the codes of each document by rank; groups without right codes are left out."""
    return group_codes(labels).ties


def group_codes(labels: LabelRows) -> Ranking:
    """Group the codes of each document by rank."""
    scored = labels.ranking == SCORES
    golds = np.bincount(labels.row[labels.gold], minlength=labels.width).astype(np.float64)
    kept = np.flatnonzero(~np.isnan(labels.score) | scored)
    score = np.nan_to_num(labels.score[kept])
    row, right, size = labels.row[kept], labels.gold[kept].astype(np.float64), np.ones(len(kept))
    if scored:  # the codes that the document does not mention are tied at 0
        missing = len(labels.label.values) - np.bincount(row, minlength=labels.width)
        row = np.append(row, np.arange(labels.width))
        score, right = (np.append(of, np.zeros(labels.width)) for of in (score, right))
        size = np.append(size, missing)
    order = np.lexsort((-score, row))
    row, score, right, size = row[order], score[order], right[order], size[order]
    new = (np.diff(row, prepend=-1) != 0) | (np.diff(score, prepend=np.nan) != 0)
    starts = np.flatnonzero(new)
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.cumsum(new) - 1
    group = np.full(len(labels.row), -1)
    group[kept] = numbers[: len(kept)]
    rest = numbers[len(kept) :]
    sizes, rights = (
        np.bincount(numbers[order], of, len(starts)).astype(np.float64) for of in (size, right)
    )
    place = np.flatnonzero(rights)
    row = row[starts]
    first = np.searchsorted(row, row[place])
    before, right_before = (_count_before(of, place, first) for of in (sizes, rights))
    ties = Ties(row[place], before, sizes[place], right_before, rights[place], golds)
    return Ranking(labels, ties, sizes, place, first, group, rest)


def _count_before(sizes: FloatArray, place: IntArray, first: IntArray) -> FloatArray:
    """Return the sums of sizes from the first group of a document to the one before a place."""
    earlier = np.cumsum(sizes) - sizes
    before: FloatArray = earlier[place] - earlier[first]
    return before


@dataclass(frozen=True, slots=True)
class RankedScores(Measure):
    """Means over the documents with a gold code, if codes are ranked.

    A document has g gold codes:

        precision_at_k    right codes among the first k / k
        recall_at_k       right codes among the first k / g
        r_precision       right codes among the first g / g
        map               the mean of AP = sum of the precisions at the ranks of right codes / g
        map_at_k          the same with the first k codes only
    """

    def finish(self, _totals: Totals, _config: str, /) -> dict[str, Number]:
        """Return nothing, because these scores need labels."""
        return {}

    def finish_labels(
        self, labels: LabelRows, weights: FloatArray, _config: str, /
    ) -> dict[str, FloatArray]:
        """Compute the scores of each document, and their weighted means."""
        if labels.ranking not in {SCORES, ORDER}:
            return {}
        ties = find_ties(labels)
        asked = np.sign(ties.golds)
        documents = weigh(weights, asked)
        return {
            key: np.asarray(ratio(weigh(weights, asked * values), documents))
            for key, values in score_documents(ties, labels.cutoffs).items()
        }

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores of whole lists, and of the first k codes."""
        yield Grid("Ranked codes", ("MAP", "R-precision"), {"all": ("map", "r_precision")})
        yield Grid(
            "Ranked codes at k", ("P", "R", "MAP"), {}, find_cutoffs("precision", "recall", "map")
        )


def score_documents(ties: Ties, cutoffs: Iterable[int]) -> Mapping[str, FloatArray]:
    """Return ``[width]``, the scores of each document, by key."""
    most = int((ties.before + ties.size).max(initial=0))
    harmonic = np.cumsum(np.append(0.0, 1 / np.arange(1, most + 1)))
    golds = ties.golds
    found: dict[str, FloatArray] = {}
    for k in cutoffs:
        right = ties.count_right(k)
        found[f"precision_at_{k}"] = right / k
        found[f"recall_at_{k}"] = np.asarray(ratio(right, golds))
        found[f"map_at_{k}"] = np.asarray(ratio(ties.sum_precisions(k, harmonic), golds))
    of_golds = ties.count_right(golds[ties.row])
    found["r_precision"] = np.asarray(ratio(of_golds, golds))
    found["map"] = np.asarray(ratio(ties.sum_precisions(np.inf, harmonic), golds))
    return found


def find_cutoffs(*names: str) -> Callable[[Collection[str]], Mapping[str, tuple[str, ...]]]:
    """Return a function that finds the rows of a table of these scores: one for each k."""

    def find(keys: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        cutoffs = {int(found[2]) for found in map(_AT.match, keys) if found}
        return {f"k = {k}": tuple(f"{name}_at_{k}" for name in names) for k in sorted(cutoffs)}

    return find
