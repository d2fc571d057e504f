"""The outcomes of a field of paired records: equal or not, or the shared part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.ratios import Number, Totals, harmonic_mean, ratio
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.records.fitting import Compared
from clineval.results.match import Match, Sums, Values
from clineval.results.measures import Grid, Measure

_ONE_SIDED = ("both", "predicted", "gold", "neither")


@dataclass(frozen=True)
class Shares(Measure):
    """The share of a field's words or members that is right: a mean over the records with any.

        P = mean over predicted records of common / words of the prediction
        R = mean over gold records of common / words of the gold value        F1 = 2 P R / (P + R)

    where common is the number of shared words, including shared repeats; 0 for records without a
    partner.

    Args:
        name: the name of the field.
        title: heading of the table.
    """

    name: str
    title: str = "Fields"

    @property
    def keys(self) -> tuple[str, str, str]:
        """The names of the scores."""
        return f"{self.name}_precision", f"{self.name}_recall", f"{self.name}_f1"

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute both means and their F1."""
        if f"{self.name}_predicted" not in totals:
            return {}
        precision, recall = self._average(totals)
        f1 = harmonic_mean(precision, recall)
        return dict(zip(self.keys, (precision, recall, f1), strict=True))

    def _average(self, totals: Totals) -> tuple[Number, Number]:
        pairs = (("precision_sum", "predicted"), ("recall_sum", "gold"))
        found = [ratio(totals[f"{self.name}_{a}"], totals[f"{self.name}_{b}"]) for a, b in pairs]
        return found[0], found[1]

    def compute_f1(self, totals: Totals) -> Number:
        """Compute only F1, for other formulas."""
        return self.finish(totals, "")[self.keys[2]]

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores."""
        yield Grid(self.title, ("P", "R", "F1"), {self.name: self.keys})

    @property
    def headline(self) -> tuple[str, ...]:
        """F1."""
        return self.keys[2:]

    @property
    def shown_per_document(self) -> tuple[str, ...]:
        """F1."""
        return self.keys[2:]


def list_shares(rows: Match, field: Compared, name: str) -> Match:
    """List the outcomes of a field of words or members.

    Args:
        rows: all records, pairs first.
        field: the field of both sides.
        name: the name of the field.
    """
    pairs = _pairs_of(rows)

    def sums() -> Iterable[tuple[str, Values]]:
        found = field.count_found(pairs)
        for side, key, at in ((0, "recall", pairs.gold), (1, "precision", pairs.prediction)):
            yield f"{name}_{key}_sum", np.asarray(ratio(found[side], field.sizes(side)[at]))

    has = _find_filled(rows, field)
    verdict = 2 * ~has[1] + ~has[0]
    columns = {f"{name}_predicted": ("both", "predicted"), f"{name}_gold": ("both", "gold")}
    return _judge(rows, verdict, _ONE_SIDED, columns, sums)


def list_equal(rows: Match, field: Compared, name: str) -> Match:
    """List the outcomes of a field without members; see :func:`list_shares` for the arguments."""
    pairs = _pairs_of(rows)
    has = _find_filled(rows, field)
    right = has[0] & has[1]
    right[: len(pairs)] &= field.are_equal(pairs)
    verdict = np.where(right, 0, 1 + 2 * ~has[1] + ~has[0])
    names = ("right", "wrong", "fp", "fn", "neither")
    columns = {
        f"{name}_tp": ("right",),
        f"{name}_fp": ("wrong", "fp"),
        f"{name}_fn": ("wrong", "fn"),
    }
    return _judge(rows, verdict, names, columns, lambda: ())


def _find_filled(rows: Match, field: Compared) -> list[BoolArray]:
    """Return for each side which rows, ``[n]``, have a value in the field."""
    return [
        np.append(field.has(side), [False])[at]  # the row of no record is the last one
        for side, at in enumerate((rows.gold, rows.prediction))
    ]


def _pairs_of(rows: Match) -> Pairs:
    return Pairs(rows.gold[: rows.pairs], rows.prediction[: rows.pairs])


def _judge(
    rows: Match,
    verdict: IntArray,
    verdicts: tuple[str, ...],
    columns: Mapping[str, tuple[str, ...]],
    sums: Sums,
) -> Match:
    return replace(
        rows, verdict=verdict.astype(np.int8), verdicts=verdicts, columns=columns, sums=sums
    )
