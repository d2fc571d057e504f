"""Lines of ``DocName||Type||CUI||start||end...`` straight into columns, for scoring."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from clineval.arrays import Coded, IntArray
from clineval.errors import InputError
from clineval.formats import clef
from clineval.formats.cells import Table, find_separators
from clineval.formats.files import Source, TextFile, normalize, read_text_files
from clineval.formats.pipe_columns import Names, Numbering, chunks_of, in_order, number_by_file
from clineval.formats.span_cells import (
    check_fragments,
    find_torn,
    find_unread,
    no_spelling,
    read_numbers,
    spell,
)
from clineval.mentions.columns import MentionColumns, Side
from clineval.mentions.slots import Slot

_COMMA, _BLANK, _RETURN = b", \r"
_CODE = re.compile(r"[^\s,]*\Z")
_CODES = re.compile(r"[^\s,]*( ?, ?[^\s,]+)*\Z")


def read_side(source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
    r"""Read lines for scoring.

    Args:
        source: a directory, one file, or the text itself.
        slots: the slots to read; the third column is the value of each of them.
        strict: read ``*.pipe*`` files and judge them by the format; otherwise read the files
            that the released script reads, and take what it takes: empty fragments, and
            numbers that are written in unusual ways and then equal no others.

    Returns:
        The mentions, paired by document name, with case.

    Examples:
        >>> side = read_side("d||T||C1||31||38||40||42\n", [Slot("cui", "code")], strict=True)
        >>> side.documents, side.mentions.starts.tolist(), side.mentions.ends.tolist()
        (('d',), [31, 40], [38, 42])
    """
    names = Names(fold=str)
    parts = []
    empty = []
    pattern = clef.FILES if strict else clef.SCRIPT_FILES
    files = read_text_files(
        source, pattern=pattern, separator=clef.SEPARATOR, as_written=not strict
    )
    for chunk in chunks_of(files):
        parts.append(_read_chunk(chunk, slots, names.number, strict=strict))
        empty += [
            file.label for file in chunk if file.stem is not None and not file.content.strip()
        ]
    for path in empty:
        names.add(f"{re.sub(clef.FILES, '', Path(path).name)}.txt")
    return Side(tuple(names.known), names.keys, in_order(parts))


def read_strings(strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:
    """Read one string of lines for each document; they are paired by position."""
    files = [
        normalize(f"document {i}", None, text.encode(), as_written=not strict)
        for i, text in enumerate(strings)
    ]
    names = [""] * len(files)

    def number(table: Table) -> IntArray:
        return number_by_file(table, names, with_case=True)

    return Side(tuple(names), None, _read_chunk(files, slots, number, strict=strict))


def document_key(name: str) -> str:
    """Case matters in the names of documents."""
    return name


def _read_chunk(
    files: Sequence[TextFile], slots: Sequence[Slot], number: Numbering, *, strict: bool
) -> MentionColumns:
    table = _filled_lines(Table.of(files, clef.SEPARATOR))
    bounds, starts, ends, spelling = _read_offsets(table, strict=strict)
    attributes = {slot.name: _read_codes(table, slot, strict=strict) for slot in slots}
    mentions = MentionColumns(number(table), bounds, starts, ends, attributes, spelling)
    return _sort_fragments(mentions) if strict else mentions


def _filled_lines(table: Table) -> Table:
    short = np.flatnonzero(table.widths < clef.FEWEST).tolist()
    blank = [line for line in short if not table.line(line).strip()]
    if len(blank) < len(short):
        line = next(line for line in short if table.line(line).strip())
        raise clef.too_few(int(table.widths[line]), table.where(line))
    return table.take(np.delete(np.arange(len(table)), blank)) if blank else table


def _read_offsets(table: Table, *, strict: bool) -> tuple[IntArray, IntArray, IntArray, Coded]:
    """Bounds, starts, ends and spelling."""
    cells = table.columns_from(clef.OFFSETS_COLUMN)
    text, lines = cells.joined(_COMMA)
    separators = find_separators(text, clef.SEPARATOR.encode())
    text[separators] = _COMMA
    dropped = (text == _BLANK) | (text == _RETURN)
    spaced = lines[dropped]
    dropped[separators + 1] = True
    kept = np.flatnonzero(~dropped)
    torn = lines[find_torn(text, kept)]
    text, lines = text[kept], lines[kept]
    marks = np.flatnonzero(text == _COMMA)
    unread = find_unread(text, lines, marks, np.zeros(len(marks), np.bool_))
    unread = np.concatenate([unread, torn])
    if len(unread):
        raise clef.malformed_offsets(table.where(int(unread.min())))
    numbers, padded = read_numbers(text, marks)
    owners = lines[marks]
    counts = np.bincount(owners, minlength=len(table))
    _check_pairs(table, counts)
    bounds = np.concatenate([[0], np.cumsum(counts // 2)])
    starts, ends = numbers[0::2], numbers[1::2]
    if strict:
        check_fragments(table, starts, ends, owners[0::2])
        return bounds, starts, ends, no_spelling(len(table))
    _check_order(table, numbers, owners)
    return bounds, starts, ends, spell(cells, np.union1d(spaced, owners[padded]))


def _check_pairs(table: Table, counts: IntArray) -> None:
    odd = np.flatnonzero(counts % 2)
    if len(odd):
        raise clef.odd_offsets(int(counts[odd[0]]), table.where(int(odd[0])))


def _check_order(table: Table, numbers: IntArray, owners: IntArray) -> None:
    """Refuse what the script refuses: offsets that decrease within a line."""
    falls = np.flatnonzero((np.diff(numbers) < 0) & (owners[1:] == owners[:-1]))
    if len(falls):
        k = int(falls[0])
        where = table.where(int(owners[k]))
        raise clef.unordered_offsets(int(numbers[k]), int(numbers[k + 1]), where)


def _sort_fragments(mentions: MentionColumns) -> MentionColumns:
    owners, starts = mentions.owners, mentions.starts
    if ((owners[1:] != owners[:-1]) | (starts[1:] >= starts[:-1])).all():
        return mentions
    order = np.lexsort((starts, owners))
    return replace(mentions, starts=starts[order], ends=mentions.ends[order])


def _read_codes(table: Table, slot: Slot, *, strict: bool) -> Coded:
    coded = table.column(clef.CUI_COLUMN).code()
    pattern = _CODES if slot.kind == "codes" else _CODE
    wrong = [k for k, value in enumerate(coded.values) if strict and not pattern.match(value)]
    if wrong:
        line = int(np.flatnonzero(np.isin(coded.ids, wrong))[0])
        value = coded.values[int(coded.ids[line])]
        wanted = "codes with commas between them" if slot.kind == "codes" else "one code"
        raise InputError(
            f"{slot.name}: expected {wanted}, such as C0020538 or {clef.CUI_LESS}, "
            f"got a string of {len(value)} characters with blanks or commas in it",
            where=table.where(line),
        )
    return coded
