"""Krippendorff's alpha of three or more annotators together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clineval.evaluation.analysis.agreement import Agreement
from clineval.evaluation.analysis.ratings import NO_ANSWER, Answers, Ratings
from clineval.evaluation.analysis.scales import Scale
from clineval.stats.chance import Bounds, Coefficient, compare_many
from clineval.stats.units import number_units

_LEAST, _MANY = 2, 3


@dataclass(frozen=True, slots=True)
class ManyAgreement:
    """The agreement of all annotators in the answers to a question.

    Args:
        units: the number of units that at least two of them answered.
        missing: the number of units that some of them answered and others did not.
        coefficients: ``alpha``; with a scale also ``ordinal_alpha``.
        level: the level of the intervals.
    """

    units: int
    missing: int
    coefficients: Mapping[str, Coefficient]
    level: float

    def __getitem__(self, name: str) -> float | None:
        return self.coefficients[name].value

    def bounds(self, name: str) -> Bounds | None:
        """Compute the interval of a coefficient; None if it is undefined."""
        return self.coefficients[name].bounds(self.level)


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """The agreement of all annotators.

    Args:
        annotators: their names.
        slots: maps questions to the agreement in them.
    """

    annotators: tuple[str, ...]
    slots: Mapping[str, ManyAgreement]


def compare_together(pairs: Sequence[Agreement], scale: Scale) -> Together | None:
    """Compute alpha of all annotators; None for fewer than three, or without verdicts.

    Args:
        pairs: the agreement of every two annotators.
        scale: the order of the answers.
    """
    own = [pair for pair in pairs if pair.first == pairs[0].first]
    if len(own) + 1 < _MANY or not own[0].verdicts:
        return None
    sides = [(own[0].score.counts.documents, own[0].verdicts[0])]
    sides += [(pair.score.counts.documents, pair.verdicts[1]) for pair in own]
    ratings = Ratings.gather(sides)
    how = own[0].score.confidence
    numbers = number_units(ratings.documents, how.clusters if how else None)
    units, level = int(numbers.max(initial=-1)) + 1, how.level if how else 0.95
    slots = {}
    for name, of in ratings.list_questions().items():
        places = scale.place(of.given)
        ordered = of if places is None else of.order(places, len(scale.answers))
        pairs_of_all = ordered.coincide(numbers)
        answers = len(ordered.names)
        found = compare_many(pairs_of_all, units, answers, ordered=places is not None)
        slots[name] = ManyAgreement(_count_units(of), of.missing, found, level)
    return Together((own[0].first, *(pair.second for pair in own)), slots)


def _count_units(of: Answers) -> int:
    answered = (of.table != NO_ANSWER).sum(axis=1)
    return int(of.times[answered >= _LEAST].sum())
