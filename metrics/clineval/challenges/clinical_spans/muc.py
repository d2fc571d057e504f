"""The four measures of SemEval-2013 Task 9.1, which go back to MUC-5."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clineval.base.ratios import Number, Totals, ratio
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.measures import SpanMeasure, compare_all
from clineval.kinds.mentions.rows import MatchKind, Pairing, Rows, columns_of, rows_of
from clineval.results.averages import PRF
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid

_CATEGORIES = ("cor", "inc", "par", "mis", "spu")


@dataclass(frozen=True, slots=True)
class Muc(SpanMeasure):
    """Precision, recall and F1 of pairs that are correct, incorrect or partial.

    Args:
        name: the measure, which is also the name of a match.
        right: the match of the correct pairs.
        every: the match that contains all pairs.
        partial: whether all other pairs are partial instead of incorrect.
        paired: whether only this measure counts the match with its name.
    """

    name: str
    right: str
    every: str
    partial: bool = False
    paired: bool = False

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """Columns of the match, if it is counted for this measure."""
        return columns_of(self.name) if self.paired else {}

    def list_matches(
        self, corpus: Corpus, pairing: Pairing, _labels: Sequence[str], /
    ) -> Mapping[str, Rows]:
        """Return the rows of the match if it is counted for this measure."""
        kinds = {self.name: MatchKind(self.columns, compare_all)} if self.paired else {}
        return rows_of(corpus, pairing, kinds)

    def categorize(self, counts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the counts of the measure, from totals or columns.

        Examples:
            >>> counts = {"boundary_tp": 2, "partial_tp": 3, "partial_fp": 0, "partial_fn": 1}
            >>> Muc("partial", "boundary", "partial", partial=True).categorize(counts)
            {'cor': 2, 'inc': 0, 'par': 1, 'mis': 1, 'spu': 0, 'possible': 4, 'actual': 3}
        """
        verdicts = ("tp", "fp", "fn")
        pairs, spurious, missed = (counts[f"{self.every}_{verdict}"] for verdict in verdicts)
        own = {verdict: counts[f"{self.name}_{verdict}"] for verdict in verdicts}
        right = counts[f"{self.right}_tp"]
        other, none = pairs - right, pairs - pairs
        return {
            "cor": right,
            "inc": none if self.partial else other,
            "par": other if self.partial else none,
            "mis": missed,
            "spu": spurious,
            # a group may contain only one mention of a pair, so the match's own counts are used
            "possible": own["tp"] + own["fn"],
            "actual": own["tp"] + own["fp"],
        }

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute precision, recall and F1, and return them with their counts."""
        counts = self.categorize(totals)
        worth = counts["cor"] + counts["par"] / 2
        actual, possible = counts["actual"], counts["possible"]
        ratios = (ratio(worth, actual), ratio(worth, possible), ratio(2 * worth, possible + actual))
        return {
            f"{self.name}_{key}": value
            for key, value in {**dict(zip(PRF, ratios, strict=True)), **counts}.items()
        }

    def tables(self) -> Iterable[Grid]:
        """Lay out the measure in one table with the others."""
        keys = tuple(f"{self.name}_{key}" for key in (*PRF, *_CATEGORIES))
        headings = (*PRF_HEADINGS[:3], *map(str.upper, _CATEGORIES))
        yield Grid("SemEval-2013 Task 9", headings, {self.name: keys})


MEASURES = (
    Muc("strict", "strict", "partial"),
    Muc("boundary", "boundary", "partial"),
    Muc("partial", "boundary", "partial", partial=True, paired=True),
    Muc("type", "lenient", "type", paired=True),
)
