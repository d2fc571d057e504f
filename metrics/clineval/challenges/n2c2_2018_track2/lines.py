"""How the released script of n2c2 2018 Track 2 reads.

It reads line by line, and takes much that is no annotation. Regular files, which nearly all are,
are read as under the other protocol; the few others line by line as the script does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import InputError, located
from clineval.formats.brat.columns import Part, as_columns, as_side
from clineval.formats.files import TextFile, from_string, read_text, read_text_files
from clineval.formats.brat.standoff import FILES, Standoff, chunks_of, parse
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.mentions.slots import Slot
from clineval.base.offsets import judge_offset
from clineval.base.files import Source
from clineval.kinds.relations.columns import RelatedSide, RelationColumns

_MOST_FRAGMENTS = 3
_PLAIN = b"\t\n" + bytes(range(0x20, 0x7F))
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, eq=False)
class ScriptSide(RelatedSide):
    """One side as the script reads it.

    Args:
        twins: ``[n]``, the first mention of the same file and id, which are counted as one; the
            script overwrites ids that are written alike, but counts them without blanks.
        related_twins: ``[r]``, the same of relations.
    """

    twins: IntArray
    related_twins: IntArray


def read_side(source: Source, slot: Slot, labels: Sequence[str]) -> ScriptSide:
    """Read files as the script does; see :func:`clineval.formats.brat.columns.read_side`."""
    del labels  # whatever stands there is taken
    files = read_text_files(source, pattern=FILES, separator="\t", as_written=True)
    visible = (file for file in files if not (file.stem or "").startswith("."))
    return _read_files(map(_with_mark, visible), slot, by_name=True)


def read_strings(strings: Sequence[str], slot: Slot, labels: Sequence[str]) -> ScriptSide:
    """Read one string of lines for each document; they are paired by position."""
    del labels
    files = (from_string(f"document {number}", text) for number, text in enumerate(strings))
    return _read_files(files, slot, by_name=False)


def _with_mark(file: TextFile) -> TextFile:
    """The file with its byte order mark, which hides the first line from the script."""
    if file.path:
        with open(file.path, "rb") as opened:  # noqa: PTH123 - half of Path.open's time
            if opened.read(len(_BOM)) == _BOM:
                return replace(file, content=_BOM + file.content)
    return file


def _read_files(files: Iterator[TextFile], slot: Slot, *, by_name: bool) -> ScriptSide:
    names: list[str] = []
    parts: list[Part] = []
    twins: list[list[IntArray]] = [[], []]
    sizes = [0, 0]
    for chunk in chunks_of(files, _universal):
        for part, *found in _read_chunk(chunk, slot.name, len(names)):
            parts.append(part)
            for at, twin in enumerate(found):
                twins[at].append(twin + sizes[at])
                sizes[at] += len(twin)
        names += [file.stem or "" for file in chunk]
    known = [np.concatenate([np.zeros(0, np.int64), *each]) for each in twins]
    keys = tuple(names) if by_name and all(names) else None
    side = as_side(parts, tuple(names), keys)
    return ScriptSide(side.side, side.relations, *known)


def _universal(file: TextFile) -> TextFile:
    """The file with one kind of line end, as Python reads text."""
    if b"\r" not in file.content:
        return file
    content = file.content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return replace(file, content=content)


def _read_chunk(
    files: Sequence[TextFile], slot: str, first: int
) -> Iterator[tuple[Part, IntArray, IntArray]]:
    """Mentions and relations, and their twins: of regular files together, of others one by one."""
    standoff = parse(files)
    odd = _find_odd(standoff, files)
    if not odd:
        yield _as_regular(standoff, slot, first)
        return
    for is_odd, group in groupby(enumerate(files), lambda item: item[0] in odd):
        run = list(group)
        if is_odd:
            yield from (read_lines(file).as_columns(slot, first + at) for at, file in run)
        else:
            yield _as_regular(parse([file for _, file in run]), slot, first + run[0][0])


def _as_regular(standoff: Standoff, slot: str, first: int) -> tuple[Part, IntArray, IntArray]:
    part = as_columns(standoff, slot, first)
    return part, np.arange(len(part[0])), np.arange(len(part[1]))


def _find_odd(standoff: Standoff, files: Sequence[TextFile]) -> set[int]:
    """The files that the script reads in ways of its own, or may."""
    mentions, relations = standoff.mentions, standoff.relations
    many = mentions.file[np.diff(mentions.bounds) > _MOST_FRAGMENTS]
    unusual = (
        at
        for at, file in enumerate(files)
        if file.content.translate(None, _PLAIN) or b" \t" in file.content
    )
    swapped = relations.file[relations.swapped]
    return {*standoff.broken_files, *many.tolist(), *swapped.tolist(), *unusual}


@dataclass(frozen=True, slots=True)
class Lines:
    """What the script reads in one file.

    Args:
        mentions: type, start and end of each, by its id as it is written.
        relations: type, and the ids of both arguments, by its id as it is written.
        messages: what it says of lines, in their order; the path of the file stands before each.
    """

    mentions: Mapping[str, tuple[str, int, int]]
    relations: Mapping[str, tuple[str, str, str]]
    messages: Sequence[str]

    def as_columns(self, slot: str, document: int) -> tuple[Part, IntArray, IntArray]:
        """The same as columns, and the twins of mentions and of relations."""
        rows = {name: row for row, name in enumerate(self.mentions)}
        labels, *offsets = zip(*self.mentions.values(), strict=True) if rows else ((), (), ())
        starts, ends = (np.array(numbers, np.int64) for numbers in offsets)
        columns = MentionColumns(
            np.full(len(rows), document, np.int32),
            np.arange(len(rows) + 1),
            starts,
            ends,
            {slot: Coded.of(labels)},
            Coded(np.zeros(len(rows), np.int8), ("",)),
        )
        related = list(self.relations.values())
        arguments = (np.array([rows[each[k]] for each in related], np.int64) for k in (1, 2))
        relations = RelationColumns(
            np.full(len(related), document, np.int32),
            Coded.of([label for label, _, _ in related]),
            *arguments,
        )
        return (columns, relations), _find_twins(self.mentions), _find_twins(self.relations)


def _find_twins(names: Mapping[str, Any]) -> IntArray:
    first: dict[str, int] = {}
    found = [first.setdefault(name.strip(), row) for row, name in enumerate(names)]
    return np.array(found, np.int64)


def read_lines(file: TextFile) -> Lines:
    """Read one file line by line as the script does.

    Raises:
        InputError: where the script ends with an error.
    """
    lines = [(at, line, line.strip()) for at, line in enumerate(_lines_of(file), 1)]
    reader = _LineReader(file.label)
    for number, line, stripped in lines:
        if stripped.startswith("T"):
            reader.read_mention(number, line, stripped)
    for number, _, stripped in lines:
        if stripped.startswith("R"):
            reader.read_relation(number, stripped)
    return Lines(reader.mentions, reader.relations, reader.messages)


def _lines_of(file: TextFile) -> Sequence[str]:
    """The lines as Python gives them: with their ends, a byte order mark, and as a last one."""
    whole = read_text(file.path) if file.path else file.content.decode()
    text = whole.replace("\r\n", "\n").replace("\r", "\n")
    lines = [f"{line}\n" for line in text.split("\n")]
    return [*lines[:-1], lines[-1][:-1]]


class _LineReader:
    """Reads lines as the script does; what a line does not say is what the line before said."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._cells: list[str] | None = None
        self._words: tuple[str, str, str] | None = None
        self.mentions: dict[str, tuple[str, int, int]] = {}
        self.relations: dict[str, tuple[str, str, str]] = {}
        self.messages: list[str] = []

    def read_mention(self, number: int, line: str, stripped: str) -> None:
        cells = stripped.split("\t")
        if len(cells) == 3:  # noqa: PLR2004
            self._cells = cells
        else:
            self.messages.append(f" {line}")
        name, middle = (self._cells or self._stop(number))[:2]
        words = middle.split(" ")
        if 3 <= len(words) <= 5:  # noqa: PLR2004
            self._words = (words[0], words[1], words[-1])
        else:
            self.messages.append(f"\n{line}")
        label, *offsets = self._words or self._stop(number)
        start, end = (self._read_offset(offset, number) for offset in offsets)
        self.mentions[name] = (label.strip(), start, end)

    def _read_offset(self, offset: str, number: int) -> int:
        try:
            found: int | None = int(offset)
        except ValueError:
            found = None
        if found is None:
            self._stop(number)
        return located(f"{self._label}:{number}", judge_offset, found)

    def read_relation(self, number: int, stripped: str) -> None:
        cells = stripped.split("\t")
        words = cells[-1].split(" ")
        if len(cells) != 2 or len(words) != 3:  # noqa: PLR2004
            self._stop(number)
        ends = [word.split(":")[1:2] for word in words[1:]]
        if any(not end or end[0] not in self.mentions for end in ends):
            self._stop(number)
        self.relations[cells[0]] = (words[0].strip(), ends[0][0], ends[1][0])

    def _stop(self, number: int) -> NoReturn:
        raise InputError(
            "the released script ends with an error at this line",
            where=f"{self._label}:{number}",
            remedy="Correct the line, or score with protocol='spec', which says what is wrong",
        )


def list_messages(folder: Path, names: Collection[str]) -> Iterator[str]:
    """What the script says of lines while it reads files, each message with the file's path.

    Args:
        folder: where the files are.
        names: their names.
    """
    files = read_text_files(folder, pattern=FILES, separator="\t", as_written=True)
    common = (_with_mark(file) for file in files if Path(file.path).name in names)
    for chunk in chunks_of(common, _universal):
        for at in sorted(_find_odd(parse(chunk), chunk)):
            path = folder / Path(chunk[at].path).name
            yield from (f"{path}{message}\n" for message in read_lines(chunk[at]).messages)
