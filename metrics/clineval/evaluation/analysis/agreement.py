"""Agreement of annotators: F1 for mentions, kappa and alpha for their slots.

If annotators mark mentions freely, the number of units that neither marked is unknown, so chance
agreement on mentions is not defined. F1 of one annotator against the other is used instead.
Source: Hripcsak and Rothschild, Agreement, the F-measure, and Reliability in Information
Retrieval, JAMIA 2005.

Agreement in slots uses the mentions that both marked, which are those that overlap, with any
class. Let p(a, b) be the share of pairs with the values a and b, p(a, .) and p(., b) its sums, and
N the number of pairs:

    agreement = sum_a p(a, a)
    kappa = (agreement - chance) / (1 - chance),  chance = sum_a p(a, .) p(., a)    (Cohen, 1960)
    alpha = 1 - (1 - agreement) / (1 - expected)                 (Krippendorff, for nominal data)
            expected = sum_a n(a) (n(a) - 1) / (n (n - 1)),  n(a) = N (p(a, .) + p(., a)),  n = 2 N

kappa and alpha are at most 1, and 0 or less if agreement is no better than chance. Both are
undefined, 0 / 0, if all values are the same or both annotators marked nothing in common: if values
do not vary, agreement does not depend on the annotators. Their intervals are computed like those
of differences in :mod:`clineval.stats.intervals`, by resampling documents or clusters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.errors import InputError
from clineval.base.errors import agree as count_words
from clineval.base.ratios import ratio
from clineval.evaluation.analysis.mistakes import confuse
from clineval.evaluation.evaluate import evaluate_pairs, make_setup
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.results.columns import MentionColumns
from clineval.results.scores import Score
from clineval.results.tables import Sheet, Table, format_interval, format_value
from clineval.stats.cautions import explain_few
from clineval.stats.chance import ValuePairs, bound_agreement
from clineval.stats.confidence import Confidence
from clineval.stats.units import number_units


@dataclass(frozen=True, slots=True)
class SlotAgreement:
    """The agreement of two annotators in a slot.

    Args:
        pairs: the number of mentions that both marked.
        agreement: the share of pairs with the same value.
        kappa: Cohen's kappa; None if it is undefined.
        alpha: Krippendorff's alpha; None if it is undefined.
        kappa_low: the lower bound of the interval of kappa; None if kappa is undefined, or fewer
            than two documents have pairs.
        kappa_high: the upper bound of the interval of kappa.
        alpha_low: the lower bound of the interval of alpha.
        alpha_high: the upper bound of the interval of alpha.
    """

    pairs: int
    agreement: float
    kappa: float | None
    alpha: float | None
    kappa_low: float | None = None
    kappa_high: float | None = None
    alpha_low: float | None = None
    alpha_high: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """The agreement of two annotators.

    Args:
        first: the name of the annotator who serves as the gold standard.
        second: the name of the other annotator.
        score: the scores of the second against the first, with intervals.
        slots: maps slots to the agreement of their values in the pairs of the widest match, which
            can have any class. The class is left out if mentions have no text that could overlap.
    """

    first: str
    second: str
    score: Score
    slots: Mapping[str, SlotAgreement]


def agree(  # noqa: PLR0913 - as in clineval.score
    module: str,
    annotators: Mapping[str, object],
    *,
    config: str = "default",
    protocol: str = "spec",
    confidence: float = 0.95,
    cluster: object = None,
    **options: object,
) -> list[Agreement]:
    """Compute the agreement of every two annotators.

    Args:
        module: the metric.
        annotators: maps names to annotations, each as in ``clineval.score``.
        config: the configuration of the challenge.
        protocol: ``spec``, ``official``, or another protocol of the challenge.
        confidence: the level of the intervals.
        cluster: the documents that are resampled together, as in ``clineval.score``.
        options: the challenge's own options.

    Raises:
        InputError: fewer than two annotators, or input that cannot be scored.

    Examples:
        >>> one = [[{"spans": [[k, k + 1]], "cui": "C1", "negation": "yes"}] for k in range(4)]
        >>> two = one[:3] + [[{"spans": [[3, 4]], "cui": "C1", "negation": "no"}]]
        >>> [result] = agree("semeval15_task14", {"one": one, "two": two})
        >>> result.score["strict_f1"], result.slots["negation"].kappa
        (1.0, 0.0)
    """
    if len(annotators) < 2:  # noqa: PLR2004 - a pair
        raise InputError(f"expected at least two annotators, got {len(annotators)}")
    found = []
    setup = make_setup(module, config, protocol, **options)
    for first, second, evaluation in evaluate_pairs(setup, annotators):
        outcomes = evaluation.outcomes
        scores = evaluation.score(confidence=confidence, cluster=cluster)
        clusters = scores.confidence.clusters if scores.confidence else None
        numbers = number_units(scores.counts.documents, clusters)
        worded = _have_words(outcomes.gold)  # mentions that can overlap mentions of other classes
        can_differ = not len(worded) or bool(worded.any())
        slots = {
            slot: _agree_in_slot(outcomes, slot, numbers, scores.confidence)
            for slot in outcomes.gold.attributes
            if slot != outcomes.class_slot or can_differ
        }
        found.append(Agreement(first, second, scores, slots))
    return found


def _agree_in_slot(
    outcomes: Outcomes, slot: str, numbers: IntArray, how: Confidence | None
) -> SlotAgreement:
    """Compute the agreement in a slot, with intervals."""
    confusion = confuse(outcomes, slot)
    size = len(confusion.values)
    match = outcomes.matches[outcomes.widest]
    paired = (confusion.rows < size) & (confusion.columns < size) & (confusion.rows >= 0)
    if slot == outcomes.class_slot:  # mentions without text are paired by their class
        paired &= match.choose(_have_words(outcomes.gold), _have_words(outcomes.prediction))
    rows, columns = confusion.rows[paired], confusion.columns[paired]
    cells = np.bincount(rows * size + columns, minlength=size * size)
    found = agree_in(cells.reshape(size, size))
    pairs = ValuePairs(numbers[outcomes.documents_of(match)[paired]], rows, columns)
    if how is None or found.kappa is None or found.alpha is None:
        return found
    both = bound_agreement(pairs, found.kappa, found.alpha, how)
    kappa, alpha = (bounds or (None, None) for bounds in both)
    return replace(
        found, kappa_low=kappa[0], kappa_high=kappa[1], alpha_low=alpha[0], alpha_high=alpha[1]
    )


def _have_words(side: MentionColumns) -> BoolArray:
    """Return ``[n]``, whether each mention covers any text."""
    before = np.concatenate([[0], np.cumsum(side.ends - side.starts)])
    covered: BoolArray = before[side.bounds[1:]] > before[side.bounds[:-1]]
    return covered


def agree_in(table: IntArray) -> SlotAgreement:
    """Compute agreement from ``[v, v]``, numbers of pairs by the values of both annotators.

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
    """Lay out agreement: two tables for each two annotators.

    In the data for programs, an undefined kappa or alpha is None.
    """
    return Sheet(
        lambda: [table for found in agreements for table in _tabulate(found)],
        lambda: [
            {
                "annotators": [found.first, found.second],
                "scores": {**found.score.values, **found.score.bounds},
                **found.score.described_intervals,
                "slots": {name: asdict(of) for name, of in found.slots.items()},
                "signature": str(found.score.signature),
            }
            for found in agreements
        ],
        heading=_head(agreements[0].score),
        signature="\n".join(_sign(found, alone=len(agreements) == 1) for found in agreements),
        notes=lambda: explain_few([key for found in agreements for key in found.score.few_units]),
    )


def _head(score: Score) -> str:
    return f"{score.challenge.task.title}, {score.config}, protocol {score.protocol}"


def _sign(found: Agreement, *, alone: bool) -> str:
    """Return the signature, after the names if there are several pairs of annotators."""
    names = "" if alone else f"{found.first} and {found.second}: "
    return names + found.score.signature_line


def _tabulate(found: Agreement) -> Iterator[Table]:
    """Yield the main scores of two annotators, then their agreement in each slot."""
    score, who = found.score, f"{found.first} and {found.second}"
    level = f"{100 * score.confidence.level:g} %" if score.confidence else ""
    rows = tuple(
        (key, format_value(score[key]), score.format_interval(key)) for key in score.headline
    )
    documents = count_words("{n} {document|documents}", len(score.counts))
    items = score.challenge.kind_of(score.config).items
    yield Table(f"{who}: {items}, {documents}", ("score", level), rows)
    slots = tuple(
        (
            name,
            *map(format_value, (of.pairs, of.agreement, of.kappa)),
            _format_bounds(of.kappa_low, of.kappa_high),
            format_value(of.alpha),
            _format_bounds(of.alpha_low, of.alpha_high),
        )
        for name, of in found.slots.items()
    )
    if slots:
        columns = ("pairs", "agreement", "kappa", level, "alpha", level)
        yield Table(f"{who}: {items} of both", columns, slots)


def _format_bounds(low: float | None, high: float | None) -> str:
    return format_interval(None if low is None or high is None else (low, high))
