"""Questions, and the classes that answer them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from clineval.kinds.records.fields import Field

QUESTION, ANSWER = "question", "answer"
"""The slots of an answer, if there are several questions."""


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

    Examples:
        >>> smoking = Scheme(("PAST", "NON"), ("status",))
        >>> smoking.find(" past"), smoking.find("never"), smoking.slot
        ('PAST', None, 'status')
    """

    values: tuple[str, ...]
    questions: tuple[str, ...] = ("status",)
    several: bool = False

    @property
    def alone(self) -> bool:
        """Whether there is one question."""
        return len(self.questions) == 1

    @property
    def slot(self) -> str:
        """The slot of classes."""
        return self.questions[0] if self.alone else ANSWER

    @property
    def names(self) -> tuple[str, ...]:
        """The slots of an answer."""
        return (self.slot,) if self.alone else (QUESTION, ANSWER)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The slots of an answer as fields of records, as a page shows them."""
        known = {self.slot: self.values, QUESTION: self.questions}
        return tuple(Field(name, "closed", known[name]) for name in self.names)

    @cached_property
    def _folded(self) -> dict[str, str]:
        return {fold(value): value for value in self.values}

    @cached_property
    def _questions(self) -> dict[str, str]:
        return {fold(question): question for question in self.questions}

    def find(self, value: object) -> str | None:
        """Find the class that a value names, in any case; None if it names no class.

        Truth values are ``yes`` and ``no``, or ``true`` and ``false``.
        """
        words = {True: ("yes", "true"), False: ("no", "false")}
        if isinstance(value, bool):
            return next((self._folded[w] for w in words[value] if w in self._folded), None)
        if isinstance(value, int):
            value = str(value)
        return self._folded.get(fold(value)) if isinstance(value, str) else None

    def find_question(self, name: str) -> str | None:
        """Find a question by its name, in any case; None if there is none."""
        return self._questions.get(fold(name))
