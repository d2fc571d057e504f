"""Figures: their colours and titles, and their files.

Figures use the colours of Okabe and Ito, as the Workbench does. Colour-blind people can distinguish
them. Each series also has its own marker, because some colours look alike in print.
"""

from __future__ import annotations

from io import BytesIO
from math import ceil
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, cast

from clineval.base.errors import InputError, need, one_line
from clineval.base.files import name_path, write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "os^Dv"
FORMATS = (".png", ".svg")
INCHES = 7.0
LETTERS_AN_INCH = 10
_BORDER, _ROW, _POINT, _LINE = 1.3, 0.3, 0.07, 0.2  # inches
_MARKER = 8
_LONGEST_NAME = 48  # letters, which fit into a line even as capitals


def new_figure(width: float = INCHES, height: float = INCHES) -> tuple[Figure, Axes]:
    """Create a figure with one set of axes, off screen; raise an error without matplotlib."""
    figure = _new_figure(width, height)
    return figure, figure.add_subplot()


def new_pair(width: float = 1.6 * INCHES) -> tuple[Figure, Axes, Axes]:
    """Create a figure with two sets of axes side by side, like :func:`new_figure`."""
    figure = _new_figure(width, INCHES)
    left, right = figure.subplots(1, 2)
    return figure, left, right


def new_rows_and_curves() -> tuple[Figure, Axes, Axes, Axes]:
    """Create a figure with axes for rows, and two squares for curves beside them."""
    figure = _new_figure(1.6 * INCHES, INCHES)
    axes = figure.subplot_mosaic([["rows", "first"], ["rows", "second"]], width_ratios=[3, 2])
    return figure, axes["rows"], axes["first"], axes["second"]


def _new_figure(width: float, height: float) -> Figure:
    matplotlib = need("matplotlib.figure", "plot", "plots need matplotlib")
    figure: Figure = matplotlib.Figure(figsize=(width, height), layout="constrained")
    return figure


def show_axes() -> Axes:
    """Create axes that a notebook shows automatically."""
    pyplot = need("matplotlib.pyplot", "plot", "plots need matplotlib")
    axes: Axes = pyplot.figure(layout="constrained", figsize=(INCHES, INCHES)).add_subplot()
    return axes


def finish_rows(axes: Axes) -> None:
    """Fit the height of the figure to the rows of its axes, and add a legend below."""
    figure = cast("Figure", axes.figure)
    bottom, top = axes.get_ylim()
    row = max(_ROW, _POINT * len(axes.containers))
    lines = add_legend(figure, axes)
    figure.set_figheight(_BORDER + row * abs(bottom - top) + _LINE * lines)


def set_title(figure: Figure, text: str) -> None:
    """Set a title, broken into lines if it is wider than the figure."""
    inches = figure.get_size_inches()[0]
    figure.suptitle(fill(text, int(inches * LETTERS_AN_INCH)), fontsize=10)


def add_legend(figure: Figure, axes: Axes) -> int:
    """Add a legend below the axes, broken into lines; return the number of lines."""
    handles, names = axes.get_legend_handles_labels()
    widest = max((len(name) for name in names), default=0) + _MARKER
    inches = figure.get_size_inches()[0]
    columns = max(1, min(int(inches * LETTERS_AN_INCH) // widest, len(names)))
    if names:
        figure.legend(handles, names, loc="outside lower center", ncols=columns, fontsize=9)
    return ceil(len(names) / columns)


def shorten(name: str) -> str:
    """Shorten a system's name in the middle if it is long."""
    return one_line(name, _LONGEST_NAME)


def check_file(path: Path) -> None:
    """Reject a file that is neither PNG nor SVG."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(
            f"expected a name that ends in {' or '.join(FORMATS)}", where=name_path(path)
        )


def save(figure: Figure, path: Path) -> None:
    """Write a figure; equal figures give equal files, and texts are never read as formulas."""
    check_file(path)
    import matplotlib as mpl
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_parse_math(False)
    plain = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
    drawn = BytesIO()
    with mpl.rc_context({"svg.hashsalt": "clineval"}):
        figure.savefig(drawn, dpi=150, metadata=plain, format=path.suffix[1:].lower())
    write_file(path, drawn.getvalue())
