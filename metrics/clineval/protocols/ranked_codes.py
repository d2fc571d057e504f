"""Ranked codes of documents, ready to be scored: a protocol that challenges parametrise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray, is_iterable
from clineval.base.errors import InputError, shown, warn
from clineval.base.hashing import hash_text
from clineval.base.ratios import Columns, Number, Totals, ratio
from clineval.kinds.codes.corpus import CODE, CodeCorpus
from clineval.kinds.mentions.pairing import Pairs
from clineval.protocols.code_sets import CodeMeasure, CodePairing, CodeSets
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.measures import Grid, Measure
from clineval.results.options import Option
from clineval.results.settings import Setting, declare_settings


@dataclass(frozen=True)
class RankedCodes(CodeSets):
    """The set of codes of each document, and the mean average precision of the ranked lists.

        AP(d) = sum over the ranks r of right codes of (right codes up to r) / r
                / number of gold codes of d
        MAP = mean of AP(d) over the documents with a gold code

    Lists of codes are ranked by their order, the best first; TSV files are ranked by the order of
    lines. MAP@k uses the first k codes; the option ``cutoffs`` lists the values of k.

    Args:
        files: see :class:`CodeSets`.
        fold: see :class:`CodeSets`.
        label: see :class:`CodeSets`.
        scores: the measures, MAP first.
        counted: not used here.
        phrases: not used here.
        depth: the number of codes of a list that count for MAP; None for all.

    Raises:
        InputError: an argument is invalid.

    Examples:
        >>> RankedCodes().measures.headline, [option.name for option in RankedCodes().options]
        (('map', 'micro_f1'), ['cutoffs', 'hierarchy'])
    """

    scores: tuple[Measure, ...] = field(default_factory=lambda: (MeanPrecisions(), CodeMeasure()))
    depth: int | None = None

    @property
    def options(self) -> tuple[Option, ...]:
        """The values of k of MAP@k, and the hierarchy."""
        return (CUTOFFS, *super().options)

    def complete(
        self, corpus: CodeCorpus, pairing: CodePairing, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Add the contribution of each document to MAP."""
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
        counted = super().complete(corpus, pairing, counted, setup)
        return {**counted, **sums, "ranked_documents": averaged}

    def _sum_precisions(self, corpus: CodeCorpus, right: Pairs, depth: int | None) -> FloatArray:
        """Sum the shares of right codes up to the rank of each right code, ``[documents]``.

        Only the first ``depth`` codes of a document's list count.
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
        """Return which documents count for MAP, ``[documents]``: documents with a gold code."""
        return np.asarray(golds > 0)

    own_settings = declare_settings(
        Setting("k", "the cutoffs of MAP, or of scores at k", option="--cutoffs", literal=False),
        *CodeSets.own_settings,
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the values of k, and the hierarchy."""
        return {"k": "+".join(map(str, setup["cutoffs"])), **super().settings(setup)}


def name_valid(codes: Iterable[str] | None) -> str:
    """Describe a list of valid codes for a signature: its length and a digest."""
    if codes is None:
        return "any"
    folded = sorted({code.strip().lower() for code in codes})
    return f"{len(folded)}-{hash_text(' '.join(folded)) >> 40:06x}"


def keep_codes(columns: MentionColumns, wanted: Callable[[str], bool]) -> MentionColumns:
    """Return the rows with wanted codes."""
    codes = columns.attributes[CODE]
    counts = np.array([wanted(code) for code in codes.values], np.bool_)
    return columns.take(np.flatnonzero(counts[codes.ids]))


def only_valid(corpus: CodeCorpus, valid: set[str]) -> CodeCorpus:
    """Drop predicted codes that are not valid, which then have no rank."""
    kept = keep_codes(corpus.prediction, valid.__contains__)
    warn(
        "{n} predicted {code is|codes are} not in the list of valid codes and {does|do} not count",
        n=len(corpus.prediction) - len(kept),
    )
    return replace(corpus, prediction=kept)


class MeanPrecisions(Measure):
    """MAP and MAP@k, the means of :class:`RankedCodes`."""

    headline = shown_per_document = ("map",)

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute the means, if codes are ranked."""
        return {
            name.removesuffix("_sum"): ratio(total, totals["ranked_documents"])
            for name, total in totals.items()
            if name.startswith("map")
        }

    def tables(self) -> Iterable[Grid]:
        """Lay out the means of the challenge."""
        yield Grid("Ranked codes", ("MAP", "MAP@30"), {"all": ("map", "map_at_30")})

    def details(self) -> Iterable[Grid]:
        """Lay out other cutoffs."""
        yield Grid("Other cutoffs", ("value",), {})


def parse_cutoffs(value: object) -> tuple[int, ...]:
    """Parse and check the option ``cutoffs``."""
    words = value.split(",") if isinstance(value, str) else value
    listed = tuple(words) if is_iterable(words) and not isinstance(words, bytes) else ()
    wrong = [word for word in listed if not _parse_cutoff(word)] if listed else [value]
    if wrong:
        problem = f"expected whole numbers from 1 on, such as 10,30, got {shown(wrong[0])}"
        raise InputError(problem, where="cutoffs")
    return tuple(dict.fromkeys(map(_parse_cutoff, listed)))


def _parse_cutoff(value: object) -> int:
    """Return a positive integer; 0 for anything else."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value.strip()) < len("10" * 5):
        value = int(value)
    return value if type(value) is int and value > 0 else 0


CUTOFFS = Option(
    "cutoffs",
    "The values of k for MAP@k, separated by commas.",
    default=(30,),
    kind="names",
    python="the values of k for MAP@k, as a list or separated by commas",
    parse=parse_cutoffs,
)
