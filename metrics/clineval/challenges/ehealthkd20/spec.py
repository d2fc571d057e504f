"""Read, pair and count eHealth-KD 2020 as the package's docstring defines it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import NoReturn

import numpy as np

from clineval.base.errors import InputError, warn
from clineval.base.files import Source
from clineval.challenges.ehealthkd20 import matching
from clineval.challenges.ehealthkd20.matching import Result
from clineval.challenges.ehealthkd20.measures import KINDS, LABELS, kinds_of
from clineval.challenges.ehealthkd20.reading import read_collection, read_given
from clineval.challenges.ehealthkd20.sentences import (
    LABEL,
    Collection,
    GivenText,
    Pair,
    Sentence,
    SentenceCorpus,
    find_texts,
)
from clineval.formats.brat import standoff
from clineval.formats.given.forms import Items, open_given
from clineval.formats.given.relations import read_items
from clineval.kinds.mentions.outcomes import ANY_CLASS
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import Rows, Split
from clineval.kinds.relations.columns import NO_RELATIONS, RelatedCorpus
from clineval.kinds.relations.kind import RelationKind
from clineval.kinds.relations.outcomes import NO_ROWS, UnitCorpus, list_rows
from clineval.kinds.relations.pairing import pair_any_class
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.columns import Sides
from clineval.results.match import Match
from clineval.results.protocol import Protocol
from clineval.results.settings import Setting, declare_settings
from clineval.results.task import ClassSlot
from clineval.results.views import Arrows

_PAGES = {
    "exact": {"correct", "incorrect"},
    "strict": {"correct"},
    "lenient": {"correct", "partial"},
    "overlap": {"correct", "incorrect", "partial"},
}
"""The pairs that each kind of match on a page has."""


Found = Sequence[Result]
"""Verdicts on the annotations of each sentence."""


def units_of(corpus: SentenceCorpus, setup: Setup) -> UnitCorpus:
    """Put the scored mentions and relations in one table."""
    related: RelatedCorpus = corpus
    if setup.config == "taskA":
        related = RelatedCorpus(corpus.mentions, NO_RELATIONS, NO_RELATIONS)
    return UnitCorpus.of(related, LABEL.name, alone=setup.config == "taskB")


def _refuse(_strings: Sequence[str]) -> NoReturn:
    """Reject annotations without their text."""
    raise InputError("expected a path, or documents with 'text', 'mentions' and 'relations'")


class Spec(Protocol[list[Collection], SentenceCorpus, Found]):
    """The challenge's definition: pair sentences, then the annotations of each pair."""

    kind = RelationKind(
        ClassSlot("label", "label"),
        slots_of=lambda _: (LABEL,),
        without={"answers": "sentences are numbered, and an answer would have to repeat them"},
    )

    def read_side(self, given: object, side: str, setup: Setup, /) -> list[Collection]:
        """Read texts with annotations beside them, JSON Lines, dicts, or Documents."""

        def read_documents(items: Items) -> list[Collection]:
            read = read_items(items, [LABEL], (), loops=True)
            documents = (GivenText.of(read, at) for at in range(len(read.side.documents)))
            return [self.read_given(document, side, setup) for document in documents]

        return open_given(
            given,
            side,
            None,
            read_files=lambda source: self.read_files(source, side, setup),
            read_items=read_documents,
            read_strings=_refuse,
            lines_beside=standoff.FILES,
        )

    def read_files(self, source: Source, side: str, _setup: Setup) -> list[Collection]:
        """Read texts, and the annotations beside them in brat's format."""
        gold = side == "references"
        return [read_collection(text, gold=gold) for text in find_texts(source, "*.txt")]

    def read_given(self, given: GivenText, side: str, _setup: Setup) -> Collection:
        """Read a document whose lines are sentences."""
        return read_given(given, gold=side == "references")

    def join(
        self, gold: list[Collection], predicted: list[Collection], setup: Setup, /
    ) -> SentenceCorpus:
        """Pair sentences, and keep the evaluated ones."""
        pairs: list[Pair] = []
        for one, other in matching.pair_collections(gold, predicted):
            pairs += self.pair_sentences(one.sentences, other.sentences, setup)
        if self.evaluates_all(setup):
            return SentenceCorpus.of(pairs)
        kept = [pair for pair in pairs if pair[0].is_annotated or not pair[0].name]
        left = sum(p.is_annotated for _, p in pairs) - sum(p.is_annotated for _, p in kept)
        problem = "predictions in {n} {sentence|sentences} without gold annotations do not count"
        warn(problem, n=left)
        return SentenceCorpus.of(kept)

    def pair_sentences(
        self, gold: Sequence[Sentence], system: Sequence[Sentence], _setup: Setup
    ) -> Iterator[Pair]:
        """Pair sentences by position, or by the longest common sequence of their keys."""
        return matching.pair_sentences(gold, system)

    def evaluates_all(self, setup: Setup) -> bool:
        """Return whether the options ask to evaluate sentences without gold annotations."""
        return bool(setup["evaluated"] == "all")

    def pair(self, corpus: SentenceCorpus, setup: Setup, /) -> Found:
        """Pair the phrases and the relations of each sentence."""
        return [self.match(gold, system, setup) for gold, system in corpus.pairs]

    def match(self, gold: Sentence, system: Sentence, setup: Setup) -> Result:
        """Pair the annotations of two sentences one to one."""
        return matching.match_sentence(gold, system, closure=setup["same_as"] == "closure")

    own_settings = declare_settings(
        Setting("same_as", "the comparison of `same-as`", option="--same-as"),
        Setting("evaluated", "the sentences that count", option="--evaluated"),
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the options that the scores depend on."""
        return {"same_as": setup["same_as"], "evaluated": setup["evaluated"]}

    def list_matches(
        self, block: SentenceCorpus, pairing: Found, setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the verdict on every phrase and relation; a relation has both phrases' words.

        ``phrases`` and ``relations`` list all labels; names such as ``concept`` and ``same_as``
        list one label.
        """
        units = cache(lambda: units_of(block, setup))
        matches = {}
        for of in kinds_of(setup.config):
            labels = {label: label_key(label) for label in LABELS[of]}
            name, found = partial(_columns_of, of=of), _list_rows(block, pairing, of)
            split = Split.by(block.labels_of(of, LABEL.name), labels, name)
            among = partial(lambda of: units().rows_of(of), of)
            sides = block.annotations_of(of)
            matches[of] = Rows(found, sides, name(of), split=split, among=among)
        return matches

    def sides(self, corpus: SentenceCorpus, setup: Setup, /) -> Sides:
        """Return the scored phrases and relations."""
        return units_of(corpus, setup).sides

    def find_arrows(self, corpus: SentenceCorpus, setup: Setup, /) -> Arrows:
        """Return the phrases that each relation connects."""
        units = units_of(corpus, setup)
        return Arrows(units.sources, units.arguments)

    def widen(
        self, corpus: SentenceCorpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add phrases and relations together.

        ``overlap`` has all pairs, ``exact`` relations and phrases with the same fragments,
        ``strict`` correct pairs, and ``lenient`` correct and partial pairs. ``any_class`` also
        pairs the remaining annotations that overlap, whatever their labels.
        """
        units = units_of(corpus, setup)
        pages = {name: dict.fromkeys(KINDS, NO_ROWS) for name in _PAGES}
        for of in kinds_of(setup.config):
            rows = units.take(of, matches[of])
            sizes = [len(side) for side in corpus.annotations_of(of)]
            for name, wanted in _PAGES.items():
                paired = rows.is_among(wanted)
                pairs = Pairs(rows.gold[paired], rows.prediction[paired])
                pages[name][of] = list_rows(pairs, *sizes)
        found = {name: units.join(*of.values()) for name, of in pages.items()}
        widest = units.join(*pair_any_class(corpus, *pages["overlap"].values()))
        return {**matches, **found, ANY_CLASS: widest}


def _list_rows(corpus: SentenceCorpus, found: Found, of: str) -> Match:
    """List the verdicts on all phrases, or all relations, of a corpus; pairs come first."""
    firsts = (
        np.searchsorted(side.document, np.arange(len(found))).tolist()
        for side in corpus.annotations_of(of)
    )
    rows = [
        (g if g < 0 else g + golds, p if p < 0 else p + others, KINDS[of].index(kind))
        for result, golds, others in zip(found, *firsts, strict=True)
        for g, p, kind in result[of]
    ]
    gold, prediction, verdict = np.array(rows, np.int64).reshape(-1, 3).T
    order = np.lexsort((verdict, (gold < 0) | (prediction < 0)))
    return Match(gold[order], prediction[order], verdict[order], KINDS[of])


def _columns_of(prefix: str, of: str) -> dict[str, tuple[str, ...]]:
    return {f"{prefix}_{kind}": (kind,) for kind in KINDS[of]}
