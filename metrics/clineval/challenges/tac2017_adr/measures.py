"""The scores of TAC 2017 ADR, each declared once."""

from __future__ import annotations

from collections.abc import Iterator

from clineval.challenges.tac2017_adr.labels import RELATIONS, TYPES
from clineval.challenges.tac2017_adr.sides import LISTS
from clineval.kinds.mentions.measures import Spans
from clineval.protocols.code_sets import CodeMeasure
from clineval.results.averages import Averages
from clineval.results.formulas import Prf
from clineval.results.measures import Measure, Measures

EXACT = Spans(
    "exact",
    "Mentions",
    heading="exact",
    labels=TYPES,
    place="exact/both",
    preset="mentions",
    narrow={"without": RELATIONS},
    labels_title="Types of mentions",
    means_title="Mentions, mean of the types",
)
BINARY = Spans(
    "binary",
    "Relations",
    heading="binary",
    labels=RELATIONS,
    place="exact/both",
    preset="relations",
    narrow={"classes": RELATIONS},
    labels_title="Types of relations",
    means_title="Relations, mean of the types",
)
ROWS = {"exact": EXACT, "binary": BINARY}
"""The scores that count rows; the others count sets."""
SCORED = {
    "exact": "mentions",
    "exact_untyped": "mentions",
    "binary": "relations",
    "binary_untyped": "relations",
    "full": "relations",
    "full_untyped": "relations",
}
"""Name of a score to its configuration, besides the default one."""
STRINGS = {
    name: CodeMeasure(name, f"{name.capitalize()} of all documents", heading=name) for name in LISTS
}


def _declare(*, empty: bool) -> Iterator[Measure]:
    yield EXACT
    yield Prf("exact_untyped", "Mentions", heading="exact, any type", main=False)
    yield Prf("full", "Relations", heading="full")
    yield Prf("full_untyped", "Relations", heading="full, any types", main=False)
    yield BINARY
    yield Prf("binary_untyped", "Relations", heading="binary, any types", main=False)
    for measure in STRINGS.values():
        yield measure
        yield Averages(measure, ("document",), main=True, empty=empty)


_RANKING = {
    "default": ("exact_f1", "full_f1"),
    "mentions": ("exact_f1",),
    "relations": ("full_f1",),
    **{name: (f"document_{name}_f1",) for name in LISTS},
}
MEASURES, OF_PROGRAM = (
    Measures.of(*_declare(empty=empty), ranking=_RANKING) for empty in (False, True)
)
"""The scores of both protocols: in the program's means, documents without strings count as 0."""
