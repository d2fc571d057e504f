"""Confidence intervals of scores, by drawing documents with replacement.

The bootstrap repeatedly draws as many documents as the corpus has, and scores each drawn corpus.
The unit is the document, because the mentions of one document are similar, or a cluster of
documents; in a ranked run it is a topic. :mod:`clineval.stats.intervals` defines how to compute an
interval from the drawn scores: ``percentile``, ``bca``, ``binomial``, or ``auto``, which chooses
among these for each score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray, is_number, is_whole
from clineval.base.errors import InputError, shown, unknown_name
from clineval.base.ratios import ratio
from clineval.stats.cautions import RARE
from clineval.stats.clusters import Clusters, find_clusters
from clineval.stats.intervals import METHODS, Drawn, choose, choose_for_difference
from clineval.stats.resampling import bootstrap

INTERVALS = ("auto", "percentile", "bca", "binomial")
MOST_DRAWN, LARGEST_SEED = 1_000_000, 2**64 - 1
"""The maximum numbers: totals of more corpora would not fit into memory; signatures contain seeds.
"""
FinishRows = Callable[[FloatArray], Mapping[str, FloatArray]]
"""A function from totals, ``[n, k]``, to scores: a dict from name to ``[n]``."""
_NOISE = 1e-9
"""The largest change of a score that is taken for rounding."""
UNDEFINED = "undefined"
"""The method of the undefined interval of a score from a single document or cluster."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """Settings of intervals.

    Args:
        level: the share of intervals that should contain the true value, between 0 and 1.
        n_resamples: the number of drawn corpora, at least 1.
        seed: the random seed, 0 or more; equal seeds produce equal intervals.
        interval: ``auto``, ``percentile``, ``bca`` or ``binomial``.
        cluster: the documents that belong together and are drawn together: a mapping or a function
            from their names to names of clusters, or the path of a file; see
            :mod:`clineval.stats.clusters`. None if each document is a cluster of its own.

    Raises:
        InputError: a value is out of range, or ``interval`` or ``cluster`` is invalid.
    """

    level: float = 0.95
    n_resamples: int = 1000
    seed: int = 12345
    interval: str = "auto"
    cluster: object = None

    def __post_init__(self) -> None:
        if not is_number(self.level) or not 0 < self.level < 1:
            problem = f"expected a number between 0 and 1 such as 0.95, got {shown(self.level)}"
            raise InputError(problem, where="confidence")
        check_whole("n_resamples", self.n_resamples, 1, MOST_DRAWN)
        check_whole("seed", self.seed, 0, LARGEST_SEED)
        if not isinstance(self.interval, str) or self.interval not in INTERVALS:
            raise unknown_name("interval", self.interval, INTERVALS)
        object.__setattr__(self, "cluster", find_clusters(self.cluster))

    @property
    def clusters(self) -> Clusters | None:
        """The assignment of documents to clusters."""
        return find_clusters(self.cluster)

    def describe(self, documents: Sequence[str]) -> dict[str, str]:
        """Return the fields of a signature that describe the intervals of these documents.

        Examples:
            >>> Confidence(0.95, cluster={"a-1": "a", "a-2": "a"}).describe(["a-1", "a-2"])
            {'bs': '1000', 'seed': '12345', 'ci': 'auto-0.95', 'cluster': '1'}
        """
        settings = {
            "bs": str(self.n_resamples),
            "seed": str(self.seed),
            "ci": f"{self.interval}-{self.level:g}",
        }
        if self.clusters:
            settings["cluster"] = str(len(np.unique(self.clusters.number(documents))))
        return settings

    def enclose(self, score: Drawn) -> Interval:
        """Compute the interval of one score."""
        method = choose(score) if self.interval == "auto" else self.interval
        return Interval(*METHODS[method](score, self.level), method, score.witnesses < RARE)

    def enclose_difference(self, score: Drawn) -> Interval:
        """Compute the interval of a difference; ``percentile`` unless ``auto`` chooses."""
        method = choose_for_difference(score) if self.interval == "auto" else "percentile"
        return Interval(*METHODS[method](score, self.level), method, rare=False)


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval and its method.

    Args:
        low: the lower bound.
        high: the upper bound.
        method: ``percentile``, ``bca``, ``binomial`` or ``student``, or :data:`UNDEFINED`.
        rare: whether fewer than 10 documents, or clusters, have a hit, or an error.
    """

    low: float
    high: float
    method: str
    rare: bool

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Both bounds; None if they are undefined."""
        return None if self.method == UNDEFINED else (self.low, self.high)


NO_INTERVAL = Interval(nan, nan, UNDEFINED, rare=False)
LEAST = 2
"""With fewer documents or clusters, the variation between them is unknown."""


def check_whole(name: str, value: object, least: int, most: int) -> None:
    """Reject a value that is not a whole number from ``least`` to ``most``; name the option."""
    if not is_whole(value) or not least <= value <= most:
        raise InputError(
            f"expected a whole number from {least} to {most}, got {shown(value)}", where=name
        )


def intervals_of(
    finish: FinishRows,
    table: FloatArray,
    confidence: Confidence,
    left_out: FloatArray | None = None,
) -> dict[str, Interval]:
    """Compute the interval of every score; intervals from a single unit are undefined.

    Args:
        finish: a function from totals to scores.
        table: ``[u, k]``, the counts of each unit (:mod:`clineval.stats.units`).
        confidence: the settings of intervals.
        left_out: ``[g, k]``, the counts of groups of units
            (:func:`~clineval.stats.units.group_units`), which are left out one by one if it takes
            too long to leave out each unit.

    Examples:
        >>> found = np.array([[0.0, 1.0]] + [[1.0, 1.0]] * 39)
        >>> share = lambda totals: {"recall": totals[:, 0] / totals[:, 1]}
        >>> intervals_of(share, found, Confidence(0.9, interval="percentile"))["recall"].bounds
        (0.925, 1.0)
    """
    totals = table.sum(axis=0, keepdims=True)
    values = finish(totals)
    if len(table) < LEAST:
        return dict.fromkeys(values, NO_INTERVAL)
    drawn = finish(bootstrap(table, confidence.n_resamples, confidence.seed))
    left_out = table if left_out is None else left_out
    without, alone = finish(totals - left_out), finish(left_out)
    scored = find_scored(finish, left_out)
    return {
        key: confidence.enclose(
            Drawn(float(value[0]), drawn[key], without[key], (), alone[key], int(scored[key].sum()))
        )
        for key, value in values.items()
    }


def intervals_of_shares(counts: Iterable[IntArray], confidence: Confidence) -> list[Interval]:
    """Compute the intervals of many proportions as in :func:`intervals_of`, with the same draws.

    Documents are drawn only for intervals that need it.

    Args:
        counts: ``[u, 2]`` for each proportion: its numerator and denominator in each unit. Both are
            whole numbers, and the numerator is at most the denominator.
        confidence: the settings of intervals.

    Examples:
        >>> found = np.array([[0, 1]] + [[1, 1]] * 39)
        >>> [of_share] = intervals_of_shares([found], Confidence(0.9, interval="percentile"))
        >>> of_share.bounds
        (0.925, 1.0)
    """
    found: dict[int, Interval] = {}
    drawn: dict[int, IntArray] = {}
    for at, of_share in enumerate(counts):
        share = _make_share(of_share)
        if confidence.interval == "auto" and choose(share) == "binomial":
            found[at] = confidence.enclose(share)
        else:
            drawn[at] = of_share.astype(np.int32)  # half the memory
    if drawn:
        table = np.hstack([*drawn.values()], dtype=np.float64)
        totals = bootstrap(table, confidence.n_resamples, confidence.seed)
        for k, (at, kept) in enumerate(drawn.items()):
            values = np.asarray(ratio(totals[:, 2 * k], totals[:, 2 * k + 1]))
            found[at] = confidence.enclose(replace(_make_share(kept), drawn=values))
    return [found[at] for at in sorted(found)]


def _make_share(counts: IntArray) -> Drawn:
    """Return a proportion with its value alone, before documents are drawn."""
    part, whole = counts.T
    parts, wholes = counts.sum(axis=0)
    value, without, alone = (
        np.atleast_1d(ratio(top, bottom))
        for top, bottom in ((parts, wholes), (parts - part, wholes - whole), (part, whole))
    )
    return Drawn(float(value[0]), value, without, alone=alone, scored=int((whole > 0).sum()))


def find_scored(finish: FinishRows, table: FloatArray) -> dict[str, BoolArray]:
    """Find the units with a denominator other than 0: a dict from score to ``[u]``.

    To find them, add the counts of a unit to counts with unusual ratios: the score changes if the
    unit has something to score. Changes below :data:`_NOISE` are rounding: sums of many rows can
    round otherwise than sums of one.

    Examples:
        >>> found = np.array([[0.0, 1.0], [0.0, 0.0], [2.0, 2.0]])
        >>> share = lambda totals: {"recall": totals[:, 0] / totals[:, 1]}
        >>> find_scored(share, found)["recall"].tolist()
        [True, False, True]
    """
    probe = np.random.default_rng(0).uniform(1, 2, (1, table.shape[1]))
    still = finish(probe)
    return {
        key: ~np.isclose(moved, still[key], rtol=0, atol=_NOISE)
        for key, moved in finish(probe + table).items()
    }
