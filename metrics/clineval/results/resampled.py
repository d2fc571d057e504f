"""Scores without intervals and p-values: those that need the labels of very many documents."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from clineval.base.errors import InputError, called, warn
from clineval.results.options import check_name

if TYPE_CHECKING:
    from clineval.results.counts import Counted

MOST_WEIGHTED = 5_000
"""The most documents with a weight each, for intervals of scores that need labels."""
_SAMPLE = f"Draw a sample of at most {MOST_WEIGHTED:,} documents, and score it"


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
