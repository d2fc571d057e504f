"""The numbers of the training code of Edin et al."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, Coded, FloatArray
from clineval.base.ratios import Number, Totals, ratio
from clineval.challenges.icd_coding.caml import EPSILON, average, keep_common
from clineval.challenges.icd_coding.rules import Rules
from clineval.kinds.codes.areas import CodeAreas
from clineval.kinds.codes.ranking import find_cutoffs, find_ties, score_documents
from clineval.kinds.codes.scored import ScoredSide
from clineval.protocols.code_sets import CodeMeasure
from clineval.results.challenge import Setup
from clineval.results.label_rows import SCORES, LabelRows
from clineval.results.measures import Grid, Measure, Measures

ALL = "_mullenbach"
"""Ends the names of scores over all codes and all documents."""
_SCORES = ("precision", "recall", "f1", "fpr")
_FAMILIES = {"codes of the gold standard": "", "all codes": ALL}


def prepare(gold: ScoredSide, predicted: ScoredSide, setup: Setup) -> tuple[ScoredSide, ScoredSide]:
    """Round scores to single precision; scores alone decide which codes are predicted."""
    gold, predicted = keep_common(gold, predicted, setup)
    if not np.isfinite(predicted.scores).any():
        return gold, predicted
    single = predicted.scores.astype(np.float32)
    chosen: BoolArray = single > np.float32(setup["threshold"])
    return gold, replace(predicted, scores=single.astype(np.float64), chosen=chosen)


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """The codes and documents of a family of scores.

    Args:
        labels: the labels of these codes.
        documents: ``[width]``, how often each document counts.
    """

    labels: LabelRows
    documents: FloatArray

    @classmethod
    def of(cls, labels: LabelRows, weights: FloatArray) -> Family:
        """Return the codes that gold documents have, and the documents that have one."""
        golds = np.zeros(labels.width, np.bool_)
        golds[labels.row[labels.gold]] = True
        documents = weights * golds
        there = labels.gold & (weights[labels.row] > 0)
        kept = np.bincount(labels.label.ids[there], minlength=len(labels.label.values)) > 0
        rows = np.flatnonzero(kept[labels.label.ids])
        number = np.cumsum(kept) - 1
        values = tuple(value for value, of in zip(labels.label.values, kept, strict=True) if of)
        column = Coded(number[labels.label.ids[rows]], values)
        chosen = labels.choose(rows, labels.row[rows], labels.width)
        return cls(replace(chosen, label=column), documents)

    def score_sets(self) -> dict[str, float]:
        """Return the scores of predicted codes."""
        labels, drawn = self.labels, self.documents[self.labels.row]
        size, total = len(labels.label.values), float(self.documents.sum())
        fp, fn, tp = (
            np.bincount(labels.label.ids[rows], drawn[rows], size)
            for rows in (labels.verdicts == number for number in (1, 2, 3))
        )
        counts = np.stack([tp, fp, fn, total - tp - fp - fn])
        families = {"micro": counts.sum(axis=1, keepdims=True), "macro": counts}
        found = {
            f"{name}_{key}": float(each.mean()) if size else 0.0
            for name, of in families.items()
            for key, each in zip(_SCORES, _divide(*of), strict=True)
        }
        wrong = np.bincount(labels.row, labels.gold != labels.predicted, labels.width) > 0
        found["exact_match"] = float(ratio(self.documents[~wrong].sum(), total))
        return found

    def average(self, ranks: Mapping[str, FloatArray]) -> dict[str, float]:
        """Return the means of scores of documents."""
        weights = self.documents[None]
        return {key: float(average(values, weights)[0]) for key, values in ranks.items()}


def _score_ranks(labels: LabelRows) -> Mapping[str, FloatArray]:
    """Return the scores of the ranked codes of each document, if codes have scores."""
    if labels.ranking != SCORES:
        return {}
    found = score_documents(find_ties(labels), labels.cutoffs)
    return {key: values for key, values in found.items() if not key.startswith("map_at")}


def _divide(
    tp: FloatArray, fp: FloatArray, fn: FloatArray, tn: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return precision, recall, F1 and the rate of false positives."""
    return (
        tp / (tp + fp + EPSILON),
        tp / (tp + fn + EPSILON),
        tp / (tp + 0.5 * (fp + fn) + EPSILON),
        fp / (fp + tn + EPSILON),
    )


class EdinScores(Measure):
    """Scores over the codes that the gold standard has, and over all codes (``_mullenbach``).

    Of the former, documents without a gold code and other codes are left out, also as false
    positives and in ranks. Each denominator of P, R, F1 and FPR has 1e-10 more.
    """

    headline = ("macro_f1",)

    @property
    def less_is_better(self) -> tuple[str, ...]:
        """The rates of false positives."""
        return tuple(f"{name}_fpr{end}" for end in ("", ALL) for name in ("micro", "macro"))

    def finish(self, _totals: Totals, _config: str, /) -> dict[str, Number]:
        """Return nothing, because these scores need labels."""
        return {}

    def finish_labels(
        self, labels: LabelRows, weights: FloatArray, config: str, /
    ) -> dict[str, FloatArray]:
        """Compute the scores of both families for each row of weights."""
        ranks = _score_ranks(labels)
        each = [_score(labels, ranks, row) for row in weights]
        found = {key: np.array([scores[key] for scores in each]) for key in each[0]} if each else {}
        areas = CodeAreas().finish_labels(labels, weights, config)
        return {**found, **areas, **{f"{key}{ALL}": area for key, area in areas.items()}}

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores."""
        for title, end in _FAMILIES.items():
            rows = {name: tuple(f"{name}_{k}{end}" for k in _SCORES) for name in ("micro", "macro")}
            yield Grid(f"Averages, {title}", _SCORES, rows)
        ranks = ("exact_match", "map", "r_precision", "auc_micro", "auc_macro")
        for title, end in _FAMILIES.items():
            yield Grid(
                "Documents, ranks and areas", ranks, {title: tuple(f"{k}{end}" for k in ranks)}
            )
        yield Grid(
            "Ranked codes at k, codes of the gold standard",
            ("P", "R"),
            {},
            find_cutoffs("precision", "recall"),
        )


def _score(
    labels: LabelRows, ranks: Mapping[str, FloatArray], weights: FloatArray
) -> dict[str, float]:
    """Return the scores for one row of weights; ``ranks`` are those over all codes."""
    kept, whole = Family.of(labels, weights), Family(labels, weights)
    families = {"": (kept, _score_ranks(kept.labels)), ALL: (whole, ranks)}
    return {
        f"{key}{end}": value
        for end, (family, of_documents) in families.items()
        for key, value in {**family.score_sets(), **family.average(of_documents)}.items()
    }


RULES = Rules(
    "the numbers of the training code of Edin et al. (2023), over the codes of the gold standard",
    prepare,
)
MEASURES = Measures.of(CodeMeasure(), EdinScores())
