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


def find_weak(keys: Iterable[str], intervals: Mapping[str, Interval]) -> list[str]:
    """The scores with true positives in fewer than 10 documents, or errors in fewer than 10.

    Args:
        keys: the scores to look at.
        intervals: their intervals.
    """
    return [key for key in keys if key in intervals and intervals[key].rare]


def warn_of_little(units: int, weak: Sequence[str] = (), *, clustered: bool = False) -> None:
    """Warn of few documents, and of scores that few of them bear on, each once.

    Args:
        units: how many documents or clusters there are.
        weak: scores with true positives, or errors, in few documents.
        clustered: whether units are clusters.
    """
    what = "clusters" if clustered else "documents"
    if units < FEW:
        message = f"few {what}, {units}: below {FEW} intervals and p-values mean little"
        warnings.warn(f"{message}. Annotate more", InputWarning, stacklevel=4)
    if weak and units >= RARE:  # of fewer the message above says enough
        message = f"few {what} with true positives or errors, below {RARE}: {listed(weak)}"
        advice = "Take their intervals as a rough guide, or annotate more"
        warnings.warn(f"{message}. {advice}", InputWarning, stacklevel=4)
