"""What a challenge declares; everything else in the package works from it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from clineval.analysis.outcomes import Outcomes
from clineval.counts import Counts
from clineval.scores import Number, Totals
from clineval.validation.problems import Problem


class Finish(Protocol):
    """Turn totals into scores; totals may be numbers or arrays of equal length."""

    def __call__(self, totals: Totals, config: str) -> dict[str, Number]:
        """The scores of one configuration."""
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
    """One table of a report.

    Args:
        title: its heading.
        columns: the headings of its columns.
        rows: row heading to the keys of its cells; empty for a row for every key that no other
            table shows, where the options decide which keys there are.
    """

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge: what it is, and how it counts and scores.

    Args:
        name: the module's name.
        title: the challenge's own name.
        configs: configuration to a line that says what it scores.
        protocols: protocol to its rules.
        differences: the rules on which the protocols differ.
        count: counts documents; its keyword-only parameters are the options.
        finish: turns totals into scores.
        grids: how the scores are laid out as tables.
        homepage: where the challenge is described.
        citation: BibTeX.
        shown_per_document: keys of the scores that a table of documents shows; if empty, the
            counts and F1, or all scores where there is no F1.
        headline: keys of the scores that a comparison shows; if empty, all scores.
        one_file: whether one file may hold both the gold standard and the predictions.
        layouts: name to the function that writes a score in a layout of the challenge's own;
            it takes ``per_document`` as the other writers do.
        outcomes: lists what became of every mention, with the options of ``count``; None if
            there are no mentions.
        validate: finds the problems of files in the challenge's formats; its keyword-only
            parameters are options.
    """

    name: str
    title: str
    configs: Mapping[str, str]
    protocols: Mapping[str, object]
    differences: tuple[Difference, ...]
    count: Callable[..., Counts]
    finish: Finish
    grids: tuple[Grid, ...]
    homepage: str
    citation: str
    shown_per_document: tuple[str, ...] = ()
    headline: tuple[str, ...] = ()
    one_file: bool = False
    layouts: Mapping[str, Callable[..., str]] = field(default_factory=dict)
    validate: Callable[..., Iterable[Problem]] | None = None
    outcomes: Callable[..., Outcomes] | None = None

    @property
    def options(self) -> Mapping[str, inspect.Parameter]:
        """The options that :attr:`count` takes besides ``config`` and ``protocol``."""
        parameters = inspect.signature(self.count).parameters
        own = {n: p for n, p in parameters.items() if p.kind is inspect.Parameter.KEYWORD_ONLY}
        return {n: p for n, p in own.items() if n not in ("config", "protocol")}

    @property
    def specification(self) -> str:
        """The docstring of the challenge's file."""
        return inspect.getdoc(inspect.getmodule(self.count)) or ""
