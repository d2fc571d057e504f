"""Pages of anything but mentions: lists of items, each of a kind, document by document.

A page is a module, named in :class:`~clineval.results.views.ListView`, with a ``LAYOUT`` and a
function ``list_items``; its script ``page.js`` stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from clineval.kinds.mentions.outcomes import Outcomes
from clineval.results.challenge import Setup
from clineval.results.scores import Counts, Score

Columns = Mapping[str, Sequence[object]]
"""Items as columns: ``document``, ``row``, ``kind``, ``unit`` (the number of the gold unit that
an item is about, -1 for none), and those that a page adds; documents never decrease."""
Texts = Sequence[str | None]
FindTexts = Callable[[Sequence[str]], Texts]
"""Finds the texts of documents by their names; None where there is none."""
Corpus_co = TypeVar("Corpus_co", covariant=True)
Pairing_co = TypeVar("Pairing_co", covariant=True)


class Scored(Protocol[Corpus_co, Pairing_co]):
    """One system that was scored: an :class:`~clineval.evaluation.evaluate.Evaluation`."""

    @property
    def setup(self) -> Setup:
        """What was asked."""
        ...

    @property
    def corpus(self) -> Corpus_co:
        """Both sides."""
        ...

    @property
    def pairings(self) -> Sequence[Pairing_co]:
        """The pairs of each block of the corpus."""
        ...

    @property
    def counts(self) -> Counts:
        """What was counted of them."""
        ...

    @property
    def outcomes(self) -> Outcomes:
        """What became of every annotation."""
        ...

    def score(self) -> Score:
        """Compute the scores."""
        ...


AnyScored = Scored[object, object]
"""A system of whose corpus and pairs nothing is asked."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of item.

    Args:
        name: such as ``match``.
        label: what the page calls it.
        look: how it is marked, a class of the page's style.
        meaning: a line for the legend.
        right: whether it is not an error.
    """

    name: str
    label: str
    look: str
    meaning: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class Mode:
    """A way of counting.

    Args:
        name: such as ``horizontal``.
        label: what the page calls it.
        kinds: names of the kinds that its items have.
        columns: headings of the statistics, each with the kinds that it counts.
    """

    name: str
    label: str
    kinds: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Layout:
    """What is the same for every page of a kind of annotation.

    Args:
        name: the kind.
        script: the path of the page's own script.
        kinds: all kinds of items.
        modes: all ways of counting.
        row_title: what a row of the statistics is.
        document_title: what the page calls documents.
    """

    name: str
    script: Path
    kinds: tuple[Kind, ...]
    modes: tuple[Mode, ...]
    row_title: str
    document_title: str

    def number(self, kind: str) -> int:
        """Return the number of a kind, as items have it."""
        return [known.name for known in self.kinds].index(kind)


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """The items of a corpus.

    Args:
        documents: the documents' names.
        rows: the rows of the statistics.
        systems: for each system the items of each mode.
        extra: what else the page needs.
        texts: the text of each document; None where the page holds none.
        problems: what is wrong with the texts, to the documents concerned.
        codes: the codes that items have.
    """

    documents: Sequence[str]
    rows: Sequence[str]
    systems: Sequence[Mapping[str, Columns]]
    extra: Mapping[str, object]
    texts: Texts | None
    problems: Mapping[str, Sequence[str]]
    codes: Collection[str] = ()


class ListPage(Protocol):
    """A module that shows annotation as lists of items."""

    LAYOUT: Layout

    def list_items(self, systems: Sequence[AnyScored], texts: FindTexts | None, /) -> Items:
        """List the items of scored systems; ``texts`` is None for a page without any text."""
        ...
