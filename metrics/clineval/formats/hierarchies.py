"""Read hierarchies of codes: CSV or TSV files with the header ``code,parent``."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import repeat
from pathlib import Path

import numpy as np

from clineval.base.errors import InputError, listed, shown, warn
from clineval.base.files import find_path, is_there
from clineval.formats.files import TextFile, read_text_files
from clineval.kinds.codes.corpus import CODE, is_code
from clineval.kinds.codes.hierarchy import WHERE, Hierarchy, NumberedLinks
from clineval.kinds.codes.prefixes import NAMES, AnyHierarchy, Prefixes, is_name

PARENT = "parent"
_FILES = r"\.(csv|tsv|txt)$"
_DIGITS = 12
"""The digits of the digest of a file in signatures."""
_WANTED = f"a file of codes and parents, a mapping of codes to parents, or {', '.join(NAMES)}"
Link = tuple[str, str]
"""A code, and its parent or an empty string."""


def read_hierarchy(given: object) -> AnyHierarchy | None:
    """Read a hierarchy.

    ``given`` is a name, the path of files, a mapping of codes to a parent, a list of parents or
    None, or None for no hierarchy.

    Raises:
        InputError: the value is something else, a line is invalid, or a code is its own ancestor.

    Examples:
        >>> read_hierarchy("atc"), read_hierarchy({"A10": ["A"], "A": None}).codes
        (Prefixes(name='atc'), ('A10', 'A'))
    """
    if given is None or isinstance(given, (Hierarchy, Prefixes)):
        return given
    if isinstance(given, Mapping):
        return _read_mapping(given)
    if not isinstance(given, (str, os.PathLike)):
        raise InputError(f"expected {_WANTED}, got {shown(given)}", where=WHERE)
    if isinstance(given, str) and (is_name(given) or not (is_there(given) or Path(given).suffix)):
        return Prefixes(given)
    return _read_files(find_path(given) or Path(given))


def _read_mapping(given: Mapping[object, object]) -> Hierarchy:
    links = list[Link]()
    for code, parents in given.items():
        above = list(parents) if isinstance(parents, (list, tuple, set)) else [parents or ""]
        for parent in above or [""]:
            if not isinstance(code, str) or not isinstance(parent, str) or not is_code(code):
                wrong = code if not isinstance(code, str) or not is_code(code) else parent
                raise InputError(f"expected codes and parents, got {shown(wrong)}", where=WHERE)
            links.append((code.strip(), parent.strip()))
    lines = "".join(sorted(f"{code},{parent}\n" for code, parent in links))
    return Hierarchy.of(_digest(lines.encode()), links)


def _read_files(path: Path) -> Hierarchy:
    """Read the lines of all files; messages about several lines name them."""
    files = list(read_text_files(path, pattern=_FILES, separator=""))
    rows = _Rows()
    for file in files:
        rows.read(file)
    links = NumberedLinks.of(rows.codes, rows.parents)
    if not links.codes:
        raise InputError("expected lines with a code and its parent, got none", where=WHERE)
    problem = "{n} {line|lines} of the hierarchy {repeats|repeat} another one"
    warn(problem, n=len(links.find_repeats()))
    for at in links.find_odd_tops()[:1].tolist():
        top = np.flatnonzero((links.child == links.child[at]) & (links.parent < 0))
        problem = f"the code has a parent here, and none in {rows.place(int(top[0]))}"
        raise InputError(problem, where=rows.place(at), remedy="Remove one of both lines")
    if cycle := links.find_cycle():
        places = listed([rows.place(at) for at in cycle])
        raise InputError(f"a code is its own ancestor, by the lines {places}", where=WHERE)
    name = _digest(b"".join(file.content for file in files))
    return Hierarchy(name, links.codes, links.list_parents())


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:_DIGITS]


def _split_plain(lines: Sequence[str], delimiter: str, width: int) -> list[str] | None:
    """Return the cells below the header, row by row; None with quotes, or rows of other widths."""
    filled = [line for line in lines[1:] if line]
    together = delimiter.join(filled)
    if '"' in together or "\r" in together:
        return None
    if any(line.count(delimiter) != width - 1 for line in filled):
        return None
    return together.split(delimiter) if filled else []


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of files, in columns: a list for each row would take much more time.

    Args:
        codes: the code of each row.
        parents: its parent, or an empty string.
        lines: the number of its line.
        labels: the name of its file.
    """

    codes: list[str] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def place(self, row: int) -> str:
        """Return file and line of a row."""
        return f"{self.labels[row]}:{self.lines[row]}"

    def read(self, file: TextFile) -> None:
        """Add the rows of a file."""
        lines = file.content.decode().split("\n")
        tabs = "\t" in lines[0]
        rows = csv.reader(lines, csv.excel_tab if tabs else csv.excel)
        names = [name.strip().lower() for name in next(rows, [])]
        if not {CODE, PARENT} <= set(names):
            problem = f"expected a header with the columns {CODE} and {PARENT}"
            remedy = "Separate columns by a comma or a tab"
            raise InputError(problem, where=f"{file.label}:1", remedy=remedy)
        before, width = len(self.codes), len(names)
        if (cells := _split_plain(lines, "\t" if tabs else ",", width)) is None:
            cells = []
            for row in filter(None, rows):
                if len(row) != width:
                    problem = f"expected {width} columns, got {len(row)}"
                    raise InputError(problem, where=f"{file.label}:{rows.line_num}")
                cells += row
                self.lines.append(rows.line_num)
        else:
            self.lines.extend(n for n, line in enumerate(lines[1:], 2) if line)
        self.codes.extend(map(str.strip, cells[names.index(CODE) :: width]))
        self.parents.extend(map(str.strip, cells[names.index(PARENT) :: width]))
        self.labels.extend(repeat(file.label, len(self.codes) - before))
        self._judge(before)

    def _judge(self, before: int) -> None:
        """Reject rows without a code, and values that are no codes."""
        new = slice(before, None)
        cells = {*self.codes[new], *self.parents[new]} - {""}
        together = "".join(cells).isprintable() and len(" ".join(cells).split()) == len(cells)
        if together and "" not in self.codes[new]:
            return
        for row in range(before, len(self.codes)):
            code, parent = self.codes[row], self.parents[row]
            for cell in (code, parent or code):
                if not is_code(cell):
                    problem = f"expected codes without blanks, got {shown(cell)}"
                    raise InputError(problem, where=self.place(row))
