"""The TSV files of CodiEsp, without a header: codes of documents with their places, and chapters.

Columns that are named ``document``, ``code`` and ``position`` are read; others may hold anything.
A position is ``start end``, or several of these with ``;`` between them, in characters, ends
exclusive: a reference of several parts, which stands for all from its first to its last character.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from clineval.base.errors import InputError, read_all, shown
from clineval.base.files import Source
from clineval.base.offsets import LARGEST
from clineval.base.problems import Problem
from clineval.formats import checking
from clineval.formats.files import TextFile, read_text_files
from clineval.kinds.codes import Spans, as_side, is_code, number
from clineval.kinds.mentions.columns import Side

FILES = r"\.tsv$"
NO_CHAPTER = "(no chapter)"
_POSITION = re.compile(r"\d{1,15} \d{1,15}(;\d{1,15} \d{1,15})*\Z", re.ASCII)


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
    rows = [read_line(line, table, where) for where, line in _lines_of(source)]
    names, numbers = number([name for name, *_ in rows])
    return as_side(names, ((n, *row[1:]) for n, row in zip(numbers, rows, strict=True)))


def _lines_of(source: Source) -> Iterator[tuple[str, str]]:
    for file in read_text_files(source, pattern=FILES, separator="\t"):
        yield from file.lines()


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


def read_valid(given: object) -> frozenset[str] | None:
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
        listed = given if isinstance(given, (list, tuple, set)) else ()
        found = frozenset(listed if all(isinstance(code, str) for code in listed) else ())
    if not found:
        raise InputError(f"expected a path or codes, got {shown(given)}", where="codes")
    return found


def _first_cells(source: Source) -> Iterator[str]:
    for where, line in _lines_of(source):
        code = line.split("\t")[0]
        if not code.strip().isprintable():
            raise InputError("expected a code in the first column", where=where)
        if code.strip():
            yield code


@dataclass(frozen=True, slots=True)
class Chapters:
    """The chapter of each code, by its beginning in lower case."""

    by_beginning: Mapping[str, str]

    def find(self, code: str) -> str:
        """Find the chapter with the longest prefix of a code.

        Examples:
            >>> chapters = Chapters({"d": "Neoplasms", "d5": "Blood"})
            >>> chapters.find("D50.9"), chapters.find("d10"), chapters.find("I10")
            ('Blood', 'Neoplasms', '(no chapter)')
        """
        beginnings = (code.lower()[:size] for size in range(len(code), 0, -1))
        chapters = (self.by_beginning[b] for b in beginnings if b in self.by_beginning)
        return next(chapters, NO_CHAPTER)


def read_chapters(given: object) -> Chapters | None:
    """Read chapters from a mapping or a TSV file of prefixes; an ``InputError`` names the line."""
    if given is None:
        return None
    if isinstance(given, (str, os.PathLike)):
        return Chapters(dict(_read_chapter_lines(given)))
    if not isinstance(given, Mapping) or not all(map(_is_pair, given.items())):
        raise InputError(
            f"expected a path, or beginnings of codes and their chapters, got {shown(given)}",
            where="chapters",
        )
    return Chapters({beginning.strip().lower(): chapter for beginning, chapter in given.items()})


def _read_chapter_lines(source: Source) -> Iterator[tuple[str, str]]:
    for where, line in _lines_of(source):
        cells = tuple(cell.strip() for cell in line.split("\t")[:2])
        if not _is_pair(cells):
            problem = "expected the beginning of a code, a tab, and a chapter"
            raise InputError(problem, where=where)
        yield cells[0].lower(), cells[1]


def _is_pair(cells: tuple[object, ...]) -> bool:
    return len(cells) == 2 and all(  # noqa: PLR2004 - beginning and chapter
        isinstance(cell, str) and cell.strip() and cell.isprintable() for cell in cells
    )
