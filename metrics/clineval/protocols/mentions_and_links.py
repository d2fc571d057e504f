"""Mentions and the links of an order between them, scored apart and shown together."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import cast

from clineval.kinds.mentions.outcomes import ANY_CLASS, NEAR_MISSES
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.kinds.relations.columns import RelatedCorpus
from clineval.kinds.relations.linked import LinkPairs
from clineval.kinds.relations.outcomes import NO_ROWS
from clineval.kinds.relations.pairing import pair_any_class
from clineval.protocols.mentions_and_relations import CorpusT, OneTable, SideT
from clineval.protocols.relations import AS_WRITTEN, Relations, list_closed
from clineval.results.challenge import Setup
from clineval.results.columns import ABSENT, MentionColumns, Sides
from clineval.results.match import Match

LINKS = "links"
"""The configuration of links alone, and the beginning of the names of their matches."""
STRICT, LENIENT = "mentions_strict", "mentions_lenient"
"""The pairs of all mentions, for the page."""
Pairing = Mapping[str, Pairs | Match]


class MentionsAndLinks(OneTable[SideT, CorpusT, Pairing]):
    """Count pairings of mentions and of links; the names of those of links begin with ``links``.

    The page and lists of errors show both in one table. Lists of errors also name the links from
    which a link follows.
    """

    relations_alone = LINKS

    def list_matches(self, block: CorpusT, pairing: Pairing, setup: Setup, /) -> Mapping[str, Rows]:
        """Return the outcomes of mentions, of links, and of all mentions for the page."""
        units = cache(lambda: self.units_of(block, setup))
        matches = {}
        for name, pairs in pairing.items():
            kind = _find_kind(name)
            columns = {} if name in (STRICT, LENIENT) else columns_of(name)
            among = partial(lambda of: units().rows_of(of), kind)
            matches[name] = Rows(pairs, block.annotations_of(kind), columns, among=among)
        return matches

    def page_sides(self, corpus: CorpusT, setup: Setup, /) -> Sides:
        """Return the units; slots that an annotation cannot have are empty."""
        gold, prediction = map(_with_empty, self.sides(corpus, setup))
        return gold, prediction

    def widen(
        self, corpus: CorpusT, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Join mentions and links; lists of errors also know why a link is right or wrong."""
        units = self.units_of(corpus, setup)
        own = {name: units.take(_find_kind(name), match) for name, match in matches.items()}
        strict, lenient = (own.get(name, NO_ROWS) for name in (STRICT, LENIENT))
        links = own.get(AS_WRITTEN, NO_ROWS)
        mentions, related = pair_any_class(corpus, lenient, links)
        widest = units.join(mentions, related)
        found = {
            **matches,
            "strict": units.join(strict, links),
            "lenient": units.join(lenient, links),
            "exact": units.keep_same_spans(widest),
            "overlap": widest,
            ANY_CLASS: widest,
        }
        if AS_WRITTEN in own:
            found[NEAR_MISSES] = units.join(mentions, self.explain_links(corpus, own, setup))
        return found

    @abstractmethod
    def explain_links(self, corpus: CorpusT, matches: Mapping[str, Match], setup: Setup) -> Match:
        """Return the match that explains links, for lists of errors."""


def explain_closure(
    relations: Relations, corpus: RelatedCorpus, matches: Mapping[str, Match], setup: Setup
) -> Match:
    """Return the match that explains links, from all matches of links of a closure."""
    return relations.widen(corpus, matches, setup)[NEAR_MISSES]


def pair_links(relations: Relations, corpus: RelatedCorpus, setup: Setup) -> Pairing:
    """Pair equal links, and judge the links of each side by what follows on the other one."""
    pairs = cast(LinkPairs, relations.pair(corpus, setup))
    return {**list_closed(pairs), AS_WRITTEN: pairs}


def _find_kind(name: str) -> str:
    return "relations" if name.startswith(LINKS) else "mentions"


def _with_empty(columns: MentionColumns) -> MentionColumns:
    """Return annotations whose slots are empty if they cannot have them."""

    def empty(value: str) -> str:
        return "" if value == ABSENT else value

    slots = {
        name: of.fold(empty, tuple(dict.fromkeys(map(empty, of.values))))
        for name, of in columns.attributes.items()
    }
    return replace(columns, attributes=slots)
