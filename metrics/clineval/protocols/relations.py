"""Relations, ready to be scored: a protocol that challenges parametrise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Literal, cast, get_args

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError
from clineval.formats.given.relations import read_related
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.items import ID
from clineval.kinds.mentions.matching import closest, others, outside, same_value
from clineval.kinds.mentions.measures import Spans
from clineval.kinds.mentions.outcomes import ANY_CLASS, NEAR_MISSES
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs, find_same_spans, pair_equal_keys, pair_greedily
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
from clineval.kinds.relations.linked import Closure, LinkedCorpus, LinkPairs
from clineval.kinds.relations.near_misses import explain
from clineval.kinds.relations.outcomes import NO_ROWS, UnitCorpus
from clineval.kinds.relations.pairing import pair_any_class, pair_relations
from clineval.kinds.relations.reasons import LinkReasons, mark_inferred
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.columns import Sides
from clineval.results.declaring import check_class, check_words
from clineval.results.faces import Faces
from clineval.results.formulas import Prf
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
AS_WRITTEN = "links_as_written"
"""The match of links that both sides have, if links can follow from others."""
ALL_GOLD, ALL_PREDICTED = "links_written_gold", "links_written"
"""The matches of all gold and of all predicted links, which are right if they follow."""
CLOSED_SCORES = (
    Prf("links", "Links", heading="reduced", recall_of="links_gold"),
    Prf(ALL_PREDICTED, "Links", heading="all", recall_of=ALL_GOLD),
)
"""The scores of links that are right if they follow: of reduced links, and of all links."""


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

    With ``closure`` the relations are links of an order, such as that of time. A link is also right
    if it follows from links of the other side, so precision and recall have different numerators:

        P = predicted links that the gold standard has or implies / predicted links
        R = gold links that the prediction has or implies / gold links

    Mentions at the ends are then paired one to one before links are compared. There are three
    scores (:mod:`clineval.kinds.relations.closure` defines what follows):

        links              links of the reduction, which do not follow from others of their own side
        links_written      all links
        links_as_written   all links, right only if the other side has them, also for each label

    Args:
        labels: the labels of relations; other labels are rejected.
        ends: when ends are the same.
        directed: whether source and target differ.
        typed: whether the labels of the mentions at the ends must also agree.
        closure: what the labels mean in an order; the labels are those of the closure, which
            decide the direction.
        short: the beginning of the names of scores in spaCy's training table; by default the first
            letters of the challenge's name.

    Raises:
        InputError: an argument is invalid.

    Examples:
        >>> causes = Relations(("CAUSES", "TREATS"), ends="overlap")
        >>> causes.measures.headline, causes.kind.name
        (('relations_f1',), 'relations')
        >>> order = Closure(before="BEFORE", same=("OVERLAP",), inverse={"AFTER": "BEFORE"})
        >>> Relations(("BEFORE", "AFTER", "OVERLAP"), closure=order).measures.headline
        ('links_f1', 'links_written_f1', 'links_as_written_f1')
    """

    labels: tuple[str, ...]
    ends: Ends = "spans"
    directed: bool = True
    _: KW_ONLY
    typed: bool = False
    closure: Closure | None = None
    short: str = ""

    def __post_init__(self) -> None:
        check_words(self.labels, "labels", fold=label_key, least=1)
        check_name("ends", self.ends, get_args(Ends))
        if self.closure is not None:
            self._check_closure()

    def _check_closure(self) -> None:
        check_class([self.closure], Closure, "closure", 'Pass Closure(before="BEFORE")')
        if not self.directed:
            problem = "expected True, because the closure has links with a direction"
            raise InputError(problem, where="directed")
        cast(Closure, self.closure).check_labels(self.labels)

    @property
    def widest(self) -> str:  # type: ignore[override]
        """The pairs of relations that both sides have."""
        return self.score.name

    @property
    def score(self) -> Spans:
        """The scores of all relations and of each label."""
        return Spans(
            AS_WRITTEN if self.closure else MATCH,
            "Links as written" if self.closure else "All relations",
            heading="as written" if self.closure else "",
            labels=self.scored_labels,
            labels_title="Relations",
            means_title="Relations, mean of the labels",
            place="overlap/both",
            preset="relations",
        )

    @property
    def scored_labels(self) -> tuple[str, ...]:
        """The labels that are scored separately."""
        return self.closure.labels if self.closure else self.labels

    @property
    def measures(self) -> Measures:
        """The scores."""
        closed = CLOSED_SCORES if self.closure else ()
        return Measures.of(*closed, self.score)

    def read_side(self, source: object, side: str, _setup: Setup, /) -> RelatedSide:
        """Read brat files or text, JSON Lines, dicts, Documents."""
        return read_related(source, LABEL, self.labels, side=side, ids=self.ends == "ids")

    def join(self, gold: RelatedSide, predicted: RelatedSide, _setup: Setup, /) -> RelatedCorpus:
        """Join the relations of both sides."""
        corpus = join_related(gold, predicted, [LABEL, ID] if self.ends == "ids" else [LABEL])
        if self._in_place:
            corpus = merge_ends(corpus)
        if self.closure:
            return self.closure.arrange(corpus, self._rank(corpus.mentions))
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
        if self.closure:
            return self.link(block).pair()
        same = pair_by_partners(block, self._find_partners(block.mentions))
        if self.ends != "overlap":
            return same
        left = others(same.gold, block.gold), others(same.prediction, block.prediction)
        find_near = partial(self._find_near, block.mentions)
        near = pair_relations(block, *left, find_near, directed=self.directed)
        return Pairs.joined([same, near])

    def link(self, corpus: RelatedCorpus) -> LinkedCorpus:
        """Pair the ends of links one to one: equal ones, and then the closest of overlapping ones.

        Overlapping ends count only if ``ends`` allows it.
        """
        mentions, same = corpus.mentions, self._find_partners(corpus.mentions)
        if self.ends != "overlap":
            return LinkedCorpus(corpus, same)
        left = (
            rows[outside(rows, taken, len(side))]
            for side, taken in ((mentions.gold, same.gold), (mentions.prediction, same.prediction))
            for rows in [np.unique(find_firsts(side)) if self._in_place else np.arange(len(side))]
        )
        near, order = self._find_near(mentions, *left), closest(mentions)
        return LinkedCorpus(
            corpus, Pairs.joined([same, *(pair_greedily(part, order) for part in near)])
        )

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
        sides = block.gold, block.prediction
        rows = Rows(pairing, sides, columns_of(self.widest))
        labels = block.gold.label, block.prediction.label
        written = {self.widest: self.score.split(rows, labels, self.scored_labels)}
        if not isinstance(pairing, LinkPairs):
            return written
        judged = list_closed(pairing).items()
        closed = {name: Rows(match, sides, columns_of(name)) for name, match in judged}
        return {**closed, **written}

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
        match, name_errors = matches[self.widest], partial(explain, corpus)
        if self.closure and ALL_GOLD in matches:  # a rule lists matches of its own
            match = mark_inferred(match, matches[ALL_GOLD], matches[ALL_PREDICTED])
            reasons = LinkReasons(self.link(corpus), partial(self._name_end, corpus.mentions))
            name_errors = partial(reasons.add_to, explain=name_errors)
        _, widest = pair_any_class(corpus, NO_ROWS, match, directed=self.directed)
        same_place = _units_of(corpus).keep_same_spans(widest)
        near_misses = name_errors(widest)
        return {**matches, ANY_CLASS: widest, SAME_PLACE: same_place, NEAR_MISSES: near_misses}

    def _name_end(self, mentions: Corpus, side: int, row: int) -> str:
        """Name a mention by its id, or by its offsets."""
        columns = (mentions.gold, mentions.prediction)[side].columns
        if self.ends != "ids":
            return columns.text_of_spans(row)
        ids = columns.attributes[ID.name]
        return ids.values[int(ids.ids[row])]

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
                matches={**_PAGE, "overlap/both": self.widest},
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


def list_closed(pairs: LinkPairs) -> dict[str, Match]:
    """Judge the links of each side by what follows on the other one, for the scores of closures."""
    return {
        name: pairs.list_side(side, reduced=reduced)
        for score, reduced in zip(CLOSED_SCORES, (True, False), strict=True)
        for side, name in enumerate((score.recall_of, score.name))
    }


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
