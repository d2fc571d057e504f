"""Areas under the ROC curve of codes with scores.

The area is the probability that a right code has a higher score than a wrong one; equal scores
count half. A code without a score has 0. Pairs of documents and codes that neither side mentions
are counted, but never listed, so that memory does not grow with documents times codes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray
from clineval.base.ratios import Number, Totals, ratio
from clineval.kinds.codes.averages import add_up, split_weights
from clineval.results.label_rows import SCORES, LabelRows
from clineval.results.measures import Grid, Measure

MICRO, MACRO = "auc_micro", "auc_macro"


@dataclass(frozen=True, slots=True)
class CodeAreas(Measure):
    """The area under the ROC curve, if codes have scores.

    auc_micro    over all pairs of a document and a code
    auc_macro    the mean over the codes that some documents have, and others do not have
    """

    def finish(self, _totals: Totals, _config: str, /) -> dict[str, Number]:
        """Return nothing, because these scores need labels."""
        return {}

    def finish_labels(
        self, labels: LabelRows, weights: FloatArray, _config: str, /
    ) -> dict[str, FloatArray]:
        """Compute both areas."""
        if labels.ranking != SCORES:
            return {}
        codes = len(labels.label.values)
        every = np.arange(len(labels.row))
        all_as_one = _Curves.of(labels, every, np.zeros(len(every), np.int64), 1, codes)
        with_gold = np.unique(labels.label.ids[labels.gold])
        kept = np.flatnonzero(np.isin(labels.label.ids, with_gold))
        code = np.searchsorted(with_gold, labels.label.ids[kept])
        of_codes = _Curves.of(labels, kept, code, len(with_gold), 1)
        return {MICRO: all_as_one.average(weights), MACRO: of_codes.average(weights)}

    def tables(self) -> Iterable[Grid]:
        """Lay out both areas."""
        keys = (MICRO, MACRO)
        yield Grid("Area under the ROC curve", ("all pairs", "mean of codes"), {"AUC": keys})


@dataclass(frozen=True, slots=True, eq=False)
class _Curves:
    """One or several ROC curves: rows by curve and score, the lowest score first.

    Args:
        row: ``[n]``, the number of the weight of each row.
        gold: ``[n]``, whether the gold standard has the code.
        tie: ``[n]``, the number of the group of equal scores.
        curve: ``[t]``, the curve of each group; the first group of each curve has the score 0.
        times: how many pairs of a curve a document has.
    """

    row: IntArray
    gold: BoolArray
    tie: IntArray
    curve: IntArray
    times: int

    @classmethod
    def of(
        cls, labels: LabelRows, kept: IntArray, curve: IntArray, curves: int, times: int
    ) -> _Curves:
        """Sort rows of labels by curve and score."""
        score = np.append(np.nan_to_num(labels.score[kept]), np.zeros(curves))  # unlisted pairs
        curve = np.append(curve, np.arange(curves))
        order = np.lexsort((score, curve))
        new = (np.diff(curve[order], prepend=-1) != 0) | (
            np.diff(score[order], prepend=np.nan) != 0
        )
        ties = np.cumsum(new) - 1
        listed = order < len(kept)
        rows = kept[order[listed]]
        of_ties = curve[order][new]
        return cls(labels.row[rows], labels.gold[rows], ties[listed], of_ties, times)

    def average(self, weights: FloatArray) -> FloatArray:
        """Return ``[n]``, the mean area of the curves with both kinds of pairs."""
        blocks = [self._average(block) for block in split_weights(weights, len(self.row))]
        return np.concatenate(blocks)

    def _average(self, weights: FloatArray) -> FloatArray:
        drawn = weights[:, self.row]
        right, wrong = (
            add_up(drawn[:, chosen], self.tie[chosen], len(self.curve))
            for chosen in (np.flatnonzero(self.gold), np.flatnonzero(~self.gold))
        )
        starts = np.flatnonzero(np.diff(self.curve, prepend=-1))
        if not len(starts):
            return np.zeros(len(weights))
        listed = np.add.reduceat(right + wrong, starts, axis=1)
        wrong[:, starts] += self.times * weights.sum(axis=1)[:, None] - listed
        below = np.cumsum(wrong, axis=1) - wrong
        below -= np.repeat(below[:, starts], np.diff([*starts, len(self.curve)]), axis=1)
        won, rights, wrongs = (
            np.add.reduceat(values, starts, axis=1)
            for values in (right * (below + wrong / 2), right, wrong)
        )
        pairs = rights * wrongs
        return np.asarray(ratio(np.sum(ratio(won, pairs), axis=1), (pairs > 0).sum(axis=1)))
