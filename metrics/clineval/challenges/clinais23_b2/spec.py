"""ClinAIS 2023 read, aligned and counted; the package's docstring says how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from clineval.base.arrays import FloatArray, is_iterable
from clineval.base.errors import InputError, shown
from clineval.base.files import Source
from clineval.base.problems import Problem
from clineval.base.ratios import Columns, Number, Totals, ratio
from clineval.challenges.clinais23_b2.alignment import Alignment
from clineval.challenges.clinais23_b2.boundary_edits import (
    ADDITION,
    DELETION,
    KINDS,
    MATCH,
    SUBSTITUTION,
    TRANSPOSITION,
    Edits,
    find_edits,
)
from clineval.challenges.clinais23_b2.items import read_systems
from clineval.challenges.clinais23_b2.note_json import find_problems
from clineval.challenges.clinais23_b2.segmentation import NoteSide, Segmentation, join_notes
from clineval.challenges.clinais23_b2.weights import CLINAIS, weigh
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.results.challenge import Setup, Steps

LABELS = (
    "PRESENT_ILLNESS",
    "DERIVED_FROM/TO",
    "PAST_MEDICAL_HISTORY",
    "FAMILY_HISTORY",
    "EXPLORATION",
    "TREATMENT",
    "EVOLUTION",
)
"""The seven sections of the task."""
PROTOCOLS = {"spec": CLINAIS, "official": CLINAIS}
NUMBERS = ("matches", "additions", "deletions", "substitutions", "transpositions")
_LARGEST_N_T = 2**31 - 1


def join(gold: NoteSide, predicted: NoteSide, setup: Setup) -> Segmentation:
    """Bring the boundaries of both sides together."""
    return join_notes(gold, predicted, setup["labels"])


def settings(setup: Setup) -> Mapping[str, str]:
    """Name what the numbers depend on besides the protocol."""
    n_t, weights = str(setup["n_t"]), setup["weights"].label
    return {"n_t": n_t, "weights": weights, "b": setup["b_weights"]}


def pair(segmentation: Segmentation, setup: Setup) -> Alignment:
    """Align the boundaries; the costs of a note's edits add up to E."""
    edits = find_edits(
        segmentation.gold, segmentation.prediction, setup["n_t"], segmentation.documents
    )
    costs = weigh(edits, len(segmentation.documents), setup["weights"])
    return Alignment(segmentation, edits, costs)


def list_outcomes(
    segmentation: Segmentation, alignments: Sequence[Alignment], setup: Setup
) -> Outcomes:
    """List what became of every boundary.

    The scores of a group are its numbers of edits: B2 is a score of whole notes.
    """
    [alignment] = alignments
    match = alignment.as_match(dict(zip(NUMBERS, ((kind,) for kind in KINDS), strict=True)))
    sides = map(segmentation.as_mentions, (segmentation.gold, segmentation.prediction))
    found = Outcomes.of(setup, segmentation, {"edits": match}, "edits", (next(sides), next(sides)))
    return replace(found, finish=lambda totals, _: dict(totals))


def finish(totals: Totals) -> dict[str, Number]:
    """Return the scores of totals; the package's docstring has the formulas."""
    return {
        "b2": _mean("b2", totals),
        "b": _mean("b", totals),
        **{name: totals[name] for name in NUMBERS},
    }


def _mean(score: str, totals: Totals) -> Number:
    """Return the mean over notes, weighted unless all weights are 0."""
    weight = totals["weight"]
    plain = ratio(totals[f"{score}_sum"] * (weight == 0), totals["notes"])
    return ratio(totals[f"weighted_{score}"], weight) + plain


def tally(segmentation: Segmentation, alignment: Alignment, setup: Setup) -> Columns:
    """Count each note's edits, weight, and scores, both plain and weighted."""
    scale = setup["n_t"] if setup["b_weights"] == "scaled" else None
    edits, notes = alignment.edits, len(alignment)
    match, addition, deletion, substitution, transposition = (
        edits.numbers(kind, notes)
        for kind in (MATCH, ADDITION, DELETION, SUBSTITUTION, TRANSPOSITION)
    )
    rows = edits.sums(np.ones(len(edits)), notes)
    moved = np.where(edits.kind == TRANSPOSITION, alignment.costs, 0.0)
    doubled = transposition - edits.sums(moved, notes)
    scores = {
        "b2": _similarity(edits.sums(alignment.costs, notes), rows + doubled),
        "b": _similarity(edits.sums(_plain_costs(edits, scale), notes), rows),
    }
    for score in scores.values():
        score[rows == 0] = 1.0
    weight = np.bincount(segmentation.gold.note, minlength=notes)
    counts = zip(NUMBERS, (match, addition, deletion, substitution, transposition), strict=True)
    return {
        **dict(counts),
        "notes": np.ones(notes),
        "weight": weight,
        **{f"{name}_sum": score for name, score in scores.items()},
        **{f"weighted_{name}": score * weight for name, score in scores.items()},
    }


def _similarity(cost: FloatArray, size: FloatArray) -> FloatArray:
    """Return max(0, D - E) / D, from 0 to 1 even where a user's weights make D or E negative."""
    most = np.maximum(size, 0.0)
    return np.asarray(ratio(np.clip(size - cost, 0.0, most), most))


def _plain_costs(edits: Edits, scale: int | None) -> FloatArray:
    """Return 1 for each edit, or, if scaled, ``displacement / scale`` for a transposition."""
    costs: FloatArray = (edits.kind != MATCH).astype(np.float64)
    if scale is not None:
        moved = edits.kind == TRANSPOSITION
        costs[moved] = np.abs(edits.displacement[moved]) / scale
    return costs


def parse_n_t(n_t: Any) -> int:
    """Judge the option ``n_t``."""
    whole = isinstance(n_t, (int, np.integer)) and not isinstance(n_t, bool)
    if not whole or not 1 <= n_t <= _LARGEST_N_T:
        raise InputError(f"n_t: expected an integer from 1 to {_LARGEST_N_T}, got {shown(n_t)}")
    return int(n_t)


def parse_labels(labels: Any) -> tuple[str, ...]:
    """Judge the option ``labels``."""
    named = tuple(labels) if is_iterable(labels) and not isinstance(labels, str) else ()
    if not named or not all(isinstance(label, str) and label for label in named):
        raise InputError(f"labels: expected a list of strings, got {shown(labels)}")
    return named


def validate(
    paths: Sequence[Path], labels: Any = LABELS, gold: Source | None = None
) -> Iterator[Problem]:
    """Yield all problems of files of notes."""
    return find_problems(paths, labels=parse_labels(labels), gold=gold)


STEPS = Steps(
    lambda references, predictions, _setup: read_systems(references, predictions),
    join,
    pair,
    tally,
    list_outcomes,
    settings=settings,
    detail=lambda _segmentation, alignments, _setup: alignments[0],
)
