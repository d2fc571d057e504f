"""Documents of JSON Lines by the bytes of their lines, so that a part of a file can be read alone.

A part of a file is the file with all other lines empty. Readers skip empty lines, and messages name
the right lines.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from clineval.base.arrays import IntArray, unite_keys
from clineval.base.files import find_limit, is_file, name_path, unreadable
from clineval.base.strict_json import NotJsonError, parse_json
from clineval.formats.jsonl import FILES

_ID = re.compile(rb'\s*\{\s*"id"\s*:\s*"([^"\\\x00-\x1f]+)"')
"""The id of a document at the beginning of its line, without escapes."""
_LARGEST = 8 << 20
"""The most bytes in a part, unless it has one document."""


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Some lines of a file.

    Args:
        path: the file.
        table: ``[n, 3]``, begin and end of each line in bytes, and its number, from 1.
    """

    path: Path
    table: IntArray

    def __len__(self) -> int:
        return len(self.table)

    def take(self, rows: Sequence[int] | IntArray) -> Lines:
        """Return some of the lines, in the order of the file."""
        return Lines(self.path, self.table[np.sort(np.asarray(rows, np.int64))])

    def read(self) -> bytes:
        """Return the content of the file, with all other lines empty.

        Raises:
            InputError: the file cannot be read any more.
        """
        try:
            return self._read()
        except OSError as error:
            raise unreadable(error, name_path(self.path)) from None

    def _read(self) -> bytes:
        pieces, last = [], 1
        with self.path.open("rb") as file:
            for first, end in pairwise(self._find_runs()):
                run = self.table[first:end]
                file.seek(int(run[0, 0]))
                content = file.read(int(run[-1, 1] - run[0, 0]))
                pieces += [b"\n" * int(run[0, 2] - last), content]
                if not content.endswith(b"\n"):  # the last line
                    pieces.append(b"\n")
                last = int(run[-1, 2]) + 1
        return b"".join(pieces)

    def _find_runs(self) -> list[int]:
        """Return the bounds of runs of lines that follow each other."""
        breaks = np.flatnonzero(self.table[1:, 2] != self.table[:-1, 2] + 1) + 1
        return [0, *breaks.tolist(), len(self)] if len(self) else []

    def name(self) -> str:
        """Return the id in the first line, or else the number of the line."""
        [found] = map(_find_id, self.take([0]).read().splitlines()[-1:])
        return found.decode() if found else f"line {self.table[0, 2]}"


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """All documents of a file.

    Args:
        lines: the lines of the documents.
        keys: ``[n]``, a hash of each document's id, only for comparison within this process.
    """

    lines: Lines
    keys: IntArray


def is_lines(source: object) -> bool:
    """Return whether a source is a file of JSON Lines."""
    named = isinstance(source, (str, Path)) and re.search(FILES, str(source))
    return bool(named) and is_file(Path(str(source)))


def index_lines(path: Path) -> Index | None:
    """Find the lines of documents.

    Returns:
        The index; None if a line has no id, if two lines may have the same, or if the file is too
        large or cannot be read.
    """
    try:
        return _index(path) if path.stat().st_size <= find_limit() else None
    except OSError:
        return None


def _index(path: Path) -> Index | None:
    table, keys = array("q"), array("q")
    begin = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            end = begin + len(line)
            if not line.isspace():
                name = _find_id(line)
                if name is None:
                    return None
                table.extend((begin, end, number))
                keys.append(hash(name))
            begin = end
    found = np.frombuffer(keys, np.int64) if keys else np.zeros(0, np.int64)
    if len(unite_keys(found)) < len(found):
        return None
    return Index(Lines(path, np.array(table, np.int64).reshape(-1, 3)), found)


def _find_id(line: bytes) -> bytes | None:
    if found := _ID.match(line):
        return found[1]
    try:
        document = parse_json(line.decode())
    except (UnicodeDecodeError, NotJsonError):
        return None
    name = document.get("id") if isinstance(document, dict) else None
    return name.encode(errors="surrogatepass") if isinstance(name, str) and name else None


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
    first = 0
    while first < len(gold):
        last = first + _fit(gold, first, size)
        others = rows[first:last]
        others = others[others >= 0]
        if last == len(gold):
            others = np.append(others, extra)
        yield gold.take(range(first, last)), found.take(others)
        first = last


def _fit(gold: Lines, first: int, size: int) -> int:
    """Return how many documents fit into a part."""
    ends = gold.table[first : first + size, 1] - gold.table[first, 0]
    return max(1, int(np.searchsorted(ends, _LARGEST)))


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
