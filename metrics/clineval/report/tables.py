"""Scores as tables: for a terminal, a notebook, a paper, a spreadsheet, a program."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from io import StringIO
from typing import Any

from clineval.challenge import Challenge
from clineval.errors import InputError
from clineval.registry import find_challenge
from clineval.scores import Score

WIDTH = 100


@dataclass(frozen=True, slots=True)
class Table:
    """A table of strings: a title, column headings, and rows that begin with a heading."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables_of(score: Score) -> Iterator[Table]:
    """The tables of a score, as its challenge lays them out."""
    grids = find_challenge(score.metric).grids
    named = {key for grid in grids for keys in grid.rows.values() for key in keys}
    others = {key: (key,) for key in score.values if key not in named and key != "n_documents"}
    for grid in grids:
        rows = tuple(
            row
            for heading, keys in (grid.rows or others).items()
            if all(key in score.values for key in keys)
            for row in _rows(score, heading, keys)
        )
        if rows:
            yield Table(grid.title, grid.columns, rows)


def _rows(score: Score, heading: str, keys: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The scores, and below them their intervals if they have any."""
    yield heading, *(format_value(score.values[key]) for key in keys)
    if score.confidence and any(key in score.intervals for key in keys):
        intervals = (score.intervals.get(key) for key in keys)
        yield f"  {100 * score.confidence.level:g} %", *map(format_interval, intervals)


def documents_table(score: Score) -> Table:
    """One row for each document: counts and F1, or all scores, unless the challenge chooses."""
    rows = score.per_document
    own = find_challenge(score.metric).shown_per_document
    chosen = own or short_of(score.values, score.counts.columns)
    keys = [key for key in chosen if rows and key in rows[0]]
    body = tuple((str(row["document"]), *(format_value(row[key]) for key in keys)) for row in rows)
    return Table("Documents", tuple(keys), body)


def short_of(keys: Iterable[str], counts: Collection[str]) -> Sequence[str]:
    """Of many keys the counts and F1; all of them if there is no F1."""
    every = list(keys)
    short = [key for key in every if key in counts or key.endswith("_f1")]
    return short if any(key.endswith("_f1") for key in short) else every


def format_value(value: float) -> str:
    """Counts as they are, scores with four decimals.

    Examples:
        >>> format_value(12), format_value(0.46153846)
        ('12', '0.4615')
    """
    return str(value) if isinstance(value, int) else f"{value:.4f}"


def format_interval(interval: tuple[float, float] | None) -> str:
    """An interval with four decimals; nothing if there is none.

    Examples:
        >>> format_interval((0.75118, 0.819))
        '[0.7512, 0.8190]'
    """
    return "[{:.4f}, {:.4f}]".format(*interval) if interval else ""


def heading_of(score: Score) -> str:
    """What was scored, in a line."""
    challenge = find_challenge(score.metric)
    documents = "1 document" if len(score.counts) == 1 else f"{len(score.counts)} documents"
    return f"{challenge.title}, {score.config}, protocol {score.protocol}, {documents}"


def as_text(score: Score, *, per_document: bool = False) -> str:
    """Plain text, such as for ``repr``."""
    from rich.console import Console

    buffer = StringIO()
    print_score(Console(file=buffer, width=WIDTH), score, per_document=per_document)
    return buffer.getvalue().rstrip("\n")


def print_score(console: Any, score: Score, *, per_document: bool = False) -> None:
    """Print all tables of a score and its signature on a rich console."""
    console.print(heading_of(score), style="bold", highlight=False, soft_wrap=True)
    for table in _tables(score, per_document=per_document):
        print_table(console, table)
    console.print()
    console.print(str(score.signature), style="dim", highlight=False, soft_wrap=True)


def print_table(console: Any, table: Table) -> None:
    """Print one table on a rich console."""
    from rich import box
    from rich.table import Table as RichTable

    shown = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    shown.add_column("")
    for name in table.columns:
        shown.add_column(name, justify="right")
    for row in table.rows:
        shown.add_row(*row)
    console.print()
    console.print(table.title, style="bold")
    console.print(shown)


def compare_tables(scores: Mapping[str, Score]) -> Iterator[Table]:
    """The tables of several systems, their rows below one another.

    Args:
        scores: system name to its score; all of one metric and configuration.
    """
    of_systems = [list(tables_of(score)) for score in scores.values()]
    for tables in zip(*of_systems, strict=True):
        rows = [
            (f"{row[0]}  {name}", *row[1:])
            for alike in zip(*(table.rows for table in tables), strict=True)
            for name, row in zip(scores, alike, strict=True)
        ]
        yield Table(tables[0].title, tables[0].columns, tuple(rows))


def as_json(score: Score, *, per_document: bool = False) -> str:
    """One JSON object: ``metric``, ``config``, ``protocol``, ``scores``, ``signature``."""
    shown: dict[str, Any] = {
        "metric": score.metric,
        "config": score.config,
        "protocol": score.protocol,
        "scores": {**score.values, **score.bounds},
        "signature": str(score.signature),
    }
    if per_document:
        shown["per_document"] = score.per_document
    return json.dumps(shown, indent=2, ensure_ascii=False)


def as_csv(score: Score, *, per_document: bool = False) -> str:
    """Lines ``key,value``; or one line for each document."""
    buffer = StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    if per_document:
        keys = ["document", *(key for key in score.values if key != "n_documents")]
        writer.writerow(keys)
        writer.writerows([row[key] for key in keys] for row in score.per_document)
    else:
        writer.writerow(("key", "value"))
        writer.writerows(score.as_dict().items())
    return buffer.getvalue().rstrip("\n")


def as_markdown(score: Score, *, per_document: bool = False) -> str:
    """Markdown tables."""
    tables = map(markdown_of, _tables(score, per_document=per_document))
    return "\n\n".join([f"**{heading_of(score)}**", *tables, f"`{score.signature}`"])


def markdown_of(table: Table) -> str:
    """One Markdown table below its title."""
    lines = [("", *table.columns), ("---", *("---:" for _ in table.columns)), *table.rows]
    return table.title + "\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in lines)


def as_latex(score: Score, *, per_document: bool = False) -> str:
    """LaTeX tabulars for the booktabs package."""
    tables = map(latex_of, _tables(score, per_document=per_document))
    return "\n\n".join([f"% {score.signature}", *tables])


def latex_of(table: Table) -> str:
    """One LaTeX tabular for the booktabs package."""
    head, *rows = (
        " & ".join(map(_escape_latex, row)) + r" \\" for row in (("", *table.columns), *table.rows)
    )
    return "\n".join(
        [
            f"% {table.title}",
            rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
            *(r"\toprule", head, r"\midrule", *rows, r"\bottomrule"),
            r"\end{tabular}",
        ]
    )


def as_html(score: Score) -> str:
    """HTML tables, for notebooks."""
    parts = [f"<p><b>{escape(heading_of(score))}</b></p>"]
    for table in tables_of(score):
        head = "".join(f"<th>{escape(name)}</th>" for name in ("", *table.columns))
        body = "".join(
            f"<tr><th>{escape(row[0])}</th>"
            + "".join(f"<td>{cell}</td>" for cell in row[1:])
            + "</tr>"
            for row in table.rows
        )
        caption = f"<caption>{escape(table.title)}</caption>"
        parts.append(f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
    return "".join([*parts, f"<p><code>{escape(str(score.signature))}</code></p>"])


def _tables(score: Score, *, per_document: bool) -> Sequence[Table]:
    return [*tables_of(score), *([documents_table(score)] if per_document else [])]


def _escape_latex(text: str) -> str:
    for character in "&%$#_{}":
        text = text.replace(character, f"\\{character}")
    return text.replace("×", r"$\times$").replace("<", "$<$")


WRITERS: Mapping[str, Callable[..., str]] = {
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": as_latex,
}
"""Notation to the function that writes it; ``table`` is printed by :func:`print_score`."""


def find_writer(name: str, challenge: Challenge) -> Callable[..., str]:
    """The function that writes a score in one notation, ours or the challenge's own.

    Raises:
        InputError: the notation is another challenge's.
    """
    writer = {**WRITERS, **challenge.layouts}.get(name)
    if writer is None:
        raise InputError(f"{challenge.name} has no format {name!r}")
    return writer
