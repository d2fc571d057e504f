"""Tables of codes as the scripts of CodiEsp and CANTEMIST read them, with pandas before 1.1.

That takes a column of digits for numbers, and ``null`` and the like for nothing.
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
"""What pandas 0.25 reads as a missing value."""
_STOPS = "The released script stops here too; protocol='spec' says line by line what is wrong"


@dataclass(frozen=True, slots=True)
class AsPandas:
    """How a released script reads.

    Args:
        table: the columns.
        judged: whether it looks at the number of columns and takes digits for numbers.
        ranked: whether it writes the codes into a file with blanks between columns, and cannot
            read back codes with blanks in them.
        headed: whether it takes the first row for a header, whatever it says.
    """

    table: Table
    judged: bool = True
    ranked: bool = False
    headed: bool = False

    def read(self, source: Source, valid: Collection[str] | None = None) -> Side:
        """Read files as the script does.

        Predicted codes that are not ``valid``, in lower case, are dropped; None drops none.

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
            raise _stop("a valid predicted code with a blank in it")
        documents, numbers = number(names)
        spans = (self._read_spans(cell) for *_, cell in kept)
        return as_side(documents, zip(numbers, codes, spans, strict=True))

    def _split(self, source: Source) -> Iterator[Sequence[str]]:
        """Yield each row's cells; if the first row has too many, only those at the end."""
        rows = list(_split_rows(source))
        wanted = len(self.table.columns)
        found = len(rows[0]) if rows else 0
        if self.judged and found != wanted:
            raise _stop(f"expected {wanted} columns ({self.table.line}), got {found}")
        return ([*row[max(found - wanted, 0) :], *[""] * wanted] for row in rows)

    def _pick(self, cells: Sequence[str]) -> tuple[str, str, str]:
        """Pick document, code and position of a row; what pandas takes for nothing is empty."""
        at = [self.table.find(name) for name in ("document", "code", "position")]
        picked = ["" if n is None or cells[n] in _NOTHING else cells[n] for n in at]
        if not picked[0]:
            raise InputError("a row without a document's name", remedy="Give it one")
        return picked[0], picked[1], picked[2]

    def _read_spans(self, cell: str) -> Spans:
        """Read the first and the last number of a position."""
        if "position" not in self.table.columns:
            return []
        first, _, rest = cell.partition(" ")
        last = rest.split(" ")[-1] if self.table is GOLD_PLACES else rest
        if _WHOLE.match(first) and _WHOLE.match(last.strip()):
            with suppress(ValueError):  # int, which the script calls, passes over fewer blanks
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
