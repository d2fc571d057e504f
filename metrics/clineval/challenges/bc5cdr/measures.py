"""The scores of BioCreative V CDR, each declared once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from clineval.formats.pubtator.items import KINDS, MENTIONS, RELATION
from clineval.kinds.mentions.measures import Spans
from clineval.results.formulas import Prf
from clineval.results.measures import Grid, Measures

SCORED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    **{
        f"{label.lower()}_{kind}": (kind, (label,))
        for kind in ("mentions", "concepts")
        for label in MENTIONS
    },
    **{kind: (kind, ()) for kind in KINDS},
}
"""The scored groups of items: a kind and its types; all types if empty."""


def class_of(label: str, kind: str) -> str:
    """Return the class on a page of a type and kind of items, such as ``Disease concepts``."""
    return label if kind == "relations" else f"{label} {kind}"


PARTS = {
    kind: tuple(class_of(label, kind) for label in labels)
    for kind, labels in {**dict.fromkeys(KINDS[:2], MENTIONS), "relations": (RELATION,)}.items()
}
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
    "relations",
    "Relations of documents",
    heading="CID",
    short="cid",
    place="exact/both",
    preset="relations",
    narrow={"classes": PARTS["relations"]},
)


def _declare(kind: str, title: str, short: str) -> Iterator[Prf]:
    """Declare the scores of mentions or concepts, and of each type; types are paired apart."""
    yield Types(
        kind,
        main=kind == "mentions",
        short=short,
        place=_RELATIONS.place,
        preset=kind,
        narrow={"classes": PARTS[kind]},
        labels=MENTIONS,
        labels_title=title,
        all_heading="both",
        means_title="Mean of the types",
    )
    for label in MENTIONS:  # only the definition counts the same documents for all types
        yield Prf(
            f"{label.lower()}_{kind}",
            "",
            main=(label, kind) == ("Disease", "concepts"),
            short="dner",
            place=_RELATIONS.place,
            narrow={"classes": (class_of(label, kind),), "protocols": ("spec",)},
        )


MEASURES = Measures.of(
    *_declare("mentions", "Mentions", "ment"),
    *_declare("concepts", "Concepts of documents (Disease: DNER)", ""),
    _RELATIONS,
    ranking={
        "default": ("disease_concepts_f1", "relations_f1"),
        "mentions": ("mentions_f1",),
        "concepts": ("disease_concepts_f1",),
        "relations": ("relations_f1",),
    },
)
