"""Tables of codes: CSV and TSV with a row for each code of a document, and optional scores."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from clineval.base.errors import InputError, agree, read_each, shown
from clineval.formats.class_tables import IDS, number_rows, read_parts
from clineval.formats.files import TextFile
from clineval.kinds.codes.corpus import CODE, SCORE, is_code
from clineval.results.table_rows import TableRows

DOCUMENT = "filename"
COLUMNS = (DOCUMENT, CODE, SCORE)
"""The headings that are written."""
_CODES, _PLAIN = "codes", 2
_HEADINGS = {DOCUMENT: IDS, CODE: (CODE, _CODES, "label"), SCORE: (SCORE, "probability")}
"""The content of each column, and its possible headings, in any case."""
ROWS = TableRows(IDS)
"""How the rows of documents are found."""
_SEPARATORS = re.compile(r"[;|,]")
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?\s*\Z", re.ASCII)
Scored = tuple[str, float | None]
"""A code, and its score, if it has one."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """The positions of the columns; ``score`` is -1 for none.

    Args:
        document: the column of document names.
        code: the column of codes.
        score: the column of scores.
        several: whether a cell can contain several codes.
        width: the number of columns.
    """

    document: int
    code: int
    score: int
    several: bool
    width: int


def read_code_rows(file: TextFile) -> list[tuple[str, str, list[Scored]]]:
    r"""Read place, document and codes of each row; raise all errors at once.

    A column ``codes`` can contain several codes in a cell, separated by semicolons, bars or
    commas. A row without a code names a document without codes.

    Examples:
        >>> from clineval.formats.files import from_string
        >>> read_code_rows(from_string("t", "id,codes\na,I10;J45\nb,\n"))
        [('t:2', 'a', [('I10', None), ('J45', None)]), ('t:3', 'b', [])]
    """
    parts = read_parts(file)
    empty, first = next(parts, (0, []))
    line, header = next(number_rows(empty, first), (0, []))
    layout = _find_columns(header, f"{file.label}:{line}" if header else file.label)
    below = next((at for at, cells in enumerate(first, 1) if cells), 0)

    def read(line: int, cells: Sequence[str]) -> tuple[str, str, list[Scored]]:
        where = f"{file.label}:{line}"
        return where, *_read_row(cells, layout, where)

    rows = [*number_rows(line, first[below:])]
    rows += [row for before, part in parts for row in number_rows(before, part)]
    return read_each(read, rows)


def read_code_columns(file: TextFile) -> tuple[list[str], list[str]] | None:
    r"""Return the documents and codes of a table whose rows all have one code and no score.

    It is much faster than :func:`read_code_rows`. Other tables return None.

    Examples:
        >>> from clineval.formats.files import from_string
        >>> read_code_columns(from_string("t", "id,code\na,I10\na,J45\n"))
        (['a', 'a'], ['I10', 'J45'])
    """
    rows = [cells for _, part in read_parts(file) for cells in part if cells]
    columns = [cell.strip().lower() for cell in rows[0]] if rows else []
    if len(columns) != _PLAIN or columns[0] not in IDS or columns[1] not in _HEADINGS[CODE]:
        return None
    if columns[1] == _CODES or {*map(len, rows)} != {_PLAIN}:
        return None
    names, codes = ([cells[at] for cells in rows[1:]] for at in range(_PLAIN))
    plain = all(name.strip() == name and name.isprintable() and name for name in {*names})
    if not plain or not all(code.strip() == code and is_code(code) for code in {*codes}):
        return None
    return names, codes


def _find_columns(header: Sequence[str], where: str) -> _Layout:
    folded = [cell.strip().lower() for cell in header]
    places: dict[str, int] = {}
    for name, headings in _HEADINGS.items():
        found = [at for at, cell in enumerate(folded) if cell in headings]
        if len(found) > 1 or (not found and name != SCORE):
            known = {heading for of in _HEADINGS.values() for heading in of}
            named = ", ".join(cell for cell in folded if cell in known) or "none of these"
            raise InputError(
                f"expected a header with one column {' or '.join(headings)}, got {named}",
                where=where,
                remedy=f"Begin with a line such as {','.join(COLUMNS)}",
            )
        places[name] = found[0] if found else -1
    document, code, score = places.values()
    return _Layout(document, code, score, folded[code] == _CODES, len(header))


def _read_row(cells: Sequence[str], layout: _Layout, where: str) -> tuple[str, list[Scored]]:
    if len(cells) != layout.width:
        wanted = agree("{n} {cell|cells}", layout.width)
        raise InputError(f"expected {wanted}, as in the header, got {len(cells)}", where=where)
    name = cells[layout.document].strip()
    if not name or not name.isprintable():
        raise InputError("expected the name of a document", where=where)
    cell = cells[layout.code]
    parts = _SEPARATORS.split(cell) if layout.several else [cell]
    codes = [part.strip() for part in parts if part.strip()]
    if not all(map(is_code, codes)):
        raise InputError("code: expected codes without blanks", where=where)
    score = cells[layout.score] if layout.score >= 0 else ""
    if not score.strip():
        return name, [(code, None) for code in codes]
    if len(codes) != 1:
        raise InputError("expected one code in a row with a score", where=where)
    if not _NUMBER.match(score):
        raise InputError(f"score: expected a number, got {shown(score)}", where=where)
    return name, [(codes[0], float(score))]


def format_code_rows(documents: Iterable[tuple[str, Sequence[Scored]]], delimiter: str) -> str:
    """Format documents as a table; there is a column of scores if any code has one."""
    listed = list(documents)
    scored = any(score is not None for _, codes in listed for _, score in codes)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(COLUMNS if scored else COLUMNS[:-1])
    for name, codes in listed:
        writer.writerows(_list_rows(name, codes or [("", None)], scored=scored))
    return text.getvalue()


def _list_rows(name: str, codes: Sequence[Scored], *, scored: bool) -> Iterator[tuple[str, ...]]:
    for code, score in codes:
        yield (name, code, "" if score is None else repr(score)) if scored else (name, code)
