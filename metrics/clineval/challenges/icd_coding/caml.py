"""The numbers of the training code of Mullenbach et al. (CAML)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from clineval.base.arrays import BoolArray, FloatArray, IntArray
from clineval.base.ratios import Columns, Number, Totals, harmonic_mean, ratio
from clineval.challenges.icd_coding.codes import DIAGNOSIS, OTHER, PROCEDURE
from clineval.challenges.icd_coding.rules import Rules
from clineval.kinds.codes.areas import CodeAreas
from clineval.kinds.codes.corpus import CODE, CodeCorpus
from clineval.kinds.codes.hierarchical import HierarchyScores
from clineval.kinds.codes.ranking import find_cutoffs, find_ties
from clineval.protocols.code_sets import CodeMeasure
from clineval.results.columns import MentionColumns
from clineval.results.label_means import count_labels
from clineval.results.label_rows import SCORES, LabelRows
from clineval.results.measures import Grid, Measure, Measures

EPSILON = 1e-10
_CATEGORY = 3
_TYPES = {"diag": DIAGNOSIS, "proc": PROCEDURE}
_SCORES = ("precision", "recall", "f1", "accuracy")


def find_written_type(code: str, *, gold: bool) -> str:
    """Return the type of a code by the place of its point.

    The gold standard's codes with E and a point have no type.

    Examples:
        >>> [find_written_type("E888.9", gold=gold) for gold in (False, True)]
        ['diagnosis', 'other']
    """
    external = code[:1] == "E"
    point = code.find(".")
    if point < 0:
        return DIAGNOSIS if len(code) in {_CATEGORY, _CATEGORY + external} else OTHER
    if point == _CATEGORY or (point == _CATEGORY + 1 and external and not gold):
        return DIAGNOSIS
    return PROCEDURE if point == _CATEGORY - 1 else OTHER


def count_types(corpus: CodeCorpus) -> Columns:
    """Count codes by type, in the documents with a diagnosis on both sides."""
    size, pairs = len(corpus.documents), corpus.find_same()
    golds, predictions = _find_types(corpus.gold, gold=True), _find_types(corpus.prediction)
    documents = corpus.gold.document, corpus.prediction.document

    def count(rows: BoolArray, document: IntArray) -> FloatArray:
        return np.bincount(document[rows], minlength=size).astype(np.float64)

    sides = (golds == DIAGNOSIS, documents[0]), (predictions == DIAGNOSIS, documents[1])
    asked = np.minimum(*(count(*side) > 0 for side in sides))
    counts: dict[str, FloatArray] = {}
    for name, kind in _TYPES.items():
        both = (golds == kind)[pairs.gold] & (predictions == kind)[pairs.prediction]
        right = asked * count(both, documents[0][pairs.gold])
        counts[f"{name}_tp"] = right
        counts[f"{name}_fp"] = asked * count(predictions == kind, documents[1]) - right
        counts[f"{name}_fn"] = asked * count(golds == kind, documents[0]) - right
    return counts


def _find_types(side: MentionColumns, *, gold: bool = False) -> NDArray[np.str_]:
    """Return ``[n]``, the type of each code."""
    column = side.attributes[CODE]
    types = np.array([find_written_type(code, gold=gold) for code in column.values], np.str_)
    return types[column.ids] if len(side) else np.zeros(0, np.str_)


def _score(right: Number, predicted: Number, golds: Number) -> dict[str, Number]:
    """Return micro-averages; F1 is computed from precision and recall."""
    precision, recall = ratio(right, predicted), ratio(right, golds)
    return {
        "precision": precision,
        "recall": recall,
        "f1": harmonic_mean(precision, recall),
        "accuracy": ratio(right, predicted + golds - right),
    }


class CamlSums(Measure):
    """Micro-averages of all codes, and F1 by type.

    micro_<score>    over all codes; accuracy is the share of right codes among those of both sides
    f1_diag          F1 of diagnoses, over the documents with a diagnosis on both sides
    f1_proc          F1 of procedures, over the same documents
    """

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute the scores from counts."""
        found: dict[str, Number] = {}
        for name in ("micro", *_TYPES):
            if f"{name}_tp" in totals:
                right, fp, fn = (totals[f"{name}_{count}"] for count in ("tp", "fp", "fn"))
                scores = _score(right, right + fp, right + fn)
                micro = {f"micro_{key}": score for key, score in scores.items()}
                found |= micro if name == "micro" else {f"f1_{name}": scores["f1"]}
        return found

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores."""
        yield Grid("Averages", _SCORES, {"micro": tuple(f"micro_{key}" for key in _SCORES)})
        yield Grid("By type", ("F1",), {"diagnoses": ("f1_diag",), "procedures": ("f1_proc",)})


class CamlMeans(Measure):
    """Means over all codes of the label set, and over documents if codes have scores.

    A code has P = tp / (predicted + 1e-10); a code that nobody has counts as 0. Macro F1 is
    computed from macro P and macro R.
    """

    headline = ("macro_f1",)

    def finish(self, _totals: Totals, _config: str, /) -> dict[str, Number]:
        """Return nothing, because these scores need labels."""
        return {}

    def finish_labels(
        self, labels: LabelRows, weights: FloatArray, _config: str, /
    ) -> dict[str, FloatArray]:
        """Compute the means for each row of weights."""
        blocks = [_average(*counts) for counts in count_labels(labels, weights, whole=True)]
        precision, recall, accuracy = np.concatenate(blocks, axis=1)
        f1 = np.asarray(harmonic_mean(precision, recall))
        scores = zip(_SCORES, (precision, recall, f1, accuracy), strict=True)
        return {f"macro_{key}": of for key, of in scores} | _score_ranks(labels, weights)

    def tables(self) -> Iterable[Grid]:
        """Lay out the means, and the scores of the first k codes."""
        yield Grid("Averages", _SCORES, {"macro": tuple(f"macro_{key}" for key in _SCORES)})
        find = find_cutoffs("precision", "recall", "f1")
        yield Grid("Ranked codes at k", ("P", "R", "F1"), {}, find)


def _average(fp: FloatArray, fn: FloatArray, tp: FloatArray) -> FloatArray:
    """Return ``[3, b]``, macro precision, recall and accuracy; 0 without codes."""
    if not tp.size:
        return np.zeros((3, len(tp)))
    return np.stack([(tp / (of + EPSILON)).mean(axis=1) for of in (tp + fp, tp + fn, tp + fp + fn)])


def _score_ranks(labels: LabelRows, weights: FloatArray) -> dict[str, FloatArray]:
    """Return means over documents; P at k divides by the number of codes if k is larger."""
    if labels.ranking != SCORES:
        return {}
    ties, found = find_ties(labels), dict[str, FloatArray]()
    for k in labels.cutoffs:
        right = ties.count_right(k)
        precision = _average_documents(right / min(k, len(labels.label.values)), weights)
        recall = _average_documents(np.asarray(ratio(right, ties.golds)), weights)
        found[f"precision_at_{k}"] = precision
        found[f"recall_at_{k}"] = recall
        found[f"f1_at_{k}"] = np.asarray(harmonic_mean(precision, recall))
    return found


def _average_documents(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return ``[n]``, the weighted means; a plain mean, by document, has the program's digits."""
    if len(weights) == 1 and weights.size and (weights == 1).all():
        return np.array([np.mean(values)])
    return np.asarray(ratio(weights @ values, weights.sum(axis=1)))


RULES = Rules(
    "the numbers of the training code of CAML (Mullenbach et al., 2018), and of its copies",
    count=count_types,
    stops=True,
)
MEASURES = Measures.of(CodeMeasure(), CamlSums(), CamlMeans(), CodeAreas(), HierarchyScores())
