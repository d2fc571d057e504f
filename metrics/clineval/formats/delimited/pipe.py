"""The pipe format of SemEval-2015 Task 14: 19 columns with all slots, or 3 for Task 1.

``DocName|Spans|CUI|Neg|Neg_span|Subj|Subj_span|Unc|Unc_span|Course|Course_span|Sev|Sev_span|
Cond|Cond_span|Gen|Gen_span|Bodyloc|Bodyloc_span|``, one line for each mention. Spans are
``10-20,31-38``; ends are exclusive. A mention with several body locations has one line for each.
The separator at the end of a line is optional, and case is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, read_all, shown, warn
from clineval.base.files import Source
from clineval.formats.delimited import lines as documents
from clineval.formats.delimited.cells import Table
from clineval.formats.delimited.lines import Numbering, in_column
from clineval.formats.delimited.slots import judge_slot, read_slot, unknown_value
from clineval.formats.delimited.spans import Spans, list_fragments, parse_spans
from clineval.formats.files import TextFile, read_text_files
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.mention import Document, Fragment, Mention
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot

FILES = r"\.pipe"
SEPARATOR = "|"
SPANS_COLUMN, CUI_COLUMN = 1, 2
SLOT_COLUMNS: Mapping[str, int] = {
    "negation": 3,
    "subject": 5,
    "uncertainty": 7,
    "course": 9,
    "severity": 11,
    "conditional": 13,
    "generic": 15,
    "body_location": 17,
}
SHORT, FULL = 3, 19
NULL = "NULL"
CUI_LESS = "CUI-less"
CUI = Slot("cui", "code")
SLOTS = (
    CUI,
    Slot("negation", "closed", ("no", "yes")),
    Slot(
        "subject",
        "closed",
        ("patient", "family_member", "donor_family_member", "donor_other", "null", "other"),
    ),
    Slot("uncertainty", "closed", ("no", "yes")),
    Slot(
        "course",
        "closed",
        ("unmarked", "changed", "increased", "decreased", "improved", "worsened", "resolved"),
    ),
    Slot("severity", "closed", ("unmarked", "slight", "moderate", "severe")),
    Slot("conditional", "closed", ("false", "true")),
    Slot("generic", "closed", ("false", "true")),
    Slot("body_location", "codes"),
)
"""The slots, each with its closed set of values, the default first."""
UNREAD: frozenset[str] = frozenset()
"""Slots that are ignored: none, because this format contains all of them."""


def document_key(name: str) -> str:
    """Return the name in lower case: names of documents are not case-sensitive."""
    return name.lower()


def read_side(source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
    """Read pipe text for scoring.

    Args:
        source: a directory of ``*.pipe*`` files, one file, or the text itself.
        slots: the slots to read, with their values.
        strict: whether to check the format. Otherwise accept what the released scripts accept:
            two or more columns, any value of a slot, fragments in any order.

    Returns:
        The mentions; documents are paired by name, which is not case-sensitive.
    """
    files = read_text_files(source, pattern=FILES, separator=SEPARATOR, old_ends=strict)
    read = partial(_read_files, slots=slots, strict=strict)
    return documents.read_files(files, read, document_key, _name_empty)


def read_strings(strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:
    """Read one string of pipe text for each document; documents are paired by position."""
    read = partial(_read_files, slots=slots, strict=strict)
    return documents.read_strings(strings, read, document_key, old_ends=strict)


def read_documents(source: Source, slots: Sequence[Slot]) -> list[Document]:
    r"""Read pipe text as objects, with the cue spans that scoring ignores.

    The cue of a body location is kept under ``body_location:<code>``.

    Returns:
        The documents in the order of their first lines. An empty file is an empty document
        with the name of the file.

    Raises:
        InputError: a line is invalid; the message names file and line.

    Examples:
        >>> read_documents("a.txt|4-15,31-38|C0344720|\n", [])[0].mentions[0].spans
        ((4, 15), (31, 38))
    """
    files = read_text_files(source, pattern=FILES, separator=SEPARATOR)
    read = partial(_read_mentions, slots=slots)
    found = documents.read_objects(files, read, document_key, _name_empty)
    return [Document(name, _merge(mentions)) for name, mentions in found]


def check(file: TextFile, slots: Sequence[Slot]) -> None:
    """Check a file, including its cues, order and names, on which no score depends.

    Raises:
        InputError: a line is invalid; the message names line and column, and all other errors are
            added.

    Examples:
        >>> from clineval.formats.files import from_string
        >>> check(from_string("a", "a.txt|20-10|C0344720"), [])
        Traceback (most recent call last):
        clineval.InputError: a:1, column 2: fragment 20-10: the end is not after the start
    """
    check_files([file], slots)


def check_files(files: Sequence[TextFile], slots: Sequence[Slot]) -> None:
    """Check several files at once; places of errors are those of :func:`check`."""
    table = _read_table(files, strict=True).lowered()
    readers: list[Callable[[], object]] = [
        partial(documents.refuse_unnamed, table),
        partial(_check_spans, table, SPANS_COLUMN, ordered=True),
    ]
    for slot in slots:
        column = _column_of(slot)
        read = partial(judge_slot, table, column, slot)
        readers.append(partial(in_column, column, read, of=CUI.name))
        if column != CUI_COLUMN:
            readers.append(partial(_read_cues, table, column + 1, ordered=True))
    read_all(readers)


def _name_empty(file: TextFile) -> str:
    return f"{file.stem}.txt" if file.stem else ""


def _read_files(
    files: Sequence[TextFile], number: Numbering, slots: Sequence[Slot], *, strict: bool
) -> MentionColumns:
    table = _read_table(files, strict=strict)
    return _read_columns(table, number(table), slots, strict=strict)


def _read_columns(
    table: Table, numbers: IntArray, slots: Sequence[Slot], *, strict: bool
) -> MentionColumns:
    table = table.lowered()
    read = judge_slot if strict else read_slot
    (bounds, starts, ends, spelling), *values = read_all(
        [
            partial(parse_spans, table, SPANS_COLUMN, strict=strict),
            *(partial(read, table, _column_of(slot), slot) for slot in slots),
        ]
    )
    attributes = dict(zip((slot.name for slot in slots), values, strict=True))
    return MentionColumns(numbers, bounds, starts, ends, attributes, spelling)


def _read_table(files: Sequence[TextFile], *, strict: bool) -> Table:
    table = Table.of(files, SEPARATOR)
    if strict:
        table.refuse_nul()
    else:
        for file in files:
            file.refuse_returns("the script")
    widths = table.widths
    usable = (widths == SHORT) | (widths == FULL) if strict else widths > 1
    if usable.all():
        return table
    filled = [line for line in np.flatnonzero(~usable).tolist() if table.line(line).strip()]
    if strict:
        expected = f"expected {FULL} columns, or {SHORT} for Task 1"
        table.refuse(np.array(filled), [f"{expected}, got {widths[line]}" for line in filled])
    elif filled:
        problem = "{n} {line|lines} without a second column {is|are} skipped, as in the script"
        warn(f"{problem}; the first one: {{place}}", n=len(filled), place=table.where(filled[0]))
    return table.take(np.flatnonzero(usable))


def _column_of(slot: Slot) -> int:
    return CUI_COLUMN if slot.kind == "code" else SLOT_COLUMNS[slot.name]


def _check_spans(table: Table, column: int, *, ordered: bool) -> Spans:
    return in_column(column, partial(parse_spans, table, column, strict=True, ordered=ordered))


def _read_cues(table: Table, column: int, *, ordered: bool = False) -> dict[int, list[Fragment]]:
    """Read the cues; return the fragments by line."""
    lines = np.flatnonzero(table.column(column).code_closed(("", NULL.lower())).ids > 1)
    if not len(lines):
        return {}
    spans = _check_spans(table.take(lines), column, ordered=ordered)
    return dict(zip(lines.tolist(), list_fragments(*spans[:3]), strict=True))


def _read_mentions(
    files: Sequence[TextFile], number: Numbering, slots: Sequence[Slot]
) -> tuple[list[int], list[Mention]]:
    """Read the document and the mention of each line, with cues, and with codes as written."""
    table = _read_table(files, strict=True)
    columns = _read_columns(table, number(table), slots, strict=True)
    lowered = table.lowered()
    given = [
        (slot, _list_cells(table, columns, slot), _read_cues(lowered, _column_of(slot) + 1))
        for slot in slots
        if _column_of(slot) != CUI_COLUMN
    ]
    codes = table.column(CUI_COLUMN).strings()
    spans = list_fragments(columns.bounds, columns.starts, columns.ends)
    mentions = []
    for line, full in enumerate((table.widths == FULL).tolist()):
        said = [(slot, cells[line], cues.get(line)) for slot, cells, cues in given] if full else []
        mentions.append(
            Mention(
                spans[line],
                codes[line],
                {s.name: tuple(c.split(",")) if s.kind == "codes" else c for s, c, _ in said},
                {_cue_name(slot, cell): cue for slot, cell, cue in said if cue},
            )
        )
    return columns.document.tolist(), mentions


def _list_cells(table: Table, columns: MentionColumns, slot: Slot) -> list[str]:
    """List the cell of each line; values of closed sets are folded."""
    if slot.kind == "codes":
        return table.column(_column_of(slot)).strings()
    coded = columns.attributes[slot.name]
    return [coded.values[value] for value in coded.ids.tolist()]


def write_documents(
    documents: Iterable[Document], directory: Path, slots: Sequence[Slot], *, short: bool = False
) -> None:
    """Write one file for each document; see :func:`~clineval.formats.writing.write_pipe_files`.

    The default value is written for a missing slot. ``short`` writes only the three columns of
    Task 1.
    """
    from clineval.formats.writing import write_pipe_files

    write_pipe_files(documents, directory, partial(format_document, slots=slots, short=short))


def format_document(document: Document, slots: Sequence[Slot], *, short: bool = False) -> str:
    r"""Format one document as pipe text.

    Examples:
        >>> mention = Mention([(4, 15), (31, 38)], "C0344720")
        >>> format_document(Document("a.txt", [mention]), [], short=True)
        'a.txt|4-15,31-38|C0344720|\n'
    """
    try:
        return "".join(
            SEPARATOR.join([*cells, ""]) + "\n"
            for mention in document.mentions
            for cells in _format_mention(str(document.id), mention, slots, short=short)
        )
    except InputError as error:
        raise InputError(str(error), where=document.place) from None


def _format_mention(
    name: str, mention: Mention, slots: Sequence[Slot], *, short: bool
) -> Iterator[list[str]]:
    from clineval.formats.writing import check_cells

    if not mention.coded:
        raise InputError("a mention has no 'cui'", remedy=f"Give None for {CUI_LESS}")
    start = [name, _format_spans(mention.spans), mention.cui or CUI_LESS]
    for location in ("",) if short else _locations(mention):
        cells = start if short else [*start, *_format_slots(mention, slots, location)]
        check_cells(cells, SEPARATOR)
        yield cells


def _format_slots(mention: Mention, slots: Sequence[Slot], location: str) -> list[str]:
    cells = [NULL] * (FULL - SHORT)
    for slot in slots:
        if slot.name not in SLOT_COLUMNS:
            continue
        at = SLOT_COLUMNS[slot.name] - SHORT
        value = location if slot.kind == "codes" else mention.slots.get(slot.name) or slot.default
        if slot.kind == "closed" and slot.find(str(value)) is None:
            raise unknown_value(slot, value, "")
        cells[at] = str(value)
        cue = mention.cues.get(_cue_name(slot, cells[at]))
        cells[at + 1] = _format_spans(cue) if cue else NULL
    return cells


def _locations(mention: Mention) -> Sequence[str]:
    value = mention.slots.get("body_location") or NULL
    if isinstance(value, str):
        return list(map(str.strip, value.split(",")))
    if isinstance(value, tuple) and all(isinstance(code, str) for code in value):
        return value
    raise InputError(f"body_location: expected codes, got {shown(value)}")


def _format_spans(spans: Iterable[Fragment]) -> str:
    return ",".join(f"{start}-{end}" for start, end in spans)


def _merge(mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Join the consecutive lines of one mention with several body locations."""
    for _, lines in groupby(mentions, key=_without_location):
        merged, *others = lines
        for line in others:
            if set(_locations(merged)) & set(_locations(line)):
                yield merged
                merged = line
            else:
                locations = (*_locations(merged), *_locations(line))
                slots = {**merged.slots, "body_location": locations}
                merged = Mention(line.spans, line.cui, slots, {**merged.cues, **line.cues})
        yield merged


def _without_location(mention: Mention) -> tuple[object, ...]:
    slots = {name: value for name, value in mention.slots.items() if name != "body_location"}
    cues = {name: cue for name, cue in mention.cues.items() if not name.startswith("body_location")}
    return mention.spans, mention.cui, slots, cues


def _cue_name(slot: Slot, cell: str) -> str:
    """Return the key of a slot's cue; each code of a set has a cue of its own."""
    return f"{slot.name}:{cell}" if slot.kind == "codes" else slot.name
