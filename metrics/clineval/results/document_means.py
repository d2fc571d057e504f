"""Means of precision and recall over documents, and the F1 of these means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass

import numpy as np

from clineval.base.arrays import BoolArray
from clineval.base.ratios import Columns, Number, Totals, harmonic_mean, ratio
from clineval.results.averages import PRF
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid, Measure

_COUNTS = ("tp", "fp", "fn")


@dataclass(frozen=True)
class DocumentMeans(Measure):
    """The means of P and of R over documents, and F1, which is the harmonic mean of the two means.

    Some challenges define the mean over documents this way. The ``document_`` mean of
    :class:`~clineval.results.averages.Averages` is the mean of each document's F1. Groups of
    annotations have no means over documents.

    Args:
        name: the beginning of the names of the counts, such as ``strict``.
        prefix: the beginning of its keys.
        title: heading of its table.
        heading: heading of its row.
        main: whether F1 is one of the main scores.

    Examples:
        >>> means = DocumentMeans("strict", "record")
        >>> counts = {"strict_tp": np.array([1, 0]), "strict_fp": np.array([0, 1]),
        ...           "strict_fn": np.array([1, 0])}
        >>> columns = means.count(counts, means.find_filled(counts))
        >>> totals = {name: float(column.sum()) for name, column in columns.items()}
        >>> means.finish(totals, "default")["record_precision"]
        0.5
    """

    name: str
    prefix: str
    _: KW_ONLY
    title: str = "Mean of the documents"
    heading: str = ""
    main: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of precision, recall and F1."""
        return tuple(f"{self.prefix}_{score}" for score in PRF)

    @property
    def _columns(self) -> tuple[str, ...]:
        return tuple(f"{self.name}_{of}" for of in ("records", "precision_sum", "recall_sum"))

    def find_filled(self, counted: Columns) -> BoolArray:
        """Return which documents have anything on either side, ``[documents]``."""
        return np.asarray(sum(counted[f"{self.name}_{verdict}"] for verdict in _COUNTS) > 0)

    def count(self, counted: Columns, averaged: BoolArray) -> Columns:
        """Return the summands of each document.

        Args:
            counted: the counts of documents.
            averaged: which documents are averaged, ``[documents]``.
        """
        tp, fp, fn = (counted[f"{self.name}_{verdict}"] for verdict in _COUNTS)
        precision, recall = np.asarray(ratio(tp, tp + fp)), np.asarray(ratio(tp, tp + fn))
        return dict(zip(self._columns, (averaged.astype(np.int64), precision, recall), strict=True))

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Divide the sums by the number of documents."""
        documents, *sums = self._columns
        if documents not in totals:
            return {}
        precision, recall = (ratio(totals[name], totals[documents]) for name in sums)
        f1 = harmonic_mean(precision, recall)
        return dict(zip(self.keys, (precision, recall, f1), strict=True))

    def tables(self) -> Iterable[Grid]:
        """Lay out the means."""
        yield Grid(self.title, PRF_HEADINGS[: len(PRF)], {self.heading or self.name: self.keys})

    @property
    def headline(self) -> tuple[str, ...]:
        """F1, if it is a main score."""
        return self.keys[-1:] if self.main else ()
