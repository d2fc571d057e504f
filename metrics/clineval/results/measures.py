"""What a challenge computes from its counts, and how the scores are shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from clineval.base.ratios import Number, Totals


class Finish(Protocol):
    """A function from totals to scores; totals may be numbers or arrays of equal length."""

    def __call__(self, totals: Totals, config: str) -> dict[str, Number]:
        """Compute the scores of one configuration."""
        ...


@dataclass(frozen=True, slots=True)
class Grid:
    """One table of scores.

    Args:
        title: its heading.
        columns: the headings of its columns.
        rows: row heading to the keys of its cells; a row without scores for its keys is left out.
            Empty for a row for every key that no other table shows.
        find: returns the rows, given the keys of a score, where options decide which keys there
            are; ``rows`` is then empty.
    """

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]
    find: Callable[[Collection[str]], Mapping[str, tuple[str, ...]]] | None = None


@dataclass(frozen=True, slots=True)
class Measures:
    """The scores of a challenge, and how they are shown.

    Args:
        finish: turns totals, column of the counts to number or ``[n]``, into scores, key to the
            same; divide with :func:`~clineval.base.ratios.ratio`. Counts that are to be shown are
            returned too, under the name of their column.
        grids: how the scores are laid out as tables.
        ranking: configuration to the keys of the scores that rank systems, weighted equally;
            ``default`` holds for all other configurations. In training they choose the model.
        headline: keys of the main scores, which comparisons and groups show; if empty, all scores.
            Keys that a configuration lacks are skipped.
        less_is_better: keys of the scores where lower is better; a label before the key makes no
            difference.
        shown_per_document: keys of the scores that a table of documents shows; if empty, the
            counts and F1, or all scores where there is no F1.
        signed: columns of the counts that may be negative; all others may not.
        layouts: name to the function that writes a score in a layout of the challenge's own, for
            ``--format``; it takes a :class:`~clineval.Score` and ``per_document``.

    Examples:
        >>> from clineval.base.ratios import precision_recall_f1, prf_keys
        >>> measures = Measures(
        ...     lambda totals, config: precision_recall_f1("strict", totals),
        ...     (Grid("Spans", ("P", "R", "F1"), {"strict": prf_keys("strict")[:3]}),),
        ...     headline=("strict_f1",),
        ... )
        >>> totals = {"strict_tp": 1, "strict_fp": 0, "strict_fn": 1}
        >>> measures.finish(totals, "default")["strict_recall"]
        0.5
    """

    finish: Finish
    grids: tuple[Grid, ...]
    ranking: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    headline: tuple[str, ...] = ()
    less_is_better: tuple[str, ...] = ()
    shown_per_document: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()
    layouts: Mapping[str, Callable[..., str]] = field(default_factory=dict)
