"""CLEF eHealth 2013 Task 2 read, paired and counted; the package's docstring says how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from clineval.base.arrays import BoolArray, Coded
from clineval.base.errors import InputError
from clineval.base.ratios import Columns, Number, Totals, ratio
from clineval.challenges.clefehealth13_task2 import items
from clineval.challenges.clefehealth13_task2.items import CODE, Abbreviations, Listed
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.match import NONE, Match
from clineval.kinds.mentions.outcomes import (
    MatchKind,
    Outcomes,
    Pairing,
    list_matches,
    tally_matches,
)
from clineval.kinds.mentions.pairing import Pairs
from clineval.results.challenge import Setup, Steps

MATCHES = {
    "strict": MatchKind({"strict_correct": ("tp",)}),
    "relaxed": MatchKind({"relaxed_correct": ("tp",), "total": ("tp", "fn")}),
}


def read(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[Side | Listed, list[Any]]:
    """Read both sides: lists of codes, or files or text in the format of Task 1."""
    return items.read_sides(references, predictions, setup["documents"])


def as_gold(gold: Side | Listed, side: Any, _setup: Setup) -> Side | Listed:
    """Turn an annotator's codes into lists of one code."""
    return Listed(side, gold.documents) if isinstance(gold, Listed) else side


def pair(corpus: Abbreviations, _setup: Setup) -> Pairing:
    """Pair abbreviations with predictions: all, ``strict`` and ``relaxed`` correct ones."""
    pairs = items.pair_codes(corpus)
    best, listed = compare(corpus, pairs)
    return {"given": pairs, "strict": pairs.take(best), "relaxed": pairs.take(listed)}


def compare(corpus: Corpus, pairs: Pairs) -> tuple[BoolArray, BoolArray]:
    """Tell, ``[p]`` each, whether the code is the annotators' first, and whether it is listed.

    Examples:
        >>> gold, [found] = items.read_sides([["C1", "C2"]] * 3, [["C1", "C2", "C3"]], None)
        >>> corpus = items.join(gold, found)
        >>> best, listed = compare(corpus, items.pair_codes(corpus))
        >>> best.tolist(), listed.tolist()
        ([True, False, False], [True, True, False])
    """
    answers, used = corpus.gold.columns.attributes["cui"], _fold_codes(corpus)
    numbers = {code: number for number, code in enumerate(used.values)}
    lists = [[numbers.get(CODE.fold(c.strip()), -2) for c in v.split(",")] for v in answers.values]
    firsts = np.array([codes[0] for codes in lists], np.int64)
    size = len(numbers)
    members = [row * size + code for row, codes in enumerate(lists) for code in codes if code >= 0]
    answer, predicted = answers.ids[pairs.gold].astype(np.int64), used.ids[pairs.prediction]
    best: BoolArray = firsts.take(answer) == predicted
    return best, np.isin(answer * size + predicted, members)


def _fold_codes(corpus: Corpus) -> Coded:
    """Fold the predicted codes into the form in which codes compare."""
    codes = corpus.prediction.columns.attributes["cui"]
    folded = Coded.of([CODE.fold(value) for value in codes.values])
    return Coded(folded.ids.take(codes.ids), folded.values)


def tally(corpus: Abbreviations, pairing: Pairing, _setup: Setup) -> Columns:
    """Count the correct codes of each document, and all abbreviations."""
    return tally_matches(corpus, pairing, MATCHES)


def list_outcomes(
    corpus: Abbreviations, pairings: Sequence[Mapping[str, Pairs]], setup: Setup
) -> Outcomes:
    """List what became of every abbreviation; here its gold code is the annotators' first one."""
    [pairing] = pairings
    given = pairing["given"]
    unanswered = np.setdiff1d(np.arange(len(corpus.gold)), given.gold)
    rows = np.concatenate([given.gold, unanswered])
    partner = np.concatenate([np.arange(len(given)), np.full(len(unanswered), NONE)])
    best, listed = (np.isin(rows, pairing[name].gold) for name in ("strict", "relaxed"))
    columns = {"strict_correct": ("correct",), "total": ("correct", "wrong")}
    verdicts, equal = ("correct", "wrong"), {"cui": best[: len(given)]}
    matches = {
        "strict": Match(rows, partner, (~best).astype(np.int8), verdicts, columns, equal),
        "relaxed": Match(
            rows, partner, (~listed).astype(np.int8), verdicts, {"relaxed_correct": ("correct",)}
        ),
    }
    columns_of_gold, answers = corpus.gold.columns, corpus.gold.columns.attributes["cui"]
    firsts = Coded.of([CODE.fold(value.split(",")[0].strip()) for value in answers.values])
    used = _fold_codes(corpus)
    codes = tuple(dict.fromkeys((*firsts.values, *used.values)))
    first = Coded(firsts.ids.take(answers.ids), firsts.values).fold(str, codes)
    predicted = Coded(used.ids[given.prediction], used.values).fold(str, codes)
    sides = (
        replace(columns_of_gold, attributes={"cui": first}),
        replace(columns_of_gold.take(given.gold), attributes={"cui": predicted}),
    )
    return Outcomes.of(setup, corpus, matches, "strict", sides)


def list_pairings(
    corpus: Abbreviations, pairings: Sequence[Mapping[str, Pairs]], _setup: Setup
) -> dict[str, Match]:
    """Match abbreviations for reports; lists, which have no offsets, are refused."""
    if not corpus.has_spans:
        raise InputError(
            "a report shows where abbreviations are, which lists of codes do not say",
            remedy="Give files, or text, in the format of Task 1",
        )
    [pairing] = pairings
    same = MatchKind(compare=lambda corpus, pairs: {"cui": compare(corpus, pairs)[0]})
    kinds = {"given": same, "strict": MatchKind(), "relaxed": MatchKind()}
    found = list_matches(corpus, pairing, kinds)
    return {
        "exact/span": found["given"],
        "overlap/span": found["given"],
        "exact/both": found["strict"],
        "overlap/both": found["relaxed"],
    }


def finish(totals: Totals) -> dict[str, Number]:
    """Return the scores of totals; the package's docstring has the formulas."""
    counts = {key: totals[key] for key in ("strict_correct", "relaxed_correct", "total")}
    return {
        "strict_accuracy": ratio(counts["strict_correct"], counts["total"]),
        "relaxed_accuracy": ratio(counts["relaxed_correct"], counts["total"]),
        **counts,
    }


STEPS = Steps(
    read,
    lambda gold, predicted, _setup: items.join(gold, predicted),
    pair,
    tally,
    list_outcomes,
    as_gold=as_gold,
)
