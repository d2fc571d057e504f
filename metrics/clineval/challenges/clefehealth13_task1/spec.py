"""Read, pair and count ShARe/CLEF 2013 Task 1 as ``__init__.py`` defines it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import ClassVar

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.files import Source
from clineval.base.ratios import ratio
from clineval.challenges.clefehealth13_task1.distinct import DistinctSpans
from clineval.formats.delimited import clef
from clineval.formats.given.mentions import check, read_side
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus, join_sides
from clineval.kinds.mentions.kind import SpanKind
from clineval.kinds.mentions.labelled import pair_lenient
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.measures import Spans
from clineval.kinds.mentions.pairing import Pairs, find_same_spans
from clineval.kinds.mentions.rows import MatchKind, Pairing, Rows, rows_of
from clineval.results.challenge import Setup
from clineval.results.formulas import Formula
from clineval.results.match import Match
from clineval.results.measures import Measures
from clineval.results.protocol import Protocol
from clineval.results.slots import CUI_LESS, Slot
from clineval.results.task import ClassSlot

CUI = Slot("cui", "code")
SLOTS = (CUI,)
SPANS_ALONE = (Slot("cui", "code", required=False),)
"""The slots if only Task 1a is scored."""


@dataclass(frozen=True, slots=True, eq=False)
class SpanPairing:
    """Equal and overlapping pairs of the distinct spans of a block, as row numbers."""

    spans: DistinctSpans
    exact: Pairs
    overlap: Pairs | Match


def _compare(corpus: Corpus, pairs: Pairs) -> dict[str, BoolArray]:
    return {CUI.name: same_value(pairs, corpus, CUI)}


CODE_KINDS = {
    "strict": MatchKind({"correct": ("tp",), "strict_total": ("tp", "fn")}),
    "relaxed": MatchKind({"relaxed_total": ("tp",)}, _compare),
}
"""Counts of mentions with the same fragments, in Task 1b."""


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
    """Declare a count that an accuracy is computed from; tables show it beside the accuracy."""
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

    kind = SpanKind(ClassSlot("cui", "code", CUI_LESS), slots_of=lambda _: SLOTS)

    by_line: ClassVar[bool] = True
    strict: ClassVar[bool] = True
    """Whether text must keep to the format; otherwise all that the script accepts is read."""
    widest = "overlap"
    any_class = True

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read files or text in the lab's format, JSON Lines, dicts, or Documents.

        The slots of SemEval-2015 Task 14 are ignored.
        """
        slots = slots_of(setup.config)
        return read_side(given, slots, strict=self.strict, side=side, text_format=clef)

    def check(self, source: Source, _setup: Setup, /) -> None:
        """Reject files that break the format of submissions."""
        check(source, SLOTS, clef)

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join both sides."""
        return join_sides(gold, predicted, slots_of(setup.config))

    def pair(self, corpus: Corpus, _setup: Setup, /) -> SpanPairing:
        """Pair equal spans, and overlapping ones."""
        spans = DistinctSpans.of(corpus, CUI.name)
        exact = find_same_spans(spans.corpus)
        return SpanPairing(spans, exact, pair_lenient(spans.corpus, exact, None))

    def list_matches(
        self, block: Corpus, pairing: SpanPairing, setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the verdict on every span and on every mention.

        ``exact`` and ``overlap`` list distinct spans; one mention represents each. ``strict`` and
        ``relaxed`` list all mentions with their codes. If only Task 1b is scored, ``overlap``
        lists all mentions too.
        """
        matches: dict[str, Rows] = {}
        if setup.config != "task1b":
            matches |= {name: _list_spans(pairing, name, setup.config) for name in SPANS}
        if setup.config != "task1a":
            matches |= rows_of(block, _pair_codes(pairing), CODE_KINDS)
        if setup.config == "task1b" and isinstance(pairing.overlap, Pairs):
            pairs = pairing.spans.mentions_of(pairing.overlap)
            matches["overlap"] = MatchKind({}, _compare).of(block, pairs)
        return matches

    def list_pairings(
        self, block: Corpus, pairing: SpanPairing, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return spans for the page, and all mentions of spans that have several.

        A page shows both tasks whatever is scored.
        """
        found = {f"{name}/span": _list_spans(pairing, name, "default") for name in SPANS}
        if not pairing.spans.repeated or isinstance(pairing.overlap, Match):
            return found
        every: Pairing = {
            "exact/class": pairing.spans.predictions_at(pairing.exact),
            "overlap/class": pairing.spans.mentions_of(pairing.overlap),
        }
        return {**found, **rows_of(block, every, dict.fromkeys(every, MatchKind()))}


def slots_of(config: str) -> Sequence[Slot]:
    """Return the slots of a configuration; codes are optional in Task 1a."""
    return SPANS_ALONE if config == "task1a" else SLOTS


def _pair_codes(pairing: SpanPairing) -> dict[str, Pairs]:
    """Pair mentions of equal spans: ``strict`` if codes are equal, ``relaxed`` all predictions."""
    pairs = pairing.spans.predictions_at(pairing.exact)
    return {
        "strict": pairs.take(same_value(pairs, pairing.spans.whole, CUI)),
        "relaxed": pairs,
    }


def _list_spans(pairing: SpanPairing, name: str, config: str) -> Rows:
    """Return the rows of distinct spans, each represented by a mention: equal codes first."""
    spans, pairs = pairing.spans, {"exact": pairing.exact, "overlap": pairing.overlap}[name]
    rows = SPANS[name].list_rows(spans.corpus, pairs, ())
    if isinstance(pairs, Match):
        return replace(rows, compare=None, among=lambda: (spans.gold, spans.prediction))

    def stand(paired: Pairs) -> tuple[IntArray, IntArray]:
        gold, prediction = spans.gold.copy(), spans.prediction.copy()
        standing = spans.representatives_of(paired)
        gold[paired.gold], prediction[paired.prediction] = standing.gold, standing.prediction
        return gold, prediction

    def compare(paired: Pairs) -> Mapping[str, BoolArray]:
        if config == "task1a":  # Task 1a ignores codes
            return {CUI.name: np.ones(len(paired), np.bool_)}
        return _compare(spans.whole, spans.representatives_of(paired))

    return replace(rows, compare=compare, among=partial(stand, pairs))
