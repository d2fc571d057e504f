"""Ratings: the verdicts of several annotators about the same documents, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from clineval.base.arrays import FloatArray, IntArray
from clineval.results.verdicts import ABSENT, PRESENT, Verdicts
from clineval.stats.chance import ValuePairs

NO_ANSWER = -1


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The answers of ``a`` annotators to one question, or to all questions.

    Args:
        document: ``[r]``, the number of the document of each row.
        table: ``[r, a]``, the number of each annotator's answer; -1 for none.
        times: ``[r]``, how often the row occurs.
        names: the answers, by their numbers.
        possible: how many answers are possible, at least as many as were given.
    """

    document: IntArray
    table: IntArray
    times: FloatArray
    names: tuple[str, ...]
    possible: int

    @property
    def given(self) -> tuple[str, ...]:
        """The answers that annotators gave."""
        used = np.unique(self.table[self.table != NO_ANSWER]).tolist()
        return tuple(self.names[number] for number in used)

    @property
    def missing(self) -> int:
        """The number of units that some annotators answered and others did not."""
        answered = (self.table != NO_ANSWER).sum(axis=1)
        return int(self.times[(answered > 0) & (answered < self.table.shape[1])].sum())

    def pair(self, unit: IntArray) -> ValuePairs:
        """Return the answers that both of two annotators gave; ``unit`` numbers documents."""
        both = (self.table != NO_ANSWER).all(axis=1)
        left, right = self.table[both].T
        return ValuePairs(unit[self.document[both]], left, right, self.times[both])

    def coincide(self, unit: IntArray) -> ValuePairs:
        """Return the answers of every two annotators, in both orders, for alpha of all of them.

        They occur 1 / (m - 1) times if m annotators answered; ``unit`` numbers documents.
        """
        answered = self.table != NO_ANSWER
        times = self.times / np.maximum(answered.sum(axis=1) - 1, 1)
        parts = []
        for one, other in permutations(range(self.table.shape[1]), 2):
            both = answered[:, one] & answered[:, other]
            columns = unit[self.document], self.table[:, one], self.table[:, other], times
            parts.append([column[both] for column in columns])
        return ValuePairs(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def order(self, places: Sequence[int], size: int) -> Answers:
        """Return the same answers, numbered by their places on a scale.

        Args:
            places: the place of each given answer.
            size: the number of answers on the scale.
        """
        numbers = np.full(len(self.names) + 1, NO_ANSWER)
        numbers[[self.names.index(name) for name in self.given]] = places
        names = tuple(map(str, range(size)))
        return Answers(self.document, numbers[self.table], self.times, names, size)


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """The verdicts of annotators about the same documents.

    Args:
        documents: the names of the documents.
        verdicts: the verdicts of each annotator, with numbers of these documents.
    """

    documents: tuple[str, ...]
    verdicts: tuple[Verdicts, ...]

    @classmethod
    def gather(cls, sides: Sequence[tuple[Sequence[str], Verdicts]]) -> Ratings:
        """Gather annotators whose documents can have different numbers.

        Args:
            sides: names of documents, and verdicts about them, for each annotator.
        """
        numbers = {name: 0 for names, _ in sides for name in names}
        numbers = {name: number for number, name in enumerate(numbers)}
        moved = []
        for names, own in sides:
            place = np.array([numbers[name] for name in names], np.int64)
            moved.append(_move(own, place))
        return cls(tuple(numbers), tuple(moved))

    @property
    def presence(self) -> bool:
        """Whether questions are codes that documents can have."""
        return self.verdicts[0].answer is None

    @property
    def whole(self) -> str:
        """The name of all questions together."""
        return self.verdicts[0].whole

    @property
    def possible(self) -> Mapping[str, tuple[str, ...]]:
        """Maps questions to their possible answers, if these are known."""
        return {name: of for each in self.verdicts for name, of in each.answers.items()}

    def list_questions(self) -> dict[str, Answers]:
        """Return the answers to all questions, if there are several, and to each one.

        The most frequent codes come first; other questions are in their order.
        """
        rows = [self._number(each) for each in self.verdicts]
        asked = self._find_order(rows)
        names = self._questions
        found = {names[at]: self._answer(rows, at, names[at]) for at in asked}
        if len(found) > 1 or self.presence:
            found = {self.whole: self._unite(rows, found), **found}
        return found

    @property
    def _questions(self) -> tuple[str, ...]:
        known = [name for each in self.verdicts for name in each.answers]
        used = [name for each in self.verdicts for name in each.question.values]
        return tuple(dict.fromkeys(known + used))

    @property
    def _answers(self) -> tuple[str, ...]:
        if self.presence:
            return (ABSENT, PRESENT)
        given = (each.answer.values for each in self.verdicts if each.answer)
        return tuple(dict.fromkeys(value for values in given for value in values))

    def _number(self, own: Verdicts) -> tuple[IntArray, IntArray, IntArray]:
        """Return document, question and answer of each verdict of an annotator, by question."""
        question = _renumber(own.question.values, self._questions)[own.question.ids]
        if own.answer is None:
            answer = np.ones(len(question), np.int64)
        else:
            answer = _renumber(own.answer.values, self._answers)[own.answer.ids]
        order = np.argsort(question, kind="stable")
        return own.document[order], question[order], answer[order]

    def _find_order(self, rows: Sequence[tuple[IntArray, IntArray, IntArray]]) -> list[int]:
        """Return the questions that somebody answered."""
        asked = np.concatenate([question for _, question, _ in rows])
        times = np.bincount(asked, minlength=len(self._questions))
        order = np.argsort(-times, kind="stable") if self.presence else np.arange(len(times))
        return [int(at) for at in order if times[at]]

    def _answer(
        self, rows: Sequence[tuple[IntArray, IntArray, IntArray]], at: int, name: str
    ) -> Answers:
        size = len(self.documents)
        nothing = 0 if self.presence else NO_ANSWER
        table = np.full((size, len(rows)), nothing)
        for number, (document, question, answer) in enumerate(rows):
            own = slice(*np.searchsorted(question, [at, at + 1]))
            table[document[own], number] = answer[own]
        given = len(np.unique(table[table != NO_ANSWER]))
        possible = 2 if self.presence else max(given, len(self.possible.get(name, ())))
        return Answers(np.arange(size), table, np.ones(size), self._answers, possible)

    def _unite(
        self,
        rows: Sequence[tuple[IntArray, IntArray, IntArray]],
        answers: Mapping[str, Answers],
    ) -> Answers:
        """Return the answers to all questions together."""
        if self.presence:
            return self._count_patterns(rows, len(answers))
        each = list(answers.values())
        document, times = (
            np.concatenate([getattr(of, name) for of in each]) for name in ("document", "times")
        )
        table = np.concatenate([of.table for of in each])
        possible = {value for values in self.possible.values() for value in values}
        given = len(np.unique(table[table != NO_ANSWER]))
        return Answers(document, table, times, self._answers, max(len(possible), given))

    def _count_patterns(
        self, rows: Sequence[tuple[IntArray, IntArray, IntArray]], codes: int
    ) -> Answers:
        """Count for each document how many codes each combination of annotators assigned.

        The codes are those that somebody assigned to any document.
        """
        size, width = len(self.documents), max(len(self._questions), 1)
        keys = [np.unique(document * np.int64(width) + of) for document, of, _ in rows]
        cells = np.unique(np.concatenate(keys))
        table = np.stack([np.isin(cells, own) for own in keys], axis=1).astype(np.int64)
        patterns = np.column_stack([cells // width, table])
        distinct, times = np.unique(patterns, axis=0, return_counts=True)
        absent = codes - np.bincount(cells // width, minlength=size)
        document = np.concatenate([distinct[:, 0], np.arange(size)])
        nobody = np.zeros((size, len(rows)), np.int64)
        every = np.concatenate([distinct[:, 1:], nobody])
        weight = np.concatenate([times, absent]).astype(np.float64)
        return Answers(document, every, weight, self._answers, 2)


def _move(own: Verdicts, place: IntArray) -> Verdicts:
    return Verdicts(place[own.document], own.question, own.answer, own.answers, own.whole)


def _renumber(values: Sequence[str], names: Sequence[str]) -> IntArray:
    """Return the number of each value among the names."""
    numbers = {name: number for number, name in enumerate(names)}
    return np.array([numbers[value] for value in values], np.int64)
