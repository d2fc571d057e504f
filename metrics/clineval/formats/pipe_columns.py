"""Pipe text straight into columns, for scoring: no object and no loop for a line."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from clineval.arrays import Coded, IntArray
from clineval.errors import InputError, InputWarning
from clineval.formats import pipe
from clineval.formats.cells import Table
from clineval.formats.files import Source, TextFile, normalize, read_text_files
from clineval.formats.span_cells import parse_spans
from clineval.mentions.columns import MentionColumns, Side, concatenate
from clineval.mentions.slots import Slot

Numbering = Callable[[Table], IntArray]
_CHUNK = 1 << 22  # temporary columns of this size stay in the processor's cache
_CODE = re.compile(r"[^\s]*\Z")
_CODES = re.compile(r"[^\s,]*( ?, ?[^\s,]+)*\Z")


def read_side(source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
    """Read pipe text for scoring.

    Args:
        source: a directory of ``*.pipe*`` files, one file, or the text itself.
        slots: the slots to read, with their values.
        strict: judge the input by the format; otherwise take what the released scripts take:
            any width from two columns, any slot value, fragments in any order.

    Returns:
        The mentions, paired by document name; names are compared without case.
    """
    names = Names()
    parts = []
    empty = []
    files = read_text_files(source, pattern=pipe.FILES, separator=pipe.SEPARATOR)
    for chunk in chunks_of(files):
        parts.append(_read_chunk(chunk, slots, names.number, strict=strict))
        empty += [file.stem for file in chunk if file.stem and not file.content.strip()]
    for stem in empty:
        names.add(f"{stem}.txt")
    return Side(tuple(names.known), names.keys, in_order(parts))


def read_strings(strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:
    """Read one string of pipe text for each document; they are paired by position."""
    files = [normalize(f"document {i}", None, text.encode()) for i, text in enumerate(strings)]
    names = [""] * len(files)
    part = _read_chunk(files, slots, lambda table: number_by_file(table, names), strict=strict)
    return Side(tuple(names), None, part)


def document_key(name: str) -> str:
    """Case does not matter in the pipe format."""
    return name.lower()


class Names:
    """Document names, numbered in order of appearance.

    Args:
        fold: gives the form in which two names are compared.
    """

    def __init__(self, fold: Callable[[str], str] = str.lower) -> None:
        self._fold = fold
        self._numbers: dict[str, int] = {}
        self.known: list[str] = []

    @property
    def keys(self) -> tuple[str, ...]:
        """The names in the form in which they are compared."""
        return tuple(self._numbers)

    def add(self, name: str) -> int:
        """The number of a document."""
        number = self._numbers.setdefault(self._fold(name), len(self.known))
        if number == len(self.known):
            self.known.append(name)
        return number

    def number(self, table: Table) -> IntArray:
        """``[lines]``, the number of each line's document."""
        coded = table.column(0).code()
        first = np.full(len(coded.values), len(table))
        np.minimum.at(first, coded.ids, np.arange(len(table)))
        numbers = np.zeros(len(coded.values), np.int32)
        for value in np.argsort(first).tolist():
            numbers[value] = self.add(coded.values[value])
        return numbers[coded.ids]


def number_by_file(table: Table, names: list[str], *, with_case: bool = False) -> IntArray:
    """``[lines]``, the line's string; fills in the document that each string names."""
    named = (table if with_case else table.lowered()).column(0).code()
    same_string = table.file[1:] == table.file[:-1]
    changes = np.flatnonzero(same_string & (named.ids[1:] != named.ids[:-1])) + 1
    if len(changes):
        raise InputError(
            "this line names another document than the lines before it",
            where=table.where(int(changes[0])),
            remedy="Give one string for each document",
        )
    cells = table.column(0)
    for line in np.unique(table.file, return_index=True)[1].tolist():
        names[int(table.file[line])] = cells.string(line)
    return table.file.astype(np.int32)


def chunks_of(files: Iterable[TextFile]) -> Iterator[list[TextFile]]:
    """Files in groups of a few megabytes."""
    chunk: list[TextFile] = []
    size = 0
    for file in files:
        chunk.append(file)
        size += len(file.content)
        if size >= _CHUNK:
            yield chunk
            chunk, size = [], 0
    yield chunk


def _read_chunk(
    files: Sequence[TextFile], slots: Sequence[Slot], number: Numbering, *, strict: bool
) -> MentionColumns:
    table = _usable_lines(Table.of(files, pipe.SEPARATOR), strict=strict)
    documents = number(table)
    table = table.lowered()
    bounds, starts, ends, spelling = parse_spans(table, table.column(1), strict=strict)
    attributes = {slot.name: _read_slot(table, slot, strict=strict) for slot in slots}
    return MentionColumns(documents, bounds, starts, ends, attributes, spelling)


def in_order(parts: Sequence[MentionColumns]) -> MentionColumns:
    """The mentions of all parts, document by document."""
    mentions = concatenate(parts)
    if (mentions.document[1:] >= mentions.document[:-1]).all():
        return mentions
    return mentions.take(np.argsort(mentions.document, kind="stable"))


def _usable_lines(table: Table, *, strict: bool) -> Table:
    widths = table.widths
    usable = (widths == pipe.SHORT) | (widths == pipe.FULL) if strict else widths > 1
    if usable.all():
        return table
    others = np.flatnonzero(~usable).tolist()
    filled = [line for line in others if table.line(line).strip()]
    if filled and strict:
        raise pipe.wrong_width(int(widths[filled[0]]), table.where(filled[0]))
    if filled:
        places = f"{len(filled)} lines without a second column are skipped, as in the script"
        warnings.warn(f"{places}; the first is {table.where(filled[0])}", InputWarning, 2)
    return table.take(np.flatnonzero(usable))


def _read_slot(table: Table, slot: Slot, *, strict: bool) -> Coded:
    column = pipe.CUI_COLUMN if slot.kind == "code" else pipe.SLOT_COLUMNS[slot.name]
    cells = table.column(column)
    coded = cells.code_closed(slot.values) if slot.kind == "closed" else cells.code()
    if strict:
        _judge(table, slot, column, coded)
    return coded


def _judge(table: Table, slot: Slot, column: int, coded: Coded) -> None:
    """Refuse what the slot cannot hold; only an absent column may be empty."""
    wrong = [number for number, value in enumerate(coded.values) if not _is_value(slot, value)]
    if not wrong:
        return
    absent = (table.widths <= column) & np.isin(coded.ids, _numbers_of("", coded))
    lines = np.flatnonzero(np.isin(coded.ids, wrong) & ~absent)
    if not len(lines):
        return
    line = int(lines[0])
    value = coded.values[int(coded.ids[line])]
    if slot.kind == "closed":
        raise pipe.unknown_value(slot, value, table.where(line))
    raise InputError(
        f"{slot.name}: expected a code such as C0020538 or {pipe.CUI_LESS}, "
        f"got a string of {len(value)} characters with blanks in it",
        where=table.where(line),
    )


def _is_value(slot: Slot, value: str) -> bool:
    if slot.kind == "closed":
        return value in slot.values
    return bool((_CODE if slot.kind == "code" else _CODES).match(value))


def _numbers_of(value: str, coded: Coded) -> list[int]:
    return [number for number, known in enumerate(coded.values) if known == value]
