"""The TSV files of CodiEsp, which have no header: codes of documents, and where the text says so.

Columns that are named ``document``, ``code`` and ``position`` are read; others may hold anything.
A position is ``start end``, or several of these with ``;`` between them, in characters, ends
exclusive: a reference of several parts, which stands for all from its first to its last character.

Files are read strictly, or as the released scripts read them: with pandas 0.25, which takes a
column of digits for numbers and ``null`` and the like for nothing.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from clineval.base.errors import InputError, read_all, shown
from clineval.base.files import Source
from clineval.base.offsets import LARGEST
from clineval.base.problems import Problem
from clineval.formats import checking
from clineval.formats.files import TextFile, read_text_files
from clineval.kinds.codes.rows import Spans, as_side, is_code, number
from clineval.kinds.mentions.columns import Side

FILES = r"\.tsv$"
_POSITION = re.compile(r"\d{1,15} \d{1,15}(;\d{1,15} \d{1,15})*\Z", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,18}\Z", re.ASCII)
_NOTHING = frozenset(
    ("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
     "N/A", "NA", "NULL", "NaN", "n/a", "nan", "null")
)  # fmt: skip
"""What pandas 0.25 reads as a missing value."""
_STOPS = "The released script stops here too; protocol='spec' says line by line what is wrong"


@dataclass(frozen=True, slots=True)
class Table:
    """The names of a file's columns; ``document``, ``code`` and ``position`` are read."""

    columns: tuple[str, ...]

    @property
    def line(self) -> str:
        """The columns as they stand in a line."""
        return " ".join(self.columns)

    def find(self, name: str) -> int | None:
        """Return the number of a column; None if the file has no such column."""
        return self.columns.index(name) if name in self.columns else None


LISTS = Table(("document", "code"))
GOLD_PLACES = Table(("document", "label", "code", "reference", "position"))
PLACES = Table(("document", "position", "label", "code"))
_TABLES = {len(table.columns): table for table in (LISTS, PLACES, GOLD_PLACES)}


def read_side(source: Source, table: Table) -> Side:
    r"""Read files strictly; documents are paired by name. An ``InputError`` names file and line.

    Examples:
        >>> side = read_side("a\tDIAGNOSTICO\tI10\tpalabra\t4 8;10 15\n", GOLD_PLACES)
        >>> side.documents, side.mentions.text_of_spans(0)
        (('a',), '4-15')
    """
    rows = []
    for file in read_text_files(source, pattern=FILES, separator="\t"):
        rows += [read_line(line, table, where) for where, line in file.lines()]
    names, numbers = number([name for name, *_ in rows])
    return as_side(names, ((n, *row[1:]) for n, row in zip(numbers, rows, strict=True)))


def read_line(line: str, table: Table, where: str) -> tuple[str, str, Spans]:
    """Read document, code and places of one line; an ``InputError`` if it has another form."""
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) != len(table.columns):
        raise InputError(
            f"expected {len(table.columns)} columns with tabs between them ({table.line}), "
            f"got {len(cells)}",
            where=where,
        )
    document, code = (cells[table.columns.index(name)] for name in ("document", "code"))
    if not document or not document.isprintable():
        raise InputError("document: expected a name in printable characters", where=where)
    if not is_code(code):
        raise InputError(f"code: expected a code without blanks, got {shown(code)}", where=where)
    at = table.find("position")
    return document, code, [] if at is None else [_read_position(cells[at], where)]


def find_problems(paths: Sequence[Path]) -> Iterator[Problem]:
    """Yield all problems of lists of codes, of codes with places, and of gold standards of these.

    The first line's number of columns says which of them a file is: 2, 4 or 5.
    """
    for file in checking.open_files(paths, FILES):
        if isinstance(file, Problem):
            yield file
            continue
        lines = [line for _, line in file.lines()]
        if not lines:
            yield Problem(file.path, 0, "expected lines with a document and a code, got none")
            continue
        table = _TABLES.get(lines[0].count("\t") + 1, LISTS)
        yield from checking.find_in_file(file, partial(_read_file, table=table))


def _read_file(file: TextFile, table: Table) -> None:
    read_all(partial(read_line, line, table, where) for where, line in file.lines())


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


def read_valid(given: Any) -> frozenset[str] | None:
    """Read the codes that count.

    They are given as the path of TSV files that have them in their first column, or as a
    collection; None for all.

    Raises:
        InputError: something else, or no codes.
    """
    if given is None or isinstance(given, frozenset):
        return given
    if isinstance(given, (str, os.PathLike)):
        found = frozenset(_first_cells(given))
    else:
        listed = isinstance(given, (list, tuple, set)) and all(isinstance(c, str) for c in given)
        found = frozenset(given) if listed else frozenset()
    if not found:
        raise InputError(f"expected a path or codes, got {shown(given)}", where="codes")
    return found


def _first_cells(source: Source) -> Iterator[str]:
    for file in read_text_files(source, pattern=FILES, separator="\t"):
        for where, line in file.lines():
            code = line.split("\t")[0]
            if not code.strip().isprintable():
                raise InputError("expected a code in the first column", where=where)
            if code.strip():
                yield code


@dataclass(frozen=True, slots=True)
class AsPandas:
    """How a released script reads.

    Args:
        table: the columns.
        judged: whether it looks at the number of columns and takes digits for numbers.
        ranked: whether it writes the codes into a file with blanks between columns, and cannot
            read back codes with blanks in them.
    """

    table: Table
    judged: bool = True
    ranked: bool = False

    def read(self, source: Source, valid: Collection[str] | None) -> Side:
        """Read files as the script does.

        Predicted codes that are not ``valid``, in lower case, are dropped; None drops none.

        Raises:
            InputError: the script stops.
        """
        rows = [self._pick(cells) for cells in self._split(source)]
        kept = [row for row in rows if valid is None or row[1].lower() in valid]
        names = [name for name, *_ in kept]
        codes = [code for _, code, _ in kept]
        if self.judged:
            names = _guess(names)
            _refuse_numbers(codes)
        if self.ranked and any(len(code.split()) > 1 for code in codes):
            raise _stop("a valid predicted code with a blank in it")
        documents, numbers = number(names)
        spans = (self._read_spans(cell) for *_, cell in kept)
        return as_side(documents, zip(numbers, codes, spans, strict=True))

    def _split(self, source: Source) -> Iterator[list[str]]:
        """Yield each row's cells; if the first row has too many, only those at the end."""
        rows = list(_split_rows(source))
        wanted = len(self.table.columns)
        found = len(rows[0]) if rows else 0
        if self.judged and found != wanted:
            raise _stop(f"expected {wanted} columns ({self.table.line}), got {found}")
        return (row[max(found - wanted, 0) :] for row in rows)

    def _pick(self, cells: Sequence[str]) -> tuple[str, str, str]:
        """Pick document, code and position of a row; what pandas takes for nothing is empty."""
        wanted = len(self.table.columns)
        picked = ["" if cell in _NOTHING else cell for cell in [*cells, *[""] * wanted][:wanted]]
        place = self.table.find("position")
        document = picked[self.table.columns.index("document")]
        if not document:
            raise InputError("a row without a document's name", remedy="Give it one")
        code = picked[self.table.columns.index("code")]
        return document, code, "" if place is None else picked[place]

    def _read_spans(self, cell: str) -> Spans:
        """Read the first and the last number of a position."""
        if "position" not in self.table.columns:
            return []
        first, _, rest = cell.partition(" ")
        last = rest.split(" ")[-1] if self.table is GOLD_PLACES else rest
        if not (_WHOLE.match(first) and _WHOLE.match(last.strip())):
            raise _stop("expected a position of two numbers")
        return [(int(first), int(last))]


def _split_rows(source: Source) -> Iterator[list[str]]:
    for file in read_text_files(source, pattern=FILES, separator="\t"):
        lines = (line for line in file.content.decode().split("\n") if line.strip(" \r"))
        try:
            yield from csv.reader(lines, delimiter="\t")
        except csv.Error:
            raise InputError(
                "a row with a line end in a cell, or with a cell beyond all bounds",
                where=file.label,
                remedy="End rows with a line feed, and close quotation marks",
            ) from None


def _stop(problem: str) -> InputError:
    return InputError(problem, remedy=_STOPS)


def _guess(names: Sequence[str]) -> list[str]:
    """Turn names of documents into numbers if all of them are numbers."""
    if names and all(map(_WHOLE.match, names)):
        return [str(int(name)) for name in names]
    if names and all(map(_NUMBER.match, names)):
        return [repr(float(name)) for name in names]
    return list(names)


def _refuse_numbers(codes: Sequence[str]) -> None:
    given = [code for code in codes if code]
    if codes and all(map(_NUMBER.match, given)):
        raise _stop("codes of which all are numbers, or missing")


def check_valid(codes: Collection[str]) -> frozenset[str]:
    """Lower-case valid codes as the scripts do; refuse them if pandas takes one for nothing."""
    if not _NOTHING.isdisjoint(codes):
        raise _stop("the list of valid codes has a code that pandas takes for nothing")
    _refuse_numbers(sorted(codes))
    return frozenset(code.lower() for code in codes)
