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

kappa and alpha are at most 1, and 0 or less if agreement is no better than chance. Both are
undefined, 0 / 0, if all values are the same or nothing was marked by both: where values do not
vary, agreement says nothing about the annotators.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from clineval.analysis.mistakes import confuse
from clineval.arrays import IntArray
from clineval.errors import InputError
from clineval.evaluation import evaluate_pairs
from clineval.ratios import ratio
from clineval.scores import Score
from clineval.tables import Sheet, Table, format_interval, format_value


@dataclass(frozen=True, slots=True)
class SlotAgreement:
    """How far two annotators agree in a slot.

    Args:
        pairs: how many mentions both marked.
        agreement: share of the pairs with the same value.
        kappa: Cohen's kappa; None where it is undefined.
        alpha: Krippendorff's alpha; None where it is undefined.
    """

    pairs: int
    agreement: float
    kappa: float | None
    alpha: float | None


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


def agree(  # noqa: PLR0913 - as in clineval.score
    module: str,
    annotators: Mapping[str, Any],
    *,
    config: str = "default",
    protocol: str = "spec",
    confidence: float = 0.95,
    cluster: Any = None,
    **options: Any,
) -> list[Agreement]:
    """The agreement of every two annotators.

    Args:
        module: the metric.
        annotators: name to annotations, each as in ``clineval.score``.
        config: which part of the challenge.
        protocol: ``spec`` or ``official``.
        confidence: the level of the intervals.
        cluster: which documents are drawn together for them, as in ``clineval.score``.
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
    if len(annotators) < 2:  # noqa: PLR2004 - a pair
        raise InputError(f"expected at least two annotators, got {len(annotators)}")
    found = []
    asked = {"config": config, "protocol": protocol, **options}
    for first, second, evaluation in evaluate_pairs(module, annotators, **asked):
        outcomes = evaluation.outcomes
        slots = {
            slot: agree_in(confuse(outcomes, slot).table[:-1, :-1])
            for slot in outcomes.gold.attributes
        }
        scores = evaluation.score(confidence=confidence, cluster=cluster)
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
    pairs, same = int(table.sum()), int(table.trace())
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    values = rows + columns
    chance, most = int(rows @ columns), pairs * pairs
    expected, possible = int(values @ (values - 1)), 2 * pairs * (2 * pairs - 1)
    disagreement = 2 * (2 * pairs - 1) * (pairs - same)
    return SlotAgreement(
        pairs,
        float(ratio(same, pairs)),
        (pairs * same - chance) / (most - chance) if chance < most else None,
        1 - disagreement / (possible - expected) if expected < possible else None,
    )


def describe(agreements: Sequence[Agreement]) -> Sheet:
    """Agreement for the writers of :mod:`clineval.tables`; two tables for each two annotators."""
    return Sheet(
        lambda: [table for found in agreements for table in _tabulate(found)],
        lambda: [_describe(found) for found in agreements],
    )


def _tabulate(found: Agreement) -> Iterator[Table]:
    """The main scores of two annotators, then their agreement in each slot."""
    score = found.score
    level = f"{100 * score.confidence.level:g} %" if score.confidence else ""
    rows = tuple(
        (key, format_value(score[key]), format_interval(score.intervals[key]))
        for key in score.headline
    )
    who = f"{found.first} and {found.second}"
    yield Table(f"{who}: mentions", ("score", level), rows)
    slots = tuple(
        (name, *map(format_value, (of.pairs, of.agreement, of.kappa, of.alpha)))
        for name, of in found.slots.items()
    )
    yield Table(f"{who}: mentions of both", ("pairs", "agreement", "kappa", "alpha"), slots)


def _describe(found: Agreement) -> dict[str, Any]:
    """For programs; None where kappa or alpha is undefined."""
    return {
        "annotators": [found.first, found.second],
        "scores": {**found.score.values, **found.score.bounds},
        "slots": {name: asdict(of) for name, of in found.slots.items()},
        "signature": str(found.score.signature),
    }
