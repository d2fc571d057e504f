"""Pages of annotations other than mentions: lists of items, document by document.

A page is a module, named in :class:`~clineval.results.views.ListView`, with a ``LAYOUT`` and a
function ``list_items``; its script ``page.js`` stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Protocol, TypeVar

from clineval.kinds.mentions.outcomes import Outcomes
from clineval.results.challenge import Setup
from clineval.results.scorable import Counts
from clineval.results.scores import Score

Columns = Mapping[str, Sequence[object]]
"""Items as columns: ``document``, ``row``, ``kind``, ``unit`` (the number of the item's gold unit,
-1 for none), and the columns that a page adds; documents never decrease."""
Texts = Sequence[str | None]
FindTexts = Callable[[Sequence[str]], Texts]
"""Finds the texts of documents by their names; None if there is no text."""
Corpus_co = TypeVar("Corpus_co", covariant=True)
Pairing_co = TypeVar("Pairing_co", covariant=True)


class Scored(Protocol[Corpus_co, Pairing_co]):
    """One system that was scored: an :class:`~clineval.evaluation.evaluate.Evaluation`."""

    @property
    def setup(self) -> Setup:
        """The settings of the evaluation."""
        ...

    @property
    def corpus(self) -> Corpus_co:
        """Both sides, joined."""
        ...

    @property
    def pairings(self) -> Sequence[Pairing_co]:
        """The pairs of each block of the corpus."""
        ...

    @property
    def counts(self) -> Counts:
        """The counts."""
        ...

    @property
    def outcomes(self) -> Outcomes:
        """The outcomes of all annotations."""
        ...

    def score(self) -> Score:
        """Compute the scores."""
        ...


AnyScored = Scored[object, object]
"""A system with any type of corpus and pairs."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of item.

    Args:
        name: its name, such as ``match``.
        label: its name on the page.
        look: its look, a class of the page's style.
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
        name: its name, such as ``horizontal``.
        label: its name on the page.
        kinds: names of the kinds that its items have.
        columns: headings of the statistics, each with the kinds that it counts.
    """

    name: str
    label: str
    kinds: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]

    def split(self, kind: str, parts: Sequence[Kind]) -> Mode:
        """Replace a kind by several; its own column becomes a column for each of them."""

        def divide(kinds: Sequence[str]) -> tuple[str, ...]:
            names = [part.name for part in parts]
            return tuple(chain.from_iterable(names if of == kind else [of] for of in kinds))

        own = {part.label.capitalize(): (part.name,) for part in parts}
        columns: dict[str, tuple[str, ...]] = {}
        for heading, kinds in self.columns.items():
            columns |= own if kinds == (kind,) else {heading: divide(kinds)}
        return replace(self, kinds=divide(self.kinds), columns=columns)


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts that all pages of a kind of annotation share.

    Args:
        name: the kind.
        script: the path of the page's own script.
        kinds: all kinds of items.
        modes: all ways of counting.
        row_title: the name of the rows of the statistics.
        document_title: the name of documents on the page.
        parts: kind that checks name, to the kinds that items of this kind have.
    """

    name: str
    script: Path
    kinds: tuple[Kind, ...]
    modes: tuple[Mode, ...]
    row_title: str
    document_title: str
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def number(self, kind: str) -> int:
        """Return the number that stands for a kind in items."""
        return [known.name for known in self.kinds].index(kind)

    def divide(self, kinds: Sequence[str]) -> tuple[str, ...]:
        """Replace the kinds that checks name by the kinds of items."""
        return tuple(part for kind in kinds for part in self.parts.get(kind, (kind,)))

    def split(self, kind: str, parts: Sequence[Kind]) -> Layout:
        """Return a layout in which items of a kind have one of several kinds instead.

        Args:
            kind: the name of the kind.
            parts: the kinds that replace it; one of them may have the same name.
        """
        return replace(
            self,
            kinds=tuple(
                p for known in self.kinds for p in (parts if known.name == kind else [known])
            ),
            modes=tuple(mode.split(kind, parts) for mode in self.modes),
            parts={**self.parts, kind: tuple(part.name for part in parts)},
        )


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """The items of a corpus.

    Args:
        documents: the documents' names.
        rows: the rows of the statistics.
        systems: for each system the items of each mode.
        extra: further data for the page.
        texts: the text of each document; None if the page holds no text.
        problems: problem of the texts to the affected documents.
        codes: the codes of the items.
        words: values of the data that a page without texts shows, unless they could be words of a
            note.
        layout: the layout, if it depends on the systems; None for the usual one.
    """

    documents: Sequence[str]
    rows: Sequence[str]
    systems: Sequence[Mapping[str, Columns]]
    extra: Mapping[str, object]
    texts: Texts | None
    problems: Mapping[str, Sequence[str]]
    codes: Collection[str] = ()
    words: Collection[str] = ()
    layout: Layout | None = None


class ListPage(Protocol):
    """A module that shows annotation as lists of items."""

    LAYOUT: Layout

    def list_items(self, systems: Sequence[AnyScored], texts: FindTexts | None, /) -> Items:
        """List the items of scored systems; ``texts`` is None for a page without any text."""
        ...
