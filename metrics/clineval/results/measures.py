"""What a challenge computes from its counts, and how the scores are shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from clineval.base.ratios import Number, Totals


class Finish(Protocol):
    """Turn totals into scores; totals may be numbers or arrays of equal length."""

    def __call__(self, totals: Totals, config: str) -> dict[str, Number]:
        """The scores of one configuration."""
        ...


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


@dataclass(frozen=True, slots=True)
class Measures:
    """The scores of a challenge.

    Args:
        finish: turns totals into scores.
        grids: how the scores are laid out as tables.
        ranking: configuration to the keys of the scores that rank systems, all of which count
            alike; ``default`` holds for all that are not there.
        headline: keys of the scores that a comparison shows; if empty, all scores.
        less_is_better: keys of the scores of which that is true, also behind a label.
        shown_per_document: keys of the scores that a table of documents shows; if empty, the
            counts and F1, or all scores where there is no F1.
        signed: columns of the counts that may be below 0.
        layouts: name to the function that writes a score in a layout of the challenge's own;
            it takes ``per_document`` as the other writers do.
    """

    finish: Finish
    grids: tuple[Grid, ...]
    ranking: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    headline: tuple[str, ...] = ()
    less_is_better: tuple[str, ...] = ()
    shown_per_document: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()
    layouts: Mapping[str, Callable[..., str]] = field(default_factory=dict)
