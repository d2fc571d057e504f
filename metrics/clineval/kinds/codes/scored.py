"""Codes of documents with scores; a system predicts the codes above a threshold."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from math import nan

import numpy as np

from clineval.base.arrays import BoolArray, Coded, FloatArray, IntArray, unite_keys
from clineval.base.errors import warn
from clineval.kinds.codes.corpus import CODE, CodeCorpus, join_aligned
from clineval.kinds.documents import align_documents
from clineval.kinds.mentions.columns import Side
from clineval.results.columns import MentionColumns
from clineval.results.label_rows import ORDER, SCORES, SETS, LabelRows


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSide(Side):
    """One side of a corpus, whose codes may have scores.

    Args:
        scores: ``[n]``, the score of each code, NaN if it has none.
        chosen: ``[n]``, whether each code is predicted, if the system decides that itself; None if
            scores decide.
    """

    scores: FloatArray = field(default_factory=lambda: np.zeros(0))
    chosen: BoolArray | None = None

    @classmethod
    def of(cls, side: Side) -> ScoredSide:
        """Return the side, or a copy without scores if it cannot have scores."""
        if isinstance(side, ScoredSide):
            return side
        none = np.full(len(side.mentions), np.nan)
        return cls(side.documents, side.keys, side.mentions, side.texts, scores=none)

    def decide(self, threshold: float) -> ScoredSide:
        """Return the predicted codes: chosen, or with a score above the threshold or none."""
        kept = self.take(np.flatnonzero(self.find_predicted(threshold)))
        return replace(kept, scores=np.full(len(kept.scores), np.nan), chosen=None)

    def take(self, rows: IntArray) -> ScoredSide:
        """Return some codes, in their order."""
        return replace(
            self,
            mentions=self.mentions.take(rows),
            scores=self.scores[rows],
            chosen=None if self.chosen is None else self.chosen[rows],
        )

    def find_predicted(self, threshold: float) -> BoolArray:
        """Return ``[n]``, whether each code is predicted."""
        return ~(self.scores <= threshold) if self.chosen is None else self.chosen

    def keep(self, names: Collection[str]) -> ScoredSide:
        """Return the documents with some names, in the order of their names."""
        kept = sorted(names)
        number = {name: at for at, name in enumerate(kept)}
        numbers = np.array([number.get(name, -1) for name in self.documents], np.int32)
        document = numbers[self.mentions.document]
        rows = np.argsort(document, kind="stable")[np.count_nonzero(document < 0) :]
        before = np.argsort(numbers, kind="stable")[np.count_nonzero(numbers < 0) :]
        intake = self.intake
        if intake:
            counts = {name: of[before] for name, of in intake.counts.items()}
            intake = replace(intake, counts=counts)
        return replace(
            self,
            documents=tuple(kept),
            keys=tuple(kept),
            texts=tuple(self.texts[at] for at in before) if self.texts else (),
            intake=intake,
            mentions=replace(self.mentions, document=document).take(rows),
            scores=self.scores[rows],
            chosen=None if self.chosen is None else self.chosen[rows],
        )


def keep_common(gold: ScoredSide, predicted: ScoredSide) -> tuple[ScoredSide, ScoredSide]:
    """Return the documents of both sides, in the order of their names; warn about others."""
    if gold.keys is None or predicted.keys is None:
        return gold, predicted
    names = set(gold.documents), set(predicted.documents)
    alone = {"gold standard": names[0] - names[1], "system": names[1] - names[0]}
    for side, others in alone.items():
        problem = f"{{n}} {{document is|documents are}} only in the {side}, and left out"
        warn(f"{problem}, as in the program: {{names}}", sorted(others))
    both = names[0] & names[1]
    return gold.keep(both), predicted.keep(both)


@dataclass(slots=True)
class CodeRows:
    """Codes with scores, collected document by document in little memory.

    Examples:
        >>> from clineval.kinds.codes.corpus import codes_of
        >>> rows = CodeRows()
        >>> rows.add("a", [("I10", 0.2), ("J45", 0.9)])
        >>> side = rows.as_side()
        >>> codes_of(side.mentions), side.scores.tolist()
        (['J45', 'I10'], [0.9, 0.2])
    """

    documents: dict[str, int] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    _document: array[int] = field(default_factory=lambda: array("l"))
    _code: array[int] = field(default_factory=lambda: array("l"))
    _score: array[float] = field(default_factory=lambda: array("d"))

    def add(self, document: str, codes: Iterable[tuple[str, float | None]]) -> None:
        """Add codes of a document, each with its score, or None."""
        number, numbers = self.documents.setdefault(document, len(self.documents)), self.codes
        pairs = list(codes)
        self._document.extend([number] * len(pairs))
        self._code.extend([numbers.setdefault(code, len(numbers)) for code, _ in pairs])
        self._score.extend([nan if score is None else score for _, score in pairs])

    def extend(self, documents: Sequence[str], codes: Sequence[str]) -> None:
        """Add codes without scores, each with its document."""
        pairs = (self._document, self.documents, documents), (self._code, self.codes, codes)
        for column, numbers, values in pairs:
            for value in dict.fromkeys(values):
                numbers.setdefault(value, len(numbers))
            column.extend(map(numbers.__getitem__, values))
        self._score.extend(repeat(nan, len(codes)))

    def count(self) -> tuple[int, int]:
        """Return the number of codes, and of codes without a score."""
        return len(self._score), int(np.isnan(np.array(self._score)).sum())

    def as_side(self, usual: float = nan, *, by_name: bool = True) -> ScoredSide:
        """Build a side; codes without a score get the usual one."""
        score = np.array(self._score, np.float64)
        score[np.isnan(score)] = usual
        names = tuple(self.documents) if by_name else ("",) * len(self.documents)
        code = Coded(np.array(self._code, np.int64), tuple(self.codes))
        document = np.array(self._document, np.int32)
        return sort_scored(names, document, code, score, by_name=by_name)


def sort_scored(  # noqa: PLR0913 - one for each column
    names: tuple[str, ...],
    document: IntArray,
    code: Coded,
    scores: FloatArray,
    chosen: BoolArray | None = None,
    *,
    by_name: bool = True,
) -> ScoredSide:
    """Build one side from columns; the codes of a document are sorted by score, the best first."""
    order = np.lexsort((np.where(np.isnan(scores), 0.0, -scores), document))
    none, code = np.zeros(0, np.int64), Coded(code.ids[order], code.values)
    return ScoredSide(
        names,
        names if by_name else None,
        MentionColumns(
            document[order], np.zeros(len(order) + 1, np.int64), none, none, {CODE: code}
        ),
        scores=scores[order],
        chosen=None if chosen is None else chosen[order],
    )


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
    scores, decided = _find_scores(whole, prediction, aligned[2], fold)
    predicted = np.flatnonzero(~(scores <= threshold) if prediction.chosen is None else decided)
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
) -> tuple[FloatArray, BoolArray]:
    """Return the score of each joined code, that of its first row; and whether a row is chosen."""
    columns = prediction.mentions
    if not len(columns):
        return np.zeros(0), np.zeros(0, np.bool_)
    of_value = whole.prediction.attributes[CODE]
    number = {value: at for at, value in enumerate(of_value.values)}
    codes = columns.attributes[CODE]
    ids = np.array([number[fold(value)] for value in codes.values], np.int64)[codes.ids]
    size = np.int64(len(number))
    keys = numbers[columns.document] * size + ids
    known, first, unit = np.unique(keys, return_index=True, return_inverse=True)
    wanted = whole.prediction.document.astype(np.int64) * size + of_value.ids
    place = np.searchsorted(known, wanted)
    chosen = np.ones(len(keys), np.bool_) if prediction.chosen is None else prediction.chosen
    decided: BoolArray = np.bincount(unit, chosen, len(known)) > 0
    scores: FloatArray = prediction.scores[first[place]]
    return scores, decided[place]


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
    keys = unite_keys(gold, listed)
    scored = bool((~np.isnan(corpus.scores)).any())
    ranking = SCORES if scored else ORDER if ordered else SETS
    scores = np.full(len(keys), np.nan)
    if ranking != SETS:
        ranks = corpus.scores if scored else -corpus.rank
        scores[np.searchsorted(keys, listed)] = ranks
    sides = np.zeros((2, len(keys)), np.bool_)
    for side, of_side in zip(sides, (gold, predicted), strict=True):
        side[np.searchsorted(keys, of_side)] = True
    values = tuple(sorted({*codes, *valid}))
    places = np.searchsorted(np.array(values, object), np.array(codes, object))
    ids: IntArray = (keys % size).astype(np.int64)
    return LabelRows.of(
        len(corpus.documents),
        keys // size,
        Coded(places[ids] if len(ids) else ids, values),
        (sides[0], sides[1]),
        scores,
        ranking=ranking if len(listed) else "",
        cutoffs=cutoffs,
    )
