"""Plots of results with matplotlib (the extra ``plot``).

Every function draws a new figure and returns it.
:func:`~clineval.results.pictures.figures.save` writes figures to files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from clineval.base.errors import InputError, agree
from clineval.base.escaping import visible
from clineval.evaluation.analysis.agreement import Agreement
from clineval.evaluation.analysis.agreement_tables import HEADINGS, MOST_ROWS
from clineval.evaluation.analysis.mistakes import Confusion
from clineval.evaluation.comparison import Comparison
from clineval.evaluation.power import Planned
from clineval.evaluation.runs import RunScore
from clineval.results.pictures.figures import (
    COLOURS,
    INCHES,
    LETTERS_AN_INCH,
    add_legend,
    finish_rows,
    new_figure,
    new_pair,
    new_rows_and_curves,
    set_title,
    shorten,
)
from clineval.results.pictures.rows import Panel, Point, draw_panels
from clineval.results.scores import Score
from clineval.stats.curves import Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

_CELL = 0.6
_MANY = 15


def plot_score(score: Score) -> Figure:
    """Plot the scores of a system, one row for each label or slot, with intervals if any.

    Classes with probabilities also have ROC curves and precision-recall curves.
    """
    if curves := score.curves:
        figure, axes, roc, precision = new_rows_and_curves()
        _draw_curves(curves, roc, precision)
    else:
        figure, axes = new_figure()
    score.plot(axes)
    finish_rows(axes)
    if curves:
        figure.set_figheight(max(figure.get_figheight(), INCHES))
    set_title(figure, score.heading)
    return figure


def _draw_curves(curves: Mapping[str, Trace], roc: Axes, precision: Axes) -> None:
    """Draw ROC curves and precision-recall curves, those of the most frequent classes."""
    frequent = sorted(curves, key=lambda name: -curves[name].right[-1])[: len(COLOURS)]
    looks = zip(COLOURS, cycle(("-", "--", ":", "-.")), frequent, strict=False)
    for colour, line, name in looks:
        right, wrong = curves[name]
        share = right / right[-1]
        found = np.append(1.0, right[1:] / np.maximum(right[1:] + wrong[1:], 1))
        roc.plot(wrong / wrong[-1], share, line, color=colour, label=shorten(name))
        precision.step(share, found, line, where="pre", color=colour, label=shorten(name))
    roc.axline((0, 0), slope=1, color="0.7", linewidth=1)
    left = len(curves) - len(frequent)
    more = agree("; {n} further {class is|classes are} not drawn", left) if left else ""
    roc.set(xlabel="1 - specificity", ylabel="recall", title=f"ROC{more}")
    precision.set(xlabel="recall", ylabel="precision", title="Precision and recall")
    for axes in (roc, precision):
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        axes.set_box_aspect(1)
        axes.legend(fontsize=8)


def plot_comparison(comparison: Comparison, keys: Sequence[str] = ()) -> Figure:
    """Plot scores of systems next to their differences from the baseline."""
    chosen = keys or comparison.headline
    figure, left, right = new_pair()
    draw_scores(comparison, chosen, left)
    comparison.plot(chosen, right)
    right.set_ylim(left.get_ylim())
    right.set_yticks([])
    finish_rows(left)
    set_title(figure, comparison.heading)
    return figure


def draw_scores(comparison: Comparison, keys: Sequence[str], axes: Axes) -> None:
    """Draw scores of systems with their intervals; several runs of a system are dots."""
    scores = {shorten(name): score for name, score in comparison.scores.items()}
    rows = {
        key: {name: Point(of.values[key], of.intervals.get(key)) for name, of in scores.items()}
        for key in keys
    }
    draw_panels(axes, [Panel("", rows)])
    for container, score in zip(axes.containers, scores.values(), strict=True):
        if isinstance(score, RunScore):
            of_runs = [Score(counts).values for counts in score.runs]
            points: Line2D = container[0]
            x = [values[key] for key in keys for values in of_runs]
            y = np.repeat(points.get_ydata(), len(of_runs))
            axes.scatter(x, y, s=14, color=points.get_color(), alpha=0.5, zorder=3)
    level = comparison.scores[comparison.baseline].confidence
    several = any(isinstance(score, RunScore) for score in scores.values())
    interval = f", {100 * level.level:g} % interval" if level else ""
    axes.set_xlabel(f"score{interval}{'; a faint dot is a run' if several else ''}")


def plot_agreement(agreements: Sequence[Agreement]) -> Figure:
    """Plot the agreement of every two annotators: their scores, then the first questions."""
    figure, axes = new_figure()
    draw_panels(axes, [_as_panel(found) for found in agreements])
    level = agreements[0].score.confidence
    axes.set_xlabel(f"agreement, {100 * level.level:g} % interval" if level else "agreement")
    finish_rows(axes)
    return figure


def _as_panel(found: Agreement) -> Panel:
    """Return a panel of two annotators: their main scores, then each slot."""
    score = found.score
    rows = {
        key: {"score": Point(score.values[key], score.intervals.get(key))} for key in score.headline
    }
    for name, of in [*found.slots.items()][:MOST_ROWS]:
        points = {
            HEADINGS.get(measure, measure): Point(coefficient.value, of.bounds(measure))
            for measure, coefficient in of.coefficients.items()
            if coefficient.value is not None
        }
        if points:
            rows[f"{name}, {of.pairs} pairs"] = points
    return Panel(f"{shorten(found.first)} and {shorten(found.second)}", rows)


def plot_power(planned: Planned) -> Figure:
    """Plot the difference that each number of documents can detect, and the documents needed."""
    figure, axes = new_figure(height=0.6 * INCHES)
    needed = {plan: plan.documents for plan in planned.plans if plan.documents is not None}
    if not needed:
        raise InputError("the pilot does not vary in any of the scores, so there is no curve")
    difference = planned.aim.difference
    ranges = [(plan.low or documents, plan.high or documents) for plan, documents in needed.items()]
    most = 1.5 * max(planned.pilot, *(high for _, high in ranges))
    number = np.geomspace(max(2, planned.pilot / 4), most, 100)
    for at, (plan, documents) in enumerate(needed.items()):
        colour, line = COLOURS[at % len(COLOURS)], ("-", "--", ":", "-.")[at % 4]
        seen = planned.aim.reach(plan.freedom) * plan.deviation / np.sqrt(number)
        axes.plot(number, seen, line, color=colour, label=plan.score)
        axes.plot([documents], [difference], "o", color=colour)
        axes.plot(ranges[at], [difference] * 2, color=colour, alpha=0.4, linewidth=5)
    axes.axhline(difference, color="0.5", linewidth=0.8)
    axes.axvline(planned.pilot, color="0.5", linewidth=0.8)
    axes.text(planned.pilot, 0.98, " pilot", transform=axes.get_xaxis_transform(), va="top")
    axes.set(
        xscale="log", ylim=(0, None), xlabel=planned.unit, ylabel="smallest detectable difference"
    )
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.xaxis.set_minor_formatter("")
    axes.grid(alpha=0.3)
    title = f"{planned.unit.capitalize()} needed to detect {planned.title}; bars: range of pilots"
    set_title(figure, title)
    add_legend(figure, axes)
    return figure


def plot_documents(comparison: Comparison, key: str) -> Figure:
    """Plot one score of each document for the first two systems."""
    first, second = list(comparison.scores.values())[:2]
    left, right = map(shorten, list(comparison.scores)[:2])
    figure, axes = new_figure(INCHES * 0.75, INCHES * 0.75)
    x, y = (score.counts.finish_each()[key] for score in (first, second))
    axes.axline((0, 0), slope=1, color="0.6", linewidth=1)
    axes.scatter(x, y, s=18, alpha=0.6, color=COLOURS[0], edgecolors="none")
    letters = int(figure.get_size_inches()[0] * LETTERS_AN_INCH * 0.7)
    axes.set_xlabel(fill(f"{key} of {left}", letters))
    axes.set_ylabel(fill(f"{key} of {right}", letters))
    above, below = int((y > x).sum()), int((x > y).sum())
    equal = f"{len(x) - above - below} equal"
    named = f"{right} better in {above}, {left} in {below}, {equal}"
    set_title(figure, f"{key}, one dot a document: {named}")
    edges = min(x.min(initial=0), y.min(initial=0)), max(x.max(initial=1), y.max(initial=1))
    margin = 0.03 * (edges[1] - edges[0])
    axes.set(xlim=(edges[0] - margin, edges[1] + margin), aspect="equal")
    axes.set_ylim(axes.get_xlim())
    return figure


def plot_confusion(confusion: Confusion) -> Figure:
    """Plot the confusion matrix of a slot: the counts, with shades for shares of the rows."""
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
    set_title(figure, f"{confusion.slot}: mentions by gold and predicted value")
    return figure


def plot_edits(score: Score, document: str) -> Figure:
    """Plot the section boundaries of a document along its tokens, and their edits.

    Raises:
        InputError: the metric has no edits, or the document is unknown.
    """
    names = score.counts.documents
    if not score.counts.details:
        raise InputError(f"{score.metric} has no edits to plot")
    if document not in names:
        raise InputError("unknown document, expected one of those in the corpus")
    note = score.counts.details[names.index(document)]
    figure, axes = new_figure(INCHES * 1.4, 3.2)
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
    set_title(figure, f"Section boundaries of {visible(document)}, gold and predicted")
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
    """Draw the positions and labels of a boundary on both sides, if it has them."""
    look, colour = _LOOKS[kind]
    ends = [(*side, height) for side, height in ((gold, 1), (predicted, 0)) if side[1]]
    axes.plot([e[0] for e in ends], [e[2] for e in ends], look, color=colour, label=kind)
    for place, label, height in ends:
        shift, turn, edge = (6, 20, "bottom") if height else (-6, -20, "top")
        axes.annotate(
            visible(str(label)).lower().replace("_", " "), (place, height), (0, shift),
            textcoords="offset points", rotation=turn, ha="left", va=edge, fontsize=6,
        )  # fmt: skip
