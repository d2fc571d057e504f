"""What a comparison of systems found, and its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from clineval.base.errors import InputError
from clineval.base.signature import Signature
from clineval.evaluation.runs import RunScore, runs_of
from clineval.results.options import check_name
from clineval.results.scores import Score
from clineval.results.tables import Sheet, Table, as_text, format_interval, format_value
from clineval.statistics.significance import TESTS, correct_by_holm

MCNEMAR, RUNS = "mcnemar", "runs"
"""Tests of their own: of accuracies, and where a system has several runs."""
_TESTS = {
    "ar": "approximate randomization",
    "bootstrap": "paired bootstrap",
    MCNEMAR: "McNemar's exact test",
    RUNS: "t test over documents and runs",
}
Corrected = Mapping[str, Mapping[str, float]]
"""System to score to p, corrected for all of them."""
_SMALLEST = 0.0001  # with four decimals


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better a system is than the baseline, in one score.

    Args:
        value: the system's score minus the baseline's.
        low: lower bound of its interval, by drawing documents.
        high: upper bound.
        p: the probability of such a difference between equally good systems.
        p_holm: the same, corrected by Holm's method for the number of systems.
        exact: whether p is that of all possible trials, and not of random ones.
        method: how the interval was made: ``percentile`` or ``student``.
    """

    value: float
    low: float
    high: float
    p: float
    p_holm: float
    exact: bool
    method: str


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Systems compared with a baseline.

    Args:
        scores: system name to its scores, with intervals; the first one is the baseline.
        differences: name of each other system to the differences in all scores.
        test: ``ar``, ``bootstrap``, ``mcnemar``, or ``runs`` if a system has several.
        trials: how many trials the test has at most.
    """

    scores: Mapping[str, Score]
    differences: Mapping[str, Mapping[str, Difference]]
    test: str
    trials: int

    @property
    def baseline(self) -> str:
        """The name of the system that the others are compared with."""
        name, *_ = self.scores
        return name

    @property
    def compared(self) -> tuple[str, ...]:
        """The scores that were compared."""
        first = next(iter(self.differences.values()))
        return tuple(first)

    @property
    def headline(self) -> tuple[str, ...]:
        """The scores that are shown unless others are asked for."""
        main = self.scores[self.baseline].headline
        return tuple(key for key in main if key in self.compared) or self.compared

    @property
    def signature(self) -> Signature:
        """What the comparison depends on."""
        of_baseline = self.scores[self.baseline].signature
        settings = dict(of_baseline.settings)
        version = settings.pop("v")
        settings["test"] = self.test
        if self.test in TESTS:
            settings["trials"] = str(self.trials)
        if self.test == RUNS:
            settings["runs"] = ",".join(str(len(runs_of(s))) for s in self.scores.values())
        settings["v"] = version
        return replace(of_baseline, settings=settings)

    @property
    def heading(self) -> str:
        """What was compared, in a line."""
        if self.test not in TESTS:
            return f"{self.scores[self.baseline].heading}; {_TESTS[self.test]}"
        exact = {found.exact for of in self.differences.values() for found in of.values()}
        trials = "all possible trials" if exact == {True} else f"{self.trials} trials"
        return f"{self.scores[self.baseline].heading}; {_TESTS[self.test]}, {trials}"

    def least_p(self, system: str, key: str) -> float:
        """Return the smallest p that the test can give, where no random trial reaches the value."""
        drawn = not self.differences[system][key].exact and self.test in TESTS
        return 1 / (self.trials + 1) if drawn else 0.0

    def rank(self, key: str) -> dict[str, int]:
        """Rank the systems by a score: name to rank, the best first; equals share a rank."""
        less = self.scores[self.baseline].challenge.measures.less_is_better
        sign = -1 if f"_{key}".endswith(tuple(f"_{name}" for name in less)) else 1
        values = {name: sign * score.values[key] for name, score in self.scores.items()}
        order = sorted(values, key=lambda name: -values[name])
        return {name: 1 + sum(v > values[name] for v in values.values()) for name in order}

    def choose_keys(self, keys: Sequence[str] = ()) -> Sequence[str]:
        """Choose the scores to show: those asked for, all of them for ``all``, else the main ones.

        Raises:
            InputError: there is no score of that name.
        """
        known = self.compared
        if list(keys) == ["all"]:
            return list(known)
        for key in keys:
            check_name("score", key, known)
        if not known:
            raise InputError("there are no scores to compare, only counts")
        return keys or self.headline

    def correct_all(self, keys: Sequence[str]) -> dict[str, dict[str, float]]:
        """Correct p-values by Holm's method for the number of systems and of scores together."""
        places = [(name, key) for name in self.differences for key in keys]
        corrected = correct_by_holm([self.differences[name][key].p for name, key in places])
        found: dict[str, dict[str, float]] = {name: {} for name in self.differences}
        for (name, key), p in zip(places, corrected, strict=True):
            found[name][key] = p
        return found

    def sheet(self, keys: Sequence[str] = (), *, ranked: bool = False) -> Sheet:
        """Lay the comparison out for any writer of :mod:`clineval.results.tables`.

        Without keys it shows the main scores; ``ranked`` puts the best system of each score first,
        in place of the order in which they were given.
        """
        chosen = keys or self.headline
        corrected = self.correct_all(chosen)
        return Sheet(
            lambda: [_tabulate(self, key, corrected, ranked=ranked) for key in chosen],
            lambda: _describe(self, chosen, corrected),
            lambda: _list(self, chosen, corrected, ranked=ranked),
            self.heading,
            str(self.signature),
        )

    def __repr__(self) -> str:
        return as_text(self.sheet())


def _ranks(comparison: Comparison, key: str, *, ranked: bool) -> Mapping[str, int]:
    """Rank the systems, in the order in which they are shown."""
    ranks = comparison.rank(key)
    return ranks if ranked else {name: ranks[name] for name in comparison.scores}


def _tabulate(comparison: Comparison, key: str, corrected: Corrected, *, ranked: bool) -> Table:
    """Tabulate one score, a row for each system."""
    level = comparison.scores[comparison.baseline].confidence
    interval = f"{100 * level.level:g} %" if level else ""
    columns = ["score", interval, "rank", "difference", interval, "p"]
    ranks = _ranks(comparison, key, ranked=ranked)
    rows = [list(_row(comparison, name, key, rank)) for name, rank in ranks.items()]
    if len(comparison.differences) > 1:
        columns.append("p (Holm)")
    else:
        rows = [row[:-1] for row in rows]
    if sum(map(len, corrected.values())) > len(comparison.differences):
        columns.append("p (Holm, all)")
        for row, name in zip(rows, ranks, strict=True):
            p = corrected.get(name, {}).get(key)
            row.append("" if p is None else _format_p(p, comparison.least_p(name, key)))
    return Table(key, tuple(columns), tuple(map(tuple, rows)))


def _row(comparison: Comparison, system: str, key: str, rank: int) -> tuple[str, ...]:
    name, score = system, comparison.scores[system]
    value = format_value(score.values[key])
    if isinstance(score, RunScore):
        name = f"{name} ({len(score.runs)} runs)"
        value = f"{value} ± {score.deviations[key]:.4f}"
    own = (name, value, format_interval(score.intervals[key]), str(rank))
    found = comparison.differences.get(system, {}).get(key)
    if found is None:
        return (*own, "baseline", "", "", "")
    least = comparison.least_p(system, key)
    return (
        *own,
        f"{found.value:+.4f}",
        format_interval((found.low, found.high)),
        _format_p(found.p, least),
        _format_p(found.p_holm, least),
    )


def _format_p(p: float, least: float) -> str:
    """Format a p-value; where no random trial reached the value, as less than a bound."""
    return f"{p:.4f}" if p > max(least, _SMALLEST) else f"< {max(least, _SMALLEST):.4f}"


def _describe(comparison: Comparison, keys: Sequence[str], corrected: Corrected) -> dict[str, Any]:
    """Describe scores: ``ranks`` begins with the best, ``differences`` are from the baseline."""
    score = comparison.scores[comparison.baseline]
    return {
        "metric": score.metric,
        "config": score.config,
        "protocol": score.protocol,
        "test": comparison.test,
        "baseline": comparison.baseline,
        "systems": {name: _values(score, keys) for name, score in comparison.scores.items()},
        "interval_methods": {
            name: {key: score.interval_methods[key] for key in keys}
            for name, score in comparison.scores.items()
        },
        "ranks": {key: comparison.rank(key) for key in keys},
        "differences": {
            name: {
                key: {**asdict(of_system[key]), "p_holm_all": corrected[name][key]} for key in keys
            }
            for name, of_system in comparison.differences.items()
        },
        "signature": str(comparison.signature),
    }


def _values(score: Score, keys: Sequence[str]) -> dict[str, float]:
    values = {**score.values, **score.bounds}
    if isinstance(score, RunScore):
        values |= {f"{key}_sd": score.deviations[key] for key in keys} | {"runs": len(score.runs)}
    named = [n for key in keys for n in (key, f"{key}_low", f"{key}_high", f"{key}_sd")]
    return {name: values[name] for name in (*named, "runs") if name in values}


def _list(
    comparison: Comparison, keys: Sequence[str], corrected: Corrected, *, ranked: bool
) -> Iterator[Sequence[object]]:
    """Yield a line for each score and system."""
    names = ("difference", "difference_low", "difference_high", "p", "p_holm", "exact", "method")
    own_names = ("score", "system", "value", "low", "high", "sd", "runs", "rank")
    yield (*own_names, *names, "p_holm_all", "signature")
    for key in keys:
        for name, rank in _ranks(comparison, key, ranked=ranked).items():
            score = comparison.scores[name]
            of_system = comparison.differences.get(name)
            found = asdict(of_system[key]).values() if of_system else [""] * len(names)
            deviation = score.deviations[key] if isinstance(score, RunScore) else ""
            runs = len(runs_of(score))
            own = (key, name, score.values[key], *score.intervals[key], deviation, runs, rank)
            p = corrected[name][key] if of_system else ""
            yield (*own, *found, p, str(comparison.signature))
