"""Scores of questions and classes, whose names the counts show."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from clineval.base.ratios import Number, Totals, prf_keys, ratio
from clineval.kinds.classes.majority import MAJORITY_GRIDS, finish_majority
from clineval.kinds.classes.measures import COEFFICIENTS, ClassScores
from clineval.kinds.classes.parts import find_parts
from clineval.results.measures import Grid, Measure
from clineval.results.views import ItemCheck

_ALL = ClassScores(())


@dataclass(frozen=True)
class FoundClassScores(Measure):
    """The scores of :class:`ClassScores`, of all questions and of each, for any classes.

    The Hamming loss counts only the classes that answer a question.

    Args:
        positive: the key of the class whose scores are the main ones; empty for none.
    """

    positive: str = ""

    def under(self, settings: Mapping[str, str], /) -> FoundClassScores:
        """Return the scores for the positive class of a signature."""
        return replace(self, positive=settings["positive"]) if "positive" in settings else self

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute all scores."""
        scores: dict[str, Number] = {}
        for measure in _list_measures(totals):
            scores |= measure.finish(totals, config)
        if "hamming_loss" in scores:
            wrong = totals[f"{_ALL.micro}_fp"] + totals[f"{_ALL.micro}_fn"]
            each = find_parts(totals).each.items()
            sizes = [totals[f"{key}_questions"] * len(classes) for key, classes in each]
            if sizes:
                scores["hamming_loss"] = ratio(wrong, sum(sizes))
        return {**scores, **finish_majority(totals, find_parts(totals))}

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean over classes to the scores of the classes that either side has."""
        parts: dict[str, Sequence[str]] = {}
        for measure in _list_measures(scores):
            parts |= measure.list_parts(scores)
        return parts

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores of all answers, and of each question."""
        yield from _ALL.tables()
        *_, several = ClassScores((), several=True).tables()
        yield replace(several, title="All answers, sets")
        for grid in ClassScores((), title="Questions").tables():
            yield replace(grid, rows={}, find=partial(_lay_out_questions, grid))
        yield from MAJORITY_GRIDS

    def details(self) -> Iterable[Grid]:
        """Lay out each class, also of each question."""
        for grid in _ALL.details():
            yield replace(grid, rows={}, find=_lay_out_classes)
            title = "Questions, classes"
            yield replace(grid, title=title, rows={}, find=_lay_out_classes_of_questions)

    @property
    def headline(self) -> tuple[str, ...]:
        """The main scores of all answers, after those of the positive class."""
        names = ("f1", "precision", "recall", "specificity") if self.positive else ()
        return (*(f"{self.positive}_{name}" for name in names), *_ALL.headline)

    @property
    def coefficients(self) -> Sequence[str]:
        """Kappa, which one class alone does not define."""
        return COEFFICIENTS

    @property
    def less_is_better(self) -> tuple[str, ...]:
        """The Hamming loss."""
        return ClassScores((), several=True).less_is_better

    @property
    def shown_per_document(self) -> tuple[str, ...]:
        """The counts of all answers."""
        return _ALL.shown_per_document

    @property
    def short_names(self) -> Mapping[str, str]:
        """The main scores."""
        return _ALL.short_names

    def item_checks(self) -> Iterable[ItemCheck]:
        """List the counts that a page recounts."""
        return _ALL.item_checks()


RESERVED = ("micro", "macro", "weighted", "balanced", "majority")
"""Names that no question or class can have."""


def share_keys(names: Collection[str]) -> bool:
    """Return whether two scores of some counts would have the same key."""
    totals = dict.fromkeys(names, 0)
    each = [measure.finish(totals, "") for measure in _list_measures(names)]
    each.append(finish_majority(totals, find_parts(names)))
    return len(set().union(*each)) < sum(map(len, each))


def _list_measures(names: Collection[str]) -> Iterable[ClassScores]:
    """Yield the scores of all questions, and of each."""
    for prefix, classes in find_parts(names).keys.items():
        yield ClassScores(tuple(classes), _ALL.right in names, prefix=prefix, main=not prefix)


def _lay_out_questions(grid: Grid, names: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the rows of a table of all answers, for each question."""
    return {
        key if len(grid.rows) == 1 else f"{key}, {heading}": tuple(f"{key}_{of}" for of in keys)
        for key in find_parts(names).each
        for heading, keys in grid.rows.items()
    }


def _lay_out_classes(names: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    return {key: _cells(key) for key in find_parts(names).classes}


def _lay_out_classes_of_questions(names: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    every = find_parts(names).each.items()
    return {f"{q}, {key}": _cells(f"{q}_{key}") for q, classes in every for key in classes}


def _cells(key: str) -> tuple[str, ...]:
    return (*prf_keys(key), f"{key}_specificity")
