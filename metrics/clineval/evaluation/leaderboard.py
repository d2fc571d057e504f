"""A leaderboard: systems with their ranks, and which neighbours a test does not separate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from clineval.base.errors import InputError
from clineval.evaluation.compare import Testing, compare_runs
from clineval.evaluation.comparison import Comparison, Difference
from clineval.evaluation.runs import runs_of
from clineval.results.tables import Sheet, Table, format_value
from clineval.stats.confidence import Confidence
from clineval.stats.significance import TESTS, correct_by_holm

LEVEL = 0.05
"""The p-value from which two neighbouring systems are not separated."""
_NOTE = (
    "Separated from above: whether p of the difference from the next better system, corrected by "
    f"Holm's method, is below {LEVEL}."
)


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a system.

    Args:
        rank: its rank; systems with equal scores share a rank.
        p: the p-value of its difference from the system above, corrected by Holm's method for the
            number of neighbours; None for the first system.
    """

    rank: int
    p: float | None

    @property
    def separated(self) -> bool | None:
        """Whether the test separates it from the system above; None for the first system."""
        return None if self.p is None else self.p < LEVEL


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Systems in the order of the score that ranks them.

    Args:
        comparison: the comparison of all systems.
        key: the score that ranks systems.
        places: the names of systems to their places, the best first.
    """

    comparison: Comparison
    key: str
    places: Mapping[str, Place]

    def sheet(self) -> Sheet:
        """Lay out the leaderboard: the ranking score with its interval, and other main scores."""
        others = [key for key in self.comparison.headline if key != self.key]
        head = ("rank", self.key, "interval", "separated from above", *others)
        compared = self.comparison
        return Sheet(
            lambda: [Table("Leaderboard", head, tuple(self._row(n, others) for n in self.places))],
            lambda: self._describe([self.key, *others]),
            heading=compared.heading,
            signature=compared.signature_line,
            notes=lambda: [_NOTE],
        )

    def _describe(self, keys: list[str]) -> dict[str, object]:
        places = [
            {
                "system": name,
                "rank": place.rank,
                "p_from_above": place.p,
                "separated_from_above": place.separated,
                "scores": {key: self.comparison.scores[name].values[key] for key in keys},
            }
            for name, place in self.places.items()
        ]
        signature = str(self.comparison.signature)
        return {"score": self.key, "places": places, "signature": signature}

    def _row(self, name: str, others: list[str]) -> tuple[str, ...]:
        score, place = self.comparison.scores[name], self.places[name]
        words = {None: "", True: "yes", False: "no"}[place.separated]
        p = "" if place.p is None else f" (p = {place.p:.3f})"
        values = (format_value(score.shown[key]) for key in others)
        shown = format_value(score.shown[self.key]), score.format_interval(self.key)
        return (name, str(place.rank), *shown, f"{words}{p}", *values)


def rank_systems(comparison: Comparison) -> Leaderboard:
    """Rank the systems of a comparison by the score that ranks systems of its challenge.

    Each system is compared with the next better one by the test of the comparison.

    Raises:
        InputError: the test of the comparison needs more than counts.

    Examples:
        >>> from clineval import compare
        >>> gold = [[{"spans": [[k, k + 1]], "cui": "C1"}] for k in range(8)]
        >>> systems = {"A": gold[:2] + [[]] * 6, "B": gold[:7] + [[]]}
        >>> board = rank_systems(compare("semeval15_task14", systems, gold))
        >>> board.key, [(name, place.rank) for name, place in board.places.items()]
        ('f1_x_weighted_accuracy', [('B', 1), ('A', 2)])
    """
    if comparison.test not in TESTS:
        problem = f"expected a test by counts, got {comparison.test!r}"
        raise InputError(problem, where="leaderboard", remedy=f"Choose one of {', '.join(TESTS)}")
    score = comparison.scores[comparison.baseline]
    [key, *_] = score.challenge.measures.rank_by(score.config)
    ranks = comparison.rank(key)
    found = [_compare(comparison, above, below)[key] for above, below in pairwise(ranks)]
    corrected = correct_by_holm([each.p for each in found])
    ps = [None, *corrected]
    places = {name: Place(ranks[name], p) for name, p in zip(ranks, ps, strict=True)}
    return Leaderboard(comparison, key, places)


def _compare(comparison: Comparison, above: str, below: str) -> Mapping[str, Difference]:
    """Compare two systems as the comparison does."""
    how = comparison.scores[above].confidence or Confidence()
    runs = {name: runs_of(comparison.scores[name]) for name in (above, below)}
    testing = Testing(comparison.test, comparison.trials, how, ("all",))
    return compare_runs(runs, testing).differences[below]
