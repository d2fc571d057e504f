"""Grids: which scores a table shows, and where."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain


@dataclass(frozen=True, slots=True)
class Grid:
    """One table of scores.

    Args:
        title: its heading.
        columns: the headings of its columns.
        rows: row heading to the keys of its cells; a row without scores for its keys is left out.
            If empty, the table has a row for every key that no other table shows.
        find: returns the rows for the keys of a score, if the keys depend on options; ``rows`` is
            then empty.
    """

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]
    find: Callable[[Collection[str]], Mapping[str, tuple[str, ...]]] | None = None


def unite_grids(grids: Sequence[Grid]) -> tuple[Grid, ...]:
    """Unite tables with the same title into one, at the position of the last one.

    A row of several tables gets the cells of all, each in its column.
    """
    titled: dict[str, list[Grid]] = {}
    for grid in grids:
        titled[grid.title] = [*titled.pop(grid.title, []), grid]
    return tuple(map(_join, titled.values()))


def _join(grids: Sequence[Grid]) -> Grid:
    first = grids[0]
    if all(grid.columns == first.columns for grid in grids):
        rows = dict(chain.from_iterable(grid.rows.items() for grid in grids))
        return replace(first, rows=rows)
    columns = tuple(dict.fromkeys(chain.from_iterable(grid.columns for grid in grids)))
    cells: dict[str, dict[str, str]] = {}
    for grid in grids:
        for heading, keys in grid.rows.items():
            cells.setdefault(heading, {}).update(zip(grid.columns, keys, strict=True))
    rows = {heading: tuple(map(of.__getitem__, columns)) for heading, of in cells.items()}
    return replace(first, columns=columns, rows=rows)
