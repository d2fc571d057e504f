"""Mentions and relations that are compared as sets, ready to be scored."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.hashing import ODD, Hashes, mix
from clineval.base.ratios import Columns
from clineval.formats.given.relations import read_related
from clineval.kinds.codes.corpus import Aligned, CodeCorpus
from clineval.kinds.documents import Whole
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.measures import Spans
from clineval.kinds.mentions.outcomes import ANY_CLASS
from clineval.kinds.mentions.pairing import Pairs, find_same_spans
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.kinds.relations.columns import NO_RELATIONS, RelatedCorpus, RelatedSide
from clineval.kinds.relations.joining import join_related, pair_by_partners
from clineval.kinds.relations.kind import RelationKind
from clineval.kinds.relations.outcomes import NO_ROWS, UnitCorpus
from clineval.kinds.relations.pairing import pair_any_class
from clineval.kinds.relations.views import Keys, View
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.columns import Sides
from clineval.results.declaring import check_words
from clineval.results.faces import Faces
from clineval.results.formulas import Prf
from clineval.results.match import Match
from clineval.results.measures import Measures
from clineval.results.protocol import Protocol
from clineval.results.slots import Slot
from clineval.results.task import ClassSlot
from clineval.results.views import Arrows, DocView, MentionView

SCORED = {
    "exact": "mentions",
    "exact_untyped": "mentions",
    "binary": "relations",
    "binary_untyped": "relations",
    "full": "relations",
    "full_untyped": "relations",
}
"""Name of a score to its configuration, besides the default one."""
ROWS = ("exact", "binary")
"""The scores that count rows; the others count sets."""
SAME_PLACE = "same_place"
Sets = Mapping[str, tuple[View, View]]


@dataclass(frozen=True, eq=False)
class SetCorpus(Whole, RelatedCorpus):
    """Gold and predicted annotations of the same documents.

    Args:
        views: name of a score to the sets that it compares.
        listed: name of a score to sets of strings of the same documents.
    """

    views: Sets
    listed: Mapping[str, CodeCorpus]

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of all gold annotations of each document."""
        hashes = super().digests
        for corpus in self.listed.values():
            hashes = mix(hashes * ODD + corpus.digests)
        return hashes


@dataclass(frozen=True)
class RelatedSets(Protocol[RelatedSide, SetCorpus, Mapping[str, Pairs]]):
    """Mentions and relations, compared as sets of each document.

        exact     mentions: the same fragments and the same label
        binary    relations: the same label, and exact ends
        full      a source with all its relations: (source, {(label, target), ...})

    ``exact_untyped``, ``binary_untyped`` and ``full_untyped`` are the same without any labels. The
    configurations ``mentions`` and ``relations`` score a part; any other one scores both.

    Args:
        labels: the labels of mentions.
        relations: the labels of relations.
        merged: whether equal mentions are one source of relations
            (:meth:`~clineval.kinds.relations.views.Keys.view_sources`).
        word: the usual word for a label, as in ``--by``.

    Raises:
        InputError: an argument is invalid.

    Examples:
        >>> RelatedSets(("REACTION", "SEVERITY"), ("EFFECT",)).measures.headline
        ('exact_f1', 'full_f1', 'binary_f1')
    """

    labels: tuple[str, ...]
    relations: tuple[str, ...]
    merged: bool = True
    word: str = "type"

    def __post_init__(self) -> None:
        check_words(self.labels, "labels", fold=label_key, least=1)
        check_words(self.relations, "relations", fold=label_key, least=1)

    @property
    def slot(self) -> Slot:
        """The slot of a mention's label."""
        return Slot("label", "label", self.labels, required=True)

    @property
    def exact(self) -> Spans:
        """The scores of mentions."""
        return Spans(
            "exact",
            "Mentions",
            heading="exact",
            labels=self.labels,
            place="exact/both",
            preset="mentions",
            narrow={"without": self.relations},
            labels_title=f"Mentions, by {self.word}",
            means_title=f"Mentions, mean of the {self.word}s",
        )

    @property
    def binary(self) -> Spans:
        """The scores of relations."""
        return Spans(
            "binary",
            "Relations",
            heading="binary",
            labels=self.relations,
            place="exact/both",
            preset="relations",
            narrow={"classes": self.relations},
            labels_title=f"Relations, by {self.word}",
            means_title=f"Relations, mean of the {self.word}s",
        )

    @property
    def measures(self) -> Measures:
        """The scores; the ones without labels are not main scores."""
        any_label = f"any {self.word}s"
        return Measures.of(
            self.exact,
            Prf("exact_untyped", "Mentions", heading=f"exact, {any_label}", main=False),
            Prf("full", "Relations", heading="full"),
            Prf("full_untyped", "Relations", heading=f"full, {any_label}", main=False),
            self.binary,
            Prf("binary_untyped", "Relations", heading=f"binary, {any_label}", main=False),
        )

    @property
    def kind(self) -> RelationKind:
        """Mentions with labels, and relations between them."""
        return RelationKind(
            ClassSlot(self.slot.name, self.word),
            slots_of=lambda _: (self.slot,),
            labels=self.relations,
        )

    @property
    def faces(self) -> Faces:
        """A page of mentions and relations with arrows, and Docs with relations."""
        pairings = {"exact/span": SAME_PLACE, "overlap/span": ANY_CLASS, "exact/both": "strict"}
        return Faces(
            page=MentionView(matches=pairings, parts={"mentions": (), "relations": self.relations}),
            docs=DocView(
                "",
                {"default": self.measures.headline},
                slots=self.kind.slots,
                take=list,
                relations="id",
            ),
        )

    def read_side(self, given: object, side: str, _setup: Setup, /) -> RelatedSide:
        """Read brat files or text, JSON Lines, dicts or Documents."""
        return read_related(given, self.slot, self.relations, side=side)

    def select(self, gold: RelatedSide, predicted: RelatedSide) -> tuple[RelatedSide, RelatedSide]:
        """Return the documents that are scored."""
        return gold, predicted

    def list_strings(
        self, _gold: RelatedSide, _predicted: RelatedSide, _aligned: Aligned
    ) -> Mapping[str, CodeCorpus]:
        """Return sets of strings that the default configuration scores too."""
        return {}

    def join(self, gold: RelatedSide, predicted: RelatedSide, setup: Setup, /) -> SetCorpus:
        """Join both sides, with the relations and strings that are scored."""
        gold, predicted = self.select(gold, predicted)
        if setup.config == "mentions":
            gold, predicted = (replace(of, relations=NO_RELATIONS) for of in (gold, predicted))
        joined = join_related(gold, predicted, [self.slot])
        aligned = _align(gold.side, predicted.side, joined.documents)
        golds, found = map(self._list_views, (gold, predicted), aligned[1:])
        whole = setup.config == "default"
        return SetCorpus(
            joined.mentions,
            joined.gold,
            joined.prediction,
            {name: (golds[name], found[name]) for name in golds if _is_scored(name, setup)},
            self.list_strings(gold, predicted, aligned) if whole else {},
        )

    def _list_views(self, side: RelatedSide, numbers: IntArray) -> Mapping[str, View]:
        of_side = partial(Keys.of, side, numbers, self.slot.name)
        typed, untyped = of_side(typed=True), of_side(typed=False)
        return {
            "exact_untyped": untyped.view_mentions(),
            "binary_untyped": untyped.view_relations(),
            "full": typed.view_sources(merged=self.merged),
            "full_untyped": untyped.view_sources(merged=self.merged),
        }

    def pair(self, corpus: SetCorpus, setup: Setup, /) -> Mapping[str, Pairs]:
        """Pair equal mentions, and relations between them."""
        same = find_same_spans(corpus.mentions)
        same = same.take(same_value(same, corpus.mentions, self.slot))
        pairs = {"exact": same, "binary": pair_by_partners(corpus, same)}
        return {name: of for name, of in pairs.items() if _is_scored(name, setup)}

    def list_matches(
        self, block: SetCorpus, pairing: Mapping[str, Pairs], setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the outcomes of all mentions and relations, and of each label."""
        units = cache(lambda: self._units_of(block, setup))
        matches = {}
        for name, pairs in pairing.items():
            measure, kind = (self.exact if name == "exact" else self.binary), SCORED[name]
            among = partial(lambda of: units().rows_of(of), kind)
            rows = Rows(pairs, block.annotations_of(kind), columns_of(name), among=among)
            labels = block.labels_of(kind, self.slot.name)
            matches[name] = measure.split(rows, labels, measure.labels)
        return matches

    def complete(
        self, block: SetCorpus, _pairing: Mapping[str, Pairs], counted: Columns, _setup: Setup, /
    ) -> Columns:
        """Add the counts of sets."""
        columns, documents = dict(counted), len(block.documents)
        for name, (gold, predicted) in block.views.items():
            columns |= gold.count(predicted, documents, name)
        for name, corpus in block.listed.items():
            rows = corpus.rows_of(corpus.find_same(), columns_of(name))
            columns |= rows.count(documents)
        return columns

    def _units_of(self, corpus: SetCorpus, setup: Setup) -> UnitCorpus:
        """Put the mentions and relations that are scored in one table."""
        return UnitCorpus.of(corpus, self.slot.name, alone=setup.config == "relations")

    def sides(self, corpus: SetCorpus, setup: Setup, /) -> Sides:
        """Return the mentions and relations that are scored."""
        return self._units_of(corpus, setup).sides

    def find_arrows(self, corpus: SetCorpus, setup: Setup, /) -> Arrows:
        """Return the mentions that each relation connects."""
        units = self._units_of(corpus, setup)
        return Arrows(units.sources, units.arguments)

    def known_labels(self, _setup: Setup, /) -> Collection[str]:
        """Return the labels of mentions and relations."""
        return (*self.labels, *self.relations)

    def widen(
        self, corpus: SetCorpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Join mentions and relations; ``any_class`` adds overlapping pairs of any labels."""
        units = self._units_of(corpus, setup)
        rows = [
            units.take(SCORED[name], matches[name]) if name in matches else NO_ROWS for name in ROWS
        ]
        widest = units.join(*pair_any_class(corpus, *rows))
        found = {"strict": units.join(*rows), SAME_PLACE: units.keep_same_spans(widest)}
        return {**matches, **found, ANY_CLASS: widest}


def _is_scored(name: str, setup: Setup) -> bool:
    return setup.config not in SCORED.values() or setup.config == SCORED[name]


def _align(gold: Side, predicted: Side, documents: tuple[str, ...]) -> Aligned:
    """Return the documents, and the number of each side's documents among them."""
    if gold.keys is None or predicted.keys is None:
        return documents, np.arange(len(documents)), np.arange(len(documents))
    known = {name: number for number, name in enumerate(documents)}
    golds, found = (
        np.array([known[of] for of in side.documents], np.int64) for side in (gold, predicted)
    )
    return documents, golds, found
