"""The majority baseline: a system that always answers the most frequent gold class."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

import numpy as np

from clineval.base.ratios import Number, Totals, precision_recall_f1, ratio
from clineval.kinds.classes.parts import Parts, find_parts
from clineval.results.averages import MACRO, average, is_there
from clineval.results.measures import Grid

MAJORITY = "majority"
_KEYS = ("accuracy", "macro_f1", "micro_f1")
_VERDICTS = ("tp", "fp", "fn")


def finish_majority(totals: Totals, parts: Parts) -> dict[str, Number]:
    """Compute the scores of the majority baseline, of all questions and of each.

    Each question has its own most frequent class; of equally frequent ones, the first in the order
    of counts. Questions without a gold answer do not count. If a question can have several answers,
    the baseline gives one in each document, and has no accuracy.

        majority_accuracy   the share of gold answers that are the most frequent one
        majority_macro_f1   macro F1 of the baseline
        majority_micro_f1   micro F1 of the baseline

    Args:
        totals: the counts.
        parts: the questions and classes of the counts.
    """
    if "questions" not in totals or not parts.classes:
        return {}
    several = "right" in totals
    each = {f"{key}_": classes for key, classes in parts.each.items()} or {"": parts.classes}
    answered = {
        prefix: _answer(totals, prefix, classes, several=several)
        for prefix, classes in each.items()
    }
    scores = _score("", _add(list(answered.values())), several=several)
    for prefix, counts in answered.items():
        scores |= _score(prefix, counts, several=several)
    return scores


def _answer(
    totals: Totals, prefix: str, classes: Sequence[str], *, several: bool
) -> dict[str, Number]:
    """Count the answers of the baseline to a question, for each class."""
    golds = [totals[f"{prefix}{key}_tp"] + totals[f"{prefix}{key}_fn"] for key in classes]
    size = totals[f"{prefix}questions"] if several else sum(golds)
    first = np.argmax(np.array(golds), axis=0) if golds else 0
    counts: dict[str, Number] = {}
    for number, (key, gold) in enumerate(zip(classes, golds, strict=True)):
        chosen = first == number
        counts[f"{key}_tp"] = gold * chosen
        counts[f"{key}_fp"] = (size - gold) * chosen
        counts[f"{key}_fn"] = gold * ~chosen
    return counts


def _add(every: Sequence[Mapping[str, Number]]) -> dict[str, Number]:
    """Add the counts of classes over questions."""
    whole: dict[str, Number] = {}
    for counts in every:
        for key, number in counts.items():
            whole[key] = whole.get(key, 0) + number
    return whole


def _score(prefix: str, counts: Mapping[str, Number], *, several: bool) -> dict[str, Number]:
    """Compute the scores from the counts of classes."""
    classes = [key.removesuffix("_tp") for key in counts if key.endswith("_tp")]
    of_classes = [precision_recall_f1(key, counts) for key in classes]
    sums = {f"all_{of}": sum(counts[f"{key}_{of}"] for key in classes) for of in _VERDICTS}
    scores = {
        "accuracy": ratio(sums["all_tp"], sums["all_tp"] + sums["all_fn"]),
        "macro_f1": average(MACRO, of_classes, is_there)["macro_f1"],
        "micro_f1": precision_recall_f1("all", sums)["all_f1"],
    }
    if several:
        del scores["accuracy"]
    return {f"{prefix}{MAJORITY}_{key}": value for key, value in scores.items()}


def _lay_out(keys: Sequence[str], names: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the rows of all questions, and of each; none for the other table."""
    if (f"{MAJORITY}_accuracy" in names) != ("accuracy" in keys):
        return {}
    rows = {"all": "", **{key: f"{key}_" for key in find_parts(names).each}}
    return {
        heading: tuple(f"{prefix}{MAJORITY}_{key}" for key in keys)
        for heading, prefix in rows.items()
    }


_TITLE, _HEADINGS = "Always the most frequent class", ("accuracy", "macro F1", "micro F1")
MAJORITY_GRIDS = (
    Grid(_TITLE, _HEADINGS, {}, partial(_lay_out, _KEYS)),
    Grid(f"{_TITLE} alone", _HEADINGS[1:], {}, partial(_lay_out, _KEYS[1:])),
)
"""The table of the baseline, and the table if a question can have several answers."""
