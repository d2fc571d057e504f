"""Read codes from TSV files without header, one file per document: ``<document><tab><code>``.

A single file may contain several documents, named in the first column.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from clineval.base.errors import InputError, read_each, shown, warn
from clineval.base.files import Source, find_path, is_file
from clineval.formats.files import TextFile, read_text_files
from clineval.formats.given.code_lists import Judge, take
from clineval.kinds.codes.corpus import as_side, is_code, number
from clineval.kinds.mentions.columns import Side

FILES = r"\.tsv$"
_MENTION = re.compile(r"(T\d+)\t(\S+)")
_NOTE = re.compile(r"#\d+\t\S+ (T\d+)\t(.*)")
_COLUMNS = 2


class Row(NamedTuple):
    """A line: the document of its file, the document in its first column, and the code."""

    document: str
    named: str
    code: str


def read_side(source: Source, judge: Judge = take) -> Side:
    r"""Read files strictly; documents are paired by name.

    Raises:
        InputError: a line is faulty; the error names file and line.

    Examples:
        >>> side = read_side("a\t387517004\nb\tCHEBI:1\nb\t<null>\n")
        >>> side.documents, side.mentions.document.tolist()
        (('a', 'b'), [0, 1, 1])
    """
    path = find_path(source, "\t")
    whole = path is not None and path.is_dir()
    names: list[str] = []
    rows: list[Row] = []
    for file in read_text_files(source, pattern=FILES, separator="\t"):
        names += [file.stem or ""] if whole else []
        rows += read_file(file, whole=whole, judge=judge)
    found, numbers = number([*names, *(row.document for row in rows)])
    codes = (row.code for row in rows)
    return as_side(
        found, ((n, code, ()) for n, code in zip(numbers[len(names) :], codes, strict=True))
    )


def read_file(file: TextFile, *, whole: bool, judge: Judge) -> list[Row]:
    """Read the rows of a file.

    Args:
        file: the file.
        whole: whether the whole file belongs to the document that it is named after.
        judge: returns the problem of a code.
    """
    stem = file.stem if whole else None
    return read_each(partial(_read_line, stem=stem, judge=judge), file.lines())


def _read_line(where: str, line: str, stem: str | None, judge: Judge) -> Row:
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) != _COLUMNS or not cells[0] or not cells[0].isprintable():
        raise InputError("expected a document, a tab, and a code", where=where)
    if not is_code(cells[1]):
        raise InputError(f"expected a code without blanks, got {shown(cells[1])}", where=where)
    if stem is not None and cells[0] != stem:
        raise InputError("expected the name of the file in the first column", where=where)
    if wrong := judge(cells[1]):
        raise InputError(wrong, where=where)
    return Row(cells[0], cells[0], cells[1])


def read_as_script(source: Source, pattern: str = FILES) -> tuple[tuple[str, ...], list[Row]]:
    """Read the names of documents and the rows as the released scripts do.

    Rows belong to the document that their file is named after. If several files share a stem, the
    last one counts.

    Raises:
        InputError: a line has no tab, or is blank; the scripts stop there.
    """
    opened = read_text_files(source, pattern=pattern, separator="\t", as_written=True)
    files = {file.stem or "": file for file in opened}
    rows, others = [], 0
    for stem, file in files.items():
        lines = re.split("\r\n?|\n", file.content.decode())[:-1]
        for at, line in enumerate(lines, 1):
            cells = line.strip().split("\t")
            if len(cells) < _COLUMNS:
                raise InputError(
                    "expected a document, a tab, and a code: the released script stops here too",
                    where=f"{file.label}:{at}",
                )
            others += cells[0] != stem
            rows.append(Row(stem or cells[0], cells[0], cells[1]))
    if all(files):
        problem = "{n} {row names|rows name} another document than their file, and {counts|count}"
        warn(f"{problem} for the file's", n=others)
    return tuple(dict.fromkeys((*filter(None, files), *(row.document for row in rows)))), rows


class Noted(NamedTuple):
    """The codes in brat's notes of a document: on mentions with some label, and on the others."""

    theirs: frozenset[str]
    others: frozenset[str]

    def folded(self, fold: Callable[[str], str]) -> Noted:
        """Return the codes in the form that is compared."""
        return Noted(*(frozenset(map(fold, codes)) for codes in self))


NOTHING = Noted(frozenset(), frozenset())


def is_unclear(code: str, noted: Noted) -> bool:
    """Return whether only mentions with the label have a code."""
    return code in noted.theirs and code not in noted.others


def read_notes(folder: Path, documents: tuple[str, ...], label: str) -> dict[str, Noted]:
    """Read the codes in brat's notes of ``<document>.ann``; skip documents without a file."""
    found = {}
    for document in documents:
        path = folder / f"{document}.ann"
        if Path(document).name == document and is_file(path):
            (file,) = read_text_files(path, pattern="", separator="\0")
            lines = file.content.decode().split("\n")
            labels = {m[1]: m[2] for m in map(_MENTION.match, lines) if m}
            notes = [(m[1], m[2]) for m in map(_NOTE.match, lines) if m]
            theirs = {code.strip() for name, code in notes if labels.get(name) == label}
            others = {code.strip() for name, code in notes if labels.get(name, label) != label}
            found[document] = Noted(frozenset(theirs), frozenset(others))
    return found
