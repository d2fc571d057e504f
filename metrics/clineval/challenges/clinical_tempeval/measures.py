"""Declare the scores of Clinical TempEval."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, fields, replace

from clineval.base.ratios import Number, Totals, harmonic_mean
from clineval.challenges.clinical_tempeval.anafora_documents import TYPE
from clineval.challenges.clinical_tempeval.files import CONTAINS, EVENT, TIMEX3, TLINK, VALUES
from clineval.protocols.relations import AS_WRITTEN, CLOSED_SCORES
from clineval.results.formulas import Prf
from clineval.results.measures import Measure, Measures

SPAN = "<span>"
*_OF_EVENTS, _OF_TIMES = VALUES
PROPERTIES = {TIMEX3: (_OF_TIMES,), EVENT: tuple(_OF_EVENTS)}
"""The properties of entities, in the order of the tables."""
TASK = {TIMEX3: (_OF_TIMES,), EVENT: ("Type", "Degree", "Polarity", "ContextualModality")}
"""The properties of the tasks TA and EA, which must all be right."""
_TITLES = {TIMEX3: "Times", EVENT: "Events"}
_OF_ENTITIES, _OF_LINKS = ("default", "entities"), ("default", "links")


@dataclass(frozen=True)
class Row(Prf):
    """Precision, recall and F1 of a row of the program's table.

    Args:
        row: the type, and ``<span>`` or a property; the type alone for all properties of the task.
    """

    _: KW_ONLY
    row: tuple[str, ...]

    @classmethod
    def of(cls, label: str, what: str, *part: str) -> Row:
        """Return the scores of a part of the entities with a label; without a part, of all."""
        heading = ":".join((label, *part)) if part else f"{label}, task"
        return cls(
            f"{label}_{what}".lower(),
            _TITLES[label],
            heading=heading,
            short=f"{label[:1]}_{what[:4] if what.isupper() else what[:10]}".lower(),
            configs=_OF_ENTITIES,
            row=(label, *part),
        )


ROWS = tuple(
    row
    for label, names in PROPERTIES.items()
    for row in (
        Row.of(label, "span", SPAN),
        *(Row.of(label, name, name) for name in names),
        Row.of(label, "all"),
    )
)
"""The scores of entities."""
OVERLAPS = {
    label: Prf(
        f"{label}_overlap".lower(),
        title,
        heading=f"{label}, overlapping",
        main=False,
        configs=_OF_ENTITIES,
    )
    for label, title in _TITLES.items()
}
_CLOSURE = "Links, with closure"
_ROW = f"{TLINK}:{TYPE}:{CONTAINS}"
_REDUCED, _CLOSED = CLOSED_SCORES
LINKS = (
    replace(_CLOSED, title=_CLOSURE, heading=_ROW, short="cr_c", configs=_OF_LINKS),
    Prf(
        AS_WRITTEN,
        "Links",
        heading=_ROW,
        short="cr",
        configs=_OF_LINKS,
        place="exact/both",
        narrow={"classes": (CONTAINS,)},
        preset="links",
    ),
)
"""The scores of links, with and without closure."""
REDUCED = replace(
    _REDUCED, title=_CLOSURE, heading=f"{_ROW}, reduced", main=False, configs=_OF_LINKS
)
_RANKING = {
    "default": ("timex3_span_f1", "event_span_f1", "event_doctimerel_f1", "links_written_f1"),
    "entities": ("timex3_span_f1", "event_span_f1"),
    "links": ("links_written_f1",),
}
_HEADLINE = (
    *("timex3_span_f1", "timex3_class_f1", "event_span_f1", "event_doctimerel_f1", "event_all_f1"),
    *("links_written_f1", "links_as_written_f1"),
)


def _declare(*scores: Measure) -> Measures:
    return Measures.of(*scores, ranking=_RANKING, headline=_HEADLINE, shown_per_document=_HEADLINE)


class ProgramRow(Prf):
    """Precision, recall and F1 as the program computes them: 1 if a denominator is 0."""

    @classmethod
    def of(cls, score: Prf) -> ProgramRow:
        """Return the same score by the program's formula."""
        return cls(**{field.name: getattr(score, field.name) for field in fields(Prf)})

    def _compute(self, totals: Totals) -> dict[str, Number]:
        scores = super()._compute(totals)
        found = totals[f"{self.name}_tp"] + totals[f"{self.name}_fp"]
        own = self.recall_of or self.name
        golds = totals[f"{own}_tp"] + totals[f"{own}_fn"]
        precision = scores[f"{self.name}_precision"] + (found == 0)
        recall = scores[f"{self.name}_recall"] + (golds == 0)
        f1 = harmonic_mean(precision, recall)
        keys = (f"{self.name}_{key}" for key in ("precision", "recall", "f1"))
        return {**scores, **dict(zip(keys, (precision, recall, f1), strict=True))}


MEASURES = _declare(*ROWS, *OVERLAPS.values(), *LINKS, REDUCED)
OFFICIAL = _declare(*map(ProgramRow.of, (*ROWS, *LINKS)))
"""The scores of the program, which has neither overlapping spans nor reduced links."""
