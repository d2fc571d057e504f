"""Read tables of codes as the scripts of CodiEsp and CANTEMIST do, with pandas before 1.1.

This pandas reads a column of digits as numbers, and words such as ``null`` as missing values.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from clineval.base.errors import InputError
from clineval.base.files import Source
from clineval.formats.delimited.code_tables import FILES, GOLD_PLACES, Table
from clineval.formats.files import read_text_files
from clineval.kinds.codes.corpus import Spans, as_side, number
from clineval.kinds.mentions.columns import Side

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,18}\Z", re.ASCII)
_NOTHING = frozenset(
    ("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
     "N/A", "NA", "NULL", "NaN", "n/a", "nan", "null")
)  # fmt: skip
"""Words that pandas 0.25 reads as missing values."""
_STOPS = "The released script stops here too. protocol='spec' reports each faulty line"


@dataclass(frozen=True, slots=True)
class AsPandas:
    """Read tables as a released script does.

    Args:
        table: the columns.
        judged: whether the script checks the number of columns and reads digits as numbers.
        ranked: whether the script writes the codes to a file whose columns are separated by
            blanks. It cannot read back codes that contain blanks.
        headed: whether the script skips the first row as a header, whatever it contains.
    """

    table: Table
    judged: bool = True
    ranked: bool = False
    headed: bool = False

    def read(self, source: Source, valid: Collection[str] | None = None) -> Side:
        """Read files as the script does.

        Drop codes whose lower-case form is not in ``valid``; None drops none.

        Raises:
            InputError: the script stops.
        """
        rows = [self._pick(cells) for cells in self._split(source)][self.headed :]
        kept = [row for row in rows if valid is None or row[1].lower() in valid]
        names = [name for name, *_ in kept]
        codes = [code for _, code, _ in kept]
        if self.judged:
            names = _guess(names)
            _refuse_numbers(codes)
        if self.ranked and any(len(code.split()) > 1 for code in codes):
            raise _stop("a valid predicted code contains a blank")
        documents, numbers = number(names)
        spans = (self._read_spans(cell) for *_, cell in kept)
        return as_side(documents, zip(numbers, codes, spans, strict=True))

    def _split(self, source: Source) -> Iterator[Sequence[str]]:
        """Yield the cells of each row; if the first row has too many, drop cells at the start."""
        rows = list(_split_rows(source))
        wanted = len(self.table.columns)
        found = len(rows[0]) if rows else 0
        if self.judged and found != wanted:
            raise _stop(f"expected {wanted} columns ({self.table.line}), got {found}")
        return ([*row[max(found - wanted, 0) :], *[""] * wanted] for row in rows)

    def _pick(self, cells: Sequence[str]) -> tuple[str, str, str]:
        """Pick document, code and position of a row; missing values are empty strings."""
        at = [self.table.find(name) for name in ("document", "code", "position")]
        picked = ["" if n is None or cells[n] in _NOTHING else cells[n] for n in at]
        if not picked[0]:
            raise InputError("a row has no document name", remedy="Add the name to the row")
        return picked[0], picked[1], picked[2]

    def _read_spans(self, cell: str) -> Spans:
        """Read the first and the last number of a position."""
        if "position" not in self.table.columns:
            return []
        first, _, rest = cell.partition(" ")
        last = rest.split(" ")[-1] if self.table is GOLD_PLACES else rest
        if _WHOLE.match(first) and _WHOLE.match(last.strip()):
            with suppress(ValueError):  # the script calls int, which strips fewer characters
                return [(int(first), int(last))]
        raise _stop("expected a position of two numbers")


def _split_rows(source: Source) -> Iterator[list[str]]:
    for file in read_text_files(source, pattern=FILES, separator="\t"):
        text = file.with_line_feeds().content.decode()
        lines = (line for line in text.split("\n") if line.strip(" "))
        try:
            yield from csv.reader(lines, delimiter="\t")
        except csv.Error:
            raise InputError(
                "a cell of a row contains a line end, or is too long",
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
        raise _stop("all codes are numbers or missing")


def check_valid(codes: Collection[str]) -> frozenset[str]:
    """Lower-case the valid codes as the scripts do; reject a list that pandas would misread."""
    if not _NOTHING.isdisjoint(codes):
        raise _stop("the list of valid codes contains a code that pandas reads as missing")
    _refuse_numbers(sorted(codes))
    return frozenset(code.lower() for code in codes)
