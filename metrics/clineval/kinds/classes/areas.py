"""Scores of the probabilities of classes: areas under curves, and the Brier score."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray
from clineval.base.ratios import Number, Totals, ratio
from clineval.kinds.classes.probabilities import OTHER, POSITIVE, RIGHT, SEVERAL
from clineval.results.averages import MACRO
from clineval.results.label_rows import SCORES, LabelRows
from clineval.results.measures import Grid, Measure
from clineval.stats.curves import Areas, Curves, Trace, weigh

ROC, PR, BRIER = "roc_auc", "pr_auc", "brier"
_TWO = 2


@dataclass(frozen=True, slots=True)
class ClassAreas(Measure):
    """Scores of the probabilities of classes, if predictions have any.

        <class>_roc_auc    the area under the ROC curve of a class against all other classes: the
                           probability that an answer with the class has a higher probability than
                           one without; equal probabilities count half
        <class>_pr_auc     the average precision of a class: the sum, over the probabilities p, of
                           the precision of all answers with at least p, times the increase of
                           recall at p
        macro_<score>      the mean over the classes that have the score
        roc_auc, pr_auc    the score of the positive class, if one of two classes is positive
        brier              the mean over questions of the sum over classes of (p - y)², with y = 1
                           for gold classes, otherwise 0. With two classes it is halved, so that it
                           is the (p - y)² of one class. With several answers it is the mean over
                           questions and classes

    All but the last are defined as scikit-learn's ``roc_auc_score`` and
    ``average_precision_score`` of each class, and ``brier_score_loss`` as that function does it for
    two and for more classes. A class that no gold answer has, or that all have, has no area under
    the ROC curve; one that no gold answer has has no average precision. These are left out.

    Questions count as for :class:`~clineval.kinds.classes.measures.ClassScores`. A question
    without a predicted answer has the probability 0 for each class, and one whose answer has no
    probabilities has 1 for that class. With several questions there are also the scores of each
    question; the keys then begin with its name.
    """

    def finish(self, _totals: Totals, _config: str, /) -> dict[str, Number]:
        """Return nothing, because these scores need labels."""
        return {}

    def needs(self, labels: LabelRows, /) -> bool:
        """Return whether there are probabilities."""
        return labels.ranking == SCORES

    def finish_labels(
        self, labels: LabelRows, weights: FloatArray, _config: str, /
    ) -> dict[str, FloatArray]:
        """Compute all scores, of all questions and of each."""
        if not self.needs(labels):
            return {}
        every = {name: _Answers.of(labels, columns) for name, columns in _group(labels).items()}
        found = _finish("", [*every.values()], labels, weights)
        for question, answers in every.items() if len(every) > 1 else ():
            found |= _finish(f"{question}_", [answers], labels, weights)
        return found

    def trace_curves(self, labels: LabelRows, /) -> Mapping[str, Trace]:
        """Return the curve of the positive class, or of each class that has both areas."""
        if not self.needs(labels):
            return {}
        every = [_Answers.of(labels, columns) for columns in _group(labels).values()]
        names, curves = _join(every)
        marked = [_find_marked(mark, names, every, labels) for mark in (RIGHT, OTHER)]
        traces = zip(names, curves.trace(), zip(*marked, strict=True), strict=True)
        found = {name: trace for name, trace, both in traces if all(both)}
        positive = {name: of for name, of in found.items() if f"{POSITIVE}{name}" in labels.marks}
        return positive or found

    def find_undefined(self, labels: LabelRows, /) -> Sequence[str]:
        """Return the areas of classes that no gold answer has, or that all have."""
        if not self.needs(labels):
            return ()
        marks = {*labels.marks}
        return [
            f"{'_'.join(filter(None, name.split('/')))}_{end}"
            for name in labels.label.values
            for end, needed in ((ROC, (RIGHT, OTHER)), (PR, (RIGHT,)))
            if not {f"{mark}{name}" for mark in needed} <= marks
        ]

    def tables(self) -> Iterable[Grid]:
        """Lay out the areas of the positive class and the means, and the Brier score."""
        yield Grid("Probabilities", ("ROC AUC", "PR AUC"), {}, _find_means)
        yield Grid("Probabilities, Brier score", ("Brier",), {}, _find_brier)

    def details(self) -> Iterable[Grid]:
        """Lay out the areas of each class."""
        yield Grid("Probabilities, classes", ("ROC AUC", "PR AUC"), {}, _find_classes)

    @property
    def less_is_better(self) -> tuple[str, ...]:
        """The Brier score."""
        return (BRIER,)

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean to the scores of classes."""
        ends = [
            (key.removesuffix(f"{MACRO}_{end}"), end)
            for end in (ROC, PR)
            for key in scores
            if key.endswith(f"{MACRO}_{end}")
        ]
        begins = sorted({begin for begin, _ in ends}, key=len, reverse=True)
        owners = {key: next(filter(key.startswith, begins), "") for key in _find_classes(scores)}
        return {
            f"{begin}{MACRO}_{end}": [
                f"{key}_{end}" for key, owner in owners.items() if owner == begin
            ]
            for begin, end in ends
        }


@dataclass(frozen=True, slots=True, eq=False)
class _Answers:
    """A question in the ``n`` documents that count, with truth and probability of each class.

    Args:
        labels: class to label, in the order of columns.
        row: ``[n]``, the number of the weight of each.
        gold: ``[n, classes]``, whether the gold standard has the class.
        share: ``[n, classes]``, the probability.
    """

    labels: Mapping[str, str]
    row: IntArray
    gold: BoolArray
    share: FloatArray

    @classmethod
    def of(cls, labels: LabelRows, columns: Sequence[int]) -> _Answers:
        """Return the answers to the question with these labels."""
        place = np.full(len(labels.label.values), -1)
        place[columns] = np.arange(len(columns))
        kept = np.flatnonzero(place[labels.label.ids] >= 0)
        row, unit = np.unique(labels.row[kept], return_inverse=True)
        gold = np.zeros((len(row), len(columns)), np.bool_)
        share = np.zeros((len(row), len(columns)))
        cells = unit, place[labels.label.ids[kept]]
        gold[cells] = labels.gold[kept]
        share[cells] = np.nan_to_num(labels.score[kept])
        names = [labels.label.values[column] for column in columns]
        return cls({name.partition("/")[2]: name for name in names}, row, gold, share)

    def find_distance(self, *, several: bool) -> FloatArray:
        """Return ``[n]``, the Brier score of each document."""
        classes = len(self.labels)
        parts = classes if several or classes == _TWO else 1
        distance: FloatArray = ((self.share - self.gold) ** 2).sum(axis=1) / parts
        return distance


def _finish(
    begin: str, every: Sequence[_Answers], labels: LabelRows, weights: FloatArray
) -> dict[str, FloatArray]:
    """Compute the scores of questions together; their keys start with ``begin``."""
    names, curves = _join(every)
    having, lacking = (_find_marked(mark, names, every, labels) for mark in (RIGHT, OTHER))
    both = [has and lacks for has, lacks in zip(having, lacking, strict=True)]
    positive = [f"{POSITIVE}{name}" in labels.marks for name in names]
    areas, precisions = curves.find_areas(weights), curves.find_precisions(weights)
    return {
        **_name(f"{begin}{{}}{ROC}", names, areas, both, positive),
        **_name(f"{begin}{{}}{PR}", names, precisions, having, positive),
        f"{begin}{BRIER}": _brier(every, weights, several=SEVERAL in labels.marks),
    }


def _join(every: Sequence[_Answers]) -> tuple[list[str], Curves]:
    """Return the classes of questions, and the curve of each."""
    names = list(dict.fromkeys(name for answers in every for name in answers.labels))
    numbers = [np.tile([*map(names.index, each.labels)], len(each.row)) for each in every]
    return names, Curves.of(
        np.concatenate([np.repeat(answers.row, len(answers.labels)) for answers in every]),
        np.concatenate([answers.gold.ravel() for answers in every]),
        np.concatenate([answers.share.ravel() for answers in every]),
        np.concatenate(numbers).astype(np.int64),
        len(names),
    )


def _find_marked(
    mark: str, names: Sequence[str], every: Sequence[_Answers], labels: LabelRows
) -> list[bool]:
    """Return whether any question marks each class."""
    marks = {*labels.marks}
    return [
        any(f"{mark}{answers.labels.get(name)}" in marks for answers in every) for name in names
    ]


def _brier(every: Sequence[_Answers], weights: FloatArray, *, several: bool) -> FloatArray:
    width = weights.shape[1]
    row = np.concatenate([answers.row for answers in every])
    distance = np.concatenate([answers.find_distance(several=several) for answers in every])
    sums = np.bincount(row, distance, width).astype(np.float64)
    asked = np.bincount(row, minlength=width).astype(np.float64)
    return np.asarray(ratio(weigh(weights, sums), weigh(weights, asked)))


def _name(
    key: str, names: Sequence[str], areas: Areas, defined: Sequence[bool], positive: Sequence[bool]
) -> dict[str, FloatArray]:
    """Name the areas of the classes that have one, of the positive class, and their mean."""
    found = {
        key.format(f"{name}_"): areas.values[:, at] for at, name in enumerate(names) if defined[at]
    }
    for at in np.flatnonzero(np.array(defined) & np.array(positive)):
        found[key.format("")] = areas.values[:, at]
    return found | ({key.format(f"{MACRO}_"): areas.mean} if any(defined) else {})


def _group(labels: LabelRows) -> dict[str, list[int]]:
    """Map questions to the numbers of their labels."""
    questions: dict[str, list[int]] = {}
    for number, name in enumerate(labels.label.values):
        questions.setdefault(name.partition("/")[0], []).append(number)
    return questions


def _list_begins(keys: Collection[str]) -> Iterator[str]:
    """Yield the beginnings of the keys that end with both areas."""
    for key in keys:
        if key.endswith(ROC) and f"{key.removesuffix(ROC)}{PR}" in keys:
            yield key.removesuffix(ROC)


def _find_means(keys: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Find the rows of positive classes and means: all questions, and each question."""
    begins = {*_list_begins(keys)}
    mean = f"{MACRO}_"
    rows: dict[str, tuple[str, ...]] = {}
    for question in sorted(begin.removesuffix(mean) for begin in begins if begin.endswith(mean)):
        heading = question.rstrip("_") or "all"
        if question in begins:
            rows[f"{heading}, positive class"] = (f"{question}{ROC}", f"{question}{PR}")
        rows[f"{heading}, mean of classes"] = (f"{question}{mean}{ROC}", f"{question}{mean}{PR}")
    return rows


def _find_classes(keys: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Find the rows of classes."""
    shown = {name for row in _find_means(keys).values() for name in row}
    return {
        begin.rstrip("_"): (f"{begin}{ROC}", f"{begin}{PR}")
        for begin in _list_begins(keys)
        if f"{begin}{ROC}" not in shown
    }


def _find_brier(keys: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Find the rows of the Brier score: all questions, and each question."""
    found = [key for key in keys if key == BRIER or key.endswith(f"_{BRIER}")]
    return {key.removesuffix(BRIER).rstrip("_") or "all": (key,) for key in found}
