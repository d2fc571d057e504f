"""Declare the scores of n2c2 2018 Track 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray
from clineval.base.ratios import (
    Columns,
    Number,
    Totals,
    harmonic_mean,
    precision_recall_f1,
    prf_keys,
    ratio,
)
from clineval.results.averages import PRF, label_key
from clineval.results.formulas import PRF_HEADINGS, Prf
from clineval.results.measures import Grid, Measures

CONCEPTS = (
    "Drug", "Strength", "Duration", "Route", "Form", "ADE", "Dosage", "Reason", "Frequency",
)  # fmt: skip
RELATIONS = (
    "Strength-Drug", "Dosage-Drug", "Duration-Drug", "Frequency-Drug", "Form-Drug", "Route-Drug",
    "Reason-Drug", "ADE-Drug",
)  # fmt: skip
LABELS = {"concepts": CONCEPTS, "relations": RELATIONS}
MODES = {"strict": "exact/both", "lenient": "overlap/both"}
"""The kinds of match, and the place of each on the page."""
_COUNTED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "concepts": {"without": RELATIONS},
    "relations": {"classes": RELATIONS},
}


@dataclass(frozen=True)
class Typed(Prf):
    """Precision, recall and F1 of one kind of annotation: of all types, and of each type.

    The means over documents, such as ``concepts_macro_strict_f1``, are added.

    Args:
        kind: ``concepts`` or ``relations``.
        mode: one of :data:`MODES`.
    """

    _: KW_ONLY
    kind: str
    mode: str

    @property
    def keys(self) -> dict[str, str]:
        """The beginning of the names of the counts of each type."""
        return {label: f"{label_key(label)}_{self.mode}" for label in LABELS[self.kind]}

    @property
    def _means(self) -> tuple[str, ...]:
        return tuple(f"{self.kind}_macro_{self.mode}_{name}" for name in PRF)

    def average(self, counted: Columns, averaged: BoolArray) -> dict[str, FloatArray]:
        """Return P, R and F1 of each document that counts, and 0 for the others."""
        tp, fp, fn = (counted[f"{self.name}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        precision, recall = ratio(tp, tp + fp), ratio(tp, tp + fn)
        f1 = harmonic_mean(precision, recall)
        both = zip(self._means, (precision, recall, f1), strict=True)
        return {f"{key}_sum": np.where(averaged, values, 0.0) for key, values in both}

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores of all types, their means over documents, and the scores by type."""
        scores = super().finish(totals, config)
        if scores and (documents := totals.get(f"{self.kind}_macro_documents")) is not None:
            scores |= {key: ratio(totals[f"{key}_sum"], documents) for key in self._means}
        for key in self.keys.values() if scores else ():
            scores |= precision_recall_f1(key, totals)
        return scores

    def tables(self) -> Iterable[Grid]:
        """Yield a table with a row for each type, for all types, and for the means."""
        rows = {label: prf_keys(key) for label, key in self.keys.items()}
        rows |= {"micro": prf_keys(self.name), "macro (documents)": self._means}
        yield Grid(f"{self.kind.capitalize()}, {self.mode}", PRF_HEADINGS, rows)


SCORES = {
    f"{kind}_{mode}": Typed(
        f"{kind}_micro_{mode}",
        kind=kind,
        mode=mode,
        short=f"{kind[0]}_{mode[:3]}",
        place=place,
        narrow=_COUNTED[kind],
        preset=f"{kind} {mode}",
        configs=("default", kind),
    )
    for kind in LABELS
    for mode, place in MODES.items()
}
"""The scores, by the name of the pairing that they count."""
_LENIENT, _STRICT = ([SCORES[f"{kind}_{m}"] for kind in LABELS] for m in ("lenient", "strict"))
_RANKING = tuple(f"{measure.name}_f1" for measure in _LENIENT)
MEASURES = Measures.of(
    *SCORES.values(),
    ranking={"default": _RANKING, "concepts": _RANKING[:1], "relations": _RANKING[1:]},
    headline=tuple(
        f"{measure.name}_f1"
        for of_kind in zip(_LENIENT, _STRICT, strict=True)
        for measure in of_kind
    ),
    shown_per_document=tuple(
        f"{measure.name}_{name}" for measure in _LENIENT for name in ("tp", "fp", "fn", "f1")
    ),
)
