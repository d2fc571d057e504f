"""The human ceiling: how well people agree with each other, next to a system.

    people        the mean over all pairs of annotators
    system        the mean over all annotators of the system's agreement with each of them
    difference    system - people

The system is as good as a further annotator if the difference is 0. Each annotator is also left
out: then people is the mean of that annotator's agreement with each of the others, and system the
mean of the system's agreement with the same others. Of two annotators, the one that was passed
first serves as the gold standard; the system never does.

Intervals come from leaving out documents, or clusters, one by one, in all pairs at once. Intervals
of the means are computed like those of one coefficient (:mod:`clineval.stats.chance`), and
intervals of differences are Student's (:mod:`clineval.stats.intervals`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import FloatArray, IntArray
from clineval.evaluation.analysis.agreement import Agreement
from clineval.results.resampled import GROUPS, MOST_LEFT_OUT
from clineval.stats.chance import Bounds, Coefficient, average
from clineval.stats.clusters import Clusters
from clineval.stats.units import number_units

Key = tuple[str, str]
"""A question, empty for the scores, and the name of a score or coefficient."""


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """The agreement of people, and that of a system with them.

    Args:
        people: the mean agreement of people.
        system: the mean agreement of the system with people.
        level: the level of the intervals.
    """

    people: Coefficient
    system: Coefficient
    level: float

    @property
    def difference(self) -> tuple[float | None, Bounds | None]:
        """System minus people, with the interval; None where they are undefined."""
        return self.system.subtract(self.people, self.level)


@dataclass(frozen=True, slots=True, eq=False)
class Ceiling:
    """The agreement of people and of a system, for each score and coefficient.

    Args:
        system: the name of the system.
        people: the names of the annotators.
        whole: the means over all annotators.
        left_out: maps annotators to the means if this annotator takes the place of the system.
    """

    system: str
    people: tuple[str, ...]
    whole: Mapping[Key, Beside]
    left_out: Mapping[str, Mapping[Key, Beside]]


def find_ceiling(pairs: Sequence[Agreement], system: str) -> Ceiling:
    """Compute the human ceiling from the agreement of every two annotators.

    Args:
        pairs: the agreement of every two annotators, and of the system with all annotators.
        system: the name of the system.
    """
    people = tuple(pair.first for pair in pairs if pair.second == system)
    values = dict(_measure_all(pairs))
    level = pairs[0].score.confidence.level if pairs[0].score.confidence else 0.95
    human = [(pair.first, pair.second) for pair in pairs if pair.second != system]
    whole = _set_beside(values, human, people, system, level)
    left_out = {}
    for name in people:
        own = [pair for pair in human if name in pair]
        others = [other for other in people if other != name]
        left_out[name] = _set_beside(values, own, others, system, level)
    return Ceiling(system, people, whole, left_out)


def _set_beside(
    values: Mapping[tuple[str, str], Mapping[Key, Coefficient]],
    human: Sequence[tuple[str, str]],
    people: Sequence[str],
    system: str,
    level: float,
) -> dict[Key, Beside]:
    """Average all pairs of people, and all pairs of the system and a person."""
    judged = [(name, system) for name in people]
    keys = [key for key in values[judged[0]] if all(key in of for of in values.values())]
    return {
        key: Beside(
            average([values[pair][key] for pair in human]),
            average([values[pair][key] for pair in judged]),
            level,
        )
        for key in keys
    }


def _measure_all(
    pairs: Sequence[Agreement],
) -> Iterator[tuple[tuple[str, str], dict[Key, Coefficient]]]:
    """Yield the scores and coefficients of every pair, with the same units for all pairs."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair.units))
    how = pairs[0].score.confidence
    clusters: Clusters | None = how.clusters if how else None
    numbers = number_units(names, clusters)
    units = int(numbers.max(initial=-1)) + 1
    place = dict(zip(names, numbers.tolist(), strict=True))
    for pair in pairs:
        found = _measure_scores(pair, place, units)
        places = _find_places(pair, place)
        for question, of in pair.slots.items():
            for name, coefficient in of.coefficients.items():
                found[question, name] = coefficient.place(places, units)
        yield (pair.first, pair.second), found


def _find_places(pair: Agreement, place: Mapping[str, int]) -> IntArray:
    """Return the number among all units of each unit of a pair."""
    places = np.zeros(max(pair.units.values(), default=-1) + 1, np.int64)
    for name, own in pair.units.items():
        places[own] = place[name]
    return places


def _measure_scores(
    pair: Agreement, place: Mapping[str, int], units: int
) -> dict[Key, Coefficient]:
    """Return the main scores of a pair, with their values if units are left out.

    If there are very many units, groups of them are left out.
    """
    counts, score = pair.score.counts, pair.score
    groups = units if units <= MOST_LEFT_OUT else GROUPS
    rows = counts.rows
    table = np.zeros((groups, rows.shape[1]))
    np.add.at(table, [place[name] % groups for name in counts.documents], rows)
    without = counts.rates(rows.sum(axis=0) - table)
    return {("", key): _make(score.values[key], without.get(key), groups) for key in score.headline}


def _make(value: float, without: FloatArray | None, units: int) -> Coefficient:
    """Make a coefficient from a score, whose lowest value is 0."""
    known = np.full(units, float(value)) if without is None else without
    return Coefficient(float(value), known, units, lowest=0.0)
