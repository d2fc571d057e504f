"""The rules of ``eval.pl``, the released script of ShARe/CLEF 2013 Task 1."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from clineval.challenges.clefehealth13_task1.distinct import DistinctSpans
from clineval.challenges.clefehealth13_task1.spec import CUI, SpanPairing, Spec, slots_of
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.outcomes import ANY_CLASS
from clineval.kinds.mentions.overlap import overlaps_any
from clineval.kinds.mentions.pairing import find_same_spans
from clineval.programs.written_spans import join_written
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.match import NONE, Match


class Official(Spec):
    """The released script: it compares spans as written, and overlap with any mention counts."""

    strict = False
    widest = "exact"

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join both sides."""
        return join_written(gold, predicted, slots_of(setup.config), "all")

    def pair(self, corpus: Corpus, _setup: Setup, /) -> SpanPairing:
        """Pair spans that are written alike, and find spans that overlap the other side."""
        overlap = judge_overlap(corpus.gold.columns, corpus.prediction.columns)
        spans = DistinctSpans.of(corpus, CUI.name)
        return SpanPairing(spans, find_same_spans(corpus), overlap)

    def widen(
        self, corpus: Corpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Also compare the codes of overlapping mentions; Task 1a ignores codes."""
        if setup.config == "task1a":
            return matches
        sides = corpus.gold.columns, corpus.prediction.columns
        widest = matches.get(self.widest, matches["relaxed"])
        return {**matches, ANY_CLASS: pair_any_class(widest, *sides, corpus.documents)}


def judge_overlap(gold: MentionColumns, prediction: MentionColumns) -> Match:
    """Judge mentions by whether they overlap any mention of the other side."""
    right, found = overlaps_any(prediction, gold), overlaps_any(gold, prediction)
    return Match.of(
        [
            *((NONE, row, "tp") for row in np.flatnonzero(right).tolist()),
            *((NONE, row, "fp") for row in np.flatnonzero(~right).tolist()),
            *((row, NONE, "fn") for row in np.flatnonzero(~found).tolist()),
        ]
    )
