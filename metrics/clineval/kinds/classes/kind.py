"""Classes of documents as a kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar

from clineval.kinds.asking import list_keys, say_values
from clineval.kinds.classes.scheme import Scheme, fold
from clineval.kinds.mentions.items import list_sides
from clineval.results.columns import Sides
from clineval.results.item import Item
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

LIKELY = 0.5
"""The probability from which one of several answers is accepted."""
_NO_SCHEME = Scheme((), ())
_NAMED = ("answer", "label", "class")
"""Other names that models use for the answer to the only question."""


@dataclass(frozen=True)
class ClassKind(Kind):
    """Classes of documents: one answer, or several, to each question.

    Args:
        class_slot: see :class:`Kind`, also for the other arguments.
        scheme: the questions and their classes.
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
    scheme: Scheme = field(default=_NO_SCHEME)

    def forms(self) -> Sequence[Form]:
        """List the forms: an answer, or the answers to the questions."""
        one: Form = [str] if self.scheme.several else str
        asked: Form = dict.fromkeys(self.scheme.questions, one)
        return (one, asked, str) if self.scheme.alone else (asked, str)

    def answer(self, ways: AnswerWays[T], /) -> T:
        """Read classes."""
        only = _NAMED if self.scheme.alone else ()
        alone = frozenset(map(fold, self.scheme.values)) if self.scheme.alone else frozenset()
        marks = (*self.scheme.questions, *only)
        form = PlainAnswers(("classes",), marks, words=True, alone=alone, gather=self._gather)
        return ways.plain(form)

    def _gather(self, items: Sequence[object]) -> Gathered:
        """Take the answers to questions; an unknown class counts as no answer."""
        values_of_questions: dict[str, list[str]] = {}
        invalid: list[tuple[int, str]] = []
        for position, item in enumerate(items):
            for question, given in self._list_answers(item):
                value = self.scheme.find(given)
                accepted = values_of_questions.setdefault(question, [])
                if value is None or (accepted and not self.scheme.several and accepted != [value]):
                    invalid.append((position, question))
                else:
                    accepted.append(value)
        answers = {
            q: list(dict.fromkeys(values)) for q, values in values_of_questions.items() if values
        }
        document = answers if self.scheme.several else {q: of[0] for q, of in answers.items()}
        return Gathered(document, invalid)

    def _list_answers(self, item: object) -> list[tuple[str, object]]:
        """List questions and their answers; a word alone answers the only question."""
        if not isinstance(item, Mapping):
            return [(self.scheme.slot, item)] if self.scheme.alone else []
        asked = [(self.scheme.find_question(str(name)), value) for name, value in item.items()]
        answered = [(question, value) for question, value in asked if question]
        if not answered and self.scheme.alone:
            answered = [(self.scheme.slot, item[name]) for name in _NAMED if name in item]
        return [
            (question, answer)
            for question, value in answered
            for answer in (value if isinstance(value, (list, tuple)) else [value])
            if answer is not None
        ]

    def ask(self, _config: str, /) -> Sequence[str]:
        """Ask for an object of answers."""
        described = say_values(self.scheme.values)
        if self.scheme.several:
            described = f"a list of answers, each {described}"
        keys = [(question, described) for question in self.scheme.questions]
        return ["Answer with JSON and nothing else: an object. Its keys:", *list_keys(keys)]

    def hold(self, ways: DocWays[T], /) -> T:
        """Hold classes in ``doc.cats``."""
        return ways.classes()

    def of_cats(self, cats: Mapping[str, float], /) -> object:
        """Take the likeliest class of each question, or all that are at least as likely as not.

        With several questions a category is called ``question=class``.
        """
        likely: dict[str, list[tuple[float, str]]] = {}
        for name, share in cats.items():
            question, value = self._read_category(name)
            if question and value:
                likely.setdefault(question, []).append((share, value))
        if self.scheme.several:
            held = {q: [v for share, v in of if share >= LIKELY] for q, of in likely.items()}
            return {question: values for question, values in held.items() if values}
        return {q: max(of)[1] for q, of in likely.items() if max(of)[0] > 0}

    def _read_category(self, name: str) -> tuple[str | None, str | None]:
        if self.scheme.alone:
            return self.scheme.slot, self.scheme.find(name)
        question, _, value = name.partition("=")
        return self.scheme.find_question(question), self.scheme.find(value)

    def as_cats(self, document: object, /) -> dict[str, float]:
        """Return 1 or 0 for each class of each answered question."""
        answers = document if isinstance(document, Mapping) else {}
        held = {
            question: answer if isinstance(answer, list) else [answer]
            for question, answer in answers.items()
        }
        return {
            value if self.scheme.alone else f"{question}={value}": float(value in answer)
            for question, answer in held.items()
            for value in self.scheme.values
        }

    def train(self, ways: TrainerWays[T], /) -> T:
        """Score the outputs of a classifier of sequences."""
        return ways.classified()

    def list_items(self, _corpus: object, sides: Sides, /) -> tuple[Sequence[Item], Sequence[Item]]:
        """List answers, with the question among their values."""
        return list_sides(sides, self.class_slot)

    def of_sources(self, sources: Sequence[Source], /) -> list[object]:
        """Take the labels of documents as answers; with several questions ``question=class``."""
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
