"""Areas under the ROC curve of codes with scores.

The area is the probability that a right code has a higher score than a wrong one; equal scores
count half. A code without a score has 0. Pairs of documents and codes that neither side mentions
are counted, but never listed, so that memory does not grow with documents times codes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import FloatArray, IntArray
from clineval.base.ratios import Number, Totals
from clineval.results.label_rows import SCORES, LabelRows
from clineval.results.measures import Grid, Measure
from clineval.stats.curves import Curves

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
        all_as_one = _draw(labels, every, np.zeros(len(every), np.int64), 1, codes)
        with_gold = np.unique(labels.label.ids[labels.gold])
        kept = np.flatnonzero(np.isin(labels.label.ids, with_gold))
        code = np.searchsorted(with_gold, labels.label.ids[kept])
        of_codes = _draw(labels, kept, code, len(with_gold), 1)
        return {MICRO: all_as_one.average(weights), MACRO: of_codes.average(weights)}

    def tables(self) -> Iterable[Grid]:
        """Lay out both areas."""
        keys = (MICRO, MACRO)
        yield Grid("Area under the ROC curve", ("all pairs", "mean of codes"), {"AUC": keys})


def _draw(labels: LabelRows, kept: IntArray, curve: IntArray, curves: int, times: int) -> Curves:
    """Draw curves of some rows of labels; a document has ``times`` pairs on each."""
    row, gold, score = labels.row[kept], labels.gold[kept], labels.score[kept]
    return Curves.of(row, gold, score, curve, curves, times=times)
