"""The scores of TAC 2017 ADR."""

from __future__ import annotations

from collections.abc import Iterator

from clineval.challenges.tac2017_adr.labels import RELATIONS, TYPES
from clineval.challenges.tac2017_adr.sides import LISTS
from clineval.protocols.code_sets import CodeMeasure
from clineval.protocols.related_sets import RelatedSets
from clineval.results.averages import Averages
from clineval.results.measures import Measure, Measures

STRINGS = {
    name: CodeMeasure(name, f"{name.capitalize()} of all documents", heading=name) for name in LISTS
}


def _declare(*, empty: bool) -> Iterator[Measure]:
    yield from RelatedSets(TYPES, RELATIONS).measures.each
    for measure in STRINGS.values():
        yield measure
        yield Averages(measure, ("document",), main=True, empty=empty)


_RANKING = {
    "default": ("exact_f1", "full_f1"),
    "relations": ("full_f1",),
    "mentions": ("exact_f1",),
    **{name: (f"document_{name}_f1",) for name in LISTS},
}
MEASURES, OF_PROGRAM = (
    Measures.of(*_declare(empty=empty), ranking=_RANKING) for empty in (False, True)
)
"""The scores of both protocols: in the program's means, documents without strings count as 0."""
