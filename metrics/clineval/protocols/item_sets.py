"""Sets of items, ready to be scored: mentions, their concepts, and the concepts of documents."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace

import numpy as np

from clineval.base.arrays import Coded, IntArray, rank_rows
from clineval.base.errors import InputError
from clineval.base.files import Source
from clineval.formats.given.document_lists import LISTED, PMIDS, describe_names, keep_documents
from clineval.formats.given.item_sets import read_items, read_strictly
from clineval.formats.pubtator.items import KIND, Draft
from clineval.formats.pubtator.scheme import RELATIONS, TYPED, ItemKind, Scheme
from clineval.kinds.codes.hierarchical import HierarchyScores
from clineval.kinds.codes.hierarchy import WHERE, Fold
from clineval.kinds.documents import align_documents
from clineval.kinds.mentions.columns import Side, join_texts, share_values
from clineval.kinds.mentions.corpus import Corpus, Mentions, renumber_intake
from clineval.kinds.mentions.derived import keep
from clineval.kinds.mentions.kind import ConceptKind
from clineval.kinds.mentions.measures import compare_all
from clineval.kinds.mentions.outcomes import NEAR_MISSES
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.parts import Part, list_keys, stack_matches
from clineval.kinds.mentions.rows import MatchKind, Pairing, Rows, columns_of
from clineval.protocols.hierarchies import HIERARCHY, HIERARCHY_SETTING, name_hierarchy
from clineval.protocols.item_codes import CONCEPT, CodedKind, ItemJudge
from clineval.protocols.placed_codes import find_judge
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns, Sides
from clineval.results.faces import Faces
from clineval.results.formulas import Prf
from clineval.results.match import Match
from clineval.results.measures import Measures
from clineval.results.options import Option
from clineval.results.protocol import Protocol
from clineval.results.settings import declare_settings
from clineval.results.slots import Slot
from clineval.results.task import ClassSlot
from clineval.results.views import DocView, MentionView

LABEL = "label"
EQUAL = "exact/both"
"""The place on a page of pairs of equal items."""
FORMATS = "clineval.formats.pubtator.formats"
PAGE = MentionView(
    matches=dict.fromkeys((EQUAL, "exact/span", "overlap/span", "overlap/both"), "all"),
    equal_only=True,
)
_UNSHOWN = {
    "adjudicate": "the page shows concepts of the whole abstract, and mentions without their "
    "concepts"
}
_RELATED = {
    "answers": "relations are between concepts of the whole abstract, not between quotes",
    "adjudicate": "the page shows concepts and relations of the whole abstract, and "
    "mentions without their concepts",
}


def class_of(label: str, kind: str) -> str:
    """Return the class on a page of a type and kind of items.

    Examples:
        >>> class_of("Disease", "concepts"), class_of("CID", "relations")
        ('Disease concepts', 'CID')
    """
    return label if kind in (RELATIONS, TYPED.name) else f"{label} {kind}"


@dataclass(frozen=True)
class ItemSets(Protocol[Side, Corpus, Pairing]):
    """Sets of items, which are right if the other side has an equal one.

    A mention has fragments, a type and concepts. It yields items of several kinds, such as its
    fragments with one of its concepts, or a concept alone, which counts once for each document.
    Documents on one side only count as all missed, or all spurious. The scores are
    :class:`~clineval.results.formulas.Prf` for each kind of items.

    Args:
        scheme: the annotation scheme of the corpus; the kinds of items, the main one first.
        scored: the name of a score to a kind of items and the types that count, all if empty; by
            default a score for each kind.
        ranking: the scores that rank systems, by configuration; by default the first one.
        short: the beginning of the names of scores in spaCy's training table.
        by_pmid: whether an option lists the documents to score.
    """

    scheme: Scheme
    _: KW_ONLY
    scored: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    ranking: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    short: str = ""
    by_pmid: bool = False

    def __post_init__(self) -> None:
        names = self.scheme.names
        scored = self.scored or {name: (name, ()) for name in names}
        object.__setattr__(self, "scored", scored)
        object.__setattr__(self, "ranking", self.ranking or {"default": (f"{names[0]}_f1",)})

    @property
    def slots(self) -> tuple[Slot, Slot]:
        """The slots of items: the type and the concept."""
        related = (self.scheme.relation,) if self.scheme.relation else ()
        return Slot(LABEL, "label", (*self.scheme.labels, *related)), Slot(CONCEPT, "label")

    @property
    def kind(self) -> ConceptKind:
        """Mentions with concepts."""
        return ConceptKind(
            ClassSlot(LABEL, "type"),
            slots_of=lambda _: self.slots,
            without=_RELATED if self.scheme.relation else _UNSHOWN,
            concepts=CONCEPT,
            noted=CONCEPT,
        )

    @property
    def measures(self) -> Measures:
        """The scores of each kind of items."""
        parts = self.parts
        scores = (self._declare(kind, parts) for kind in self.scheme.kinds)
        return Measures.of(*scores, self.by_hierarchy, ranking=self.ranking)

    @property
    def by_hierarchy(self) -> HierarchyScores:
        """The scores by a hierarchy of concepts: of each kind, or of the only one."""
        kinds = self._list_coded(self.scheme.names)
        return HierarchyScores(among=("", *(f"{kind}_" for kind in kinds)))

    def _list_coded(self, names: Sequence[str]) -> Sequence[str]:
        """Return which kinds of items have concepts."""
        coded = [RELATIONS, *(kind.name for kind in self.scheme.kinds if kind.coded)]
        return [name for name in names if name in coded]

    def _declare(self, kind: ItemKind, parts: Mapping[str, tuple[str, ...]]) -> Prf:
        others = tuple(one for each in parts.values() for one in each)
        classes = parts[kind.name]
        narrow = {"classes": classes} if classes else {"without": others}
        return Prf(
            kind.name, "Items", heading=kind.title, place=EQUAL, preset=kind.name, narrow=narrow
        )

    @property
    def parts(self) -> Mapping[str, tuple[str, ...]]:
        """The classes on a page of each kind of items; empty for a kind with open types."""
        labels, word = self.scheme.labels, (self.scheme.word,)
        return {
            kind.name: tuple(
                class_of(label, kind.name) for label in (labels if kind.typed else word)
            )
            for kind in self.scheme.kinds
        }

    @property
    def faces(self) -> Faces:
        """A page of items, Docs, and the formats of the corpus."""
        measures = self.measures
        columns = {**measures.ranking, "default": measures.headline}
        names = measures.short_names
        docs = DocView(
            self.short, columns, names, slots=lambda _: self.slots, format="jsonl", take=list
        )
        page = replace(PAGE, parts=self.parts)
        return Faces(page=page, docs=docs if self.short else None, formats=FORMATS)

    @property
    def options(self) -> tuple[Option, ...]:
        """The list of documents to score, and the hierarchy of concepts."""
        return (*((PMIDS,) if self.by_pmid else ()), HIERARCHY)

    own_settings = declare_settings(LISTED, HIERARCHY_SETTING)

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the number of listed documents, and the hierarchy."""
        names = self._names_in(setup)
        listed = {PMIDS.name: describe_names(names)} if names else {}
        return {**listed, **name_hierarchy(setup)}

    def find_judge(self, setup: Setup) -> ItemJudge | None:
        """Return the judge of concepts, if there is a hierarchy.

        Raises:
            InputError: the configuration has no concepts.
        """
        judge = find_judge(setup, self.fold_concept)
        if judge is None:
            return None
        names = self._list_coded(self._kinds_of(setup.config))
        if not names:
            raise InputError(f"the configuration {setup.config} has no concepts", where=WHERE)
        prefixes = [f"{name}_" if len(names) > 1 else "" for name in names]
        kinds = [
            CodedKind(name, name == RELATIONS, prefix, KIND, CONCEPT)
            for name, prefix in zip(names, prefixes, strict=True)
        ]
        return ItemJudge(judge, kinds)

    @property
    def fold_concept(self) -> Fold:
        """The function that returns the form in which concepts are compared."""
        return self.scheme.name_concept

    @staticmethod
    def _names_in(setup: Setup) -> frozenset[str] | None:
        names: frozenset[str] | None = setup.options.get(PMIDS.name)  # type: ignore[assignment]
        return names

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[Side, list[Side]]:
        """Read both sides, and leave out the documents that are not listed."""
        self.find_judge(setup)  # rejects a configuration without concepts
        gold, systems = super().read(references, predictions, setup)
        names = self._names_in(setup)
        if not names:
            return gold, systems
        kept = [keep_documents(side, names, gold=False) for side in systems]
        return keep_documents(gold, names, gold=True), kept

    def read_side(self, given: object, side: str, _setup: Setup, /) -> Side:
        """Read PubTator, BioC, JSON Lines, dicts, or Documents."""
        return read_items(given, side, self.scheme, self.slots, self.read_files)

    def check(self, source: Source, setup: Setup, /) -> None:
        """Check files as predictions; their relations may lack a concept."""
        self.read_side(source, "predictions", setup)

    def read_files(self, given: Source, side: str, /) -> Draft:
        """Read files or a text of PubTator or BioC by the format."""
        return read_strictly(given, self.scheme, gold=side == "references")

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join both sides; equal items have the same place."""
        documents, *numbers = align_documents(gold, predicted)
        read = zip((gold, predicted), numbers, strict=True)
        columns = [self.as_columns(*each, documents, setup.config) for each in read]
        columns = share_values(columns, dict.fromkeys(columns[0].attributes, ()))
        spans: dict[str, int] = {}
        keys = [list_keys(side, spans) for side in columns]
        ranks = rank_rows([np.concatenate(both) for both in zip(*keys, strict=True)])
        both = zip(columns, np.split(ranks, [len(columns[0])]), strict=True)
        sides = [Mentions(side, place, np.zeros(len(side), np.int64)) for side, place in both]
        texts = join_texts(gold, predicted, (numbers[0], numbers[1]))
        intake = renumber_intake(predicted.intake, numbers[1], len(documents))
        return Corpus(documents, sides[0], sides[1], texts, intake=intake)

    def as_columns(
        self, side: Side, numbers: IntArray, _documents: Sequence[str], config: str
    ) -> MentionColumns:
        """Return the items of the scored kinds, as mentions."""
        document = side.mentions.document
        mentions = replace(side.mentions, document=numbers[document] if len(document) else document)
        ordered = mentions.take(np.argsort(mentions.document, kind="stable"))
        return keep(Slot(KIND, "label"), self._kinds_of(config).__contains__)(ordered, {})

    def _kinds_of(self, config: str) -> Sequence[str]:
        """Return the kinds of a configuration: the one of this name, or all."""
        return (config,) if config in self.scheme.names else self.scheme.names

    def resolve(self, corpus: Corpus, setup: Setup, /) -> Setup:
        """Check that concepts are in the hierarchy, if there is one."""
        if judge := self.find_judge(setup):
            judge.check(corpus)
        return setup

    def pair(self, corpus: Corpus, setup: Setup, /) -> Pairing:
        """Pair equal items of each kind and type."""
        return {
            name: self.match(self._select(corpus, name).corpus)
            for name, (kind, _) in self.scored.items()
            if kind in self._kinds_of(setup.config)
        }

    def match(self, part: Corpus) -> Pairs | Match:
        """Pair equal items of one kind and type."""
        return pair_equal(part)

    def list_matches(self, block: Corpus, pairing: Pairing, setup: Setup, /) -> Mapping[str, Rows]:
        """Return the verdict on every item; concepts and relations are mentions without words.

        With a hierarchy, add the outcomes of concepts and their ancestors.
        """
        matches: dict[str, Rows] = {}
        uncounted: dict[str, IntArray] = {}
        for name, pairs in pairing.items():
            part = self._select(block, name)
            rows = MatchKind(columns_of(name), compare_all).of(part.corpus, pairs)
            matches[name] = replace(rows, among=part.among)
            if isinstance(pairs, Match):
                displaced = pairs.prediction[pairs.is_among(["displaced"])]
                uncounted[name] = part.prediction[displaced]
        judge = self.find_judge(setup)
        return {**matches, **judge.list_matches(block, uncounted)} if judge else matches

    def _select(self, corpus: Corpus, name: str) -> Part:
        kind, labels = self.scored[name]
        return Part.of(corpus, {KIND: (kind,), LABEL: labels})

    def widen(
        self, corpus: Corpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add the items of all kinds together, and how wrong concepts are related to gold ones."""
        counted = {name: match for name, match in matches.items() if name in self.scheme.names}
        every = {**matches, "all": stack_matches([*counted.values()])}
        judge = self.find_judge(setup)
        if judge is None:
            return every
        near_misses = stack_matches([*{**counted, **judge.explain(corpus, counted)}.values()])
        return {**every, NEAR_MISSES: replace(near_misses, reason_slot=CONCEPT)}

    def page_sides(self, corpus: Corpus, _setup: Setup, /) -> Sides:
        """Return the items with classes that include their kind, such as ``Disease concepts``."""
        pairs = [_number_classes(side) for side in corpus.sides]
        used = np.unique(np.concatenate(pairs))
        gold, prediction = (
            _name_kinds(side, used, ids) for side, ids in zip(corpus.sides, pairs, strict=True)
        )
        return gold, prediction

    def known_labels(self, _setup: Setup, /) -> Collection[str]:
        """Return the classes of items, such as ``Disease concepts``."""
        related = (self.scheme.relation,) if self.scheme.relation else ()
        return [*(one for each in self.parts.values() for one in each), *related]


def _number_classes(columns: MentionColumns) -> IntArray:
    """Return a number for the type and kind of each item, the same on both sides."""
    label, kind = columns.attributes[LABEL], columns.attributes[KIND]
    return label.ids.astype(np.int64) * len(kind.values) + kind.ids


def _name_kinds(columns: MentionColumns, used: IntArray, ids: IntArray) -> MentionColumns:
    """Return the items with classes, which are those that occur on either side."""
    label, kind = columns.attributes[LABEL], columns.attributes[KIND]
    pairs = (divmod(number, len(kind.values)) for number in used.tolist())
    values = tuple(class_of(label.values[first], kind.values[second]) for first, second in pairs)
    named = {**columns.attributes, LABEL: Coded(np.searchsorted(used, ids), values)}
    return replace(columns, attributes=named)


def pair_equal(part: Corpus) -> Pairs:
    """Pair equal items, which have the same place."""
    places = part.gold.place, part.prediction.place
    _, left, right = np.intersect1d(*places, assume_unique=True, return_indices=True)
    return Pairs(left, right)
