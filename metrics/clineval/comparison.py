"""Several systems on the same documents: scores, intervals, differences, p-values."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from clineval.aligned import align_counts
from clineval.arrays import FloatArray
from clineval.challenge import check_name
from clineval.errors import InputError
from clineval.evaluation import Evaluation, evaluate_all
from clineval.right_items import find_right
from clineval.runs import (
    Runs,
    RunScore,
    count_units,
    differences_of_runs,
    make_score,
    probability_of,
    runs_of,
)
from clineval.scores import Counts, Score
from clineval.signature import Signature
from clineval.statistics.cautions import warn_of_few_runs, warn_of_little
from clineval.statistics.confidence import MOST_DRAWN, Confidence, check_whole
from clineval.statistics.intervals import METHODS, Drawn
from clineval.statistics.resampling import bootstrap
from clineval.statistics.significance import TESTS, correct_by_holm, differences_of, mcnemar
from clineval.statistics.units import make_units
from clineval.tables import Sheet, Table, as_text, format_interval, format_value


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
        """The smallest p that the test can give: of random trials that none reached."""
        drawn = not self.differences[system][key].exact and self.test in TESTS
        return 1 / (self.trials + 1) if drawn else 0.0

    def choose_keys(self, keys: Sequence[str] = ()) -> Sequence[str]:
        """The scores to show: those asked for, all of them for ``all``, else the main ones.

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
        """The p-values by Holm's method for the number of systems and of scores together.

        Args:
            keys: the scores that are looked at.

        Returns:
            System to score to p.
        """
        places = [(name, key) for name in self.differences for key in keys]
        corrected = correct_by_holm([self.differences[name][key].p for name, key in places])
        found: dict[str, dict[str, float]] = {name: {} for name in self.differences}
        for (name, key), p in zip(places, corrected, strict=True):
            found[name][key] = p
        return found

    def sheet(self, keys: Sequence[str] = ()) -> Sheet:
        """The comparison for any writer of :mod:`clineval.tables`.

        Args:
            keys: the scores; the main ones unless given.
        """
        chosen = keys or self.headline
        corrected = self.correct_all(chosen)
        return Sheet(
            lambda: [_tabulate(self, key, corrected) for key in chosen],
            lambda: _describe(self, chosen, corrected),
            lambda: _list(self, chosen, corrected),
            self.heading,
            str(self.signature),
        )

    def __repr__(self) -> str:
        return as_text(self.sheet())


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


def compare(
    module: str,
    systems: Mapping[str, Any],
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    **options: Any,
) -> Comparison:
    """Compare systems on the same references; the first one is the baseline.

    Args:
        module: the metric.
        systems: name to predictions, each as in ``clineval.score``, or to ``clineval.Runs`` of
            several.
        references: the gold standard.
        config: which part of the challenge.
        protocol: ``spec`` or ``official``.
        options: the challenge's own options; and ``test``, ``trials``, ``confidence``,
            ``n_resamples``, ``seed``, ``interval`` and ``cluster``, as :func:`compare_counts`
            takes them; ``test`` may also be ``mcnemar``, for accuracies over given items.

    Raises:
        InputError: less than two systems, an unknown name, or input that cannot be scored.

    Examples:
        >>> gold = [[{"spans": [[k, k + 1]], "cui": "C1"}] for k in range(8)]
        >>> better, worse = gold[:7] + [[]], gold[:2] + [[]] * 6
        >>> result = compare("semeval15_task14", {"A": worse, "B": better}, gold)
        >>> difference = result.differences["B"]["strict_recall"]
        >>> difference.value, difference.p, difference.exact
        (0.625, 0.0625, True)
    """
    known = inspect.signature(compare_counts).parameters
    how = {name: options.pop(name) for name in known if name in options}
    asked = {"config": config, "protocol": protocol, **options}
    runs = [
        (name, run)
        for name, given in systems.items()
        for run in (given if isinstance(given, Runs) else [given])
    ]
    every = {str(k): run for k, (_, run) in enumerate(runs)}
    evaluations = evaluate_all(module, every, references, **asked)
    counts: dict[str, list[Counts]] = {name: [] for name in systems}
    for (name, _), evaluation in zip(runs, evaluations.values(), strict=True):
        counts[name].append(evaluation.counts)
    if how.get("test") == MCNEMAR:
        if len(runs) > len(systems) or how.get("cluster") is not None:
            raise InputError(
                "McNemar's test takes each item for itself, and one run of a system",
                remedy="Leave out clusters and further runs, or choose another test",
            )
        return _compare_items(compare_counts(counts, **{**how, "test": "ar"}), evaluations)
    return compare_counts(counts, **how)


def _compare_items(comparison: Comparison, evaluations: Mapping[str, Evaluation]) -> Comparison:
    """The same with McNemar's p for accuracies, and without all other scores."""
    baseline, *others = (find_right(evaluation) for evaluation in evaluations.values())
    if not baseline:
        raise InputError(
            "McNemar's test compares accuracies over given items, which this challenge has not",
            remedy="Choose another test",
        )
    values = [{key: mcnemar(baseline[key], of[key]) for key in baseline} for of in others]
    found = {}
    for k, (name, of_system) in enumerate(comparison.differences.items()):
        corrected = {key: correct_by_holm([p[key] for p in values])[k] for key in baseline}
        found[name] = {
            key: replace(of_system[key], p=values[k][key], p_holm=corrected[key], exact=True)
            for key in baseline
        }
    return replace(comparison, differences=found, test=MCNEMAR)


def compare_counts(  # noqa: PLR0913 - one function for all
    systems: Mapping[str, Counts | Sequence[Counts]],
    *,
    test: str = "ar",
    trials: int = 10_000,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 12345,
    interval: str = "auto",
    cluster: Any = None,
) -> Comparison:
    """Compare systems whose counts are at hand; the first one is the baseline.

    Args:
        systems: name to counts, or to those of several runs (:mod:`clineval.runs`). If any has
            several, ``test`` and ``trials`` are not looked at.
        test: ``ar``, approximate randomization, or ``bootstrap``, the paired bootstrap; see
            :mod:`clineval.statistics.significance`.
        trials: of the test.
        confidence: the level of the intervals.
        n_resamples: how many corpora are drawn for them.
        seed: of the test and of the drawing.
        interval: as in ``clineval.score``; of differences ``auto`` takes ``student`` or
            ``percentile``, all others ``percentile``.
        cluster: which documents are drawn and swapped together, as in ``clineval.score``.

    Raises:
        InputError: the systems were not counted against the same references.
    """
    if len(systems) < 2:  # noqa: PLR2004 - a pair
        raise InputError(f"expected at least two systems, got {len(systems)}")
    check_name("test", test, TESTS)
    check_whole("trials", trials, 1, MOST_DRAWN)
    how = Confidence(confidence, n_resamples, seed, interval, cluster)
    runs = {n: [of] if isinstance(of, Counts) else list(of) for n, of in systems.items()}
    aligned = iter(align_counts([counts for of_system in runs.values() for counts in of_system]))
    scores = {name: make_score([next(aligned) for _ in of], how) for name, of in runs.items()}
    baseline, *others = scores.values()
    warn_of_little(count_units(baseline), clustered=how.cluster is not None)
    several = any(isinstance(score, RunScore) for score in scores.values())
    if several:
        warn_of_few_runs(min(len(runs_of(s)) for s in scores.values() if isinstance(s, RunScore)))
        test, found = RUNS, [_compare_runs(baseline, other, how) for other in others]
    else:
        found = [_compare_two(baseline.counts, o.counts, test, trials, how) for o in others]
    corrected = {
        key: correct_by_holm([of_system[key].p for of_system in found]) for key in found[0]
    }
    differences = {
        name: {key: replace(of[key], p_holm=corrected[key][k]) for key in of}
        for k, (name, of) in enumerate(zip(list(systems)[1:], found, strict=True))
    }
    return Comparison(scores, differences, test, trials)


def _compare_two(
    baseline: Counts, other: Counts, test: str, trials: int, how: Confidence
) -> dict[str, Difference]:
    both = _units_of_both(baseline, other, how)
    left, right = np.hsplit(both, 2)
    values, exact = TESTS[test](baseline.rates, left, right, trials, how.seed)
    observed = differences_of(baseline.rates, both.sum(axis=0, keepdims=True))
    drawn = differences_of(baseline.rates, bootstrap(both, how.n_resamples, how.seed))
    without = differences_of(baseline.rates, both.sum(axis=0, keepdims=True) - both)
    differences = {}
    for key, value in observed.items():
        found = how.enclose_difference(Drawn(float(value[0]), drawn[key], without[key]))
        p = values[key]
        differences[key] = Difference(
            float(value[0]), *found.bounds, p, p, exact=exact, method=found.method
        )
    return differences


def _compare_runs(baseline: Score, other: Score, how: Confidence) -> dict[str, Difference]:
    """Differences of means over runs; p is that of Student's t distribution."""
    differences = {}
    for key, drawn in differences_of_runs(baseline, other).items():
        p = probability_of(drawn)
        bounds = METHODS["student"](drawn, how.level)
        differences[key] = Difference(drawn.value, *bounds, p, p, exact=False, method="student")
    return differences


def _units_of_both(left: Counts, right: Counts, how: Confidence) -> FloatArray:
    """``[u, 2 k]``, the rows that are resampled: the counts of one system, then of the other."""
    digests = np.maximum(left.digests, right.digests)  # 0 where a system lacks a document
    both = np.hstack([left.table, right.table])
    return make_units(left.documents, digests, both, how.clusters)


def _tabulate(comparison: Comparison, key: str, corrected: Corrected) -> Table:
    """One score, a row for each system."""
    level = comparison.scores[comparison.baseline].confidence
    interval = f"{100 * level.level:g} %" if level else ""
    columns = ["score", interval, "difference", interval, "p"]
    rows = [list(_row(comparison, name, key)) for name in comparison.scores]
    if len(comparison.differences) > 1:
        columns.append("p (Holm)")
    else:
        rows = [row[:-1] for row in rows]
    if sum(map(len, corrected.values())) > len(comparison.differences):
        columns.append("p (Holm, all)")
        for row, name in zip(rows, comparison.scores, strict=True):
            p = corrected.get(name, {}).get(key)
            row.append("" if p is None else _format_p(p, comparison.least_p(name, key)))
    return Table(key, tuple(columns), tuple(map(tuple, rows)))


def _row(comparison: Comparison, system: str, key: str) -> tuple[str, ...]:
    name, score = system, comparison.scores[system]
    value = format_value(score.values[key])
    if isinstance(score, RunScore):
        name = f"{name} ({len(score.runs)} runs)"
        value = f"{value} ± {score.deviations[key]:.4f}"
    own = (name, value, format_interval(score.intervals[key]))
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
    """A p-value; of one that no random trial reached it is only known how small it is."""
    return f"{p:.4f}" if p > max(least, _SMALLEST) else f"< {max(least, _SMALLEST):.4f}"


def _describe(comparison: Comparison, keys: Sequence[str], corrected: Corrected) -> dict[str, Any]:
    """``systems`` has the scores, ``differences`` those from the baseline."""
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
    comparison: Comparison, keys: Sequence[str], corrected: Corrected
) -> Iterator[Sequence[object]]:
    """A line for each score and system."""
    names = ("difference", "difference_low", "difference_high", "p", "p_holm", "exact", "method")
    own_names = ("score", "system", "value", "low", "high", "sd", "runs")
    yield (*own_names, *names, "p_holm_all", "signature")
    for key in keys:
        for name, score in comparison.scores.items():
            of_system = comparison.differences.get(name)
            found = asdict(of_system[key]).values() if of_system else [""] * len(names)
            deviation = score.deviations[key] if isinstance(score, RunScore) else ""
            runs = len(runs_of(score))
            own = (key, name, score.values[key], *score.intervals[key], deviation, runs)
            p = corrected[name][key] if of_system else ""
            yield (*own, *found, p, str(comparison.signature))
