"""A problem of a file, and going through files line by line."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from clineval.errors import InputError
from clineval.formats import jsonl
from clineval.formats.files import read_text_files
from clineval.formats.records import read_records
from clineval.formats.sides import is_jsonl
from clineval.mentions.slots import Slot

CheckLine = Callable[[str], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Args:
        file: the file; empty if it concerns all files together.
        line: the line, from 1; 0 if it concerns the whole file.
        message: what is wrong, and what was expected.

    Examples:
        >>> str(Problem("a.pipe", 3, "expected 19 columns, got 5"))
        'a.pipe:3: expected 19 columns, got 5'
    """

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}" if place else self.message


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not empty, and where it is."""

    file: str
    number: int
    text: str

    def problem(self, message: str) -> Problem:
        """A problem of this line."""
        return Problem(self.file, self.number, message)


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a file that are not empty."""

    file: str
    lines: Sequence[Line]


def find_files(paths: Sequence[Path], pattern: str) -> Iterator[Path | Problem]:
    """The files, those of directories chosen by their names; a problem where there is none."""
    for path in paths:
        if not path.is_dir():
            yield path if path.exists() else Problem(str(path), 0, "no such file or directory")
            continue
        names = sorted(entry.name for entry in os.scandir(path) if entry.is_file())
        chosen = [name for name in names if re.search(pattern, name)]
        if not chosen:
            yield Problem(str(path), 0, f"no file of the format among {len(names)} files")
        yield from (path / name for name in chosen)


def read_lines(path: Path) -> Lines | Problem:
    """The lines of a file that are not empty; a problem if it cannot be read."""
    try:
        (file,) = read_text_files(path, pattern="", separator="\0")
    except InputError as error:
        place = re.match(rf"{re.escape(str(path))}(?::(\d+))?: ", str(error))
        line, start = (int(place[1] or 0), place.end()) if place else (0, 0)
        return Problem(str(path), line, str(error)[start:])
    lines = enumerate(file.content.decode().split("\n"), 1)
    filled = [Line(str(path), number, text) for number, text in lines if text.strip()]
    return Lines(str(path), filled)


def check_lines(paths: Sequence[Path], pattern: str, check: CheckLine) -> Iterator[Problem]:
    """Check files line by line.

    Args:
        paths: files and directories.
        pattern: regular expression for the names of files in directories.
        check: what is wrong with one line.
    """
    for found in read_files(paths, pattern):
        if isinstance(found, Problem):
            yield found
        else:
            for line in found.lines:
                yield from map(line.problem, check(line.text))


def read_files(paths: Sequence[Path], pattern: str) -> Iterator[Lines | Problem]:
    """The lines of all files, file by file."""
    for found in find_files(paths, pattern):
        yield found if isinstance(found, Problem) else read_lines(found)


def check_mentions(
    paths: Sequence[Path], pattern: str, check: CheckLine, slots: Sequence[Slot]
) -> Iterator[Problem]:
    """Check files of mentions, in a challenge's own line format or in JSON Lines.

    Args:
        paths: files and directories.
        pattern: regular expression for the names of the challenge's files in directories.
        check: what is wrong with one line of the challenge's format.
        slots: the slots of a mention.
    """
    documents = [path for path in paths if is_jsonl(path)]
    texts = [path for path in paths if path not in documents]
    yield from check_lines(texts, pattern, check)
    yield from check_lines(documents, jsonl.FILES, lambda line: _check_document(line, slots))


def _check_document(line: str, slots: Sequence[Slot]) -> Iterator[str]:
    try:
        document: Any = json.loads(line)
    except ValueError:
        yield "expected one JSON object on the line"
        return
    if not isinstance(document, dict) or not isinstance(document.get("id"), str):
        yield "expected an object with a string 'id'"
        return
    mentions = document.get("mentions")
    if not isinstance(mentions, list):
        yield "expected a list 'mentions'"
        return
    for number, mention in enumerate(mentions):
        yield from _check_mention(mention, number, slots)


def _check_mention(mention: object, number: int, slots: Sequence[Slot]) -> Iterator[str]:
    try:
        read_records([[mention]], slots)  # type: ignore[list-item]
    except InputError as error:
        yield str(error).replace("document 0, mention 0", f"mention {number}")


def check_fragments(fragments: Sequence[tuple[int, int]]) -> Iterator[str]:
    r"""What is wrong with the fragments of a mention, ends exclusive.

    Examples:
        >>> print(*check_fragments([(31, 38), (4, 15), (20, 20)]), sep="\n")
        fragment 20-20: the end is not after the start
        fragment 4-15 stands after 31-38, expected increasing order
    """
    for start, end in fragments:
        if end <= start:
            yield f"fragment {start}-{end}: the end is not after the start"
    for (start, end), (next_start, next_end) in pairwise(fragments):
        if next_start < start:
            yield (
                f"fragment {next_start}-{next_end} stands after {start}-{end}, "
                "expected increasing order"
            )
        elif next_start < end:
            yield f"fragments {start}-{end} and {next_start}-{next_end} overlap"
