"""Plots, drawn with matplotlib: the extra ``plot``.

Every function draws on axes of its own and returns the figure; :func:`save` writes it as PNG or
SVG, as the file's name says. Colours are those of Okabe and Ito, which colour-blind people tell
apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, need, one_line
from clineval.base.escaping import visible
from clineval.base.files import name_path, write_file
from clineval.evaluation.analysis.mistakes import Confusion
from clineval.evaluation.comparison import Comparison
from clineval.evaluation.runs import RunScore
from clineval.results.scores import Score

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
FORMATS = (".png", ".svg")
_INCHES, _ROW, _CELL = 7.0, 0.32, 0.6
_MANY = 15
_LETTERS_AN_INCH, _MARKER = 10, 8
_LONGEST_NAME = 48  # letters, which fit into a line even as capitals


def new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """Make a figure with one set of axes, on no screen; refuse where matplotlib is missing."""
    matplotlib = need("matplotlib.figure", "plot", "plots need matplotlib")
    figure = matplotlib.Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def plot_scores(comparison: Comparison, keys: Sequence[str]) -> Figure:
    """Plot scores of several systems with their intervals, below one another."""
    systems = list(comparison.scores)
    height = 1.2 + _ROW * len(keys) * (len(systems) + 1)
    figure, axes = new_figure(_INCHES, height)
    step = len(systems) + 1
    for k, (name, score) in enumerate(comparison.scores.items()):
        values = np.array([score.values[key] for key in keys])
        bounds = np.array([score.intervals[key] for key in keys])
        axes.errorbar(
            values,
            np.arange(len(keys)) * step + k,
            xerr=np.maximum([values - bounds[:, 0], bounds[:, 1] - values], 0),
            fmt="os^Dv"[k % 5],
            color=COLOURS[k % len(COLOURS)],
            capsize=3,
            label=_short(name),
        )
        _draw_runs(axes, score, keys, np.arange(len(keys)) * step + k, COLOURS[k % len(COLOURS)])
    middle = np.arange(len(keys)) * step + (len(systems) - 1) / 2
    axes.set_yticks(middle, labels=list(keys))
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    level = comparison.scores[comparison.baseline].confidence
    several = any(isinstance(score, RunScore) for score in comparison.scores.values())
    interval = f", {100 * level.level:g} % interval" if level else ""
    axes.set_xlabel(f"score{interval}{'; a faint dot is a run' if several else ''}")
    _set_title(figure, comparison.heading)
    widest = max(len(_short(name)) for name in systems) + _MARKER
    columns = max(1, min(int(_INCHES * _LETTERS_AN_INCH) // widest, len(systems)))
    figure.legend(loc="outside lower center", ncols=columns, fontsize=9)
    return figure


def _draw_runs(
    axes: Axes, score: Score, keys: Sequence[str], heights: IntArray, colour: str
) -> None:
    """Draw a dot for each run of a system that has several."""
    if not isinstance(score, RunScore):
        return
    of_runs = [Score(counts).values for counts in score.runs]
    x = [values[key] for key in keys for values in of_runs]
    axes.scatter(x, np.repeat(heights, len(of_runs)), s=14, color=colour, alpha=0.5, zorder=3)


def _set_title(figure: Figure, text: str) -> None:
    """Set a title, broken into lines where it is wider than the figure."""
    inches = figure.get_size_inches()[0]
    figure.suptitle(fill(text, int(inches * _LETTERS_AN_INCH)), fontsize=10)


def _short(name: str) -> str:
    """Shorten a system's name in the middle if it is long."""
    return one_line(name, _LONGEST_NAME)


def plot_documents(comparison: Comparison, key: str) -> Figure:
    """Plot one score of each document under the first two systems."""
    first, second = list(comparison.scores.values())[:2]
    left, right = map(_short, list(comparison.scores)[:2])
    figure, axes = new_figure(_INCHES * 0.75, _INCHES * 0.75)
    x, y = (score.counts.finish(score.counts.table)[key] for score in (first, second))
    axes.axline((0, 0), slope=1, color="0.6", linewidth=1)
    axes.scatter(x, y, s=18, alpha=0.6, color=COLOURS[0], edgecolors="none")
    letters = int(figure.get_size_inches()[0] * _LETTERS_AN_INCH * 0.7)
    axes.set_xlabel(fill(f"{key} of {left}", letters))
    axes.set_ylabel(fill(f"{key} of {right}", letters))
    above, below = int((y > x).sum()), int((x > y).sum())
    equal = f"{len(x) - above - below} equal"
    named = f"{right} better in {above}, {left} in {below}, {equal}"
    _set_title(figure, f"{key}, one dot a document: {named}")
    edges = min(x.min(initial=0), y.min(initial=0)), max(x.max(initial=1), y.max(initial=1))
    margin = 0.03 * (edges[1] - edges[0])
    axes.set(xlim=(edges[0] - margin, edges[1] + margin), aspect="equal")
    axes.set_ylim(axes.get_xlim())
    return figure


def plot_confusion(confusion: Confusion) -> Figure:
    """Plot the confusion matrix of a slot: shares of the rows as shades, with the counts."""
    names, counts = confusion.shortened(_MANY)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    size = 2.0 + _CELL * len(counts)
    figure, axes = new_figure(size + 0.5, size)
    image = axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    figure.colorbar(image, ax=axes, shrink=0.8, label="share of the gold value's mentions")
    for (row, column), count in np.ndenumerate(counts):
        colour = "white" if shares[row, column] > 0.5 else "black"  # noqa: PLR2004 - half dark
        axes.text(column, row, str(count), ha="center", va="center", color=colour, fontsize=8)
    values = [visible(name) for name in names]
    axes.set_xticks(range(len(counts)), labels=values, rotation=45, ha="right")
    axes.set_yticks(range(len(counts)), labels=values)
    axes.set_xlabel(f"predicted {confusion.slot}")
    axes.set_ylabel(f"gold {confusion.slot}")
    _set_title(figure, f"{confusion.slot}: mentions by gold and predicted value")
    return figure


def plot_edits(score: Score, document: str) -> Figure:
    """Plot the boundaries of a note along its tokens, and their edits; refuse if there are none."""
    names = score.counts.documents
    if not score.counts.details:
        raise InputError(f"{score.metric} has no edits to plot")
    if document not in names:
        raise InputError("unknown document, expected one of those in the corpus")
    note = score.counts.details[names.index(document)]
    figure, axes = new_figure(_INCHES * 1.4, 3.2)
    for match in note["matched"]:
        place = (match["position"], match["label"])
        _draw_boundary(axes, "match", place, place)
    for edit in note["edits"]:
        at = edit["position"]
        gold, predicted = (at, edit["gold"]), (at + edit["displacement"], edit["prediction"])
        _draw_boundary(axes, edit["kind"], gold, predicted)
    axes.set_yticks([0, 1], labels=["predicted", "gold"])
    axes.set_ylim(-0.9, 1.9)
    axes.margins(x=0.12)  # for the labels of the last boundary
    axes.set_xlabel("position, tokens")
    _set_title(figure, f"Section boundaries of {visible(document)}, gold and predicted")
    handles = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    axes.legend(handles.values(), handles.keys(), loc="upper center", ncols=5, fontsize=8)
    return figure


_LOOKS = {
    "match": ("o-", COLOURS[2]),
    "transposition": ("s-", COLOURS[0]),
    "substitution": ("D-", COLOURS[1]),
    "addition": ("v", COLOURS[3]),
    "deletion": ("^", COLOURS[4]),
}


def _draw_boundary(
    axes: Axes, kind: str, gold: tuple[int, str | None], predicted: tuple[int, str | None]
) -> None:
    """Draw places and labels of a boundary on both sides; no label where there is none."""
    look, colour = _LOOKS[kind]
    ends = [(*side, height) for side, height in ((gold, 1), (predicted, 0)) if side[1]]
    axes.plot([e[0] for e in ends], [e[2] for e in ends], look, color=colour, label=kind)
    for place, label, height in ends:
        shift, turn, edge = (6, 20, "bottom") if height else (-6, -20, "top")
        axes.annotate(
            visible(str(label)).lower().replace("_", " "), (place, height), (0, shift),
            textcoords="offset points", rotation=turn, ha="left", va=edge, fontsize=6,
        )  # fmt: skip


def check_file(path: Path) -> None:
    """Refuse a file that is neither PNG nor SVG."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(
            f"expected a name that ends in {' or '.join(FORMATS)}", where=name_path(path)
        )


def save(figure: Figure, path: Path) -> None:
    """Write a figure; the same figure gives the same file, and no text in it is a formula."""
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
