"""Warnings about unreliable intervals and p-values.

    intervals    fewer than 30 units (documents, or clusters of them), or fewer than 10 units with
                 a hit, or fewer than 10 with an error
    bootstrap    fewer than 60 units
    any test     fewer than 15 units in which the systems differ

The limits were chosen by simulation (tests/benchmarks/bench_coverage.py): in corpora without a
warning, intervals contain the true value in 93 to 97 % of cases, and equal systems differ
significantly in 3 to 7 %. The limits count units instead of effective numbers (of trials, or of
documents as in Kish, Survey Sampling, 1965), because effective numbers depend on the lengths and
variances in a corpus. A corpus that happens to lack long documents has a large effective number,
and its intervals are too narrow. Limits on effective numbers would not warn about such corpora.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from clineval.base.errors import listed, warn
from clineval.base.subjects import about

if TYPE_CHECKING:  # scores without intervals need neither
    from clineval.stats.confidence import Interval

RARE = 10
"""With hits, or errors, in fewer documents, intervals are marked as a rough guide."""
FEW = 30
"""With fewer documents or clusters, intervals are unreliable."""
FEW_DRAWN = 60
"""With fewer, the paired bootstrap finds too many differences."""
FEW_DIFFERING = 15
"""If systems differ in fewer, tests hardly ever find a difference."""
FEW_RUNS = 3


def warn_of_few_runs(runs: int) -> None:
    """Warn about a system with few runs, because they hardly show the variation between runs."""
    if 1 < runs < FEW_RUNS:
        message = f"only {runs} runs: below {FEW_RUNS}, p-values may be too small"
        warn(f"{message}. Train with more seeds")


def find_weak(keys: Iterable[str], intervals: Mapping[str, Interval]) -> list[str]:
    """List scores with true positives in fewer than 10 documents, or errors in fewer than 10."""
    return [key for key in keys if key in intervals and intervals[key].rare]


def choose_asked(asked: Sequence[str], main: Sequence[str], known: Iterable[str]) -> Iterable[str]:
    """Choose the scores for warnings: the requested scores, ``all`` known ones, or the main ones.

    Examples:
        >>> choose_asked(["all"], ["f1"], ["f1", "recall"]), choose_asked([], ["f1"], [])
        (['f1', 'recall'], ['f1'])
    """
    return known if list(asked) == ["all"] else asked or main


def mark_means(
    intervals: Mapping[str, Interval], parts: Mapping[str, Collection[str]]
) -> Mapping[str, Interval]:
    """Mark means, such as macro averages, if any of their scores is marked.

    A rare label has the same weight as a frequent one, so its uncertainty affects the mean.

    Args:
        intervals: a dict from score to interval.
        parts: a dict from mean to the scores that it averages.

    Examples:
        >>> from clineval.stats.confidence import Interval
        >>> found = {key: Interval(0.1, 0.9, "binomial", key == "a") for key in ("a", "b", "mean")}
        >>> [interval.rare for interval in mark_means(found, {"mean": ["a", "b"]}).values()]
        [True, False, True]
    """
    rare = {
        key
        for key, own in parts.items()
        if any(part in intervals and intervals[part].rare for part in own)
    } & intervals.keys()
    return {key: replace(of, rare=True) if key in rare else of for key, of in intervals.items()}


def explain_few(marked: Collection[str]) -> list[str]:
    """Explain the dagger after the intervals of these scores, if there are any.

    Examples:
        >>> explain_few(["x_f1"])
        ['† fewer than 10 documents or clusters with true positives, or with errors: a rough guide']
    """
    units = f"fewer than {RARE} documents or clusters with true positives, or with errors"
    return [f"† {units}: a rough guide"] if marked else []


def warn_of_little(
    units: int, weak: Sequence[str] = (), *, clustered: bool = False, system: str = ""
) -> None:
    """Warn about few documents, and about scores that depend on few documents, once each.

    ``weak`` lists scores with true positives, or errors, in few units (documents or clusters). If
    there are several systems, the warning names the ``system``.
    """
    what = "clusters" if clustered else "documents"
    if units < FEW:
        number = f"only {units} {what if units != 1 else what[:-1]}"
        message = f"{number}: below {FEW}, intervals and p-values are unreliable"
        warn(f"{message}. Annotate more")
    if weak and units >= RARE:  # for fewer, the message above suffices
        message = f"few {what} with true positives or errors, below {RARE}: {listed(weak)}"
        advice = "Treat their intervals as a rough guide, or annotate more"
        with about(system):
            warn(f"{message}. {advice}")


def warn_of_patients(documents: Sequence[str]) -> None:
    """Warn about document names that suggest several notes for each patient."""
    from clineval.stats.clusters import count_patients

    patients = count_patients(documents)
    if patients:
        message = f"the names of {len(documents)} documents have only {patients} prefixes. If "
        message += (
            "these are patients with several notes, intervals without clusters are too narrow"
        )
        warn(f"{message}. To resample patients, pass --cluster-by prefix or --cluster FILE")


def warn_of_test(
    test: str, units: int, differing: Mapping[str, int], *, clustered: bool = False
) -> None:
    """Warn about a paired test that finds too many differences, or hardly any; once each.

    The test is ``ar`` or ``bootstrap``. ``differing`` contains, for each score, the number of units
    (documents or clusters) in which the systems differ.
    """
    if units < FEW:
        return
    what = "clusters" if clustered else "documents"
    if test == "bootstrap" and units < FEW_DRAWN:
        message = f"only {units} {what}: below {FEW_DRAWN}, the paired bootstrap's p is too small"
        warn(f"{message}. Use approximate randomization")
    few = [key for key, number in differing.items() if 0 < number < FEW_DIFFERING]
    if few:
        message = f"few {what} in which systems differ, below {FEW_DIFFERING}: p may be too large"
        warn(f"{message} for {listed(few)}. Annotate more")
