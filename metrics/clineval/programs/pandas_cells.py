"""Read tables as pandas does, for released programs whose scores depend on it.

pandas reads an empty cell, ``NA``, ``null`` and similar words as a gap. It reads a column of digits
as integers, or as floats if the column has gaps. A quotation mark at the beginning of a cell opens
a quoted cell, which may contain tabs and line ends.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from clineval.base.errors import InputError
from clineval.formats.delimited.span_tables import name_columns, refuse_data
from clineval.formats.files import TextFile

Cell = str | int | float | None
"""A string, a number, or a gap (None). A gap among numbers is NaN, which equals nothing."""
STOPS = "The released program stops here too. protocol='spec' reports each faulty line"
_GAPS = frozenset(
    ("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
     "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null")
)  # fmt: skip
"""Words that pandas 2 reads as missing values."""
_WHOLE = re.compile(r"[+-]?\d+\Z", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_LARGEST, _LONG = 2**64 - 1, 40
_CLOSED = ["", "closed"]
"""A row after the last one; it is read as a row only if no quoted cell is still open."""


def stop(problem: str, where: str = "") -> InputError:
    """Return the error for input that stops a released program."""
    return InputError(problem, where=where, remedy=STOPS)


def is_gap(cell: Cell) -> bool:
    """Return whether a cell is a gap, among words or among numbers."""
    return cell is None or cell != cell  # noqa: PLR0124 - NaN


@dataclass(frozen=True, slots=True)
class Frame:
    """A table by columns.

    Args:
        columns: the cells of each column, by its name.
        places: file and line of each row.
        files: the number of the file of each row.
    """

    columns: Mapping[str, Sequence[Cell]]
    places: Sequence[str]
    files: Sequence[int]

    def __len__(self) -> int:
        return len(self.places)

    def without(self, name: str) -> Frame:
        """Return the table with gaps in all cells of a column."""
        return replace(self, columns={**self.columns, name: [None] * len(self)})

    def need(self, names: Sequence[str]) -> list[Sequence[Cell]]:
        """Return the cells of some columns; a missing column is an ``InputError``."""
        missing = [name for name in names if name not in self.columns]
        if missing:
            there = name_columns(tuple(self.columns), {"filename", *names})
            where = self.places[0].rpartition(":")[0] if self.places else ""
            problem = f"expected also columns named {', '.join(missing)}, got {there}"
            raise stop(problem, where)
        return [self.columns[name] for name in names]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a program reads tables.

    Args:
        quotes: whether a quotation mark opens a quoted cell; otherwise it is an ordinary character.
        gaps: whether ``NA`` and similar words are gaps; otherwise they are words.
        numbers: whether columns of digits become numbers.
    """

    quotes: bool = True
    gaps: bool = True
    numbers: bool = True

    def read(self, files: Iterable[TextFile]) -> Frame:
        """Read files as one table.

        Raises:
            InputError: the program would stop, for example at a row with more cells than the
                header.
        """
        rows: list[dict[str, str]] = []
        places: list[str] = []
        numbers: list[int] = []
        names: dict[str, None] = {}
        for at, file in enumerate(files):
            found = list(self.split(file))
            if not found:
                raise stop("expected a header, got an empty file", file.label)
            (place, named), *others = found
            refuse_data(named, place, alone=all(len(cells) < len(named) for _, cells in others))
            header = _name_repeated(named)
            names.update(dict.fromkeys(header))
            rows += (_as_row(header, cells, where) for where, cells in others)
            places += (where for where, _ in others)
            numbers += [at] * len(others)
        columns = {name: self.type([row.get(name, "") for row in rows]) for name in names}
        return Frame(columns, places, numbers)

    def head(self, file: TextFile) -> list[str]:
        """Return the names of a file's columns; an empty list if the file has no line."""
        _, cells = next(self.split(file), ("", []))
        return _name_repeated(cells)

    def split(self, file: TextFile) -> Iterator[tuple[str, list[str]]]:
        """Yield the rows that are not blank, each with its place."""
        lines = [*io.StringIO(file.content.decode(), newline=""), "\t".join(_CLOSED)]
        quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if self.quotes else csv.QUOTE_NONE
        reader = csv.reader(lines, delimiter="\t", quoting=quoting)
        cells: list[str] = []
        try:
            for cells in reader:
                if cells != _CLOSED and lines[reader.line_num - 1].strip(" \r\n"):
                    yield f"{file.label}:{reader.line_num}", cells
        except csv.Error:
            raise stop("a cell is too long", f"{file.label}:{reader.line_num}") from None
        if cells != _CLOSED:
            raise stop("a cell with unclosed quotes", file.label)

    def type(self, cells: Sequence[str]) -> list[Cell]:
        """Convert the cells of a column as pandas does.

        Examples:
            >>> Reading().type(["012", "7"]), Reading().type(["012", "x"])
            ([12, 7], ['012', 'x'])
            >>> Reading().type(["12", ""]), Reading().type(["x", "NA"])
            ([12.0, nan], ['x', None])
        """
        found: list[Cell] = [None if self.gaps and cell in _GAPS else cell for cell in cells]
        filled = [cell.strip() for cell in found if isinstance(cell, str)]
        if not self.numbers:
            return found
        if len(filled) == len(found) and all(map(_WHOLE.match, filled)):
            small = all(len(cell) < _LONG and abs(int(cell)) <= _LARGEST for cell in filled)
            return [*map(int, filled)] if small else found
        if all(map(_NUMBER.match, filled)):
            return [float("nan") if cell is None else float(cell) for cell in found]
        return found


def _name_repeated(header: Sequence[str]) -> list[str]:
    """Return the names of columns; as in pandas, repeated names are numbered.

    Examples:
        >>> _name_repeated(["span", "code", "span", "span"])
        ['span', 'code', 'span.1', 'span.2']
    """
    seen: Counter[str] = Counter()
    names = []
    for name in header:
        names.append(f"{name}.{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return names


def _as_row(header: Sequence[str], cells: Sequence[str], where: str) -> dict[str, str]:
    if len(cells) > len(header):
        raise stop(f"expected {len(header)} cells, got {len(cells)}", where)
    return dict(zip(header, cells, strict=False))
