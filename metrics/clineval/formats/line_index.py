"""Documents of JSON Lines by the bytes of their lines, so that a part of a file can be read alone.

A part of a file is the file with all other lines empty. Readers skip empty lines, and messages name
the right lines.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from clineval.base.arrays import IntArray, unite_keys
from clineval.base.errors import InputError
from clineval.base.files import find_limit, is_directory, name_path, unreadable
from clineval.base.strict_json import NotJsonError, parse_json
from clineval.formats.files import SomeFiles
from clineval.formats.jsonl import list_line_files
from clineval.formats.line_sources import LineFile, Read

_ID = re.compile(rb'\s*\{\s*"id"\s*:\s*(?:"([^"\\\x00-\x1f]+)"|([1-9][0-9]*|0)\s*[,}])')
"""The id of a document at the beginning of its line: a string without escapes, or a number."""
_LARGEST = 8 << 20
"""The most bytes in a part, unless it has one document."""


@dataclass(frozen=True, slots=True)
class LineForm:
    """What the lines of documents contain: JSON, unless a subclass says otherwise.

    Args:
        head: a line that each part of a file begins with, such as the header of a table. Only a
            part with such a line has no empty lines within.
    """

    head: bytes = b""

    def find_name(self, lines: bytes) -> bytes | None:
        """Return the name of the document; None if there is none."""
        return _find_id(lines)


JSON_LINES = LineForm()


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Some lines of a side.

    Args:
        files: the files with the lines.
        table: ``[n, 3]``, begin and end of the lines of each document in bytes, and the number of
            the first one, from 1; all three count on from file to file.
        folder: the directory of the files; None for a single file.
        form: what the lines contain.
    """

    files: Sequence[LineFile]
    table: IntArray
    folder: Path | None = None
    form: LineForm = JSON_LINES

    def __len__(self) -> int:
        return len(self.table)

    @property
    def sizes(self) -> IntArray:
        """``[n]``, the bytes of each document."""
        return self.table[:, 1] - self.table[:, 0]

    def take(self, rows: Sequence[int] | IntArray) -> Lines:
        """Return the lines of some documents, in the order of the files."""
        lines = replace(self, table=self.table[np.sort(np.asarray(rows, np.int64))])
        files = [
            file.only((table[:, :2] - file.start).tolist())
            for file, table in lines._split()  # noqa: SLF001 - of this class
            if len(table)
        ]
        return replace(lines, files=files or [self.files[0].only([])])

    def _split(self) -> Iterator[tuple[LineFile, IntArray]]:
        """Yield each file with its lines."""
        bounds = np.searchsorted(self.table[:, 0], [file.start for file in self.files[1:]])
        yield from zip(self.files, np.split(self.table, bounds), strict=True)

    @property
    def source(self) -> Path | SomeFiles:
        """The source, reduced to the files with the lines."""
        if self.folder is None:
            return Path(self.files[0].path)
        return SomeFiles(self.folder, [Path(file.path).name for file in self.files])

    def read(self) -> dict[str, bytes]:
        """Return the path and the content of each file, with all other lines empty.

        Raises:
            InputError: a file cannot be read any more.
        """
        return {file.path: _read(file, table, self.form.head) for file, table in self._split()}

    def name(self) -> str:
        """Return the id in the first line, or else the number of the line."""
        first = self.take([0])
        [file] = first.files
        found = self.form.find_name(_read(file, first.table, None))
        return found.decode(errors="replace") if found else f"line {self.table[0, 2] - file.before}"


def _read(file: LineFile, table: IntArray, head: bytes | None) -> bytes:
    """Return the content of a file, with all lines empty that are not in the table.

    After a head, there are no empty lines. With None for the head, there are none at all.
    """
    within = table - np.array([file.start, file.start, file.before])
    try:
        with file.reading() as read:
            if head or head is None:
                return b"".join(_join_under(read, within, head))
            return b"".join(_join_runs(read, within))
    except OSError as error:
        raise unreadable(error, name_path(file.path)) from None


def _join_under(read: Read, table: IntArray, head: bytes | None) -> Iterator[bytes]:
    """Yield lines below a head; those of a single document are in their places."""
    if head is not None:
        yield b"\n" * int(table[0, 2] - 2 if len(table) == 1 else 0) + head
    for first, end in pairwise(_find_runs(table)):
        yield _end(read(int(table[first, 0]), int(table[end - 1, 1])))


def _join_runs(read: Read, table: IntArray) -> Iterator[bytes]:
    last = 1
    for first, end in pairwise(_find_runs(table)):
        run = table[first:end]
        yield b"\n" * int(run[0, 2] - last)
        yield _end(read(int(run[0, 0]), int(run[-1, 1])))
        last = int(run[-1, 2]) + 1


def _end(content: bytes) -> bytes:
    """End the last line."""
    return content if content.endswith(b"\n") else content + b"\n"


def _find_runs(table: IntArray) -> list[int]:
    """Return the bounds of runs of lines that follow each other."""
    breaks = np.flatnonzero(table[1:, 0] != table[:-1, 1]) + 1
    return [0, *breaks.tolist(), len(table)] if len(table) else []


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """All documents of a side.

    Args:
        lines: the lines of the documents.
        keys: ``[n]``, a hash of each document's id, only for comparison within this process.
    """

    lines: Lines
    keys: IntArray


def index_lines(source: Path) -> Index | None:
    """Find the lines of documents in a file of JSON Lines, or in a directory of such files.

    Returns:
        The index; None for any other source, if a line has no id, if two lines may have the same,
        or if a file is too large, is broken, or cannot be read.
    """
    try:
        paths = list_line_files(source)
        found = _index(paths) if paths else None
    except (OSError, InputError):
        return None
    if found is None or len(unite_keys(found.keys)) < len(found.keys):
        return None
    folder = source if is_directory(source) else None
    return replace(found, lines=replace(found.lines, folder=folder))


def _index(paths: Sequence[str]) -> Index | None:
    table, keys = array("q"), array("q")
    files: list[LineFile] = []
    start = before = 0
    for path in paths:
        files.append(LineFile.find(path, start, before))
        ends = _index_file(files[-1], table, keys)
        if ends is None:
            return None
        start, before = ends
    found = np.frombuffer(keys, np.int64) if keys else np.zeros(0, np.int64)
    return Index(Lines(files, np.array(table, np.int64).reshape(-1, 3)), found)


def _index_file(file: LineFile, table: array[int], keys: array[int]) -> tuple[int, int] | None:
    """Add the lines of a file; return where it ends, in bytes and in lines."""
    if file.size > find_limit():
        return None
    begin, number, line = file.start, file.before, b""
    with file.open() as stream:
        for number, line in enumerate(stream, file.before + 1):
            end = begin + len(line)
            if not line.isspace():
                name = _find_id(line)
                if name is None:
                    return None
                table.extend((begin, end, number))
                keys.append(hash(name))
            begin = end
    alone = number == file.before + 1 and b"\r" in line and b"\n" not in line
    return None if alone else (begin, number)  # carriage returns may end the lines


def _find_id(line: bytes) -> bytes | None:
    if found := _ID.match(line):
        return found[1] or found[2]
    try:
        document = parse_json(line.decode())
    except (UnicodeDecodeError, NotJsonError):
        return None
    name = document.get("id") if isinstance(document, dict) else None
    if type(name) is int:
        name = str(name)
    return name.encode() if isinstance(name, str) and name else None


def pair_parts(gold: Index, found: Index, size: int) -> Iterator[tuple[Lines, Lines]] | None:
    """Pair the lines of the same documents, in parts of at most ``size`` documents.

    Parts follow the order of the gold documents. Documents that only the second side has come last.
    None if a side is empty; if both sides lack documents of the other, because the names may differ
    in their form; or if the second side has more than ``size`` other documents.
    """
    if not len(gold.keys) or not len(found.keys):
        return None
    order = np.argsort(found.keys, kind="stable")
    at = np.searchsorted(found.keys, gold.keys, sorter=order)
    rows = order[np.minimum(at, len(order) - 1)]
    rows = np.where(found.keys[rows] == gold.keys, rows, -1)
    paired = rows >= 0
    extra = np.setdiff1d(np.arange(len(found.keys)), rows[paired])
    if (len(extra) and not paired.all()) or len(extra) > size:
        return None
    return _cut(gold.lines, found.lines, rows, extra, size)


def _cut(
    gold: Lines, found: Lines, rows: IntArray, extra: IntArray, size: int
) -> Iterator[tuple[Lines, Lines]]:
    sizes = gold.sizes + np.where(rows >= 0, found.sizes[rows], 0)
    first = 0
    while first < len(gold):
        last = first + _fit(sizes[first : first + size])
        others = rows[first:last]
        others = others[others >= 0]
        if last == len(gold):
            others = np.append(others, extra)
        yield gold.take(range(first, last)), found.take(others)
        first = last


def _fit(sizes: IntArray) -> int:
    """Return how many documents fit into a part."""
    return max(1, int(np.searchsorted(sizes.cumsum(), _LARGEST)))


def pair_singly(gold: Lines, found: Lines) -> Iterator[tuple[str, Lines, Lines]]:
    """Yield each document of a part with its name and its lines; a side that lacks it has none."""
    names, others = (
        [lines.take([at]).name() for at in range(len(lines))] for lines in (gold, found)
    )
    rows = {name: at for at, name in enumerate(others)}
    for at, name in enumerate(names):
        yield name, gold.take([at]), found.take([rows.pop(name)] if name in rows else [])
    for name, at in rows.items():
        yield name, gold.take([]), found.take([at])
