"""Scores of several questions with the same classes, and means over the questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from clineval.base.ratios import Number, Totals, prf_keys
from clineval.kinds.classes.measures import COEFFICIENTS, ClassScores, OtherMeans
from clineval.results.averages import PRF, average_columns, is_there, label_key
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid, Measure

_COUNTS = ("tp", "fp", "fn")
_MEANS = {"micro": "micro", "macro": "macro", "macro_all": "macro, all classes"}
_COLUMNS = {
    "micro_f1": "micro F1",
    "macro_f1": "macro F1",
    "macro_all_f1": "macro F1, all classes",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "kappa": "kappa",
    "questions": "documents",
}


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


@dataclass(frozen=True, slots=True)
class QuestionScores(Measure):
    """The scores of all answers, of each question, and the means over the questions.

        <begin>micro_*, <begin>macro_*, ...    see :class:`ClassScores` and :class:`OtherMeans`
        <begin><question>_*                    the same of each question
        <begin><plural>_<mean>_*               the mean over the questions that either side has;
                                               the means are micro, macro and macro_all

    Args:
        values: the classes.
        questions: the questions.
        plural: what the questions are called together, such as ``diseases``.
        begin: the beginning of all keys.
        added: the end of the headings of tables.
    """

    values: tuple[str, ...]
    questions: tuple[str, ...]
    plural: str
    begin: str = ""
    added: str = ""

    @property
    def coefficients(self) -> Sequence[str]:
        """Kappa, which one class alone does not define."""
        return COEFFICIENTS

    @property
    def _pooled(self) -> ClassScores:
        title = f"All answers{self.added}"
        return ClassScores(self.values, prefix=self.begin, title=title)

    @property
    def _questions(self) -> dict[str, ClassScores]:
        keys = {name: f"{self.begin}{label_key(name)}_" for name in self.questions}
        return {name: replace(self._pooled, prefix=key) for name, key in keys.items()}

    @property
    def _every(self) -> Sequence[Measure]:
        """The measures of classes and of their means, first of all questions together."""
        scores = (self._pooled, *self._questions.values())
        return [*chain.from_iterable((of, OtherMeans(of)) for of in scores)]

    @property
    def _means(self) -> QuestionMeans:
        names = tuple(f"{mean}_{name}" for mean in _MEANS for name in PRF)
        begins = tuple(scores.prefix for scores in self._questions.values())
        return QuestionMeans(f"{self.begin}{self.plural}_", begins, names)

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores and the means."""
        scores: dict[str, Number] = {}
        for measure in self._every:
            scores |= measure.finish(totals, config)
        found = all(f"{of.micro}_f1" in scores for of in self._questions.values())
        return scores | (self._means.average(scores) if found else {})

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean to the scores that it averages."""
        parts = dict(self._means.list_parts(scores))
        for measure in self._every:
            parts |= measure.list_parts(scores)
        return parts

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores of all answers, the means, and the main scores of each question."""
        yield from chain.from_iterable(measure.tables() for measure in self._every[:2])
        rows = {
            title: tuple(f"{self.begin}{self.plural}_{mean}_{name}" for name in PRF)
            for mean, title in _MEANS.items()
        }
        yield Grid(f"Means over the {self.plural}{self.added}", PRF_HEADINGS[:3], rows)
        rows = {
            name: tuple(f"{scores.prefix}{key}" for key in _COLUMNS)
            for name, scores in self._questions.items()
        }
        yield Grid(f"{self.plural.capitalize()}{self.added}", tuple(_COLUMNS.values()), rows)

    def details(self) -> Iterable[Grid]:
        """Lay out each class, of all questions and of each."""
        [pooled] = self._pooled.details()
        yield pooled
        for value in self.values:
            keys = {name: scores.keys[value] for name, scores in self._questions.items()}
            rows = {name: (*prf_keys(key), f"{key}_specificity") for name, key in keys.items()}
            yield Grid(f"{self.plural.capitalize()}, {value}{self.added}", pooled.columns, rows)
