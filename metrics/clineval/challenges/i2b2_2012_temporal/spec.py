"""Score i2b2 2012 by its definition; see the package's docstring."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.hashing import Hashes
from clineval.challenges.i2b2_2012_temporal.items import complete, read_documents
from clineval.challenges.i2b2_2012_temporal.measures import MEASURES, EntityKeys
from clineval.challenges.i2b2_2012_temporal.pairing import (
    PairedEntities,
    move_ends,
    pair_ends,
    pair_entities,
    pair_others,
)
from clineval.challenges.i2b2_2012_temporal.tags import (
    AFTER,
    ALL_SLOTS,
    ATTRIBUTES,
    BEFORE,
    LABEL,
    LINKS,
    OVERLAP,
    SLOTS,
    VALUES,
    WORDS,
    read_notes,
)
from clineval.formats.files import open_strings, read_text_files
from clineval.formats.given.forms import open_given
from clineval.formats.i2b2_xml import FILES
from clineval.kinds.mentions.items import ID
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import list_units
from clineval.kinds.relations.columns import NO_RELATIONS, RelatedCorpus, RelatedSide
from clineval.kinds.relations.joining import join_related
from clineval.kinds.relations.kind import RelationKind
from clineval.kinds.relations.linked import Closure, LinkedCorpus
from clineval.protocols.mentions_and_links import (
    LENIENT,
    STRICT,
    MentionsAndLinks,
    Pairing,
    explain_closure,
    pair_links,
)
from clineval.protocols.mentions_and_links import LINKS as IDS
from clineval.protocols.relations import (
    Relations,
)
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns, Sides
from clineval.results.match import Match
from clineval.results.measures import Measures
from clineval.results.slots import Slot
from clineval.results.task import ClassSlot

CLOSURE = Closure(before=BEFORE, same=(OVERLAP,), inverse={AFTER: BEFORE})
_UNHASHED = {ID.name, WORDS.name}


@dataclass(frozen=True, slots=True, eq=False)
class TemporalCorpus(RelatedCorpus):
    """A corpus whose digests do not depend on ids and on the words of mentions."""

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of each document's gold entities and links."""
        columns = self.mentions.gold.columns
        kept = {name: of for name, of in columns.attributes.items() if name not in _UNHASHED}
        gold = replace(self.mentions.gold, columns=replace(columns, attributes=kept))
        mentions = replace(self.mentions, gold=gold)
        return RelatedCorpus(mentions, self.gold, self.prediction).digests


class PairedLinks(Relations):
    """Links whose ends are paired as entities are."""

    def link(self, corpus: RelatedCorpus) -> LinkedCorpus:
        """Return the links, with the pairs of their ends."""
        return LinkedCorpus(corpus, _pair_ends(corpus)[1])


BY_ENTITIES = PairedLinks(LINKS, closure=CLOSURE)
BY_IDS = Relations(LINKS, ends="ids", closure=CLOSURE)


def _pair_ends(corpus: RelatedCorpus) -> tuple[tuple[IntArray, IntArray], Pairs]:
    return pair_ends(corpus.mentions, [pair_entities(corpus.mentions, of).pairs for of in SLOTS])


class Spec(MentionsAndLinks[RelatedSide, RelatedCorpus]):
    """Entities and their attributes, and links with what follows from them."""

    @property
    def kind(self) -> RelationKind:
        """Entities with attributes, and links between them."""
        label = Slot(LABEL.name, "label", tuple(SLOTS), required=True)
        slots = [Slot(slot.name, "label", VALUES.get(slot.name, ())) for slot in ATTRIBUTES]
        return RelationKind(
            ClassSlot(LABEL.name, "type"),
            slots_of=lambda config: (label,) if config == IDS else (label, *slots),
            labels=LINKS,
        )

    @property
    def measures(self) -> Measures:
        """The scores."""
        return MEASURES

    def read_side(self, given: object, side: str, _setup: Setup, /) -> RelatedSide:
        """Read XML of i2b2, JSON Lines, dicts or Documents."""
        read = partial(read_notes, side=side)
        return open_given(
            given,
            side,
            RelatedSide,
            read_files=lambda source: read(read_text_files(source, pattern=FILES, separator="<")),
            read_items=read_documents,
            read_strings=lambda texts: read(open_strings(texts)),
            lines_beside=FILES,
            separator="<",
        )

    def join(self, gold: RelatedSide, predicted: RelatedSide, setup: Setup, /) -> RelatedCorpus:
        """Join both sides; links connect the mentions that stand for their ends."""
        sides = complete(gold), complete(predicted)
        if setup.config == "entities":
            sides = (
                replace(sides[0], relations=NO_RELATIONS),
                replace(sides[1], relations=NO_RELATIONS),
            )
        joined = join_related(*sides, ALL_SLOTS)
        corpus: RelatedCorpus = TemporalCorpus(joined.mentions, joined.gold, joined.prediction)
        mentions = corpus.mentions
        if setup.config == IDS:
            return CLOSURE.arrange(
                corpus, (mentions.gold.ids(ID.name), mentions.prediction.ids(ID.name))
            )
        if setup.config != "entities":
            corpus = move_ends(corpus, _pair_ends(corpus)[0])
        return CLOSURE.arrange(
            corpus, (np.arange(len(mentions.gold)), np.arange(len(mentions.prediction)))
        )

    def pair(self, block: RelatedCorpus, setup: Setup, /) -> Pairing:
        """Pair entities, and judge links by what follows on the other side."""
        return {
            **(_list_entities(block) if setup.config != IDS else {}),
            **(pair_links(_choose(setup), block, setup) if setup.config != "entities" else {}),
        }

    def sides(self, corpus: RelatedCorpus, setup: Setup, /) -> Sides:
        """Return the entities and links that are scored."""
        gold, prediction = map(_without_words, super().sides(corpus, setup))
        return gold, prediction

    def known_labels(self, _setup: Setup, /) -> Collection[str]:
        """Return the labels of entities and links."""
        return (*SLOTS, *LINKS)

    def explain_links(
        self, corpus: RelatedCorpus, matches: Mapping[str, Match], setup: Setup
    ) -> Match:
        """Explain links by what follows on either side."""
        return explain_closure(_choose(setup), corpus, matches, setup)


def _without_words(columns: MentionColumns) -> MentionColumns:
    """Return annotations without the words of the note, and without ids."""
    kept = {name: of for name, of in columns.attributes.items() if name not in _UNHASHED}
    return replace(columns, attributes=kept)


def _choose(setup: Setup) -> Relations:
    """Return what pairs and explains links."""
    return BY_IDS if setup.config == IDS else BY_ENTITIES


def _list_entities(corpus: RelatedCorpus) -> Pairing:
    """List the outcomes of events and of times, and of all of them for the page."""
    found: dict[str, Match] = {}
    paired = {label: pair_entities(corpus.mentions, label) for label in SLOTS}
    for label, of in paired.items():
        keys = EntityKeys(label)
        found[keys.lenient] = replace(
            list_units(of.pairs, *of.rows), sums=partial(_list_sums, keys, of), equal=of.right
        )
        found[keys.exact] = list_units(of.pairs.take(of.exact), *of.rows)
    mentions = corpus.mentions
    rows = np.arange(len(mentions.gold)), np.arange(len(mentions.prediction))
    others = pair_others(mentions)
    every = {
        LENIENT: Pairs.joined([*(of.pairs for of in paired.values()), others]),
        STRICT: Pairs.joined([*(of.pairs.take(of.exact) for of in paired.values()), others]),
    }
    return {**found, **{name: list_units(pairs, *rows) for name, pairs in every.items()}}


def _list_sums(keys: EntityKeys, paired: PairedEntities) -> Iterable[tuple[str, BoolArray]]:
    """List how many pairs have each slot right."""
    return [(keys.right(slot), right) for slot, right in paired.right.items()]
