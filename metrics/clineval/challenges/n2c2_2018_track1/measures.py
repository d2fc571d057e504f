"""The scores of cohort selection: of each criterion, pooled, and as means over criteria."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from clineval.base.ratios import Number, Totals, precision_recall_f1, prf_keys, ratio
from clineval.challenges.n2c2_2018_track1.files import CRITERIA, VALUES
from clineval.results.averages import MACRO, PRF, average_columns, label_key, list_parts_of
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid, Measure, Measures
from clineval.results.views import ItemCheck

KEYS = {criterion: label_key(criterion) for criterion in CRITERIA}
CLASSES = {value: label_key(value) for value in VALUES}
Scores = Mapping[str, Number]
"""Precision, recall, F1, tp, fp and fn by key, in this order."""
PATIENTS = "patients"
"""The number of patients, which the released program needs for true negatives."""
_OVERALL, _BALANCED = "overall_f1", "balanced_accuracy"


@dataclass(frozen=True, slots=True)
class Cohort(Measure):
    """The scores of ``met`` and ``not met``.

    Args:
        absent: whether a class or criterion that neither side has counts as 0 in means, as in the
            released program; if not, it is left out. Patients are only counted for this program.
    """

    absent: bool = False

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute all scores."""
        first = next(iter(CLASSES.values()))
        if f"{first}_tp" not in totals:
            return {}
        pooled = [precision_recall_f1(key, totals) for key in CLASSES.values()]
        alone = {
            criterion: [
                precision_recall_f1(f"{criterion}_{key}", totals) for key in CLASSES.values()
            ]
            for criterion in KEYS.values()
        }
        absent = self.absent or PATIENTS in totals
        return _Means(pooled, alone, absent, totals.get(PATIENTS)).list_scores(totals)

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores of all criteria."""
        rows = {f"{value}, pooled": prf_keys(key) for value, key in CLASSES.items()}
        yield Grid("All criteria", PRF_HEADINGS, rows)
        means = {
            f"{value}, mean over criteria": tuple(f"macro_{key}_{name}" for name in PRF)
            for value, key in CLASSES.items()
        }
        yield Grid("All criteria, means", PRF_HEADINGS[:3], means)
        columns = ("overall F1", "balanced accuracy")
        overall = {
            "pooled": ("micro_overall_f1", _BALANCED),
            "mean over criteria": ("macro_overall_f1", f"macro_{_BALANCED}"),
        }
        yield Grid("Both classes", columns, overall)

    def details(self) -> Iterable[Grid]:
        """Lay out each criterion."""
        columns = ("overall F1", "balanced accuracy")
        rows = {c: (f"{key}_{_OVERALL}", f"{key}_{_BALANCED}") for c, key in KEYS.items()}
        yield Grid("Criteria", columns, rows)
        for value, key in CLASSES.items():
            of_class = {c: prf_keys(f"{name}_{key}") for c, name in KEYS.items()}
            yield Grid(f"Criteria, {value}", PRF_HEADINGS, of_class)

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean over criteria to the scores that it averages."""
        parts: dict[str, Sequence[str]] = {}
        for key in CLASSES.values():
            prefixes = [f"{criterion}_{key}" for criterion in KEYS.values()]
            parts |= list_parts_of(f"{MACRO}_{key}", prefixes, scores)
        there = [
            c
            for c in KEYS.values()
            if any(
                scores.get(f"{c}_{of}_tp", 0)
                or scores.get(f"{c}_{of}_fp", 0)
                or scores.get(f"{c}_{of}_fn", 0)
                for of in CLASSES.values()
            )
        ]
        overall = {
            f"{MACRO}_{name}": [f"{c}_{name}" for c in there] for name in (_OVERALL, _BALANCED)
        }
        return {**parts, **overall}

    @property
    def headline(self) -> tuple[str, ...]:
        """The pooled and the mean overall F1, and the balanced accuracy."""
        return ("micro_overall_f1", "macro_overall_f1", _BALANCED)

    @property
    def shown_per_document(self) -> tuple[str, ...]:
        """The counts of all answers."""
        return prf_keys("micro")[2:]

    @property
    def short_names(self) -> Mapping[str, str]:
        """The main scores."""
        return {"micro_overall_f1": "micro_f", "macro_overall_f1": "macro_f", _BALANCED: "bal_acc"}

    def item_checks(self) -> Iterable[ItemCheck]:
        """List the counts that a page recounts."""
        yield ItemCheck("micro_tp", "records", ("right",))
        yield ItemCheck("micro_fp", "records", ("other", "spurious"))
        yield ItemCheck("micro_fn", "records", ("other", "missed"))


def _mean(values: Sequence[Number], weights: Sequence[Number]) -> Number:
    [mean] = average_columns([[value] for value in values], weights, 1)
    return mean


@dataclass(frozen=True, slots=True)
class _Means:
    """The scores of both classes, and their means.

    Args:
        pooled: the scores of each class over all criteria.
        alone: criterion to the scores of each class.
        absent: whether absent classes count as 0.
        patients: the number of patients; None if it is not known, as for groups of answers.
    """

    pooled: Sequence[Scores]
    alone: Mapping[str, Sequence[Scores]]
    absent: bool
    patients: Number | None

    def list_scores(self, totals: Totals) -> dict[str, Number]:
        """List all scores, the main ones first."""
        overall = {f"{key}_{_OVERALL}": self._average_f1(of) for key, of in self.alone.items()}
        balanced = {
            f"{key}_{_BALANCED}": self._average_recall(of) for key, of in self.alone.items()
        }
        there = [self._weigh(*of_classes) for of_classes in self.alone.values()]
        listed: dict[str, Number] = {
            f"micro_{_OVERALL}": self._average_f1(self.pooled),
            f"macro_{_OVERALL}": _mean(list(overall.values()), there),
            _BALANCED: self._average_recall(self.pooled, len(KEYS)),
            f"macro_{_BALANCED}": _mean(list(balanced.values()), there),
            **precision_recall_f1("micro", totals),
        }
        for scores in self.pooled:
            listed |= scores
        listed |= {**self._average_criteria(), **overall, **balanced}
        for scores in chain.from_iterable(self.alone.values()):
            listed |= scores
        return listed

    def _weigh(self, *of_classes: Scores) -> Number:
        """Return 1 if a mean includes the classes: if either side has one of them."""
        counts = sum(sum(list(scores.values())[len(PRF) :]) for scores in of_classes)
        return np.ones_like(counts) if self.absent else np.sign(counts)

    def _average_f1(self, of_classes: Sequence[Scores]) -> Number:
        values = [list(scores.values())[PRF.index("f1")] for scores in of_classes]
        return _mean(values, [self._weigh(scores) for scores in of_classes])

    def _average_recall(self, of_classes: Sequence[Scores], criteria: int = 1) -> Number:
        """Average the recall of the classes that the gold standard has.

        The program averages the recall and the specificity of ``met``, even without gold answers.
        The specificity is the recall of ``not met`` if all answers are one of the two classes.
        """
        rows = [list(scores.values()) for scores in of_classes]
        recalls, golds = (
            [row[PRF.index("recall")] for row in rows],
            [row[3] + row[5] for row in rows],
        )
        if not self.absent:
            return _mean(recalls, [np.sign(gold) for gold in golds])
        negative = golds[1] if self.patients is None else self.patients * criteria - golds[0]
        return (recalls[0] + ratio(negative - rows[0][4], negative)) / 2

    def _average_criteria(self) -> dict[str, Number]:
        """Average precision, recall and F1 of each class over criteria."""
        means: dict[str, Number] = {}
        for number, key in enumerate(CLASSES.values()):
            of_class = [scores[number] for scores in self.alone.values()]
            rows = [list(scores.values()) for scores in of_class]
            averages = average_columns(rows, [self._weigh(scores) for scores in of_class])
            means |= {f"macro_{key}_{n}": mean for n, mean in zip(PRF, averages, strict=True)}
        return means


MEASURES = Measures.of(Cohort())
