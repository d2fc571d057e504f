"""Relations, ready to be scored: a protocol that challenges parametrise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import ClassVar, Literal, cast, get_args

import numpy as np

from clineval.base.arrays import IntArray
from clineval.formats.given.relations import read_related
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.items import ID
from clineval.kinds.mentions.matching import others, same_value
from clineval.kinds.mentions.measures import Spans
from clineval.kinds.mentions.outcomes import ANY_CLASS, NEAR_MISSES
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs, find_same_spans, pair_equal_keys
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.kinds.relations.columns import RelatedCorpus, RelatedSide
from clineval.kinds.relations.joining import (
    find_firsts,
    join_related,
    merge_ends,
    pair_by_partners,
    without_direction,
)
from clineval.kinds.relations.kind import RelationKind
from clineval.kinds.relations.near_misses import explain
from clineval.kinds.relations.outcomes import NO_ROWS, UnitCorpus
from clineval.kinds.relations.pairing import pair_any_class, pair_relations
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.columns import Sides
from clineval.results.declaring import check_words
from clineval.results.faces import Faces
from clineval.results.match import Match
from clineval.results.measures import Measures
from clineval.results.options import check_name
from clineval.results.protocol import Protocol
from clineval.results.slots import Slot
from clineval.results.task import ClassSlot
from clineval.results.views import Arrows, DocView, MentionView

Ends = Literal["spans", "overlap", "ids"]
MATCH = "relations"
"""The kind of match, the beginning of keys."""
LABEL = Slot("label", "label", required=True)
"""The slot of a mention's label."""
SAME_PLACE = "same_place"
"""The match of relations that connect the same words, whatever their label."""
_PAGE = {"exact/span": SAME_PLACE, "overlap/span": ANY_CLASS}


@dataclass(frozen=True)
class Relations(Protocol[RelatedSide, RelatedCorpus, Pairs]):
    """Relations between two mentions of a document; the mentions themselves are not scored.

        P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

    A predicted relation is right if a gold one has its label and its ends:

        spans       the same fragments
        overlap     a character in common at both ends; relations are paired one to one, equal ones
                    first, then those with most shared characters at both ends
        ids         the same ids: systems receive the mentions and keep their ids

    Relations of a document with equal labels and ends count as one. Undirected relations may swap
    their ends. There are scores for all relations (micro, ``relations_f1``), for each label, and
    their mean over the labels that either side has (macro). Documents on one side only count as all
    missed, or all spurious.

    Gold standards and systems are brat files, JSON Lines with ``mentions`` and ``relations``, or
    lists of such dicts or of :class:`~clineval.Document`.

    Args:
        labels: the labels of relations; other labels are rejected.
        ends: when ends are the same.
        directed: whether source and target differ.
        typed: whether the labels of the mentions at the ends must also agree.
        short: the beginning of the names of scores in spaCy's training table; by default the first
            letters of the challenge's name.

    Raises:
        InputError: an argument is invalid.

    Examples:
        >>> causes = Relations(("CAUSES", "TREATS"), ends="overlap")
        >>> causes.measures.headline, causes.kind.name
        (('relations_f1',), 'relations')
    """

    widest: ClassVar[str] = MATCH

    labels: tuple[str, ...]
    ends: Ends = "spans"
    directed: bool = True
    _: KW_ONLY
    typed: bool = False
    short: str = ""

    def __post_init__(self) -> None:
        check_words(self.labels, "labels", fold=label_key, least=1)
        check_name("ends", self.ends, get_args(Ends))

    @property
    def score(self) -> Spans:
        """The scores of all relations and of each label."""
        return Spans(
            MATCH,
            "All relations",
            labels=self.labels,
            labels_title="Relations",
            means_title="Relations, mean of the labels",
            place="overlap/both",
            preset="relations",
        )

    @property
    def measures(self) -> Measures:
        """The scores."""
        return Measures.of(self.score)

    def read_side(self, source: object, side: str, _setup: Setup, /) -> RelatedSide:
        """Read brat files or text, JSON Lines, dicts, Documents."""
        return read_related(source, LABEL, self.labels, side=side, ids=self.ends == "ids")

    def join(self, gold: RelatedSide, predicted: RelatedSide, _setup: Setup, /) -> RelatedCorpus:
        """Join the relations of both sides."""
        corpus = join_related(gold, predicted, [LABEL, ID] if self.ends == "ids" else [LABEL])
        if self._in_place:
            corpus = merge_ends(corpus)
        return corpus if self.directed else without_direction(corpus, self._rank(corpus.mentions))

    @property
    def _in_place(self) -> bool:
        """Whether ends are spans, whatever their mentions."""
        return not self.typed and self.ends != "ids"

    def _rank(self, mentions: Corpus) -> tuple[IntArray, IntArray]:
        """Rank the ends of relations: by id, or by their order in the text."""
        if self.ends == "ids":
            return mentions.gold.ids(ID.name), mentions.prediction.ids(ID.name)
        return np.arange(len(mentions.gold)), np.arange(len(mentions.prediction))

    def pair(self, block: RelatedCorpus, _setup: Setup, /) -> Pairs:
        """Pair relations with the same ends, and then overlapping ends if ``ends`` allows it."""
        same = pair_by_partners(block, self._find_partners(block.mentions))
        if self.ends != "overlap":
            return same
        left = others(same.gold, block.gold), others(same.prediction, block.prediction)
        find_near = partial(self._find_near, block.mentions)
        near = pair_relations(block, *left, find_near, directed=self.directed)
        return Pairs.joined([same, near])

    def _find_partners(self, mentions: Corpus) -> Pairs:
        """Find the mentions that are the same end; none has two partners."""
        same = _pair_ids(mentions) if self.ends == "ids" else find_same_spans(mentions)
        if self._in_place:
            golds, predictions = find_firsts(mentions.gold), find_firsts(mentions.prediction)
            first = golds[same.gold] == same.gold
            return same.take(first & (predictions[same.prediction] == same.prediction))
        return same.take(same_value(same, mentions, LABEL)) if self.typed else same

    def _find_near(
        self, mentions: Corpus, gold: IntArray, prediction: IntArray
    ) -> Iterable[Candidates]:
        """Yield overlapping pairs of some mentions."""
        sides = mentions.gold.columns, mentions.prediction.columns
        for near in find_candidates_in_parts(*sides, gold, prediction, mentions.documents):
            yield near.take(same_value(near, mentions, LABEL)) if self.typed else near

    def list_matches(
        self, block: RelatedCorpus, pairing: Pairs, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the outcomes of all relations."""
        name = self.score.name
        rows = Rows(pairing, (block.gold, block.prediction), columns_of(name))
        labels = block.gold.label, block.prediction.label
        return {name: self.score.split(rows, labels, self.labels)}

    def sides(self, corpus: RelatedCorpus, _setup: Setup, /) -> Sides:
        """Return the relations as mentions of the words that they connect."""
        return _units_of(corpus).sides

    def find_arrows(self, corpus: RelatedCorpus, _setup: Setup, /) -> Arrows:
        """Return the number of fragments of each relation's source."""
        return Arrows(_units_of(corpus).sources)

    def known_labels(self, _setup: Setup, /) -> Collection[str]:
        """Return the labels of relations that are scored."""
        return self.labels

    def widen(
        self, corpus: RelatedCorpus, matches: Mapping[str, Match], _setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add pairs of relations with different labels and overlapping or equal ends."""
        _, widest = pair_any_class(
            corpus, NO_ROWS, matches[self.score.name], directed=self.directed
        )
        same_place = _units_of(corpus).keep_same_spans(widest)
        near_misses = explain(corpus, widest)
        return {**matches, ANY_CLASS: widest, SAME_PLACE: same_place, NEAR_MISSES: near_misses}

    @property
    def kind(self) -> RelationKind:
        """Relations of these labels, between mentions of any label."""
        return RelationKind(
            ClassSlot(LABEL.name, "label"), slots_of=lambda _: (LABEL,), labels=self.labels
        )

    @property
    def faces(self) -> Faces:
        """A page of relations with arrows, and Docs with relations."""
        return Faces(
            page=MentionView(
                matches={**_PAGE, "overlap/both": self.score.name},
                modes=("Same place", "Paired"),
            ),
            docs=DocView(
                self.short,
                {"default": self.measures.headline},
                slots=lambda _: (LABEL,),
                format="brat",
                take=list,
                relations="id",
            ),
        )


def _units_of(corpus: RelatedCorpus) -> UnitCorpus:
    """Build units of relations alone."""
    return UnitCorpus.of(corpus, LABEL.name, alone=True)


def _pair_ids(mentions: Corpus) -> Pairs:
    """Pair the mentions with equal ids."""
    named = [_number_ids(mentions, side) for side in (0, 1)]
    known = [np.flatnonzero(numbers >= 0) for numbers in named]
    pairs = pair_equal_keys(*(n[at] for n, at in zip(named, known, strict=True)))
    return Pairs(known[0][pairs.gold], known[1][pairs.prediction])


def _number_ids(mentions: Corpus, side: int) -> IntArray:
    """Return a number for document and id of each mention, ``[n]``; -1 without an id."""
    own = (mentions.gold, mentions.prediction)[side]
    ids = own.columns.attributes[ID.name]
    numbers = own.columns.document * np.int64(len(ids.values)) + ids.ids
    unnamed = np.array([not value for value in ids.values], np.bool_)
    return cast(IntArray, np.where(unnamed[ids.ids], -1, numbers))
