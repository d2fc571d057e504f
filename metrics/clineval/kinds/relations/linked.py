"""Relations as links of an order: which of them follow from those of the other side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, find_first
from clineval.base.errors import InputError, called, listed, shown
from clineval.kinds.mentions.pairing import Pairs, pair_equal_keys
from clineval.kinds.relations.closure import ClosedLinks, Links
from clineval.kinds.relations.columns import RelatedCorpus
from clineval.kinds.relations.joining import change_labels, without_direction
from clineval.results.averages import label_key
from clineval.results.declaring import check_words
from clineval.results.match import NONE, VERDICTS, Match

_SAME = 1
"""The number of the label of links of the same, after :meth:`Closure.arrange`."""


@dataclass(frozen=True)
class Closure:
    """The meaning of labels in an order, so that relations follow from each other.

    Relations are also called links here. :mod:`clineval.kinds.relations.closure` defines what
    follows, the reduction, and contradictions.

    Args:
        before: the label of relations whose source comes strictly before their target, or contains
            it.
        same: the labels of relations whose ends are the same; they have no direction, and are one
            label.
        inverse: label to the label that the same relation has from target to source.

    Raises:
        InputError: an argument is invalid.

    Examples:
        >>> times = Closure(before="BEFORE", same=("OVERLAP",), inverse={"AFTER": "BEFORE"})
        >>> times.labels, times.known
        (('BEFORE', 'OVERLAP'), ('BEFORE', 'OVERLAP', 'AFTER'))
    """

    before: str
    same: tuple[str, ...] = ()
    inverse: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_words((self.before,), "before", fold=label_key)
        check_words(self.same, "same", fold=label_key)
        if not isinstance(self.inverse, Mapping):
            problem = f"expected a dict of labels, got {shown(self.inverse)}"
            raise InputError(problem, where="inverse")
        check_words(self.known, "before, same, inverse", fold=label_key)
        if not {*self.inverse.values()} <= {self.before}:
            problem = f"expected {self.before} as the inverse of every label"
            raise InputError(problem, where="inverse")

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that are left: of strict links, and of links of the same."""
        return (self.before, *self.same[:1])

    @property
    def known(self) -> tuple[str, ...]:
        """All labels."""
        return (self.before, *self.same, *self.inverse)

    def check_labels(self, labels: tuple[str, ...]) -> None:
        """Reject other labels than the known ones.

        Raises:
            InputError: the labels differ.
        """
        if {*labels} != {*self.known}:
            problem = f"expected {listed(labels)}, the labels of the relations"
            raise InputError(f"{problem}, got {listed(self.known)}", where="closure")

    def arrange(self, corpus: RelatedCorpus, ranks: tuple[IntArray, IntArray]) -> RelatedCorpus:
        """Return a corpus with :attr:`labels` alone; equal links become one.

        Args:
            corpus: the corpus.
            ranks: ``[g]`` and ``[p]``, the rank of each gold and each predicted mention; links of
                the same go from the end of lower rank.
        """
        renamed = {**self.inverse, **dict.fromkeys(self.same, self.labels[-1])}
        changed = change_labels(corpus, renamed, self.labels, turned=self.inverse)
        return without_direction(changed, ranks, self.labels[1:])


@dataclass(frozen=True, slots=True, eq=False)
class LinkPairs(Pairs):
    """Pairs of links that both sides have, and what follows on either side.

    Args:
        right: ``[g]`` and ``[p]``, whether the other side has each link, or it follows there.
        reduced: ``[g]`` and ``[p]``, whether each link is part of the reduction of its side.
    """

    right: tuple[BoolArray, BoolArray]
    reduced: tuple[BoolArray, BoolArray]

    def list_side(self, side: int, *, reduced: bool) -> Match:
        """List the links of one side, without pairs: right, or wrong."""
        chosen = self.reduced[side] if reduced else np.ones(len(self.right[side]), np.bool_)
        rows = np.flatnonzero(chosen)
        none = np.full(len(rows), NONE)
        right, wrong = VERDICTS.index("tp"), VERDICTS.index("fp" if side else "fn")
        verdict = np.where(self.right[side][rows], right, wrong).astype(np.int8)
        gold, prediction = (none, rows) if side else (rows, none)
        return Match(gold, prediction, verdict, VERDICTS)


@dataclass(frozen=True, slots=True, eq=False)
class LinkedDocument:
    """A document with links.

    Args:
        document: its number.
        rows: the rows of its gold and its predicted links.
        closed: its gold and its predicted links.
    """

    document: int
    rows: tuple[slice, slice]
    closed: tuple[ClosedLinks, ClosedLinks]


@dataclass(frozen=True, eq=False)
class LinkedCorpus:
    """The relations of both sides as links between the same ends.

    Args:
        corpus: the relations, after :meth:`Closure.arrange`.
        partners: mentions that are one end; none has two partners. A mention without a partner is
            an end of its own.
    """

    corpus: RelatedCorpus
    partners: Pairs

    @cached_property
    def _ends(self) -> Sequence[tuple[IntArray, IntArray]]:
        """The numbers of the sources and of the targets of both sides; partners share a number."""
        mentions, partners = self.corpus.mentions, self.partners
        golds = np.arange(len(mentions.gold))
        predictions = np.arange(len(mentions.prediction)) + len(golds)
        predictions[partners.prediction] = partners.gold
        return [
            (numbers[relations.source], numbers[relations.target])
            for numbers, (_, relations) in zip((golds, predictions), self.corpus.sides, strict=True)
        ]

    @cached_property
    def links(self) -> tuple[Links, Links]:
        """The links of both sides; those of the same go from the end of the lower number."""
        gold, prediction = (
            Links(
                np.where(turned, target, source),
                np.where(turned, source, target),
                relations.label.ids == _SAME,
            )
            for (_, relations), (source, target), turned in zip(
                self.corpus.sides, self._ends, self.turned, strict=True
            )
        )
        return gold, prediction

    @cached_property
    def turned(self) -> tuple[BoolArray, BoolArray]:
        """Whether each link of the same goes from the target of its relation to the source."""
        gold, prediction = (
            (relations.label.ids == _SAME) & (source > target)
            for (_, relations), (source, target) in zip(self.corpus.sides, self._ends, strict=True)
        )
        return gold, prediction

    def list_documents(self) -> Iterator[LinkedDocument]:
        """Yield all documents with links.

        Raises:
            InputError: a document has too many links or ends.
        """
        sides = self.corpus.gold.document, self.corpus.prediction.document
        numbers = np.unique(np.concatenate(sides))
        bounds = (find_first(side, numbers + after).tolist() for side in sides for after in (0, 1))
        for number, *edges in zip(numbers.tolist(), *bounds, strict=True):
            rows = slice(*edges[:2]), slice(*edges[2:])
            where = f"document {called(self.corpus.documents[number])}"
            gold, found = (
                ClosedLinks(links.take(own), where)
                for links, own in zip(self.links, rows, strict=True)
            )
            yield LinkedDocument(number, rows, (gold, found))

    def pair(self) -> LinkPairs:
        """Pair equal links, and find out which follow from the other side.

        Raises:
            InputError: a document has too many links or ends.
        """
        size = len(self.corpus.mentions.gold) + len(self.corpus.mentions.prediction)
        pairs = pair_equal_keys(*(_number(links, size) for links in self.links))
        right, reduced = (
            (np.zeros(len(self.links[0]), np.bool_), np.zeros(len(self.links[1]), np.bool_))
            for _ in range(2)
        )
        for document in self.list_documents():
            for side, (rows, own) in enumerate(zip(document.rows, document.closed, strict=True)):
                reduced[side][rows] = own.reduced
                right[side][rows] = document.closed[1 - side].imply(own.links)
        right[0][pairs.gold], right[1][pairs.prediction] = True, True
        return LinkPairs(pairs.gold, pairs.prediction, right, reduced)


def _number(links: Links, size: int) -> IntArray:
    """Return a number for each link."""
    return (links.first.astype(np.int64) * size + links.second) * 2 + links.same
