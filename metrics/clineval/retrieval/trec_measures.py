"""The measures of trec_eval by its own names, topic by topic.

All that the maintained binding of trec_eval 9 (``pytrec-eval-terrier``) computes comes from it.
Version 10 changed how ``iprec_at_recall`` and ``11pt_avg`` round, and added ``rbp``,
``rbp_resid`` and ``unj``; these come from :mod:`clineval.retrieval.trec_eval10`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clineval.arrays import FloatArray
from clineval.errors import InputError, shown
from clineval.formats.trec import Qrels, Run
from clineval.retrieval import trec_eval10

PLAIN = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref",
    "recip_rank", "infAP", "gm_bpref", "utility", "11pt_avg", "binG", "G", "ndcg", "ndcg_rel",
    "Rndcg", "set_P", "set_relative_P", "set_recall", "set_map", "set_F",
    "num_nonrel_judged_ret", "rbp", "rbp_resid",
)  # fmt: skip
_RANKS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
_TENTHS = tuple(f"{k / 10:.2f}" for k in range(11))
FAMILIES: Mapping[str, tuple[str, ...]] = {
    "P": _RANKS,
    "recall": _RANKS,
    "map_cut": _RANKS,
    "ndcg_cut": _RANKS,
    "relative_P": _RANKS,
    "success": ("1", "5", "10"),
    "unj": ("5", "10", "20"),
    "iprec_at_recall": _TENTHS,
    "Rprec_mult": tuple(f"{k / 5:.2f}" for k in range(1, 11)),
}
"""Measures with a cutoff in their name, and the cutoffs that trec_eval has by default."""
DEFAULT = (
    "map", "P_5", "P_10", "ndcg_cut_5", "ndcg_cut_10", "Rprec", "bpref", "recip_rank",
    "num_q", "num_ret", "num_rel", "num_rel_ret",
)  # fmt: skip
OFFICIAL = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref",
    "recip_rank", "iprec_at_recall", "P",
)  # fmt: skip
SETS: Mapping[str, tuple[str, ...]] = {"official": OFFICIAL, "all_trec": (*PLAIN, *FAMILIES)}
_DECIMAL = ("iprec_at_recall", "Rprec_mult")
_INTEGER = re.compile(r"0*[1-9]\d{0,8}\Z", re.ASCII)
_NUMBER = re.compile(r"\d{0,3}(\.\d{1,6})?\Z", re.ASCII)
_LIST = re.compile(r"[\s,]+(?=[A-Za-z]|11pt_)")


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """What a run scored.

    Args:
        topics: the ``t`` topics.
        values: measure to ``[t]``; of the measures ``gm_`` the logarithm.
    """

    topics: tuple[str, ...]
    values: Mapping[str, FloatArray]


def name_measures(asked: str | Iterable[str] | None) -> tuple[str, ...]:
    """The names of single measures, as trec_eval prints them.

    Args:
        asked: names, as trec_eval prints them (``P_5``) or takes them (``P.5,10``, ``P`` for its
            default cutoffs, ``official``, ``all_trec``); as a list or with commas or blanks
            between them; None for the lab's measures.

    Raises:
        InputError: trec_eval has no such measure.

    Examples:
        >>> name_measures("map, P.5,10 ndcg_cut_20")
        ('map', 'P_5', 'P_10', 'ndcg_cut_20')
        >>> name_measures(["success"])
        ('success_1', 'success_5', 'success_10')
    """
    if asked is None:
        return DEFAULT
    names = _LIST.split(asked.strip()) if isinstance(asked, str) else list(asked)
    found = dict.fromkeys(single for name in names for single in _name_measure(name))
    if not found:
        raise InputError("no measure, expected names such as map or P_10", where="measures")
    return tuple(found)


def _name_measure(name: object) -> Sequence[str]:
    if not isinstance(name, str):
        raise InputError(f"expected the name of a measure, got {shown(name)}", where="measures")
    if name in PLAIN:
        return (name,)
    if name in SETS:
        return [single for part in SETS[name] for single in _name_measure(part)]
    if name in FAMILIES:
        return [f"{name}_{cutoff}" for cutoff in FAMILIES[name]]
    for family in FAMILIES:
        if name.startswith((f"{family}_", f"{family}.")):
            cutoffs = name[len(family) + 1 :].split(",")
            return [f"{family}_{_name_cutoff(family, cutoff)}" for cutoff in cutoffs]
    raise _unknown(name)


def _name_cutoff(family: str, cutoff: str) -> str:
    if family not in _DECIMAL:
        if _INTEGER.match(cutoff):
            return str(int(cutoff))
        raise InputError(f"{family}: expected a whole number from 1 on", where="measures")
    largest = 1 if family == "iprec_at_recall" else np.inf
    if cutoff and _NUMBER.match(cutoff) and 0 <= float(cutoff) <= largest:
        return f"{float(cutoff):.2f}"
    raise InputError(f"{family}: expected a number from 0 on, recall up to 1", where="measures")


def _unknown(name: str) -> InputError:
    families = [f"{family}_{cutoffs[0]}" for family, cutoffs in FAMILIES.items()]
    return InputError(
        f"trec_eval has no measure {shown(name)}, expected one of "
        f"{', '.join((*PLAIN, *families, *SETS))}",
        where="measures",
    )


def evaluate_topics(
    run: Run,
    qrels: Qrels,
    topics: Sequence[str],
    measures: Sequence[str],
    relevance_level: int,
) -> Evaluation:
    """Evaluate a run; topics that it lacks count as if it had found nothing.

    Args:
        run: topic to document to score.
        qrels: topic to document to relevance.
        topics: the judged topics to evaluate.
        measures: single measures.
        relevance_level: the lowest judgment that is relevant.

    Raises:
        InputError: the binding of trec_eval is not installed.
    """
    rankings = {topic: run.get(topic, {}) for topic in topics}
    own = {name: trec_eval10.find(name) for name in measures}
    bound = [name for name, measure in own.items() if measure is None]
    rows = _bind(qrels, bound, relevance_level)(rankings)
    values = {name: np.array([rows[topic][name] for topic in topics], np.float64) for name in bound}
    if len(bound) < len(own):
        judged = [
            trec_eval10.judge(rankings[topic], qrels[topic], relevance_level) for topic in topics
        ]
        for name, measure in own.items():
            if measure is not None:
                values[name] = np.array([measure(ranking) for ranking in judged], np.float64)
    return Evaluation(tuple(topics), {name: values[name] for name in measures})


def _bind(
    qrels: Qrels, measures: Sequence[str], relevance_level: int
) -> Callable[[Run], dict[str, dict[str, Any]]]:
    try:
        import pytrec_eval
    except ImportError:
        raise InputError(
            "scoring ranked runs needs the package pytrec-eval-terrier",
            remedy="Install it: pip install pytrec-eval-terrier, or 'clineval[ir]'",
        ) from None
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, measures, relevance_level=relevance_level)
    evaluate: Callable[[Run], dict[str, dict[str, Any]]] = evaluator.evaluate
    return evaluate
