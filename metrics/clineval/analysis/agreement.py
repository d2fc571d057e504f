"""Agreement of annotators: F1 of what they marked, kappa and alpha of what they said of it.

Where annotators mark mentions freely there is no number of units that neither of them marked, so
chance agreement on mentions is not defined; F1 of one annotator against the other takes its
place (Hripcsak and Rothschild, Agreement, the F-measure, and Reliability in Information
Retrieval, JAMIA 2005). For the slots of the mentions that both marked, with p(a, b) the share of
pairs with the values a and b, p(a, .) and p(., b) its sums, and N the number of pairs:

    agreement = sum_a p(a, a)
    kappa = (agreement - chance) / (1 - chance),  chance = sum_a p(a, .) p(., a)    (Cohen, 1960)
    alpha = 1 - (1 - agreement) / (1 - expected)                 (Krippendorff, for nominal data)
            expected = sum_a n(a) (n(a) - 1) / (n (n - 1)),  n(a) = N (p(a, .) + p(., a)),  n = 2 N

kappa and alpha are at most 1, and 0 or less if agreement is no better than chance; they are 0 if
all values are the same, as then agreement says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from clineval.analysis.mistakes import confuse
from clineval.analysis.outcomes import find_outcomes
from clineval.arrays import IntArray
from clineval.errors import InputError
from clineval.scores import Score, ratio


@dataclass(frozen=True, slots=True)
class SlotAgreement:
    """How far two annotators agree in a slot.

    Args:
        pairs: how many mentions both marked.
        agreement: share of the pairs with the same value.
        kappa: Cohen's kappa.
        alpha: Krippendorff's alpha.
    """

    pairs: int
    agreement: float
    kappa: float
    alpha: float


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """How far two annotators agree.

    Args:
        first: the name of the annotator who stands as the gold standard.
        second: the name of the other.
        score: the scores of the second against the first, with intervals.
        slots: slot to the agreement of its values in the pairs of the widest match.
    """

    first: str
    second: str
    score: Score
    slots: Mapping[str, SlotAgreement]


def agree(
    module: str,
    annotators: Mapping[str, Any],
    *,
    config: str = "default",
    protocol: str = "spec",
    confidence: float = 0.95,
    **options: Any,
) -> list[Agreement]:
    """The agreement of every two annotators.

    Args:
        module: the metric.
        annotators: name to annotations, each as in ``clineval.score``.
        config: which part of the challenge.
        protocol: ``spec`` or ``official``.
        confidence: the level of the scores' intervals.
        options: the challenge's own options.

    Raises:
        InputError: less than two annotators, or input that cannot be scored.

    Examples:
        >>> one = [[{"spans": [[k, k + 1]], "cui": "C1", "negation": "yes"}] for k in range(4)]
        >>> two = one[:3] + [[{"spans": [[3, 4]], "cui": "C1", "negation": "no"}]]
        >>> [result] = agree("semeval15_task14", {"one": one, "two": two})
        >>> result.score["strict_f1"], result.slots["negation"]
        (1.0, SlotAgreement(pairs=4, agreement=0.75, kappa=0.0, alpha=0.0))
    """
    from clineval.scoring import score

    if len(annotators) < 2:  # noqa: PLR2004 - it takes two
        raise InputError(f"expected at least two annotators, got {len(annotators)}")
    found = []
    for (first, gold), (second, other) in combinations(annotators.items(), 2):
        asked = {"config": config, "protocol": protocol, **options}
        outcomes = find_outcomes(module, other, gold, **asked)
        slots = {
            slot: agree_in(confuse(outcomes, slot).table[:-1, :-1])
            for slot in outcomes.gold.attributes
        }
        scores = score(module, other, gold, confidence=confidence, **asked)
        found.append(Agreement(first, second, scores, slots))
    return found


def agree_in(table: IntArray) -> SlotAgreement:
    """Agreement from a table of two annotators' values.

    Args:
        table: ``[v, v]``, pairs by the first annotator's value and the second's.

    Examples:
        >>> import numpy as np
        >>> result = agree_in(np.array([[20, 5], [10, 15]]))
        >>> result.pairs, result.agreement, round(result.kappa, 4)
        (50, 0.7, 0.4)
    """
    pairs = int(table.sum())
    agreement = float(ratio(int(table.trace()), pairs))
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    chance = float(ratio(int(rows @ columns), pairs * pairs))
    values = rows + columns
    expected = float(ratio(int(values @ (values - 1)), 2 * pairs * (2 * pairs - 1)))
    kappa = float(ratio(agreement - chance, 1 - chance)) if pairs else 0.0
    alpha = 1 - (1 - agreement) / (1 - expected) if pairs and expected < 1 else 0.0
    return SlotAgreement(pairs, agreement, kappa, alpha)
