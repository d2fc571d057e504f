"""Several runs of a system, such as models that were trained with different seeds.

The score of a system is the mean over its runs. Its variance depends on the documents and the runs:

    variance = jackknife over documents of the mean + sum over systems of max(0, s^2 - i) / r

Here s is the standard deviation of the scores of a system's r runs. The part of s^2 that is due to
these documents is i: the sum of the jackknife variances of the distances of runs from their mean,
divided by r - 1. Differences from the baseline are compared with Student's t distribution, with
Satterthwaite's degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from clineval.base.arrays import FloatArray
from clineval.base.errors import InputError
from clineval.base.hashing import Hashes
from clineval.results.scorable import Counts
from clineval.results.scores import Score
from clineval.stats.clusters import Clusters
from clineval.stats.confidence import LEAST, NO_INTERVAL, Confidence, Interval, find_scored
from clineval.stats.distributions import t_tails
from clineval.stats.intervals import METHODS, Drawn, differ_at_most
from clineval.stats.units import make_units

Parts = Sequence[tuple[float, float]]


class Runs(tuple[object, ...]):
    """The predictions of several runs of one system, each as in ``clineval.score``.

    Examples:
        >>> Runs(["seed-1/", "seed-2/"])
        Runs(('seed-1/', 'seed-2/'))
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Runs({super().__repr__()})"


@dataclass(frozen=True, eq=False)
class RunScore(Score):
    """The mean scores of several runs; ``counts`` are the counts of the first run.

    Args:
        runs: the counts of every run, with the same documents in the same order.
    """

    runs: Sequence[Counts] = ()

    @cached_property
    def values(self) -> Mapping[str, float | int]:
        """Map keys to the mean over the runs."""
        means = {key: float(np.mean(values)) for key, values in self._of_runs.items()}
        return {**means, "n_documents": len(self.counts)}

    @cached_property
    def _marked(self) -> Mapping[str, float]:
        """The scores of all runs, with marks at scores without a denominator in all of them."""
        each = [dict(Score(counts).shown) for counts in self.runs]
        empty = [key for key in self.values if all(of.get(key) is None for of in each)]
        return {**self.values, **dict.fromkeys(empty, -0.0)}

    @cached_property
    def undefined(self) -> tuple[str, ...]:
        """The scores that any of the runs does not define."""
        return tuple(dict.fromkeys(chain(*(Score(counts).undefined for counts in self.runs))))

    @cached_property
    def _of_runs(self) -> Mapping[str, Sequence[float]]:
        """Map keys to the scores of each run; without scores that a run does not define."""
        first, *others = (Score(counts).values for counts in self.runs)
        shared = (key for key in first if all(key in of for of in others))
        return {key: [first[key], *(of[key] for of in others)] for key in shared}

    @cached_property
    def deviations(self) -> Mapping[str, float]:
        """Map keys to the standard deviation between the runs."""
        return {key: float(np.std(values, ddof=1)) for key, values in self._of_runs.items()}

    @cached_property
    def parts(self) -> Mapping[str, Parts]:
        """Map keys to the variance of the mean between runs, with its degrees of freedom."""
        size = len(self.runs)
        found = {}
        for key, rates in self._rates.items():
            spread = rates - rates.mean(axis=0)  # distances of the runs from their mean
            steps = spread - spread.mean(axis=1, keepdims=True)
            units = rates.shape[1]
            by_documents = (steps**2).sum() * (units - 1) / max(units, 1) / (size - 1)
            between = max(self.deviations[key] ** 2 - by_documents, 0.0)
            found[key] = [(float(between) / size, size - 1.0)]
        return found

    @property
    def _rates(self) -> Mapping[str, FloatArray]:
        """Map keys to ``[r, u]``, the scores of each run without each document or cluster."""
        return {key: of for key, of in leave_out(self)[0].items() if key in self.values}

    @cached_property
    def _found(self) -> Mapping[str, Interval]:
        if self.confidence is None:
            return {}
        level = self.confidence.level
        units = np.hsplit(stack_units(self.runs, self.confidence.clusters), len(self.runs))
        scored = [find_scored(of.rates, rows) for of, rows in zip(self.runs, units, strict=True)]
        if len(units[0]) < LEAST:
            return dict.fromkeys(scored[0], NO_INTERVAL)
        found = {}
        for key, rates in self._rates.items():
            without = rates.mean(axis=0)
            size = int(np.any([of_run[key] for of_run in scored], axis=0).sum())
            drawn = Drawn(self.values[key], without, without, self.parts[key], scored=size)
            method = "binomial" if 0 <= drawn.value <= 1 else "student"
            found[key] = Interval(*METHODS[method](drawn, level), method, rare=False)
        return found


def runs_of(score: Score) -> Sequence[Counts]:
    """Return the counts of every run of a system."""
    return score.runs if isinstance(score, RunScore) else [score.counts]


def make_score(
    runs: Sequence[Counts],
    confidence: Confidence,
    system: str = "",
    asked: tuple[str, ...] = (),
) -> Score:
    """Make the score of a system with one or more runs.

    Args:
        runs: the counts of each run.
        confidence: the settings of intervals.
        system: the system's name in warnings; empty for none.
        asked: the scores to warn about, as for :class:`~clineval.Score`.

    Raises:
        InputError: there are no runs.
    """
    if not runs:
        raise InputError("a system without runs cannot be compared")
    first, *others = runs
    if others:
        return RunScore(first, confidence, system, asked, runs)
    return Score(first, confidence, system, asked)


def stack_units(runs: Sequence[Counts], clusters: Clusters | None) -> FloatArray:
    """Return ``[u, r k]``, the ``k`` columns of documents, or clusters, in ``r`` runs."""
    digests: Hashes = np.stack([counts.digests for counts in runs]).max(axis=0)  # 0 if missing
    table = np.hstack([counts.rows for counts in runs])
    order = np.hstack([counts.order for counts in runs])
    return make_units(runs[0].documents, digests, table, clusters, order)


def leave_out(*scores: Score) -> list[dict[str, FloatArray]]:
    """Map keys to ``[r, u]`` for each system: scores of runs without each document or cluster."""
    runs = list(chain(*map(runs_of, scores)))
    confidence = scores[0].confidence
    units = stack_units(runs, confidence.clusters if confidence else None)
    left = iter(np.hsplit(units.sum(axis=0) - units, len(runs)))
    every = [[counts.rates(next(left)) for counts in runs_of(score)] for score in scores]
    return [{key: np.stack([rates[key] for rates in of]) for key in of[0]} for of in every]


def differences_of_runs(baseline: Score, other: Score) -> dict[str, Drawn]:
    """Map keys to the difference of two systems' means, with all parts of its variance."""
    several = [score for score in (baseline, other) if isinstance(score, RunScore)]
    sides = [{k: v.mean(axis=0) for k, v in of.items()} for of in leave_out(baseline, other)]
    found = {}
    shared = (key for key in sides[0] if key in baseline.values and key in other.values)
    for key in shared:
        left = sides[0][key]
        value = float(other.values[key] - baseline.values[key])
        without, most = sides[1][key] - left, differ_at_most(left, sides[1][key])
        parts = [part for score in several for part in score.parts[key]]
        found[key] = Drawn(value, without, without, parts, most=most)
    return found


def probability_of(difference: Drawn) -> float:
    """Return the probability of a difference at least this large between equally good systems."""
    if difference.variance == 0:
        return 1.0 if difference.value == 0 else 0.0
    return t_tails(difference.value / difference.variance**0.5, difference.freedom)
