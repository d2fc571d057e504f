"""A protocol: how a challenge is scored, from what a user gives to counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, runtime_checkable
from typing import Protocol as Structure

import numpy as np
from numpy.typing import NDArray

from clineval.base.arrays import IntArray
from clineval.base.files import Source
from clineval.base.ratios import Columns
from clineval.base.subjects import read_predictions, read_references
from clineval.results.columns import Sides
from clineval.results.faces import Faces
from clineval.results.kind import DocumentForm, Kind
from clineval.results.match import Match
from clineval.results.measures import Finish, Measures
from clineval.results.options import Option
from clineval.results.views import NO_ARROWS, Arrows

if TYPE_CHECKING:
    from clineval.results.challenge import AnyProtocol, Setup
    from clineval.results.counts import Counted


class Corpus(Structure):
    """The gold standard and the predictions of one system, document by document."""

    @property
    def documents(self) -> tuple[str, ...]:
        """The names of the documents."""
        ...

    @property
    def digests(self) -> NDArray[np.uint64]:
        """``[documents]``, a digest of the reference annotations of each."""
        ...

    @property
    def gold_sizes(self) -> IntArray:
        """``[documents]``, how many reference annotations each has."""
        ...

    def blocks(self) -> Iterator[Corpus]:
        """Yield the corpus in parts that are paired one after the other."""
        ...


class Rows(Structure):
    """What became of annotations under one kind of match."""

    def count(self, documents: int, /) -> Columns:
        """Count each document."""
        ...

    def list(self, name: str, /) -> Mapping[str, Match]:
        """List the rows under their name, and those of each part under its."""
        ...


@runtime_checkable
class Annotated(Structure):
    """A corpus whose rows are its own annotations."""

    @property
    def sides(self) -> Sides:
        """The gold and the predicted annotations."""
        ...


CountsT = TypeVar("CountsT", bound="Counted")
SideT = TypeVar("SideT")
"""What was read of the gold standard or of one system."""
CorpusT = TypeVar("CorpusT", bound=Corpus)
"""Both sides of one system."""
PairingT = TypeVar("PairingT")
"""The index pairs of a block of a corpus."""


class Protocol(ABC, Generic[SideT, CorpusT, PairingT]):
    """How a challenge is scored under one protocol, from what a user gives to counts.

    The steps run in the order in which they stand here: each takes what earlier ones returned, and
    the :class:`Setup` last. What the three types are is up to the kind of annotation. Two protocols
    are two objects, one of which may inherit from the other; a subclass that has no use for an
    argument names it with an underscore.
    """

    listed: ClassVar[bool] = True
    """Whether scores are counts of annotations, which :meth:`list_matches` lists."""
    widest: ClassVar[str] = ""
    """The match that pairs most, in which every annotation is in one row; empty for the last."""
    any_class: ClassVar[bool] = False
    """Whether it pairs annotations of any class, or else what it leaves alone is compared."""
    least: ClassVar[float] = 0.0
    """The least that a value weighs in its slot's own average."""

    by_line: ClassVar[bool] = False
    """Whether the lines of its files can be read one without the other, as those of JSON Lines."""

    def under(self, _config: str, /) -> AnyProtocol:
        """Return the protocol of a configuration."""
        return self

    @property
    def kind(self) -> Kind:
        """The kind of annotation, which every face asks."""
        return Kind()

    @property
    def measures(self) -> Measures:
        """The scores, of a challenge that declares no others."""
        raise NotImplementedError

    @property
    def faces(self) -> Faces:
        """What a challenge that declares nothing else offers besides scores."""
        return Faces()

    @property
    def options(self) -> tuple[Option, ...]:
        """What can be asked for, after the challenge's own options."""
        return ()

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[SideT, list[SideT]]:
        """Read the references, once, and the predictions of every system in the sequence.

        Raises:
            InputError: bad input.
        """
        read = partial(self._read_as, setup)
        return read_references(read, references), read_predictions(read, predictions)

    def _read_as(self, setup: Setup, given: object, side: str) -> SideT:
        return self.read_side(given, side, setup)

    def read_side(self, _given: object, _side: str, _setup: Setup, /) -> SideT:
        """Read ``references`` or ``predictions``, where each is read by itself."""
        raise NotImplementedError(f"{type(self).__name__} neither reads both sides nor one")

    def check(self, source: Source, setup: Setup, /) -> None:
        """Refuse files that are not in the challenge's format, as ``clineval validate`` does.

        Raises:
            InputError: names file and line, with all else that is wrong as far as it is known.
        """
        self.read_side(source, "references", setup)

    @abstractmethod
    def join(self, gold: SideT, predicted: SideT, setup: Setup, /) -> CorpusT:
        """Bring the two sides of one system together."""

    @abstractmethod
    def pair(self, block: CorpusT, setup: Setup, /) -> PairingT:
        """Pair a block of the corpus (:meth:`Corpus.blocks`)."""

    def list_matches(
        self, _block: CorpusT, _pairing: PairingT, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the rows of a paired block, by kinds of match, whose lengths are counts.

        Counts, groups, errors, agreement and
        the Workbench rest on them.
        """
        return {}

    def complete(
        self, _block: CorpusT, _pairing: PairingT, counted: Columns, _setup: Setup, /
    ) -> Columns:
        """Add to the counts of a block's rows what is none: ``[documents]`` each.

        The columns are the same for each block.
        """
        return counted

    def sides(self, corpus: CorpusT, _setup: Setup, /) -> Sides:
        """Return the annotations that rows refer to, as people see them."""
        if isinstance(corpus, Annotated):
            return corpus.sides
        raise NotImplementedError(f"{type(self).__name__} lists rows of what it does not show")

    def widen(
        self, _corpus: CorpusT, matches: Mapping[str, Match], _setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add to the listed matches of a corpus others, which count nothing.

        Errors and agreement compare the pairs of ``any_class``, or else of :attr:`widest`.
        """
        return matches

    def page_sides(self, corpus: CorpusT, setup: Setup, /) -> Sides:
        """Return the annotations as the page of mentions shows them, in the same rows."""
        return self.sides(corpus, setup)

    def list_pairings(
        self, _corpus: CorpusT, _pairing: PairingT, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the pairings of the page by name, where the listed matches do not have them.

        The names are those of :class:`~clineval.results.views.MentionView`. ``exact/class`` and
        ``overlap/class`` are there where classes are compared in other pairs than spans. Where
        ``both`` is not there, it is the pairs that agree in the class.
        """
        return {}

    def find_arrows(self, _corpus: CorpusT, _setup: Setup, /) -> Arrows:
        """Return what the page draws arrows between."""
        return NO_ARROWS

    def known_labels(self, _setup: Setup, /) -> Collection[str]:
        """Return the labels that the challenge or the user names.

        Any other label with a blank in it could be words of a note.
        """
        return ()

    def finish(self, setup: Setup, /) -> Finish:
        """Return what computes the scores of a group of rows."""
        return setup.challenge.measures.finish

    def document_form(self, _setup: Setup, /) -> DocumentForm | None:
        """Return how documents are written whose annotations are no mentions; None for mentions."""
        return None

    def as_gold(self, _gold: SideT, side: SideT, _setup: Setup, /) -> SideT:
        """Turn a system's side into a gold standard, given the one that was read with it.

        Compared annotators are each other's gold standard.
        """
        return side

    def resolve(self, _corpus: CorpusT, setup: Setup, /) -> Setup:
        """Replace options that stand for something in the corpus by their values."""
        return setup

    def whole(self, _setup: Setup, /) -> str:
        """Say which option makes the counts of a document depend on others; empty for none.

        What to give instead stands in a second sentence.
        """
        return ""

    def unite(self, parts: Sequence[CountsT], /) -> Sequence[CountsT]:
        """Make the :class:`~clineval.Counts` of parts alike before they are added up.

        An option may have been resolved for each part by itself.
        """
        return parts

    def settings(self, _setup: Setup, /) -> Mapping[str, str]:
        """Name the options that the numbers depend on, with their values, for the signature."""
        return {}

    def detail(
        self, _corpus: CorpusT, _pairings: Sequence[PairingT], _setup: Setup, /
    ) -> Sequence[Mapping[str, object]]:
        """Return what ``per_document`` adds to the scores of each document; nothing for none."""
        return ()
