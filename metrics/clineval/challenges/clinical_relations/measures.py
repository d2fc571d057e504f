"""The scores of relations and of mentions."""

from __future__ import annotations

from dataclasses import replace

from clineval.kinds.mentions.measures import Spans
from clineval.kinds.relations.degrees import DEGREES, OVERLAP, SPANS, STRICT
from clineval.kinds.relations.measures import LostEnds
from clineval.results.formulas import Prf
from clineval.results.measures import Measures

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
