"""Parts of a corpus that are scored separately, and then averaged."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from clineval.base.arrays import FloatArray
from clineval.base.errors import InputError, called, shown, warn
from clineval.base.files import name_path, read_json


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationSets:
    """Which document belongs to which set.

    Args:
        members: set to ``[documents]``, 1 for its members and 0 for others; empty if there are
            no sets.
        label: a digest of who belongs where, for the signature.
    """

    members: Mapping[str, FloatArray]
    label: str


def read_sets(given: Any, names: Sequence[str], sets: Sequence[str]) -> EvaluationSets:
    """Read the sets as the user gives them.

    Args:
        given: a mapping from document name to set, the path of a JSON file of it, one set for
            each document in order, or None.
        names: the names of the documents.
        sets: the names of the sets.

    Raises:
        InputError: something else, or an unknown set.

    Examples:
        >>> chosen = read_sets({"11": "A", "12": "B"}, ["11", "12"], "ABC")
        >>> chosen.members["B"].tolist(), chosen.label
        ([0.0, 1.0], '3e7f82')
    """
    if given is None:
        return EvaluationSets({}, "none")
    of_document = _as_mapping(given, names)
    for name, letter in of_document.items():
        if letter not in sets:
            raise InputError(
                f"expected a set {', '.join(sets)}, got {shown(letter)}",
                where=f"evaluation_sets, record {called(name)}",
            )
    warnings = {
        "{n} {record is|records are} in no evaluation set": [
            n for n in names if n not in of_document
        ],
        "{n} {record|records} of evaluation sets {is|are} not there": sorted(
            of_document.keys() - set(names)
        ),
    }
    for problem, some in warnings.items():
        warn(f"{problem}: {{names}}", some)
    letters = np.array([of_document.get(name, "") for name in names], np.str_)
    members = {letter: (letters == letter).astype(np.float64) for letter in sets}
    stored = json.dumps(sorted(of_document.items()))
    return EvaluationSets(members, blake2b(stored.encode(), digest_size=3).hexdigest())


def _as_mapping(given: Any, names: Sequence[str]) -> Mapping[str, Any]:
    where = "evaluation_sets"
    if isinstance(given, (str, os.PathLike)):
        given, where = read_json(given), name_path(given)
    if isinstance(given, (list, tuple)):
        if len(given) != len(names):
            raise InputError(
                f"expected {len(names)} sets, one for each record, got {len(given)}", where=where
            )
        return dict(zip(names, given, strict=True))
    if not isinstance(given, Mapping):
        raise InputError(
            f"expected a mapping from record name to set, got {shown(given)}", where=where
        )
    return {str(name): letter for name, letter in given.items()}
