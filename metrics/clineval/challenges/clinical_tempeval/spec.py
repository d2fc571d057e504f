"""Score Clinical TempEval by its definition; see the package's docstring."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from clineval.base.arrays import IntArray, rank_rows
from clineval.base.errors import warn
from clineval.base.files import Source
from clineval.challenges.clinical_tempeval.anafora import FILES, has_folders
from clineval.challenges.clinical_tempeval.files import (
    CONTAINS,
    EVENT,
    LABEL,
    LINKS,
    SLOTS,
    TIMEX3,
    VALUES,
    read_folders,
    read_strings,
)
from clineval.challenges.clinical_tempeval.measures import MEASURES, OVERLAPS, ROWS, SPAN, TASK, Row
from clineval.formats.given.forms import Items, open_given
from clineval.formats.given.relations import read_items
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.labelled import pair_all, pair_lenient, pair_strict
from clineval.kinds.mentions.pairing import Pairs, pair_equal_keys
from clineval.kinds.mentions.rows import list_units
from clineval.kinds.relations.columns import NO_RELATIONS, RelatedCorpus, RelatedSide
from clineval.kinds.relations.joining import has_label, join_related, merge_ends
from clineval.kinds.relations.kind import RelationKind
from clineval.kinds.relations.linked import Closure
from clineval.protocols.mentions_and_links import (
    LENIENT,
    STRICT,
    MentionsAndLinks,
    Pairing,
    explain_closure,
    pair_links,
)
from clineval.protocols.relations import (
    Relations,
)
from clineval.results.challenge import Setup
from clineval.results.match import NONE, Match
from clineval.results.measures import Measures
from clineval.results.slots import Slot
from clineval.results.task import ClassSlot

SideT = TypeVar("SideT", bound=RelatedSide)
CorpusT = TypeVar("CorpusT", bound=RelatedCorpus)
_CONTAINERS = Closure(before=CONTAINS)
LINKED = Relations((CONTAINS,), closure=_CONTAINERS)
"""Pairs and explains links."""
ALL_SLOTS = (LABEL, *SLOTS.values())


class ByRows(MentionsAndLinks[SideT, CorpusT]):
    """The common part of both protocols: how annotations are read and shown."""

    known: type[SideT]
    """The type of sides that have been read."""

    @property
    def kind(self) -> RelationKind:
        """Entities with properties, and links between them."""
        slots = [Slot(slot.name, "label", VALUES[name]) for name, slot in SLOTS.items()]
        label = Slot(LABEL.name, "label", (EVENT, TIMEX3), required=True)
        every = (label, *slots)
        return RelationKind(
            ClassSlot(LABEL.name, "type"),
            slots_of=lambda config: every[:1] if config == "links" else every,
            labels=(CONTAINS,),
        )

    @abstractmethod
    def read_files(self, source: Source, side: str, setup: Setup) -> SideT:
        """Read Anafora's folders, or the XML of one document."""

    @abstractmethod
    def read_texts(self, texts: Sequence[str], side: str) -> SideT:
        """Read the XML of each document."""

    @abstractmethod
    def read_items(self, items: Items) -> SideT:
        """Read documents of mentions and relations."""

    def read_side(self, given: object, side: str, setup: Setup, /) -> SideT:
        """Read Anafora's folders or XML, JSON Lines, dicts or Documents."""
        found = open_given(
            given,
            side,
            self.known,
            read_files=lambda source: self.read_files(source, side, setup),
            read_items=self.read_items,
            read_strings=lambda texts: self.read_texts(texts, side),
            lines_beside=None if has_folders(given) else FILES,
            separator="<",
        )
        others = [label not in LINKS for label in found.relations.label.values]
        warn(
            "{n} {relation has|relations have} a label that THYME does not have, and {does|do} not "
            f"count: expected {CONTAINS}",
            n=int(np.array(others, np.bool_)[found.relations.label.ids].sum()),
        )
        return found

    def known_labels(self, _setup: Setup, /) -> Collection[str]:
        """Return the labels of entities and links."""
        return EVENT, TIMEX3, CONTAINS


class Spec(ByRows[RelatedSide, RelatedCorpus]):
    """Sets of entities, with each of their properties, and links with what follows from them."""

    known = RelatedSide

    @property
    def measures(self) -> Measures:
        """The scores."""
        return MEASURES

    def read_files(self, source: Source, side: str, setup: Setup) -> RelatedSide:
        """Read Anafora's folders, which have one file each, or the XML of one document."""
        return read_folders(source, setup["xml_names"], side)

    def read_texts(self, texts: Sequence[str], side: str) -> RelatedSide:
        """Read the XML of each document."""
        return read_strings(texts, side)

    def read_items(self, items: Items) -> RelatedSide:
        """Read documents of mentions and relations."""
        return read_documents(items)

    def join(self, gold: RelatedSide, predicted: RelatedSide, setup: Setup, /) -> RelatedCorpus:
        """Join both sides; links connect the first mentions with the fragments of their ends."""
        golds, found = (select(side, setup.config)[0] for side in (gold, predicted))
        return arrange(join_related(golds, found, ALL_SLOTS))

    def pair(self, block: RelatedCorpus, setup: Setup, /) -> Pairing:
        """Pair the units of each row, and links."""
        return {
            **(pair_entities(block.mentions) if setup.config != "links" else {}),
            **(pair_links(LINKED, block, setup) if setup.config != "entities" else {}),
        }

    def explain_links(
        self, corpus: RelatedCorpus, matches: Mapping[str, Match], setup: Setup
    ) -> Match:
        """Explain links by what follows on either side."""
        return explain_closure(LINKED, corpus, matches, setup)


def read_documents(items: Items) -> RelatedSide:
    """Read documents of mentions and relations."""
    return read_items(items, ALL_SLOTS, (), loops=True)


def select(related: RelatedSide, config: str) -> tuple[RelatedSide, IntArray]:
    """Return the scored entities, the scored links, and the mentions at the ends of these.

    Also return the new row of each mention; -1 for none.
    """
    mentions, links = related.side.mentions, NO_RELATIONS
    kept = mentions.attributes[LABEL.name].is_among((EVENT, TIMEX3))
    if config != "entities":
        links = related.relations
        links = links.take(np.flatnonzero(has_label(links, (CONTAINS,))))
        kept[links.source] = kept[links.target] = True
    rows = np.where(kept, np.cumsum(kept) - 1, -1)
    side = replace(related.side, mentions=mentions.take(np.flatnonzero(kept)))
    ends = {"source": rows[links.source], "target": rows[links.target]}
    return RelatedSide(side, replace(links, label=links.label.compact(), **ends)), rows


def arrange(corpus: RelatedCorpus) -> RelatedCorpus:
    """Let links connect the first mentions with the fragments of their ends."""
    ranks = np.arange(len(corpus.mentions.gold)), np.arange(len(corpus.mentions.prediction))
    return _CONTAINERS.arrange(merge_ends(corpus), ranks)


def pair_entities(mentions: Corpus) -> Pairing:
    """Pair the units of each row, and all entities for the page."""
    rows = {row.name: pair_units(mentions, row) for row in ROWS}
    spans = {row.row[0]: rows[row.name] for row in ROWS if row.row[1:] == (SPAN,)}
    return {
        **rows,
        **{of.name: pair_overlapping(mentions, spans[label]) for label, of in OVERLAPS.items()},
        **pair_for_page(mentions),
    }


def pair_for_page(mentions: Corpus) -> Pairing:
    """Pair all entities by fragments, and by overlapping fragments."""
    pairs = pair_all(mentions, *ALL_SLOTS)
    return {STRICT: pairs["strict"], LENIENT: pairs["lenient"]}


def pair_units(mentions: Corpus, row: Row) -> Match:
    """Pair the units of a row: distinct fragments, with a property or all those of the task."""
    label, *names = row.row
    slots = [SLOTS[name].name for name in names or TASK[label] if name != SPAN]
    sides = mentions.gold, mentions.prediction
    golds, found = (_find_units(side, label, slots if names else ()) for side in sides)
    every = [
        np.concatenate(parts)
        for parts in zip(
            *(
                [side.place[rows], side.shape[rows], *(side.ids(slot)[rows] for slot in slots)]
                for side, rows in zip(sides, (golds, found), strict=True)
            ),
            strict=True,
        )
    ]
    keys = np.split(rank_rows(every), [len(golds)])
    (left, gold_rows), (right, rows) = (np.unique(of, return_index=True) for of in keys)
    golds, found = golds[gold_rows], found[rows]
    pairs = pair_equal_keys(left, right)
    return list_units(Pairs(golds[pairs.gold], found[pairs.prediction]), golds, found)


def pair_overlapping(mentions: Corpus, spans: Match) -> Match:
    """Pair distinct spans one to one: equal ones, and then overlapping ones."""
    golds, found = (np.sort(rows[rows != NONE]) for rows in (spans.gold, spans.prediction))
    sides = mentions.gold.take(golds), mentions.prediction.take(found)
    part = Corpus(mentions.documents, *sides, mentions.texts)
    pairs = pair_lenient(part, pair_strict(part, (LABEL,)), LABEL)
    return list_units(Pairs(golds[pairs.gold], found[pairs.prediction]), golds, found)


def _find_units(side: Mentions, label: str, slots: Iterable[str]) -> IntArray:
    """Find the entities with a label, and with a value in some slots."""
    having = side.columns.attributes[LABEL.name].is_among((label,))
    for slot in slots:
        having &= ~side.columns.attributes[slot].is_among(("",))
    return np.flatnonzero(having)
