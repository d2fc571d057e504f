"""Scores of classes: of all answers, of each class, and means over the classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import chain

import numpy as np

from clineval.base.arrays import FloatArray
from clineval.base.ratios import Number, Totals, harmonic_mean, precision_recall_f1, prf_keys, ratio
from clineval.results.averages import (
    MACRO,
    PRF,
    WEIGHTED,
    WEIGHTS,
    average,
    average_columns,
    label_key,
    list_parts_of,
)
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid, Measure
from clineval.results.views import ItemCheck

_OVER_CLASSES = (MACRO, WEIGHTED)
_ROUNDING = 1e-12


COEFFICIENTS = ("kappa",)
"""Scores that are undefined if all answers have the same class."""


@dataclass(frozen=True)
class ClassScores(Measure):
    """Scores of the answers to all questions, or to one.

        micro_*             P = tp / (tp + fp)   R = tp / (tp + fn)   F1 = 2 tp / (2 tp + fp + fn)
        <class>_*           the same of each class, with specificity = tn / (tn + fp)
        macro_*             the mean over the classes that either side has
        weighted_*          the mean over the classes, weighted by their gold answers
        accuracy            the share of questions with the same answers on both sides
        balanced_accuracy   the mean recall of the classes with gold answers
        kappa               (accuracy - chance) / (1 - chance), chance = sum of the products of the
                            shares that both sides give to a class; no answer counts as a class
        mcc                 the Matthews correlation of several classes (Gorodkin's R_K):
                            (n right - sum g p) / sqrt((n² - sum g²) (n² - sum p²)); n questions,
                            g gold and p predicted answers of a class; no answer counts as a class
        hamming_loss        (fp + fn) / (questions * classes), if a question has several answers

    Questions are counted in each document. If a question has one answer, it counts if either side
    answers it. tn = questions - tp - fp - fn.

    Args:
        values: the classes.
        several: whether a question has several answers.
        prefix: the beginning of the keys, such as ``pain_``.
        title: heading of the main table.
        main: whether these are the main scores.
    """

    values: tuple[str, ...]
    several: bool = False
    _: KW_ONLY
    prefix: str = ""
    title: str = "All answers"
    main: bool = True

    @property
    def keys(self) -> dict[str, str]:
        """Class to the beginning of its counts."""
        return {value: f"{self.prefix}{label_key(value)}" for value in self.values}

    @property
    def micro(self) -> str:
        """The beginning of the counts of all classes."""
        return f"{self.prefix}micro"

    @property
    def questions(self) -> str:
        """The count of questions."""
        return f"{self.prefix}questions"

    @property
    def right(self) -> str:
        """The count of questions with the same answers."""
        return f"{self.prefix}right"

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute all scores."""
        if f"{self.micro}_tp" not in totals:
            return {}
        micro = precision_recall_f1(self.micro, totals)
        scores_of_classes = [precision_recall_f1(key, totals) for key in self.keys.values()]
        means = {of: average(of, scores_of_classes, WEIGHTS[of]) for of in _OVER_CLASSES}
        result = dict(micro)
        for key in (f"{of}_{score}" for score in PRF for of in _OVER_CLASSES):
            result[f"{self.prefix}{key}"] = means[key.split("_")[0]][key]
        result[f"{self.prefix}balanced_accuracy"] = _average_recall(scores_of_classes)
        for scores in scores_of_classes:
            result |= scores
        if self.questions in totals:
            result |= self._finish_questions(totals, scores_of_classes)
        return result

    def _finish_questions(
        self, totals: Totals, scores_of_classes: Sequence[Mapping[str, Number]]
    ) -> dict[str, Number]:
        """Compute the scores that depend on the number of questions."""
        questions = totals[self.questions]
        right = totals[self.right] if self.several else totals[f"{self.micro}_tp"]
        accuracy = ratio(right, questions)
        result = {f"{self.prefix}accuracy": accuracy}
        if self.several:
            wrong = totals[f"{self.micro}_fp"] + totals[f"{self.micro}_fn"]
            result[f"{self.prefix}hamming_loss"] = ratio(wrong, questions * len(self.values))
            result[self.right] = right
        else:
            result[f"{self.prefix}kappa"] = _kappa(accuracy, scores_of_classes, questions)
            result[f"{self.prefix}mcc"] = _mcc(right, scores_of_classes, questions)
        for key, scores in zip(self.keys.values(), scores_of_classes, strict=True):
            gold, predicted = _sizes(scores)
            negative = questions - gold
            false = predicted - scores[f"{key}_tp"]
            result[f"{key}_specificity"] = ratio(negative - false, negative)
        return {**result, self.questions: questions}

    @property
    def coefficients(self) -> Sequence[str]:
        """Kappa, which one class alone does not define."""
        return COEFFICIENTS

    @property
    def _summary(self) -> dict[str, tuple[str, ...]]:
        last = ("hamming_loss",) if self.several else ("kappa", "mcc")
        keys = ("accuracy", "balanced_accuracy", *last)
        return {"all": tuple(f"{self.prefix}{key}" for key in keys)}

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores of all answers."""
        means = {name: tuple(f"{self.prefix}{name}_{key}" for key in PRF) for name in _OVER_CLASSES}
        yield Grid(self.title, PRF_HEADINGS, {"micro": prf_keys(self.micro)})
        yield Grid(f"{self.title}, means over the classes", PRF_HEADINGS[:3], means)
        last = ("Hamming loss",) if self.several else ("kappa", "MCC")
        headings = ("accuracy", "balanced accuracy", *last)
        yield Grid(f"{self.title}, agreement", headings, self._summary)

    def details(self) -> Iterable[Grid]:
        """Lay out each class."""
        headings = (*PRF_HEADINGS, "specificity")
        rows = {value: (*prf_keys(key), f"{key}_specificity") for value, key in self.keys.items()}
        yield Grid(f"{self.title}, classes", headings, rows)

    @property
    def headline(self) -> tuple[str, ...]:
        """Macro F1, micro F1 and accuracy, if these are the main scores."""
        return ("macro_f1", "micro_f1", "accuracy") if self.main else ()

    @property
    def less_is_better(self) -> tuple[str, ...]:
        """The Hamming loss."""
        return (f"{self.prefix}hamming_loss",) if self.several else ()

    @property
    def shown_per_document(self) -> tuple[str, ...]:
        """The counts of all answers."""
        return prf_keys(self.micro)[2:] if self.main else ()

    @property
    def short_names(self) -> Mapping[str, str]:
        """The main scores."""
        short = {"macro_f1": "macro_f", "micro_f1": "micro_f", "accuracy": "acc"}
        return short if self.main else {}

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean over classes to the scores of the classes that either side has."""
        prefixes = list(self.keys.values())
        parts = (list_parts_of(f"{self.prefix}{of}", prefixes, scores) for of in _OVER_CLASSES)
        return dict(chain.from_iterable(each.items() for each in parts))

    def item_checks(self) -> Iterable[ItemCheck]:
        """List the counts that a page recounts."""
        if self.main:
            yield ItemCheck("micro_tp", "records", ("right",))
            yield ItemCheck("micro_fp", "records", ("other", "spurious"))
            yield ItemCheck("micro_fn", "records", ("other", "missed"))


def _sizes(scores: Mapping[str, Number]) -> tuple[Number, Number]:
    """Return the numbers of gold and predicted answers with a class."""
    _, _, _, tp, fp, fn = scores.values()
    return tp + fn, tp + fp


def _average_recall(scores_of_classes: Sequence[Mapping[str, Number]]) -> Number:
    """Average the recall of the classes with gold answers."""
    golds = [np.sign(_sizes(scores)[0]) for scores in scores_of_classes]
    [mean] = average_columns([[[*scores.values()][1]] for scores in scores_of_classes], golds, 1)
    return mean


def _kappa(
    accuracy: Number, scores_of_classes: Sequence[Mapping[str, Number]], questions: Number
) -> Number:
    """Compute Cohen's kappa; no answer is a class of its own."""
    sizes = [_sizes(scores) for scores in scores_of_classes]
    shares = [(ratio(gold, questions), ratio(found, questions)) for gold, found in sizes]
    none = [1 - sum(share[at] for share in shares) for at in (0, 1)]
    chance = sum(gold * predicted for gold, predicted in (*shares, (none[0], none[1])))
    return ratio(accuracy - chance, 1 - chance)


def _mcc(
    right: Number, scores_of_classes: Sequence[Mapping[str, Number]], questions: Number
) -> Number:
    """Compute the Matthews correlation; no answer is a class of its own."""
    every = np.asarray(questions, np.float64)
    each = [_sizes(scores) for scores in scores_of_classes]
    none = [every - sum(size[at] for size in each) for at in (0, 1)]
    golds, founds = zip(*each, none, strict=True)
    gold_variance, found_variance = (_spread(every, sizes) for sizes in (golds, founds))
    chance = sum(gold * found for gold, found in zip(golds, founds, strict=True))
    return ratio(every * right - chance, np.sqrt(abs(gold_variance * found_variance)))


def _spread(questions: FloatArray, sizes: Sequence[Number]) -> FloatArray:
    """Return the square of the questions without the squares of the classes; exactly 0 for one.

    Weighted documents have fractions as counts, whose rounding errors would be amplified.
    """
    square = questions**2
    spread = square - sum(np.asarray(size, np.float64) ** 2 for size in sizes)
    return np.where(abs(spread) > _ROUNDING * square, spread, 0.0)


@dataclass(frozen=True)
class OtherMeans(Measure):
    """Two other macro averages, for challenges whose overview does not define theirs.

        macro_all_*          the mean over all classes; a class that neither side has counts as 0
        macro_f1_of_means    2 P R / (P + R) of macro_precision and macro_recall

    Args:
        scores: the scores of the classes.
    """

    scores: ClassScores

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the averages."""
        scores = self.scores.finish(totals, config)
        if not scores:
            return {}
        keys, prefix = list(self.scores.keys.values()), self.scores.prefix
        rows = [[scores[f"{key}_{name}"] for name in PRF] for key in keys]
        means = average_columns(rows, [1] * len(rows))
        precision, recall = (scores[f"{prefix}macro_{name}"] for name in PRF[:2])
        return {
            **{f"{prefix}macro_all_{name}": of for name, of in zip(PRF, means, strict=True)},
            f"{prefix}macro_f1_of_means": harmonic_mean(precision, recall),
        }

    def list_parts(self, _scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean to the scores of all classes."""
        keys, prefix = self.scores.keys.values(), self.scores.prefix
        return {f"{prefix}macro_all_{name}": [f"{key}_{name}" for key in keys] for name in PRF}

    def tables(self) -> Iterable[Grid]:
        """Lay out the averages."""
        prefix = self.scores.prefix
        title = f"{self.scores.title}, other means over the classes"
        keys = tuple(f"{prefix}macro_all_{name}" for name in PRF)
        columns = (*PRF_HEADINGS[:3], "F1 of macro P and R")
        yield Grid(title, columns, {"macro": (*keys, f"{prefix}macro_f1_of_means")})
