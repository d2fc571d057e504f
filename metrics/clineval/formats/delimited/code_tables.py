"""TSV files of codes: ranked codes of documents, codes with positions, and lists of valid codes.

The columns ``document``, ``code`` and ``position`` are read; others may contain anything. A
position is ``start end`` in characters, with an exclusive end. Several parts are separated by
``;``; they count as one span from the first to the last character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from clineval.base.errors import InputError, read_each, shown
from clineval.base.files import Source
from clineval.base.offsets import LARGEST
from clineval.formats.code_lists import take_codes
from clineval.formats.files import read_text_files
from clineval.formats.given.code_lists import Judge, take
from clineval.kinds.codes.corpus import Spans, as_side, is_code, number
from clineval.kinds.mentions.columns import Side

FILES = r"\.tsv$"
_POSITION = re.compile(r"\d{1,15} \d{1,15}(;\d{1,15} \d{1,15})*\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Table:
    """The layout of a file.

    Args:
        columns: the names of the columns; ``document``, ``code`` and ``position`` are read.
        headed: whether a first line is a header if its last cell is ``code``.
    """

    columns: tuple[str, ...]
    headed: bool = False

    @property
    def line(self) -> str:
        """The names of the columns, for messages."""
        return " ".join(self.columns)

    def is_header(self, line: str) -> bool:
        """Return whether a file's first line is a header."""
        return self.headed and line.rsplit("\t", maxsplit=1)[-1].strip().lower() == "code"

    def find(self, name: str) -> int | None:
        """Return the number of a column; None if the file has no such column."""
        return self.columns.index(name) if name in self.columns else None


LISTS = Table(("document", "code"))
GOLD_PLACES = Table(("document", "label", "code", "reference", "position"))
PLACES = Table(("document", "position", "label", "code"))
TABLES = (LISTS, PLACES, GOLD_PLACES)


def read_side(source: Source, table: Table, judge: Judge = take) -> Side:
    r"""Read files strictly; documents are paired by name.

    Raises:
        InputError: a line is invalid; the message names file and line.

    Examples:
        >>> side = read_side("a\tDIAGNOSTICO\tI10\tpalabra\t4 8;10 15\n", GOLD_PLACES)
        >>> side.documents, side.mentions.text_of_spans(0)
        (('a',), '4-15')
    """
    rows = read_each(partial(_read_line, table=table, judge=judge), lines_of(source, table))
    names, numbers = number([name for name, *_ in rows])
    return as_side(names, ((n, *row[1:]) for n, row in zip(numbers, rows, strict=True)))


def lines_of(source: Source, table: Table | None = None) -> Iterator[tuple[str, str]]:
    """Yield place and text of the lines that are not blank, without a table's headers."""
    for file in read_text_files(source, pattern=FILES, separator="\t"):
        lines = file.lines()
        first = next(lines, None)
        if first and not (table and table.is_header(first[1])):
            yield first
        yield from lines


def _read_line(where: str, line: str, table: Table, judge: Judge) -> tuple[str, str, Spans]:
    """Read document, code and spans of one line; raise an ``InputError`` if it is invalid."""
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) != len(table.columns):
        raise InputError(
            f"expected {len(table.columns)} columns separated by tabs ({table.line}), "
            f"got {len(cells)}",
            where=where,
        )
    document, code = (cells[table.columns.index(name)] for name in ("document", "code"))
    if not document or not document.isprintable():
        raise InputError("document: expected a name in printable characters", where=where)
    if not is_code(code):
        raise InputError(f"code: expected a code without blanks, got {shown(code)}", where=where)
    if wrong := judge(code):
        raise InputError(wrong, where=where)
    at = table.find("position")
    return document, code, [] if at is None else [_read_position(cells[at], where)]


def _read_position(cell: str, where: str) -> tuple[int, int]:
    if not _POSITION.match(cell):
        raise InputError(
            f"position: expected offsets such as 12 20 or 12 20;25 30, got {shown(cell)}",
            where=where,
        )
    parts = [tuple(map(int, part.split(" "))) for part in cell.split(";")]
    if not all(start < end <= LARGEST for start, end in parts):
        raise InputError("position: expected every start before its end", where=where)
    return min(start for start, _ in parts), max(end for _, end in parts)


def read_valid(given: object) -> frozenset[str] | None:
    """Read the valid codes.

    ``given`` is the path of TSV files with the codes in the first column, a collection of codes,
    or None for all codes.

    Raises:
        InputError: the value is something else, or contains no codes.
    """
    return take_codes(given, _first_cells, whole=True)


def _first_cells(source: Source) -> Iterator[str]:
    for where, line in lines_of(source):
        code = line.split("\t")[0]
        if not code.strip().isprintable():
            raise InputError("expected a code in the first column", where=where)
        if code.strip():
            yield code
