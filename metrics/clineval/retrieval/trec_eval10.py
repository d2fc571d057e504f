"""What trec_eval 10 has and the binding of trec_eval 9 lacks.

With the documents of one topic ranked by score (as 32-bit numbers, ties by document id
descending), m relevant ones retrieved of R, the k-th of them at rank r_k:

    iprec_at_recall_x = max over k >= max(1, c) of k / r_k,   c = x R rounded to the nearest
                        integer, halves up; 0 if c > m
    11pt_avg          = mean of iprec_at_recall_x over x = 0, .1, ..., 1
    rbp               = (1 - p) sum over ranks i of g_i p^(i - 1),   p = .9
    rbp_resid         = p^n + (1 - p) sum over ranks i of unjudged documents of p^(i - 1), where
                        n documents were retrieved; 0 if none of them is unjudged
    unj_k             = unjudged documents among the first k, divided by k

The gain g is the judgment, divided by the topic's highest one where that is over 1. (Version 9
adds .9 and cuts off instead of rounding, which depends on the platform.)

Source: trec_eval 10.0, https://github.com/usnistgov/trec_eval, what it documents and prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from clineval.arrays import BoolArray, FloatArray, IntArray

_PERSISTENCE = 0.9
_UNJUDGED = -1


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The judgments of the documents of one topic in ranked order.

    Args:
        judgments: ``[n]``, relevance of each retrieved document; negative if it is unjudged.
        relevant: ``[n]``, whether it is relevant.
        relevant_in_all: how many documents of the topic are relevant.
        highest: the highest judgment of the topic.
    """

    judgments: IntArray
    relevant: BoolArray
    relevant_in_all: int
    highest: int


Measure = Callable[[Ranking], float]


def judge(scores: Mapping[str, float], judgments: Mapping[str, int], level: int) -> Ranking:
    """Rank the documents of a topic as trec_eval does, and look up their judgments.

    Examples:
        >>> judge({"a": 1.0, "b": 1.0, "c": 2.0}, {"a": 1, "c": 0}, 1).judgments.tolist()
        [0, -1, 1]
    """
    values = np.array(list(scores.values()), np.float32).tolist()
    ranked = sorted(zip(values, scores, strict=True), reverse=True)
    found = np.array([judgments.get(document, _UNJUDGED) for _, document in ranked], np.int64)
    in_all = sum(judgment >= level for judgment in judgments.values())
    return Ranking(found, found >= level, in_all, max(judgments.values(), default=0))


def find(name: str) -> Measure | None:
    """The measure of that name; None if the binding has it.

    Examples:
        >>> find("unj_2")(judge({"a": 3.0, "b": 2.0}, {"b": 1}, 1))
        0.5
        >>> find("map") is None
        True
    """
    if name in _PLAIN:
        return _PLAIN[name]
    family, _, cutoff = name.rpartition("_")
    if family == "iprec_at_recall":
        return lambda ranking: float(_interpolate(ranking, np.array([float(cutoff)]))[0])
    if family == "unj":
        return lambda ranking: _unjudged(ranking, int(cutoff))
    return None


def _interpolate(ranking: Ranking, recalls: FloatArray) -> FloatArray:
    ranks = np.flatnonzero(ranking.relevant) + 1
    if not len(ranks):
        return np.zeros(len(recalls))
    precisions = np.arange(1, len(ranks) + 1, dtype=np.float64) / ranks
    best: FloatArray = np.maximum.accumulate(precisions[::-1])[::-1]
    wanted = np.floor(recalls * ranking.relevant_in_all + 0.5).astype(np.int64)
    at = np.clip(wanted, 1, len(ranks)) - 1
    interpolated: FloatArray = best[at] * (wanted <= len(ranks))
    return interpolated


def _eleven_points(ranking: Ranking) -> float:
    return float(_interpolate(ranking, np.arange(11) / 10).mean())


def _rank_biased(ranking: Ranking) -> float:
    gains = np.maximum(ranking.judgments, 0) / max(ranking.highest, 1)
    return float((1 - _PERSISTENCE) * (gains * _persistence(len(gains))).sum())


def _residual(ranking: Ranking) -> float:
    unjudged = ranking.judgments < 0
    if not unjudged.any():
        return 0.0
    size = len(unjudged)
    return float(_PERSISTENCE**size + (1 - _PERSISTENCE) * _persistence(size)[unjudged].sum())


def _persistence(size: int) -> FloatArray:
    powers: FloatArray = np.power(_PERSISTENCE, np.arange(size))
    return powers


def _unjudged(ranking: Ranking, cutoff: int) -> float:
    return int((ranking.judgments[:cutoff] < 0).sum()) / cutoff


_PLAIN: Mapping[str, Measure] = {
    "11pt_avg": _eleven_points,
    "rbp": _rank_biased,
    "rbp_resid": _residual,
}
