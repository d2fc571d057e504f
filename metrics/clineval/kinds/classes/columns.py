"""Answers as columns: a row for each document, question and class."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from clineval.base.arrays import BoolArray, Coded, FloatArray, IntArray
from clineval.base.errors import InputError, called, listed, raise_all, shown, warn
from clineval.kinds.classes.evidence import (
    Given,
    check_offsets,
    find_answers,
    list_spans,
    name_problem,
    place_evidence,
)
from clineval.kinds.classes.found import OpenScheme
from clineval.kinds.classes.scheme import EVIDENCE, PROBABILITIES, QUESTION, Scheme
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.corpus import RecordCorpus, place_nowhere
from clineval.results.item import Span

NO_ANSWER, UNKNOWN = -1, -2
"""The numbers that stand for no answer, and for an unknown class."""


LIKELY = 0.5
"""The probability from which one of several answers is accepted."""


@dataclass(frozen=True, slots=True, eq=False)
class SchemeSide(Side):
    """One side of a corpus of classes.

    Args:
        scheme: its questions and their classes.
    """

    scheme: Scheme = field(kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class ClassSide(SchemeSide):
    """One side of a corpus, whose answers have probabilities.

    Args:
        shares: ``[documents, questions, classes]``, the probabilities; NaN for none.
        explicit: ``[documents, questions]``, whether there is an answer besides, be it none or
            unknown.
    """

    shares: FloatArray = field(kw_only=True)
    explicit: BoolArray = field(kw_only=True)


@dataclass(slots=True, eq=False)
class Draft:
    """The answers of documents during reading.

    Args:
        scheme: the questions and their classes; an open scheme grows.
        strict: whether to reject an unknown class; otherwise it counts as no answer, and the number
            of unknown classes is recorded.
        gold: whether probabilities must be 1 or 0, because they are answers of a gold standard.
        names: the names of the documents, ``""`` if they have none.
        texts: their texts, None if there are none.
        documents: the number of each answer's document.
        questions: the number of its question.
        answers: the number of its class.
        unknown: the document of each unknown class, as name or number.
        incomplete: the documents whose probabilities lack classes.
        ignored: the keys that are ignored.
        problems: the problems of files, which are collected until all rows are read.
        shares: document and question to the probabilities of all classes.
        explicit: the documents and questions with an answer, be it none or unknown.
        evidence: the row of an answer to its spans.
        astray: the document of all evidence that does not belong to one answer.
    """

    scheme: Scheme | OpenScheme
    strict: bool
    gold: bool = False
    names: list[str] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)
    documents: list[int] = field(default_factory=list)
    questions: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    incomplete: list[str] = field(default_factory=list)
    ignored: dict[str, None] = field(default_factory=dict)
    problems: list[InputError] = field(default_factory=list)
    shares: dict[tuple[int, int], Sequence[float]] = field(default_factory=dict)
    explicit: set[tuple[int, int]] = field(default_factory=set)
    evidence: dict[int, set[Span]] = field(default_factory=dict)
    astray: list[str] = field(default_factory=list)
    _seen: dict[tuple[int, int, int], None] = field(default_factory=dict)

    def add_document(self, name: str = "", text: str | None = None) -> int:
        """Add a document; return its number."""
        self.names.append(name)
        self.texts.append(text)
        return len(self.names) - 1

    def add_column(self, first: int, question: str, answers: IntArray) -> None:
        """Add the numbers of the answers of consecutive documents to a question."""
        answered = np.flatnonzero(answers != NO_ANSWER)
        question_number = self.scheme.questions.index(question)
        self.documents += (answered + first).tolist()
        self.questions += [question_number] * len(answered)
        self.answers += answers[answered].tolist()

    def add(self, document: int, question: str, answers: object, where: str) -> None:
        """Add an answer to a question: a class, a list of classes, or None for no answer.

        In an open scheme, a list means that a question can have several answers.

        Raises:
            InputError: the gold standard has an unknown class, or a second answer to a question
                with one answer.
        """
        several = isinstance(answers, (list, tuple))
        if several and isinstance(self.scheme, OpenScheme):
            self.scheme.several = True
        if self.scheme.probabilities and (several or not _is_blank(answers)):
            self.explicit.add((document, self.scheme.questions.index(question)))
        for answer in answers if isinstance(answers, (list, tuple)) else [answers]:
            if _is_blank(answer):
                continue
            value = self.scheme.find(answer, question)
            if value is not None:
                self._add(document, question, value, where)
            elif self.strict:
                listed = ", ".join(map(self._say, self.scheme.values_of(question)))
                expected = f"one of {listed}" if listed else "a class"
                problem = f"{self._say(question)}: expected {expected}, got {shown(answer)}"
                raise InputError(problem, where=where)
            else:
                self.unknown.append(self.names[document] or str(document))

    def add_likely(self, document: int, question: str, shares: Mapping[str, float]) -> None:
        """Add the likeliest class of some, or all that are at least as likely as not.

        All that are likely count in the gold standard, and if a question can have several answers.
        """
        chosen = [value for value, share in shares.items() if share >= LIKELY]
        if isinstance(self.scheme, OpenScheme):
            for value in shares:
                self.scheme.find(value, question)
            self.scheme.several |= len(chosen) > 1
        elif not self.scheme.several and not self.strict:
            best = max(shares, key=shares.__getitem__, default="")
            chosen = [best] if shares.get(best, 0) > 0 else []
        for value in chosen:
            self.add(document, question, value, self.names[document])

    def add_shares(self, document: int, question: str, shares: Sequence[float], where: str) -> None:
        """Add the probabilities of all classes; in a gold standard, they are answers: 1 or 0.

        Raises:
            InputError: the gold standard has other probabilities, or there are some already.
        """
        place = document, self.scheme.questions.index(question)
        if self.gold:
            if not {*shares} <= {0, 1}:
                problem = f"{question}: expected the probabilities 0 and 1 in references"
                remedy = "Give the answer of each document"
                raise InputError(problem, where=where, remedy=remedy)
            answers = [v for v, share in zip(self.scheme.values, shares, strict=True) if share]
            self.add(document, question, answers, where)
        elif self.shares.setdefault(place, shares) != shares:
            problem = f"{question}: there are other probabilities already"
            raise InputError(problem, where=where, remedy="Give the probabilities once")

    def add_other(
        self, document: int, question: str, shares: Sequence[float], other: float
    ) -> None:
        """Count an unknown class that is likelier than all classes, or likely itself, as unknown.

        A question with one answer then has none.

        Args:
            document: its number.
            question: the question.
            shares: the probabilities of the classes.
            other: that of the likeliest unknown class.
        """
        if other < LIKELY if self.scheme.several else other <= max(shares, default=0.0):
            return
        self.unknown.append(self.names[document] or str(document))
        if not self.scheme.several:
            self.explicit.add((document, self.scheme.questions.index(question)))

    def add_evidence(self, document: int, evidence: Sequence[Given], where: str) -> None:
        """Add evidence to answers of the last document.

        Raises:
            InputError: the gold standard has evidence that does not belong to one answer.
        """
        rows = range(bisect_left(self.documents, document), len(self.documents))
        questions, values = self.scheme.questions, self.scheme.values
        answers = [(questions[self.questions[row]], values[self.answers[row]]) for row in rows]
        for names, spans in evidence:
            found = find_answers(names, answers)
            if len(found) == 1:
                self.evidence.setdefault(rows[found[0]], set()).update(spans)
            elif spans and self.strict:
                remedy = "Name the question and the class of an answer that the document has"
                raise InputError(name_problem(names, len(found)), where=where, remedy=remedy)
            elif spans:
                self.astray.append(self.names[document] or str(document))

    def _add(self, document: int, question: str, value: str, where: str) -> None:
        question_number = self.scheme.questions.index(question)
        answer = self.scheme.values.index(value)
        key = (document, question_number, answer if self.scheme.several else 0)
        if key in self._seen:
            if self.scheme.several:
                return
            raise InputError(
                f"{self._say(question)}: there is an answer already",
                where=where,
                remedy="Give one answer to each question",
            )
        self._seen[key] = None
        self.documents.append(document)
        self.questions.append(question_number)
        self.answers.append(answer)

    def _say(self, name: str) -> str:
        """Return a question or class for messages; one of the data could be text of a note."""
        own = isinstance(self.scheme, OpenScheme) or self.scheme.word
        return called(name) if own else name

    def refuse_twins(self, where: str) -> None:
        """Record the problem if a document of a file occurs twice."""
        if len(set(self.names)) < len(self.names):
            again = next(name for name, times in Counter(self.names).items() if times > 1)
            problem = f"the document {called(again)} occurs twice"
            self.problems.append(InputError(problem, where=where, remedy="Give each document once"))

    def finish(self, *, by_name: bool) -> SchemeSide:
        """Return the side.

        Raises:
            InputError: there are problems.
        """
        raise_all(self.problems)
        numbered, scheme = self.scheme, self.scheme
        if isinstance(scheme, OpenScheme):
            scheme = scheme.close()
        documents = np.array(self.documents, np.int32)
        order = np.argsort(documents, kind="stable")
        codes = {
            scheme.slot: Coded(np.array(self.answers, np.int32)[order], tuple(numbered.values))
        }
        if not scheme.alone:
            asked = np.array(self.questions, np.int32)[order]
            codes = {QUESTION: Coded(asked, tuple(numbered.questions)), **codes}
        names = tuple(self.names)
        columns = place_nowhere(documents[order], codes)
        if self.evidence:
            columns = place_evidence(
                columns, [self.evidence.get(row, ()) for row in order.tolist()]
            )
            known = {number: text for number, text in enumerate(self.texts) if text is not None}
            check_offsets(columns, known if self.strict else {}, names, strict=True)
        noted = any(text is not None for text in self.texts)
        keys, texts = names if by_name else None, tuple(self.texts) if noted else ()
        if not self.shares:
            return SchemeSide(names, keys, columns, texts, scheme=scheme)
        size = len(names), len(scheme.questions)
        shares = np.full((*size, len(scheme.values)), np.nan)
        shares[tuple(np.array([*self.shares]).T)] = np.array([*self.shares.values()])
        explicit = np.zeros(size, np.bool_)
        if self.explicit:
            explicit[tuple(np.array([*self.explicit]).T)] = True
        return ClassSide(
            names, keys, columns, texts, scheme=scheme, shares=shares, explicit=explicit
        )


def list_answers(side: Side, scheme: Scheme) -> list[dict[str, object]]:
    """Return the answers of each document: question to class, or to a list of classes.

    Probabilities and evidence have keys of their own.

    Examples:
        >>> draft = Draft(Scheme(("yes", "no"), ("fever", "cough")), strict=True)
        >>> draft.add(draft.add_document("a"), "cough", "No", "here")
        >>> list_answers(draft.finish(by_name=True), draft.scheme)
        [{'cough': 'no'}]
    """
    answers_of_documents: list[dict[str, object]] = [{} for _ in side.documents]
    columns = side.mentions.attributes
    answers, asked = columns[scheme.slot], columns.get(QUESTION)
    only = scheme.questions[0]
    questions = _values(asked) if asked and not scheme.alone else [only] * len(answers.ids)
    spans = list_spans(side.mentions)
    spans_of_documents: dict[int, dict[str, dict[str, list[list[int]]]]] = {}
    rows = zip(side.mentions.document.tolist(), questions, _values(answers), spans, strict=True)
    for document, question, answer, evidence in rows:
        if scheme.several:
            several = answers_of_documents[document].setdefault(question, [])
            if isinstance(several, list):
                several.append(answer)
        else:
            answers_of_documents[document][question] = answer
        if evidence:
            spans_of_documents.setdefault(document, {}).setdefault(question, {})[answer] = evidence
    for document, of_questions in spans_of_documents.items():
        answers_of_documents[document][EVIDENCE] = of_questions
    if isinstance(side, ClassSide):
        for number, answers_of_document in enumerate(answers_of_documents):
            _add_shares(answers_of_document, side, number, scheme)
    return answers_of_documents


def _add_shares(answers: dict[str, object], side: ClassSide, number: int, scheme: Scheme) -> None:
    """Add the probabilities of a document, and its explicit answers that are empty."""
    shares = {
        question: {
            value: share
            for value, share in zip(scheme.values, of_question, strict=True)
            if value in scheme.values_of(question)
        }
        for question, of_question in zip(
            scheme.questions, side.shares[number].tolist(), strict=True
        )
        if of_question[0] == of_question[0]
    }
    for question, explicit in zip(scheme.questions, side.explicit[number], strict=True):
        if explicit and scheme.several:
            answers.setdefault(question, [])
    if shares:
        answers[PROBABILITIES] = shares[scheme.questions[0]] if scheme.alone else shares


def _is_blank(answer: object) -> bool:
    return answer is None or (isinstance(answer, str) and not answer.strip())


def check_complete(gold: Side, scheme: Scheme) -> None:
    """Reject a gold document without an answer to a question.

    Raises:
        InputError: there is one; the message names the document and its questions.
    """
    answered = list_answers(gold, scheme)
    for number, (name, answers) in enumerate(zip(gold.documents, answered, strict=True)):
        missing = [question for question in scheme.questions if question not in answers]
        if missing:
            problem = f"no answer to {listed(missing)}"
            where = f"document {called(name) if name else number}"
            raise InputError(problem, where=where, remedy="Answer every question")


def warn_of_missing(corpus: RecordCorpus, predicted: Side, unanswered: IntArray) -> None:
    """Warn about documents with predictions that lack answers which the gold standard has.

    Args:
        corpus: both sides.
        predicted: the predictions, with the names of their documents.
        unanswered: ``[n]``, the number of the document of each missing answer.
    """
    documents = frozenset(corpus.documents if predicted.keys is None else predicted.keys)
    lacking = dict.fromkeys(corpus.documents[number] for number in unanswered.tolist())
    problem = "{n} {document lacks|documents lack} predicted answers, which count as missed"
    warn(f"{problem}: {{names}}", [name for name in lacking if name in documents])


def _values(column: Coded) -> Sequence[str]:
    return [column.values[at] for at in column.ids.tolist()]


def number_values(column: Coded, names: Sequence[str]) -> IntArray:
    """Return ``[n]``, the place of each value among some names."""
    places = np.array([names.index(value) for value in column.values], np.int64)
    numbers: IntArray = places[column.ids] if len(places) else np.zeros(0, np.int64)
    return numbers
