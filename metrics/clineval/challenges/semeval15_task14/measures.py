"""Declare the scores of SemEval-2015 Task 14."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from clineval.base.ratios import Number, Totals, ratio
from clineval.formats.delimited.pipe import SLOTS
from clineval.results.formulas import Formula, Prf
from clineval.results.measures import Measures

_TASK1 = ("default", "task1")
_TASK2 = ("default", "task2a", "task2b")
_FIRST = "Task 1: disorder mentions"
_SECOND = "Task 2: slots of true positives"
_SPAN = Prf(
    "span",
    "Task 2: spans",
    heading="overlap",
    place="overlap/span",
    preset="Task 2 spans",
    configs=_TASK2,
)


def _accuracy(totals: Totals) -> Number:
    return ratio(totals["equal_slots"], totals["span_tp"] * len(SLOTS))


def _weighted_accuracy(totals: Totals) -> Number:
    return ratio(totals["weighted_accuracy_sum"], totals["span_tp"])


def _declare(
    key: str, compute: Callable[[Totals], Number], row: str, short: str, presets: tuple[str, str]
) -> tuple[Formula, Formula]:
    """Declare an accuracy, and its product with the F1 of spans."""
    alone = Formula(
        key,
        compute,
        (_SECOND, row, "accuracy"),
        configs=_TASK2,
        main=key != "accuracy",
        short=short,
        place="overlap/span",
        preset=presets[0],
    )
    product = replace(
        alone,
        key=f"f1_x_{key}",
        compute=lambda totals: _SPAN.compute_f1(totals) * compute(totals),
        cell=(_SECOND, row, "F1 × accuracy"),
        main=True,
        short=f"f_x_{short}",
        preset=presets[1],
    )
    return alone, product


def _declare_slot(slot: str) -> tuple[Formula, Formula]:
    """Declare both accuracies of a slot, unweighted and weighted; the page shows those of codes."""
    plain = Formula(
        f"{slot}_accuracy",
        lambda totals: ratio(totals[f"{slot}_equal"], totals["span_tp"]),
        ("Task 2: each slot", slot, "accuracy"),
        configs=_TASK2,
    )
    weighted = replace(
        plain,
        key=f"{slot}_weighted_accuracy",
        compute=lambda totals: ratio(totals[f"{slot}_equal_weight"], totals[f"{slot}_weight"]),
        cell=("Task 2: each slot", slot, "weighted"),
    )
    if slot == "cui":
        plain = replace(plain, place="overlap/class", preset="Task 2 codes", check="accuracy")
    return plain, weighted


_PLAIN = _declare(
    "accuracy", _accuracy, "unweighted", "acc", ("Task 2 accuracy", "Task 2 F × accuracy")
)
_WEIGHTED = _declare(
    "weighted_accuracy",
    _weighted_accuracy,
    "weighted",
    "wa",
    ("Task 2a weighted accuracy", "Task 2b F × weighted accuracy"),
)
MEASURES = Measures.of(
    Prf("strict", _FIRST, place="exact/both", preset="Task 1 strict", configs=_TASK1),
    Prf(
        "relaxed",
        _FIRST,
        short="relax",
        place="overlap/both",
        preset="Task 1 relaxed",
        configs=_TASK1,
    ),
    _SPAN,
    *(formula for both in zip(_PLAIN, _WEIGHTED, strict=True) for formula in both),
    *(formula for slot in SLOTS for formula in _declare_slot(slot.name)),
    ranking={"default": ("f1_x_weighted_accuracy",), "task1": ("strict_f1",)},
)
