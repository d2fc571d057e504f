"""Horizontal and vertical measures at system and at patient level: what records add to them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray
from clineval.base.ratios import Number, Totals, ratio
from clineval.challenges.i2b2_2009_medication.corpus import EntryCorpus
from clineval.challenges.i2b2_2009_medication.entry import FIELD_NAMES
from clineval.challenges.i2b2_2009_medication.rounding import round_as_python2
from clineval.challenges.i2b2_2009_medication.sizes import (
    Sizes,
    phrases_of_aligned,
    phrases_of_lists,
    tokens_of_aligned,
    tokens_of_lists,
)
from clineval.kinds.mentions.pairing import Pairs

MATCHES = ("exact", "inexact")
DIRECTIONS = ("horizontal", *(f"vertical_{name}" for name in (*FIELD_NAMES, "all")))
PRF = ("precision", "recall", "f1")
_PARTS = ("shared", "gold", "system", *(f"{measure}_sum" for measure in PRF), "records")
_MEASURES = {
    ("exact", "aligned"): phrases_of_aligned,
    ("inexact", "aligned"): tokens_of_aligned,
    ("exact", "lists"): phrases_of_lists,
    ("inexact", "lists"): tokens_of_lists,
}


@dataclass(frozen=True, slots=True)
class Counting:
    """What counts.

    Args:
        vertical: ``lists`` of phrases without regard to entries, or ``aligned`` entries.
        patients: a patient-level mean is over the records of the ground truth where ``either``
            side has something; or over all of them, and for a field where the ``gold`` standard
            has it.
        decimals: to which P, R and F of a record are rounded; None if they are not.
        recall_of_nothing: recall where the gold standard has nothing.
    """

    vertical: Literal["lists", "aligned"]
    patients: Literal["either", "gold"]
    decimals: int | None
    recall_of_nothing: float


def count_records(corpus: EntryCorpus, pairs: Pairs, rules: Counting) -> dict[str, FloatArray]:
    """Count phrases and tokens of each record, and its P, R and F; each column ``[records]``."""
    every = np.ones(len(corpus.documents))
    columns: dict[str, Any] = {
        "records": every,
        "recall_of_nothing": every * rules.recall_of_nothing,
    }
    for match in MATCHES:
        vertical = _MEASURES[match, rules.vertical](corpus, pairs)
        sizes = {
            "horizontal": _MEASURES[match, "aligned"](corpus, pairs).sum(),
            "vertical_all": vertical.sum(),
            **{f"vertical_{name}": vertical.of_field(k) for k, name in enumerate(FIELD_NAMES)},
        }
        for direction, of in sizes.items():
            whole = direction in ("horizontal", "vertical_all")
            counts = _find_patients(of, corpus, rules, whole=whole)
            columns |= _score_records(f"{match}_{direction}", of, counts, rules)
    return {name: column.astype(np.float64) for name, column in columns.items()}


def _find_patients(sizes: Sizes, corpus: EntryCorpus, rules: Counting, *, whole: bool) -> BoolArray:
    """Select the records of the patient-level mean, of ``whole`` entries or of one field."""
    if rules.patients == "either":
        return corpus.in_gold & sizes.either
    return corpus.visited if whole else sizes.gold > 0


def _score_records(name: str, sizes: Sizes, counts: BoolArray, rules: Counting) -> dict[str, Any]:
    """Return sizes of each record, and its P, R and F where it counts at patient level."""
    precision = ratio(sizes.shared, sizes.system)
    recall = np.where(sizes.gold > 0, ratio(sizes.shared, sizes.gold), rules.recall_of_nothing)
    f1 = ratio(2 * precision * recall, precision + recall)
    scores = dict(zip(PRF, (precision, recall, f1), strict=True))
    if rules.decimals is not None:
        scores = {name: round_as_python2(s, rules.decimals) for name, s in scores.items()}
    return {
        f"{name}_shared": sizes.shared,
        f"{name}_gold": sizes.gold,
        f"{name}_system": sizes.system,
        **{f"{name}_{measure}_sum": score * counts for measure, score in scores.items()},
        f"{name}_records": counts,
    }


def score_totals(totals: Totals, prefix: str) -> dict[str, Number]:
    """Return scores from the totals of columns with a prefix, such as those of a set."""
    unasked = ratio(totals[f"{prefix}recall_of_nothing"], totals[f"{prefix}records"])
    scores: dict[str, Number] = {}
    for match, direction in product(MATCHES, DIRECTIONS):
        name = f"{match}_{direction}"
        of = {part: totals[f"{prefix}{name}_{part}"] for part in _PARTS}
        scores[f"{name}_system_precision"] = ratio(of["shared"], of["system"])
        recall = ratio(of["shared"], of["gold"])
        scores[f"{name}_system_recall"] = recall + unasked * (of["gold"] == 0)
        scores[f"{name}_system_f1"] = ratio(2 * of["shared"], of["gold"] + of["system"])
        for measure in PRF:
            mean = ratio(of[f"{measure}_sum"], of["records"])
            scores[f"{name}_patient_{measure}"] = mean
    return scores
