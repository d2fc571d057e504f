"""ShARe/CLEF 2013 Task 1 read, paired and counted; ``__init__.py`` says how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import ClassVar

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray
from clineval.base.ratios import Columns, ratio
from clineval.challenges.clefehealth13_task1.distinct import DistinctSpans
from clineval.formats.delimited import clef
from clineval.formats.given.mentions import read_side
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus, join_sides
from clineval.kinds.mentions.labelled import pair_lenient
from clineval.kinds.mentions.match import NONE, Match
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.measures import Spans
from clineval.kinds.mentions.outcomes import (
    MatchKind,
    Outcomes,
    Pairing,
    join_pairings,
    list_matches,
    pairs_of,
    tally_matches,
)
from clineval.kinds.mentions.pairing import Pairs, find_same_spans
from clineval.kinds.mentions.slots import Slot
from clineval.results.challenge import Protocol, Setup
from clineval.results.formulas import Formula
from clineval.results.measures import Measures

CUI = Slot("cui", "code")
SLOTS = (CUI,)
SPANS_ALONE = (Slot("cui", "code", required=False),)
"""The slots where Task 1a is scored alone."""


@dataclass(frozen=True, slots=True, eq=False)
class SpanPairing:
    """Equal and overlapping pairs of the distinct spans of a block, as rows of these."""

    spans: DistinctSpans
    exact: Pairs
    overlap: Pairs | Match


def _compare(corpus: Corpus, pairs: Pairs) -> dict[str, BoolArray]:
    return {CUI.name: same_value(pairs, corpus, CUI)}


CODE_KINDS = {
    "strict": MatchKind({"correct": ("tp",), "strict_total": ("tp", "fn")}),
    "relaxed": MatchKind({"relaxed_total": ("tp",)}, _compare),
}
"""What is counted of mentions with the same fragments, in Task 1b."""


SPANS = {
    name: Spans(
        name,
        "Task 1a: spans of disorders",
        short=short,
        place=f"{name}/span",
        preset=f"1a {name}",
        by="",
    )
    for name, short in (("exact", "exact"), ("overlap", "over"))
}
"""The scores of Task 1a."""
_SECOND = "Task 1b: spans and codes"
_ACCURACY = Formula(
    "strict_accuracy",
    lambda totals: ratio(totals["correct"], totals["strict_total"]),
    (_SECOND, "strict", "accuracy"),
    configs=("default", "task1b"),
    main=True,
    short="acc",
    place="exact/both",
    preset="1b strict",
    check="recall",
)
_RELAXED = replace(
    _ACCURACY,
    key="relaxed_accuracy",
    compute=lambda totals: ratio(totals["correct"], totals["relaxed_total"]),
    cell=(_SECOND, "relaxed", "accuracy"),
    short="acc_r",
    place="exact/class",
    preset="1b relaxed",
    check="accuracy",
)


def _count(like: Formula, key: str, cell: tuple[str, str], check: str) -> Formula:
    """Declare a count that an accuracy is made of, which stands beside it."""
    return Formula(
        key,
        itemgetter(key),
        (_SECOND, *cell),
        configs=like.configs,
        place=like.place,
        check=check,
    )


MEASURES = Measures.of(
    *SPANS.values(),
    _ACCURACY,
    _RELAXED,
    _count(_ACCURACY, "correct", ("strict", "correct"), "tp"),
    _count(_RELAXED, "correct", ("relaxed", "correct"), ""),
    _count(_ACCURACY, "strict_total", ("strict", "total"), "gold"),
    _count(_RELAXED, "relaxed_total", ("relaxed", "total"), "pairs"),
    ranking={
        "default": ("exact_f1", "strict_accuracy"),
        "task1a": ("exact_f1",),
        "task1b": ("strict_accuracy",),
    },
    shown_per_document=(),
)


class Spec(Protocol[Side, Corpus, SpanPairing]):
    """The lab's document."""

    strict: ClassVar[bool] = True
    """Whether text must keep to the format; otherwise all is taken that the script takes."""
    widest: ClassVar[tuple[str, ...]] = ("overlap",)
    """The matches that pair most; the first that is scored."""

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read files or text in the lab's format, JSON Lines, dicts, or Documents.

        The slots of SemEval-2015 Task 14 are ignored.
        """
        slots = slots_of(setup.config)
        return read_side(given, slots, strict=self.strict, side=side, text_format=clef)

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join both sides."""
        return join_sides(gold, predicted, slots_of(setup.config))

    def pair(self, corpus: Corpus, _setup: Setup, /) -> SpanPairing:
        """Pair equal spans, and overlapping ones."""
        spans = DistinctSpans.of(corpus, CUI.name)
        exact = find_same_spans(spans.corpus)
        return SpanPairing(spans, exact, pair_lenient(spans.corpus, exact, None))

    def tally(self, corpus: Corpus, pairing: SpanPairing, setup: Setup, /) -> Columns:
        """Return the counts of each document."""
        columns: dict[str, IntArray | FloatArray] = {}
        if setup.config != "task1b":
            found = {"exact": pairing.exact, "overlap": pairing.overlap}
            for measure in SPANS.values():
                columns |= measure.tally(pairing.spans.corpus, found, ())
        if setup.config != "task1a":
            columns |= tally_matches(corpus, _pair_codes(pairing), CODE_KINDS)
        return columns

    def list_outcomes(
        self, corpus: Corpus, pairings: Sequence[SpanPairing], setup: Setup, /
    ) -> Outcomes:
        """List what became of every span and of every mention.

        ``exact`` and ``overlap`` list distinct spans, each as one of its mentions, and ``strict``
        and ``relaxed`` all mentions with their codes. Where Task 1b is scored alone ``overlap``
        lists all mentions too.
        """
        whole = _join(corpus, pairings)
        matches: dict[str, Match] = {}
        if setup.config != "task1a":
            matches |= list_matches(corpus, _pair_codes(whole), CODE_KINDS)
        if setup.config != "task1b":
            matches["exact"] = _list_spans(whole, "exact", setup.config)
            matches["overlap"] = _list_spans(whole, "overlap", setup.config)
        elif isinstance(whole.overlap, Pairs):
            pairs = whole.spans.mentions_of(whole.overlap)
            kinds = {"overlap": MatchKind({}, _compare)}
            matches |= list_matches(corpus, {"overlap": pairs}, kinds)
        name = next(name for name in self.widest if name in matches)
        # in Task 1a codes say nothing
        any_class = name == "overlap" or setup.config == "task1a"
        return Outcomes.of(setup, corpus, matches, name, any_class=any_class)

    def list_pairings(self, corpus: Corpus, pairings: Sequence[SpanPairing]) -> dict[str, Match]:
        """List spans for the page, and all mentions of these spans where there are more.

        A page shows both tasks whatever is scored.
        """
        whole = _join(corpus, pairings)
        names = ("exact", "overlap")
        found = {f"{name}/span": _list_spans(whole, name, "default") for name in names}
        if whole.spans.repeated and isinstance(whole.overlap, Pairs):
            every = {
                "exact/class": whole.spans.predictions_at(whole.exact),
                "overlap/class": whole.spans.mentions_of(whole.overlap),
            }
            found |= list_matches(corpus, every, dict.fromkeys(every, MatchKind()))
        return found


def slots_of(config: str) -> Sequence[Slot]:
    """Return the slots of a configuration; Task 1a can do without codes."""
    return SPANS_ALONE if config == "task1a" else SLOTS


def _pair_codes(pairing: SpanPairing) -> dict[str, Pairs]:
    """Pair mentions of equal spans: one to one if of equal code, and every prediction there."""
    pairs = pairing.spans.predictions_at(pairing.exact)
    return {
        "strict": pairs.take(same_value(pairs, pairing.spans.whole, CUI)),
        "relaxed": pairs,
    }


def _join(corpus: Corpus, pairings: Sequence[SpanPairing]) -> SpanPairing:
    if len(pairings) == 1:
        return pairings[0]
    found: list[Pairing] = [{"exact": p.exact, "overlap": p.overlap} for p in pairings]
    joined = join_pairings([p.spans.corpus for p in pairings], found)
    return SpanPairing(
        DistinctSpans.of(corpus, CUI.name), pairs_of(joined["exact"]), joined["overlap"]
    )


def _list_spans(pairing: SpanPairing, name: str, config: str) -> Match:
    """List outcomes of distinct spans; a mention stands for each, of equal code if possible."""
    spans, pairs = pairing.spans, getattr(pairing, name)
    match = SPANS[name].list_matches(spans.corpus, {name: pairs}, ())[name]
    gold, prediction = np.append(spans.gold, NONE), np.append(spans.prediction, NONE)
    equal: dict[str, BoolArray] = {}
    if isinstance(pairs, Pairs):
        standing = spans.representatives_of(pairs)
        gold[pairs.gold], prediction[pairs.prediction] = standing.gold, standing.prediction
        equal = _compare(spans.whole, standing)
        if config == "task1a":  # in which codes say nothing
            equal = {CUI.name: np.ones(len(pairs), np.bool_)}
    return replace(
        match, gold=gold[match.gold], prediction=prediction[match.prediction], equal=equal
    )
