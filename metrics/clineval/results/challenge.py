"""Challenges: objects from which every face of the package works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from clineval.base.errors import InputError, listed, unknown_name
from clineval.results.declaring import check_class
from clineval.results.faces import Faces
from clineval.results.kind import DocumentForm, Kind
from clineval.results.measures import Measures
from clineval.results.options import Option, check_name
from clineval.results.protocol import Protocol
from clineval.results.settings import Setting, unite_settings
from clineval.results.task import Demo, Difference, Task

AnyProtocol = Protocol[Any, Any, Any]
"""A protocol of any kind."""
ProtocolT_co = TypeVar("ProtocolT_co", bound=AnyProtocol, covariant=True)


@dataclass(frozen=True, slots=True)
class Configurations(Generic[ProtocolT_co]):
    """A protocol whose configurations are scored in different ways.

    Args:
        usual: the protocol of all configurations without a protocol of their own.
        others: configuration to its protocol.

    Examples:
        >>> from clineval import CodeSets, LabelledSpans
        >>> findings = Configurations(LabelledSpans(("WOUND",)), {"codes": CodeSets()})
        >>> type(findings.under("default")).__name__, type(findings.under("codes")).__name__
        ('LabelledSpans', 'CodeSets')
    """

    usual: ProtocolT_co
    others: Mapping[str, AnyProtocol]

    def under(self, config: str) -> AnyProtocol:
        """Return the protocol of a configuration.

        Args:
            config: the name of the configuration.
        """
        return self.others.get(config, self.usual)

    @property
    def options(self) -> tuple[Option, ...]:
        """The options besides the challenge's own: those of every configuration, each once."""
        every: list[AnyProtocol] = [self.usual, *self.others.values()]
        options = (option for steps in every for option in steps.options)
        return tuple({option.name: option for option in options}.values())

    def find_owners(self, option: Option) -> Sequence[str]:
        """Return the configurations that an option is limited to; none if it is not limited.

        Args:
            option: the option.
        """
        if option in self.usual.options:
            return ()
        return [config for config, steps in self.others.items() if option in steps.options]

    @property
    def own_settings(self) -> tuple[Setting, ...]:
        """The fields of signatures in any configuration."""
        return unite_settings([self.usual, *self.others.values()])

    @property
    def measures(self) -> Measures:
        """The default scores of every configuration."""
        others = {config: steps.measures for config, steps in self.others.items()}
        return self.usual.measures.with_configurations(others)

    @property
    def faces(self) -> Faces:
        """The faces of the usual protocol, with the pages and checks of the other protocols."""
        others = {config: steps.faces for config, steps in self.others.items()}
        return self.usual.faces.with_configurations(others)


_NO_MEASURES = Measures.of()
_NO_FACES = Faces()


@dataclass(frozen=True, slots=True)
class Setup:
    """The settings of an evaluation: configuration, protocol, and a value for every option.

    ``dataset`` is the name of the gold standard that the references must be; empty if any will do.
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
        """The protocol of the configuration."""
        return self.challenge.protocols[self.protocol].under(self.config)

    @property
    def measures(self) -> Measures:
        """The scores of the protocol."""
        return self.challenge.measures.of_protocol(self.protocol)

    def with_options(self, **options: object) -> Setup:
        """Return a copy with other values of some options."""
        return replace(self, options={**self.options, **options})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Challenge:
    """A challenge, declared in typed parts; the folders of ``challenges`` have one each.

    Args:
        task: its names, sources and configurations.
        protocols: name to protocol; ``spec`` follows the challenge's document, ``official`` its
            released script. Other names follow other programs, and their protocols have a line
            ``about``. The first is :attr:`steps`.
        measures: how counts become scores, and scores become tables; by default the first
            protocol's measures.
        options: the options besides configuration and protocol, each declared once for Python, the
            command line and the evaluate module. The protocol's options follow them.
        differences: the rules on which the protocols differ, as ``clineval describe`` shows them.
        demo: the bundled corpus of ``clineval demo``; None if there is none.
        faces: its page, its Docs and its stand-ins of scripts; by default the first protocol's
            faces.

    Examples:
        >>> from clineval.challenges.clinical_spans import CHALLENGE
        >>> CHALLENGE, list(CHALLENGE.protocols), CHALLENGE.measures.headline[0]
        (Challenge('clinical_spans'), ['spec'], 'strict_f1')
        >>> CHALLENGE.setup("default", "spec", {"overlap": "word"})["overlap"]
        'word'
    """

    task: Task
    protocols: Mapping[str, AnyProtocol | Configurations[AnyProtocol]]
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
        """Reject declarations that could not be scored."""
        where = f"challenge {self.name!r}"
        if not self.protocols:
            raise InputError("expected at least one protocol, got none", where=where)
        known = (Protocol, Configurations)
        check_class(self.protocols.values(), known, f"{where}, protocols", "Pass it by name")
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
        """The first protocol, in its usual configuration."""
        return next(iter(self.protocols.values())).under("default")

    @property
    def kind(self) -> Kind:
        """The kind of annotation of the first protocol, in its usual configuration."""
        return self.steps.kind

    @property
    def own_settings(self) -> tuple[Setting, ...]:
        """The fields that signatures of this challenge have besides those of every challenge."""
        declared = unite_settings(self.protocols.values())
        flags = {"", *(option.spelled for option in self.options)}
        return tuple(setting for setting in declared if setting.option in flags)

    def list_abouts(self) -> dict[str, str]:
        """Map the protocols besides ``spec`` and ``official`` to a line about each."""
        usual = {name: steps.under("default") for name, steps in self.protocols.items()}
        return {name: steps.about for name, steps in usual.items() if steps.about}

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
        """Return the form of documents without mentions; None for documents of mentions.

        Args:
            config: the name of the configuration.
            protocol: the name of the protocol.
            options: the challenge's own options; None for the defaults.
        """
        setup = self.setup(config, protocol, options or {})
        return setup.steps.document_form(setup)

    def option(self, name: str) -> Option:
        """Look up an option; for an unknown name the ``InputError`` lists the available ones."""
        check_name("option", name, [option.name for option in self.options])
        return next(option for option in self.options if option.name == name)

    def setup(self, config: str, protocol: str, options: Mapping[str, object]) -> Setup:
        """Check the settings of an evaluation, and fill in the defaults of options.

        Args:
            config: a configuration of the task.
            protocol: the name of a protocol of the challenge.
            options: name to value.

        Raises:
            InputError: a configuration, protocol, option or choice is unknown.
        """
        check_name("config", config, self.task.configs)
        check_name("protocol", protocol, self.protocols)
        for name in options:
            if name in ("per_document", "numbers_only"):  # as compute takes them
                raise InputError(f"{name} is not an option. Call score.as_dict({name}=True)")
            self.option(name)
        values = {o.name: o.judge(options.get(o.name, o.default)) for o in self.options}
        for name, owners in self.find_owners(protocol, options).items():
            if config not in owners:
                problem = f"the configuration {config!r} has no such option"
                remedy = f"Use the {'configurations' if owners[1:] else 'configuration'} "
                raise InputError(problem, where=name, remedy=remedy + listed(owners))
        return Setup(self, config, protocol, values)

    def find_owners(
        self, protocol: str, options: Mapping[str, object]
    ) -> Mapping[str, Sequence[str]]:
        """Map each option with a value that only some configurations have to these.

        Args:
            protocol: the name of the protocol.
            options: name to value.
        """
        steps = self.protocols[protocol]
        if not isinstance(steps, Configurations):
            return {}
        chosen = [o for o in self.options if o.is_chosen(options.get(o.name))]
        owners = {option.name: steps.find_owners(option) for option in chosen}
        return {name: configs for name, configs in owners.items() if configs}
