"""The entries format of the i2b2 2009 medication challenge: ``<record>.i2b2.entries``.

Each line is an entry; ``||`` separates its fields::

    m="lantus" 6:1 6:1||do="7 units" 6:2 6:3||mo="nm"||f="q.p.m" 6:5 6:5||du="nm"||r="nm"||ln="list"

Offsets are ``line:token line:token``, the first and the last token. Lines count from 1, tokens of
a line from 0. Commas separate fragments. A field that is not mentioned is ``nm`` and has no
offsets. The fields ``e``, ``t`` and ``c`` are optional and are not scored. Text may contain quotes,
but not ``||``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.base.errors import InputError, located
from clineval.base.files import Source
from clineval.formats.delimited.cells import Bytes, Cells, Table
from clineval.formats.delimited.spans import is_digit, read_numbers
from clineval.formats.files import TextFile, read_text_files
from clineval.formats.writing import name_files, write_files
from clineval.kinds.entries.columns import EntryColumns, position, split_position
from clineval.kinds.entries.entry import (
    FIELDS,
    GENRES,
    NO_MEDICATION,
    NO_MEDICATION_REMEDY,
    REMARKS,
    Entry,
    Phrase,
    format_offset,
    unknown_field,
    unknown_genre,
)

FILES = r"\.i2b2\.entries$"
EXTENSION = ".i2b2.entries"
MARK = '="'  # distinguishes the text of an entry from a path
SEPARATOR = "||"
NOT_MENTIONED = "nm"
TAGS = (*FIELDS, *REMARKS, "ln")
_GENRE = TAGS.index("ln")
_BAR, _QUOTE, _EQUALS = b'|"='
_COLON, _BLANK, _COMMA = b": ,"
_MARKS = np.frombuffer(b": :,", np.uint8)
_MOST_DIGITS = 6


def read_entries(source: Source) -> dict[str, list[Entry]]:
    r"""Read entries as objects, by record name; the name of a text is empty.

    Examples:
        >>> entry, = read_entries('m="lantus" 6:1 6:1||do="nm"||ln="list"\n')[""]
        >>> entry.fields["m"].offsets, entry.genre
        (((6, 1, 6, 1),), 'list')
    """
    files = list(read_text_files(source, pattern=FILES, separator=MARK))
    fields = _cut(files)
    columns = _as_columns(fields)
    texts: list[dict[str, str]] = [{} for _ in range(len(columns))]
    for k, (line, tag) in enumerate(zip(fields.line.tolist(), fields.tag.tolist(), strict=True)):
        texts[line][TAGS[tag]] = fields.text.string(k)
    read: list[list[Entry]] = [[] for _ in files]
    for row, file in enumerate(columns.record.tolist()):
        read[file].append(_as_entry(columns, row, texts[row]))
    return {file.stem or "": entries for file, entries in zip(files, read, strict=True)}


def _as_entry(columns: EntryColumns, row: int, texts: Mapping[str, str]) -> Entry:
    at = slice(columns.bounds[row], columns.bounds[row + 1])
    ends = np.stack([*split_position(columns.first[at]), *split_position(columns.last[at])], axis=1)
    offsets: dict[str, list[list[int]]] = {}
    for field, offset in zip(columns.field[at].tolist(), ends.tolist(), strict=True):
        offsets.setdefault(FIELDS[field], []).append(offset)
    others = {tag: texts[tag] for tag in TAGS[len(FIELDS) :] if tag in texts}
    phrases = {tag: {"text": texts[tag], "offsets": found} for tag, found in offsets.items()}
    return located(columns.place(row), Entry.from_dict, {**others, **phrases})


def record_names(directory: Source) -> list[str]:
    """List the records that have a file in a directory, sorted by name."""
    files = read_text_files(directory, pattern=FILES, separator=MARK)
    return [file.stem or "" for file in files]


def write_entries(records: Mapping[str, Iterable[Entry]], directory: Path) -> None:
    """Write one file for each record, by name; write nothing if a name is invalid."""
    names = name_files(records, EXTENSION, kind="record")
    texts = ("".join(map(format_entry, entries)) for entries in records.values())
    write_files(directory, zip(names, texts, strict=True))


def format_entry(entry: Entry) -> str:
    r"""Format one entry as a line.

    Examples:
        >>> format_entry(Entry({"m": Phrase("lantus", [(6, 1, 6, 1)])}, "list"))
        'm="lantus" 6:1 6:1||do="nm"||mo="nm"||f="nm"||du="nm"||r="nm"||ln="list"\n'
    """
    cells = [_format_field(tag, entry.fields.get(tag)) for tag in FIELDS]
    cells += [f'{tag}="{entry.remarks[tag]}"' for tag in REMARKS if tag in entry.remarks]
    cells += [f'ln="{entry.genre}"'] if entry.genre else []
    return SEPARATOR.join(cells) + "\n"


def _format_field(tag: str, phrase: Phrase | None) -> str:
    if phrase is None:
        return f'{tag}="{NOT_MENTIONED}"'
    if SEPARATOR in phrase.text or "\n" in phrase.text:
        raise InputError(
            f"{tag}: the entries format cannot contain a text with {SEPARATOR} or a line end"
        )
    offsets = ",".join(map(format_offset, phrase.offsets))
    return f'{tag}="{phrase.text}" {offsets}'


def read_columns(files: Sequence[TextFile]) -> EntryColumns:
    """Read entries for scoring, one file for each record, without an object for each entry.

    Raises:
        InputError: an entry is invalid; the message names the file, the line and the field.
    """
    return _as_columns(_cut(files))


@dataclass(frozen=True, slots=True, eq=False)
class _Fields:
    """The fields of all lines, ``[n]``; ``tag`` is an index into ``TAGS``."""

    table: Table
    line: IntArray
    tag: IntArray
    text: Cells
    offsets: Cells

    def take(self, rows: IntArray) -> _Fields:
        """Return the fields at ``rows``, in that order."""
        text, offsets = self.text.take(rows), self.offsets.take(rows)
        return _Fields(self.table, self.line[rows], self.tag[rows], text, offsets)

    def refuse(self, wrong: BoolArray, problem: str) -> None:
        """Reject the lines of wrong fields; ``{tag}`` is the tag of a line's first wrong field."""
        _refuse(self.table, self.line, wrong, lambda k: problem.format(tag=TAGS[self.tag[k]]))


def _refuse(table: Table, line: IntArray, wrong: BoolArray, describe: Callable[[int], str]) -> None:
    """Reject the lines of wrong fields; describe the first wrong field of each line."""
    rows = np.flatnonzero(wrong)
    lines, first = np.unique(line[rows], return_index=True)
    table.refuse(lines, map(describe, rows[first].tolist()))


def _cut(files: Sequence[TextFile]) -> _Fields:
    table = Table.of(files, "|")
    table = table.take(np.flatnonzero(_is_filled(table)))
    fields = _split(table, *_find_cells(table))
    names = fields.line * len(TAGS) + fields.tag
    order = np.argsort(names, kind="stable")
    fields.take(order).refuse(
        np.diff(names[order], prepend=-1) == 0, "{tag}: the field occurs twice"
    )
    return fields


def _as_columns(fields: _Fields) -> EntryColumns:
    table = fields.table
    given = fields.take(np.flatnonzero(_is_given(fields)))
    owner, first, last = _parse_offsets(given)
    entry, field = given.line[owner], given.tag[owner]
    rows = np.arange(len(table))
    unnamed = np.setdiff1d(rows, entry[field == 0])
    table.refuse(unnamed, repeat(NO_MEDICATION), remedy=NO_MEDICATION_REMEDY)
    genre = _read_genres(fields.take(np.flatnonzero(fields.tag == _GENRE)))
    bounds = np.searchsorted(entry, np.arange(len(table) + 1))
    record = table.file.astype(np.int32)
    return EntryColumns(record, bounds, field, first, last, genre, rows, table.where)


def _is_filled(table: Table) -> BoolArray:
    ink = np.append(np.frombuffer(table.text, np.uint8) > _BLANK, [False])
    marks = np.concatenate([[0], np.cumsum(ink)])
    filled: BoolArray = marks[table.line_ends] > marks[table.line_starts]
    return filled


def _find_cells(table: Table) -> tuple[Cells, IntArray]:
    """Find the fields of all lines, without the blanks around them, and the line of each."""
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


def _split(table: Table, cells: Cells, line: IntArray) -> _Fields:
    data = np.frombuffer(table.text, np.uint8)
    marks = np.flatnonzero(data == _EQUALS)
    equals = np.append(marks, len(data))[np.searchsorted(marks, cells.starts)]
    quotes = np.flatnonzero(data == _QUOTE)
    opened = equals + 1
    closed = np.append(quotes, -1)[np.searchsorted(quotes, cells.ends) - 1]
    sound = (closed > opened) & (data[np.minimum(opened, len(data) - 1)] == _QUOTE)
    problem = 'expected fields such as m="text" 5:1 5:3, separated by ||'
    _refuse(table, line, ~sound, lambda _: problem)
    tags = Cells(cells.text, cells.starts, equals)
    coded = tags.code_closed(TAGS)
    unknown = coded.ids >= len(TAGS)
    _refuse(table, line, unknown, lambda k: str(unknown_field(tags.string(k))))
    text = Cells(cells.text, opened + 1, closed)
    return _Fields(table, line, coded.ids, text, _trim(Cells(cells.text, closed + 1, cells.ends)))


def _is_given(fields: _Fields) -> BoolArray:
    """Return which fields are scored and have offsets; reject contradictory fields."""
    scored = fields.tag < len(FIELDS)
    mentioned = fields.text.code_closed((NOT_MENTIONED, NOT_MENTIONED.upper())).ids > 1
    given: BoolArray = scored & (fields.offsets.lengths > 0)
    fields.refuse(
        scored & mentioned & ~given,
        "{tag}: the field has no offsets. "
        f'Write {{tag}}="{NOT_MENTIONED}" if it is not mentioned',
    )
    fields.refuse(given & ~mentioned, f"{{tag}}: a field that is {NOT_MENTIONED} has no offsets")
    return given


def _read_genres(fields: _Fields) -> Coded:
    """Read ``ln`` of each line; empty if it is missing."""
    coded = fields.text.code_closed(GENRES)
    unknown = coded.ids >= len(GENRES)
    _refuse(fields.table, fields.line, unknown, lambda k: str(unknown_genre(fields.text.string(k))))
    ids = np.zeros(len(fields.table), np.int32)
    ids[fields.line] = coded.ids + 1
    return Coded(ids, ("", *GENRES))


def _parse_offsets(fields: _Fields) -> tuple[IntArray, IntArray, IntArray]:
    text, owner = _without_needless_blanks(*fields.offsets.joined(_COMMA))
    marks = np.flatnonzero(~is_digit(text))
    sizes = np.diff(marks, prepend=-1) - 1
    field = owner[marks]
    expected = _MARKS[(np.arange(len(marks)) - np.searchsorted(field, field)) % len(_MARKS)]
    wrong = np.zeros(len(fields.line), np.bool_)
    wrong[field[(text[marks] != expected) | (sizes < 1) | (sizes > _MOST_DIGITS)]] = True
    fields.refuse(
        wrong, "{tag}: expected offsets such as 5:1 5:3 or 5:9 5:9,6:0 6:0, of up to 6 digits each"
    )
    numbers, _ = read_numbers(text, marks)
    first_line, first, last_line, last = numbers.reshape(-1, 4).T
    return owner[marks[3::4]], position(first_line, first), position(last_line, last)


def _without_needless_blanks(text: Bytes, owner: IntArray) -> tuple[Bytes, IntArray]:
    """Drop blanks, except one between two tokens."""
    text = np.where(text <= _BLANK, np.uint8(_BLANK), text)
    while True:
        blank = text == _BLANK
        follows = np.append(blank[1:] | (text[1:] == _COMMA), [False])
        leads = np.append([False], text[:-1] == _COMMA)
        needless = blank & (follows | leads)
        if not needless.any():
            return text, owner
        text, owner = text[~needless], owner[~needless]
