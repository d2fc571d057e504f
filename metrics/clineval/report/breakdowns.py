"""Breakdowns as tables: for a terminal, a paper, a spreadsheet, a program."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from io import StringIO
from typing import Any

from clineval.analysis.breakdown import Breakdown
from clineval.registry import find_challenge
from clineval.report.tables import (
    Table,
    format_value,
    latex_of,
    markdown_of,
    print_table,
    short_of,
)

_MOST = 40


def rows_of(breakdown: Breakdown) -> dict[str, dict[str, float | int]]:
    """Group to its scores; counts are integers."""
    columns = {
        key: [int(value) for value in values] if key in breakdown.counts else values.tolist()
        for key, values in breakdown.scores.items()
    }
    return {
        name: {key: column[at] for key, column in columns.items()}
        for at, name in enumerate(breakdown.names)
    }


def table_of(breakdown: Breakdown, most: int | None = None) -> Table:
    """One row for each group: counts, F1 and the main scores; all where there is no F1.

    Args:
        breakdown: the groups.
        most: how many groups to show; the title says how many there are besides.
    """
    challenge = find_challenge(breakdown.outcomes.metric)
    short = short_of(breakdown.scores, list(breakdown.counts))
    chosen = dict.fromkeys((*short, *challenge.headline))
    keys = [key for key in chosen if key in breakdown.scores]
    rows = tuple(
        (name, *(format_value(scores[key]) for key in keys))
        for name, scores in list(rows_of(breakdown).items())[:most]
    )
    more = len(breakdown.names) - len(rows)
    title = f"By {breakdown.by}" + (f", and {more} smaller groups" if more else "")
    return Table(title, tuple(keys), rows)


def print_breakdown(console: Any, breakdown: Breakdown, signature: str) -> None:
    """Print the largest groups on a rich console."""
    print_table(console, table_of(breakdown, _MOST))
    console.print()
    console.print(signature, style="dim", highlight=False, soft_wrap=True)


def as_json(breakdown: Breakdown, signature: str) -> str:
    """One JSON object; ``groups`` has the scores of each group."""
    outcomes = breakdown.outcomes
    shown: dict[str, Any] = {
        "metric": outcomes.metric,
        "config": outcomes.config,
        "by": breakdown.by,
        "groups": rows_of(breakdown),
        "signature": signature,
    }
    return json.dumps(shown, indent=2, ensure_ascii=False)


def as_csv(breakdown: Breakdown, signature: str) -> str:
    """A line for each group."""
    buffer = StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["group", *breakdown.scores, "signature"])
    for name, scores in rows_of(breakdown).items():
        writer.writerow([name, *scores.values(), signature])
    return buffer.getvalue().rstrip("\n")


def as_markdown(breakdown: Breakdown, signature: str) -> str:
    """A Markdown table."""
    return f"{markdown_of(table_of(breakdown))}\n\n`{signature}`"


def as_latex(breakdown: Breakdown, signature: str) -> str:
    """A LaTeX tabular for the booktabs package."""
    return f"% {signature}\n\n{latex_of(table_of(breakdown))}"


WRITERS: Mapping[str, Callable[[Breakdown, str], str]] = {
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": as_latex,
}
"""Notation to the function that writes it; ``table`` is printed by :func:`print_breakdown`."""
