"""The numbers of the training code of Edin et al."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import fsum

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray
from clineval.base.ratios import Number, Totals, ratio
from clineval.challenges.icd_coding.caml import EPSILON
from clineval.challenges.icd_coding.rules import Rules
from clineval.kinds.codes.areas import CodeAreas
from clineval.kinds.codes.hierarchical import HierarchyScores
from clineval.kinds.codes.ranking import find_cutoffs, group_codes, score_documents
from clineval.kinds.codes.scored import ScoredSide
from clineval.protocols.code_sets import CodeMeasure
from clineval.results.challenge import Setup
from clineval.results.label_means import count_labels
from clineval.results.label_rows import SCORES, LabelRows
from clineval.results.measures import Grid, Measure, Measures

ALL = "_mullenbach"
"""Ends the names of scores over all codes and all documents."""
_SCORES = ("precision", "recall", "f1", "fpr")
_FAMILIES = {"codes of the gold standard": "", "all codes": ALL}


def prepare(predicted: ScoredSide, setup: Setup) -> ScoredSide:
    """Round scores to single precision; scores alone decide which codes are predicted."""
    if not np.isfinite(predicted.scores).any():
        return predicted
    single = predicted.scores.astype(np.float32)
    chosen: BoolArray = single > np.float32(setup["threshold"])
    return replace(predicted, scores=single.astype(np.float64), chosen=chosen)


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
        golds = np.zeros(labels.width, np.bool_)
        golds[labels.row[labels.gold]] = True
        families = {"": weights * golds, ALL: weights}
        found: dict[str, FloatArray] = {}
        for end, drawn in families.items():
            scores = _score_sets(labels, drawn, every=bool(end))
            found |= {f"{key}{end}": values for key, values in scores.items()}
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


def _score_sets(labels: LabelRows, weights: FloatArray, *, every: bool) -> dict[str, FloatArray]:
    """Return the scores of a family: of every code, or of those that drawn documents have."""
    parts, kept = list[FloatArray](), list[BoolArray]()
    at = 0
    for fp, fn, tp in count_labels(labels, weights, whole=True):
        total = weights[at : at + len(tp)].sum(axis=1, keepdims=True)
        at += len(tp)
        among: BoolArray = np.full(tp.shape, fill_value=True) if every else tp + fn > 0
        counts = [of * among for of in (tp, fp, fn, total - tp - fp - fn)]
        sums = _divide(*(of.sum(axis=1) for of in counts))
        means = (ratio(of.sum(axis=1), among.sum(axis=1)) for of in _divide(*counts))
        parts.append(np.stack([*sums, *map(np.asarray, means)]))
        kept.extend(among)
    keys = [f"{name}_{key}" for name in ("micro", "macro") for key in _SCORES]
    found = dict(zip(keys, np.concatenate(parts, axis=1), strict=True))
    return found | _score_documents(labels, weights, kept)


def _score_documents(
    labels: LabelRows, weights: FloatArray, kept: Sequence[BoolArray]
) -> dict[str, FloatArray]:
    """Return the means over documents, each among the codes that are kept for its weights."""
    ranking = group_codes(labels) if labels.ranking == SCORES else None
    wrong = np.flatnonzero(labels.gold != labels.predicted)
    row, code = labels.row[wrong], labels.label.ids[wrong]

    def score(codes: BoolArray) -> Mapping[str, FloatArray]:
        ranks = score_documents(ranking.keep(codes), labels.cutoffs) if ranking else {}
        exact = np.bincount(row, codes[code], labels.width) == 0
        return {"exact_match": exact.astype(np.float64), **ranks}

    add = fsum if len(weights) == 1 else np.sum  # documents can have any order
    last: BoolArray | None = None
    scores: Mapping[str, FloatArray] = {}
    means: list[dict[str, float]] = []
    for drawn, codes in zip(weights, kept, strict=True):
        if last is None or (last != codes).any():
            last, scores = codes, score(codes)
        sums = {key: add(drawn * values) for key, values in scores.items()}
        means.append({key: float(ratio(of, drawn.sum())) for key, of in sums.items()})
    return {key: np.array([of[key] for of in means]) for key in (means[0] if means else ())}


RULES = Rules(
    "the numbers of the training code of Edin et al. (2023), over the codes of the gold standard",
    prepare,
)
MEASURES = Measures.of(CodeMeasure(), EdinScores(), HierarchyScores())
