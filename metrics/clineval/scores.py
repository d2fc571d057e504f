"""Scores: where division happens, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from clineval.arrays import FloatArray, IntArray
from clineval.counts import Counts
from clineval.signature import Signature

if TYPE_CHECKING:
    from clineval.statistics.confidence import Confidence

Number = float | FloatArray
Totals = Mapping[str, Number]


def ratio(numerator: Number | IntArray, denominator: Number | IntArray) -> Number:
    """Divide, elementwise for arrays; 0 where the denominator is 0.

    Examples:
        >>> ratio(1, 4), ratio(3, 0)
        (0.25, 0.0)
    """
    top, bottom = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    shape = np.broadcast_shapes(top.shape, bottom.shape)
    quotient = np.divide(top, bottom, out=np.zeros(shape), where=bottom != 0)
    return quotient if shape else float(quotient)


def precision_recall_f1(prefix: str, totals: Totals) -> dict[str, Number]:
    """Precision, recall and F1 of one kind of match, and the three counts behind them.

    Args:
        prefix: such as ``strict``, for keys such as ``strict_f1``.
        totals: has ``<prefix>_tp``, ``<prefix>_fp`` and ``<prefix>_fn``.

    Examples:
        >>> precision_recall_f1("span", {"span_tp": 3, "span_fp": 5, "span_fn": 2})
        ... # doctest: +NORMALIZE_WHITESPACE
        {'span_precision': 0.375, 'span_recall': 0.6, 'span_f1': 0.46153846153846156,
         'span_tp': 3, 'span_fp': 5, 'span_fn': 2}
    """
    tp, fp, fn = (totals[f"{prefix}_{kind}"] for kind in ("tp", "fp", "fn"))
    return {
        f"{prefix}_precision": ratio(tp, tp + fp),
        f"{prefix}_recall": ratio(tp, tp + fn),
        f"{prefix}_f1": ratio(2 * tp, 2 * tp + fp + fn),
        f"{prefix}_tp": tp,
        f"{prefix}_fp": fp,
        f"{prefix}_fn": fn,
    }


def score_rows(counts: Counts, table: FloatArray) -> dict[str, FloatArray]:
    """The scores of many totals at once.

    Args:
        counts: of what challenge and configuration.
        table: ``[n, k]``, a row of totals each, with the columns of the counts.

    Returns:
        Key to ``[n]``.
    """
    from clineval.registry import find_challenge

    totals = dict(zip(counts.columns, table.T, strict=True))
    scores = find_challenge(counts.metric).finish(totals, counts.config)
    return {key: np.broadcast_to(value, len(table)) for key, value in scores.items()}


@dataclass(frozen=True, eq=False)
class Score:
    """The scores of a system, with the counts that they follow from.

    Args:
        counts: what was counted.
        confidence: how intervals are made; None for none.

    Examples:
        >>> import clineval
        >>> mention = {"spans": [[4, 15]], "cui": "C0344720"}
        >>> score = clineval.score("semeval15_task14", [[mention]], [[mention]], config="task1")
        >>> score["strict_f1"]
        1.0
    """

    counts: Counts
    confidence: Confidence | None = None

    @property
    def metric(self) -> str:
        """The challenge's module name."""
        return self.counts.metric

    @property
    def config(self) -> str:
        """The configuration."""
        return self.counts.config

    @property
    def protocol(self) -> str:
        """``spec`` or ``official``."""
        return self.counts.settings["protocol"]

    @cached_property
    def values(self) -> Mapping[str, float | int]:
        """Key to score; counts are integers, all else are floats."""
        values = self._finish(self.counts.totals)
        plain = {key: self._plain(key, value) for key, value in values.items()}
        return {**plain, "n_documents": len(self.counts)}

    @cached_property
    def intervals(self) -> Mapping[str, tuple[float, float]]:
        """Key to the lower and upper bound, for all scores but not for counts.

        Empty without :attr:`confidence`.
        """
        if self.confidence is None:
            return {}
        from clineval.statistics.confidence import intervals_of

        return intervals_of(self.counts, self.confidence)

    @property
    def bounds(self) -> dict[str, float]:
        """The intervals as ``<key>_low`` and ``<key>_high``."""
        sides = ("low", "high")
        return {
            f"{key}_{side}": bound
            for key, interval in self.intervals.items()
            for side, bound in zip(sides, interval, strict=True)
        }

    @cached_property
    def per_document(self) -> list[dict[str, Any]]:
        """One row for each document: its name, its scores, and what the challenge adds."""
        values = score_rows(self.counts, self.counts.table)
        names = ["document", *values]
        scores = [value.tolist() for value in values.values()]
        rows = zip(self.counts.documents, *scores, strict=True)
        details: Iterable[dict[str, Any]] = self.counts.details or repeat({})
        return [
            {name: self._plain(name, value) for name, value in zip(names, row, strict=True)}
            | detail
            for row, detail in zip(rows, details, strict=False)
        ]

    @property
    def signature(self) -> Signature:
        """What the scores depend on."""
        from clineval import __version__

        settings = dict(self.counts.settings)
        settings |= {"docs": str(len(self.counts)), "refs": self.counts.references}
        settings |= self.confidence.settings if self.confidence else {}
        return Signature(self.metric, self.config, {**settings, "v": __version__})

    def as_dict(self, *, per_document: bool = False) -> dict[str, Any]:
        """The flat dict that the evaluate modules return."""
        result: dict[str, Any] = {**self.values, **self.bounds, "signature": str(self.signature)}
        if per_document:
            result["per_document"] = self.per_document
        return result

    def __getitem__(self, key: str) -> float | int:
        return self.values[key]

    def __repr__(self) -> str:
        from clineval.report.tables import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from clineval.report.tables import as_html

        return as_html(self)

    def _finish(self, totals: Totals) -> dict[str, Number]:
        from clineval.registry import find_challenge

        return find_challenge(self.metric).finish(totals, self.config)

    def _plain(self, key: str, value: Any) -> Any:
        return int(value) if key in self.counts.columns else value
