"""Unite names that the data determine, such as labels, when parts of a corpus have different ones.

A name that a part lacks has the count 0 in all its documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from warnings import catch_warnings, simplefilter

import numpy as np

from clineval.base.errors import InputError, NewNamesWarning
from clineval.evaluation.evaluate import evaluate_inputs
from clineval.evaluation.inputs import Lists
from clineval.results.challenge import Setup
from clineval.results.scorable import Counts

Names = Mapping[str, Sequence[str]]
"""Options and the names that were found for them."""


def assume_names(setup: Setup, names: Names | None = None) -> Setup:
    """Return the setup with names for each option that would take them from the data."""
    return setup.with_options(
        **{name: (names or {}).get(name, ()) for name in _list_missing(setup)}
    )


def find_names(before: Setup, resolved: Setup) -> Names:
    """Return the names that were found in the data."""
    return {name: tuple(resolved[name]) for name in _list_missing(before)}


def _list_missing(setup: Setup) -> list[str]:
    return [name for name in setup.steps.found if setup[name] is None]


@dataclass(slots=True)
class Uniting:
    """Names and warnings of parts, in their order.

    Args:
        setup: the setup of the corpus.
    """

    setup: Setup
    _names: dict[str, set[str]] = field(default_factory=dict)
    _known: set[str] = field(default_factory=set)

    def add(self, names: Names, warnings: Iterable[Warning]) -> None:
        """Add a part: its names, and its warnings about names that the references lack."""
        for option, found in names.items():
            self._names.setdefault(option, set()).update(found)
        new = {name for each in _about_names(warnings) for name in each.names}
        self._known.update(name for found in names.values() for name in found if name not in new)

    @property
    def names(self) -> Names:
        """The names of all parts, sorted."""
        return {option: tuple(sorted(names)) for option, names in self._names.items()}

    def unite(self, counts: Sequence[Counts]) -> Counts | None:
        """Return the counts of all parts with the columns of all names; None without counts.

        Args:
            counts: the counts of parts; those with the same names are one, to save memory.

        Raises:
            InputError: the names of different parts do not fit together.
        """
        if len(counts) <= 1:
            return next(iter(counts), None)
        if not self._names:
            return Counts.sum(counts)
        for option in self.setup.challenge.options:
            if option.name in self._names and option.parse:
                option.parse(list(self.names[option.name]))
        with catch_warnings():
            simplefilter("ignore")
            nothing = Lists([[]], [[[]]])
            [like] = evaluate_inputs(assume_names(self.setup, self.names), nothing)
        return Counts.sum([_spread(each, like.counts) for each in counts])

    def join(self, warnings: Iterable[Warning]) -> list[Warning]:
        """Leave out names that the references of any part have; the first warning has the others.

        Examples:
            >>> from clineval.evaluation.evaluate import make_setup
            >>> uniting = Uniting(make_setup("clinical_spans"))
            >>> parts = [(["a", "b"], ["b"]), (["b", "c"], ["c"])]
            >>> raised = []
            >>> for names, new in parts:
            ...     raised.append(NewNamesWarning("{n} new: {names}", new, n=len(new)))
            ...     uniting.add({"labels": names}, raised[-1:])
            >>> [str(warning) for warning in uniting.join(raised)]
            ['1 new: c']
        """
        every = list(warnings)
        new = {name for each in _about_names(every) for name in each.names} - self._known
        joined: list[Warning] = []
        for each in every:
            if not isinstance(each, NewNamesWarning):
                joined.append(each)
            elif new:
                joined.append(NewNamesWarning(each.template, sorted(new), n=len(new)))
                new = set()
        return joined


def _about_names(warnings: Iterable[Warning]) -> list[NewNamesWarning]:
    return [each for each in warnings if isinstance(each, NewNamesWarning)]


def _spread(counts: Counts, like: Counts) -> Counts:
    """Return counts with the columns and the settings of other counts.

    Raises:
        InputError: the other counts lack a column.
    """
    if not set(counts.columns) <= set(like.columns):
        raise InputError("parts of the corpus have different columns of counts")
    place = [like.columns.index(name) for name in counts.columns]
    cells = np.zeros((len(counts), len(like.columns)), counts.cells.dtype)
    cells[:, place] = counts.cells
    return replace(counts, columns=like.columns, settings=like.settings, cells=cells)
