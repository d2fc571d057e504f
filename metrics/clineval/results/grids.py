"""Scores laid out as tables, by the grids of their challenge."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from clineval.base.errors import unknown_name
from clineval.results.challenge import Challenge
from clineval.results.measures import Grid
from clineval.results.tables import WRITERS, Table, format_interval, format_value

Values = Mapping[str, float | int | None]
"""Score to its value; None if it has no denominator, or is undefined."""
Intervals = Mapping[str, tuple[float, float] | None]
"""Score to its bounds, or None if they are undefined; counts have none."""
_MANY = 16
"""The number of columns that no longer fit on a page."""


def lay_out(
    grids: Sequence[Grid],
    values: Values,
    intervals: Intervals,
    level: float | None,
    few: Collection[str] = (),
) -> Iterator[Table]:
    """Lay out scores as tables.

    Args:
        grids: the tables.
        values: key to score or count.
        intervals: key to the lower and upper bound.
        level: the level of the intervals, between 0 and 1; None for tables without intervals.
        few: the scores whose intervals get a dagger, because they rest on few units.
    """
    for grid in grids:
        rows: list[tuple[str, ...]] = []
        for heading, keys in list_rows(grid, grids, values).items():
            rows.append((heading, *(format_value(values[key]) for key in keys)))
            if level is not None and any(key in intervals for key in keys):
                bounds = (
                    format_interval(intervals[key], few=key in few) if key in intervals else ""
                    for key in keys
                )
                rows.append((f"  {100 * level:g} %", *bounds))
        if rows:
            yield Table(grid.title, grid.columns, tuple(rows))


def list_rows(grid: Grid, grids: Sequence[Grid], values: Values) -> Mapping[str, tuple[str, ...]]:
    """Return the rows of a grid that have scores: heading to keys."""
    if grid.find:
        rows = grid.find(values)
    elif grid.rows:
        rows = grid.rows
    else:
        shown = (each.find(values) if each.find else each.rows for each in grids)
        named = {key for each in shown for keys in each.values() for key in keys}
        rows = {key: (key,) for key in values if key not in named and key != "n_documents"}
    return {heading: keys for heading, keys in rows.items() if all(key in values for key in keys)}


def lay_out_documents(rows: Sequence[Mapping[str, Any]], keys: Iterable[str]) -> Table:
    """Build a table of the scores with these keys; a row is a document's name and scores."""
    shown = tuple(key for key in keys if rows and key in rows[0])
    body = tuple((str(row["document"]), *(format_value(row[key]) for key in shown)) for row in rows)
    return Table("Documents", shown, body)


def short_of(
    keys: Iterable[str], counts: Collection[str], main: Iterable[str] = ()
) -> Sequence[str]:
    """Choose counts and F1 among many keys; return all keys if there is no F1.

    If there are very many of them, take only the ``main`` scores and their counts.

    Examples:
        >>> short_of(["strict_recall", "strict_f1", "strict_tp"], ["strict_tp"])
        ['strict_f1', 'strict_tp']
    """
    every = list(keys)
    short = [key for key in every if key in counts or key.endswith("_f1")]
    if not any(key.endswith("_f1") for key in short):
        return every
    kinds = {key.rpartition("_")[0] for key in main}
    few = [key for key in short if key.rpartition("_")[0] in kinds]
    return few if len(short) > _MANY and few else short


def find_writer(notation: str, challenge: Challenge) -> Callable[..., str]:
    """Find the function that writes a score in a notation of ours or of the challenge.

    The function takes ``per_document`` as :meth:`clineval.Score.sheet` does.

    Raises:
        InputError: the notation belongs to another challenge.
    """
    if notation in challenge.measures.layouts:
        return challenge.measures.layouts[notation]
    if notation not in WRITERS:
        known = ["table", *WRITERS, *challenge.measures.layouts]
        raise unknown_name("format", notation, known, where=challenge.name)
    write = WRITERS[notation]
    return lambda score, *, per_document=False: write(score.sheet(per_document=per_document))
