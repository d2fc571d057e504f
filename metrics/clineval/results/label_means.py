"""Means over the labels of annotations, whatever labels the data have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass

import numpy as np

from clineval.base.arrays import FloatArray
from clineval.base.ratios import Number, Totals, harmonic_mean, ratio
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.label_rows import LabelRows
from clineval.results.measures import Grid, Measure
from clineval.stats.curves import add_up, split_weights

MEAN_HEADINGS = (*PRF_HEADINGS[:3], "mean F1")
"""The headings of a table of means over labels."""


def count_labels(
    labels: LabelRows, weights: FloatArray, *, whole: bool = False
) -> Iterator[tuple[FloatArray, FloatArray, FloatArray]]:
    """Yield fp, fn and tp of each label, ``[b, labels]`` each, for blocks of weights.

    Args:
        labels: the labels of both sides.
        weights: ``[n, width]``.
        whole: whether to count all labels of the label set, or only those of either side.
    """
    there = np.flatnonzero(labels.gold | labels.predicted)
    order = there[np.argsort(labels.label.ids[there], kind="stable")]
    label, row, size = labels.label.ids[order], labels.row[order], len(labels.label.values)
    if not whole:
        known, label = np.unique(label, return_inverse=True)
        size = len(known)
    rows = [np.flatnonzero(labels.verdicts[order] == number) for number in (1, 2, 3)]
    for block in split_weights(weights, max(len(order), size)):
        fp, fn, tp = (add_up(block[:, row[chosen]], label[chosen], size) for chosen in rows)
        yield fp, fn, tp


@dataclass(frozen=True)
class LabelMeans(Measure):
    """Means of precision and recall over labels, and the two macro-averages of F1.

        macro_precision, macro_recall    the means of the labels' P and R
        macro_f1                         2 P R / (P + R) of these two means
        mean_f1                          the mean of the labels' F1

    The labels are those that either side has. P, R or F1 is 0 if its denominator is 0. The protocol
    lists a row for each annotation
    (:meth:`~clineval.results.protocol.Protocol.list_labels`).

    Args:
        prefix: the beginning of the keys.
        among: the beginning of the labels that are averaged; empty for all labels.
        configs: the configurations that have it; empty for all.
        heading: heading of the row.
        title: heading of the table.

    Examples:
        >>> from clineval.base.arrays import Coded
        >>> sides = np.array([True, True, False]), np.array([True, False, True])
        >>> labels = LabelRows.of(1, np.zeros(3, int), Coded.of(["drug", "drug", "food"]), sides)
        >>> means = LabelMeans().finish_labels(labels, np.ones((1, 1)), "default")
        >>> [round(float(means[key][0]), 3) for key in LabelMeans().keys]
        [0.5, 0.25, 0.333, 0.333]
    """

    prefix: str = ""
    _: KW_ONLY
    among: str = ""
    configs: tuple[str, ...] = ()
    heading: str = "labels"
    title: str = "Means of the labels"

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the four means."""
        names = ("macro_precision", "macro_recall", "macro_f1", "mean_f1")
        return tuple(f"{self.prefix}{name}" for name in names)

    def finish(self, _totals: Totals, _config: str, /) -> dict[str, Number]:
        """Return nothing, because these scores need labels."""
        return {}

    def finish_labels(
        self, labels: LabelRows, weights: FloatArray, config: str, /
    ) -> dict[str, FloatArray]:
        """Compute the means for each row of weights."""
        if self.configs and config not in self.configs:
            return {}
        blocks = [self.average(*of) for of in count_labels(self.choose(labels), weights)]
        return dict(zip(self.computed, np.concatenate(blocks, axis=1), strict=True))

    @property
    def computed(self) -> tuple[str, ...]:
        """The keys of the rows of :meth:`average`."""
        return self.keys

    def choose(self, labels: LabelRows) -> LabelRows:
        """Return the labels that are averaged."""
        known = np.array([value.startswith(self.among) for value in labels.label.values], np.bool_)
        rows = np.flatnonzero(known[labels.label.ids]) if len(known) else labels.label.ids
        return labels.choose(rows, labels.row[rows], labels.width)

    def average(self, fp: FloatArray, fn: FloatArray, tp: FloatArray) -> FloatArray:
        """Return ``[4, b]``, the means over the labels that are there.

        Args:
            fp: ``[b, labels]``, the false positives of each label; ``fn`` and ``tp`` alike.
            fn: the false negatives.
            tp: the true positives.
        """
        there = np.sign(tp + fp + fn)
        scores = ratio(tp, tp + fp), ratio(tp, tp + fn), ratio(2 * tp, 2 * tp + fp + fn)
        precision, recall, mean = (
            np.asarray(ratio((score * there).sum(axis=1), there.sum(axis=1))) for score in scores
        )
        macro = np.asarray(harmonic_mean(precision, recall))
        return np.stack([precision, recall, macro, mean])

    def details(self) -> Iterable[Grid]:
        """Lay out the means."""
        yield Grid(self.title, MEAN_HEADINGS, {self.heading: self.keys})
