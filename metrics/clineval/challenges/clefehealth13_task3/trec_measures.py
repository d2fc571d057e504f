"""The measures of trec_eval 9 by its own names, topic by topic.

Its maintained binding, ``pytrec-eval-terrier``, computes all measures. :func:`evaluate_topics`
keeps all input from it that would crash the C code.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from clineval.base.arrays import FloatArray, is_iterable
from clineval.base.errors import InputError, need, shown, unknown_name
from clineval.challenges.clefehealth13_task3.corpus import Qrels, Run, rank

PLAIN = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref",
    "recip_rank", "infAP", "gm_bpref", "utility", "11pt_avg", "binG", "G", "ndcg", "ndcg_rel",
    "Rndcg", "set_P", "set_relative_P", "set_recall", "set_map", "set_F",
    "num_nonrel_judged_ret",
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
    "iprec_at_recall": _TENTHS,
    "Rprec_mult": tuple(f"{k / 5:.2f}" for k in range(1, 11)),
}
"""Measures with a cutoff in their name, and trec_eval's default cutoffs."""
DEFAULT = (
    "map", "P_5", "P_10", "ndcg_cut_5", "ndcg_cut_10", "Rprec", "bpref", "recip_rank",
    "num_q", "num_ret", "num_rel", "num_rel_ret",
)  # fmt: skip
OFFICIAL = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref",
    "recip_rank", "iprec_at_recall", "P",
)  # fmt: skip
SETS: Mapping[str, tuple[str, ...]] = {"official": OFFICIAL, "all_trec": (*PLAIN, *FAMILIES)}
_AT = {"ndcg": "ndcg_cut", "map": "map_cut"}
"""Families whose name before @ in papers is the name of another measure in trec_eval."""
_WITH_PARAMETERS = ("utility", "ndcg", "ndcg_rel", "Rndcg")
_WEIGHTED = "set_F."
_OF_VERSION_10 = re.compile(r"(rbp|rbp_resid|unj)([_.][\d.,]+)?\Z", re.ASCII)
_DECIMAL = ("iprec_at_recall", "Rprec_mult")
_INTEGER = re.compile(r"0*[1-9]\d{0,8}\Z", re.ASCII)
_NUMBER = re.compile(r"\d{0,3}(\.\d{1,6})?\Z", re.ASCII)
_LIST = re.compile(r"[\s,]+(?=[A-Za-z]|11pt_)")
_LEAST = 1e-5  # geometric means use this instead of 0
ALL_NEGATIVE = (
    "all judgments are negative, which means not judged, so trec_eval cannot compute the topic"
)


def name_measures(asked: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the names of single measures, as trec_eval prints them.

    Args:
        asked: names as trec_eval prints them (``P_5``), as it accepts them (``P.5,10``, ``P`` for
            its default cutoffs, ``set_F.0.5``, ``official``, ``all_trec``) or as papers write them
            (``P@5``, ``ndcg@5``). Give a list, or separate names by commas or blanks. None
            selects the lab's measures.

    Raises:
        InputError: trec_eval has no such measure.

    Examples:
        >>> name_measures("map, P.5,10 ndcg@20 set_F.0.5")
        ('map', 'P_5', 'P_10', 'ndcg_cut_20', 'set_F.0.5')
        >>> name_measures(["success"])
        ('success_1', 'success_5', 'success_10')
    """
    if asked is None:
        return DEFAULT
    if not isinstance(asked, str) and not is_iterable(asked):
        raise InputError(f"expected names of measures, got {shown(asked)}", where="measures")
    if not isinstance(asked, str):
        asked = list(asked)
        if all(isinstance(name, str) and name == name.strip() for name in asked):
            asked = ",".join(asked)  # a list may have split the cutoffs: P.5 and 10
    names = _LIST.split(asked.strip()) if isinstance(asked, str) else asked
    found = {name: _name_measure(name) for name in names}
    unknown = [name for name, singles in found.items() if singles is None]
    if unknown:  # several names separated by blanks may be text: none is shown
        spaced = len(unknown) > 1 and isinstance(asked, str) and len(asked.split()) > 1
        raise _refuse(unknown[0], asked if spaced else unknown[0])
    singles = dict.fromkeys(single for of_name in found.values() for single in of_name or ())
    if not singles:
        raise InputError(
            "expected names of measures such as map or P_10, got none", where="measures"
        )
    return tuple(singles)


def _name_measure(name: object) -> Sequence[str] | None:
    """Return the single measures of one name; None if there is no such measure."""
    if not isinstance(name, str):
        raise InputError(f"expected the name of a measure, got {shown(name)}", where="measures")
    before, at, after = name.partition("@")
    if at:
        name = f"{_AT.get(before, before)}.{after}"
    if name in PLAIN:
        return (name,)
    if name.startswith(("set_F.", "set_F_")):
        return (_name_weighted(name[len("set_F.") :]),)
    if name in SETS:
        return [single for part in SETS[name] for single in _name_measure(part) or ()]
    if name in FAMILIES:
        return [f"{name}_{cutoff}" for cutoff in FAMILIES[name]]
    for family in FAMILIES:
        if name.startswith((f"{family}_", f"{family}.")):
            cutoffs = name[len(family) + 1 :].split(",")
            return [f"{family}_{_name_cutoff(family, cutoff)}" for cutoff in cutoffs]
    return None


def _name_weighted(weight: str) -> str:
    if not weight or not _NUMBER.match(weight) or weight == ".":
        raise InputError("set_F: expected a number >= 0", where="measures")
    return f"{_WEIGHTED}{float(weight):.6f}".rstrip("0").rstrip(".")


def _name_cutoff(family: str, cutoff: str) -> str:
    if family not in _DECIMAL:
        if _INTEGER.match(cutoff):
            return str(int(cutoff))
        raise InputError(f"{family}: expected a whole number >= 1", where="measures")
    largest = 1 if family == "iprec_at_recall" else np.inf
    if cutoff and _NUMBER.match(cutoff) and 0 <= float(cutoff) <= largest:
        return f"{float(cutoff):.2f}"
    raise InputError(f"{family}: expected a number >= 0, for recall up to 1", where="measures")


def _refuse(name: str, told: object) -> InputError:
    """Return the error for an unknown measure; ``told`` is what may be shown of the name."""
    if _OF_VERSION_10.match(name):
        return InputError(
            f"{name!r} is a measure of trec_eval 10, and only version 9, the lab's version, is "
            "supported",
            where="measures",
            remedy="Compute it with trec_eval 10; its other numbers may differ",
        )
    family = name.partition(".")[0]
    if family in _WITH_PARAMETERS:
        return InputError(
            f"{family} has no parameters here, because the binding of trec_eval supports none",
            where="measures",
            remedy=f"Use {family} without parameters, or the program trec_eval",
        )
    families = [f"{family}_{cutoffs[0]}" for family, cutoffs in FAMILIES.items()]
    return unknown_name("measure", told, (*PLAIN, *families, *SETS), where="measures")


def evaluate_topics(
    run: Run, qrels: Qrels, measures: Sequence[str], relevance_level: int
) -> Mapping[str, FloatArray]:
    """Evaluate a run; a topic that is missing from the run counts as if nothing was retrieved.

    If all judgments of a topic are below the level, the binding would read counts beyond their end.
    It gets the level above the topic's highest judgment instead, which means the same. The binding
    confuses two topic ids with its own initial values ("no query"), so topics get other ids.

    Args:
        run: scores by topic and document; each topic has at least one.
        qrels: relevance by topic and document, from -127 to 127; each topic has at least one.
        measures: single measures.
        relevance_level: the lowest judgment that counts as relevant, from 1 to 127.

    Returns:
        For each measure, the values of the ``t`` topics of the judgments, ``[t]``; for the measures
        ``gm_``, the logarithms.

    Raises:
        InputError: the binding of trec_eval is not installed, or all judgments of a topic of the
            run are negative.
    """
    by_level: dict[int, list[str]] = {}
    for topic in filter(run.__contains__, qrels):
        level = min(relevance_level, _highest(topic, qrels) + 1)
        by_level.setdefault(level, []).append(topic)
    rows = {topic: _row_of_nothing(qrels[topic], measures, relevance_level) for topic in qrels}
    for level, topics in by_level.items():
        rows |= _bind(run, qrels, topics, measures, level)
    return {name: np.array([rows[topic][name] for topic in qrels]) for name in measures}


def _highest(topic: str, qrels: Qrels) -> int:
    highest = max(qrels[topic].values())
    if highest < 0:
        raise InputError(
            ALL_NEGATIVE,
            where=f"judgments, topic {topic}",
            remedy="Remove the topic from the judgments or from the run",
        )
    return highest


def _row_of_nothing(
    judgments: Mapping[str, int], measures: Sequence[str], relevance_level: int
) -> dict[str, float]:
    row = {name: math.log(_LEAST) if name.startswith("gm_") else 0.0 for name in measures}
    relevant = sum(judgment >= relevance_level for judgment in judgments.values())
    return row | {"num_q": 1.0, "num_rel": float(relevant)}


def _bind(
    run: Run, qrels: Qrels, topics: Sequence[str], measures: Sequence[str], relevance_level: int
) -> dict[str, dict[str, float]]:
    problem = "scoring ranked runs needs the package pytrec-eval-terrier"
    pytrec_eval = need("pytrec_eval", "ir", problem, "pytrec-eval-terrier")
    judged = {str(at): qrels[topic] for at, topic in enumerate(topics)}
    ranked = {str(at): _rankable(run[topic]) for at, topic in enumerate(topics)}
    rows: dict[str, dict[str, float]] = {topic: {} for topic in topics}
    weighted = [name for name in measures if name.startswith(_WEIGHTED)]
    # the binding accepts one weight of set_F at a time, and names the result set_F
    for names in ([name for name in measures if name not in weighted], *([w] for w in weighted)):
        evaluator = pytrec_eval.RelevanceEvaluator(judged, names, relevance_level=relevance_level)
        for at, row in evaluator.evaluate(ranked).items() if names else ():
            own = {names[0]: row["set_F"]} if names[0] in weighted else row
            rows[topics[int(at)]] |= own
    return rows


def _rankable(scores: Mapping[str, float]) -> Mapping[str, float]:
    """Return scores in the same order, without NaN, which breaks the binding's sorting."""
    if not any(map(math.isnan, scores.values())):
        return scores
    documents = list(scores)
    order = rank(documents, list(scores.values()))
    return {documents[at]: float(-place) for place, at in enumerate(order)}
