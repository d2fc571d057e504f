"""Planning: how many documents are needed to see a difference, from the counts of pilots.

The formula and the range are those of :mod:`clineval.stats.planning`. Of a pilot with one
system, the other is taken to be as variable and to err elsewhere: the variance is twice that of the
score, which is more than two systems on the same documents usually need. A pilot in which no
document differs from the others in a score says nothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil, sqrt

import numpy as np

from clineval.base.arrays import FloatArray, expect_list, is_list, is_number
from clineval.base.errors import InputError, shown, warn
from clineval.evaluation.runs import stack_units
from clineval.results.counts import align_counts, list_counts
from clineval.results.options import check_name
from clineval.results.scores import Counts, Score
from clineval.results.tables import Sheet, Table, format_value
from clineval.stats.cautions import warn_of_little
from clineval.stats.clusters import find_clusters
from clineval.stats.planning import Aim, Spread, find_range

_MOST = 2
_LEAST = {"difference": 1e-6}


@dataclass(frozen=True, slots=True)
class Plan:
    """What it takes to see a difference in one score.

    Args:
        score: its key.
        observed: the pilot's difference, of several pilots the mean over their documents; None if
            they have one system.
        deviation: the standard deviation of the difference over one document.
        freedom: the degrees of freedom of its square, fewer where it rests on few documents.
        documents: how many are needed (clusters, if the pilot's documents are in clusters); None
            if the pilot does not vary.
        low: half of other pilots of that size would say a number between this one and ``high``;
            None as above.
        high: see ``low``.
        visible: the smallest difference that as many documents as the pilot's show; None as above.
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
        plans: one for each score.
        aim: the difference that is to be seen, how often, and the level of the test.
        pilot: how many documents, or clusters, the pilot has; of several pilots, all together.
        pilots: how many pilots there are.
        signature: of the pilot's first counts.
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
        """What is to be seen, and how often."""
        level = f"{100 * self.aim.power:g} % power at {100 * self.aim.confidence:g} %"
        return f"a difference of {self.aim.difference:g} with {level}"

    def sheet(self) -> Sheet:
        """Lay the plans out for any writer of :mod:`clineval.results.tables`."""
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
        table = Table(f"To see {self.title}, from {self.pilot} {self.unit}{several}", columns, rows)
        data = {
            **asdict(self.aim),
            "unit": self.unit,
            "pilot": self.pilot,
            "pilots": self.pilots,
            "plans": [asdict(plan) for plan in self.plans],
            "signature": self.signature,
        }
        notes = ["range: what half of other pilots of that size would say"]
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
    """Plan how many documents are needed to see a difference between two systems.

    Args:
        pilot: the counts of one system, or of two on the same documents; or several pilots, a list
            of such lists. The more documents they have, the narrower the range.
        difference: the smallest difference that is worth seeing, such as 0.02.
        power: how often it is to be seen where there is one.
        confidence: 1 minus the probability of seeing one where there is none.
        scores: keys; the main ones unless given.
        cluster: which documents belong together, as in ``clineval.score``.

    Returns:
        For each score how many documents are needed, with the range that the pilot leaves open.

    Raises:
        InputError: another number of systems, values that cannot be, or an unknown score.

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
    known = first.counts.rates(first.counts.table[:1])
    for key in scores:
        check_name("score", key, known)
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
            raise InputError(f"expected the counts of one system or of two, got {len(of)}")
        found[0][0].check_same_kind(of[0])
    if len({len(of) for of in found}) > 1:
        raise InputError("expected pilots of one system each, or of two systems each, got both")
    return [align_counts(of) for of in found]


def _warn_of_shared(pilots: Sequence[Sequence[Counts]]) -> None:
    """Warn of documents that are in several pilots, which say less than they seem to."""
    named = [
        {key for key in zip(of[0].documents, of[0].digests.tolist(), strict=True) if key[1]}
        for of in pilots
    ]
    shared = sum(map(len, named)) - len(set().union(*named))
    if shared:
        message = "{n} {document is|documents are} in more than one pilot: the range is too narrow"
        warn(f"{message}. Give pilots of other documents", n=shared)


@dataclass(frozen=True, slots=True, eq=False)
class _Moved:
    """A pilot's difference, and how far each unit moves it, ``[u]``, as multiples of 1 / u."""

    difference: float | None
    influence: FloatArray


def _find_influences(pilot: Sequence[Counts], units: FloatArray) -> dict[str, _Moved]:
    """Map scores to what each unit does to the difference; of one system, as if there were two."""
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
