"""Score partial overlaps by characters: the mean over mentions of the best overlap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import FloatArray, IntArray
from clineval.base.ratios import Columns, Number, Totals, harmonic_mean, ratio
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.measures import SpanMeasure
from clineval.kinds.mentions.overlap import find_candidates_in_parts
from clineval.results.measures import Grid
from clineval.results.slots import Slot


@dataclass(frozen=True, slots=True)
class CharF1(SpanMeasure):
    """Precision, recall and F1 of characters; mentions are not paired one to one.

        sim(g, p) = 2 shared characters / (length of g + length of p), 0 if the labels differ
        P = mean over predictions of the best sim with a gold mention
        R = mean over gold mentions of the best sim with a prediction         F1 = 2 P R / (P + R)

    Args:
        label: the slot that must agree.
        title: the heading of the table.
    """

    label: str = "label"
    title: str = "Mentions"

    def count(self, corpus: Corpus, _labels: Sequence[str], /) -> Columns:
        """Add up the best overlaps of each side, and count its mentions."""
        sides = corpus.gold.columns, corpus.prediction.columns
        rows = [np.arange(len(side)) for side in sides]
        best: list[FloatArray] = [np.zeros(len(side)) for side in sides]
        lengths = [side.lengths(of) for side, of in zip(sides, rows, strict=True)]
        slot = Slot(self.label, "label")
        near_ones = find_candidates_in_parts(sides[0], sides[1], rows[0], rows[1], corpus.documents)
        for near in near_ones:
            pairs = near.take(same_value(near, corpus, slot))
            both: IntArray = lengths[0][pairs.gold] + lengths[1][pairs.prediction]
            alike = 2 * pairs.shared / both
            np.maximum.at(best[0], pairs.gold, alike)
            np.maximum.at(best[1], pairs.prediction, alike)
        size = len(corpus.documents)
        columns: dict[str, FloatArray | IntArray] = {}
        for name, side, found in zip(("recall", "precision"), sides, best, strict=True):
            columns[f"char_{name}_sum"] = np.bincount(side.document, found, size)
            columns[f"char_{name}_mentions"] = side.sizes(size)
        return columns

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Divide the sums by the numbers of mentions."""
        if "char_recall_sum" not in totals:
            return {}
        precision, recall = (
            ratio(totals[f"char_{name}_sum"], totals[f"char_{name}_mentions"])
            for name in ("precision", "recall")
        )
        f1 = harmonic_mean(precision, recall)
        return {"char_precision": precision, "char_recall": recall, "char_f1": f1}

    def tables(self) -> Iterable[Grid]:
        """Yield a table of the three scores."""
        keys = ("char_precision", "char_recall", "char_f1")
        yield Grid(f"{self.title}, characters", ("P", "R", "F1"), {"char": keys})

    @property
    def headline(self) -> tuple[str, ...]:
        """F1."""
        return ("char_f1",)

    @property
    def short_names(self) -> Mapping[str, str]:
        """Short names of precision, recall and F1."""
        return {f"char_{name}": f"char_{name[0]}" for name in ("precision", "recall", "f1")}
