"""Cautions: where an interval or a p-value means little, and what to do about it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence

from clineval.errors import InputWarning, listed
from clineval.statistics.confidence import RARE, Interval

FEW = 30
"""Fewer documents, or clusters, say little about others."""


FEW_RUNS = 3


def warn_of_few_runs(runs: int) -> None:
    """Warn of a system with two runs, of which one can hardly tell how far runs differ."""
    if 1 < runs < FEW_RUNS:
        message = f"few runs, {runs}: below {FEW_RUNS} p-values may be too small"
        warnings.warn(f"{message}. Train with more seeds", InputWarning, stacklevel=4)


def find_weak(
    keys: Iterable[str], intervals: Mapping[str, Interval], totals: Mapping[str, float]
) -> list[str]:
    """The scores that rest on fewer than 10 true positives, or on fewer than 10 errors.

    Args:
        keys: the scores to look at.
        intervals: their intervals.
        totals: the counts; the true positives of ``strict_f1`` are ``strict_tp``.
    """
    enough = float(RARE)
    found = {key: totals.get(f"{key.rpartition('_')[0]}_tp", enough) for key in keys}
    return [key for key in found if key in intervals and (intervals[key].rare or found[key] < RARE)]


def warn_of_little(units: int, weak: Sequence[str] = (), *, clustered: bool = False) -> None:
    """Warn of few documents and of few mentions, each once.

    Args:
        units: how many documents or clusters there are.
        weak: scores that rest on few true positives or few errors.
        clustered: whether units are clusters.
    """
    if units < FEW:
        what = "clusters" if clustered else "documents"
        message = f"few {what}, {units}: below {FEW} intervals and p-values mean little"
        warnings.warn(f"{message}. Annotate more", InputWarning, stacklevel=4)
    if weak:
        message = f"few true positives or few errors, in effect below {RARE}: {listed(weak)}"
        advice = "Take their intervals as a rough guide, or annotate more"
        warnings.warn(f"{message}. {advice}", InputWarning, stacklevel=4)
