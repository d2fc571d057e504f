"""Reading files as the released script of n2c2 2018 Track 2 does: line by line, with its quirks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import NoReturn

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import InputError, located
from clineval.base.files import Source
from clineval.base.offsets import judge_offset
from clineval.formats.brat import standoff
from clineval.formats.files import TextFile, from_string, read_text, read_text_files
from clineval.kinds.mentions.columns import MentionColumns, Side
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.relations.columns import RelatedSide, RelationColumns

FILES = standoff.FILES
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, eq=False)
class OfficialSide(RelatedSide):
    """One side as the script reads it.

    Args:
        names: kind to ``[n]``, a number for document and id. The script overwrites ids that are
            written alike, but counts them without blanks: annotations of equal number as one.
    """

    names: Mapping[str, IntArray]


def read_side(source: Source, slot: Slot, labels: Sequence[str]) -> OfficialSide:
    """Read files as the script does; see :func:`clineval.formats.brat.columns.read_side`."""
    del labels  # whatever stands there is taken
    files = read_text_files(source, pattern=FILES, separator="\t", as_written=True)
    visible = [
        (file.stem or "", read_lines(_mark(file) + file.content.decode(), file.label))
        for file in files
        if not (file.stem or "").startswith(".")
    ]
    names = tuple(name for name, _ in visible)
    return _as_side(names, names if all(names) else None, [read for _, read in visible], slot)


def read_strings(strings: Sequence[str], slot: Slot, labels: Sequence[str]) -> OfficialSide:
    """Read one string of lines for each document; they are paired by position."""
    del labels
    files = (from_string(f"document {number}", text) for number, text in enumerate(strings))
    read = [read_lines(file.content.decode(), file.label) for file in files]
    return _as_side(("",) * len(read), None, read, slot)


def list_messages(folder: Path, names: Collection[str]) -> Iterator[str]:
    """Yield what the script says of lines while it reads some files of a folder, path first."""
    for path in (folder / name for name in sorted(names)):
        messages = read_lines(read_text(path), str(path)).messages
        yield from (f"{path}{message}\n" for message in messages)


def _mark(file: TextFile) -> str:
    """Return a file's byte order mark, which hides the first line from the script."""
    if file.path:
        with open(file.path, "rb") as opened:  # noqa: PTH123 - half of Path.open's time
            return "\ufeff" if opened.read(len(_BOM)) == _BOM else ""
    return ""


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


def _as_side(
    names: tuple[str, ...], keys: tuple[str, ...] | None, read: Sequence[Lines], slot: Slot
) -> OfficialSide:
    """Put what was read of all documents into columns, in the order of lines."""
    concepts = [(at, id_, *of) for at, doc in enumerate(read) for id_, of in doc.mentions.items()]
    relations = [(at, id_, *of) for at, doc in enumerate(read) for id_, of in doc.relations.items()]
    rows = {(at, id_): row for row, (at, id_, *_) in enumerate(concepts)}
    mentions = MentionColumns(
        np.array([at for at, *_ in concepts], np.int32),
        np.arange(len(concepts) + 1),
        np.array([start for *_, start, _ in concepts], np.int64),
        np.array([end for *_, end in concepts], np.int64),
        {slot.name: Coded.of([label for _, _, label, *_ in concepts])},
    )
    related = RelationColumns(
        np.array([at for at, *_ in relations], np.int32),
        Coded.of([label for _, _, label, *_ in relations]),
        np.array([rows[at, source] for at, *_, source, _ in relations], np.int64),
        np.array([rows[at, target] for at, *_, target in relations], np.int64),
    )
    numbers = {"concepts": _number((at, id_) for at, id_, *_ in concepts),
               "relations": _number((at, id_) for at, id_, *_ in relations)}  # fmt: skip
    return OfficialSide(Side(names, keys, mentions), related, numbers)


def _number(ids: Iterable[tuple[int, str]]) -> IntArray:
    """Give each document and id a number; blanks around ids do not matter."""
    known: dict[tuple[int, str], int] = {}
    found = [known.setdefault((document, id_.strip()), len(known)) for document, id_ in ids]
    return np.array(found, np.int64)


def read_lines(text: str, label: str) -> Lines:
    """Read one file line by line as the script does; ``label`` is its name in messages.

    Raises:
        InputError: where the script ends with an error.
    """
    opened = StringIO(text, newline=None)
    lines = [(at, line, line.strip()) for at, line in enumerate(opened, 1)]
    reader = _LineReader(label)
    for number, line, stripped in lines:
        if stripped.startswith("T"):
            reader.read_mention(number, line, stripped)
    for number, _, stripped in lines:
        if stripped.startswith("R"):
            reader.read_relation(number, stripped)
    return Lines(reader.mentions, reader.relations, reader.messages)


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
