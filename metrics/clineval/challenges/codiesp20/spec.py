"""Read, pair and count CodiEsp 2020 as the package's docstring defines it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, expand_ranges
from clineval.base.errors import InputError
from clineval.base.files import Source
from clineval.base.ratios import Columns
from clineval.challenges.codiesp20.chapters import Chapters
from clineval.formats.code_lists import VALID_CODES
from clineval.formats.delimited.code_tables import (
    GOLD_PLACES,
    LISTS,
    PLACES,
    lines_of,
    read_side,
)
from clineval.formats.given.code_lists import read_codes
from clineval.kinds.codes.corpus import CHAPTER, CodeCorpus, join_codes
from clineval.kinds.codes.kind import CodeKind
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.outcomes import ANY_CLASS
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import Rows
from clineval.protocols.code_sets import CodeMeasure, CodePairing, CodeSets, fold_code
from clineval.protocols.ranked_codes import MeanPrecisions, RankedCodes, name_valid, only_valid
from clineval.results.challenge import Setup
from clineval.results.match import Match
from clineval.results.settings import declare_settings
from clineval.results.task import ClassSlot
from clineval.results.views import ItemCheck

MOST_CHARACTERS = 10
"""The most characters by which an end of a prediction may differ from the gold position."""


class Spec(RankedCodes):
    """The challenge's definition."""

    kind = CodeKind(ClassSlot("code", "code"), "characters")

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read TSV files or text, lists of codes, or mappings of documents to lists of codes."""
        if setup.config != "X":
            return super().read_side(given, side, setup)
        table = GOLD_PLACES if side == "references" else PLACES
        return read_codes(given, side, partial(read_side, table=table), places=True)

    def check(self, source: Source, setup: Setup, /) -> None:
        """Check files of codes; the first line's columns decide whether codes have positions."""
        _, first = next(lines_of(source), ("", ""))
        if not first:
            raise InputError("expected lines with a document and a code, got none")
        tables = {len(table.columns): table for table in (PLACES, GOLD_PLACES)}
        table = tables.get(first.count("\t") + 1, LISTS)
        read_side(source, table, self.judge_gold(setup))

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> CodeCorpus:
        """Join both sides, and add the chapters of codes if these are known."""
        corpus = join_codes(gold, predicted, self.fold)
        if setup["codes"] is not None:
            corpus = only_valid(corpus, set(map(self.fold, setup["codes"])))
        chapters: Chapters | None = setup["chapters"]
        return corpus.labelled(CHAPTER, chapters.find) if chapters else corpus

    def pair(self, corpus: CodeCorpus, setup: Setup, /) -> CodePairing:
        """Pair the codes that both sides have (``code``), and the right ones among them."""
        same = corpus.find_same()
        if setup.config != "X":
            return {"micro": same, "code": same}
        return {"micro": same.take(self._point_alike(corpus, same)), "code": same}

    def _point_alike(self, corpus: CodeCorpus, pairs: Pairs) -> BoolArray:
        """Return for each pair whether any gold position is near any predicted position."""
        gold, prediction = corpus.gold, corpus.prediction
        counts = gold.fragment_counts[pairs.gold], prediction.fragment_counts[pairs.prediction]
        pair = np.repeat(np.arange(len(pairs)), counts[0])
        left = expand_ranges(gold.bounds[pairs.gold], gold.bounds[pairs.gold + 1])
        rows = pairs.prediction[pair]  # all pairs of positions
        right = expand_ranges(prediction.bounds[rows], prediction.bounds[rows + 1])
        pair, left = (np.repeat(column, counts[1][pair]) for column in (pair, left))
        before = gold.starts[left] - prediction.starts[right]
        after = prediction.ends[right] - gold.ends[left]
        alike = np.zeros(len(pairs), np.bool_)
        alike[pair[self.is_near(before, after)]] = True
        return alike

    def is_near(self, before: IntArray, after: IntArray) -> BoolArray:
        """Return which predictions are right, by how much sooner they start and later they end."""
        near: BoolArray = (abs(before) <= MOST_CHARACTERS) & (abs(after) <= MOST_CHARACTERS)
        return near

    def complete(
        self, corpus: CodeCorpus, pairing: CodePairing, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Add the columns for MAP if codes are ranked."""
        if setup.config == "X":
            return CodeSets.complete(self, corpus, pairing, counted, setup)
        return super().complete(corpus, pairing, counted, setup)

    def list_matches(
        self, block: CodeCorpus, pairing: CodePairing, setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the verdicts on every code: as it counts, and (``code``) whatever its position."""
        found = super().list_matches(block, pairing, setup)
        return {**found, "code": block.rows_of(pairing["code"], {})}

    def widen(
        self, corpus: CodeCorpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Also pair different codes that point to the same words."""
        sides, matches = self.sides(corpus, setup), super().widen(corpus, matches, setup)
        return {**matches, ANY_CLASS: pair_any_class(matches["code"], *sides, corpus.documents)}

    own_settings = declare_settings(
        VALID_CODES,
        *RankedCodes.own_settings,
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the options that the scores depend on."""
        valid = {"codes": name_valid(setup["codes"])}
        if setup.config == "X":
            return {**valid, **CodeSets.settings(self, setup)}
        return {**valid, **super().settings(setup)}


class Micro(CodeMeasure):
    """Precision, recall and F1 of codes; right codes may have a wrong position (elsewhere)."""

    def item_checks(self) -> Iterable[ItemCheck]:
        """List the counts, precision and recall."""
        right, wrong, missed = ("right",), ("spurious", "elsewhere"), ("missed", "elsewhere")
        for key, kinds in (("tp", right), ("fp", wrong), ("fn", missed)):
            yield ItemCheck(f"micro_{key}", "codes", kinds)
        yield ItemCheck("micro_precision", "codes", right, right + wrong)
        yield ItemCheck("micro_recall", "codes", right, right + missed)


def protocol(of: type[Spec], fold: Callable[[str], str], depth: int | None = None) -> Spec:
    """Return a protocol: ``fold`` normalizes codes, and ``depth`` limits the codes for MAP."""
    scores = MeanPrecisions(), Micro(heading="micro")
    return of(partial(read_side, table=LISTS), fold, scores=scores, depth=depth)


SPEC = protocol(Spec, fold_code)
