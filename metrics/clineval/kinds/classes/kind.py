"""Classes of documents as a kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar

import numpy as np

from clineval.base.arrays import FloatArray
from clineval.base.errors import InputError
from clineval.kinds.asking import list_keys, say_values
from clineval.kinds.classes.columns import LIKELY
from clineval.kinds.classes.evidence import find_answers, is_evidence, read_evidence
from clineval.kinds.classes.scheme import (
    ANSWER,
    EVIDENCE,
    NO_SCHEME,
    ONE,
    PROBABILITIES,
    Scheme,
    fold,
)
from clineval.kinds.mentions.items import list_sides
from clineval.results.columns import Sides
from clineval.results.item import Item, Span
from clineval.results.kind import (
    AnswerWays,
    DocWays,
    Form,
    Gathered,
    Kind,
    PlainAnswers,
    T,
    TrainerWays,
)
from clineval.results.sources import Source

_NAMED = ("answer", "label", "class")
"""Other names that models use for the answer to the only question."""
_ANY = "the name of its class, or a list of names if there can be several"


@dataclass(frozen=True)
class ClassKind(Kind):
    """Classes of documents: one answer, or several, to each question.

    Args:
        class_slot: see :class:`Kind`, also for the other arguments.
        scheme: the questions and their classes; without questions, the data show them.
    """

    name: ClassVar[str] = "classes"
    items: ClassVar[str] = "classes"
    never: ClassVar[Mapping[str, str]] = {
        "adjudicate": "a remark names a place in the text, and classes have none",
    }
    source_parts: ClassVar[frozenset[str]] = frozenset({"labels"})
    hub_task: ClassVar[str] = "text-classification"
    words: ClassVar[bool] = True

    _: KW_ONLY
    scheme: Scheme = field(default=NO_SCHEME)

    def forms(self) -> Sequence[Form]:
        """List the forms: an answer, or the answers to the questions."""
        if self.scheme.is_open:
            return (str, [str], {ANSWER: str})
        one: Form = [str] if self.scheme.several else str
        asked: Form = dict.fromkeys(self.scheme.questions, one)
        return (one, asked, str) if self.scheme.alone else (asked, str)

    def answer(self, ways: AnswerWays[T], /) -> T:
        """Read classes."""
        if self.scheme.is_open:
            form = PlainAnswers(("classes",), _NAMED, words=True, gather=_gather_any, objects=True)
            return ways.plain(form)
        only = _NAMED if self.scheme.alone else ()
        alone = frozenset(map(fold, self.scheme.values)) if self.scheme.alone else frozenset()
        marks = (*self.scheme.questions, *only)
        form = PlainAnswers(("classes",), marks, words=True, alone=alone, gather=self._gather)
        return ways.plain(form)

    def _gather(self, items: Sequence[object]) -> Gathered:
        """Take the answers to questions; an unknown class counts as no answer."""
        values_of_questions: dict[str, list[str]] = {}
        invalid: list[tuple[int, str]] = []
        evidence: dict[str, dict[str, list[Span]]] = {}
        for position, item in enumerate(items):
            own: dict[tuple[str, str], None] = {}
            for question, given in self._list_answers(item):
                value = self.scheme.find(given, question)
                accepted = values_of_questions.setdefault(question, [])
                if value is None or (accepted and not self.scheme.several and accepted != [value]):
                    invalid.append((position, question))
                else:
                    accepted.append(value)
                    own[question, value] = None
            if not self._gather_evidence(item, [*own], evidence):
                invalid.append((position, EVIDENCE))
        answers = {
            q: list(dict.fromkeys(values)) for q, values in values_of_questions.items() if values
        }
        document = answers if self.scheme.several else {q: of[0] for q, of in answers.items()}
        return Gathered({**document, **({EVIDENCE: evidence} if evidence else {})}, invalid)

    def _gather_evidence(
        self,
        item: object,
        answers: Sequence[tuple[str, str]],
        evidence: dict[str, dict[str, list[Span]]],
    ) -> bool:
        """Add the evidence of answers; return False if it is invalid or belongs to none of them."""
        given = item.get(EVIDENCE) if isinstance(item, Mapping) and self.scheme.word else None
        if self.scheme.find_question(EVIDENCE) or not is_evidence(given):
            return True
        try:
            parts = [(find_answers(names, answers), of) for names, of in read_evidence(given, "")]
        except InputError:
            return False
        for found, spans in parts:
            for question, value in [answers[at] for at in found if spans and len(found) == 1]:
                evidence.setdefault(question, {}).setdefault(value, []).extend(spans)
        return all(len(found) == 1 or not spans for found, spans in parts)

    def _list_answers(self, item: object) -> list[tuple[str, object]]:
        """List questions and their answers; a word alone answers the only question."""
        if not isinstance(item, Mapping):
            return [(question, item) for question in self.scheme.questions[: self.scheme.alone]]
        asked = [(self.scheme.find_question(str(name)), value) for name, value in item.items()]
        answered = [(question, value) for question, value in asked if question]
        if not answered and self.scheme.alone:
            named = [item[name] for name in _NAMED if name in item]
            answered = [(question, given) for question in self.scheme.questions for given in named]
        return [
            (question, answer)
            for question, value in answered
            for answer in (value if isinstance(value, (list, tuple)) else [value])
            if answer is not None
        ]

    def ask(self, _config: str, /) -> Sequence[str]:
        """Ask for an object of answers."""
        keys = [(question, self._describe(question)) for question in self.scheme.questions]
        keys = keys or [(ANSWER, _ANY)]
        return ["Answer with JSON and nothing else: an object. Its keys:", *list_keys(keys)]

    def _describe(self, question: str) -> str:
        values = say_values(self.scheme.values_of(question))
        return f"a list of answers, each {values}" if self.scheme.several else values

    def hold(self, ways: DocWays[T], /) -> T:
        """Hold classes in ``doc.cats``."""
        return ways.classes()

    def of_cats(self, cats: Mapping[str, float], /) -> object:
        """Take the likeliest class of each question, or all that are at least as likely as not.

        With several questions a category is called ``question=class``. If the scheme has
        probabilities, they are taken instead; a class without a category has 0. If the data show
        the questions, all categories are kept, because the gold standard determines which count.
        """
        if self.scheme.is_open:
            return _keep_categories(cats)
        if self.scheme.probabilities:
            return self._take_shares(cats)
        likely: dict[str, list[tuple[float, str]]] = {}
        for name, share in cats.items():
            question, value = self._read_category(name)
            if question and value:
                likely.setdefault(question, []).append((share, value))
        if self.scheme.several:
            held = {q: [v for share, v in of if share >= LIKELY] for q, of in likely.items()}
            return {question: values for question, values in held.items() if values}
        return {q: max(of)[1] for q, of in likely.items() if max(of)[0] > 0}

    def _take_shares(self, cats: Mapping[str, float]) -> object:
        shares: dict[str, dict[str, float]] = {}
        for name, share in cats.items():
            question, value = self._read_category(name)
            if question and value:
                none = dict.fromkeys(self.scheme.values, 0.0)
                shares.setdefault(question, none)[value] = share
        held = shares.get(self.scheme.questions[0]) if self.scheme.alone else shares
        return {PROBABILITIES: held} if held else {}

    def share_outputs(self, outputs: FloatArray, labels: Sequence[str], /) -> FloatArray:
        """Return the probabilities: softmax over the classes of a question with one answer."""
        if self.scheme.several or not self.scheme.probabilities:
            return super().share_outputs(outputs, labels)
        asked = np.array([self._read_category(label)[0] or "" for label in labels])
        shares = np.zeros_like(outputs)
        for question in {*asked.tolist()}:
            columns = np.flatnonzero(asked == question)
            logits = outputs[:, columns]
            powers = np.exp(logits - logits.max(axis=1, keepdims=True))
            shares[:, columns] = powers / powers.sum(axis=1, keepdims=True)
        return shares

    def _read_category(self, name: str) -> tuple[str | None, str | None]:
        if self.scheme.alone:
            return self.scheme.only, self.scheme.find(name)
        question, _, value = name.partition("=")
        return self.scheme.find_question(question), self.scheme.find(value)

    def as_cats(self, document: object, /) -> dict[str, float]:
        """Return 1 or 0 for each class of each answered question."""
        answers = document if isinstance(document, Mapping) else {}
        shares = answers.get(PROBABILITIES) if self.scheme.probabilities else None
        held = {
            question: answer if isinstance(answer, list) else [answer]
            for question, answer in answers.items()
            if (question != PROBABILITIES or not self.scheme.probabilities)
            and not (question == EVIDENCE and isinstance(answer, Mapping))
        }
        if self.scheme.is_open:
            return dict(_name_categories(held))
        if isinstance(shares, Mapping):
            return self._name_answers(held) | self._name_shares(shares)
        return self._name_answers(held)

    def _name_shares(self, shares: Mapping[str, object]) -> dict[str, float]:
        """Name the categories of a dict of classes to numbers, or of questions to such dicts."""
        nested = {"": shares} if self.scheme.alone else shares
        return {
            value if self.scheme.alone else f"{question}={value}": float(share)
            for question, of_question in nested.items()
            for value, share in (of_question if isinstance(of_question, Mapping) else {}).items()
        }

    def _name_answers(self, held: Mapping[str, Sequence[object]]) -> dict[str, float]:
        return {
            value if self.scheme.alone else f"{question}={value}": float(value in answer)
            for question, answer in held.items()
            for value in self.scheme.values_of(question)
        }

    def train(self, ways: TrainerWays[T], /) -> T:
        """Score the outputs of a classifier of sequences."""
        return ways.classified()

    def list_items(self, _corpus: object, sides: Sides, /) -> tuple[Sequence[Item], Sequence[Item]]:
        """List answers, with the question among their values."""
        return list_sides(sides, self.class_slot)

    def of_sources(self, sources: Sequence[Source], /) -> list[object]:
        """Take the labels of documents as answers; with several questions ``question=class``."""
        if self.scheme.is_open:
            every = [list(source.labels) for source in sources]
            several = any(len(labels) > 1 for labels in every)
            return [labels if several else next(iter(labels), None) for labels in every]
        return [self._of_labels(source.labels) for source in sources]

    def _of_labels(self, labels: Sequence[str]) -> object:
        labels_of_questions: dict[str, list[str]] = {}
        for label in labels:
            question, _, value = label.partition("=")
            known = None if self.scheme.alone else self.scheme.find_question(question)
            labels_of_questions.setdefault(known or self.scheme.slot, []).append(
                value if known else label
            )
        one = {
            q: values if len(values) > 1 else values[0] for q, values in labels_of_questions.items()
        }
        return dict(labels_of_questions) if self.scheme.several else one


def _gather_any(items: Sequence[object]) -> Gathered:
    """Take one object of answers, or words, as the document."""
    words = [item for item in items if isinstance(item, str)]
    objects: dict[object, object] = {}
    for item in items:
        objects |= item if isinstance(item, Mapping) else {}
    invalid = [
        (at, ANSWER) for at, item in enumerate(items) if not isinstance(item, (str, Mapping))
    ]
    return Gathered(objects or (words[0] if len(words) == 1 else words or None), invalid)


def _keep_categories(cats: Mapping[str, float]) -> object:
    """Return all categories as the probabilities of their questions."""
    if not all("=" in name for name in cats):
        return {PROBABILITIES: dict(cats)}
    shares: dict[str, dict[str, float]] = {}
    for name, share in cats.items():
        question, _, value = name.partition("=")
        shares.setdefault(question, {})[value] = share
    return {PROBABILITIES: shares}


def _name_categories(answers: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, float]]:
    """Yield the categories of answers, if the data show the questions."""
    for question, values in answers.items():
        alone = len(answers) == 1 and question in ONE
        for value in values:
            yield value if alone else f"{question}={value}", 1.0
