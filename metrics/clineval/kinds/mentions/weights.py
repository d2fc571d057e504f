"""Weights of slot values: rare values weigh more than common ones."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import FloatArray, is_number
from clineval.base.errors import InputError, shown, unknown_name
from clineval.base.files import Source, name_path, read_json
from clineval.kinds.mentions.corpus import Mentions
from clineval.results.slots import NULL, Slot

ANY_CODE = "CUI"
NO_CODE = "NULL"
WeightTable = Mapping[str, Mapping[str, float] | float]


@dataclass(frozen=True, slots=True)
class Weights:
    """A weight for every value of every slot.

    Args:
        label: the name of the weights in the signature.
        table: slot name to a mapping of values to weights, or to one weight for all values. A set
            of codes has the two values ``NULL`` and ``CUI``.
        unlisted: the weight of a value that is not in the table.

    Examples:
        >>> weights = Weights("example", {"negation": {"no": 0.21}, "cui": 1.0}, unlisted=0.95)
        >>> weights.of(Slot("negation", "closed", ("no", "yes")), "yes")
        0.95
    """

    label: str
    table: WeightTable
    unlisted: float

    def of(self, slot: Slot, value: str) -> float:
        """Return the weight of one value."""
        weights = self.table[slot.name]
        if not isinstance(weights, Mapping):
            return float(weights)
        return float(weights.get(_class_of(slot, value), self.unlisted))

    def column(self, slot: Slot, values: Sequence[str]) -> FloatArray:
        """Return the weight of each value of a column, ``[values]``."""
        weights = self.table[slot.name]
        if not isinstance(weights, Mapping):
            return np.full(len(values), float(weights))
        classes = values if slot.kind == "closed" else [_class_of(slot, value) for value in values]
        return np.array([weights.get(name, self.unlisted) for name in classes], np.float64)


def _class_of(slot: Slot, value: str) -> str:
    if slot.kind == "closed":
        return value
    return NO_CODE if value == NULL else ANY_CODE


def weigh_by_prevalence(corpora: Sequence[Mentions], slots: Sequence[Slot]) -> WeightTable:
    """Weigh each value by one minus its prevalence among gold mentions.

    The formula is equation 5 of the task paper.

    A code weighs 1; a set of codes has one weight for ``NULL`` and one for all other values.

    All corpora count together, and only values that occur have weights.
    """
    table: dict[str, Mapping[str, float] | float] = {}
    for slot in slots:
        if slot.kind == "code":
            table[slot.name] = 1.0
            continue
        counts = sum((_count_values(mentions, slot) for mentions in corpora), Counter[str]())
        total = counts.total()
        table[slot.name] = {name: 1 - count / total for name, count in sorted(counts.items())}
    return table


def _count_values(mentions: Mentions, slot: Slot) -> Counter[str]:
    values = mentions.columns.attributes[slot.name].values
    frequencies = np.bincount(mentions.ids(slot.name), minlength=len(values)).tolist()
    counts = Counter[str]()
    for value, frequency in zip(values, frequencies, strict=True):
        counts[_class_of(slot, value)] += frequency
    return +counts


def read_weights(source: WeightTable | Source, slots: Sequence[Slot]) -> Weights:
    """Read weights from a mapping, or from a JSON file of the same shape.

    Args:
        source: ``{"negation": {"no": .21, "yes": .79}, ..., "body_location":
            {"NULL": .51, "CUI": .49}, "cui": 1.0}``; ``cui`` may be left out.
        slots: the slots that need weights.

    Raises:
        InputError: a slot or value is missing, unknown, or has no valid weight.
    """
    where = name_path(source) if isinstance(source, (str, os.PathLike)) else "weights"
    weights_by_slot = source if isinstance(source, Mapping) else _load(source, where)
    slots_by_name = {slot.name: slot for slot in slots}
    for name in weights_by_slot:
        if name not in slots_by_name:
            raise unknown_name("slot", name, slots_by_name, where=where)
    table: dict[str, Mapping[str, float] | float] = {}
    for name, slot in slots_by_name.items():
        if name not in weights_by_slot and slot.kind != "code":
            raise InputError(f"no weights for {name}", where=where)
        table[name] = _judge(slot, weights_by_slot.get(name, 1.0), where)
    return Weights(f"custom-{digest_weights(table)}", table, unlisted=1.0)


def digest_weights(table: WeightTable) -> str:
    """Return six hexadecimal digits that distinguish tables of weights."""
    return hashlib.sha256(json.dumps(table, sort_keys=True).encode()).hexdigest()[:6]


def _load(path: object, where: str) -> Mapping[str, object]:
    expected = "'share', 'references', or a file made by 'clineval prevalence'"
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(f"expected {expected}, or a mapping, got {shown(path)}", where=where)
    content = read_json(path, "a JSON file of weights", f"Give {expected}")
    if not isinstance(content, dict):
        raise InputError(f"expected slots with weights, got {shown(content)}", where=where)
    return content


def _judge(slot: Slot, weights: object, where: str) -> Mapping[str, float] | float:
    place = f"{where}, {slot.name}"
    if slot.kind == "code":
        return _weight(weights, place)
    if not isinstance(weights, Mapping):
        raise InputError(f"expected values with weights, got {shown(weights)}", where=place)
    allowed = slot.values or (NO_CODE, ANY_CODE)
    for value in weights:
        if value not in allowed:
            raise unknown_name("value", value, allowed, where=place)
    return {value: _weight(weight, f"{place}, {value}") for value, weight in weights.items()}


def _weight(weight: object, where: str) -> float:
    if is_number(weight) and weight >= 0:
        return float(weight)
    raise InputError(f"expected a weight of 0 or more, got {shown(weight)}", where=where)
