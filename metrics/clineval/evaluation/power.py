"""Planning: how many documents are needed to see a difference, from the counts of a pilot.

With v the variance of the difference of two systems' scores over the u documents of the pilot (by
the jackknife), the number of documents on which a two-sided test at 1 - confidence finds a true
difference x with some power is

    n = u v (z(1 - (1 - confidence) / 2) + z(power))^2 / x^2

with z the normal quantiles; and the smallest difference that n documents show follows from it. Of
a pilot with one system, the other is taken to be as variable and to err elsewhere: v is twice the
variance of the score, which is more than two systems on the same documents usually need. A pilot
in which no document differs from the others in a score, v = 0, says nothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil, sqrt
from statistics import NormalDist

import numpy as np

from clineval.base.arrays import FloatArray, expect_list, is_number
from clineval.base.errors import InputError, shown
from clineval.evaluation.runs import stack_units
from clineval.results.counts import align_counts, list_counts
from clineval.results.options import check_name
from clineval.results.scores import Counts, Score
from clineval.results.tables import Sheet, Table, format_value
from clineval.statistics.cautions import warn_of_little
from clineval.statistics.clusters import find_clusters
from clineval.statistics.intervals import Drawn

_NORMAL = NormalDist()
_MOST = 2
_ROUNDING = 1e-18  # of a variance of scores


@dataclass(frozen=True, slots=True)
class Plan:
    """What it takes to see a difference in one score.

    Args:
        score: its key.
        observed: the pilot's difference; None if it has one system.
        deviation: the standard deviation of the difference over one document.
        documents: how many are needed (clusters, if the pilot's documents are in clusters); None
            if the pilot does not vary.
        visible: the smallest difference that as many documents as the pilot's show; None as above.
    """

    score: str
    observed: float | None
    deviation: float
    documents: int | None
    visible: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """Plans for several scores.

    Args:
        plans: one for each score.
        difference: the difference that is to be seen.
        power: how often it is to be seen.
        confidence: 1 minus the level of the test.
        pilot: how many documents, or clusters, the pilot has.
        signature: of the pilot's first counts.
        unit: ``documents`` or ``clusters``.
    """

    plans: Sequence[Plan]
    difference: float
    power: float
    confidence: float
    pilot: int
    signature: str
    unit: str

    def sheet(self) -> Sheet:
        """Lay the plans out for any writer of :mod:`clineval.results.tables`."""
        columns = ("difference", "deviation", f"{self.unit} needed", "visible in pilot")
        rows = tuple(
            (
                plan.score,
                "" if plan.observed is None else f"{plan.observed:+.4f}",
                *map(format_value, (plan.deviation, plan.documents, plan.visible)),
            )
            for plan in self.plans
        )
        level = f"{100 * self.power:g} % power at {100 * self.confidence:g} %"
        title = f"To see a difference of {self.difference:g} with {level}"
        table = Table(f"{title}, from {self.pilot} {self.unit}", columns, rows)
        data = {
            "difference": self.difference,
            "power": self.power,
            "confidence": self.confidence,
            "unit": self.unit,
            "pilot": self.pilot,
            "plans": [asdict(plan) for plan in self.plans],
            "signature": self.signature,
        }
        return Sheet(lambda: [table], lambda: data, signature=self.signature)


def plan(  # noqa: PLR0913 - one function for all
    pilot: Sequence[Counts],
    difference: float,
    *,
    power: float = 0.8,
    confidence: float = 0.95,
    scores: Sequence[str] = (),
    cluster: object = None,
) -> Planned:
    """Plan how many documents are needed to see a difference between two systems.

    Args:
        pilot: the counts of one system, or of two on the same documents.
        difference: the smallest difference that is worth seeing, such as 0.02.
        power: how often it is to be seen where there is one.
        confidence: 1 minus the probability of seeing one where there is none.
        scores: keys; the main ones unless given.
        cluster: which documents belong together, as in ``clineval.score``.

    Raises:
        InputError: another number of systems, values that cannot be, or an unknown score.

    Examples:
        >>> from clineval import count
        >>> gold = [[{"spans": [[0, 4]], "cui": "C1"}]] * 100
        >>> systems = [gold[:70] + [[]] * 30, gold[:80] + [[]] * 20]
        >>> pilot = [count("semeval15_task14", found, gold) for found in systems]
        >>> plan(pilot, 0.1, scores=["strict_recall"]).plans[0].documents
        72
    """
    pilot = list_counts(pilot)
    expect_list(scores, "a list of scores", "scores")
    if not 1 <= len(pilot) <= _MOST:
        raise InputError(f"expected the counts of one system or of two, got {len(pilot)}")
    for name, value in (("difference", difference), ("power", power), ("confidence", confidence)):
        if not is_number(value) or not 0 < value < 1:
            raise InputError(f"expected a number between 0 and 1, got {shown(value)}", where=name)
    aligned = align_counts(pilot)
    first = Score(aligned[0])
    known = aligned[0].rates(aligned[0].table[:1])
    for key in scores:
        check_name("score", key, known)
    clusters = find_clusters(cluster)
    units = stack_units(aligned, clusters)
    if len(units) < _MOST:
        raise InputError(f"expected a pilot of at least two documents, got {len(units)}")
    warn_of_little(len(units), clustered=clusters is not None)
    reach = find_reach(power, confidence)
    keys = scores or first.headline
    return Planned(
        [_plan_score(aligned, units, key, reach, difference) for key in keys],
        difference,
        power,
        confidence,
        len(units),
        str(first.signature),
        "clusters" if clusters else "documents",
    )


def find_reach(power: float, confidence: float) -> float:
    """Find how many standard errors a difference must be to be seen so often."""
    return _NORMAL.inv_cdf((1 + confidence) / 2) + _NORMAL.inv_cdf(power)


def _plan_score(
    pilot: Sequence[Counts], units: FloatArray, key: str, reach: float, difference: float
) -> Plan:
    totals = units.sum(axis=0, keepdims=True)
    sides = len(pilot)
    values = [c.rates(t)[key] for c, t in zip(pilot, np.hsplit(totals, sides), strict=True)]
    rest = [c.rates(t)[key] for c, t in zip(pilot, np.hsplit(totals - units, sides), strict=True)]
    without = rest[1] - rest[0] if sides > 1 else rest[0]
    variance = Drawn(0.0, without, without).variance * (1 if sides > 1 else 2)
    of_unit, found = variance * len(units), variance > _ROUNDING
    return Plan(
        key,
        float(values[1][0] - values[0][0]) if sides > 1 else None,
        sqrt(of_unit),
        ceil(of_unit * reach**2 / difference**2) if found else None,
        reach * sqrt(variance) if found else None,
    )
