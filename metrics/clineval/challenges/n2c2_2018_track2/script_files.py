"""Reading files as the released script of n2c2 2018 Track 2 does: line by line, with its quirks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

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
class ScriptSide(RelatedSide):
    """One side as the script reads it.

    Args:
        names: kind to ``[n]``, a number for document and id. The script overwrites ids that are
            written alike, but counts them without blanks: annotations of equal number as one.
    """

    names: Mapping[str, IntArray]


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


def read_side(source: Source, slot: Slot, _labels: Sequence[str]) -> ScriptSide:
    """Read files as the script does, which takes whatever labels stand there."""
    files = read_text_files(source, pattern=FILES, separator="\t", as_written=True)
    visible = [
        (file.stem or "", read_lines(_mark(file) + file.content.decode(), file.label))
        for file in files
        if not (file.stem or "").startswith(".")
    ]
    names = tuple(name for name, _ in visible)
    return _as_side(names, names if all(names) else None, [read for _, read in visible], slot)


def read_strings(strings: Sequence[str], slot: Slot, _labels: Sequence[str]) -> ScriptSide:
    """Read one string of lines for each document; they are paired by position."""
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


def _as_side(
    names: tuple[str, ...], keys: tuple[str, ...] | None, read: Sequence[Lines], slot: Slot
) -> ScriptSide:
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
    numbers = {
        "concepts": _number((at, id_) for at, id_, *_ in concepts),
        "relations": _number((at, id_) for at, id_, *_ in relations),
    }
    return ScriptSide(Side(names, keys, mentions), related, numbers)


def _number(ids: Iterable[tuple[int, str]]) -> IntArray:
    """Give each document and id a number; blanks around ids do not matter."""
    known: dict[tuple[int, str], int] = {}
    found = [known.setdefault((document, id_.strip()), len(known)) for document, id_ in ids]
    return np.array(found, np.int64)


def read_lines(text: str, label: str) -> Lines:
    """Read one file line by line as the script does; ``label`` is its name in messages.

    What a line does not say is what the line before said.

    Raises:
        InputError: where the script ends with an error.
    """
    opened = enumerate(StringIO(text, newline=None), 1)
    lines = [(f"{label}:{number}", line, line.strip()) for number, line in opened]
    mentions: dict[str, tuple[str, int, int]] = {}
    relations: dict[str, tuple[str, str, str]] = {}
    messages: list[str] = []
    cells: list[str] = []
    words: list[str] = []
    for where, line, stripped in lines:
        if not stripped.startswith("T"):
            continue
        if stripped.count("\t") == 2:  # noqa: PLR2004
            cells = stripped.split("\t")
        else:
            messages.append(f" {line}")
        if not cells:
            raise _stop(where)
        if 2 <= cells[1].count(" ") <= 4:  # noqa: PLR2004
            words = cells[1].split(" ")
        else:
            messages.append(f"\n{line}")
        if not words:
            raise _stop(where)
        start, end = (_read_offset(word, where) for word in (words[1], words[-1]))
        mentions[cells[0]] = (words[0].strip(), start, end)
    for where, _, stripped in lines:
        if stripped.startswith("R"):
            id_, *relation = _read_relation(stripped, mentions, where)
            relations[id_] = (relation[0], relation[1], relation[2])
    return Lines(mentions, relations, messages)


def _read_offset(word: str, where: str) -> int:
    try:
        offset = int(word)
    except ValueError:
        raise _stop(where) from None
    return located(where, judge_offset, offset)


def _read_relation(line: str, mentions: Collection[str], where: str) -> tuple[str, str, str, str]:
    cells = line.split("\t")
    words = cells[-1].split(" ")
    if len(cells) != 2 or len(words) != 3:  # noqa: PLR2004
        raise _stop(where)
    source, target = ((*word.split(":"), "")[1] for word in words[1:])
    if source not in mentions or target not in mentions:
        raise _stop(where)
    return cells[0], words[0].strip(), source, target


def _stop(where: str) -> InputError:
    return InputError(
        "the released script ends with an error at this line",
        where=where,
        remedy="Correct the line, or score with protocol='spec', which says what is wrong",
    )
