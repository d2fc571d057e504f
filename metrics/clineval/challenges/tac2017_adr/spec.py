"""Read, pair and count TAC 2017 ADR as the package's docstring defines it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cache, partial
from typing import ClassVar, Self

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError
from clineval.base.files import Source
from clineval.base.hashing import ODD, Hashes, mix
from clineval.base.ratios import Columns
from clineval.challenges.tac2017_adr.labels import LABEL, RELATIONS, TYPES, LabelFile
from clineval.challenges.tac2017_adr.measures import ROWS, SCORED, STRINGS
from clineval.challenges.tac2017_adr.sides import LISTS, LabelSide, read_label_files, read_labels
from clineval.formats.given.code_lists import read_codes
from clineval.kinds.codes.corpus import CodeCorpus, join_aligned
from clineval.kinds.documents import Whole
from clineval.kinds.mentions.columns import Side, check_texts
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.outcomes import ANY_CLASS
from clineval.kinds.mentions.pairing import Pairs, find_same_spans
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.kinds.relations.columns import NO_RELATIONS, RelatedCorpus, RelatedSide
from clineval.kinds.relations.joining import join_related, pair_by_partners
from clineval.kinds.relations.kind import RelationKind
from clineval.kinds.relations.outcomes import NO_ROWS, UnitCorpus
from clineval.kinds.relations.pairing import pair_any_class
from clineval.kinds.relations.views import Keys, View
from clineval.protocols.code_sets import CodeSets
from clineval.results.challenge import Setup
from clineval.results.columns import Sides
from clineval.results.match import Match
from clineval.results.protocol import Protocol
from clineval.results.task import ClassSlot
from clineval.results.views import Arrows

SAME_PLACE = "same_place"
OpenFile = type[LabelFile]
Numbers = tuple[IntArray, IntArray]
"""The number of each side's documents among all documents."""


@dataclass(frozen=True, eq=False)
class LabelCorpus(Whole, RelatedCorpus):
    """Gold and predicted labels of the same documents.

    Args:
        views: name of a score to the sets that it compares.
        listed: the reactions and the codes; empty if a side does not come from files.
    """

    views: Mapping[str, tuple[View, View]]
    listed: Mapping[str, CodeCorpus]

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of all gold annotations of each document."""
        hashes = super().digests
        for corpus in self.listed.values():
            hashes = mix(hashes * ODD + corpus.digests)
        return hashes


class Spec(Protocol[RelatedSide, LabelCorpus, Mapping[str, Pairs]]):
    """The definition, for mentions and relations; the default configuration adds the strings."""

    kind = RelationKind(ClassSlot("label", "type"), slots_of=lambda _: (LABEL,), labels=RELATIONS)
    open_file: ClassVar[OpenFile] = LabelFile
    merged: ClassVar[bool] = True
    """Whether equal mentions are one source of relations."""

    def read_side(self, given: object, side: str, _setup: Setup, /) -> RelatedSide:
        """Read XML, JSON Lines, dicts, or Documents."""
        return read_labels(given, side, self.open_file)

    def select(self, gold: RelatedSide, predicted: RelatedSide) -> tuple[RelatedSide, RelatedSide]:
        """Return the documents that are scored: all of them. Reject different texts."""
        check_labels(gold, predicted)
        return gold, predicted

    def join(self, gold: RelatedSide, predicted: RelatedSide, setup: Setup, /) -> LabelCorpus:
        """Join both sides, with the relations and strings that are scored."""
        sides = self.select(gold, predicted)
        if setup.config == "mentions":
            sides = (
                replace(sides[0], relations=NO_RELATIONS),
                replace(sides[1], relations=NO_RELATIONS),
            )
        joined = join_related(*sides, [LABEL])
        numbers = _number_documents(sides[0].side, sides[1].side, joined.documents)
        golds, found = map(self._list_views, sides, numbers)
        listed = (
            list_strings(*sides, joined.documents, numbers) if setup.config == "default" else {}
        )
        return LabelCorpus(
            joined.mentions,
            joined.gold,
            joined.prediction,
            {name: (golds[name], found[name]) for name in golds if _is_scored(name, setup)},
            listed,
        )

    def _list_views(self, side: RelatedSide, numbers: IntArray) -> Mapping[str, View]:
        typed, untyped = (Keys.of(side, numbers, LABEL.name, typed=of) for of in (True, False))
        return {
            "exact_untyped": untyped.view_mentions(),
            "binary_untyped": untyped.view_relations(),
            "full": typed.view_sources(merged=self.merged),
            "full_untyped": untyped.view_sources(merged=self.merged),
        }

    def pair(self, corpus: LabelCorpus, setup: Setup, /) -> Mapping[str, Pairs]:
        """Pair equal mentions, and relations between them."""
        same = find_same_spans(corpus.mentions)
        same = same.take(same_value(same, corpus.mentions, LABEL))
        pairs = {"exact": same, "binary": pair_by_partners(corpus, same)}
        return {name: of for name, of in pairs.items() if _is_scored(name, setup)}

    def list_matches(
        self, block: LabelCorpus, pairing: Mapping[str, Pairs], setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the outcomes of all mentions and relations, and of each type."""
        units = cache(lambda: units_of(block, setup))
        matches = {}
        for name, pairs in pairing.items():
            measure, kind = ROWS[name], SCORED[name]
            among = partial(lambda of: units().rows_of(of), kind)
            rows = Rows(pairs, block.annotations_of(kind), columns_of(name), among=among)
            labels = block.labels_of(kind, LABEL.name)
            matches[name] = measure.split(rows, labels, measure.labels)
        return matches

    def complete(
        self, block: LabelCorpus, _pairing: Mapping[str, Pairs], counted: Columns, _setup: Setup, /
    ) -> Columns:
        """Add the counts of sets."""
        columns, documents = dict(counted), len(block.documents)
        for name, (gold, predicted) in block.views.items():
            columns |= gold.count(predicted, documents, name)
        for name, corpus in block.listed.items():
            rows = corpus.rows_of(corpus.find_same(), columns_of(name))
            columns |= rows.count(documents)
        return columns

    def sides(self, corpus: LabelCorpus, setup: Setup, /) -> Sides:
        """Return the mentions and relations that are scored."""
        return units_of(corpus, setup).sides

    def find_arrows(self, corpus: LabelCorpus, setup: Setup, /) -> Arrows:
        """Return the mentions that each relation connects."""
        units = units_of(corpus, setup)
        return Arrows(units.sources, units.arguments)

    def known_labels(self, _setup: Setup, /) -> Collection[str]:
        """Return the types of mentions and relations."""
        return (*TYPES, *RELATIONS)

    def widen(
        self, corpus: LabelCorpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Join mentions and relations; ``any_class`` adds overlapping pairs, whatever the types."""
        units = units_of(corpus, setup)
        rows = [
            units.take(SCORED[name], matches[name]) if name in matches else NO_ROWS for name in ROWS
        ]
        widest = units.join(*pair_any_class(corpus, *rows))
        found = {"strict": units.join(*rows), SAME_PLACE: units.keep_same_spans(widest)}
        return {**matches, **found, ANY_CLASS: widest}


def units_of(corpus: LabelCorpus, setup: Setup) -> UnitCorpus:
    """Put the mentions and relations that are scored in one table."""
    return UnitCorpus.of(corpus, LABEL.name, alone=setup.config == "relations")


def _is_scored(name: str, setup: Setup) -> bool:
    return setup.config in ("default", SCORED[name])


def check_labels(gold: RelatedSide, predicted: RelatedSide) -> None:
    """Reject files with other texts, or other sections, than the gold standard.

    Raises:
        InputError: the sections of a document differ.
    """
    if not (isinstance(gold, LabelSide) and isinstance(predicted, LabelSide)):
        return
    check_texts(gold.side, predicted.side)
    known = dict(zip(gold.side.documents, gold.sections, strict=True))
    for name, sections in zip(predicted.side.documents, predicted.sections, strict=True):
        if known.get(name, sections) != sections:
            raise InputError("other sections than in the gold standard", where=f"document {name}")


def _number_documents(gold: Side, predicted: Side, documents: tuple[str, ...]) -> Numbers:
    """Return the numbers of both sides' documents, as :func:`align_documents` assigns them."""
    if gold.keys is None or predicted.keys is None:
        return np.arange(len(documents)), np.arange(len(documents))
    known = {name: number for number, name in enumerate(documents)}
    golds, found = (
        np.array([known[of] for of in side.documents], np.int64) for side in (gold, predicted)
    )
    return golds, found


def list_strings(
    gold: RelatedSide, predicted: RelatedSide, documents: tuple[str, ...], numbers: Numbers
) -> Mapping[str, CodeCorpus]:
    """Join reactions and codes, if both sides come from files."""
    if not (isinstance(gold, LabelSide) and isinstance(predicted, LabelSide)):
        return {}
    return {
        name: join_aligned((gold.listed[name], predicted.listed[name]), (documents, *numbers), str)
        for name in LISTS
    }


@dataclass(frozen=True)
class Strings(CodeSets):
    """The reactions, or the codes, of each label.

    Args:
        open_file: opens the file of a label.
    """

    _: KW_ONLY
    open_file: OpenFile = LabelFile

    @classmethod
    def of(cls, name: str, open_file: OpenFile) -> Self:
        """Return the protocol of the configuration ``reactions`` or ``codes``."""
        files = partial(_read_strings, name, open_file, "references")
        word = name.removesuffix("s")
        return cls(
            files, str, word, (STRINGS[name],), counted=name, phrases=True, open_file=open_file
        )

    def read_side(self, source: object, side: str, _setup: Setup, /) -> Side:
        """Read XML, lists of strings, or mappings of documents to these."""
        read = partial(_read_strings, self.counted, self.open_file, side)
        return read_codes(source, side, read, places=False, phrases=True)


def _read_strings(name: str, open_file: OpenFile, side: str, source: Source) -> Side:
    return read_label_files(source, side, open_file).listed[name]
