"""The scores of relations, those of mentions, and the errors that come from mentions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from clineval.base.ratios import Number, Totals, ratio
from clineval.kinds.mentions.measures import Spans
from clineval.results.formulas import Prf
from clineval.results.measures import Grid, Measure, Measures

STRICT, SPANS, OVERLAP = MATCHES = ("strict", "spans", "overlap")
"""The kinds of match of relations."""
MENTIONS = {STRICT: "mentions", SPANS: "mentions_boundary", OVERLAP: "mentions_shared"}
"""Kind of match of relations to that of mentions with the same condition for spans and labels."""
_TOLD = {
    STRICT: "same span and label",
    SPANS: "same span",
    OVERLAP: "a character in common",
}


@dataclass(frozen=True, slots=True)
class Ends(Measure):
    """The wrong relations that have an end without a matching mention on the other side.

    Args:
        match: the kind of match.
    """

    match: str

    @property
    def keys(self) -> tuple[str, str]:
        """The counts among false negatives and among false positives."""
        return f"{self.match}_fn_ends", f"{self.match}_fp_ends"

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Divide the number of such relations by the number of all wrong relations."""
        missed, spurious = self.keys
        if missed not in totals:
            return {}
        of_mentions = totals[missed] + totals[spurious]
        wrong = totals[f"{self.match}_fn"] + totals[f"{self.match}_fp"]
        counts = {key: totals[key] for key in self.keys}
        return {f"{self.match}_ends_share": ratio(of_mentions, wrong), **counts}

    def tables(self) -> Iterable[Grid]:
        """Lay out the share and the counts beside those of other kinds of match."""
        columns = ("share of all errors", "FN", "FP")
        keys = (f"{self.match}_ends_share", *self.keys)
        yield Grid("Errors at whose ends a mention is missing", columns, {self.match: keys})


SCORES = {
    match: Spans(
        match,
        "All relations",
        heading=match,
        labels_title=f"Relation types, {match}",
        means_title="Relation types, mean of the types",
    )
    for match in MATCHES
}
"""Kind of match to its scores."""
SCORES[STRICT] = replace(SCORES[STRICT], place="exact/both", preset="strict")
SCORES[OVERLAP] = replace(SCORES[OVERLAP], place="overlap/both", preset="overlap")
MEASURES = Measures.of(
    *SCORES.values(),
    *(Prf(name, "All mentions", heading=_TOLD[match]) for match, name in MENTIONS.items()),
    *map(Ends, MATCHES),
    headline=tuple(f"{name}_f1" for name in (*MATCHES, MENTIONS[STRICT])),
    shown_per_document=tuple(f"{STRICT}_{key}" for key in ("f1", "tp", "fp", "fn")),
)
