"""Documents of tables by the bytes of their rows, so that a part of a table can be read alone.

A part of a table is its header and some of its rows. Empty lines before the header keep the lines
of a single document in their places.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import IO

import numpy as np

from clineval.base.arrays import IntArray, unite_keys
from clineval.base.errors import InputError
from clineval.base.files import find_limit
from clineval.base.packed import bare_name
from clineval.formats.class_tables import find_delimiter, long_cells
from clineval.formats.delimited.cells import Cells
from clineval.formats.delimited.span_tables import refuse_data, unquote
from clineval.formats.line_index import Index, LineForm, Lines
from clineval.formats.line_sources import LineFile
from clineval.formats.looks import refuse_text
from clineval.results.table_rows import TableRows

_BLOCK = 1 << 20
_BOM = b"\xef\xbb\xbf"
_LINE_END, _RETURN, _QUOTE = b"\n", b"\r", b'"'
_PADDING = bytes(8)
_LABELS = b"labels"
"""A heading of tables that are read by the places of their columns."""


class _AtOnceError(Exception):
    """The table must be read at once."""


@dataclass(frozen=True, slots=True)
class TableForm(LineForm):
    """The rows of a table.

    Args:
        rows: how such tables are written.
        delimiter: the character between cells.
        column: the number of the column with the names of documents.
    """

    rows: TableRows = field(default_factory=lambda: TableRows(()))
    delimiter: str = ","
    column: int = 0

    def find_name(self, lines: bytes) -> bytes | None:
        """Return the name of the document in the first row."""
        if not (self.rows.quoted and _QUOTE in lines):
            [first, *_] = lines.split(_LINE_END, 1)
            return self.key_of(first.split(self.delimiter.encode())[self.column])
        with long_cells():
            return next((name for *_, name in self.read_rows(BytesIO(lines))), None)

    def key_of(self, cell: bytes) -> bytes:
        """Return the name in a cell, as documents are paired.

        Raises:
            _AtOnceError: the cell is empty.
        """
        if not self.rows.quoted and _QUOTE in cell:
            cell = unquote(cell.decode(errors="replace")).encode()
        name = cell.strip()
        if not name:
            raise _AtOnceError
        return name.removesuffix(self.rows.ending.encode()) if self.rows.ending else name

    def read_rows(self, lines: Iterable[bytes]) -> Iterator[tuple[int, int, int, bytes]]:
        """Yield begin and end of each row with quotes, the number of lines before it, and its name.

        Raises:
            _AtOnceError: a row has no name.
        """
        ends = [0]

        def decode() -> Iterator[str]:
            for line in lines:
                ends.append(ends[-1] + len(line))
                yield line.decode(errors="replace")

        before = 0
        for cells in csv.reader(decode(), delimiter=self.delimiter, strict=True):
            if cells:
                name = self.key_of("".join(cells[self.column : self.column + 1]).encode())
                yield ends[before], ends[-1], before, name
            before = len(ends) - 1


def index_table(source: Path, rows: TableRows) -> Index | None:
    """Find the rows of each document.

    Returns:
        The index; None if the table must be read at once: if rows of a document are not adjacent,
        a row has no name, the file cannot be read, or the columns are not the usual ones.
    """
    try:
        file = LineFile.find(str(source), 0, 0)
        if file.size > find_limit():
            return None
        with file.open() as stream, long_cells():
            form, table, keys = _index(stream, str(source), rows)
    except (OSError, InputError, UnicodeDecodeError, csv.Error, _AtOnceError):
        return None
    if len(unite_keys(keys)) < len(keys):
        return None
    return Index(Lines([file], table, form=form), keys)


def _index(stream: IO[bytes], path: str, rows: TableRows) -> tuple[TableForm, IntArray, IntArray]:
    first = stream.readline()
    form = _find_form(first, path, rows)
    begin, number = len(first), 2
    found = []
    while block := stream.read(_BLOCK):
        block += stream.readline()
        if begin == len(first):
            refuse_text(bare_name(path), form.head + block, r"\.(csv|tsv)$")
        block, table, lines = _index_block(block, stream, form)
        if len(table):
            found.append(_unite(table + np.array([begin, begin, number, 0])))
        begin, number = begin + len(block), number + lines
    every = _unite(np.concatenate(found)) if found else np.zeros((0, 4), np.int64)
    return form, every[:, :3].copy(), every[:, 3].copy()


def _find_form(first: bytes, path: str, rows: TableRows) -> TableForm:
    """Find the columns in the first line."""
    head = first.removeprefix(_BOM)
    line = head.decode()
    _refuse_returns(head)
    delimiter = find_delimiter(line, bare_name(path)) if rows.quoted else "\t"
    if not line.endswith("\n") or _LABELS in head.lower() or head.startswith((b"<", b"{")):
        raise _AtOnceError
    if rows.quoted:
        [cells] = csv.reader([line], delimiter=delimiter, strict=True)
        names = [cell.strip().lower() for cell in cells]
    else:
        cells = [unquote(cell).strip() for cell in line.rstrip("\r\n").split(delimiter)]
        refuse_data(cells, "", alone=True)
        names = cells
    column = next((names.index(name) for name in rows.ids if name in names), -1)
    if column < 0 or len({*names}) < len(names):
        raise _AtOnceError
    return TableForm(head, rows, delimiter, column)


def _refuse_returns(block: bytes) -> None:
    if block.count(_RETURN) != block.count(b"\r\n"):
        raise _AtOnceError


def _index_block(block: bytes, stream: IO[bytes], form: TableForm) -> tuple[bytes, IntArray, int]:
    """Index whole lines, and further ones if a row goes on; the table has keys of documents.

    Returns:
        The bytes, ``[rows, 4]`` with begin, end, first line and key, and the number of lines.
    """
    _refuse_returns(block)
    if form.rows.quoted and _QUOTE in block:
        return _index_quoted(block, stream, form)
    return block, *_index_plain(block, form)


def _index_quoted(block: bytes, stream: IO[bytes], form: TableForm) -> tuple[bytes, IntArray, int]:
    taken: list[bytes] = []

    def take() -> Iterator[bytes]:
        for line in chain(block.splitlines(keepends=True), stream):
            taken.append(line)
            yield line

    table: list[tuple[int, int, int, int]] = []
    for begin, end, before, name in form.read_rows(take()):
        table.append((begin, end, before, hash(name)))
        if end >= len(block):
            break
    whole = b"".join(taken)
    _refuse_returns(whole)
    return whole, np.array(table, np.int64).reshape(-1, 4), len(taken)


def _index_plain(block: bytes, form: TableForm) -> tuple[IntArray, int]:
    """Index lines that are rows each."""
    ended = block if block.endswith(_LINE_END) else block + _LINE_END
    data = np.frombuffer(ended, np.uint8)
    ends = np.flatnonzero(data == ord(_LINE_END))
    begins = np.concatenate([[0], ends[:-1] + 1])
    stops = ends - ((ends > begins) & (data[ends - 1] == ord(_RETURN)))
    rows = np.flatnonzero(stops > begins)
    marks = np.append(np.flatnonzero(data == ord(form.delimiter)), len(data))
    bounds = begins[rows], stops[rows]
    first = np.searchsorted(marks, bounds[0])
    cells = Cells(ended + _PADDING, *_find_cells(marks, first, bounds, form.column))
    new = np.flatnonzero(cells.find_new())
    names = map(slice, cells.starts[new].tolist(), cells.ends[new].tolist())
    keys = [*map(_Keys(form).__getitem__, map(ended.__getitem__, names))]
    after = np.minimum(ends[rows] + 1, len(block))
    table = [bounds[0], after, rows, np.repeat(keys, np.diff(new, append=len(rows)))]
    return np.stack(table, axis=1).astype(np.int64), len(ends)


class _Keys(dict[bytes, int]):
    """Maps the cell with a name to the key of the document."""

    def __init__(self, form: TableForm) -> None:
        super().__init__()
        self._form = form

    def __missing__(self, cell: bytes) -> int:
        key = self[cell] = hash(self._form.key_of(cell))
        return key


def _find_cells(
    marks: IntArray, first: IntArray, bounds: tuple[IntArray, IntArray], column: int
) -> tuple[IntArray, IntArray]:
    """Return begins and ends of the cells of a column.

    Args:
        marks: the positions of separators, and the end of the text.
        first: ``[rows]``, the number of each row's first mark, which may be in a later row.
        bounds: ``[rows]``, the begins and the ends of rows.
        column: the number of the column.

    Raises:
        _AtOnceError: a row has no such cell.
    """
    begins, ends = bounds
    last = len(marks) - 1
    if column:
        begins = marks[np.minimum(first + column - 1, last)] + 1
    if (begins > ends).any():
        raise _AtOnceError
    return begins, np.minimum(marks[np.minimum(first + column, last)], ends)


def _unite(table: IntArray) -> IntArray:
    """Unite rows of the same document that follow each other."""
    new = np.flatnonzero(np.diff(table[:, 3], prepend=~table[:1, 3]))
    ends = np.append(new[1:], len(table)) - 1
    united = table[new]
    united[:, 1] = table[ends, 1]
    return united
