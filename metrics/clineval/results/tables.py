"""Results as tables, for terminals, notebooks, papers, spreadsheets and programs.

Scores, comparisons, groups, errors and agreement all return a :class:`Sheet`. The writers of this
file depend only on that class, so that all results are written alike.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from io import StringIO
from itertools import chain
from typing import TYPE_CHECKING

from clineval.base.errors import InputError
from clineval.base.escaping import (
    in_latex,
    in_markdown,
    line_of_markdown,
    number_in_latex,
    visible,
    write_csv,
    write_json,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from clineval.results.paragraphs import Methods

WIDTH = 100
_UNBOUNDED = 10_000
_DAGGER = " †"
_OF_PAPERS = ("methods", "methods-markdown", "methods-latex")
"""The keys of :data:`~clineval.results.paragraphs.PARAGRAPHS`, imported when one is written."""
_BOOKTABS = r"% needs \usepackage{booktabs}"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of strings: a title, column headings, and rows that begin with a heading."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A result in the form that every writer takes; each writer calls the parts that it needs.

    Args:
        tables: returns the tables for people.
        data: returns the values for programs, in types that JSON supports.
        lines: returns the lines of a spreadsheet, headings first; None for the lines of the only
            table.
        heading: a line about the tables; empty if their titles are enough.
        signature: the settings that affect the numbers, in one or more lines; empty if there are
            none.
        notes: returns remarks about the numbers, a line each; the remark on daggers is left out if
            no cell has one.
        warnings: returns the warnings, a line each (:func:`add_warnings`).
        methods: returns the paragraph for a paper; None if the result has none.
    """

    tables: Callable[[], Iterable[Table]]
    data: Callable[[], object]
    lines: Callable[[], Iterable[Sequence[object]]] | None = None
    heading: str = ""
    signature: str = ""
    notes: Callable[[], Iterable[str]] = lambda: ()
    warnings: Callable[[], Iterable[str]] = lambda: ()
    methods: Callable[[], Methods] | None = None


def add_warnings(sheet: Sheet, heard: Callable[[], Sequence[str]]) -> Sheet:
    """Add warnings to a result, so that they are passed on with the numbers.

    Args:
        sheet: the result.
        heard: returns the warnings; called late, because intervals warn only when the result is
            described.
    """
    tables = cache(lambda: list(sheet.tables()))

    def describe() -> object:
        data = sheet.data()
        warned = list(heard())
        return {**data, "warnings": warned} if warned and isinstance(data, dict) else data

    def say() -> list[str]:
        tables()
        return [f"Warning: {each}" for each in heard()]

    return replace(sheet, tables=tables, data=describe, warnings=say)


def format_value(value: float | None) -> str:
    """Write a count as it is, a score with four decimals, a dash for an undefined value.

    Examples:
        >>> format_value(12), format_value(0.46153846), format_value(None)
        ('12', '0.4615', '–')
    """
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.4f}"


def format_interval(interval: tuple[float, float] | None, *, few: bool = False) -> str:
    """Write an interval with four decimals; a dash if it is undefined.

    A dagger marks an interval that rests on few units.

    Examples:
        >>> format_interval((0.75118, 0.819)), format_interval((0.5, 1.0), few=True)
        ('[0.7512, 0.8190]', '[0.5000, 1.0000] †')
    """
    return "[{:.4f}, {:.4f}]".format(*interval) + few * _DAGGER if interval else "–"


def stack_tables(named: Mapping[str, Iterable[Table]]) -> Iterator[Table]:
    """Merge the tables of several systems, with their rows below one another.

    A system may lack tables or rows, such as the ranks of codes if it does not rank codes.

    Examples:
        >>> tables = {"a": [Table("F1", ("score",), (("x", "1"), ("y", "2")))],
        ...           "b": [Table("F1", ("score",), (("x", "3"),))]}
        >>> next(stack_tables(tables)).rows
        (('x  a', '1'), ('x  b', '3'), ('y  a', '2'))
    """
    alike: dict[tuple[str, tuple[str, ...]], dict[str, list[tuple[str, ...]]]] = {}
    for name, tables in named.items():
        for table in tables:
            rows = alike.setdefault((table.title, table.columns), {})
            for heading, *cells in table.rows:
                rows.setdefault(heading, []).append((f"{heading}  {name}", *cells))
    for (title, columns), rows in alike.items():
        yield Table(title, columns, tuple(chain.from_iterable(rows.values())))


def lines_of(table: Table) -> list[tuple[str, ...]]:
    """List the headings of a table and its rows."""
    return [("", *table.columns), *table.rows]


def as_text(sheet: Sheet) -> str:
    """Write plain text, such as for ``repr``."""
    from rich.console import Console

    buffer = StringIO()
    print_sheet(Console(file=buffer, width=WIDTH), sheet)
    return buffer.getvalue().rstrip("\n")


def console_of(least: int = 0, *, highlight: bool = True) -> Console:
    """Open a rich console on standard output, with a minimum width if it is not a terminal."""
    from rich.console import Console

    on_terminal = sys.stdout is not None and sys.stdout.isatty()  # None if it was closed
    return Console(width=None if on_terminal else max(WIDTH, least), highlight=highlight)


def print_sheet(console: Console, sheet: Sheet) -> None:
    """Print heading, tables and signature on a rich console."""
    if sheet.heading:
        console.print(text_of(sheet.heading), style="bold", soft_wrap=True)
    tables = list(sheet.tables())
    for table in tables:
        print_table(console, table)
    for note in _list_notes(sheet, tables):
        console.print()
        console.print(text_of(note), soft_wrap=True)
    for line in sheet.signature.splitlines():
        console.print()
        console.print(text_of(line), style="dim", soft_wrap=True)


def _list_notes(sheet: Sheet, tables: Iterable[Table]) -> list[str]:
    """List the notes of a result; include the note on daggers only if a cell has one."""
    dagger = _DAGGER.strip()
    marked = any(dagger in cell for table in tables for row in table.rows for cell in row[1:])
    return [note for note in sheet.notes() if marked or not note.startswith(dagger)]


def print_table(console: Console, table: Table) -> None:
    """Print one table on a rich console."""
    from rich import box
    from rich.table import Table as RichTable

    shown = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    shown.add_column(text_of(""))  # for a string, rich imports all emojis
    least = [0] * len(table.columns) if console.is_terminal else list(map(len, table.columns))
    for name, width in zip(table.columns, least, strict=True):
        shown.add_column(text_of(name), justify="right", overflow="fold", min_width=width)
    for row in table.rows:
        shown.add_row(*map(text_of, row))
    console.print()
    console.print(text_of(table.title), style="bold")
    if not console.is_terminal:  # headings are never cut; a terminal folds them
        unbounded = console.options.update(max_width=_UNBOUNDED)
        console.width = max(console.width, console.measure(shown, options=unbounded).minimum)
    console.print(shown)


def text_of(data: str) -> Text:
    """Create a text that rich prints literally, without markup, emojis or escape sequences."""
    from rich.text import Text

    return Text(visible(data))


def as_json(sheet: Sheet) -> str:
    """Write one JSON value."""
    return write_json(sheet.data())


def as_csv(sheet: Sheet) -> str:
    """Write the lines of a spreadsheet; reject several tables unless the sheet has lines."""
    if sheet.lines:
        return write_csv(sheet.lines()).rstrip("\n")
    table, *more = sheet.tables()
    if more:
        raise InputError("several tables cannot be one CSV", remedy="Choose another format")
    return write_csv(lines_of(table)).rstrip("\n")


def as_markdown(sheet: Sheet) -> str:
    """Write Markdown tables."""
    parts = [f"**{sheet.heading}**"] if sheet.heading else []
    tables = list(sheet.tables())
    parts += map(markdown_of, tables)
    parts += map(line_of_markdown, (*_list_notes(sheet, tables), *sheet.warnings()))
    return "\n\n".join([*parts, *(f"`{line}`" for line in sheet.signature.splitlines())])


def markdown_of(table: Table) -> str:
    """Write one Markdown table below its title."""
    head, *body = (map(in_markdown, row) for row in lines_of(table))
    lines = [head, ("---", *("---:" for _ in table.columns)), *body]
    title = line_of_markdown(table.title)
    return f"{title}\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in lines)


def as_latex(sheet: Sheet) -> str:
    """Write LaTeX tabulars for the booktabs package, and everything else as comments."""
    signature = (f"% {visible(line)}" for line in sheet.signature.splitlines())
    tables = list(sheet.tables())
    notes = (in_latex(note) for note in _list_notes(sheet, tables))
    warnings = (f"% {visible(warning)}" for warning in sheet.warnings())
    return "\n\n".join([_BOOKTABS, *signature, *map(latex_of, tables), *notes, *warnings])


def latex_of(table: Table) -> str:
    """Write one LaTeX tabular for the booktabs package."""
    cells = (
        map(in_latex, ("", *table.columns)),
        *((in_latex(name), *map(number_in_latex, rest)) for name, *rest in table.rows),
    )
    head, *rows = (" & ".join(row) + r" \\" for row in cells)
    return "\n".join(
        [
            f"% {visible(table.title)}",
            rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
            *(r"\toprule", head, r"\midrule", *rows, r"\bottomrule"),
            r"\end{tabular}",
        ]
    )


def as_html(sheet: Sheet) -> str:
    """Write HTML tables, for notebooks."""
    from html import escape

    tables = list(sheet.tables())
    parts = [f"<p><b>{escape(sheet.heading)}</b></p>", *map(_html_of, tables)]
    parts += (f"<p>{escape(note)}</p>" for note in _list_notes(sheet, tables))
    parts += (f"<p><code>{escape(line)}</code></p>" for line in sheet.signature.splitlines())
    return "".join(parts)


def _html_of(table: Table) -> str:
    from html import escape

    head = "".join(f"<th>{escape(name)}</th>" for name in ("", *table.columns))
    body = "".join(
        f"<tr><th>{escape(row[0])}</th>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in table.rows
    )
    caption = f"<caption>{escape(table.title)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def as_methods(sheet: Sheet, notation: str) -> str:
    """Write the paragraph for a paper.

    Raises:
        InputError: the result has none.
    """
    if sheet.methods is None:
        problem = "only scores and comparisons of a whole corpus have a paragraph for a paper"
        raise InputError(problem, where=f"format {notation}", remedy="Choose another format")
    from clineval.results.paragraphs import PARAGRAPHS

    return PARAGRAPHS[notation].write(sheet.methods())


WRITERS: Mapping[str, Callable[[Sheet], str]] = {
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": as_latex,
    **{notation: partial(as_methods, notation=notation) for notation in _OF_PAPERS},
}
"""Notation to the function that writes it; ``table`` is printed by :func:`print_sheet`."""
