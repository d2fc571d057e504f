"""What a challenge declares; everything else in the package works from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from clineval.base.errors import InputError
from clineval.base.ratios import Columns
from clineval.results.faces import Faces
from clineval.results.measures import Measures
from clineval.results.options import Option, check_name
from clineval.results.task import Demo, Difference, Task

Side = Any
"""What was read of the gold standard or of one system, as the kind of annotation has it."""
Pairing = Any
"""The index pairs of a corpus, as the kind of annotation has them."""


class Corpus(Protocol):
    """The gold standard and the predictions of one system, document by document."""

    @property
    def documents(self) -> tuple[str, ...]:
        """The names of the documents."""
        ...

    @property
    def digests(self) -> NDArray[np.uint64]:
        """``[documents]``, a digest of the reference annotations of each."""
        ...

    def blocks(self) -> Iterator[Any]:
        """The corpus in parts that are paired one after the other."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """The steps of scoring under one protocol, in order.

    Args:
        read: reads the references and the predictions of each system; the references once.
        join: brings the two sides of one system together.
        pair: pairs a block of a corpus.
        tally: counts a paired block, ``[documents]`` for each column.
        list_outcomes: what became of every annotation of a paired corpus; None if scores are not
            counts of annotations.
        as_gold: makes a gold standard of a system's side, given the gold standard that was read
            with it: annotators who are compared are each the other's gold standard.
        resolve: gives options the values that they stand for in a corpus.
        whole: what of the options makes the counts of a document depend on all documents of a
            corpus, and what to give instead, as two sentences for messages; empty if nothing does,
            so that counts can be taken in parts.
        unite: makes the counts of parts alike, where options stand for what all documents have in
            common.
        settings: options that the numbers depend on, as the signature names them.
        detail: what ``per_document`` tells of each document besides numbers.
        rules: what the protocol does otherwise than another one with the same steps.
    """

    read: Callable[[Any, Sequence[Any], Setup], tuple[Side, list[Side]]]
    join: Callable[[Side, Side, Setup], Corpus]
    pair: Callable[[Any, Setup], Pairing]
    tally: Callable[[Any, Pairing, Setup], Columns]
    list_outcomes: Callable[[Any, Sequence[Pairing], Setup], Any] | None = None
    as_gold: Callable[[Side, Side, Setup], Side] = lambda _gold, side, _setup: side
    resolve: Callable[[Any, Setup], Setup] = lambda _corpus, setup: setup
    whole: Callable[[Setup], str] = lambda _setup: ""
    unite: Callable[[Sequence[Any]], Sequence[Any]] = lambda parts: parts
    settings: Callable[[Setup], Mapping[str, str]] = lambda _setup: {}
    detail: Callable[[Any, Sequence[Pairing], Setup], Sequence[dict[str, Any]]] | None = None
    rules: Any = None

    def under(self, protocols: Mapping[str, Any]) -> dict[str, Steps]:
        """Return these steps for each protocol, given as name to rules."""
        return {name: replace(self, rules=rules) for name, rules in protocols.items()}


@dataclass(frozen=True, slots=True)
class Setup:
    """What is asked of a challenge: configuration, protocol, and a value for every option."""

    challenge: Challenge
    config: str
    protocol: str
    options: Mapping[str, Any]

    def __getitem__(self, option: str) -> Any:
        return self.options[option]

    @property
    def steps(self) -> Steps:
        """The steps of the protocol that is asked for."""
        return self.challenge.protocols[self.protocol]

    @property
    def rules(self) -> Any:
        """What that protocol does otherwise than others."""
        return self.steps.rules

    def with_options(self, **options: Any) -> Setup:
        """Return the same with other values of some options."""
        return replace(self, options={**self.options, **options})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Challenge:
    """A challenge, in typed parts.

    Args:
        task: what it is.
        protocols: protocol to its steps, from what a user gives to counts.
        measures: its scores.
        options: what can be asked for besides configuration and protocol.
        differences: the rules on which the protocols differ.
        demo: the bundled corpus.
        faces: what it offers besides scores.
    """

    task: Task
    protocols: Mapping[str, Steps]
    measures: Measures
    options: tuple[Option, ...] = ()
    differences: tuple[Difference, ...] = ()
    demo: Demo | None = None
    faces: Faces = field(default_factory=Faces)

    def __repr__(self) -> str:
        return f"Challenge({self.name!r})"

    @property
    def name(self) -> str:
        """The module's name."""
        return self.task.name

    @property
    def steps(self) -> Steps:
        """The steps of the first protocol, which every protocol has alike where no rule differs."""
        return next(iter(self.protocols.values()))

    def option(self, name: str) -> Option:
        """One option; an ``InputError`` lists those that there are."""
        check_name("option", name, [option.name for option in self.options])
        return next(option for option in self.options if option.name == name)

    def setup(self, config: str, protocol: str, options: Mapping[str, Any]) -> Setup:
        """What is asked for, judged; options that are not given have their defaults.

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
