"""Comparisons of systems as tables: for a terminal, a paper, a spreadsheet, a program."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from io import StringIO
from typing import Any

from clineval.errors import InputError
from clineval.registry import check_name
from clineval.report.tables import (
    WIDTH,
    Table,
    format_interval,
    format_value,
    heading_of,
    latex_of,
    markdown_of,
    print_table,
)
from clineval.statistics.comparison import Comparison, Difference

_SMALLEST = 0.0001  # with four decimals
_DIFFERENCES = ("difference", "difference_low", "difference_high", "p", "p_holm", "exact")


def choose_keys(comparison: Comparison, keys: Sequence[str]) -> Sequence[str]:
    """The scores to show: those asked for, all of them for ``all``, else the main ones.

    Raises:
        InputError: there is no score of that name.
    """
    known = comparison.scores[comparison.baseline].intervals
    if list(keys) == ["all"]:
        return list(known)
    for key in keys:
        check_name("score", key, known)
    if not known:
        raise InputError("there are no scores to compare, only counts")
    return keys or comparison.headline


def tables_of(comparison: Comparison, keys: Sequence[str]) -> Iterator[Table]:
    """A table for each score, a row for each system."""
    several = len(comparison.differences) > 1
    for key in keys:
        level = comparison.scores[comparison.baseline].confidence
        interval = f"{100 * level.level:g} %" if level else ""
        columns = ("score", interval, "difference", interval, "p")
        rows = tuple(_row(comparison, name, key, several=several) for name in comparison.scores)
        yield Table(key, (*columns, "p (Holm)") if several else columns, rows)


def _row(comparison: Comparison, name: str, key: str, *, several: bool) -> tuple[str, ...]:
    score = comparison.scores[name]
    own = (name, format_value(score.values[key]), format_interval(score.intervals[key]))
    if name == comparison.baseline:
        return (*own, "baseline", *([""] * (3 if several else 2)))
    found = comparison.differences[name][key]
    values = (found.p, found.p_holm) if several else (found.p,)
    return (
        *own,
        f"{found.value:+.4f}",
        format_interval((found.low, found.high)),
        *(format_p(value, comparison, found) for value in values),
    )


def format_p(p: float, comparison: Comparison, found: Difference) -> str:
    """A p-value; of one that no random trial reached it is only known how small it is."""
    least = 0.0 if found.exact else 1 / (comparison.trials + 1)
    return f"{p:.4f}" if p > max(least, _SMALLEST) else f"< {max(least, _SMALLEST):.4f}"


def heading(comparison: Comparison) -> str:
    """What was compared, in a line."""
    tests = {"ar": "approximate randomization", "bootstrap": "paired bootstrap"}
    exact = {
        found.exact for of_system in comparison.differences.values() for found in of_system.values()
    }
    trials = "all possible trials" if exact == {True} else f"{comparison.trials} trials"
    head = heading_of(comparison.scores[comparison.baseline])
    return f"{head}; {tests[comparison.test]}, {trials}"


def as_text(comparison: Comparison) -> str:
    """Plain text, such as for ``repr``."""
    from rich.console import Console

    buffer = StringIO()
    print_comparison(Console(file=buffer, width=WIDTH), comparison, comparison.headline)
    return buffer.getvalue().rstrip("\n")


def print_comparison(console: Any, comparison: Comparison, keys: Sequence[str]) -> None:
    """Print all tables of a comparison and its signature on a rich console."""
    console.print(heading(comparison), style="bold", highlight=False, soft_wrap=True)
    for table in tables_of(comparison, keys):
        print_table(console, table)
    console.print()
    console.print(str(comparison.signature), style="dim", highlight=False, soft_wrap=True)


def as_json(comparison: Comparison, keys: Sequence[str]) -> str:
    """One JSON object; ``systems`` has the scores, ``differences`` those from the baseline."""
    score = comparison.scores[comparison.baseline]
    shown: dict[str, Any] = {
        "metric": score.metric,
        "config": score.config,
        "protocol": score.protocol,
        "test": comparison.test,
        "baseline": comparison.baseline,
        "systems": {name: _values(comparison, name, keys) for name in comparison.scores},
        "differences": {
            name: {key: asdict(of_system[key]) for key in keys}
            for name, of_system in comparison.differences.items()
        },
        "signature": str(comparison.signature),
    }
    return json.dumps(shown, indent=2, ensure_ascii=False)


def as_csv(comparison: Comparison, keys: Sequence[str]) -> str:
    """A line for each score and system."""
    buffer = StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("score", "system", "value", "low", "high", *_DIFFERENCES, "signature"))
    for key in keys:
        for name, score in comparison.scores.items():
            of_system = comparison.differences.get(name)
            found = asdict(of_system[key]).values() if of_system else [""] * len(_DIFFERENCES)
            cells = (key, name, score.values[key], *score.intervals[key], *found)
            writer.writerow((*cells, str(comparison.signature)))
    return buffer.getvalue().rstrip("\n")


def as_markdown(comparison: Comparison, keys: Sequence[str]) -> str:
    """Markdown tables."""
    tables = map(markdown_of, tables_of(comparison, keys))
    return "\n\n".join([f"**{heading(comparison)}**", *tables, f"`{comparison.signature}`"])


def as_latex(comparison: Comparison, keys: Sequence[str]) -> str:
    """LaTeX tabulars for the booktabs package."""
    tables = map(latex_of, tables_of(comparison, keys))
    return "\n\n".join([f"% {comparison.signature}", *tables])


def _values(comparison: Comparison, name: str, keys: Sequence[str]) -> dict[str, float]:
    score = comparison.scores[name]
    return {
        part: value
        for key in keys
        for part, value in zip(
            (key, f"{key}_low", f"{key}_high"),
            (score.values[key], *score.intervals[key]),
            strict=True,
        )
    }


WRITERS: Mapping[str, Callable[[Comparison, Sequence[str]], str]] = {
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": as_latex,
}
"""Notation to the function that writes it; ``table`` is printed by :func:`print_comparison`."""
