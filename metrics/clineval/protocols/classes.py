"""Classes of documents, ready to be scored: a protocol that challenges parametrise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import InputError
from clineval.base.files import Source
from clineval.base.ratios import Columns
from clineval.formats.class_files import ClassFiles
from clineval.formats.class_tables import ROWS
from clineval.formats.given.classes import ClassForm, read_classes
from clineval.formats.given.texts import option_of_texts, with_texts
from clineval.kinds.classes.areas import ClassAreas
from clineval.kinds.classes.columns import check_complete, number_values, warn_of_missing
from clineval.kinds.classes.kind import ClassKind
from clineval.kinds.classes.measures import ClassScores
from clineval.kinds.classes.parts import number_classes, number_questions
from clineval.kinds.classes.probabilities import ClassCorpus, Decision, join_classes, list_labels
from clineval.kinds.classes.scheme import PROBABILITIES, QUESTION, Scheme, fold
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.pairing import Pairs, pair_equal_keys
from clineval.kinds.mentions.rows import Rows, Split, columns_of
from clineval.kinds.records.corpus import RecordCorpus, join_records
from clineval.kinds.records.fields import Field
from clineval.kinds.records.pairing import number_keys
from clineval.protocols.thresholds import (
    FROM,
    POSITIVE_CLASS,
    THRESHOLD_OF_CLASSES,
    THRESHOLDS,
    decide,
)
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.declaring import check_words
from clineval.results.faces import Faces
from clineval.results.label_rows import LabelRows
from clineval.results.match import VERDICTS
from clineval.results.measures import Measures
from clineval.results.options import Option, check_name
from clineval.results.protocol import Protocol
from clineval.results.settings import declare_settings
from clineval.results.table_rows import TableRows
from clineval.results.task import ClassSlot
from clineval.results.verdicts import Verdicts
from clineval.results.views import ListView

ClassPairing = Mapping[str, Pairs]
"""``answer``: equal answers to a question; ``question``: these, and answers that differ."""
TEXTS = option_of_texts("reports", "the text of each document. It does not affect any score.")
_ANY = VERDICTS[:3]
_RESERVED = frozenset({"id", "text", "language", "micro", "macro", "weighted"})


@dataclass(frozen=True)
class Classes(Protocol[Side, RecordCorpus, ClassPairing]):
    """Classes of documents: one or several for each question.

    Answers are compared with the gold standard, document by document and question by question. A
    different answer is wrong on both sides: a false positive of its class, and a false negative of
    the gold class. A missing answer is a false negative. Documents on one side only count as all
    missed, or all spurious.

    :class:`~clineval.kinds.classes.measures.ClassScores` defines the scores. They are computed for
    all questions together and, if there are several, for each question; the keys then begin with
    its name.

    Gold standards and systems are CSV, TSV or Parquet files with a column ``id`` and one for each
    question, or JSON Lines with these as keys. They can also be lists of classes, or mappings of
    names to these. In predictions an unknown class counts as no answer.

    With ``probabilities``, predictions can also have a probability for each class: JSON Lines and
    dicts as ``probabilities`` (a dict of classes to numbers; with several questions, of questions
    to these), tables in columns that are named like a class or ``question=class``. A document
    without an answer to a question gets the likeliest class, or all classes from the option
    ``threshold`` on. :class:`~clineval.kinds.classes.areas.ClassAreas` defines the further scores.

    Args:
        values: the classes; each of them can answer any question. Files may write them in any case.
        questions: the questions.
        several: whether a question can have several answers, or none.
        probabilities: whether predictions can have probabilities.
        positive: the class of two that the threshold accepts; it has an area of its own.
        files: the challenge's own format, such as an XML reader; tables and JSON Lines are always
            read.
        complete_gold: whether the gold standard must answer every question of every document.
        inner_blanks: whether blanks within a class matter; outer ones never do.
        each: the classes that answer each question; empty if every class answers any question.
        groups: the beginning of keys to questions whose answers are also counted together.

    Raises:
        InputError: an argument is invalid.

    Examples:
        >>> smoking = Classes(("PAST", "CURRENT", "NON", "UNKNOWN"))
        >>> smoking.measures.headline, smoking.kind.class_slot.name
        (('macro_f1', 'micro_f1', 'accuracy'), 'status')
    """

    widest: ClassVar[str] = QUESTION
    any_class: ClassVar[bool] = True
    confused: ClassVar[bool] = True
    """A page counts which class was taken for which, for each question."""

    values: tuple[str, ...]
    questions: tuple[str, ...] = ("status",)
    _: KW_ONLY
    several: bool = False
    probabilities: bool = False
    positive: str = ""
    files: ClassFiles | None = None
    complete_gold: bool = False
    inner_blanks: bool = False
    each: tuple[tuple[str, ...], ...] = ()
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_words(self.values, "values", fold=fold, least=1)
        check_words(self.values, "values", fold=label_key)
        check_words(self.questions, "questions", fold=fold, least=1)
        check_words(self.questions, "questions", fold=label_key)
        reserved = sorted(_RESERVED & {*map(fold, self.questions)})
        if self.probabilities and PROBABILITIES in map(fold, self.questions):
            reserved.append(PROBABILITIES)
        if reserved:
            problem = f"{reserved[0]!r} is reserved and cannot be the name of a question"
            raise InputError(problem, where="questions")
        if self.positive:
            check_name("positive", self.positive, self.values)
            self._check_positive()

    def _check_positive(self) -> None:
        if len(self.values) != 2 or self.several:  # noqa: PLR2004 - positive and negative
            found = f"got {len(self.values)}" if not self.several else "got several answers"
            problem = f"expected two classes, and one answer to each question, {found}"
            raise InputError(problem, where="positive")
        if not self.probabilities:
            raise InputError("it needs probabilities=True", where="positive")

    @property
    def scheme(self) -> Scheme:
        """The questions and their classes."""
        return Scheme(
            self.values,
            self.questions,
            self.several,
            self.each,
            probabilities=self.probabilities,
            inner_blanks=self.inner_blanks,
        )

    @property
    def kind(self) -> ClassKind:
        """Classes, in a slot with the name of the only question, or ``answer``."""
        word = self.scheme.slot
        return ClassKind(ClassSlot(word, word), scheme=self.scheme)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The question and its answer, for a page."""
        return self.scheme.fields

    @property
    def row(self) -> str:
        """The field by whose values a page breaks statistics down."""
        return self.scheme.names[0]

    def read_side(self, source: object, side: str, setup: Setup, /) -> Side:
        """Read tables, JSON Lines, lists of classes, or mappings of documents to these."""
        found = read_classes(source, side, self.scheme, files=self.files)
        if side != "references":
            return found
        if self.complete_gold:
            check_complete(found, self.scheme)
        return with_texts(found, setup["texts"])

    def check(self, source: Source, setup: Setup, /) -> None:
        """Check files of either side; those of predictions can have probabilities."""
        if self.probabilities:
            read_classes(source, "", self.scheme, files=self.files)
        else:
            super().check(source, setup)

    def table_rows(self, _setup: Setup, /) -> TableRows | None:
        """Return how tables are written, unless the challenge reads others."""
        return ROWS if self.files is None else None

    def document_form(self, _setup: Setup, /) -> ClassForm:
        """Return how files are written."""
        return ClassForm(self.scheme, files=self.files)

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> RecordCorpus:
        """Join the answers of both sides, and those that follow from probabilities."""
        names = self.scheme.names
        if self.probabilities:
            predicted = self.decide(setup).apply(predicted)
            corpus: RecordCorpus = join_classes(gold, predicted, self.scheme)
        else:
            corpus = join_records(gold, predicted, names, names)
        if not self.several:
            unanswered = np.setdiff1d(*self._number_units(corpus)) // len(self.questions)
            warn_of_missing(corpus, predicted, unanswered)
        return corpus

    def as_gold(self, _gold: Side, side: Side, setup: Setup, /) -> Side:
        """Return a system's answers as a gold standard."""
        return self.decide(setup).apply(side) if self.probabilities else side

    def list_verdicts(self, side: MentionColumns, _setup: Setup, /) -> Verdicts:
        """Return the answers, or the classes that documents have if there can be several."""
        scheme = self.scheme
        if self.several:
            return Verdicts.presence(side, *scheme.names, whole="all classes")
        asked = np.zeros(len(side), np.int64)
        alone = Coded(asked, scheme.questions[:1])
        question = alone if scheme.alone else side.attributes[QUESTION]
        answers = {name: scheme.values_of(name) for name in scheme.questions}
        return Verdicts(
            side.document, question, side.attributes[scheme.slot], answers, "all questions"
        )

    def decide(self, setup: Setup, /) -> Decision:
        """Return how probabilities become answers."""
        return decide(self.scheme, self.positive, setup["threshold"], setup[FROM])

    def list_labels(self, corpus: RecordCorpus, _setup: Setup, /) -> LabelRows | None:
        """List the answers of both sides with their probabilities."""
        if not isinstance(corpus, ClassCorpus) or not self.values:
            return None
        return list_labels(corpus, self._number_answers(corpus), self.scheme, self.positive)

    own_settings = declare_settings(
        POSITIVE_CLASS,
        THRESHOLD_OF_CLASSES,
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the threshold, and the positive class, if they affect the numbers."""
        if not self.probabilities:
            return {}
        used = self.several or bool(self.positive)
        threshold = {"threshold": repr(self.decide(setup).threshold)} if used else {}
        return ({"positive": self.positive} if self.positive else {}) | threshold

    def pair(self, block: RecordCorpus, _setup: Setup, /) -> ClassPairing:
        """Pair answers to the same question, and equal answers."""
        if self.several:
            right = pair_equal_keys(*number_keys(block, self.scheme.names))
            return {"answer": right, "question": right}
        _, gold, prediction = np.intersect1d(
            *self._number_units(block), assume_unique=True, return_indices=True
        )
        golds, predictions = self._number_answers(block)
        same = golds[gold] == predictions[prediction]
        return {"answer": Pairs(gold[same], prediction[same]), "question": Pairs(gold, prediction)}

    def list_matches(
        self, block: RecordCorpus, pairing: ClassPairing, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return right answers, answers of one side alone, and the questions."""
        of_class = Split(*self._number_answers(block), number_classes(self.scheme, self.groups))
        numbered = {} if self.several else number_questions(self.scheme, self.groups)
        asked = {f"{key}_questions": numbers for key, numbers in numbered.items()}
        of_question = Split(*self._number_questions(block), asked, lambda key: {key: _ANY})
        counted = {} if self.several else {"questions": _ANY}
        return {
            "micro": Rows(pairing["answer"], block.sides, columns_of("micro"), split=of_class),
            QUESTION: Rows(pairing[QUESTION], block.sides, counted, split=of_question),
        }

    def _number_units(self, block: RecordCorpus) -> tuple[IntArray, IntArray]:
        """Return ``[n]`` for each side, a number for document and question of each answer."""
        asked = zip(block.sides, self._number_questions(block), strict=True)
        gold, prediction = (
            side.document * np.int64(len(self.questions)) + question for side, question in asked
        )
        return gold, prediction

    def _number_questions(self, block: RecordCorpus) -> tuple[IntArray, IntArray]:
        """Return ``[n]`` for each side, the number of the question of each answer."""
        gold, prediction = (
            np.zeros(len(side), np.int64)
            if self.scheme.alone
            else number_values(side.attributes[QUESTION], self.questions)
            for side in block.sides
        )
        return gold, prediction

    def _number_answers(self, block: RecordCorpus) -> tuple[IntArray, IntArray]:
        """Return ``[n]`` for each side, a number for question and class of each answer."""
        slot, asked = self.scheme.slot, self._number_questions(block)
        gold, prediction = (
            of_side * len(self.values) + number_values(side.attributes[slot], self.values)
            for side, of_side in zip(block.sides, asked, strict=True)
        )
        return gold, prediction

    def complete(
        self, block: RecordCorpus, pairing: ClassPairing, counted: Columns, _setup: Setup, /
    ) -> Columns:
        """Add the number of questions, and the number of right sets of answers."""
        return {**counted, **self._count_sets(block, pairing)}

    def sides(
        self, corpus: RecordCorpus, _setup: Setup, /
    ) -> tuple[MentionColumns, MentionColumns]:
        """Return the answers of both sides."""
        return corpus.sides

    def _count_sets(self, block: RecordCorpus, pairing: ClassPairing) -> dict[str, IntArray]:
        """Count questions, and questions with equal sets of answers, ``[documents]`` each."""
        if not self.several:
            return {}
        size, wrong = len(block.documents), _find_wrong(block, pairing["answer"])
        asked = self._number_questions(block)
        numbers = [
            side.document[lost] * np.int64(len(self.questions)) + of_side[lost]
            for side, of_side, lost in zip(block.sides, asked, wrong, strict=True)
        ]
        failed = np.unique(np.concatenate(numbers))
        table = np.ones((size, len(self.questions)), np.int64)
        table.flat[failed] = 0
        counts = {"questions": np.full(size, len(self.questions)), "right": table.sum(axis=1)}
        for at, question in enumerate(() if self.scheme.alone else self.questions):
            key = label_key(question)
            counts |= {f"{key}_questions": np.ones(size, np.int64), f"{key}_right": table[:, at]}
        return counts

    @property
    def measures(self) -> Measures:
        """The scores of all questions, and of each question."""
        whole = ClassScores(self.values, self.several)
        more = (ClassAreas(),) if self.probabilities else ()
        if self.scheme.alone:
            return Measures.of(whole, *more)
        scores_of_questions = [
            ClassScores(
                self.values,
                self.several,
                prefix=f"{label_key(question)}_",
                title=question,
                main=False,
            )
            for question in self.questions
        ]
        return Measures.of(whole, *scores_of_questions, *more)

    @property
    def options(self) -> tuple[Option, ...]:
        """The notes' texts, and the threshold of probabilities."""
        return (TEXTS, *(THRESHOLDS if self.probabilities else ()))

    @property
    def faces(self) -> Faces:
        """A page of answers beside each other."""
        page = ListView("clineval.kinds.records.page", {"micro_f1": "F1"})
        return Faces(page=page, tables=())


def _find_wrong(block: RecordCorpus, right: Pairs) -> list[IntArray]:
    """Return the rows of each side whose answers the other side lacks."""
    sides = zip(block.sides, (right.gold, right.prediction), strict=True)
    return [np.setdiff1d(np.arange(len(side)), paired) for side, paired in sides]
