"""Files of SemEval-2015 Task 14: 19 columns, or 3 for Task 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from clineval.errors import InputError
from clineval.formats import pipe
from clineval.mentions.slots import Slot
from clineval.validation.problems import Problem, check_fragments, check_mentions


def find_problems(paths: Sequence[Path], slots: Sequence[Slot]) -> Iterator[Problem]:
    """All problems of some files, line by line.

    Args:
        paths: files, or directories of ``*.pipe*`` files.
        slots: the slots of a mention, with their values.
    """
    return check_mentions(paths, pipe.FILES, lambda line: check_line(line, slots), slots)


def check_line(line: str, slots: Sequence[Slot]) -> Iterator[str]:
    """What is wrong with one line.

    Examples:
        >>> list(check_line("a.txt|20-10|C0344720", []))
        ['column 2: fragment 20-10: the end is not after the start']
    """
    cells = line.removesuffix(pipe.SEPARATOR).split(pipe.SEPARATOR)
    if len(cells) not in (pipe.SHORT, pipe.FULL):
        yield str(pipe.wrong_width(len(cells), ""))
        return
    if not cells[0].strip():
        yield "column 1: expected the name of a document"
    yield from _check_spans(cells[1], 2)
    if any(map(str.isspace, cells[pipe.CUI_COLUMN])):
        yield f"column 3: expected a code such as C0020538 or {pipe.CUI_LESS}, without blanks"
    if len(cells) == pipe.FULL:
        for slot in slots:
            if slot.name in pipe.SLOT_COLUMNS:
                yield from _check_slot(cells, slot, pipe.SLOT_COLUMNS[slot.name])


def _check_slot(cells: Sequence[str], slot: Slot, column: int) -> Iterator[str]:
    value, cue = cells[column].lower(), cells[column + 1]
    if slot.kind == "closed" and value not in slot.values:
        yield f"column {column + 1}: {pipe.unknown_value(slot, value, '')}"
    if slot.kind == "codes" and any(any(map(str.isspace, c.strip())) for c in value.split(",")):
        yield f"column {column + 1}: {slot.name}: expected a code or {pipe.NULL}, without blanks"
    if cue.upper() not in ("", pipe.NULL):
        yield from _check_spans(cue, column + 2)


def _check_spans(cell: str, column: int) -> Iterator[str]:
    try:
        fragments = pipe.parse_spans(cell)
    except InputError:
        yield f"column {column}: expected spans such as 10-20 or 10-20,31-38"
        return
    for message in check_fragments(fragments):
        yield f"column {column}: {message}"
