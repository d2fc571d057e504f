"""Means of scores over questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clineval.base.ratios import Number
from clineval.results.averages import average_columns, is_there

_COUNTS = ("tp", "fp", "fn")


@dataclass(frozen=True, slots=True)
class QuestionMeans:
    """The means of scores over the questions that either side has.

    Args:
        begin: the beginning of the keys of the means.
        questions: the beginnings of the keys of the questions.
        names: the ends of the keys, of means and of questions.
        counts: the counts that decide which questions are averaged: all answers, or a class.
        absent: whether a question that neither side has counts as well.

    Examples:
        >>> means = QuestionMeans("mean_", ("pain_", "fever_"), ("f1",))
        >>> counts = dict.fromkeys(["pain_micro_fp", "pain_micro_fn", "fever_micro_tp"], 0)
        >>> counts |= {"pain_micro_tp": 1, "fever_micro_fp": 1, "fever_micro_fn": 1}
        >>> means.average({"pain_f1": 1.0, "fever_f1": 0.5, **counts})["mean_f1"]
        0.75
    """

    begin: str
    questions: tuple[str, ...]
    names: tuple[str, ...]
    counts: str = "micro"
    absent: bool = False

    def average(self, scores: Mapping[str, Number]) -> dict[str, Number]:
        """Compute the means.

        Args:
            scores: the scores of the questions, with the counts.
        """
        rows = [[scores[f"{question}{name}"] for name in self.names] for question in self.questions]
        weights = [1 if self.absent else is_there(*self._count(q, scores)) for q in self.questions]
        means = average_columns(rows, weights, len(self.names))
        return {f"{self.begin}{name}": of for name, of in zip(self.names, means, strict=True)}

    def list_parts(self, scores: Mapping[str, Number]) -> dict[str, Sequence[str]]:
        """Map each mean to the scores that it averages.

        Args:
            scores: all scores and counts.
        """
        there = [q for q in self.questions if self.absent or any(self._count(q, scores))]
        return {f"{self.begin}{name}": [f"{q}{name}" for q in there] for name in self.names}

    def _count(self, question: str, scores: Mapping[str, Number]) -> list[Number]:
        return [scores.get(f"{question}{self.counts}_{verdict}", 0) for verdict in _COUNTS]
