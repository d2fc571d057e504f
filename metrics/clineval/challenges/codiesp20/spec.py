"""CodiEsp 2020 read, paired and counted; the package's docstring says how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray, expand_ranges, is_iterable
from clineval.base.errors import InputError, shown, warn
from clineval.base.hashing import hash_text
from clineval.base.ratios import Columns, Number, Totals, ratio
from clineval.challenges.code_sets import CodeMeasure, CodePairing, CodeSets, fold_code
from clineval.challenges.codiesp20.tsv import GOLD_PLACES, LISTS, PLACES, Chapters, read_side
from clineval.formats.given.code_lists import read_codes
from clineval.kinds.codes import CHAPTER, CODE, CodeCorpus, join_codes
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.outcomes import ANY_CLASS, Outcomes, columns_of
from clineval.kinds.mentions.pairing import Pairs
from clineval.results.challenge import Setup
from clineval.results.measures import Grid, Measure
from clineval.results.views import ItemCheck

MOST_CHARACTERS = 10
"""How far each end of a prediction may be from the reference's."""


class Spec(CodeSets):
    """The challenge's definition."""

    depth: int | None = None
    """How many codes of a list count for MAP; None for all."""

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read TSV files or text, lists of codes, or mappings of documents to these."""
        if setup.config != "X":
            return super().read_side(given, side, setup)
        table = GOLD_PLACES if side == "references" else PLACES
        return read_codes(given, side, partial(read_side, table=table), places=True)

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> CodeCorpus:
        """Bring both sides together, with the chapters of their codes if these are known."""
        corpus = join_codes(gold, predicted, self.fold)
        if setup["codes"] is not None:
            corpus = _only_valid(corpus, set(map(self.fold, setup["codes"])))
        chapters: Chapters | None = setup["chapters"]
        return corpus.labelled(CHAPTER, chapters.find) if chapters else corpus

    def pair(self, corpus: CodeCorpus, setup: Setup, /) -> CodePairing:
        """Pair the codes that both sides have (``code``), and those of them that are right."""
        same = corpus.find_same()
        if setup.config != "X":
            return {"micro": same, "code": same}
        return {"micro": same.take(self._point_alike(corpus, same)), "code": same}

    def _point_alike(self, corpus: CodeCorpus, pairs: Pairs) -> BoolArray:
        """Tell of each pair whether some place of the one is near some place of the other."""
        gold, prediction = corpus.gold, corpus.prediction
        counts = gold.fragment_counts[pairs.gold], prediction.fragment_counts[pairs.prediction]
        pair = np.repeat(np.arange(len(pairs)), counts[0])
        left = expand_ranges(gold.bounds[pairs.gold], gold.bounds[pairs.gold + 1])
        rows = pairs.prediction[pair]  # every gold place meets every predicted place of its pair
        right = expand_ranges(prediction.bounds[rows], prediction.bounds[rows + 1])
        pair, left = (np.repeat(column, counts[1][pair]) for column in (pair, left))
        before = gold.starts[left] - prediction.starts[right]
        after = prediction.ends[right] - gold.ends[left]
        alike = np.zeros(len(pairs), np.bool_)
        alike[pair[self.is_near(before, after)]] = True
        return alike

    def is_near(self, before: IntArray, after: IntArray) -> BoolArray:
        """Tell which predictions are right: how much sooner they start, and later they end."""
        near: BoolArray = (abs(before) <= MOST_CHARACTERS) & (abs(after) <= MOST_CHARACTERS)
        return near

    def tally(self, corpus: CodeCorpus, pairing: CodePairing, setup: Setup, /) -> Columns:
        """Count the codes of each document, and what it adds to MAP."""
        columns = corpus.tally(pairing["micro"])
        if setup.config == "X":
            return columns
        codes = corpus.gold.attributes[CODE]
        named = np.array(list(map(bool, codes.values)), np.bool_)[codes.ids]
        golds = np.bincount(corpus.gold.document[named], minlength=len(corpus.documents))
        right = pairing["micro"].take(named[pairing["micro"].gold])  # missing codes are not found
        depths = {"map": None, **{f"map_at_{k}": k for k in setup["cutoffs"]}}
        sums = {
            f"{name}_sum": np.asarray(ratio(self._sum_precisions(corpus, right, depth), golds))
            for name, depth in depths.items()
        }
        averaged = self.averaged(corpus, golds).astype(np.int64)
        return {**columns, **sums, "ranked_documents": averaged}

    def _sum_precisions(self, corpus: CodeCorpus, right: Pairs, depth: int | None) -> FloatArray:
        """Sum, ``[documents]``, over the right codes the share of right codes up to their rank.

        Only the first ``depth`` codes of a document's list are looked at.
        """
        rank = corpus.rank[right.prediction]
        document = corpus.prediction.document[right.prediction]
        within = [limit for limit in (depth, self.depth) if limit is not None]
        looked_at = np.flatnonzero(rank <= min(within, default=len(corpus.prediction)))
        order = looked_at[np.lexsort((rank[looked_at], document[looked_at]))]
        document, rank = document[order], rank[order]
        hits = np.arange(len(order)) - np.searchsorted(document, document) + 1
        return np.bincount(document, hits / rank, len(corpus.documents)).astype(np.float64)

    def averaged(self, _corpus: CodeCorpus, golds: IntArray) -> BoolArray:
        """Tell which documents count for MAP, ``[documents]``: those with a gold code."""
        return np.asarray(golds > 0)

    def list_outcomes(
        self, corpus: CodeCorpus, pairings: Sequence[CodePairing], setup: Setup, /
    ) -> Outcomes:
        """List what became of every code: ``micro`` as it counts, ``code`` wherever it points to.

        ``any_class`` also pairs different codes that point to the same words.
        """
        [pairing] = pairings
        counted = {"micro": columns_of("micro"), "code": {}}
        matches = {name: corpus.list_match(pairing[name], of) for name, of in counted.items()}
        sides = corpus.gold, corpus.prediction
        matches[ANY_CLASS] = pair_any_class(matches["code"], *sides, corpus.documents)
        return Outcomes.of(setup, corpus, matches, ANY_CLASS, sides)

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Name what the numbers depend on besides the protocol."""
        valid = setup["codes"]
        folded = sorted({code.strip().lower() for code in valid or ()})
        listed = f"{len(folded)}-{hash_text(' '.join(folded)) >> 40:06x}"
        named = {"codes": "any" if valid is None else listed}
        return named if setup.config == "X" else named | {"k": "+".join(map(str, setup["cutoffs"]))}


def _only_valid(corpus: CodeCorpus, valid: set[str]) -> CodeCorpus:
    codes = corpus.prediction.attributes[CODE]
    counts = np.array([code in valid for code in codes.values], np.bool_)
    kept = np.flatnonzero(counts[codes.ids])
    warn(
        "{n} predicted {code is|codes are} not in the list of valid codes and {does|do} not count",
        n=len(corpus.prediction) - len(kept),
    )
    return replace(corpus, prediction=corpus.prediction.take(kept))


class MeanPrecisions(Measure):
    """MAP and MAP@k; the package's docstring has the formulas."""

    headline = shown_per_document = ("map",)

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute the means, where codes are ranked."""
        return {
            name.removesuffix("_sum"): ratio(total, totals["ranked_documents"])
            for name, total in totals.items()
            if name.startswith("map")
        }

    def tables(self) -> Iterable[Grid]:
        """Lay out those of the challenge."""
        yield Grid("Ranked codes", ("MAP", "MAP@30"), {"all": ("map", "map_at_30")})

    def details(self) -> Iterable[Grid]:
        """Lay out other cutoffs."""
        yield Grid("Other cutoffs", ("value",), {})


class Micro(CodeMeasure):
    """Precision, recall and F1 of codes, some of which may be right and stand elsewhere."""

    def item_checks(self) -> Iterable[ItemCheck]:
        """List the counts, precision and recall."""
        right, wrong, missed = ("right",), ("spurious", "elsewhere"), ("missed", "elsewhere")
        for key, kinds in (("tp", right), ("fp", wrong), ("fn", missed)):
            yield ItemCheck(f"micro_{key}", "codes", kinds)
        yield ItemCheck("micro_precision", "codes", right, right + wrong)
        yield ItemCheck("micro_recall", "codes", right, right + missed)


def protocol(of: type[Spec], fold: Callable[[str], str]) -> Spec:
    """Return a protocol, by the form in which codes are compared."""
    scores = MeanPrecisions(), Micro(heading="micro")
    return of(partial(read_side, table=LISTS), fold, scores=scores)


SPEC = protocol(Spec, fold_code)


def parse_cutoffs(given: object) -> tuple[int, ...]:
    """Judge the option ``cutoffs``."""
    words = given.split(",") if isinstance(given, str) else given
    listed = words if is_iterable(words) and not isinstance(words, bytes) else ()
    numbers = list(map(_parse_cutoff, listed))
    if not numbers or not all(numbers):
        raise InputError(
            f"expected whole numbers from 1 on, such as 10,30, got {shown(given)}", where="cutoffs"
        )
    return tuple(dict.fromkeys(numbers))


def _parse_cutoff(given: object) -> int:
    """Return a positive integer; 0 for anything else."""
    if isinstance(given, str) and given.strip().isdecimal() and len(given.strip()) < len("10" * 5):
        given = int(given)
    return given if type(given) is int and given > 0 else 0
