"""Agreement of annotators: F1, and agreement beyond chance in answers, codes and slots.

If annotators mark mentions freely, the number of units that neither marked is unknown, so chance
agreement on mentions is not defined. F1 of one annotator against the other is used instead.
Source: Hripcsak and Rothschild, Agreement, the F-measure, and Reliability in Information
Retrieval, JAMIA 2005.

Kappa, AC1 and alpha (:mod:`clineval.stats.coefficients`) compare the answers of two annotators to
the same units:

    classes    a unit is a document and a question. If a question can have several answers, each
               class is a question: whether the document has it
    codes      each code is a question: whether the document has it. All codes together are the
               codes that either annotator assigned to any document
    records    a unit is a field of two records that the widest match pairs; a field without a value
               is no answer
    mentions   a unit is a slot of two mentions that overlap, with any class

A unit that only one annotator answered is missing. It is counted, and does not affect the
coefficients. A document without codes has no codes, which is an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.errors import InputError
from clineval.base.progress import track
from clineval.evaluation.analysis.mistakes import confuse
from clineval.evaluation.analysis.ratings import Answers, Ratings
from clineval.evaluation.analysis.scales import Scale
from clineval.evaluation.analysis.united import PairedRecords
from clineval.evaluation.evaluate import Evaluation, evaluate_pairs, make_setup
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.results.columns import MentionColumns
from clineval.results.scores import Score
from clineval.results.verdicts import Verdicts
from clineval.stats.chance import (
    Bounds,
    Coefficient,
    ValuePairs,
    compare_answers,
    compare_ordered,
)
from clineval.stats.units import number_units

_LEAST = 2


@dataclass(frozen=True, slots=True)
class SlotAgreement:
    """The agreement of two annotators in the answers to a question, in a code or in a slot.

    Args:
        pairs: the number of units that both answered.
        missing: the number of units that only one of them answered.
        agreement: the share of pairs with the same answer.
        coefficients: ``kappa``, ``ac1`` and ``alpha``; with a scale also ``linear_kappa``,
            ``quadratic_kappa`` and ``ordinal_alpha``.
        level: the level of the intervals.
    """

    pairs: int
    missing: int
    agreement: float
    coefficients: Mapping[str, Coefficient]
    level: float = 0.95

    def __getitem__(self, name: str) -> float | None:
        return self.coefficients[name].value

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None if it is undefined."""
        return self["kappa"]

    @property
    def ac1(self) -> float | None:
        """Gwet's AC1; None if it is undefined."""
        return self["ac1"]

    @property
    def alpha(self) -> float | None:
        """Krippendorff's alpha; None if it is undefined."""
        return self["alpha"]

    def bounds(self, name: str) -> Bounds | None:
        """Compute the interval of a coefficient; None if it is undefined."""
        return self.coefficients[name].bounds(self.level)


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """The agreement of two annotators.

    Args:
        first: the name of the annotator who serves as the gold standard.
        second: the name of the other annotator.
        score: the scores of the second against the first, with intervals.
        slots: maps questions, codes or slots to the agreement in them. The class of mentions is
            left out if mentions have no text that could overlap.
        verdicts: the verdicts of both about documents; empty if there are none.
        units: maps names of documents to the numbers of their units.
        records: the records of both; None for other annotations.
    """

    first: str
    second: str
    score: Score
    slots: Mapping[str, SlotAgreement]
    verdicts: tuple[Verdicts, ...] = ()
    units: Mapping[str, int] = field(default_factory=dict)
    records: PairedRecords | None = None


def agree(  # noqa: PLR0913 - as in clineval.score
    module: str,
    annotators: Mapping[str, object],
    *,
    config: str = "default",
    protocol: str = "spec",
    confidence: float = 0.95,
    cluster: object = None,
    scale: object = None,
    system: Mapping[str, object] | None = None,
    **options: object,
) -> list[Agreement]:
    """Compute the agreement of every two annotators; the arguments are those of ``agreement``.

    Args:
        module: the metric.
        annotators: maps names to annotations, each as in ``clineval.score``.
        config: the configuration of the challenge.
        protocol: ``spec``, ``official``, or another protocol of the challenge.
        confidence: the level of the intervals.
        cluster: the documents that are resampled together, as in ``clineval.score``.
        scale: answers in their order, for weighted kappa and ordinal alpha.
        system: the name of a system and its predictions, which are compared with all annotators.
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
    if len(annotators) < _LEAST:
        raise InputError(f"expected at least two annotators, got {len(annotators)}")
    ordered = Scale.parse(scale)
    setup = make_setup(module, config, protocol, **options)
    found = []
    questions: dict[str, set[str]] = {}
    possible: dict[str, Sequence[str]] = {}
    for first, second, evaluation in evaluate_pairs(setup, annotators, system):
        scores = evaluation.score(confidence=confidence, cluster=cluster)
        clusters = scores.confidence.clusters if scores.confidence else None
        numbers = number_units(scores.counts.documents, clusters)
        both = _find_verdicts(evaluation)
        asked = _gather(evaluation, both) if both else _list_slots(evaluation.outcomes)
        slots = {
            name: _compare(of, numbers, ordered, confidence)
            for name, of in track([*asked.items()], "comparing answers")
        }
        pooled = both[0].whole if both and len(asked) > 1 else ""
        for name, of in asked.items():
            if name != pooled:
                questions.setdefault(name, set()).update(of.given)
        for own in both:
            possible |= own.answers
        units = dict(zip(scores.counts.documents, numbers.tolist(), strict=True))
        records = None if both else PairedRecords.of(evaluation.outcomes)
        found.append(Agreement(first, second, scores, slots, both, units, records))
    ordered.check(questions, possible)
    return found


def _find_verdicts(evaluation: Evaluation) -> tuple[Verdicts, ...]:
    """Return the verdicts of both sides about documents; empty if there are none."""
    outcomes, setup = evaluation.outcomes, evaluation.setup
    sides = (outcomes.gold, outcomes.prediction)
    found = [setup.steps.list_verdicts(side, setup) for side in sides]
    return tuple(own for own in found if own is not None)


def _gather(evaluation: Evaluation, both: Sequence[Verdicts]) -> dict[str, Answers]:
    documents = evaluation.outcomes.documents
    return Ratings.gather([(documents, own) for own in both]).list_questions()


def _compare(of: Answers, numbers: IntArray, scale: Scale, level: float) -> SlotAgreement:
    """Compute the agreement in the answers to one question, with intervals."""
    units = int(numbers.max(initial=-1)) + 1
    pairs = of.pair(numbers)
    places = scale.place(of.given)
    possible = of.possible if places is None else len(scale.answers)
    found = compare_answers(pairs, units, possible)
    if places is not None:
        ordered = of.order(places, len(scale.answers)).pair(numbers)
        found |= compare_ordered(ordered, units, len(scale.answers))
    return SlotAgreement(len(pairs), of.missing, pairs.agreement, found, level)


def _list_slots(outcomes: Outcomes) -> dict[str, Answers]:
    """Return the values of each slot, with the document of the pair of mentions."""
    worded = _have_words(outcomes.gold)  # mentions that can overlap mentions of other classes
    can_differ = not len(worded) or bool(worded.any())
    return {
        slot: _read_slot(outcomes, slot)
        for slot in track([*outcomes.gold.attributes], "pairing values of slots")
        if (slot != outcomes.class_slot or can_differ) and slot not in outcomes.kind.structure
    }


def _read_slot(outcomes: Outcomes, slot: str) -> Answers:
    """Return the values of both annotators in a slot; a value that a kind leaves open is none."""
    confusion = confuse(outcomes, slot)
    size = len(confusion.values)
    match = outcomes.matches[outcomes.widest]
    asked = confusion.rows >= 0
    if slot == outcomes.class_slot:  # mentions without text are paired by their class
        asked &= match.choose(_have_words(outcomes.gold), _have_words(outcomes.prediction))
    table = np.stack([confusion.rows, confusion.columns], axis=1)[asked].astype(np.int64)
    table[table == size] = -1
    if outcomes.kind.no_value in confusion.values:
        table[table == confusion.values.index(str(outcomes.kind.no_value))] = -1
    paired = table[(table >= 0).all(axis=1)]
    document = outcomes.documents_of(match)[asked]
    possible = len(np.unique(paired))
    return Answers(document, table, np.ones(len(table)), confusion.values, possible)


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
    left, right = np.repeat(np.argwhere(table >= 0), table.ravel(), axis=0).reshape(-1, 2).T
    pairs = ValuePairs.of(np.arange(len(left)), left, right)
    found = compare_answers(pairs, len(left), len(np.unique([left, right])))
    return SlotAgreement(len(pairs), 0, pairs.agreement, found)
