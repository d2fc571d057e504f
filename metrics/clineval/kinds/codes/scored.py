"""Codes of documents with scores; a system predicts the codes above a threshold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from clineval.base.arrays import Coded, FloatArray, IntArray
from clineval.kinds.codes.corpus import CODE, CodeCorpus, Row, as_side, join_aligned
from clineval.kinds.documents import align_documents
from clineval.kinds.mentions.columns import Side
from clineval.results.columns import MentionColumns
from clineval.results.label_rows import ORDER, SCORES, SETS, LabelRows

ScoredRow = tuple[int, str, float]
"""Number of the document, code, and its score, NaN if it has none."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSide(Side):
    """One side of a corpus, whose codes may have scores.

    Args:
        scores: ``[n]``, the score of each code, NaN if it has none.
    """

    scores: FloatArray = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def of(cls, side: Side) -> ScoredSide:
        """Return the side, or a copy without scores if it cannot have scores."""
        if isinstance(side, ScoredSide):
            return side
        none = np.full(len(side.mentions), np.nan)
        return cls(side.documents, side.keys, side.mentions, side.texts, scores=none)

    def decide(self, threshold: float) -> ScoredSide:
        """Return the codes with a score above the threshold, or without a score."""
        kept = np.flatnonzero(~(self.scores <= threshold))
        none = np.full(len(kept), np.nan)
        return replace(self, mentions=self.mentions.take(kept), scores=none)


def as_scored(
    names: Sequence[str], rows: Iterable[ScoredRow], *, by_name: bool = True
) -> ScoredSide:
    """Build one side of a corpus; the codes of a document are sorted by score, the best first.

    Codes without scores keep their order. The arguments are those of
    :func:`~clineval.kinds.codes.corpus.as_side`.

    Examples:
        >>> side = as_scored(["a"], [(0, "I10", 0.2), (0, "J45", 0.9)])
        >>> side.mentions.attributes["code"].values, side.scores.tolist()
        (('J45', 'I10'), [0.9, 0.2])
    """
    ordered = sorted(rows, key=lambda row: (row[0], 0.0 if row[2] != row[2] else -row[2]))
    plain: list[Row] = [(document, code, ()) for document, code, _ in ordered]
    side = as_side(names, plain, by_name=by_name)
    scores = np.array([score for *_, score in ordered], np.float64)
    return ScoredSide(side.documents, side.keys, side.mentions, scores=scores)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredCorpus(CodeCorpus):
    """Gold and predicted codes of the same documents, and the codes with scores.

    Args:
        listed: all codes of the system, also those that are not predicted, best first.
        scores: ``[l]``, the score of each listed code, NaN if it has none.
    """

    listed: MentionColumns = field(kw_only=True)
    scores: FloatArray = field(kw_only=True)


def join_scored(
    gold: ScoredSide, prediction: ScoredSide, fold: Callable[[str], str], threshold: float
) -> ScoredCorpus:
    """Join both sides; codes with a score above the threshold are predicted, or without a score."""
    aligned = align_documents(gold, prediction)
    whole = join_aligned((gold, prediction), aligned, fold)
    scores = _find_scores(whole, prediction, aligned[2], fold)
    predicted = np.flatnonzero(~(scores <= threshold))
    return ScoredCorpus(
        whole.documents,
        whole.gold,
        whole.prediction.take(predicted),
        whole.digests,
        whole.texts,
        whole.intake,
        listed=whole.prediction,
        scores=scores,
    )


def _find_scores(
    whole: CodeCorpus, prediction: ScoredSide, numbers: IntArray, fold: Callable[[str], str]
) -> FloatArray:
    """Return the score of each joined code: the score of its first row."""
    columns = prediction.mentions
    if not len(columns):
        return np.zeros(0)
    of_value = whole.prediction.attributes[CODE]
    number = {value: at for at, value in enumerate(of_value.values)}
    codes = columns.attributes[CODE]
    ids = np.array([number[fold(value)] for value in codes.values], np.int64)[codes.ids]
    size = np.int64(len(number))
    keys = numbers[columns.document] * size + ids
    known, first = np.unique(keys, return_index=True)
    wanted = whole.prediction.document.astype(np.int64) * size + of_value.ids
    scores: FloatArray = prediction.scores[first[np.searchsorted(known, wanted)]]
    return scores


def list_labels(
    corpus: ScoredCorpus, *, ordered: bool, cutoffs: tuple[int, ...], valid: Collection[str]
) -> LabelRows:
    """List the codes of both sides, with their scores or ranks.

    Args:
        corpus: both sides.
        ordered: whether codes without scores are ranked by their order.
        cutoffs: the values of k of scores at k.
        valid: further codes that exist.
    """
    codes = corpus.gold.attributes[CODE].values
    size = np.int64(max(len(codes), 1))
    gold, predicted, listed = (
        side.document * size + side.attributes[CODE].ids
        for side in (corpus.gold, corpus.prediction, corpus.listed)
    )
    keys = np.union1d(gold, listed)
    scored = bool((~np.isnan(corpus.scores)).any())
    ranking = SCORES if scored else ORDER if ordered else SETS
    scores = np.full(len(keys), np.nan)
    if ranking != SETS:
        ranks = corpus.scores if scored else -corpus.rank
        scores[np.searchsorted(keys, listed)] = ranks
    values = tuple(sorted({*codes, *valid}))
    places = np.searchsorted(np.array(values, object), np.array(codes, object))
    ids: IntArray = (keys % size).astype(np.int64)
    return LabelRows.of(
        len(corpus.documents),
        keys // size,
        Coded(places[ids] if len(ids) else ids, values),
        (np.isin(keys, gold), np.isin(keys, predicted)),
        scores,
        ranking=ranking if len(listed) else "",
        cutoffs=cutoffs,
    )
