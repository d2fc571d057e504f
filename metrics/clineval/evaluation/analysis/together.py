"""Krippendorff's alpha of three or more annotators together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clineval.evaluation.analysis.agreement import Agreement
from clineval.evaluation.analysis.ratings import NO_ANSWER, Answers, Ratings
from clineval.evaluation.analysis.scales import Scale
from clineval.evaluation.analysis.united import UnitedRecords
from clineval.stats.chance import Bounds, Coefficient, compare_many
from clineval.stats.units import number_units

_LEAST, _MANY = 2, 3
Questions = tuple[Sequence[str], Mapping[str, Answers]]
"""The names of documents, and the answers of all annotators to each question."""


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
    """Compute alpha of all annotators; None for fewer than three, and for mentions.

    Args:
        pairs: the agreement of every two annotators.
        scale: the order of the answers.
    """
    own = [pair for pair in pairs if pair.first == pairs[0].first]
    if len(own) + 1 < _MANY or not (own[0].verdicts or own[0].records):
        return None
    documents, questions = _list_questions(own) if own[0].verdicts else _unite_records(pairs)
    how = own[0].score.confidence
    numbers = number_units(documents, how.clusters if how else None)
    units, level = int(numbers.max(initial=-1)) + 1, how.level if how else 0.95
    slots = {}
    for name, of in questions.items():
        places = scale.place(of.given)
        ordered = of if places is None else of.order(places, len(scale.answers))
        pairs_of_all = ordered.coincide(numbers)
        answers = len(ordered.names)
        found = compare_many(pairs_of_all, units, answers, ordered=places is not None)
        slots[name] = ManyAgreement(_count_units(of), of.missing, found, level)
    return Together((own[0].first, *(pair.second for pair in own)), slots)


def _list_questions(own: Sequence[Agreement]) -> Questions:
    """Return the verdicts of all annotators about documents."""
    sides = [(own[0].score.counts.documents, own[0].verdicts[0])]
    sides += [(pair.score.counts.documents, pair.verdicts[1]) for pair in own]
    ratings = Ratings.gather(sides)
    return ratings.documents, ratings.list_questions()


def _unite_records(pairs: Sequence[Agreement]) -> Questions:
    """Return the fields of the records of all annotators."""
    people = [*dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second))]
    united = UnitedRecords.of(
        {
            (people.index(pair.first), people.index(pair.second)): pair.records
            for pair in pairs
            if pair.records
        }
    )
    names = [name for name in pairs[0].slots if all(name in pair.slots for pair in pairs)]
    return united.documents, {name: united.answer(name) for name in names}


def _count_units(of: Answers) -> int:
    answered = (of.table != NO_ANSWER).sum(axis=1)
    return int(of.times[answered >= _LEAST].sum())
