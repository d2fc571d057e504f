"""The pipe format of SemEval-2015 Task 14: 19 columns with all slots, or 3 for Task 1.

``DocName|Spans|CUI|Neg|Neg_span|Subj|Subj_span|Unc|Unc_span|Course|Course_span|Sev|Sev_span|
Cond|Cond_span|Gen|Gen_span|Bodyloc|Bodyloc_span|``, one line for a mention. Spans are
``10-20,31-38``, ends exclusive. A mention with several body locations has one line for each.
The separator at the end of a line may be left out, and case does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from clineval.errors import InputError, shown
from clineval.formats.files import Source, read_text_files
from clineval.mentions.mention import Document, Fragment, Mention, Value
from clineval.mentions.slots import Slot

FILES = r"\.pipe"
SEPARATOR = "|"
CUI_COLUMN = 2
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
_SPAN = re.compile(r"\s*(\d+)-(\d+)\s*\Z", re.ASCII)


def read_documents(source: Source, slots: Sequence[Slot]) -> list[Document]:
    r"""Read pipe text as objects, with the cue spans that scoring ignores.

    The cue of a body location is kept under ``body_location:<code>``.

    Args:
        source: a directory of ``*.pipe*`` files, one file, or the text itself.
        slots: the slots with their values.

    Returns:
        The documents in the order of their first lines. An empty file is an empty document
        named after the file.

    Raises:
        InputError: names the file and the line.

    Examples:
        >>> read_documents("a.txt|4-15,31-38|C0344720|\n", [])[0].mentions[0].spans
        ((4, 15), (31, 38))
    """
    lines: dict[str, list[Mention]] = {}
    names: dict[str, str] = {}
    for file in read_text_files(source, pattern=FILES, separator=SEPARATOR):
        if not file.content.strip() and file.stem:
            names.setdefault(f"{file.stem}.txt".lower(), f"{file.stem}.txt")
        for number, line in enumerate(file.content.decode().splitlines(), 1):
            if line:
                name, mention = _parse_line(line, slots, f"{file.label}:{number}")
                names.setdefault(name.lower(), name)
                lines.setdefault(name.lower(), []).append(mention)
    return [Document(name, _merge(lines.get(key, []))) for key, name in names.items()]


def write_documents(
    documents: Iterable[Document], directory: Path, slots: Sequence[Slot], *, short: bool = False
) -> None:
    """Write one ``.pipe`` file for each document.

    Args:
        documents: each needs an id; ``note.txt`` and ``note`` are written to ``note.pipe``, and
            called ``note.txt`` there.
        directory: made if it is not there.
        slots: the slots with their values; a slot that a mention lacks is written as default.
        short: write the three columns of Task 1 instead of all nineteen.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for document in documents:
        if not document.id:
            raise InputError("a document without id has no file name", remedy="Give it an id")
        stem = document.id.removesuffix(".txt")
        # a file without lines has no name but this one
        named = Document(f"{stem}.txt", document.mentions)
        text = format_document(named, slots, short=short)
        (directory / f"{stem}.pipe").write_text(text, "utf-8", newline="\n")


def format_document(document: Document, slots: Sequence[Slot], *, short: bool = False) -> str:
    r"""One document as pipe text.

    Examples:
        >>> mention = Mention([(4, 15), (31, 38)], "C0344720")
        >>> format_document(Document("a.txt", [mention]), [], short=True)
        'a.txt|4-15,31-38|C0344720|\n'
    """
    lines = []
    for mention in document.mentions:
        start = [str(document.id), _format_spans(mention.spans), mention.cui or CUI_LESS]
        for location in ("",) if short else _locations(mention):
            cells = [] if short else _format_slots(mention, slots, location)
            lines.append(SEPARATOR.join([*start, *cells, ""]) + "\n")
    return "".join(lines)


def _format_slots(mention: Mention, slots: Sequence[Slot], location: str) -> list[str]:
    cells = [NULL] * (FULL - SHORT)
    for slot in slots:
        if slot.name not in SLOT_COLUMNS:
            continue
        at = SLOT_COLUMNS[slot.name] - SHORT
        value = location if slot.kind == "codes" else mention.slots.get(slot.name, slot.default)
        cells[at] = str(value)
        cue = mention.cues.get(cue_name(slot, cells[at]))
        cells[at + 1] = _format_spans(cue) if cue else NULL
    return cells


def _locations(mention: Mention) -> Sequence[str]:
    value = mention.slots.get("body_location") or NULL
    return list(map(str.strip, value.split(","))) if isinstance(value, str) else value


def _format_spans(spans: Iterable[Fragment]) -> str:
    return ",".join(f"{start}-{end}" for start, end in spans)


def _parse_line(line: str, slots: Sequence[Slot], where: str) -> tuple[str, Mention]:
    cells = line.removesuffix(SEPARATOR).split(SEPARATOR)
    if len(cells) not in (SHORT, FULL):
        raise wrong_width(len(cells), where)
    try:
        spans = parse_spans(cells[1])
        values: dict[str, Value] = {}
        cues = {}
        for slot in slots if len(cells) == FULL else ():
            if slot.name in SLOT_COLUMNS:
                column = SLOT_COLUMNS[slot.name]
                values[slot.name] = _parse_value(cells[column], slot)
                if cells[column + 1].upper() not in ("", NULL):
                    cues[cue_name(slot, cells[column])] = parse_spans(cells[column + 1])
        return cells[0], Mention(spans, cells[CUI_COLUMN], values, cues)
    except InputError as error:
        raise InputError(str(error), where=where) from None


def _parse_value(cell: str, slot: Slot) -> Value:
    if slot.kind == "codes":
        return tuple(cell.split(","))
    value = cell.lower()
    if value not in slot.values:
        raise unknown_value(slot, value, "")
    return value


def parse_spans(cell: str) -> list[Fragment]:
    """The fragments of a cell such as ``10-20,31-38``, as they stand there.

    Raises:
        InputError: the cell holds something else.
    """
    fragments = []
    for part in cell.split(","):
        match = _SPAN.match(part)
        if not match:
            raise malformed_spans("")
        fragments.append((int(match[1]), int(match[2])))
    return fragments


def _merge(mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Join the consecutive lines of one mention with several body locations."""
    for _, lines in groupby(mentions, key=_without_location):
        merged: Mention | None = None
        for line in lines:
            if merged is None:
                merged = line
            elif set(_locations(merged)) & set(_locations(line)):
                yield merged
                merged = line
            else:
                locations = (*_locations(merged), *_locations(line))
                slots = {**merged.slots, "body_location": locations}
                merged = Mention(line.spans, line.cui, slots, {**merged.cues, **line.cues})
        if merged is not None:
            yield merged


def _without_location(mention: Mention) -> tuple[object, ...]:
    slots = {name: value for name, value in mention.slots.items() if name != "body_location"}
    cues = {name: cue for name, cue in mention.cues.items() if not name.startswith("body_location")}
    return mention.spans, mention.cui, slots, cues


def cue_name(slot: Slot, value: str) -> str:
    """The key of a slot's cue; each code of a set has a cue of its own."""
    return f"{slot.name}:{value}" if slot.kind == "codes" else slot.name


def wrong_width(width: int, where: str) -> InputError:
    """A line has neither 3 nor 19 columns."""
    return InputError(f"expected {FULL} columns, or {SHORT} for Task 1, got {width}", where=where)


def malformed_spans(where: str) -> InputError:
    """The second column is not a list of spans."""
    return InputError("expected spans such as 10-20 or 10-20,31-38 in column 2", where=where)


def unknown_value(slot: Slot, value: str, where: str) -> InputError:
    """A value outside the closed set of a slot."""
    allowed = ", ".join(slot.values)
    return InputError(f"{slot.name}: expected one of {allowed}, got {shown(value)}", where=where)
