"""The weights of a note's edits in ClinAIS 2023, with constants that users can change."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

import numpy as np

from clineval.base.arrays import FloatArray, IntArray, is_number
from clineval.base.errors import InputError, shown, unknown_name
from clineval.base.files import Source, name_path, read_json
from clineval.base.ratios import ratio
from clineval.challenges.clinais23_b2.boundary_edits import (
    ADDITION,
    DELETION,
    SUBSTITUTION,
    TRANSPOSITION,
    Edits,
)


@dataclass(frozen=True, slots=True)
class Weights:
    """The constants of the weights; the defaults are the task's.

    Args:
        substitution: weight of a substitution.
        addition_base: weight of each addition or deletion at the midpoint.
        addition_divisor: the weight of each differs from the base by less than 1 / this.
        addition_midpoint: number of additions and deletions at which each has the base weight.
        transposition_free: displacement up to which a transposition has weight 0, in tokens.
        transposition_base: weight of a transposition at the midpoint.
        transposition_divisor: the weight differs from the base by less than 1 / this.
        transposition_midpoint: displacement with the base weight, in tokens.
        transposition_width: how slowly the weight changes with the displacement, in tokens.

    Examples:
        >>> task = Weights()
        >>> task.of_misses(np.array([0, 1, 2])).round(7).tolist()
        [0.0, 0.5033464, 1.0474259]
        >>> task.of_displacements(np.array([2, 3, 39])).round(7).tolist()
        [0.0, 0.0721151, 0.6778916]
    """

    substitution: float = 1.3
    addition_base: float = 0.75
    addition_divisor: float = 4.0
    addition_midpoint: float = 3.5
    transposition_free: float = 2.0
    transposition_base: float = 0.35
    transposition_divisor: float = 3.0
    transposition_midpoint: float = 15.0
    transposition_width: float = 10.0

    def of_misses(self, n: IntArray) -> FloatArray:
        """Return w_A, the weight of ``n`` additions and deletions together."""
        slope = np.tanh(n - self.addition_midpoint) / self.addition_divisor
        weights: FloatArray = n * (self.addition_base + slope)
        return weights

    def of_displacements(self, d: IntArray) -> FloatArray:
        """Return w_t, the weight of one transposition, for each displacement ``d`` >= 0."""
        steps = (d - self.transposition_midpoint) / self.transposition_width
        weights = self.transposition_base + np.tanh(steps) / self.transposition_divisor
        return np.where(d <= self.transposition_free, 0.0, weights)

    @property
    def label(self) -> str:
        """The weights in a signature: ``clinais``, or the constants that differ from the task's."""
        task = asdict(Weights())
        changed = [
            f"{name}={value!r}" for name, value in asdict(self).items() if value != task[name]
        ]
        return ",".join(changed) or "clinais"


WeightSource = Source | Mapping[str, float] | Weights
CLINAIS = Weights()


def weigh(edits: Edits, notes: int, weights: Weights) -> FloatArray:
    """Return ``[e]``, the cost of each edit; additions and deletions of a note cost the same."""
    costs = np.zeros(len(edits))
    costs[edits.kind == SUBSTITUTION] = weights.substitution
    moved = edits.kind == TRANSPOSITION
    costs[moved] = weights.of_displacements(np.abs(edits.displacement[moved]))
    misses = edits.numbers(ADDITION, notes) + edits.numbers(DELETION, notes)
    each = np.asarray(ratio(weights.of_misses(misses), misses.astype(np.float64)))
    missed = (edits.kind == ADDITION) | (edits.kind == DELETION)
    costs[missed] = each[edits.note[missed]]
    return costs


def read_weights(given: WeightSource) -> Weights:
    """Read the option ``weights``.

    Examples:
        >>> read_weights({"substitution": 1}).label
        'substitution=1.0'
    """
    if isinstance(given, Weights):
        return given
    if isinstance(given, str) and given == "clinais":
        return CLINAIS
    where = "weights"
    if isinstance(given, (str, os.PathLike)):
        where = name_path(given)
        given = read_json(given, remedy="Give weights as 'clinais' or as a JSON file")
    if not isinstance(given, Mapping):
        raise InputError(f"expected names and numbers, got {shown(given)}", where=where)
    known = [field.name for field in fields(Weights)]
    for name, value in given.items():
        if name not in known:
            raise unknown_name("weight", name, known, where=where)
        _check_weight(name, value, where)
    return Weights(**{name: float(value) for name, value in given.items()})


def _check_weight(name: str, value: object, where: str) -> None:
    if not is_number(value) or value < 0:
        raise InputError(f"{name}: expected a number >= 0, got {shown(value)}", where=where)
    if value == 0 and name.endswith(("_divisor", "_width")):
        raise InputError(f"{name}: expected a number above 0, got 0", where=where)
