"""Protocols that leave their steps to another one, which may depend on the options."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from clineval.base.files import Source
from clineval.base.ratios import Columns
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns, Sides
from clineval.results.kind import DocumentForm, ItemGroup
from clineval.results.label_rows import LabelRows
from clineval.results.match import Match
from clineval.results.measures import Finish
from clineval.results.protocol import CorpusT, PairingT, Protocol, Rows, SideT
from clineval.results.verdicts import Verdicts
from clineval.results.views import Arrows


class Delegating(Protocol[SideT, CorpusT, PairingT]):
    """Another protocol reads, joins and shows the annotation; this one pairs it."""

    @abstractmethod
    def inner(self, setup: Setup, /) -> Protocol[SideT, CorpusT, Any]:
        """Return the other protocol."""

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[SideT, list[SideT]]:
        """Read both sides."""
        return self.inner(setup).read(references, predictions, setup)

    def read_side(self, source: object, side: str, setup: Setup, /) -> SideT:
        """Read one side."""
        return self.inner(setup).read_side(source, side, setup)

    def check(self, source: Source, setup: Setup, /) -> None:
        """Reject files that are not in the format."""
        self.inner(setup).check(source, setup)

    def document_form(self, setup: Setup, /) -> DocumentForm | None:
        """Return the form of documents."""
        return self.inner(setup).document_form(setup)

    def join(self, gold: SideT, predicted: SideT, setup: Setup, /) -> CorpusT:
        """Join both sides."""
        return self.inner(setup).join(gold, predicted, setup)

    def sides(self, corpus: CorpusT, setup: Setup, /) -> Sides:
        """Return the annotations of both sides."""
        return self.inner(setup).sides(corpus, setup)

    def group_items(self, corpus: CorpusT, setup: Setup, /) -> Sequence[ItemGroup]:
        """Return the annotations of both sides by their sort."""
        return self.inner(setup).group_items(corpus, setup)

    def page_sides(self, corpus: CorpusT, setup: Setup, /) -> Sides:
        """Return the annotations of both sides as the page shows them."""
        return self.inner(setup).page_sides(corpus, setup)

    def find_arrows(self, corpus: CorpusT, setup: Setup, /) -> Arrows:
        """Return the arrows of the page."""
        return self.inner(setup).find_arrows(corpus, setup)

    def known_labels(self, setup: Setup, /) -> Collection[str]:
        """Return the labels that the challenge or the user names."""
        return self.inner(setup).known_labels(setup)

    def as_gold(self, gold: SideT, side: SideT, setup: Setup, /) -> SideT:
        """Turn a system's side into a gold standard."""
        return self.inner(setup).as_gold(gold, side, setup)

    def list_verdicts(self, side: MentionColumns, setup: Setup, /) -> Verdicts | None:
        """Return the verdicts about documents."""
        return self.inner(setup).list_verdicts(side, setup)


class Chosen(Delegating[SideT, CorpusT, PairingT]):
    """Every step is that of a protocol which options or data determine.

    A scheme of the user's own, such as classes or types of events, is an option or found in the
    data (:meth:`resolve`); :meth:`inner` builds the protocol for it.
    """

    @abstractmethod
    def inner(self, setup: Setup, /) -> Protocol[SideT, CorpusT, PairingT]:
        """Return the protocol for the scheme of an evaluation."""

    def finish(self, setup: Setup, /) -> Finish:
        """Return the function that computes the scores."""
        return self.inner(setup).measures.finish

    def pair(self, block: CorpusT, setup: Setup, /) -> PairingT:
        """Pair a block."""
        return self.inner(setup).pair(block, setup)

    def list_matches(
        self, block: CorpusT, pairing: PairingT, setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the rows of a paired block."""
        return self.inner(setup).list_matches(block, pairing, setup)

    def complete(
        self, block: CorpusT, pairing: PairingT, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Count everything that is not a row."""
        return self.inner(setup).complete(block, pairing, counted, setup)

    def list_pairings(
        self, corpus: CorpusT, pairing: PairingT, setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the pairings of the page that the listed matches lack."""
        return self.inner(setup).list_pairings(corpus, pairing, setup)

    def list_labels(self, corpus: CorpusT, setup: Setup, /) -> LabelRows | None:
        """Return the labels of documents."""
        return self.inner(setup).list_labels(corpus, setup)

    def widen(
        self, corpus: CorpusT, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add matches that are not counted."""
        return self.inner(setup).widen(corpus, matches, setup)

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the options that affect the numbers."""
        return self.inner(setup).settings(setup)
