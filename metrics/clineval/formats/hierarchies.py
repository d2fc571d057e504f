"""Read hierarchies of codes: CSV or TSV files with the header ``code,parent``."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from clineval.base.errors import InputError, listed, read_each, shown, warn
from clineval.base.files import find_path, is_there
from clineval.formats.files import TextFile, read_text_files
from clineval.kinds.codes.corpus import CODE, is_code
from clineval.kinds.codes.hierarchy import WHERE, Hierarchy, Lists, find_cycle, number_links
from clineval.kinds.codes.prefixes import NAMES, Prefixes, is_name

PARENT = "parent"
_FILES = r"\.(csv|tsv|txt)$"
_DIGITS = 12
"""The digits of the digest of a file in signatures."""
_WANTED = f"a file of codes and parents, a mapping of codes to parents, or {', '.join(NAMES)}"
Link = tuple[str, str]
"""A code, and its parent or an empty string."""


def read_hierarchy(given: object) -> Hierarchy | Prefixes | None:
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
    """Read the lines of all files; messages about cycles name lines."""
    files = list(read_text_files(path, pattern=_FILES, separator=""))
    placed = dict[Link, str]()
    repeated = 0
    for file in files:
        for link, line in _read_lines(file):
            place = f"{file.label}:{line}"
            repeated += placed.setdefault(link, place) is not place
    warn("{n} {line|lines} of the hierarchy {repeats|repeat} another one", n=repeated)
    _refuse_tops_with_parents(placed)
    codes, child, parent = number_links(placed)
    if not codes:
        raise InputError("expected lines with a code and its parent, got none", where=WHERE)
    if cycle := find_cycle(len(codes), child, parent):
        places = [place for (_, above), place in placed.items() if above]
        found = listed([places[at] for at in cycle])
        raise InputError(f"a code is its own ancestor, by the lines {found}", where=WHERE)
    name = _digest(b"".join(file.content for file in files))
    return Hierarchy(name, codes, Lists.of(child, parent, len(codes)))


def _refuse_tops_with_parents(placed: Mapping[Link, str]) -> None:
    tops = {code: place for (code, parent), place in placed.items() if not parent}
    for (code, parent), place in placed.items() if tops else ():
        if parent and code in tops:
            problem = f"the code has a parent here, and none in {tops[code]}"
            raise InputError(problem, where=place, remedy="Remove one of both lines")


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:_DIGITS]


def _read_lines(file: TextFile) -> Iterable[tuple[Link, int]]:
    """Return the code and parent of each line below the header, and its number."""
    lines = file.content.decode().split("\n")
    comma = "\t" not in lines[0]
    rows = csv.reader(
        lines,
        delimiter="," if comma else "\t",
        quoting=csv.QUOTE_MINIMAL if comma else csv.QUOTE_NONE,
    )
    names = [name.strip().lower() for name in next(rows, [])]
    if not {CODE, PARENT} <= set(names):
        problem = f"expected a header with the columns {CODE} and {PARENT}, separated by a comma "
        raise InputError(f"{problem}or a tab", where=f"{file.label}:1")
    at, above, width = names.index(CODE), names.index(PARENT), len(names)

    def read(row: list[str], line: int) -> tuple[Link, int]:
        if len(row) != width:
            problem = f"expected {width} columns, got {len(row)}"
            raise InputError(problem, where=f"{file.label}:{line}")
        code, parent = row[at].strip(), row[above].strip()
        if not is_code(code) or (parent and not is_code(parent)):
            wrong = shown(parent if is_code(code) else code)
            problem = f"expected codes without blanks, got {wrong}"
            raise InputError(problem, where=f"{file.label}:{line}")
        return (code, parent), line

    return read_each(read, ((row, rows.line_num) for row in rows if row))
