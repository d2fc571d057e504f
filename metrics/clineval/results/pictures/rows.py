"""Rows of points with their intervals, below one another: scores, differences, agreement."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clineval.base.escaping import visible
from clineval.results.grids import Values, list_rows
from clineval.results.measures import Grid
from clineval.results.pictures.figures import COLOURS, MARKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Bounds = tuple[float, float]
_MOST = 40
"""The number of rows that fit on a page."""
_SPREAD = 0.66
"""The share of a row's height that its points take."""


@dataclass(frozen=True, slots=True)
class Point:
    """A value in a row.

    Args:
        value: its position on the axis.
        bounds: the ends of its interval; None if it has none.
    """

    value: float
    bounds: Bounds | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """Rows with a title.

    Args:
        title: the title; empty for none.
        rows: heading to the points of the row, by the name of their series.
    """

    title: str
    rows: Mapping[str, Mapping[str, Point]]


def list_panels(
    grids: Sequence[Grid],
    values: Values,
    intervals: Mapping[str, Bounds],
    counts: Collection[str],
) -> Iterator[Panel]:
    """Yield the tables of a score as panels, a series for each column.

    Counts are left out, and so are scores without a denominator.
    """
    for grid in grids:
        keys_of_rows = list_rows(grid, grids, values)
        names = _name_columns(grid.columns)
        rows = {
            heading: {
                name: Point(float(value), intervals.get(key))
                for name, key in zip(names, keys, strict=False)
                if (value := values.get(key)) is not None and key not in counts
            }
            for heading, keys in keys_of_rows.items()
        }
        shown = {heading: points for heading, points in rows.items() if points}
        if shown:
            yield Panel(grid.title, shown)


def _name_columns(columns: Sequence[str]) -> list[str]:
    """Give columns different names: a repeated heading gets the new heading before it as a prefix.

    Examples:
        >>> _name_columns(["P", "F1", "patient P", "F1"])
        ['P', 'F1', 'patient P', 'patient F1']
    """
    prefix, names = "", list[str]()
    for column in columns:
        if column in names:
            names.append(f"{prefix} {column}")
        else:
            prefix = column.rpartition(" ")[0] or column
            names.append(column)
    return names


def choose_panels(panels: Sequence[Panel]) -> Sequence[Panel]:
    """Choose as many of the first panels as fit on a page, at least one."""
    total, chosen = 0, list[Panel]()
    for panel in panels:
        total += len(panel.rows)
        if chosen and total > _MOST:
            break
        chosen.append(panel)
    return chosen


def draw_panels(axes: Axes, panels: Sequence[Panel]) -> None:
    """Draw panels below one another, the first on top, each series with its colour and marker."""
    names = list(
        dict.fromkeys(
            n for p in panels for places_of_points in p.rows.values() for n in places_of_points
        )
    )
    ticks: dict[float, str] = {}
    places: dict[str, list[tuple[float, Point]]] = {name: [] for name in names}
    height = 0.0
    for panel in panels:
        if panel.title:
            _draw_title(axes, panel.title, height)
            height += 1
        for heading, points in panel.rows.items():
            ticks[height] = visible(heading)
            for number, (name, point) in enumerate(points.items()):
                part = (number + 0.5) / len(points) - 0.5
                places[name].append((height + _SPREAD * part, point))
            height += 1
    for number, (name, places_of_points) in enumerate(places.items()):
        _draw_series(axes, visible(name), places_of_points, number)
    axes.set_yticks(list(ticks), labels=list(ticks.values()), fontsize=9)
    axes.set_ylim(height - 0.4, -0.6)
    axes.grid(axis="x", alpha=0.3)


def _draw_title(axes: Axes, title: str, height: float) -> None:
    axes.text(
        0.01, height, visible(title), transform=axes.get_yaxis_transform(), va="center",
        fontsize=9, fontweight="bold",
    )  # fmt: skip
    if height:
        axes.axhline(height - 0.5, color="0.8", linewidth=0.8)


def _draw_series(axes: Axes, name: str, places: Sequence[tuple[float, Point]], number: int) -> None:
    """Draw the points of a series; hollow markers distinguish series of equal lightness."""
    values = np.array([point.value for _, point in places])
    bounds = np.array([point.bounds or (point.value, point.value) for _, point in places])
    colour = COLOURS[number % len(COLOURS)]
    axes.errorbar(
        values,
        [height for height, _ in places],
        xerr=np.maximum([values - bounds[:, 0], bounds[:, 1] - values], 0),
        fmt=MARKERS[number % len(MARKERS)],
        color=colour,
        markerfacecolor="white" if number % 2 else colour,
        markersize=5,
        elinewidth=1.2,
        capsize=2 if any(point.bounds for _, point in places) else 0,
        label=name,
    )
