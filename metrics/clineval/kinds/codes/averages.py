"""Means of precision, recall and F1: over codes (macro), and over documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray
from clineval.base.ratios import Columns, Number, Totals, prf_keys, ratio
from clineval.results.averages import PRF
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.label_means import count_labels
from clineval.results.label_rows import LabelRows
from clineval.results.measures import Grid, Measure

MACRO, GOLD, DOCUMENT, EXACT = "macro", "macro_gold", "document", "exact_match"
TITLE = "Means"


@dataclass(frozen=True, slots=True)
class MacroCodes(Measure):
    """Means of precision, recall and F1 over codes; macro F1 is the mean of the codes' F1.

        macro_<score>         the mean over the codes that either side has
        macro_gold_<score>    the mean over the codes that the gold standard has

    Precision, recall or F1 of a code is 0 if its denominator is 0.
    """

    @property
    def headline(self) -> tuple[str, ...]:
        """The mean over the codes of either side."""
        return (f"{MACRO}_f1",)

    def finish(self, _totals: Totals, _config: str, /) -> dict[str, Number]:
        """Return nothing, because these scores need labels."""
        return {}

    def finish_labels(
        self, labels: LabelRows, weights: FloatArray, _config: str, /
    ) -> dict[str, FloatArray]:
        """Compute precision, recall and F1 of every code, and their means."""
        blocks = [_average(*counts) for counts in count_labels(labels, weights)]
        keys = [f"{name}_{score}" for name in (MACRO, GOLD) for score in PRF]
        return dict(zip(keys, np.concatenate(blocks, axis=1), strict=True))

    def tables(self) -> Iterable[Grid]:
        """Lay out the means."""
        rows = {"codes of either side": MACRO, "codes of the gold standard": GOLD}
        yield _lay_out(rows)


def _average(fp: FloatArray, fn: FloatArray, tp: FloatArray) -> FloatArray:
    """Return ``[6, b]``, both means of three scores."""
    scores = ratio(tp, tp + fp), ratio(tp, tp + fn), ratio(2 * tp, 2 * tp + fp + fn)
    golds, every = (np.sign(there) for there in (tp + fn, tp + fp + fn))
    means = [
        ratio((score * among).sum(axis=1), among.sum(axis=1))
        for among in (every, golds)
        for score in scores
    ]
    return np.stack([np.asarray(mean) for mean in means])


@dataclass(frozen=True, slots=True)
class DocumentCodes(Measure):
    """Means over documents, and the share of documents that are entirely right.

    document_<score>    the mean over the documents that have a code on either side
    exact_match         documents with the same set of codes on both sides / all documents
    """

    def complete(self, counted: Columns, _config: str, /) -> Columns:
        """Return the scores of each document, to be added up."""
        tp, fp, fn = (counted[f"micro_{name}"] for name in ("tp", "fp", "fn"))
        scores = ratio(tp, tp + fp), ratio(tp, tp + fn), ratio(2 * tp, 2 * tp + fp + fn)
        sums = {
            f"{DOCUMENT}_{name}_sum": np.asarray(values)
            for name, values in zip(PRF, scores, strict=True)
        }
        right: BoolArray = fp + fn == 0
        return {
            **sums,
            f"{DOCUMENT}s": np.sign(tp + fp + fn),
            "exact_documents": right.astype(np.int64),
            "all_documents": np.ones(len(tp), np.int64),
        }

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Divide the sums; groups of codes have none."""
        if "all_documents" not in totals:
            return {}
        return {
            **{
                f"{DOCUMENT}_{name}": ratio(
                    totals[f"{DOCUMENT}_{name}_sum"], totals[f"{DOCUMENT}s"]
                )
                for name in PRF
            },
            EXACT: ratio(totals["exact_documents"], totals["all_documents"]),
        }

    def tables(self) -> Iterable[Grid]:
        """Lay out the means, and the share of right documents."""
        yield _lay_out({"documents": DOCUMENT})
        yield Grid("Documents", ("share",), {"all codes right, and no others": (EXACT,)})


def sum_scores(counted: Columns, counts: str, name: str, empty: float | None = None) -> Columns:
    """Return the columns of :class:`DocumentMeans`, ``[documents]`` each.

    Args:
        counted: the counts of each document.
        counts: the beginning of the names of the counts.
        name: the beginning of the names of the new columns.
        empty: the scores of a document that has no codes on either side; None to leave it out of
            the means.
    """
    tp, fp, fn = (
        np.asarray(counted[f"{counts}_{verdict}"], np.float64) for verdict in ("tp", "fp", "fn")
    )
    scores = ratio(tp, tp + fp), ratio(tp, tp + fn), ratio(2 * tp, 2 * tp + fp + fn)
    there = np.sign(tp + fp + fn)
    added = 0.0 if empty is None else empty * (1 - there)
    sums = {
        f"{name}_{score}_sum": np.asarray(values) + added
        for score, values in zip(PRF, scores, strict=True)
    }
    return {**sums, f"{name}_documents": there if empty is None else np.ones_like(there)}


@dataclass(frozen=True)
class DocumentMeans(Measure):
    """Means of precision, recall and F1 over documents, from the columns of :func:`sum_scores`.

    Args:
        name: the beginning of the keys.
        heading: the heading of the row.
    """

    name: str
    heading: str

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Divide the sums; groups of codes have none."""
        documents = f"{self.name}_documents"
        if documents not in totals:
            return {}
        sums = {score: totals[f"{self.name}_{score}_sum"] for score in PRF}
        return {f"{self.name}_{score}": ratio(of, totals[documents]) for score, of in sums.items()}

    def tables(self) -> Iterable[Grid]:
        """Lay out the means."""
        yield _lay_out({self.heading: self.name})


def _lay_out(rows: Mapping[str, str]) -> Grid:
    keys = {heading: prf_keys(name)[: len(PRF)] for heading, name in rows.items()}
    return Grid(TITLE, PRF_HEADINGS[: len(PRF)], keys)
