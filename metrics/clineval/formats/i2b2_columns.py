"""Entries straight into columns, for scoring: no object and no loop for an entry."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from clineval.arrays import BoolArray, Coded, IntArray
from clineval.entries.columns import EntryColumns, EntrySide, position
from clineval.entries.entry import (
    FIELDS,
    GENRES,
    NO_MEDICATION,
    NO_MEDICATION_REMEDY,
    Entry,
    unknown_field,
    unknown_genre,
)
from clineval.errors import InputError, shown
from clineval.formats import i2b2_entries as notation
from clineval.formats.cells import Bytes, Cells, Table
from clineval.formats.entry_dicts import read_dicts
from clineval.formats.files import TextFile, normalize, read_text_files
from clineval.formats.span_cells import is_digit, read_numbers

_BAR, _QUOTE, _EQUALS = b'|"='
_COLON, _BLANK, _COMMA = b": ,"
_MARKS = np.frombuffer(b": :,", np.uint8)
_MOST_DIGITS = 6
_GENRE = notation.TAGS.index("ln")


def read_side(given: Any, *, side: str) -> EntrySide:
    """Read one side.

    Args:
        given: a path of ``*.i2b2.entries`` files; the text of one record; or for each record a
            list of dicts, a list of :class:`~clineval.entries.entry.Entry`, or text.
        side: ``predictions`` or ``references``, for messages.

    Returns:
        The entries; records of files are paired by name, all others by position.
    """
    if isinstance(given, (str, os.PathLike)):
        files = list(read_text_files(given, pattern=notation.FILES, separator=notation.MARK))
        names = tuple(file.stem or "" for file in files)
        return EntrySide(names, names if any(names) else None, _read(files))
    if not isinstance(given, Iterable) or isinstance(given, (dict, bytes)):
        raise InputError(
            f"expected a list with one item for each record, or a path, got {shown(given)}",
            where=side,
        )
    records = given if isinstance(given, (list, tuple)) else list(given)
    if records and all(isinstance(record, str) for record in records):
        return _read_strings(records, side=side)
    plain = [list(map(_as_dict, r)) if isinstance(r, (list, tuple)) else r for r in records]
    return read_dicts(plain, side=side)


def _as_dict(entry: Any) -> Any:
    return entry.as_dict() if isinstance(entry, Entry) else entry


def _read_strings(records: Sequence[str], *, side: str) -> EntrySide:
    """The text of each record, or the JSON of a list of dicts."""
    if any(record.startswith("[") for record in records):
        try:
            return read_dicts([json.loads(record) for record in records], side=side)
        except json.JSONDecodeError:
            raise InputError(
                "expected every string to be JSON, because one of them begins like it", where=side
            ) from None
    files = [
        normalize(f"{side}, record {i}", None, text.encode()) for i, text in enumerate(records)
    ]
    return EntrySide(("",) * len(files), None, _read(files))


def _read(files: Sequence[TextFile]) -> EntryColumns:
    table = Table.of(files, "|")
    table = table.take(np.flatnonzero(_is_filled(table)))
    cells, line = _cut(table)
    tag, text, offsets = _split(table, cells, line)
    _check_repeats(table, tag, line)
    scored = tag < len(FIELDS)
    given = _is_given(table, tag, text, offsets, line)
    at = np.flatnonzero(scored & given)
    owner, first, last = _parse_offsets(table, offsets.take(at), tag[at], line[at])
    entry, field = line[at][owner], tag[at][owner]
    _check_medications(table, entry[field == 0])
    genre = _read_genres(table, text.take(np.flatnonzero(tag == _GENRE)), line[tag == _GENRE])
    bounds = np.searchsorted(entry, np.arange(len(table) + 1))
    rows = np.arange(len(table))
    return EntryColumns(
        table.file.astype(np.int32), bounds, field, first, last, genre, rows, table.where
    )


def _is_filled(table: Table) -> BoolArray:
    """Which lines have something else than blanks."""
    ink = np.append(np.frombuffer(table.text, np.uint8) > _BLANK, [False])
    marks = np.concatenate([[0], np.cumsum(ink)])
    filled: BoolArray = marks[table.line_ends] > marks[table.line_starts]
    return filled


def _cut(table: Table) -> tuple[Cells, IntArray]:
    """The fields of all lines without the blanks around them, and the line of each."""
    data = np.frombuffer(table.text, np.uint8)
    bars = np.flatnonzero((data[:-1] == _BAR) & (data[1:] == _BAR))
    run = np.maximum.accumulate(np.where(np.diff(bars, prepend=-2) > 1, bars, 0))
    bars = bars[(bars - run) % 2 == 0]
    starts = np.sort(np.concatenate([table.line_starts, bars + 2]))
    ends = np.sort(np.concatenate([bars, table.line_ends]))
    line = np.searchsorted(table.line_starts, starts, side="right") - 1
    cells = _trim(Cells(table.text, starts, ends))
    filled = np.flatnonzero(cells.lengths > 0)
    return cells.take(filled), line[filled]


def _trim(cells: Cells) -> Cells:
    data = np.frombuffer(cells.text, np.uint8)
    starts, ends = cells.starts.copy(), cells.ends.copy()
    while (blank := (starts < ends) & (data[starts] <= _BLANK)).any():
        starts += blank
    while (blank := (starts < ends) & (data[ends - 1] <= _BLANK)).any():
        ends -= blank
    return Cells(cells.text, starts, ends)


def _split(table: Table, cells: Cells, line: IntArray) -> tuple[IntArray, Cells, Cells]:
    """Tag, text and offsets of each field."""
    data = np.frombuffer(table.text, np.uint8)
    equals = _next(np.flatnonzero(data == _EQUALS), cells.starts, len(data))
    quotes = np.flatnonzero(data == _QUOTE)
    opened = equals + 1
    closed = np.append(quotes, -1)[np.searchsorted(quotes, cells.ends) - 1]
    sound = (closed > opened) & (data[np.minimum(opened, len(data) - 1)] == _QUOTE)
    if not sound.all():
        raise notation.malformed_field(table.where(int(line[np.argmin(sound)])))
    tags = Cells(cells.text, cells.starts, equals)
    coded = tags.code_closed(notation.TAGS)
    unknown = np.flatnonzero(coded.ids >= len(notation.TAGS))
    if len(unknown):
        k = int(unknown[0])
        problem = str(unknown_field(tags.string(k)))
        raise InputError(problem, where=table.where(int(line[k])))
    text = Cells(cells.text, opened + 1, closed)
    return coded.ids, text, _trim(Cells(cells.text, closed + 1, cells.ends))


def _next(marks: IntArray, starts: IntArray, end: int) -> IntArray:
    """The first mark at or after each start."""
    return np.append(marks, end)[np.searchsorted(marks, starts)]


def _check_repeats(table: Table, tag: IntArray, line: IntArray) -> None:
    field = line * len(notation.TAGS) + tag
    order = np.argsort(field, kind="stable")
    again = order[1:][field[order][1:] == field[order][:-1]]
    if len(again):
        k = int(again[0])
        raise notation.repeated_field(notation.TAGS[tag[k]], table.where(int(line[k])))


def _is_given(
    table: Table, tag: IntArray, text: Cells, offsets: Cells, line: IntArray
) -> BoolArray:
    """Which scored fields have offsets; refuses those that contradict themselves."""
    scored = tag < len(FIELDS)
    mentioned = text.code_closed((notation.NOT_MENTIONED, "NM")).ids > 1
    given: BoolArray = offsets.lengths > 0
    for wrong, problem in (
        (scored & mentioned & ~given, notation.missing_offsets),
        (scored & ~mentioned & given, notation.unexpected_offsets),
    ):
        if wrong.any():
            k = int(np.argmax(wrong))
            raise problem(FIELDS[tag[k]], table.where(int(line[k])))
    return given


def _check_medications(table: Table, entries: IntArray) -> None:
    has = np.zeros(len(table), np.bool_)
    has[entries] = True
    if not has.all():
        where = table.where(int(np.argmin(has)))
        raise InputError(NO_MEDICATION, where=where, remedy=NO_MEDICATION_REMEDY)


def _read_genres(table: Table, values: Cells, lines: IntArray) -> Coded:
    """``ln`` of each line, empty where it is absent."""
    coded = values.code_closed(GENRES)
    unknown = np.flatnonzero(coded.ids >= len(GENRES))
    if len(unknown):
        k = int(unknown[0])
        problem = str(unknown_genre(values.string(k)))
        raise InputError(problem, where=table.where(int(lines[k])))
    ids = np.zeros(len(table), np.int32)
    ids[lines] = coded.ids + 1
    return Coded(ids, ("", *GENRES))


def _parse_offsets(
    table: Table, cells: Cells, tag: IntArray, line: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """The cell, the first and the last position of each fragment."""
    text, owner = _without_needless_blanks(*cells.joined(_COMMA))
    marks = np.flatnonzero(~is_digit(text))
    sizes = np.diff(marks, prepend=-1) - 1
    expected = np.resize(_MARKS, len(marks))
    wrong = (text[marks] != expected) | (sizes < 1) | (sizes > _MOST_DIGITS)
    if wrong.any():
        k = int(owner[marks[np.argmax(wrong)]])
        raise notation.malformed_offsets(FIELDS[tag[k]], table.where(int(line[k])))
    numbers, _ = read_numbers(text, marks)
    first_line, first, last_line, last = numbers.reshape(-1, 4).T
    return owner[marks[3::4]], position(first_line, first), position(last_line, last)


def _without_needless_blanks(text: Bytes, owner: IntArray) -> tuple[Bytes, IntArray]:
    """Drop blanks but one between two tokens."""
    text = np.where(text <= _BLANK, np.uint8(_BLANK), text)
    while True:
        blank = text == _BLANK
        follows = np.append(blank[1:] | (text[1:] == _COMMA), [False])
        leads = np.append([False], text[:-1] == _COMMA)
        needless = blank & (follows | leads)
        if not needless.any():
            return text, owner
        text, owner = text[~needless], owner[~needless]
