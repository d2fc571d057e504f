"""Read, pair and count CLEF eHealth 2013 Task 2 as the package's docstring defines it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from clineval.base.arrays import BoolArray, Coded
from clineval.base.errors import InputError, warn
from clineval.base.files import Source
from clineval.base.ratios import Number, Totals, ratio
from clineval.challenges.clefehealth13_task2.items import (
    ANSWERS,
    CODE,
    Abbreviations,
    check,
    join_abbreviations,
    read_side,
)
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.kind import GivenSpanKind
from clineval.kinds.mentions.pairing import Pairs, find_same_spans
from clineval.kinds.mentions.rows import CountedVerdicts, MatchKind, Rows, rows_of
from clineval.results.challenge import Setup
from clineval.results.columns import Sides
from clineval.results.match import NONE, Match
from clineval.results.measures import Grid, Measure, Measures
from clineval.results.protocol import Protocol
from clineval.results.slots import CUI_LESS
from clineval.results.task import ClassSlot
from clineval.results.views import PairCheck, Preset

COLUMNS: Mapping[str, CountedVerdicts] = {
    "strict": {"strict_correct": ("correct",)},
    "relaxed": {"relaxed_correct": ("correct",), "total": ("correct", "wrong")},
}
"""Columns of the counts; a missing answer is wrong."""
_MODES = {"strict": "exact", "relaxed": "overlap"}
Paired = Mapping[str, Pairs]
"""Pairs of abbreviations and predictions: all (``given``), and the ``strict`` and ``relaxed``
correct ones."""


class Spec(Protocol[Side, Abbreviations, Paired]):
    """The lab's document."""

    kind = GivenSpanKind(ClassSlot("cui", "code", CUI_LESS), slots_of=lambda _: (ANSWERS,))
    by_line: ClassVar[bool] = True
    widest = "strict"
    any_class = True

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read lists of codes, or files or text in the format of Task 1."""
        return read_side(given, side, setup["documents"])

    def check(self, source: Source, _setup: Setup, /) -> None:
        """Reject files that break the format of submissions."""
        check(source)

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> Abbreviations:
        """Join both sides."""
        return join_abbreviations(gold, predicted)

    def pair(self, corpus: Abbreviations, _setup: Setup, /) -> Paired:
        """Pair each abbreviation with a system's code for its span; warn about the rest."""
        pairs = find_same_spans(corpus)
        problem = "{n} {abbreviation has|abbreviations have} no prediction and {counts|count}"
        warn(f"{problem} as wrong", n=len(corpus.gold) - len(pairs))
        problem = "{n} {prediction has|predictions have} no pre-annotated span and {does|do}"
        warn(f"{problem} not count", n=len(corpus.prediction) - len(pairs))
        best, listed = compare(corpus, pairs)
        return {"given": pairs, "strict": pairs.take(best), "relaxed": pairs.take(listed)}

    def list_matches(
        self, corpus: Abbreviations, pairing: Paired, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the verdict on every abbreviation; one without an answer is wrong."""
        given = pairing["given"]
        unanswered = np.setdiff1d(np.arange(len(corpus.gold)), given.gold)
        rows = np.concatenate([given.gold, unanswered])
        partner = np.concatenate([np.arange(len(given)), np.full(len(unanswered), NONE)])
        sides = corpus.gold.columns, corpus.gold.columns.take(given.gold)
        wrong = {name: ~np.isin(rows, pairing[name].gold) for name in COLUMNS}
        matches = {
            name: Match(rows, partner, of.astype(np.int8), ("correct", "wrong"))
            for name, of in wrong.items()
        }
        equal = {CODE.name: ~wrong["strict"][: len(given)]}
        matches["strict"] = replace(matches["strict"], equal=equal)
        return {name: Rows(match, sides, COLUMNS[name]) for name, match in matches.items()}

    def sides(self, corpus: Abbreviations, _setup: Setup, /) -> Sides:
        """Return the abbreviations with the annotators' first codes, and the answered ones."""
        return _take_first(corpus, find_same_spans(corpus))

    def list_pairings(
        self, corpus: Abbreviations, pairing: Paired, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Match abbreviations for reports; reject lists, because they have no offsets."""
        if len(corpus.gold) and not corpus.gold.columns.bounds[-1]:
            raise InputError(
                "a report needs the positions of abbreviations, and lists of codes have none",
                remedy="Give files, or text, in the format of Task 1",
            )
        same = MatchKind(compare=lambda corpus, pairs: {CODE.name: compare(corpus, pairs)[0]})
        kinds = {"given": same, "strict": MatchKind(), "relaxed": MatchKind()}
        found = rows_of(corpus, pairing, kinds)
        return {
            "exact/span": found["given"],
            "overlap/span": found["given"],
            "exact/both": found["strict"],
            "overlap/both": found["relaxed"],
        }

    def page_sides(self, corpus: Abbreviations, _setup: Setup, /) -> Sides:
        """Return the abbreviations with all codes of the annotators."""
        return corpus.sides


def _take_first(corpus: Corpus, given: Pairs) -> Sides:
    """Return the abbreviations with the annotators' first codes, and the answered ones."""
    gold, answers = corpus.gold.columns, corpus.gold.columns.attributes[CODE.name]
    firsts = Coded.of([CODE.fold(value.split(",")[0].strip()) for value in answers.values])
    used = _fold_codes(corpus)
    codes = tuple(dict.fromkeys((*firsts.values, *used.values)))
    first = Coded(firsts.ids.take(answers.ids), firsts.values).fold(str, codes)
    predicted = Coded(used.ids[given.prediction], used.values).fold(str, codes)
    return (
        replace(gold, attributes={CODE.name: first}),
        replace(gold.take(given.gold), attributes={CODE.name: predicted}),
    )


def compare(corpus: Corpus, pairs: Pairs) -> tuple[BoolArray, BoolArray]:
    """Return, ``[p]`` each, whether the code is the annotators' first and whether it is listed.

    Examples:
        >>> gold = read_side([["C1", "C2"]] * 3, "references", None)
        >>> found = read_side(["C1", "C2", "C3"], "predictions", None)
        >>> corpus = join_abbreviations(gold, found)
        >>> best, listed = compare(corpus, find_same_spans(corpus))
        >>> best.tolist(), listed.tolist()
        ([True, False, False], [True, True, False])
    """
    answers, used = corpus.gold.columns.attributes[CODE.name], _fold_codes(corpus)
    numbers = {code: number for number, code in enumerate(used.values)}
    lists = [[numbers.get(CODE.fold(c.strip()), -2) for c in v.split(",")] for v in answers.values]
    firsts = np.array([codes[0] for codes in lists], np.int64)
    size = len(numbers)
    members = [row * size + code for row, codes in enumerate(lists) for code in codes if code >= 0]
    answer, predicted = answers.ids[pairs.gold].astype(np.int64), used.ids[pairs.prediction]
    best: BoolArray = firsts.take(answer) == predicted
    return best, np.isin(answer * size + predicted, members)


def _fold_codes(corpus: Corpus) -> Coded:
    codes = corpus.prediction.columns.attributes[CODE.name]
    folded = Coded.of([CODE.fold(value) for value in codes.values])
    return Coded(folded.ids.take(codes.ids), folded.values)


class Accuracies(Measure):
    """The share of abbreviations with the annotators' first code, and with any of their codes."""

    short_names: ClassVar = {"strict_accuracy": "acc", "relaxed_accuracy": "acc_r"}

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Divide the correct codes by all abbreviations."""
        counts = {key: totals[key] for key in ("strict_correct", "relaxed_correct", "total")}
        correct = {name: ratio(counts[f"{name}_correct"], counts["total"]) for name in COLUMNS}
        return {**{f"{name}_accuracy": share for name, share in correct.items()}, **counts}

    def tables(self) -> Iterable[Grid]:
        """Lay out the accuracies with their counts."""
        rows = {name: (f"{name}_accuracy", f"{name}_correct", "total") for name in COLUMNS}
        yield Grid("Task 2: codes of abbreviations", ("accuracy", "correct", "total"), rows)

    def checks(self) -> Iterable[PairCheck]:
        """List the accuracies and their counts."""
        for name, mode in _MODES.items():
            yield PairCheck(f"{name}_accuracy", mode, "both", "recall")
            yield PairCheck(f"{name}_correct", mode, "both", "tp")
        yield PairCheck("total", "exact", "both", "gold")

    def presets(self) -> Iterable[Preset]:
        """Offer both."""
        for name, mode in _MODES.items():
            yield Preset(f"Task 2 {name}", mode, "both", f"{name}_accuracy")


MEASURES = Measures.of(Accuracies(), ranking={"default": ("strict_accuracy",)})
