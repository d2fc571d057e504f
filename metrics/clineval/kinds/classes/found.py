"""Questions and classes that a gold standard shows, while it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Integral

import numpy as np

from clineval.kinds.classes.scheme import ANSWER, ONE, Scheme, find_value, fold


@dataclass(slots=True)
class OpenScheme:
    """A scheme that grows with each question and class; :meth:`close` returns it.

    Classes and questions that differ only in case are the same.

    Args:
        several: whether a question can have several answers; a list of answers sets it.
        known: the classes, if they are given; other values are no classes. With questions, these
            are given too.
        named: whether ``label``, ``class`` and ``answer`` are different questions.

    Examples:
        >>> scheme = OpenScheme()
        >>> scheme.find("past", scheme.find_key("Smoking")), scheme.find(True)
        ('past', 'true')
        >>> scheme.close().values, scheme.close().questions
        (('past', 'true'), ('Smoking',))
    """

    several: bool = False
    known: Scheme | None = None
    named: bool = False
    _questions: dict[str, str] = field(default_factory=dict)
    _values: dict[str, str] = field(default_factory=dict)
    _each: dict[str, set[str]] = field(default_factory=dict)

    @property
    def asks_anything(self) -> bool:
        """Whether any question can be asked."""
        return not (self.known and self.known.questions)

    @property
    def questions(self) -> Sequence[str]:
        """The questions, if they are given, or the questions so far."""
        given = self.known.questions if self.known else ()
        return given or [*self._questions.values()]

    @property
    def values(self) -> Sequence[str]:
        """The classes so far."""
        return self.known.values if self.known else [*self._values.values()]

    def values_of(self, question: str) -> Sequence[str]:
        """Return the classes that are given for a question; empty if none are."""
        return self.known.values_of(question) if self.known else ()

    @property
    def word(self) -> str:
        """The slot of classes."""
        return ANSWER

    @property
    def probabilities(self) -> bool:
        """Whether probabilities are kept: no, they are read as answers."""
        return False

    @property
    def only(self) -> str | None:
        """The question of documents that name none; None if there are several."""
        if self.asks_anything:
            return self.find_question(ANSWER)
        return self.questions[0] if len(self.questions) == 1 else None

    def find_question(self, name: str) -> str | None:
        """Return the name of a question, and add it if it is new and not excluded."""
        if self.known and self.known.questions:
            return self.known.find_key(name)
        if not fold(name):
            return None
        return _spell(self._questions, self._key(name), " ".join(name.split()))

    find_key = find_question

    def find(self, value: object, question: str = "") -> str | None:
        """Return the class that a value names, and add it if it is new and not excluded."""
        if self.known:
            return self.known.find(value, question if self.known.each else "")
        text = _as_text(find_value(value, self._values) or value)
        if text is None:
            return None
        self._each.setdefault(self._key(question), set()).add(fold(text))
        return _spell(self._values, fold(text), " ".join(text.split()))

    def _key(self, question: str) -> str:
        return ANSWER if fold(question) in ONE and not self.named else fold(question)

    def close(self) -> Scheme:
        """Return the scheme, in an order that does not depend on the order of documents."""
        if self.known and self.known.questions:
            known = self.known
            return Scheme(known.values, known.questions, self.several, known.each, ANSWER)
        keys = sorted(self._questions)
        names = tuple(self._questions[key] for key in keys) or (ANSWER,)
        if self.known or not keys:
            return Scheme(tuple(self.values), names, self.several, word=ANSWER)
        held = (sorted(self._each.get(key, ())) for key in keys)
        each = tuple(tuple(self._values[value] for value in of) for of in held)
        values = tuple(self._values[key] for key in sorted(self._values))
        return Scheme(values, names, self.several, each, ANSWER)


def unite_schemes(schemes: Sequence[Scheme]) -> Scheme:
    """Return a scheme with the questions and classes of several gold standards.

    Examples:
        >>> one, two = Scheme(("no", "yes"), ("pain",)), Scheme(("maybe", "No"), ("pain",))
        >>> unite_schemes([one, two]).values
        ('maybe', 'No', 'yes')
    """
    questions: dict[str, str] = {}
    every: dict[str, str] = {}
    held: dict[str, set[str]] = {}
    for scheme in schemes:
        for question in scheme.questions:
            _spell(questions, fold(question), question)
            values = scheme.values_of(question)
            held.setdefault(fold(question), set()).update(map(fold, values))
            for value in values:
                _spell(every, fold(value), value)
    each = tuple(tuple(every[value] for value in sorted(held[key])) for key in sorted(held))
    return Scheme(
        tuple(every[key] for key in sorted(every)),
        tuple(questions[key] for key in sorted(questions)),
        any(scheme.several for scheme in schemes),
        each,
        ANSWER,
    )


def _as_text(value: object) -> str | None:
    """Write a value as a class; None if it is neither a word, a whole number nor a truth value."""
    if isinstance(value, (bool, np.bool_)):
        return str(value).lower()
    text = str(value) if isinstance(value, Integral) else value
    return text if isinstance(text, str) else None


def _spell(names: dict[str, str], key: str, name: str) -> str:
    """Add a name; of several spellings, the first one in the alphabet counts."""
    names[key] = min(name, names.get(key, name))
    return names[key]
