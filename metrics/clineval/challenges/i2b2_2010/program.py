"""Folders of i2b2/VA 2010's files as its released program reads them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clineval.base.files import is_file, read_bytes
from clineval.challenges.i2b2_2010.lines import (
    ENDINGS,
    Draft,
    ItemSide,
    parse_as_program,
    split_as_java,
)

_SHORTEST = 3
_NOT_FOUND = {
    "concepts": "[ERROR]The given file name was not found!",
    "assertions": "[ERROR]{path}: The given file name was not found!",
    "relations": "[ERROR] The given file name was not found!",
}


@dataclass(frozen=True, slots=True)
class FileRead:
    """What was read of a file: how many lines, and what the program says of the others."""

    path: str
    lines: int
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Folder:
    """A folder, read: its items, and for each kind and document what was read of the file."""

    side: ItemSide
    files: Mapping[str, Mapping[str, FileRead]]


def list_names(folder: str) -> Sequence[str] | None:
    """List the names in a folder; None if the program refuses it."""
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - its name, as it is
    except OSError:
        return None
    return None if any(len(name) < _SHORTEST for name in names) else names


def read_folder(folder: str) -> Folder:
    """Read a folder; a name that does not end with a slash is glued to those of the files."""
    names = list_names(folder) or ()
    keys = {
        (kind, name): name[: -len(ending)]
        for kind, ending in ENDINGS.items()
        for name in names
        if name.endswith(ending)
    }
    stems = sorted(set(keys.values()))
    numbers = {stem: number for number, stem in enumerate(stems)}
    draft, files = Draft(), dict[str, dict[str, FileRead]]()
    for (kind, name), key in keys.items():
        read = _read(f"{folder}{name}", kind, numbers[key], draft)
        files.setdefault(kind, {})[key] = read
    return Folder(draft.finish(stems, stems, files), files)


def _read(path: str, kind: str, document: int, draft: Draft) -> FileRead:
    if not is_file(path):
        missing = (f"[ERROR]Problem reading line 1in file: {path}", _NOT_FOUND[kind])
        return FileRead(path, 0, tuple(message.format(path=path) for message in missing))
    content = read_bytes(path).decode(errors="replace")
    lines = split_as_java(content.removeprefix("\ufeff"))
    messages = []
    for number, line in enumerate(lines, 1):
        found = parse_as_program(line, kind)
        if found is None:
            messages.append(f"[ERROR]Problem reading line {number}in file: {path}")
        else:
            draft.add(document, *found)
    return FileRead(path, len(lines) - len(messages), tuple(messages))
