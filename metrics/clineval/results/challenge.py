"""What a challenge declares; everything else in the package works from it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from clineval.base.errors import InputError, shown, unknown_name
from clineval.base.problems import Problem
from clineval.base.ratios import Columns, Number, Totals
from clineval.results.scripts import ScriptRun
from clineval.results.views import DocView, ListView, MentionView

Side = Any
"""What was read of the gold standard or of one system, as the kind of annotation has it."""
Pairing = Any
"""The index pairs of a corpus, as the kind of annotation has them."""


class Finish(Protocol):
    """Turn totals into scores; totals may be numbers or arrays of equal length."""

    def __call__(self, totals: Totals, config: str) -> dict[str, Number]:
        """The scores of one configuration."""
        ...


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


@dataclass(frozen=True, slots=True)
class Difference:
    """One rule on which the two protocols differ.

    Args:
        rule: what the rule is about.
        spec: what the challenge's document says.
        official: what the released script does.
        example: the smallest input on which the results differ.
    """

    rule: str
    spec: str
    official: str
    example: str


@dataclass(frozen=True, slots=True)
class Grid:
    """One table of scores.

    Args:
        title: its heading.
        columns: the headings of its columns.
        rows: row heading to the keys of its cells; empty for a row for every key that no other
            table shows, where the options decide which keys there are.
        find: finds the rows in the keys of a score, where the options decide and there are
            several columns.
    """

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]
    find: Callable[[Collection[str]], Mapping[str, tuple[str, ...]]] | None = None


Kind = Literal[
    "choice", "names", "number", "numbers", "flag", "value", "file", "texts", "records", "column"
]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a challenge, declared once for every face.

    Args:
        name: as ``clineval.score`` and the evaluate module take it.
        help: what it does, as the command line's help says it.
        default: its value where it is not given.
        kind: ``choice`` of ``choices``; ``names``, with commas between them or as a list; a
            whole ``number``; ``numbers``, each given by itself; a ``flag``; a ``value`` in words
            or a mapping; a ``file``; ``texts``, the notes themselves, which only some settings
            look at; ``records``, notes that scoring always looks at; or a ``column``, one value
            for each item of lists, which the command line does not have.
        choices: the values of a ``choice``.
        flag: its name on the command line, where that is another one.
        python: what it means in Python, where there is more to say than ``help`` does.
        when: another option and its value, where ``texts`` are looked at under that one alone.
        parse: makes what the challenge works with of a value, and takes that too; raises
            :class:`InputError` for a value that it refuses. None to take values as they are.
    """

    name: str
    help: str
    default: Any = None
    kind: Kind = "value"
    choices: tuple[str, ...] = ()
    flag: str = ""
    python: str = ""
    when: tuple[str, Any] | None = None
    parse: Callable[[Any], Any] | None = None

    @property
    def holds_texts(self) -> bool:
        """Whether its value is the notes."""
        return self.kind in ("texts", "records")

    def judge(self, value: Any) -> Any:
        """The value, parsed; an ``InputError`` says what the option can have instead."""
        if self.kind == "choice" and not (value is None and self.default is None):
            check_name(self.name, value, self.choices)
        if self.kind == "flag" and not isinstance(value, (bool, np.bool_)):
            raise InputError(f"expected True or False, got {shown(value)}", where=self.name)
        return self.parse(value) if self.parse else value


@dataclass(frozen=True, slots=True)
class ClassSlot:
    """The slot that says what an annotation is.

    Args:
        name: such as ``cui``, ``label`` or ``field``.
        word: what people call its values: ``code``, ``label``, ``field``.
        none: the value that stands for no class, such as ``cui-less``; empty if there is none.
    """

    name: str
    word: str
    none: str = ""


@dataclass(frozen=True, slots=True)
class Demo:
    """A bundled corpus with the outputs of some systems; all of it invented for this project.

    Args:
        title: what is scored, in a line.
        gold: path of the gold standard in the corpus.
        systems: system name to the path of its output in the corpus.
        options: options of the challenge; a Path is a path in the corpus.
        headline: how many tables are shown when all demos are.
    """

    title: str
    gold: str
    systems: Mapping[str, str]
    options: Mapping[str, Any] = field(default_factory=dict)
    headline: int = 3


@dataclass(frozen=True, slots=True)
class Setup:
    """What is asked of a challenge: configuration, protocol, and a value for every option."""

    challenge: Challenge
    config: str
    protocol: str
    rules: Any
    options: Mapping[str, Any]

    def __getitem__(self, option: str) -> Any:
        return self.options[option]

    def with_options(self, **options: Any) -> Setup:
        """The same with other values of some options."""
        return replace(self, options={**self.options, **options})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Challenge:
    """A challenge: what it is, how it reads, pairs, counts and scores, and what its faces show.

    Args:
        name: the module's name.
        title: the challenge's own name.
        homepage: where the challenge is described.
        citation: BibTeX.
        kind: the kind of annotation, the folder of that name.
        configs: configuration to a line that says what it scores.
        protocols: protocol to its rules.
        differences: the rules on which the protocols differ.
        options: what can be asked for besides configuration and protocol.
        read: reads the references and the predictions of each system; the references once.
        join: brings the two sides of one system together.
        pair: pairs a block of a corpus.
        tally: counts a paired block, ``[documents]`` for each column.
        finish: turns totals into scores.
        grids: how the scores are laid out as tables.
        as_gold: makes a gold standard of a system's side, given the gold standard that was read
            with it: annotators who are compared are each the other's gold standard.
        resolve: gives options the values that they stand for in a corpus.
        whole: what of the options makes the counts of a document depend on all documents of a
            corpus, and what to give instead, as two sentences for messages; empty if nothing does,
            so that counts can be taken in parts.
        unite: makes the counts of parts alike, where options stand for what all documents have in
            common.
        settings: options that the numbers depend on, as the signature names them.
        list_outcomes: what became of every annotation of a paired corpus; None if scores are not
            counts of annotations.
        detail: what ``per_document`` tells of each document besides numbers.
        class_slot: the slot that says what an annotation is.
        offsets: what offsets count; empty if annotations have none.
        view: what the Workbench checks and offers.
        docs: how Docs of spaCy hold the annotation; None if they do not.
        ranking: configuration to the keys of the scores that rank systems, all of which count
            alike; ``default`` holds for all that are not there.
        code_views: configurations that give codes to documents and not labels to spans, and what
            a page that lists them checks.
        headline: keys of the scores that a comparison shows; if empty, all scores.
        less_is_better: keys of the scores of which that is true, also behind a label.
        shown_per_document: keys of the scores that a table of documents shows; if empty, the
            counts and F1, or all scores where there is no F1.
        one_file: whether one file may hold both the gold standard and the predictions.
        single_files: whether a side may be a single file, and not only a directory.
        notes_apart: whether the notes' texts are in files of their own, not in what is scored.
        layouts: name to the function that writes a score in a layout of the challenge's own;
            it takes ``per_document`` as the other writers do.
        validate: finds all problems of files in the challenge's formats.
        validation_options: options of ``validate``.
        scripts: stand-ins of released scripts, as in ``clineval official NAME``: their options,
            their output byte for byte. The module of the challenge's name with ``_script`` after
            it has them as ``COMMANDS``, by name; they have typer's annotations and a docstring
            that is the help, and return a :class:`ScriptRun`.
        demo: the bundled corpus, the folder of the challenge's name.
        needs: a package that is not always installed, and the extra that brings it.
        build: makes the challenge's input of tagged spans of a text.
        signed: columns of the counts that may be below 0.
        prevalence: weights of slot values from gold corpora; None if nothing is weighted.
    """

    name: str
    title: str
    homepage: str
    citation: str
    kind: Literal["mentions", "relations", "entries", "sections", "rankings", "codes"]
    configs: Mapping[str, str]
    protocols: Mapping[str, Any]
    read: Callable[[Any, Sequence[Any], Setup], tuple[Side, list[Side]]]
    join: Callable[[Side, Side, Setup], Corpus]
    pair: Callable[[Any, Setup], Pairing]
    tally: Callable[[Any, Pairing, Setup], Columns]
    finish: Finish
    grids: tuple[Grid, ...]
    differences: tuple[Difference, ...] = ()
    options: tuple[Option, ...] = ()
    as_gold: Callable[[Side, Side, Setup], Side] = lambda _gold, side, _setup: side
    resolve: Callable[[Any, Setup], Setup] = lambda _corpus, setup: setup
    whole: Callable[[Setup], str] = lambda _setup: ""
    unite: Callable[[Sequence[Any]], Sequence[Any]] = lambda parts: parts
    settings: Callable[[Setup], Mapping[str, str]] = lambda _setup: {}
    list_outcomes: Callable[[Any, Sequence[Pairing], Setup], Any] | None = None
    detail: Callable[[Any, Sequence[Pairing], Setup], Sequence[dict[str, Any]]] | None = None
    class_slot: ClassSlot | None = None
    offsets: Literal["characters", "tokens", ""] = "characters"
    view: MentionView | ListView | None = None
    docs: DocView | None = None
    ranking: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    code_views: Mapping[str, ListView] = field(default_factory=dict)
    headline: tuple[str, ...] = ()
    less_is_better: tuple[str, ...] = ()
    shown_per_document: tuple[str, ...] = ()
    one_file: bool = False
    single_files: bool = True
    notes_apart: bool = False
    layouts: Mapping[str, Callable[..., str]] = field(default_factory=dict)
    validate: Callable[..., Iterable[Problem]] | None = None
    validation_options: tuple[Option, ...] = ()
    scripts: tuple[str, ...] = ()
    demo: Demo | None = None
    needs: tuple[str, str] | None = None
    build: Callable[..., Any] | None = None
    signed: tuple[str, ...] = ()
    prevalence: Callable[..., Mapping[str, Any]] | None = None

    def __repr__(self) -> str:
        return f"Challenge({self.name!r})"

    @property
    def module(self) -> str:
        """The name of its file's module; ``_rules`` after it has the steps, where they are many."""
        return self.pair.__module__.removesuffix("_rules")

    @property
    def specification(self) -> str:
        """The docstring of the challenge's file."""
        return inspect.getdoc(import_module(self.module)) or ""

    @property
    def corpora(self) -> Path:
        """Where the bundled corpus is: beside the challenge's file, or in the package."""
        return Path(inspect.getfile(self.pair)).parent.parent / "demo" / self.name

    @property
    def commands(self) -> Mapping[str, Callable[..., ScriptRun]]:
        """The stand-ins of released scripts by name; imported when they are asked for."""
        return import_module(f"{self.module}_script").COMMANDS if self.scripts else {}

    def option(self, name: str) -> Option:
        """One option; an ``InputError`` lists those that there are."""
        check_name("option", name, [option.name for option in self.options])
        return next(option for option in self.options if option.name == name)

    def setup(self, config: str, protocol: str, options: Mapping[str, Any]) -> Setup:
        """What is asked for, judged; options that are not given have their defaults.

        Raises:
            InputError: an unknown configuration, protocol, option or choice.
        """
        check_name("config", config, self.configs)
        check_name("protocol", protocol, self.protocols)
        for name in options:
            if name in ("per_document", "numbers_only"):  # as compute takes them
                raise InputError(f"{name} is not an option; scores give as_dict({name}=True)")
            self.option(name)
        values = {o.name: o.judge(options.get(o.name, o.default)) for o in self.options}
        return Setup(self, config, protocol, self.protocols[protocol], values)


def check_name(kind: str, name: Any, known: Iterable[str]) -> None:
    """Refuse a name that is not among the known ones, by an ``InputError`` that lists these."""
    names = list(known)
    if not isinstance(name, str) or name not in names:
        raise unknown_name(kind, name, names)
