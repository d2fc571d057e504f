"""Which items a system has right, where a score is the share of right ones of given items."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from clineval.base.arrays import BoolArray
from clineval.evaluation.evaluate import Evaluation

_ACCURACY, _CORRECT = "_accuracy", "_correct"


def find_right(evaluation: Evaluation) -> Mapping[str, BoolArray]:
    """Key of an accuracy to ``[n]``, which of the ``n`` gold items are right.

    These are the accuracies of which the counts have the right ones, such as ``strict_accuracy``
    and ``strict_correct``; empty if there are none.

    Examples:
        >>> from clineval import evaluate
        >>> found = evaluate("clefehealth13_task2", ["C1", "C9"], ["C1", "C2"])
        >>> find_right(found)["strict_accuracy"].tolist()
        [True, False]
    """
    if evaluation.challenge.steps.list_outcomes is None:
        return {}
    outcomes, scores = evaluation.outcomes, evaluation.counts.score().values
    found = {}
    for match in outcomes.matches.values():
        for column in match.columns:
            key = f"{column.removesuffix(_CORRECT)}{_ACCURACY}"
            if column.endswith(_CORRECT) and key in scores:
                right = np.zeros(len(outcomes.gold), np.bool_)
                right[match.gold[match.rows(column)]] = True
                found[key] = right
    return found
