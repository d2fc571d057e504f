"""Read, pair and count relations as ``__init__.py`` defines it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from clineval.base.errors import warn
from clineval.base.ratios import Columns
from clineval.challenges.clinical_relations.degrees import (
    OVERLAP,
    count_lost_ends,
    find_ends,
    pair_by_degrees,
    pair_mentions,
)
from clineval.challenges.clinical_relations.measures import MEASURES, MENTIONS, SCORES
from clineval.formats.brat.columns import Unread
from clineval.formats.brat.standoff import FILES
from clineval.formats.given.bioc import open_bioc
from clineval.formats.given.relations import read_related
from clineval.kinds.mentions.outcomes import ANY_CLASS, NEAR_MISSES
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.kinds.relations.columns import RelatedCorpus, RelatedSide
from clineval.kinds.relations.joining import has_label, join_related, without_direction
from clineval.kinds.relations.kind import RelationKind
from clineval.kinds.relations.near_misses import explain
from clineval.kinds.relations.outcomes import NO_ROWS, UnitCorpus
from clineval.kinds.relations.pairing import pair_any_class
from clineval.protocols.own_labels import key_labels, list_in_signature, parse_names, warn_of_new
from clineval.results.challenge import Setup
from clineval.results.columns import Sides
from clineval.results.faces import Faces
from clineval.results.match import Match
from clineval.results.measures import Measures
from clineval.results.options import check_name
from clineval.results.protocol import Protocol
from clineval.results.settings import Setting, declare_settings
from clineval.results.slots import Slot
from clineval.results.task import ClassSlot
from clineval.results.views import Arrows, DocView, MentionView

LABEL = Slot("label", "label", required=True)
_UNREAD = Unread(
    events="; clinical_events scores events",
    attributes="; clinical_spans scores them with its option slots",
)
_REMEDY = "Rename it, or leave it out with types="
Pairing = Mapping[str, Pairs]
SAME_PLACE = "same_place"
"""The relations whose ends have the same spans, whatever their type."""
_PAGE = {"exact/span": SAME_PLACE, "overlap/span": ANY_CLASS} | {
    score.place: name for name, score in SCORES.items() if score.place
}


def parse_types(types: object) -> tuple[str, ...] | None:
    """Parse the types to score.

    Raises:
        InputError: a value is not a type, or two types have the same key.
    """
    return None if types is None else parse_names(types, "types", "type", _REMEDY)


def parse_symmetric(types: object) -> tuple[str, ...]:
    """Parse the types without direction; raise as :func:`parse_types` does."""
    return () if types is None else parse_names(types, "symmetric", "type")


class Spec(Protocol[RelatedSide, RelatedCorpus, Pairing]):
    """Relations of any types between mentions of any labels."""

    widest = OVERLAP
    found = ("types",)

    @property
    def kind(self) -> RelationKind:
        """Relations; their class is the type."""
        return RelationKind(ClassSlot(LABEL.name, "type"), slots_of=lambda _: (LABEL,))

    @property
    def measures(self) -> Measures:
        """The scores of relations and of mentions."""
        return MEASURES

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[RelatedSide, list[RelatedSide]]:
        """Read both sides, and share the types of all of them."""
        gold, systems = super().read(references, predictions, setup)
        types = [side.labels for side in (gold, *systems)]
        every = tuple(sorted(set().union(*types)))
        if setup["types"] is None:
            parse_types(every)
            warn_of_new(types[0], types[1:], "type")
        first, *rest = (side.share_labels(every) for side in (gold, *systems))
        return first, rest

    def read_side(self, source: object, side: str, setup: Setup, /) -> RelatedSide:
        """Read brat files or text, BioC, JSON Lines, dicts, Documents; keep the types to score."""
        source = open_bioc(source, FILES, linked=True)
        found = read_related(source, LABEL, (), side=side, free=_UNREAD)
        return found if setup["types"] is None else _only_types(found, setup["types"])

    def resolve(self, corpus: RelatedCorpus, setup: Setup, /) -> Setup:
        """Set the types to those of all sides that were read together, unless given."""
        types = setup["types"]
        if types is None:
            types = tuple(key_labels(corpus.gold.label.values).values())
        for name in setup["symmetric"]:
            check_name("symmetric type", name, types)
        return setup.with_options(types=types)

    def whole(self, setup: Setup, /) -> str:
        """Return the reason why parts cannot be counted alone: all documents define the types."""
        if setup["types"] is not None:
            return ""
        return "by default all documents define the types. Pass types=[...]"

    own_settings = declare_settings(
        Setting(
            "types",
            "the types of relations that count; if there are many, their number and a digest",
            option="--types",
            literal=False,
        ),
        Setting(
            "symmetric",
            "the types without direction, or `all`",
            option="--symmetric",
            literal=False,
        ),
        Setting("mentions", "`given` if systems receive the mentions", option="--mentions"),
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the types, and which of them have no direction."""
        symmetric = "all" if setup["undirected"] else list_in_signature(setup["symmetric"])
        given = "given" if setup["mentions"] == "given" else ""
        other = {"symmetric": symmetric, "mentions": given}
        named = {name: value for name, value in other.items() if value}
        return {"types": list_in_signature(setup["types"]), **named}

    def known_labels(self, setup: Setup, /) -> Collection[str]:
        """Return the requested types."""
        return setup["types"] or ()

    def join(self, gold: RelatedSide, predicted: RelatedSide, setup: Setup, /) -> RelatedCorpus:
        """Join both sides; symmetric relations go from the end that comes first."""
        corpus = join_related(gold, predicted, [LABEL])
        mentions = corpus.mentions
        ranks = np.arange(len(mentions.gold)), np.arange(len(mentions.prediction))
        return without_direction(corpus, ranks, _find_symmetric(corpus, setup))

    def pair(self, block: RelatedCorpus, setup: Setup, /) -> Pairing:
        """Pair relations for each kind of match, each beginning with the pairs of the last one."""
        return pair_by_degrees(block, LABEL, _find_symmetric(block, setup))

    def list_matches(
        self, block: RelatedCorpus, pairing: Pairing, setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the outcomes of all relations, and of each type."""
        labels = block.gold.label, block.prediction.label
        sides = block.gold, block.prediction
        return {
            name: SCORES[name].split(Rows(pairs, sides, columns_of(name)), labels, setup["types"])
            for name, pairs in pairing.items()
        }

    def complete(
        self, block: RelatedCorpus, pairing: Pairing, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Count mentions, and wrong relations with an end that the other side lacks."""
        if setup["mentions"] == "given":
            return counted
        columns, sides = dict(counted), block.annotations_of("mentions")
        for match, pairs in pair_mentions(block.mentions, LABEL).items():
            rows = Rows(pairs, sides, columns_of(MENTIONS[match]))
            columns |= rows.count(len(block.documents))
        ends = find_ends(block.mentions, LABEL)
        for match, pairs in pairing.items():
            columns |= count_lost_ends(block, pairs, match, ends)
        return columns

    def sides(self, corpus: RelatedCorpus, _setup: Setup, /) -> Sides:
        """Return the relations as mentions of the words that they connect."""
        return _units_of(corpus).sides

    def find_arrows(self, corpus: RelatedCorpus, _setup: Setup, /) -> Arrows:
        """Return the number of fragments of each relation's source."""
        return Arrows(_units_of(corpus).sources)

    def widen(
        self, corpus: RelatedCorpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add pairs of relations with different types, and of near misses."""
        directed = not setup["undirected"]
        _, widest = pair_any_class(corpus, NO_ROWS, matches[OVERLAP], directed=directed)
        same_place = _units_of(corpus).keep_same_spans(widest)
        near_misses = explain(corpus, widest)
        return {**matches, ANY_CLASS: widest, SAME_PLACE: same_place, NEAR_MISSES: near_misses}

    @property
    def faces(self) -> Faces:
        """A page of relations with arrows, and Docs with relations."""
        return Faces(
            page=MentionView(matches=_PAGE),
            docs=DocView(
                "cr",
                {"default": MEASURES.headline},
                slots=lambda _: (LABEL,),
                format="brat",
                take=list,
                relations="id",
            ),
        )


def _units_of(corpus: RelatedCorpus) -> UnitCorpus:
    """Build units of relations alone."""
    return UnitCorpus.of(corpus, LABEL.name, alone=True)


def _only_types(side: RelatedSide, types: Collection[str]) -> RelatedSide:
    """Keep the relations whose types are scored; a warning counts the others."""
    kept = np.flatnonzero(has_label(side.relations, types))
    dropped = len(side.relations) - len(kept)
    if not dropped:
        return side
    warn(
        "{n} {relation has a type|relations have types} that types= does not list, and "
        "{does|do} not count",
        n=dropped,
    )
    return replace(side, relations=side.relations.take(kept))


def _find_symmetric(corpus: RelatedCorpus, setup: Setup) -> Collection[str]:
    """Return the types without direction."""
    symmetric: Collection[str] = setup["symmetric"]
    return corpus.gold.label.values if setup["undirected"] else symmetric
