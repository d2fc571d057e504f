"""Scores that options add: weighted means, F-beta, tokens and documents that are entirely right."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from clineval.base.ratios import Columns, Number, Totals, precision_recall_f1, prf_keys, ratio
from clineval.challenges.clinical_spans.muc import MEASURES
from clineval.challenges.clinical_spans.numbers import parse_beta
from clineval.challenges.clinical_spans.slots import STRICT_SLOTS
from clineval.challenges.clinical_spans.tokens import TokenSpans
from clineval.kinds.mentions.measures import find_labels
from clineval.results.averages import (
    MACRO,
    PRF,
    WEIGHTED,
    WEIGHTS,
    average,
    average_columns,
    list_parts_of,
)
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid, Measure

TOKENS = TokenSpans("tokens", title="Tokens", short="tok")
_BY_LABEL = ("strict", "lenient", TOKENS.name)
"""The matches with scores of each label."""
_MATCHES = ("strict", STRICT_SLOTS, "lenient", "boundary", TOKENS.name)
_HEADING = "F-beta"
_MEANS = "Labels, mean of the labels"


def label_scores(name: str, totals: Totals) -> dict[str, dict[str, Number]]:
    """Return the scores of each label under a match, by the beginning of their keys."""
    keys = (f"{label}_{name}" for label in find_labels(totals, f"_{name}_tp", ()))
    return {key: precision_recall_f1(key, totals) for key in keys}


@dataclass(frozen=True, slots=True)
class WeightedMeans(Measure):
    """Means over labels, weighted by their gold mentions, if the option ``weighted`` is set.

    Args:
        wanted: whether the option is set.
    """

    wanted: bool = False

    def under(self, settings: Mapping[str, str], /) -> Measure:
        """Return the measure for the settings of a signature."""
        return replace(self, wanted=True) if WEIGHTED in settings else self

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute the means of every match with scores of labels."""
        means: dict[str, Number] = {}
        for name in _BY_LABEL if self.wanted else ():
            if f"{name}_tp" in totals:
                rows = [*label_scores(name, totals).values()]
                means |= average(f"{WEIGHTED}_{name}", rows, WEIGHTS[WEIGHTED])
        return means

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean to the scores of the labels that either side has."""
        return {
            mean: parts
            for name in _BY_LABEL
            for mean, parts in list_parts_of(
                f"{WEIGHTED}_{name}", label_scores(name, scores), scores
            ).items()
        }

    def details(self) -> Iterable[Grid]:
        """Lay the means out below the other means over labels."""
        rows = {f"{name}, {WEIGHTED}": f"{WEIGHTED}_{name}" for name in _BY_LABEL}
        keys = {heading: tuple(f"{key}_{of}" for of in PRF) for heading, key in rows.items()}
        yield Grid(_MEANS, PRF_HEADINGS[:3], keys)


@dataclass(frozen=True, slots=True)
class FBeta(Measure):
    """F-beta of every match, of each label, and its means, if the option ``beta`` is set.

        F = (1 + beta^2) P R / (beta^2 P + R)

    Args:
        beta: beta; 0 if the option is not set.
        averages: the means over labels.
    """

    beta: float = 0.0
    averages: tuple[str, ...] = (MACRO,)

    def under(self, settings: Mapping[str, str], /) -> Measure:
        """Return the measure for the settings of a signature; reject a beta that is none."""
        beta = parse_beta(settings.get("beta"))
        if beta is None:
            return self
        more = (WEIGHTED,) if WEIGHTED in settings else ()
        return replace(self, beta=beta, averages=(MACRO, *more))

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute the scores of all matches that are counted."""
        scores: dict[str, Number] = {}
        if not self.beta:
            return scores
        for name in _MATCHES:
            if f"{name}_tp" in totals:
                scores |= {_key(name): self._of_counts(name, totals)}
        for measure in MEASURES:
            if f"{measure.name}_tp" in totals:
                counts = measure.categorize(totals)
                worth = counts["cor"] + counts["par"] / 2
                f_beta = self._compute(worth, counts["actual"], counts["possible"])
                scores |= {_key(measure.name): f_beta}
        for name in _BY_LABEL:
            scores |= self._of_labels(name, totals)
        return scores

    def _of_labels(self, name: str, totals: Totals) -> dict[str, Number]:
        """Compute the scores of each label under a match, and their means."""
        labels = label_scores(name, totals)
        scores = {_key(key): self._of_counts(key, totals) for key in labels}
        rows = [(score,) for score in scores.values()]
        for mean in self.averages if labels else ():
            weights = [WEIGHTS[mean](*[*of.values()][len(PRF) :]) for of in labels.values()]
            scores |= {_key(f"{mean}_{name}"): average_columns(rows, weights, 1)[0]}
        return scores

    def _of_counts(self, key: str, totals: Totals) -> Number:
        tp, fp, fn = (totals[name] for name in prf_keys(key)[len(PRF) :])
        return self._compute(tp, tp + fp, tp + fn)

    def _compute(self, worth: Number, actual: Number, possible: Number) -> Number:
        square = self.beta**2
        return ratio((1 + square) * worth, square * possible + actual)

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean to the scores of the labels that either side has."""
        parts: dict[str, Sequence[str]] = {}
        for name in _BY_LABEL:
            there = list_parts_of(name, label_scores(name, scores), scores)[f"{name}_f1"]
            keys = [_key(key.removesuffix("_f1")) for key in there]
            parts |= {_key(f"{mean}_{name}"): keys for mean in (MACRO, WEIGHTED)}
        return parts

    def details(self) -> Iterable[Grid]:
        """Lay out all mentions and the means, and each label in a table of its own."""
        means = [f"{mean}_{name}" for name in _BY_LABEL for mean in (MACRO, WEIGHTED)]
        names = dict.fromkeys((*_MATCHES, *(measure.name for measure in MEASURES), *means))
        yield Grid("F-beta", (_HEADING,), {name: (_key(name),) for name in names})
        for name in _BY_LABEL:
            yield Grid(f"Labels, {name}, F-beta", (_HEADING,), {}, partial(_find_rows, name))


def _key(name: str) -> str:
    return f"{name}_fbeta"


def _find_rows(name: str, scores: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Find the labels with scores under a match."""
    ending = f"_{_key(name)}"
    labels = (key.removesuffix(ending) for key in scores if key.endswith(ending))
    return {label: (f"{label}{ending}",) for label in labels if label not in (MACRO, WEIGHTED)}


@dataclass(frozen=True, slots=True)
class DocumentAccuracy(Measure):
    """The share of documents that are entirely right, without errors under the strictest match."""

    def count(self, counted: Columns) -> Columns:
        """Return 1 for each document, and for each document that is entirely right."""
        match = STRICT_SLOTS if f"{STRICT_SLOTS}_tp" in counted else "strict"
        errors = counted[f"{match}_fp"] + counted[f"{match}_fn"]
        right = np.equal(errors, 0).astype(np.int64)
        return {"right_documents": right, "judged_documents": np.ones_like(right)}

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute the share."""
        if "right_documents" not in totals:
            return {}
        right = totals["right_documents"]
        share = ratio(right, totals["judged_documents"])
        return {"document_accuracy": share, "right_documents": right}

    def tables(self) -> Iterable[Grid]:
        """Lay out the share and the number of documents."""
        keys = ("document_accuracy", "right_documents")
        yield Grid("Documents that are entirely right", ("share", "documents"), {"all": keys})


DOCUMENTS = DocumentAccuracy()
CHOSEN: tuple[Measure, ...] = (TOKENS, WeightedMeans(), DOCUMENTS, FBeta())
"""The measures that options add, in the order of their scores."""
