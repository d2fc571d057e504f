"""TSV files with a header and a row for each mention, as in tasks on Spanish clinical cases.

Columns are found by name, in any order, and there may be other columns:

    filename    label    start_span or off0    end_span or off1    text or span    code or NCBITax

Offsets count characters from 0; ends are exclusive. Texts are ignored. Quotation marks around a
cell are removed. Any other quotation mark is a character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, agree, called, read_each, shown
from clineval.base.files import Source
from clineval.base.offsets import LARGEST
from clineval.formats.delimited.slots import unknown_value
from clineval.formats.files import TextFile, open_strings, read_text_files
from clineval.formats.given.code_lists import Judge, take
from clineval.kinds.codes.corpus import as_side, is_code, number
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.languages import tell_languages
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot
from clineval.results.table_rows import TableRows

FILES = r"\.tsv$"
NAMES = {
    "filename": ("filename",),
    "label": ("label",),
    "start": ("start_span", "off0"),
    "end": ("end_span", "off1"),
    "text": ("text", "span"),
    "code": ("code", "codes", "NCBITax"),
}
"""The content of each column, and its possible names in headers."""
LANGUAGE = "language"
"""The optional column of the documents' languages."""
_LANGUAGE = Slot(LANGUAGE, "label")
ROWS = TableRows(NAMES["filename"], quoted=False, ending=".txt")
"""How the rows of documents are found."""
_OFFSET = re.compile(r"\d{1,10}\Z", re.ASCII)
_DIGIT = re.compile(r"\d")
Row = TypeVar("Row")
Cells = Mapping[str, str]
"""Maps the content of a column, or its name, to the cell of a row."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A row: document, span, the value of each slot, language, and place (file and line)."""

    document: str
    start: int
    end: int
    values: tuple[str, ...]
    language: str
    place: str


def document_key(name: str) -> str:
    """Return the name without ``.txt``."""
    return name.removesuffix(ROWS.ending)


@dataclass(frozen=True, slots=True)
class SpanTables:
    """Span tables as the text format of mentions; each slot is a column.

    It is a text format for :func:`clineval.formats.given.mentions.read_side`.
    """

    FILES: str = FILES
    UNREAD: AbstractSet[str] = frozenset({"code", "cui"})

    def document_key(self, name: str) -> str:
        """Return the key that pairs documents: the name without ``.txt``."""
        return document_key(name)

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        r"""Read a file, or all files of a directory.

        Raises:
            InputError: a row is invalid; the message names file and line.

        Examples:
            >>> text = "filename\tlabel\toff0\toff1\tspan\na\tSINTOMA\t4\t9\tfiebre\n"
            >>> side = SpanTables().read_side(text, [Slot("label", "label")], strict=True)
            >>> side.documents, side.mentions.ends.tolist()
            (('a',), [9])
        """
        files = read_text_files(source, pattern=FILES, separator="\t")
        rows = [row for file in files for row in read_mentions(file, slots)]
        names, numbers = number([self.document_key(row.document) for row in rows])
        told = ((at, row.language, row.place) for at, row in zip(numbers, rows, strict=True))
        known = tell_languages(told)
        languages = tuple(known.get(at, "") for at in range(len(names)))
        return Side(names, names, as_columns(rows, numbers, slots), languages=languages)

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read one string for each document, each with a header and rows."""
        files = open_strings(strings)
        found = [read_mentions(file, slots) for file in files]
        rows = [row for of in found for row in of]
        numbers = [at for at, of in enumerate(found) for _ in of]
        return Side(("",) * len(files), None, as_columns(rows, numbers, slots))


TABLES = SpanTables()


def as_columns(
    rows: Sequence[Mention], numbers: Sequence[int], slots: Sequence[Slot]
) -> MentionColumns:
    """Return rows as columns, sorted by document; ``numbers`` has the document of each row."""
    order = np.argsort(np.array(numbers, np.int64), kind="stable")
    ordered = [rows[at] for at in order.tolist()]
    values = {
        slot.name: Coded.of([row.values[at] for row in ordered]) for at, slot in enumerate(slots)
    }
    spans = [[(row.start, row.end)] for row in ordered]
    return MentionColumns.of(np.array(numbers, np.int32)[order], spans, values)


def read_mentions(file: TextFile, slots: Sequence[Slot]) -> list[Mention]:
    """Read the rows of a file; raise all errors at once."""
    needed = [slot.name for slot in slots if slot.default is None]
    others = [slot.name for slot in slots if slot.default is not None]
    read = partial(_read_mention, slots=slots)
    rows = read_rows(file, ("filename", "start", "end", *needed), read, (*others, LANGUAGE))
    tell_languages((document_key(row.document), row.language, row.place) for row in rows)
    return rows


def read_rows(
    file: TextFile,
    needed: Iterable[str],
    read: Callable[[Cells, str], Row],
    others: Iterable[str] = (),
) -> list[Row]:
    """Read each row below the header; raise all errors at once.

    Args:
        file: the file; it must have a header.
        needed: the required columns, as keys of ``NAMES`` or as column names.
        read: reads a row from its cells and its place.
        others: the optional columns.
    """
    (where, head), *lines = list(file.lines()) or [(file.label, "")]
    header = [unquote(cell) for cell in head.split("\t")]
    places = _find_columns(header, needed, others, where)
    refuse_data(header, where, places, alone=not lines)

    def read_line(where: str, line: str) -> Row:
        cells = line.split("\t")
        if len(cells) != len(header):
            problem = f"expected {len(header)} cells separated by tabs, got {len(cells)}"
            raise InputError(problem, where=where)
        return read({name: unquote(cells[at]).strip() for name, at in places.items()}, where)

    return read_each(read_line, lines)


def _find_columns(
    header: Sequence[str], needed: Iterable[str], others: Iterable[str], where: str
) -> dict[str, int]:
    """Find the required columns, and the optional columns that exist, by name."""
    known = [cell.strip() for cell in header]
    places = {
        name: [at for at, cell in enumerate(known) if cell in NAMES.get(name, (name,))]
        for name in (*needed, *others)
    }
    places = {name: found for name, found in places.items() if found or name not in others}
    wrong = [name for name, found in places.items() if len(found) != 1]
    if wrong:
        wanted = ", ".join(" or ".join(NAMES.get(name, (name,))) for name in wrong)
        there = name_columns(known, {name for of in NAMES.values() for name in of})
        problem = f"expected a header with one column {wanted}, got {there}"
        raise InputError(problem, where=where)
    return {name: found[0] for name, found in places.items()}


def refuse_data(
    header: Sequence[str], where: str, read: Collection[str] = (), *, alone: bool
) -> None:
    """Reject a header that continues with the cells of rows, which would be lost.

    Args:
        header: the cells of the header.
        where: file and line.
        read: the names of columns that are read, besides ``NAMES``.
        alone: whether no row is as long as the header. In this case cells with digits and repeated
            cells count as data, if the header contains a known name.
    """
    known = {LANGUAGE, *(name for names in NAMES.values() for name in names), *read}
    others = [cell for cell in header if cell.strip() not in known and cell]
    odd = [cell for cell in others if not cell.isprintable()]
    if alone and len(others) < len(header):
        odd += [cell for cell in others if _DIGIT.search(cell) or others.count(cell) > 1]
    if odd:
        raise InputError(
            agree("{n} {cell|cells} of the header {looks|look} like data", len(odd)),
            where=where,
            remedy="Begin a new line, with a line feed, after the header and after each row",
        )


def name_columns(header: Sequence[str], known: Collection[str]) -> str:
    """List known columns of a header for messages, and count others, which could be text of notes.

    Examples:
        >>> name_columns(["label", "fin"], ["label"]), name_columns(["d1", "tos"], ["label"])
        ('label and 1 cell with another name', '2 cells with other names')
    """
    if len(header) == 1 and header[0] not in known:
        return "a line without tabs"
    named = ", ".join(cell for cell in header if cell in known)
    other = sum(cell not in known for cell in header)
    cells = agree("{n} {cell with another name|cells with other names}", other) if other else ""
    return " and ".join(filter(None, (named, cells)))


def unquote(cell: str) -> str:
    r"""Remove the quotation marks around a cell.

    Examples:
        >>> unquote('"d1"'), unquote('"a ""b"" c"'), unquote('"a" b'), unquote('"')
        ('d1', 'a "b" c', '"a" b', '"')
    """
    inner = cell[1:-1]
    quoted = len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if quoted else cell


def _read_mention(cells: Cells, where: str, slots: Sequence[Slot]) -> Mention:
    start, end = (_read_offset(cells[name], name, where) for name in ("start", "end"))
    if end <= start:
        raise InputError(f"end {end} is not after start {start}", where=where)
    values = tuple(_read_value(cells.get(slot.name, ""), slot, where) for slot in slots)
    language = _read_value(cells.get(LANGUAGE, ""), _LANGUAGE, where)
    return Mention(read_name(cells, where), start, end, values, language, where)


def read_name(cells: Cells, where: str) -> str:
    """Return the name of a row's document."""
    name = cells["filename"]
    if not name or not name.isprintable():
        raise InputError("filename: expected a name in printable characters", where=where)
    return name


def _read_offset(cell: str, name: str, where: str) -> int:
    if not _OFFSET.match(cell) or int(cell) > LARGEST:
        raise InputError(f"{name}: expected a whole number, got {shown(cell)}", where=where)
    return int(cell)


def _read_value(cell: str, slot: Slot, where: str) -> str:
    if slot.values and cell not in slot.values:
        raise unknown_value(slot, cell, where)
    if not cell.isprintable() or not (cell or slot.default == cell):
        problem = (
            f"{called(slot.name)}: expected a value in printable characters, got {shown(cell)}"
        )
        raise InputError(problem, where=where)
    if wrong := slot.judge(cell):
        raise InputError(wrong, where=where)
    return cell


def read_code_table(source: Source, separators: str = "+", judge: Judge = take) -> Side:
    r"""Read the codes of documents from the columns filename and code, over all rows.

    Examples:
        >>> side = read_code_table("filename\tcodes\na\t12+34\nb\t5\na\t6\n")
        >>> side.documents, side.mentions.document.tolist(), side.mentions.attributes["code"].values
        (('a', 'b'), [0, 0, 0, 1], ('12', '34', '6', '5'))
    """
    files = read_text_files(source, pattern=FILES, separator="\t")
    rows = [row for file in files for row in read_codes(file, separators, judge)]
    names, numbers = number([document_key(name) for name, _ in rows])
    found = zip(numbers, (codes for _, codes in rows), strict=True)
    return as_side(names, ((at, code, ()) for at, codes in found for code in codes))


def read_codes(file: TextFile, separators: str, judge: Judge) -> list[tuple[str, list[str]]]:
    """Read document and codes of each row; raise all errors at once."""

    def read(cells: Cells, where: str) -> tuple[str, list[str]]:
        codes = split_codes(cells["code"], separators)
        if not all(map(is_code, codes)):
            raise InputError("code: expected codes without blanks", where=where)
        if wrong := next(filter(None, map(judge, codes)), ""):
            raise InputError(wrong, where=where)
        return read_name(cells, where), codes

    return read_rows(file, ("filename", "code"), read)


def split_codes(cell: str, separators: str = "+", suffix: str = "") -> list[str]:
    """Split a cell into codes, each with the suffix that follows it; ignore empty parts.

    Without separators, a cell is one code.

    Examples:
        >>> split_codes("12 +34+"), split_codes("12+34|5", "+|")
        (['12', '34'], ['12', '34', '5'])
        >>> split_codes("12|H+34|5", "+|", "H")
        ['12|H', '34', '5']
    """
    between = f"[{re.escape(separators)}]" if separators else r"(?!)"
    kept = rf"(?!\s*{suffix}\s*(?:{between}|\Z))" if suffix else ""
    parts = re.split(between + kept, cell)
    return [re.sub(rf"\s*({between})\s*", r"\1", part.strip()) for part in parts if part.strip()]
