"""Protocols: the steps that turn input into counts."""

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
from clineval.results.columns import MentionColumns, Sides
from clineval.results.faces import Faces
from clineval.results.kind import DocumentForm, ItemGroup, Kind
from clineval.results.match import Match
from clineval.results.measures import Finish, Measures
from clineval.results.options import Option
from clineval.results.settings import Setting
from clineval.results.views import NO_ARROWS, Arrows

if TYPE_CHECKING:
    from clineval.results.challenge import AnyProtocol, Setup
    from clineval.results.counts import Counted
    from clineval.results.label_rows import LabelRows
    from clineval.results.table_rows import TableRows
    from clineval.results.verdicts import Verdicts


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
        """Yield parts of the corpus, which are paired one after the other."""
        ...


class Rows(Structure):
    """The outcomes of annotations under one kind of match."""

    def count(self, documents: int, /) -> Columns:
        """Count the rows of each document."""
        ...

    def list(self, name: str, /) -> Mapping[str, Match]:
        """List the rows under their name, and the rows of each part under the part's name."""
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
"""The gold standard, or the predictions of one system, after reading."""
CorpusT = TypeVar("CorpusT", bound=Corpus)
"""Both sides of one system, joined."""
PairingT = TypeVar("PairingT")
"""The index pairs of a block of a corpus."""


class Protocol(ABC, Generic[SideT, CorpusT, PairingT]):
    """The steps from input to counts, under one protocol of a challenge.

    The methods run in the order of this class. Each takes the results of earlier ones, and the
    :class:`Setup` as the last argument. The kind of annotation determines the three types. Two
    protocols are two objects, and one class may inherit from the other. If a subclass does not use
    an argument, it names it with an underscore.
    """

    listed: ClassVar[bool] = True
    """Whether scores count annotations, so that :meth:`list_matches` lists them."""
    widest: ClassVar[str] = ""
    """The match with most pairs, with every annotation in one row; empty for the last match."""
    any_class: ClassVar[bool] = False
    """Whether that match pairs annotations of any class; if not, unpaired ones are compared."""
    least: ClassVar[float] = 0.0
    """The minimum weight of a value in its slot's average."""

    label_match: ClassVar[str] = ""
    """The match whose rows are labels of documents, for scores that need labels of groups."""
    own_settings: ClassVar[tuple[Setting, ...]] = ()
    """The fields that :meth:`settings` adds to a signature."""
    by_line: ClassVar[bool] = False
    """Whether the lines of its files can be read independently, as in JSON Lines."""
    found: ClassVar[tuple[str, ...]] = ()
    """Options whose default is a sorted list of names in the data (:meth:`resolve`).

    Names that a part of a corpus lacks have counts of 0 in it.
    """

    def under(self, _config: str, /) -> AnyProtocol:
        """Return the protocol of a configuration."""
        return self

    @property
    def sorts_documents(self) -> bool:
        """Whether documents are in the order of their names, and not of the gold standard."""
        return False

    @property
    def about(self) -> str:
        """A line about a protocol whose name is neither ``spec`` nor ``official``."""
        return ""

    @property
    def kind(self) -> Kind:
        """The kind of annotation, which every face asks."""
        return Kind()

    @property
    def measures(self) -> Measures:
        """The scores, unless the challenge declares others."""
        raise NotImplementedError

    @property
    def faces(self) -> Faces:
        """The faces, unless the challenge declares others."""
        return Faces()

    @property
    def options(self) -> tuple[Option, ...]:
        """The options that follow the challenge's own options."""
        return ()

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[SideT, list[SideT]]:
        """Read the references once, and the predictions of every system.

        Raises:
            InputError: the input is invalid.
        """
        read = partial(self._read_as, setup)
        return read_references(read, references), read_predictions(read, predictions)

    def _read_as(self, setup: Setup, given: object, side: str) -> SideT:
        return self.read_side(given, side, setup)

    def read_side(self, _source: object, _side: str, _setup: Setup, /) -> SideT:
        """Read ``references`` or ``predictions``, if each can be read alone."""
        raise NotImplementedError(f"{type(self).__name__} has neither read nor read_side")

    def find_kind(self, references: object, _setup: Setup, /) -> tuple[object, Kind]:
        """Return the references, and how models answer, which the references can determine."""
        return references, self.kind

    def check(self, source: Source, setup: Setup, /) -> None:
        """Reject files that are not in the challenge's format, for ``clineval validate``.

        Raises:
            InputError: the files are invalid; the message names files and lines of all known
                errors.
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
        """Return the rows of a paired block, by kind of match.

        Counts, groups, errors, agreement and the Workbench are computed from them.
        """
        return {}

    def complete(
        self, _block: CorpusT, _pairing: PairingT, counted: Columns, _setup: Setup, /
    ) -> Columns:
        """Count everything in a block that is not a row, ``[documents]`` each.

        The columns are the same for each block.
        """
        return counted

    def list_labels(self, _corpus: CorpusT, _setup: Setup, /) -> LabelRows | None:
        """Return the labels of documents, for scores that need them; None if no score does."""
        return None

    def sides(self, corpus: CorpusT, _setup: Setup, /) -> Sides:
        """Return the annotations to which rows refer, as people see them."""
        if isinstance(corpus, Annotated):
            return corpus.sides
        raise NotImplementedError(f"{type(self).__name__} has rows but no sides to show")

    def group_items(self, corpus: CorpusT, setup: Setup, /) -> Sequence[ItemGroup]:
        """Return the annotations of both sides by their sort, for a summary of files."""
        if not self.listed:
            return ()
        return self.kind.group_items(corpus, self.sides(corpus, setup))

    def name_documents(self, side: SideT, /) -> Sequence[str] | None:
        """Return the keys that pair the documents of a side; None if they are paired by order."""
        noted = getattr(side, "noted", side)
        keys: Sequence[str] | None = getattr(noted, "keys", None)
        return keys

    def widen(
        self, _corpus: CorpusT, matches: Mapping[str, Match], _setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add matches that are listed but not counted.

        Errors and agreement compare the pairs of ``any_class``, or of :attr:`widest` if it is
        missing.
        """
        return matches

    def page_sides(self, corpus: CorpusT, setup: Setup, /) -> Sides:
        """Return the annotations in the same rows, as the page of mentions shows them."""
        return self.sides(corpus, setup)

    def list_pairings(
        self, _corpus: CorpusT, _pairing: PairingT, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the pairings of the page that the listed matches lack, by name.

        :class:`~clineval.results.views.MentionView` defines the names. ``exact/class`` and
        ``overlap/class`` exist if classes are compared in other pairs than spans. If ``both`` is
        missing, it consists of the pairs that agree in the class.
        """
        return {}

    def find_arrows(self, _corpus: CorpusT, _setup: Setup, /) -> Arrows:
        """Return the ends of the arrows that the page draws."""
        return NO_ARROWS

    def known_labels(self, _setup: Setup, /) -> Collection[str]:
        """Return the labels that the challenge or the user names.

        Any other label with a space could be words of a note.
        """
        return ()

    def finish(self, setup: Setup, /) -> Finish:
        """Return the function that computes the scores of a group of rows."""
        return setup.measures.finish

    def table_rows(self, _setup: Setup, /) -> TableRows | None:
        """Return how tables are written whose documents can be read alone; None for no such."""
        return None

    def document_form(self, _setup: Setup, /) -> DocumentForm | None:
        """Return the form of documents without mentions; None for documents of mentions."""
        return None

    def as_gold(self, _gold: SideT, side: SideT, _setup: Setup, /) -> SideT:
        """Turn a system's side into a gold standard, to compare annotators with each other.

        ``_gold`` is the gold standard that was read with it.
        """
        return side

    def unite_annotators(self, _annotators: Sequence[object], setup: Setup, /) -> Setup:
        """Return the setup in which annotators are compared with each other.

        It differs if gold standards determine what can be annotated, such as classes.
        """
        return setup

    def list_verdicts(self, _side: MentionColumns, _setup: Setup, /) -> Verdicts | None:
        """Return the verdicts about documents, for agreement; None if there are none."""
        return None

    def resolve(self, _corpus: CorpusT, setup: Setup, /) -> Setup:
        """Replace options that refer to the corpus by their values."""
        return setup

    def whole(self, _setup: Setup, /) -> str:
        """Name the option that makes the counts of documents depend on each other; else empty.

        A second sentence says what to pass instead.
        """
        return ""

    def alone(self, _setup: Setup, /) -> str:
        """Name what a document cannot be scored alone without, as for a reward; else empty.

        A second sentence says what to pass instead, as in :meth:`whole`.
        """
        return ""

    def unite(self, parts: Sequence[CountsT], /) -> Sequence[CountsT]:
        """Give the :class:`~clineval.Counts` of parts equal settings, so that they can be added.

        An option may have been resolved separately for each part.
        """
        return parts

    def share(self, systems: Sequence[CountsT], /) -> Sequence[CountsT]:
        """Give the :class:`~clineval.Counts` of systems equal columns, to compare the systems."""
        return systems

    def settings(self, _setup: Setup, /) -> Mapping[str, str]:
        """Return the options that affect the numbers, with their values, for the signature."""
        return {}

    def detail(
        self, _corpus: CorpusT, _pairings: Sequence[PairingT], _setup: Setup, /
    ) -> Sequence[Mapping[str, object]]:
        """Return fields that ``per_document`` adds to each document; empty if there are none."""
        return ()
