r"""The line format of ShARe/CLEF eHealth 2013 Tasks 1 and 2, and of SemEval-2014 Task 7.

``DocName||Type||CUI||start||end[||start||end ...]``, one line for each mention. Offsets count
characters; ends are exclusive. Names of documents are case-sensitive, codes are not. The type is
kept, but not scored. In references of Task 2, the third column contains the annotators' codes, best
first, separated by commas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import repeat
from pathlib import Path

import numpy as np

from clineval.base.arrays import Coded, IntArray, unite_keys
from clineval.base.errors import InputError, read_all
from clineval.base.files import Source
from clineval.formats.delimited import lines as documents
from clineval.formats.delimited import pipe
from clineval.formats.delimited.cells import Table, find_separators
from clineval.formats.delimited.lines import Numbering, in_column
from clineval.formats.delimited.slots import ONE_CODE, judge_slot, read_slot
from clineval.formats.delimited.spans import (
    Spans,
    check_fragments,
    find_torn,
    find_unread,
    list_fragments,
    read_numbers,
    spell,
)
from clineval.formats.files import TextFile, read_text_files
from clineval.formats.writing import check_cells, write_pipe_files
from clineval.kinds.mentions.columns import Side, sort_fragments
from clineval.kinds.mentions.mention import Document, Mention
from clineval.results.columns import USUAL, MentionColumns
from clineval.results.slots import Slot

FILES = r"\.pipe(?!.*~$)"
SCRIPT_FILES = r"^[^.].*[^~]$"
"""Files that ``eval.pl`` reads: names of two or more characters, except hidden and backup files."""
SEPARATOR = "||"
TYPE, CUI_LESS = "Disease_Disorder", "CUI-less"
TYPE_COLUMN, CUI_COLUMN, OFFSETS_COLUMN = 1, 2, 3
FEWEST = OFFSETS_COLUMN + 2
UNREAD = frozenset(pipe.SLOT_COLUMNS)
"""The slots of SemEval-2015 Task 14 that its documents may contain; they are ignored."""
_COMMA, _BLANK, _RETURN = b", \r"
_NO_NUMBERS = "expected numbers of one to nine digits from column 4 on"


def document_key(name: str) -> str:
    """Return the name unchanged: names of documents are case-sensitive."""
    return name


def read_side(source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
    r"""Read lines for scoring.

    Args:
        source: a directory, one file, or the text itself.
        slots: the slots to read; the third column is the value of each.
        strict: whether to read ``*.pipe*`` files and check the format. Otherwise read the files
            that the released script reads, and accept what it accepts: empty fragments, and
            numbers in unusual spellings, which equal no other numbers.

    Returns:
        The mentions; documents are paired by name, which is case-sensitive.

    Examples:
        >>> side = read_side("d||T||C1||31||38||40||42\n", [Slot("cui", "code")], strict=True)
        >>> side.documents, side.mentions.starts.tolist(), side.mentions.ends.tolist()
        (('d',), [31, 40], [38, 42])
    """
    pattern = FILES if strict else SCRIPT_FILES
    files = read_text_files(source, pattern=pattern, separator=SEPARATOR, as_written=not strict)
    read = partial(_read_files, slots=slots, strict=strict)
    return documents.read_files(files, read, document_key, _name_empty)


def read_strings(strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:
    """Read one string of lines for each document; documents are paired by position."""
    read = partial(_read_files, slots=slots, strict=strict)
    return documents.read_strings(strings, read, document_key, as_written=not strict)


def read_documents(source: Source) -> list[Document]:
    r"""Read lines as objects; a mention's type is the slot ``type``.

    The documents are in the order of their first lines. An empty file is an empty document with
    the name of the file.

    Examples:
        >>> document, = read_documents("a.txt||Disease_Disorder||C0344720||4||15||31||38\n")
        >>> document.mentions[0].spans, dict(document.mentions[0].slots)
        (((4, 15), (31, 38)), {'type': 'Disease_Disorder'})
    """
    files = read_text_files(source, pattern=FILES, separator=SEPARATOR)
    found = documents.read_objects(files, _read_mentions, document_key, _name_empty)
    return [Document(name, mentions) for name, mentions in found]


def check(file: TextFile, slots: Sequence[Slot], *, repeats: bool = True) -> None:
    r"""Check a file, including its order and names, on which no score depends.

    Args:
        file: the file.
        slots: the slots; the third column is the value of each.
        repeats: whether two lines may have the same span.

    Raises:
        InputError: a line is invalid; the message names it, and all other errors are added.

    Examples:
        >>> from clineval.formats.files import from_string
        >>> check(from_string("a", "d||T||C1||9||12||4||5"), [])
        Traceback (most recent call last):
        clineval.InputError: a:1: fragment 4-5 follows 9-12, expected increasing order
    """
    check_files([file], slots, repeats=repeats)


def check_files(files: Sequence[TextFile], slots: Sequence[Slot], *, repeats: bool = True) -> None:
    """Check several files at once; a span of a document must not repeat in any of them."""
    table = _read_table(files, strict=True)
    codes = [
        partial(in_column, CUI_COLUMN, partial(_judge_codes, table, slot), of=slot.name)
        for slot in slots
    ]
    offsets = partial(_read_offsets, table, strict=True, ordered=True)
    *_, spans = read_all([partial(documents.refuse_unnamed, table), *codes, offsets])
    if not repeats:
        _refuse_repeats(table, spans)


def _refuse_repeats(table: Table, spans: Spans) -> None:
    """Reject lines with the same document and span as an earlier line."""
    first: dict[tuple[object, ...], int] = {}
    places = zip(table.column(0).strings(), list_fragments(*spans[:3]), strict=True)
    earlier = [
        first.setdefault((name, *fragments), line) for line, (name, fragments) in enumerate(places)
    ]
    repeated = [line for line, other in enumerate(earlier) if other != line]
    numbers = table.line_numbers(np.array(earlier, np.int64)[repeated])
    problems = (f"the line has the same abbreviation as line {number}" for number in numbers)
    table.refuse(np.array(repeated, np.int64), problems)


def _name_empty(file: TextFile) -> str:
    return f"{re.sub(FILES, '', Path(file.path).name)}.txt" if file.path else ""


def _read_files(
    files: Sequence[TextFile], number: Numbering, slots: Sequence[Slot], *, strict: bool
) -> MentionColumns:
    table = _read_table(files, strict=strict)
    read: Callable[[Table, Slot], Coded] = _judge_codes if strict else _read_codes
    codes = [partial(read, table, slot) for slot in slots]
    spans, *values = read_all([partial(_read_offsets, table, strict=strict), *codes])
    bounds, starts, ends, spelling = spans
    attributes = dict(zip((slot.name for slot in slots), values, strict=True))
    mentions = MentionColumns(number(table), bounds, starts, ends, attributes, spelling)
    return sort_fragments(mentions) if strict else mentions


def _read_mentions(files: Sequence[TextFile], number: Numbering) -> tuple[list[int], list[Mention]]:
    table = _read_table(files, strict=True)
    spans = list_fragments(*_read_offsets(table, strict=True)[:3])
    kinds, codes = (table.column(column).strings() for column in (TYPE_COLUMN, CUI_COLUMN))
    rows = zip(spans, codes, kinds, strict=True)
    mentions = [Mention(fragments, code, {"type": kind}) for fragments, code, kind in rows]
    return number(table).tolist(), mentions


def _read_table(files: Sequence[TextFile], *, strict: bool) -> Table:
    """Read the lines that are not blank."""
    table = Table.of(files, SEPARATOR)
    if strict:
        table.refuse_nul()
    short = np.flatnonzero(table.widths < FEWEST).tolist()
    blank = [line for line in short if not table.line(line).strip()]
    if len(blank) < len(short):
        filled = [line for line in short if table.line(line).strip()]
        expected = "expected DocName||Type||CUI||start||end"
        got = [f"{expected}, got {table.widths[line]} columns" for line in filled]
        table.refuse(np.array(filled), got)
    return table.take(np.delete(np.arange(len(table)), blank)) if blank else table


def _read_offsets(table: Table, *, strict: bool, ordered: bool = False) -> Spans:
    cells = table.columns_from(OFFSETS_COLUMN)
    text, lines = cells.joined(_COMMA)
    separators = find_separators(text, SEPARATOR.encode())
    text[separators] = _COMMA
    dropped = (text == _BLANK) | (text == _RETURN)
    spaced = lines[dropped]
    dropped[separators + 1] = True
    kept = np.flatnonzero(~dropped)
    torn = lines[find_torn(text, kept)]
    text, lines = text[kept], lines[kept]
    marks = np.flatnonzero(text == _COMMA)
    unread = find_unread(text, lines, marks, np.zeros(len(marks), np.bool_))
    unread = unite_keys(unread, torn)
    read_others = partial(_read_offsets, strict=strict, ordered=ordered)
    table.refuse(unread, repeat(_NO_NUMBERS), read=read_others)
    numbers, padded = read_numbers(text, marks)
    owners = lines[marks]
    counts = np.bincount(owners, minlength=len(table))
    odd = np.flatnonzero(counts % 2)
    problems = (f"expected offsets in pairs start||end, got {n} offsets" for n in counts[odd])
    table.refuse(odd, problems, remedy="Give every fragment its end", read=read_others)
    bounds = np.concatenate([[0], np.cumsum(counts // 2)])
    starts, ends = numbers[0::2], numbers[1::2]
    if strict:
        check_fragments(table, starts, ends, owners[0::2], ordered=ordered)
        return bounds, starts, ends, USUAL
    _check_order(table, numbers, owners)
    return bounds, starts, ends, spell(cells, np.union1d(spaced, owners[padded]))


def _check_order(table: Table, numbers: IntArray, owners: IntArray) -> None:
    """Reject offsets that decrease within a line, as the script does."""
    falls = np.flatnonzero((np.diff(numbers) < 0) & (owners[1:] == owners[:-1]))
    problems = [
        f"offset {numbers[k + 1]} follows {numbers[k]}, expected offsets in increasing order"
        for k in falls
    ]
    remedy = "Sort the fragments, and put each start before its end"
    table.refuse(owners[falls], problems, remedy=remedy)


def _read_codes(table: Table, slot: Slot) -> Coded:
    return read_slot(table, CUI_COLUMN, slot)


def _judge_codes(table: Table, slot: Slot) -> Coded:
    wanted = "codes separated by commas," if slot.kind == "codes" else "one code,"
    unwanted = "blanks or commas"
    return judge_slot(table, CUI_COLUMN, slot, code=ONE_CODE, wanted=wanted, unwanted=unwanted)


def write_documents(documents: Iterable[Document], directory: Path) -> None:
    """Write one file for each document; see :func:`~clineval.formats.writing.write_pipe_files`."""
    write_pipe_files(documents, directory, format_document)


def format_document(document: Document) -> str:
    r"""Format one document as lines.

    Examples:
        >>> format_document(Document("a.txt", [Mention([(4, 15), (31, 38)], "C0344720")]))
        'a.txt||Disease_Disorder||C0344720||4||15||31||38\n'
    """
    return "".join(f"{line}\n" for line in _format_mentions(document))


def _format_mentions(document: Document) -> Iterator[str]:
    for mention in document.mentions:
        if not mention.coded:
            raise InputError("a mention has no 'cui'", where=document.place)
        kind = str(mention.slots.get("type", TYPE))
        offsets = (str(offset) for fragment in mention.spans for offset in fragment)
        cells = [str(document.id), kind, mention.cui or CUI_LESS, *offsets]
        check_cells(cells, SEPARATOR[0], document.place)
        yield SEPARATOR.join(cells)
