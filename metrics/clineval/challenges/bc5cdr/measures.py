"""The scores of BioCreative V CDR, each declared once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from clineval.formats.pubtator.scheme import RELATIONS, Scheme
from clineval.kinds.mentions.measures import Spans
from clineval.protocols.item_sets import EQUAL, ItemSets, class_of
from clineval.results.formulas import Prf
from clineval.results.measures import Grid, Measures

SCHEME = Scheme(("Disease", "Chemical"), relation="CID")
SCORED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    **{
        f"{label.lower()}_{kind.name}": (kind.name, (label,))
        for kind in SCHEME.kinds
        for label in SCHEME.labels
    },
    **{kind: (kind, ()) for kind in SCHEME.names},
}
"""The scored groups of items: a kind and its types; all types if empty."""
SPEC = ItemSets(SCHEME, scored=SCORED)
PARTS = {**SPEC.parts, RELATIONS: (SCHEME.relation,)}
"""The classes of each kind."""


class Types(Spans):
    """Scores of all mentions or concepts and of each type, in one table."""

    def tables(self) -> Iterable[Grid]:
        """Lay out each type, then all types together."""
        yield self.lay_out_labels()

    def details(self) -> Iterable[Grid]:
        """Lay out the means over the types."""
        yield self.lay_out_means()


_RELATIONS = Prf(
    RELATIONS,
    "Relations of documents",
    heading="CID",
    short="cid",
    place=EQUAL,
    preset="relations",
    narrow={"classes": PARTS[RELATIONS]},
)


def _declare(kind: str, title: str, short: str) -> Iterator[Prf]:
    """Declare the scores of mentions or concepts, and of each type; types are paired apart."""
    yield Types(
        kind,
        main=kind == "mentions",
        short=short,
        place=EQUAL,
        preset=kind,
        narrow={"classes": PARTS[kind]},
        labels=SCHEME.labels,
        labels_title=title,
        all_heading="both",
        means_title="Mean of the types",
    )
    for label in SCHEME.labels:  # only the definition counts the same documents for all types
        yield Prf(
            f"{label.lower()}_{kind}",
            "",
            main=(label, kind) == ("Disease", "concepts"),
            short="dner",
            place=EQUAL,
            narrow={"classes": (class_of(label, kind),), "protocols": ("spec",)},
        )


MEASURES = Measures.of(
    *_declare("mentions", "Mentions", "ment"),
    *_declare("concepts", "Concepts of documents (Disease: DNER)", ""),
    _RELATIONS,
    SPEC.by_hierarchy,
    ranking={
        "default": ("disease_concepts_f1", "relations_f1"),
        "mentions": ("mentions_f1",),
        "concepts": ("disease_concepts_f1",),
        "relations": ("relations_f1",),
    },
)
