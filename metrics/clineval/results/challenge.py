"""What a challenge declares; everything else in the package works from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar
from typing import Protocol as Structure

import numpy as np
from numpy.typing import NDArray

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, unknown_name
from clineval.base.files import Source
from clineval.base.ratios import Columns
from clineval.base.subjects import read_predictions, read_references
from clineval.results.declaring import check_class
from clineval.results.faces import Faces
from clineval.results.kind import DocumentForm, Kind
from clineval.results.measures import Finish, Measures
from clineval.results.options import Option, check_name
from clineval.results.task import Demo, Difference, Task


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

        They are :class:`~clineval.kinds.mentions.rows.Rows`. Counts, groups, errors, agreement and
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

    def sides(self, corpus: CorpusT, _setup: Setup, /) -> tuple[Any, Any]:
        """Return the annotations that rows refer to, as people see them; by default mentions."""
        mentions: Any = corpus
        return mentions.gold.columns, mentions.prediction.columns

    def widen(
        self, _corpus: CorpusT, matches: Mapping[str, Any], _setup: Setup, /
    ) -> Mapping[str, Any]:
        """Add to the listed matches of a corpus others, which count nothing.

        Errors and agreement compare the pairs of ``any_class``, or else of :attr:`widest`.
        """
        return matches

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

    def unite(self, parts: Sequence[Any], /) -> Sequence[Any]:
        """Make the :class:`~clineval.Counts` of parts alike before they are added up.

        An option may have been resolved for each part by itself.
        """
        return parts

    def settings(self, _setup: Setup, /) -> Mapping[str, str]:
        """Name the options that the numbers depend on, with their values, for the signature."""
        return {}

    def detail(
        self, _corpus: CorpusT, _pairings: Sequence[PairingT], _setup: Setup, /
    ) -> Sequence[dict[str, Any]]:
        """Return what ``per_document`` adds to the scores of each document; nothing for none."""
        return ()


AnyProtocol = Protocol[Any, Any, Any]
"""A protocol of whatever kind."""
ProtocolT = TypeVar("ProtocolT", bound=AnyProtocol)


@dataclass(frozen=True, slots=True)
class Configurations(Generic[ProtocolT]):
    """A protocol whose configurations are scored in different ways.

    Args:
        usual: the protocol of all configurations that have none of their own.
        others: configuration to its protocol.

    Examples:
        >>> from clineval import CodeSets, LabelledSpans
        >>> findings = Configurations(LabelledSpans(("WOUND",)), {"codes": CodeSets()})
        >>> type(findings.under("default")).__name__, type(findings.under("codes")).__name__
        ('LabelledSpans', 'CodeSets')
    """

    usual: ProtocolT
    others: Mapping[str, AnyProtocol]

    def under(self, config: str) -> AnyProtocol:
        """Return the protocol of a configuration.

        Args:
            config: the name of the configuration; one without a protocol of its own has the usual
                one.
        """
        return self.others.get(config, self.usual)

    @property
    def options(self) -> tuple[Option, ...]:
        """What can be asked for besides the challenge's own options."""
        return self.usual.options

    @property
    def measures(self) -> Measures:
        """The scores of every configuration, of a challenge that declares no others."""
        others = {config: steps.measures for config, steps in self.others.items()}
        return self.usual.measures.with_configurations(others)

    @property
    def faces(self) -> Faces:
        """What the usual protocol offers, and pages and checks of the other ones."""
        others = {config: steps.faces for config, steps in self.others.items()}
        return self.usual.faces.with_configurations(others)


_NO_MEASURES = Measures.of()
_NO_FACES = Faces()


@dataclass(frozen=True, slots=True)
class Setup:
    """What is asked of a challenge: configuration, protocol, and a value for every option.

    ``dataset`` is the name of the gold standard that the references must be; empty for any.
    """

    challenge: Challenge
    config: str
    protocol: str
    options: Mapping[str, object]
    dataset: str = ""

    def __getitem__(self, option: str) -> Any:
        return self.options[option]

    @property
    def steps(self) -> AnyProtocol:
        """The steps of the protocol that is asked for."""
        return self.challenge.protocols[self.protocol].under(self.config)

    def with_options(self, **options: object) -> Setup:
        """Return the same with other values of some options."""
        return replace(self, options={**self.options, **options})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Challenge:
    """A challenge, declared in typed parts; the folders of ``challenges`` have one each.

    Args:
        task: what it is: names, sources, configurations, kind of annotation.
        protocols: name to protocol; ``spec`` follows the challenge's document, ``official`` its
            released script. The first is :attr:`steps`.
        measures: how counts become scores, and scores tables; those of the first protocol if left
            out.
        options: what can be asked for besides configuration and protocol, each declared once for
            Python, the command line and the evaluate module. Those of the protocol come after them.
        differences: the rules on which the protocols differ, as ``clineval describe`` shows them.
        demo: the bundled corpus of ``clineval demo``; None for none.
        faces: what it offers besides scores: its page, its Docs, its stand-ins of scripts; what the
            first protocol offers if left out.

    Examples:
        >>> from clineval.challenges.clinical_spans import CHALLENGE
        >>> CHALLENGE, list(CHALLENGE.protocols), CHALLENGE.measures.headline[0]
        (Challenge('clinical_spans'), ['spec'], 'strict_f1')
        >>> CHALLENGE.setup("default", "spec", {"overlap": "word"})["overlap"]
        'word'
    """

    task: Task
    protocols: Mapping[str, AnyProtocol | Configurations[Any]]
    measures: Measures = _NO_MEASURES
    options: tuple[Option, ...] = ()
    differences: tuple[Difference, ...] = ()
    demo: Demo | None = None
    faces: Faces = _NO_FACES

    def __post_init__(self) -> None:
        self._judge()
        first = next(iter(self.protocols.values()))
        known = {option.name for option in self.options}
        more = (option for option in first.options if option.name not in known)
        object.__setattr__(self, "options", (*self.options, *more))
        if self.measures is _NO_MEASURES:
            object.__setattr__(self, "measures", first.measures)
        faces = first.faces if self.faces is _NO_FACES else self.faces
        object.__setattr__(self, "faces", faces.of(self.name, self.measures))

    def _judge(self) -> None:
        """Reject what could not be scored."""
        where = f"challenge {self.name!r}"
        if not self.protocols:
            raise InputError("expected at least one protocol, got none", where=where)
        known = (Protocol, Configurations)
        check_class(self.protocols.values(), known, f"{where}, protocols", "Give one by its name")
        for protocol in self.protocols.values():
            others = protocol.others if isinstance(protocol, Configurations) else {}
            for config in others:
                if config not in self.task.configs:
                    raise unknown_name("configuration", config, self.task.configs, where=where)

    def __repr__(self) -> str:
        return f"Challenge({self.name!r})"

    @property
    def name(self) -> str:
        """The module's name."""
        return self.task.name

    @property
    def steps(self) -> AnyProtocol:
        """The steps of the first protocol, as its usual configuration has them."""
        return next(iter(self.protocols.values())).under("default")

    @property
    def kind(self) -> Kind:
        """The kind of annotation of the first protocol, as its usual configuration has it."""
        return self.steps.kind

    def kind_of(self, config: str) -> Kind:
        """Return the kind of annotation of a configuration, in the first protocol.

        Args:
            config: the name of the configuration.
        """
        return next(iter(self.protocols.values())).under(config).kind

    def document_form(
        self,
        config: str = "default",
        protocol: str = "spec",
        options: Mapping[str, object] | None = None,
    ) -> DocumentForm | None:
        """Return how documents are written whose annotations are no mentions; None for mentions.

        Args:
            config: the name of the configuration.
            protocol: the name of the protocol.
            options: the challenge's own options; None for the usual ones.
        """
        setup = self.setup(config, protocol, options or {})
        return setup.steps.document_form(setup)

    def option(self, name: str) -> Option:
        """Look up an option; for an unknown name the ``InputError`` lists those available."""
        check_name("option", name, [option.name for option in self.options])
        return next(option for option in self.options if option.name == name)

    def setup(self, config: str, protocol: str, options: Mapping[str, object]) -> Setup:
        """Check what is asked for; options that are not given have their defaults.

        Args:
            config: one of the task's.
            protocol: one of those that the challenge has.
            options: name to value.

        Raises:
            InputError: an unknown configuration, protocol, option or choice.
        """
        check_name("config", config, self.task.configs)
        check_name("protocol", protocol, self.protocols)
        for name in options:
            if name in ("per_document", "numbers_only"):  # as compute takes them
                raise InputError(f"{name} is not an option; scores give as_dict({name}=True)")
            self.option(name)
        values = {o.name: o.judge(options.get(o.name, o.default)) for o in self.options}
        return Setup(self, config, protocol, values)
