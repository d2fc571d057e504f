"""Intervals of scores that need the labels of documents.

Such a score takes long, because it reads all labels for each drawn corpus. In large corpora,
groups of documents are left out, in place of each document (Efron and Tibshirani, An Introduction
to the Bootstrap, 1993, chapter 11). In very large corpora, such scores have no intervals and no
p-values.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from clineval.base.arrays import FloatArray
from clineval.base.errors import InputError, called, warn
from clineval.results.options import check_name

if TYPE_CHECKING:
    from clineval.results.counts import Counted
    from clineval.stats.confidence import Confidence, Interval

MOST_WEIGHTED = 5_000
"""The most documents with a weight each, for intervals of scores that need labels."""
MOST_LEFT_OUT, GROUPS = 1_000, 200
"""The most documents, or clusters, that are left out one by one; groups of more than that many."""
_SAMPLE = f"Draw a sample of at most {MOST_WEIGHTED:,} documents, and score it"


def enclose_scores(
    counts: Counted, units: FloatArray, confidence: Confidence
) -> dict[str, Interval]:
    """Compute the intervals of all scores.

    Args:
        counts: the counts of a system.
        units: the rows of the counts that are drawn, one for each document or cluster.
        confidence: the settings of intervals.
    """
    from clineval.stats.confidence import intervals_of
    from clineval.stats.units import group_units

    size = len(counts.columns)
    if len(units) <= MOST_LEFT_OUT or units.shape[1] == size:
        return intervals_of(counts.rates, units, confidence)
    found = intervals_of(counts.rates, units, confidence, group_units(units, GROUPS))
    of_labels = {*_list_keys(counts)}
    of_sums = intervals_of(counts.rates, units[:, :size], confidence)
    return found | {key: each for key, each in of_sums.items() if key not in of_labels}


def warn_of_labels(counts: Counted) -> None:
    """Warn about the scores that need labels, because they have no intervals."""
    warn(
        "{n} {score has|scores have} no intervals and no p-values, because {it needs|they need}"
        f" the labels of more than {MOST_WEIGHTED:,} documents: {{names}}. {_SAMPLE}",
        _list_keys(counts),
    )


def _list_keys(counts: Counted) -> tuple[str, ...]:
    """Return the keys of the scores that need labels."""
    if counts.weighed is None:
        return ()
    measures, nothing = counts.challenge.measures.under(counts.settings), counts.weighed.take(())
    return tuple(measures.finish_labels(nothing, nothing.weigh_all(), counts.config))


def check_resampled(counts: Counted, key: str, resampled: Collection[str]) -> None:
    """Reject a score without intervals and p-values.

    Args:
        counts: the counts of a system.
        key: the score.
        resampled: the scores with intervals and p-values.

    Raises:
        InputError: there is no such score, or it needs the labels of too many documents.
    """
    if key not in resampled and key in _list_keys(counts):
        problem = f"{called(key)} has no intervals and no p-values for {len(counts):,} documents"
        raise InputError(problem, remedy=_SAMPLE)
    check_name("score", key, resampled)
