"""The scores of relations and of mentions, and the errors that mentions cause."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from clineval.base.ratios import Number, Totals, ratio
from clineval.challenges.clinical_relations.degrees import DEGREES, OVERLAP, SPANS, STRICT
from clineval.kinds.mentions.measures import Spans
from clineval.results.formulas import Prf
from clineval.results.measures import Grid, Measure, Measures


@dataclass(frozen=True, slots=True)
class LostEnds(Measure):
    """The wrong relations with an end that no mention of the other side matches.

        <match>_ends_share = (fn_ends + fp_ends) / (fn + fp)

    Args:
        match: the kind of match.
    """

    match: str

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Divide the number of such relations by the number of all wrong relations."""
        missed, spurious = f"{self.match}_fn", f"{self.match}_fp"
        counts = {
            key: totals[key] for key in (f"{missed}_ends", f"{spurious}_ends") if key in totals
        }
        if not counts:
            return {}
        share = ratio(sum(counts.values()), totals[missed] + totals[spurious])
        return {f"{self.match}_ends_share": share, **counts}

    def tables(self) -> Iterable[Grid]:
        """Lay out the share and the counts beside those of other kinds of match."""
        keys = (f"{self.match}_{name}" for name in ("ends_share", "fn_ends", "fp_ends"))
        columns = ("share of all errors", "FN", "FP")
        title = "Errors of relations with an end that the other side does not have"
        yield Grid(title, columns, {self.match: tuple(keys)})


MENTIONS = {STRICT: "mentions", SPANS: "mentions_boundary", OVERLAP: "mentions_shared"}
"""Kind of match of relations to the kind of match of mentions with the same condition."""
_CONDITIONS = {
    STRICT: "same span and label",
    SPANS: "same span",
    OVERLAP: "a character in common",
}
SCORES = {
    match: Spans(
        match,
        "All relations",
        heading=match,
        labels_title=f"Relation types, {match}",
        means_title="Relation types, mean of the types",
    )
    for match in DEGREES
}
"""Kind of match to its scores."""
SCORES[STRICT] = replace(SCORES[STRICT], place="exact/both", preset="strict")
SCORES[OVERLAP] = replace(SCORES[OVERLAP], place="overlap/both", preset="overlap")
MEASURES = Measures.of(
    *SCORES.values(),
    *(Prf(name, "All mentions", heading=_CONDITIONS[match]) for match, name in MENTIONS.items()),
    *map(LostEnds, DEGREES),
    headline=tuple(f"{name}_f1" for name in (*DEGREES, MENTIONS[STRICT])),
    shown_per_document=tuple(f"{STRICT}_{key}" for key in ("f1", "tp", "fp", "fn")),
)
