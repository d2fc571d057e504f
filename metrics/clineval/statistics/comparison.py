"""Several systems on the same documents: scores, intervals, differences, p-values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clineval.arrays import FloatArray
from clineval.counts import Counts
from clineval.errors import InputError, listed
from clineval.registry import check_name, find_challenge
from clineval.scores import Score
from clineval.signature import Signature
from clineval.statistics.confidence import Confidence, check_whole
from clineval.statistics.resampling import bootstrap, order_rows
from clineval.statistics.significance import TESTS, correct_by_holm, differences_of


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
    """

    value: float
    low: float
    high: float
    p: float
    p_holm: float
    exact: bool


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Systems compared with a baseline.

    Args:
        scores: system name to its scores, with intervals; the first one is the baseline.
        differences: name of each other system to the differences in all scores.
        test: ``ar`` or ``bootstrap``.
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
    def headline(self) -> tuple[str, ...]:
        """The scores that are shown unless others are asked for."""
        return headline_of(self.scores[self.baseline])

    @property
    def signature(self) -> Signature:
        """What the comparison depends on."""
        of_baseline = self.scores[self.baseline].signature
        settings = dict(of_baseline.settings)
        version = settings.pop("v")
        settings |= {"test": self.test, "trials": str(self.trials), "v": version}
        return replace(of_baseline, settings=settings)

    def __repr__(self) -> str:
        from clineval.report.comparisons import as_text

        return as_text(self)


def headline_of(score: Score) -> tuple[str, ...]:
    """The main scores of a challenge; all of them if it names none."""
    scores = [key for key in score.values if key not in (*score.counts.columns, "n_documents")]
    main = find_challenge(score.metric).headline
    return tuple(key for key in main if key in scores) or tuple(scores)


def compare(  # noqa: PLR0913 - one function for all
    module: str,
    systems: Mapping[str, Any],
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    test: str = "ar",
    trials: int = 10_000,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 12345,
    interval: str = "percentile",
    **options: Any,
) -> Comparison:
    """Compare systems on the same references; the first one is the baseline.

    Args:
        module: the metric.
        systems: name to predictions, each as in ``clineval.score``.
        references: the gold standard.
        config: which part of the challenge.
        protocol: ``spec`` or ``official``.
        test: ``ar``, approximate randomization, or ``bootstrap``, the paired bootstrap; see
            :mod:`clineval.statistics.significance`.
        trials: of the test.
        confidence: the level of the intervals.
        n_resamples: how many corpora are drawn for them.
        seed: of the test and of the drawing.
        interval: ``percentile`` or ``bca``; intervals of differences are percentile intervals.
        options: the challenge's own options.

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
    from clineval.scoring import count

    counts = {
        name: count(module, predictions, references, config=config, protocol=protocol, **options)
        for name, predictions in systems.items()
    }
    return compare_counts(
        counts,
        test=test,
        trials=trials,
        confidence=confidence,
        n_resamples=n_resamples,
        seed=seed,
        interval=interval,
    )


def compare_counts(  # noqa: PLR0913 - as compare
    systems: Mapping[str, Counts],
    *,
    test: str = "ar",
    trials: int = 10_000,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 12345,
    interval: str = "percentile",
) -> Comparison:
    """Compare systems whose counts are at hand; the arguments are those of :func:`compare`.

    Raises:
        InputError: the systems were not counted against the same references.
    """
    if len(systems) < 2:  # noqa: PLR2004 - it takes two
        raise InputError(f"expected at least two systems, got {len(systems)}")
    check_name("test", test, TESTS)
    check_whole("trials", trials, 1)
    how = Confidence(confidence, n_resamples, seed, interval)
    aligned = dict(zip(systems, align_counts(list(systems.values())), strict=True))
    baseline, *others = aligned.values()
    found = [_compare_two(baseline, other, test, trials, how) for other in others]
    corrected = {
        key: correct_by_holm([of_system[key].p for of_system in found]) for key in found[0]
    }
    differences = {
        name: {key: replace(of[key], p_holm=corrected[key][k]) for key in of}
        for k, (name, of) in enumerate(zip(list(systems)[1:], found, strict=True))
    }
    scores = {name: Score(counts, how) for name, counts in aligned.items()}
    return Comparison(scores, differences, test, trials)


def align_counts(systems: Sequence[Counts]) -> list[Counts]:
    """Counts with the same documents in the same order.

    A document that only some systems have, such as one that is not in the gold standard, counts
    nothing for the others.

    Raises:
        InputError: other references, another challenge, other options.
    """
    first = systems[0]
    for counts in systems[1:]:
        differing = sorted(dict(first.kind.items() ^ counts.kind.items()))
        if differing or first.columns != counts.columns:
            raise InputError(
                f"counts that differ in {', '.join(differing) or 'columns'} cannot be compared"
            )
    if any(counts.documents != first.documents for counts in systems):
        names = tuple(dict.fromkeys(name for counts in systems for name in counts.documents))
        systems = [_fill(counts, names) for counts in systems]
    _check_references(systems)
    return list(systems)


def _fill(counts: Counts, names: tuple[str, ...]) -> Counts:
    """The counts with rows for all these documents; new rows are 0."""
    at = {name: row for row, name in enumerate(names)}
    rows = [at[name] for name in counts.documents]
    if len(set(rows)) < len(rows):
        raise InputError(
            "systems whose documents differ cannot be compared where names stand for several "
            "documents",
            remedy="Give every document a name of its own",
        )
    table = np.zeros((len(names), len(counts.columns)))
    digests = np.zeros(len(names), np.uint64)
    table[rows], digests[rows] = counts.table, counts.digests
    return replace(counts, documents=names, table=table, digests=digests, details=())


def _check_references(systems: Sequence[Counts]) -> None:
    digests = np.stack([counts.digests for counts in systems])
    known = digests.max(axis=0)
    other = np.any((digests != known) & (digests != 0), axis=0)
    if other.any():
        names = [systems[0].documents[row] for row in np.flatnonzero(other)]
        raise InputError(
            f"the systems were counted against other references in {len(names)} documents: "
            f"{listed(names)}"
        )


def _compare_two(
    baseline: Counts, other: Counts, test: str, trials: int, how: Confidence
) -> dict[str, Difference]:
    left, right = _in_order(baseline.table, other.table)
    values, exact = TESTS[test](baseline, left, right, trials, how.seed)
    both = np.hstack([left, right])
    observed = differences_of(baseline, both.sum(axis=0, keepdims=True))
    drawn = differences_of(baseline, bootstrap(both, how.n_resamples, how.seed))
    percentile = replace(how, interval="percentile")
    differences = {}
    for key, value in observed.items():
        bounds = percentile.bounds(drawn[key], float(value[0]), value)
        differences[key] = Difference(
            float(value[0]), *bounds, values[key], values[key], exact=exact
        )
    return differences


def _in_order(left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Both tables in an order that does not depend on the order in which documents came."""
    order = order_rows(np.hstack([left, right]))
    return left[order], right[order]
