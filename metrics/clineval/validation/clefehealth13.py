"""Files of ShARe/CLEF eHealth 2013 Tasks 1 and 2."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from clineval.errors import InputError
from clineval.formats import clef
from clineval.mentions.slots import Slot
from clineval.validation.problems import (
    Problem,
    check_fragments,
    check_lines,
    check_mentions,
    read_files,
)

_CODE = re.compile(r"[^\s,]*\Z")


def find_problems_of_task1(paths: Sequence[Path], slots: Sequence[Slot]) -> Iterator[Problem]:
    """All problems of files of Task 1, line by line.

    Args:
        paths: files, or directories of ``*.pipe*`` files.
        slots: the slots of a mention.
    """
    return check_mentions(paths, clef.FILES, lambda line: check_line(line, most_codes=1), slots)


def find_problems_of_task2(paths: Sequence[Path]) -> Iterator[Problem]:
    """All problems of files of Task 2, predictions or references, line by line."""
    yield from check_lines(paths, clef.FILES, lambda line: check_line(line, most_codes=None))
    yield from _find_repeated(paths)


def check_line(line: str, *, most_codes: int | None) -> Iterator[str]:
    r"""What is wrong with one line.

    Args:
        line: the line.
        most_codes: how many codes may stand in the third column; None for any number.

    Examples:
        >>> print(*check_line("a.txt||T||C1,C2||31||38||4||15", most_codes=1), sep="\n")
        column 3: expected one code such as C0020538 or CUI-less
        fragment 4-15 stands after 31-38, expected increasing order
    """
    cells = clef.split_line(line)
    if len(cells) < clef.FEWEST:
        yield str(clef.too_few(len(cells), ""))
        return
    if not cells[0].strip():
        yield "column 1: expected the name of a document"
    codes = cells[clef.CUI_COLUMN].split(",")
    if most_codes is not None and len(codes) > most_codes:
        yield f"column 3: expected one code such as C0020538 or {clef.CUI_LESS}"
    elif not all(_CODE.match(code.strip()) for code in codes):
        yield f"column 3: expected codes such as C0020538 or {clef.CUI_LESS}, without blanks"
    try:
        yield from check_fragments(clef.parse_offsets(cells[clef.OFFSETS_COLUMN :]))
    except InputError as error:
        yield str(error)


def _find_repeated(paths: Sequence[Path]) -> Iterator[Problem]:
    """Lines with the document and the span of an earlier line of their file."""
    for found in read_files(paths, clef.FILES):
        seen: dict[tuple[str, ...], int] = {}
        for line in () if isinstance(found, Problem) else found.lines:
            cells = clef.split_line(line.text)
            if len(cells) >= clef.FEWEST:
                first = seen.setdefault((cells[0], *cells[clef.OFFSETS_COLUMN :]), line.number)
                if first != line.number:
                    yield line.problem(f"second line for the abbreviation of line {first}")
