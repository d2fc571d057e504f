"""Probabilities of classes: the answers that follow from them, and both sides of a corpus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, Coded, FloatArray, IntArray
from clineval.base.errors import warn
from clineval.kinds.classes.columns import ClassSide
from clineval.kinds.classes.scheme import QUESTION, Scheme
from clineval.kinds.documents import align_documents
from clineval.kinds.mentions.columns import Side, concatenate
from clineval.kinds.records.corpus import RecordCorpus, join_aligned, place_nowhere
from clineval.results.averages import label_key
from clineval.results.columns import MentionColumns
from clineval.results.label_rows import SCORES, SETS, LabelRows

SEVERAL, POSITIVE, RIGHT, OTHER = "several", "positive/", "+", "-"
"""Marks of labels: several answers; the positive class; a label that some answers have, or lack."""
_TOTAL = 0.02
"""The sum of the probabilities of a question with one answer differs from 1 by at most this."""


@dataclass(frozen=True, slots=True)
class Decision:
    """How probabilities become answers.

    A class is accepted if its probability is at least the threshold: each class, if a question can
    have several answers, or the positive class of two. Otherwise the likeliest class is the answer;
    of equally likely ones, the first in the scheme.

    Args:
        scheme: the questions and their classes.
        positive: the positive class of two; empty if there is none.
        threshold: the least probability of an accepted class.
    """

    scheme: Scheme
    positive: str = ""
    threshold: float = 0.5

    def accept(self, shares: FloatArray) -> BoolArray:
        """Return which of ``[n, classes]`` are answers."""
        if self.scheme.several:
            return shares >= self.threshold
        likeliest = np.argmax(shares, axis=1)
        likely = shares.max(axis=1, initial=0) > 0
        if self.positive:
            at = self.scheme.values.index(self.positive)
            likeliest = np.where(shares[:, at] >= self.threshold, at, 1 - at)
            likely[:] = True
        accepted: BoolArray = (np.arange(shares.shape[1]) == likeliest[:, None]) & likely[:, None]
        return accepted

    def apply(self, side: Side) -> Side:
        """Return a side with the answers that follow from probabilities, besides explicit ones."""
        if not isinstance(side, ClassSide):
            return side
        document, question = np.nonzero(~np.isnan(side.shares).any(axis=2) & ~side.explicit)
        shares = np.where(self.scheme.allowed[question], side.shares[document, question], -1.0)
        unit, answer = np.nonzero(self.accept(shares))
        added = _as_columns(self.scheme, document[unit], question[unit], answer)
        return replace(side, mentions=_unite(side.mentions, added))


def _as_columns(
    scheme: Scheme, document: IntArray, question: IntArray, answer: IntArray
) -> MentionColumns:
    codes = {scheme.slot: Coded(answer.astype(np.int32), scheme.values)}
    if not scheme.alone:
        codes = {QUESTION: Coded(question.astype(np.int32), scheme.questions), **codes}
    return place_nowhere(document.astype(np.int32), codes)


def _unite(first: MentionColumns, second: MentionColumns) -> MentionColumns:
    """Unite answers with the same values in their columns, document after document."""
    both = concatenate([first, second])
    return both.take(np.argsort(both.document, kind="stable"))


@dataclass(frozen=True, slots=True, eq=False)
class ClassCorpus(RecordCorpus):
    """Gold and predicted answers of the same documents.

    Args:
        shares: ``[documents, questions, classes]``, the predicted probabilities, NaN if a question
            has none; None if no question has any.
    """

    shares: FloatArray | None = None


def join_classes(gold: Side, prediction: Side, scheme: Scheme) -> ClassCorpus:
    """Join the answers of both sides; warn about questionable probabilities."""
    aligned = align_documents(gold, prediction)
    names = scheme.names
    found = join_aligned((gold, prediction), aligned, names, names)
    shares = None
    if isinstance(prediction, ClassSide):
        shares = np.full((len(found.documents), *prediction.shares.shape[1:]), np.nan)
        shares[aligned[2]] = prediction.shares
        _check(prediction, scheme)
    return ClassCorpus(
        found.documents,
        found.gold,
        found.prediction,
        found.texts,
        found.compared,
        intake=found.intake,
        shares=shares,
    )


def _check(side: ClassSide, scheme: Scheme) -> None:
    """Warn about answers without probabilities, and probabilities that do not add up to 1."""
    answered = np.zeros(side.explicit.shape, np.bool_)
    columns = side.mentions
    asked = 0 if scheme.alone else columns.attributes[QUESTION].ids
    answered[columns.document, asked] = True
    lacking = np.isnan(side.shares).any(axis=2) & answered
    warn(
        "{n} {document has|documents have} answers without probabilities, which count as 1: "
        "{names}",
        list(_name(side, lacking)),
    )
    if not scheme.several:
        rest = side.shares.sum(axis=2) - 1  # of a user's own scheme, the data may lack a class
        wrong = (rest if scheme.word else np.abs(rest)) > _TOTAL
        warn(
            "{n} {document has|documents have} probabilities that do not add up to 1: {names}",
            list(_name(side, wrong)),
        )


def _name(side: ClassSide, units: BoolArray) -> Iterator[str]:
    for number in np.flatnonzero(units.any(axis=1)).tolist():
        yield side.documents[number] or str(number)


def list_labels(
    corpus: ClassCorpus, numbers: tuple[IntArray, IntArray], scheme: Scheme, positive: str
) -> LabelRows:
    """List the answers of both sides, and all probabilities of questions that count.

    A label is ``question/class``, in the form of keys; the question is empty if it is the only one.

    Args:
        corpus: both sides.
        numbers: for each side, a number for question and class of each answer.
        scheme: the questions and their classes.
        positive: the positive class of two; empty if there is none.
    """
    classes, questions = len(scheme.values), len(scheme.questions)
    size = classes * questions
    gold, predicted = (
        side.document * np.int64(size) + number
        for side, number in zip(corpus.sides, numbers, strict=True)
    )
    answered = np.union1d(gold, predicted)
    units = np.unique(answered // classes)
    if scheme.several:
        units = np.arange(len(corpus.documents) * questions)
        answered = np.union1d(answered, units * classes)
    score = np.zeros(0)
    keys = answered
    if corpus.shares is not None:
        given = units[~np.isnan(corpus.shares.reshape(-1, classes)[units]).any(axis=1)]
        keys = np.union1d(answered, (given[:, None] * classes + np.arange(classes)).ravel())
        score = corpus.shares.ravel()[keys]
        score[np.isnan(score) & np.isin(keys, predicted)] = 1.0
    names, allowed = _name_labels(scheme), scheme.allowed.ravel()
    kept = allowed[keys % size]
    keys, score = keys[kept], score[kept] if len(score) else score
    number = np.cumsum(allowed) - 1
    return LabelRows.of(
        len(corpus.documents),
        keys // size,
        Coded(number[keys % size], tuple(np.array(names)[allowed].tolist())),
        (np.isin(keys, gold), np.isin(keys, predicted)),
        None if corpus.shares is None else score,
        ranking=SETS if corpus.shares is None else SCORES,
        marks=[
            *([SEVERAL] if scheme.several else []),
            *([f"{POSITIVE}{label_key(positive)}"] if positive else []),
            *_mark(
                gold % size, np.bincount(units % questions, minlength=questions), names, allowed
            ),
        ],
    )


def _name_labels(scheme: Scheme) -> tuple[str, ...]:
    questions = [""] if scheme.alone else list(map(label_key, scheme.questions))
    return tuple(f"{of}/{label_key(value)}" for of in questions for value in scheme.values)


def _mark(
    gold: IntArray, asked: IntArray, names: tuple[str, ...], allowed: BoolArray
) -> Iterator[str]:
    """Yield the labels that some gold answers have, and that some lack.

    Args:
        gold: ``[n]``, the numbers of the labels of gold answers.
        asked: ``[questions]``, how often each question is asked.
        names: the labels.
        allowed: ``[labels]``, whether the class answers the question.
    """
    having = np.bincount(gold, minlength=len(names))
    lacking = np.repeat(asked, len(names) // len(asked)) - having
    for number in np.flatnonzero(allowed).tolist():
        yield from ([f"{RIGHT}{names[number]}"] if having[number] else [])
        yield from ([f"{OTHER}{names[number]}"] if lacking[number] else [])
