"""Several systems on the same documents: scores, intervals, differences, p-values."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from clineval.base.arrays import BoolArray
from clineval.base.errors import InputError, shown, warn
from clineval.base.subjects import about
from clineval.evaluation.comparison import MCNEMAR, RUNS, Comparison, Difference
from clineval.evaluation.counting.count import check_number, count_systems
from clineval.evaluation.evaluate import Evaluation, evaluate_systems, make_setup
from clineval.evaluation.runs import (
    Runs,
    RunScore,
    differences_of_runs,
    make_score,
    probability_of,
    runs_of,
    stack_units,
)
from clineval.results.aligned import align_counts, share_weights
from clineval.results.counts import list_counts
from clineval.results.options import check_name
from clineval.results.scorable import Counts
from clineval.results.scores import Score
from clineval.stats.cautions import (
    choose_asked,
    warn_of_few_runs,
    warn_of_little,
    warn_of_patients,
    warn_of_test,
)
from clineval.stats.confidence import (
    LEAST,
    MOST_DRAWN,
    NO_INTERVAL,
    UNDEFINED,
    Confidence,
    check_whole,
)
from clineval.stats.intervals import METHODS, Drawn, differ_at_most
from clineval.stats.resampling import bootstrap
from clineval.stats.significance import TESTS, correct_by_holm, count_differing, mcnemar

_ACCURACY, _CORRECT = "_accuracy", "_correct"


def compare(
    module: str,
    systems: Mapping[str, object],
    references: object,
    *,
    config: str = "default",
    protocol: str = "spec",
    **options: Any,
) -> Comparison:
    """Compare systems on the same references; the first system is the baseline.

    Args:
        module: the metric.
        systems: maps names to predictions, each as in ``clineval.score``, or to ``clineval.Runs``
            with several runs.
        references: the gold standard.
        config: the configuration of the challenge.
        protocol: ``spec``, ``official``, or another protocol of the challenge.
        options: the challenge's own options; ``test``, ``trials``, ``confidence``,
            ``n_resamples``, ``seed``, ``interval``, ``cluster`` and ``asked`` of
            :func:`compare_counts`; and ``jobs`` of ``clineval.count``. ``test`` can also be
            ``mcnemar``, for accuracies over given items.

    Returns:
        The scores of all systems with their intervals, and the differences from the baseline.

    Raises:
        InputError: fewer than two systems, an unknown name, or input that cannot be scored.

    Examples:
        >>> gold = [[{"spans": [[k, k + 1]], "cui": "C1"}] for k in range(8)]
        >>> better, worse = gold[:7] + [[]], gold[:2] + [[]] * 6
        >>> result = compare("semeval15_task14", {"A": worse, "B": better}, gold)
        >>> difference = result.differences["B"]["strict_recall"]
        >>> difference.value, difference.p, difference.exact
        (0.625, 0.0625, True)
    """
    jobs = options.pop("jobs", None)
    check_number("jobs", jobs)
    _check_names(systems)
    testing = take_testing(options)
    check_name("test", testing.test, [*TESTS, MCNEMAR])
    setup = make_setup(module, config, protocol, **options)
    runs = {name: of if isinstance(of, Runs) else Runs([of]) for name, of in systems.items()}
    every = {str(number): run for number, run in enumerate(chain(*runs.values()))}
    names = [
        f"{name}, run {number}" if len(of) > 1 else name
        for name, of in runs.items()
        for number in range(1, len(of) + 1)
    ]
    if testing.test != MCNEMAR:
        counts = iter(count_systems(setup, every, references, jobs, names).values())
        return compare_runs(
            {name: [next(counts) for _ in of] for name, of in runs.items()}, testing
        )
    evaluations = evaluate_systems(setup, every, references, names)
    if len(every) > len(systems) or testing.confidence.cluster is not None:
        raise InputError(
            "McNemar's test does not support clusters or several runs of a system",
            remedy="Leave out clusters and further runs, or choose another test",
        )
    pairs = zip(systems, evaluations.values(), strict=True)
    compared = compare_runs({name: [of.counts] for name, of in pairs}, replace(testing, test="ar"))
    return _compare_items(compared, evaluations)


@dataclass(frozen=True, slots=True)
class Testing:
    """The test of systems; the arguments are those of :func:`compare_counts`."""

    test: str
    trials: int
    confidence: Confidence
    asked: tuple[str, ...] = ()


def take_testing(options: dict[str, Any]) -> Testing:
    """Remove the arguments of :func:`compare_counts` from options; a challenge's options stay."""
    _, *known = inspect.signature(compare_counts).parameters.values()
    given = [options.pop(each.name, each.default) for each in known]
    test, trials, *drawing, asked = given
    return Testing(test, trials, Confidence(*drawing), tuple(asked))


def _compare_items(comparison: Comparison, evaluations: Mapping[str, Evaluation]) -> Comparison:
    """Replace p-values of accuracies by McNemar's, and leave out all other scores."""
    baseline, *others = (_find_right(evaluation) for evaluation in evaluations.values())
    if not baseline:
        raise InputError(
            "McNemar's test needs accuracies over given items, and this challenge has none",
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


def _find_right(evaluation: Evaluation) -> Mapping[str, BoolArray]:
    """Map the key of each accuracy to ``[n]``, whether each of the ``n`` gold items is right.

    An accuracy is included if its right items are counted, as ``strict_correct`` for
    ``strict_accuracy``. The mapping is empty if there are none.

    Examples:
        >>> from clineval import evaluate
        >>> found = evaluate("clefehealth13_task2", ["C1", "C9"], ["C1", "C2"])
        >>> _find_right(found)["strict_accuracy"].tolist()
        [True, False]
    """
    if not evaluation.challenge.steps.listed:
        return {}
    outcomes, scores = evaluation.outcomes, evaluation.counts.score().values
    found = {}
    for match in outcomes.matches.values():
        for column in match.columns:
            key = f"{column.removesuffix(_CORRECT)}{_ACCURACY}"
            if column.endswith(_CORRECT) and key in scores:
                right = np.zeros(len(outcomes.gold), np.bool_)
                right[match.gold[match.rows(column)]] = True
                found[key] = right
    return found


def compare_counts(  # noqa: PLR0913 - one function for all
    systems: Mapping[str, Counts | Sequence[Counts]],
    *,
    test: str = "ar",
    trials: int = 10_000,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 12345,
    interval: str = "auto",
    cluster: object = None,
    asked: Sequence[str] = (),
) -> Comparison:
    """Compare systems by their counts; the first system is the baseline.

    Args:
        systems: maps names to counts, or to the counts of several runs
            (:mod:`clineval.evaluation.runs`). If any system has several runs, ``test`` and
            ``trials`` are ignored.
        test: ``ar``, approximate randomization, or ``bootstrap``, the paired bootstrap; see
            :mod:`clineval.stats.significance`.
        trials: the number of trials of the test.
        confidence: the level of the intervals.
        n_resamples: the number of bootstrap resamples for intervals.
        seed: the seed of the test and of resampling.
        interval: as in ``clineval.score``. For differences, ``auto`` uses ``student`` or
            ``percentile``; all other methods use ``percentile``.
        cluster: the documents that are resampled and swapped together, as in ``clineval.score``.
        asked: the scores that warnings are about: ``["all"]`` for all; if empty, the main scores.

    Returns:
        The scores of all systems with their intervals, and the differences from the baseline.

    Raises:
        InputError: the systems were not counted against the same references.

    Examples:
        >>> from clineval import count
        >>> gold = [[{"spans": [[k, k + 1]], "cui": "C1"}] for k in range(8)]
        >>> found = {"A": gold[:2] + [[]] * 6, "B": gold[:7] + [[]]}
        >>> counts = {name: count("semeval15_task14", each, gold) for name, each in found.items()}
        >>> compare_counts(counts).differences["B"]["strict_recall"].value
        0.625
    """
    _check_names(systems)
    how = Confidence(confidence, n_resamples, seed, interval, cluster)
    return compare_runs(
        {n: list_counts(Counts, of) for n, of in systems.items()},
        Testing(test, trials, how, tuple(asked)),
    )


def compare_runs(runs: Mapping[str, Sequence[Counts]], testing: Testing) -> Comparison:
    """Compare systems by the counts of their runs."""
    if len(runs) < 2:  # noqa: PLR2004 - a pair
        raise InputError(f"expected at least two systems, got {len(runs)}")
    test, trials, how = testing.test, testing.trials, testing.confidence
    check_name("test", test, TESTS)
    check_whole("trials", trials, 1, MOST_DRAWN)
    aligned = iter(align_counts(list(chain(*runs.values()))))
    scores = {
        name: make_score([next(aligned) for _ in of], how, name, testing.asked)
        for name, of in runs.items()
    }
    baseline, *others = scores.values()
    units = stack_units(runs_of(baseline), how.clusters)
    warn_of_little(len(units), clustered=how.cluster is not None)
    if not how.clusters:
        warn_of_patients(baseline.counts.documents)
    several = [score for score in scores.values() if isinstance(score, RunScore)]
    if several:
        for score in several:
            with about(score.system):
                warn_of_few_runs(len(score.runs))
        test, found = RUNS, [_compare_means(baseline, other, how) for other in others]
    else:
        found = []
        for other in others:
            with about(other.system if len(others) > 1 else ""):
                found.append(_compare_two(baseline, other, test, int(trials), how))
    shared = _find_shared(scores, found[0])
    corrected = {key: correct_by_holm([of[key].p for of in found]) for key in shared}
    differences = {
        name: {key: replace(of[key], p_holm=corrected[key][k]) for key in shared}
        for k, (name, of) in enumerate(zip(list(scores)[1:], found, strict=True))
    }
    return Comparison(scores, differences, test, trials)


def _find_shared(scores: Mapping[str, Score], compared: Iterable[str]) -> list[str]:
    """Return the scores that all systems have; warn about others, such as areas of one system."""
    keys = list(compared)
    values = [score.values for score in scores.values()]
    lacking = [key for key in keys if not all(key in of for of in values)]
    warn(
        "{n} {score is|scores are} not compared, because some systems lack {it|them}: {names}",
        lacking,
    )
    return [key for key in keys if key not in lacking]


def _check_names(systems: Mapping[str, object]) -> None:
    if not isinstance(systems, Mapping) or not all(isinstance(name, str) for name in systems):
        raise InputError(
            f"expected a dict of systems by name, got {shown(systems)}", where="systems"
        )


def _compare_two(
    baseline: Score, other: Score, test: str, trials: int, how: Confidence
) -> dict[str, Difference]:
    first, second = share_weights(baseline.counts, other.counts)
    both = stack_units([first, second], how.clusters)
    left, right = np.hsplit(both, 2)
    rates = first.rates
    values, exact = TESTS[test](rates, left, right, trials, how.seed)
    differing = count_differing(rates, left, right)
    asked = choose_asked(baseline.asked, baseline.headline, differing)
    main = {key: differing[key] for key in asked if key in differing}
    warn_of_test(test, len(both), main, clustered=how.cluster is not None)
    total = both.sum(axis=0, keepdims=True)
    resampled = (total, bootstrap(both, how.n_resamples, how.seed), total - both)
    rated = [[rates(side) for side in np.hsplit(totals, 2)] for totals in resampled]
    differences = {}
    for key, p in values.items():
        value, drawn, without = (ours[key] - theirs[key] for theirs, ours in rated)
        most = differ_at_most(*(side[key] for sides in rated for side in sides))
        drawing = Drawn(float(value[0]), drawn, without, most=most)
        found = NO_INTERVAL if len(both) < LEAST else how.enclose_difference(drawing)
        low, high = found.bounds or (None, None)
        differences[key] = Difference(
            float(value[0]), low, high, p, p, exact=exact[key], method=found.method
        )
    return differences


def _compare_means(baseline: Score, other: Score, how: Confidence) -> dict[str, Difference]:
    """Compute differences of means over runs; p comes from Student's t distribution."""
    differences = {}
    for key, drawn in differences_of_runs(baseline, other).items():
        p = probability_of(drawn)
        bounds, method = METHODS["student"](drawn, how.level), "student"
        low, high = (None, None) if len(drawn.without) < LEAST else bounds
        method = UNDEFINED if low is None else method
        differences[key] = Difference(drawn.value, low, high, p, p, exact=False, method=method)
    return differences
