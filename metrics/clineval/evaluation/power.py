"""Planning: how many documents are needed to detect a difference, from the counts of pilots.

:mod:`clineval.stats.planning` has the formula and the range. If a pilot has one system, the other
is assumed to vary as much and to err on other documents. The variance is then twice the variance
of the score, which is usually more than for two systems on the same documents. If all documents of
a pilot have the same score, the pilot gives no estimate for that score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil, sqrt

import numpy as np

from clineval.base.arrays import FloatArray, expect_list, is_list, is_number
from clineval.base.errors import InputError, shown, warn
from clineval.evaluation.runs import stack_units
from clineval.results.aligned import align_counts
from clineval.results.counts import list_counts
from clineval.results.resampled import check_resampled
from clineval.results.scorable import Counts
from clineval.results.scores import Score
from clineval.results.tables import Sheet, Table, format_value
from clineval.stats.cautions import warn_of_little
from clineval.stats.clusters import find_clusters
from clineval.stats.planning import Aim, Spread, find_range

_MOST = 2
_LEAST = {"difference": 1e-6}


@dataclass(frozen=True, slots=True)
class Plan:
    """The documents needed to detect a difference in one score.

    Args:
        score: the key of the score.
        observed: the difference in the pilot, or its mean over the documents of several pilots;
            None if pilots have one system.
        deviation: the standard deviation of the difference over one document.
        freedom: the degrees of freedom of its square, fewer if it rests on few documents.
        documents: the number of documents needed, or of clusters if the pilot has clusters; None
            if the pilot does not vary.
        low: half of other pilots of that size would give a number between ``low`` and ``high``;
            None if the pilot does not vary.
        high: see ``low``.
        visible: the smallest difference that as many documents as in the pilot can detect; None
            if the pilot does not vary.
    """

    score: str
    observed: float | None
    deviation: float
    freedom: float
    documents: int | None
    low: int | None
    high: int | None
    visible: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """Plans for several scores.

    Args:
        plans: one plan for each score.
        aim: the difference to detect, the power, and the level of the test.
        pilot: the number of documents, or clusters, of all pilots together.
        pilots: the number of pilots.
        signature: the signature of the pilot's first counts.
        unit: ``documents`` or ``clusters``.
    """

    plans: Sequence[Plan]
    aim: Aim
    pilot: int
    pilots: int
    signature: str
    unit: str

    @property
    def title(self) -> str:
        """The difference to detect, the power, and the level."""
        level = f"{100 * self.aim.power:g} % power at {100 * self.aim.confidence:g} %"
        return f"a difference of {self.aim.difference:g} with {level}"

    def sheet(self) -> Sheet:
        """Lay out the plans for the writers of :mod:`clineval.results.tables`."""
        columns = ("difference", "deviation", f"{self.unit} needed", "range", "visible in pilot")
        rows = tuple(
            (
                plan.score,
                "" if plan.observed is None else f"{plan.observed:+.4f}",
                *map(format_value, (plan.deviation, plan.documents)),
                "" if plan.low is None else f"{plan.low} to {plan.high}",
                format_value(plan.visible),
            )
            for plan in self.plans
        )
        several = f" in {self.pilots} pilots" if self.pilots > 1 else ""
        title = f"To detect {self.title}, from {self.pilot} {self.unit}{several}"
        table = Table(title, columns, rows)
        data = {
            **asdict(self.aim),
            "unit": self.unit,
            "pilot": self.pilot,
            "pilots": self.pilots,
            "plans": [asdict(plan) for plan in self.plans],
            "signature": self.signature,
        }
        notes = ["range: where half of other pilots of this size would lie"]
        return Sheet(lambda: [table], lambda: data, signature=self.signature, notes=lambda: notes)


def plan(  # noqa: PLR0913 - one function for all
    pilot: Sequence[Counts] | Sequence[Sequence[Counts]],
    difference: float,
    *,
    power: float = 0.8,
    confidence: float = 0.95,
    scores: Sequence[str] = (),
    cluster: object = None,
) -> Planned:
    """Estimate how many documents are needed to detect a difference between two systems.

    Args:
        pilot: the counts of one system, or of two on the same documents; or several pilots, as a
            list of such lists. More documents make the range narrower.
        difference: the smallest difference to detect, greater than 0, such as 0.02.
        power: the probability of detecting the difference if it exists, between
            1 - ``confidence`` and 1.
        confidence: 1 minus the probability of detecting a difference if there is none, between 0
            and 1.
        scores: the keys of scores; by default the main scores.
        cluster: the documents that belong together, as in ``clineval.score``.

    Returns:
        For each score the number of documents needed, with the range of half of other pilots.

    Raises:
        InputError: another number of systems, values out of range, or an unknown score.

    Examples:
        >>> from clineval import count
        >>> gold = [[{"spans": [[0, 4]], "cui": "C1"}]] * 100
        >>> systems = [gold[:70] + [[]] * 30, gold[:80] + [[]] * 20]
        >>> pilot = [count("semeval15_task14", found, gold) for found in systems]
        >>> [found] = plan(pilot, 0.1, scores=["strict_recall"]).plans
        >>> found.documents, found.low, found.high
        (77, 59, 94)
    """
    pilots = _list_pilots(pilot)
    expect_list(scores, "a list of scores", "scores")
    aims = {"difference": difference, "power": power, "confidence": confidence}
    for name, value in aims.items():
        least = _LEAST.get(name, 0)
        if not is_number(value) or not least < value < 1:
            problem = f"expected a number between {least:g} and 1, got {shown(value)}"
            raise InputError(problem, where=name)
    if power <= 1 - confidence:
        raise InputError(
            f"expected more than {1 - confidence:g}, the level of the test", where="power"
        )
    aim = Aim(**aims)
    first = Score(pilots[0][0])
    known = first.counts.rates(first.counts.rows[:1])
    for key in scores:
        check_resampled(first.counts, key, known)
    clusters = find_clusters(cluster)
    units = [stack_units(of, clusters) for of in pilots]
    if any(len(of) < _MOST for of in units):
        raise InputError(f"expected a pilot of at least two documents, got {min(map(len, units))}")
    size = sum(map(len, units))
    warn_of_little(size, clustered=clusters is not None)
    _warn_of_shared(pilots)
    moved = [_find_influences(*of) for of in zip(pilots, units, strict=True)]
    return Planned(
        [_plan_score(key, [of[key] for of in moved], aim) for key in scores or first.headline],
        aim,
        size,
        len(pilots),
        str(first.signature),
        "clusters" if clusters else "documents",
    )


def _list_pilots(given: object) -> list[list[Counts]]:
    """Return the counts of each pilot's systems on the same documents."""
    every: list[object] = list(given) if is_list(given) else [given]
    several = bool(every) and all(map(is_list, every))
    found = [list_counts(Counts, of) for of in (every if several else [every])]
    for of in found:
        if not 1 <= len(of) <= _MOST:
            raise InputError(f"expected the counts of one or two systems, got {len(of)}")
        found[0][0].check_same_kind(of[0])
    if len({len(of) for of in found}) > 1:
        raise InputError("expected the same number of systems in each pilot, got one and two")
    return [align_counts(of) for of in found]


def _warn_of_shared(pilots: Sequence[Sequence[Counts]]) -> None:
    """Warn about documents that are in several pilots, which make the range too narrow."""
    named = [
        {key for key in zip(of[0].documents, of[0].digests.tolist(), strict=True) if key[1]}
        for of in pilots
    ]
    shared = sum(map(len, named)) - len(set().union(*named))
    if shared:
        message = "{n} {document is|documents are} in more than one pilot: the range is too narrow"
        warn(f"{message}. Use pilots with other documents", n=shared)


@dataclass(frozen=True, slots=True, eq=False)
class _Moved:
    """A pilot's difference, and the influence of each unit on it, ``[u]``, in units of 1 / u."""

    difference: float | None
    influence: FloatArray


def _find_influences(pilot: Sequence[Counts], units: FloatArray) -> dict[str, _Moved]:
    """Map scores to the influence of each unit on the difference, also if there is one system."""
    totals, sides = units.sum(axis=0, keepdims=True), len(pilot)
    whole, rest = (
        [of.rates(part) for of, part in zip(pilot, np.hsplit(table, sides), strict=True)]
        for table in (totals, totals - units)
    )
    found = {}
    for key in whole[0]:
        without = rest[1][key] - rest[0][key] if sides > 1 else rest[0][key] * sqrt(2)
        difference = float(whole[1][key][0] - whole[0][key][0]) if sides > 1 else None
        found[key] = _Moved(difference, (without.mean() - without) * (len(units) - 1))
    return found


def _plan_score(key: str, pilots: Sequence[_Moved], aim: Aim) -> Plan:
    moved = [of.influence for of in pilots]
    spread = Spread.of(moved)
    observed = [len(of.influence) * of.difference for of in pilots if of.difference is not None]
    mean = sum(observed) / spread.units if observed else None
    deviation = sqrt(spread.variance)
    if not spread.varies:
        return Plan(key, mean, deviation, spread.freedom, None, None, None, None)
    low, high = find_range(moved, aim)
    visible = aim.reach(spread.freedom) * deviation / sqrt(spread.units)
    needed = max(ceil(spread.needed(aim)), 1)
    return Plan(key, mean, deviation, spread.freedom, needed, low, high, visible)
