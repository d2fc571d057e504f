"""Questions, and the classes that answer them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral

import numpy as np

from clineval.base.arrays import BoolArray
from clineval.kinds.records.fields import Field

QUESTION, ANSWER = "question", "answer"
"""The slots of an answer, if there are several questions."""
PROBABILITIES, EVIDENCE = "probabilities", "evidence"
"""The keys of the probabilities and the evidence of a document, in JSON and Python."""
ONE = ("label", "class", ANSWER)
"""Names of the only question that are always accepted, besides its own name."""


def fold(text: str) -> str:
    """Return the form in which questions and answers are compared.

    Examples:
        >>> fold(" Past Smoker ")
        'past smoker'
    """
    return " ".join(text.split()).casefold()


@dataclass(frozen=True)
class Scheme:
    """Questions, and the classes that answer them.

    Args:
        values: the classes; each of them can answer any question.
        questions: the questions; with only one, its name is that of the slot of classes.
        several: whether a question can have several answers.
        each: the classes that answer each question; empty if every class answers any question.
        word: the slot of classes; by default the name of the only question, or ``answer``.
        probabilities: whether predictions can have a probability for each class.
        inner_blanks: whether blanks within a class matter; outer ones never do.

    Examples:
        >>> smoking = Scheme(("PAST", "NON"), ("status",))
        >>> smoking.find(" past"), smoking.find("never"), smoking.slot
        ('PAST', None, 'status')
    """

    values: tuple[str, ...]
    questions: tuple[str, ...] = ("status",)
    several: bool = False
    each: tuple[tuple[str, ...], ...] = ()
    word: str = ""
    probabilities: bool = False
    inner_blanks: bool = False

    @property
    def alone(self) -> bool:
        """Whether there is one question."""
        return len(self.questions) == 1

    @property
    def is_open(self) -> bool:
        """Whether the data show the questions and their classes."""
        return not self.questions

    @property
    def only(self) -> str | None:
        """The question of documents that name none; None if there are several."""
        return self.questions[0] if self.alone else None

    @property
    def slot(self) -> str:
        """The slot of classes."""
        return self.word or (self.questions[0] if self.alone else ANSWER)

    @property
    def names(self) -> tuple[str, ...]:
        """The slots of an answer."""
        return (self.slot,) if self.alone else (QUESTION, ANSWER)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The slots of an answer as fields of records, as a page shows them."""
        known = {self.slot: self.values, QUESTION: self.questions}
        return tuple(Field(name, "closed", known[name]) for name in self.names)

    def split(self, name: str) -> tuple[str | None, str | None]:
        """Find question and class of a category: a class, or ``question=class``.

        Examples:
            >>> Scheme(("PAST", "NON"), ("status",)).split("past")
            ('status', 'PAST')
        """
        question, separator, value = name.partition("=")
        if self.alone and not (separator and self.find_question(question)):
            return self.only, self.find(name)
        return self.find_question(question), self.find(value)

    @cached_property
    def _folded(self) -> dict[str, str]:
        return {self._fold(value): value for value in self.values}

    def _fold(self, value: str) -> str:
        return value.strip().casefold() if self.inner_blanks else fold(value)

    @cached_property
    def _questions(self) -> dict[str, str]:
        return {fold(question): question for question in self.questions}

    @cached_property
    def allowed(self) -> BoolArray:
        """``[questions, classes]``, whether a class answers a question."""
        asked = [
            [value in self.values_of(name) for value in self.values] for name in self.questions
        ]
        return np.array(asked, np.bool_).reshape(len(self.questions), len(self.values))

    def values_of(self, question: str) -> tuple[str, ...]:
        """Return the classes that answer a question."""
        return self.each[self.questions.index(question)] if self.each else self.values

    def find(self, value: object, question: str = "") -> str | None:
        """Find the class that a value names, in any case; None if it names no class.

        Truth values are ``yes`` and ``no``, or ``true`` and ``false``.

        Args:
            value: the value.
            question: the question that it answers; empty for any.
        """
        found = find_value(value, self._folded, self._fold)
        return found if not question or found in self.values_of(question) else None

    def find_question(self, name: str) -> str | None:
        """Find a question by its name, in any case; None if there is none."""
        return self._questions.get(fold(name))

    def find_key(self, name: str) -> str | None:
        """Find a question by a key, which can have the name of any single question."""
        found = self.find_question(name)
        return self.questions[0] if found is None and self.alone and fold(name) in ONE else found


def find_value(
    value: object, folded: Mapping[str, str], fold_text: Callable[[str], str] = fold
) -> str | None:
    """Find the class that a value names among classes by their folded names."""
    if isinstance(value, (bool, np.bool_)):
        words = ("yes", "true") if value else ("no", "false")
        return next((folded[word] for word in words if word in folded), None)
    if isinstance(value, Integral):
        value = str(value)
    return folded.get(fold_text(value)) if isinstance(value, str) else None


NO_SCHEME = Scheme((), ())
"""No questions: the data show them."""
