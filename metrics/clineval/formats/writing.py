"""Files that are named after documents, and the cells of their lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unicodedata import category, normalize

from clineval.base.errors import InputError, called, listed, shown, shown_name
from clineval.base.files import make_directory, write_file
from clineval.kinds.mentions.mention import Document, Mention
from clineval.results.slots import as_truth

_LONGEST = 255
"""Bytes of a file's name, which is what file systems take."""
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|\Z)", re.IGNORECASE
)
"""What Windows takes for a device, whatever the extension."""
_NO_CHARACTERS = ("Cc", "Cs", "Zl", "Zp")


def name_file(name: str, where: str) -> str:
    """Return a valid name for one file, in whatever directory and on whatever system.

    Args:
        name: the file's name with its extension.
        where: what gave the name, for messages.

    Raises:
        InputError: the name would lead out of the directory, to a drive or to a device, has
            characters that names cannot have, or is too long.

    Examples:
        >>> name_file("note-1.pipe", "document note-1")
        'note-1.pipe'
    """
    problem = _find_problem(name)
    if problem:
        raise InputError(f"the name of a file cannot {problem}", where=where, remedy="Rename it")
    return name


def _find_problem(name: str) -> str:
    if name in (".", ".."):
        return "be that of a directory"
    if any(separator in name for separator in "/\\:"):
        return "hold / or \\ or :, which lead to other directories and drives"
    if any(category(character) in _NO_CHARACTERS for character in name):
        return "hold line ends, NUL and other characters that are not printed"
    if len(name.encode()) > _LONGEST:
        return f"be longer than {_LONGEST} bytes"
    return "be that of a device of Windows, such as CON or NUL" if _RESERVED.match(name) else ""


def name_files(
    ids: Iterable[str | None], extension: str, *, without: str = "", kind: str = "document"
) -> list[str]:
    """Name the files of some documents; the one way from ids to files.

    Args:
        ids: the documents' ids.
        extension: of the files.
        without: an extension that ids can have and files are named without.
        kind: what the ids are of, for messages.

    Raises:
        InputError: an id that is missing or that :func:`name_file` refuses, or ids that give one
            name; also if the names differ in case only, which some file systems do not tell apart.

    Examples:
        >>> name_files(["a.txt", "b"], ".pipe", without=".txt")
        ['a.pipe', 'b.pipe']
    """
    taken: dict[str, str] = {}
    names: list[str] = []
    for id_ in ids:
        stem = id_.removesuffix(without) if isinstance(id_, str) else ""
        if not stem:
            raise InputError(f"a {kind} without id has no file name", remedy="Give it an id")
        name = name_file(f"{stem}{extension}", f"{kind} {called(str(id_))}")
        other = taken.setdefault(normalize("NFC", name).casefold(), str(id_))
        if len(taken) == len(names):
            raise InputError(
                f"{kind}s whose files would have one name: {listed([other, str(id_)])}",
                remedy="Give them ids that differ in more than case",
            )
        names.append(name)
    return names


def write_files(directory: Path, files: Iterable[tuple[str, str | bytes]]) -> None:
    """Write files, name and content of each, into a directory, which is made if it is not there."""
    make_directory(directory)
    for name, content in files:
        write_file(directory / name, content)


def write_pipe_files(
    documents: Iterable[Document], directory: Path, format_document: Callable[[Document], str]
) -> None:
    """Write one ``.pipe`` file for each document, named after it; nothing if a name is refused.

    ``note.txt`` and ``note`` are written to ``note.pipe``, and called ``note.txt`` there.
    """
    known = list(documents)
    names = name_files((document.id for document in known), ".pipe", without=".txt")
    # a file without lines has no name but this one
    texts = (
        format_document(Document(f"{name.removesuffix('.pipe')}.txt", document.mentions))
        for name, document in zip(names, known, strict=True)
    )
    write_files(directory, zip(names, texts, strict=True))


def check_values(document: Document) -> Document:
    """Return a document whose mentions hold nothing but what a file can: words, sets, truth.

    NumPy's values of truth become Python's, and sets become sorted tuples.

    Raises:
        InputError: something else; names the document, the mention and the slot.
    """
    place, mentions = document.place, []
    for number, mention in enumerate(document.mentions):
        where = f"{place}, mention {number}"
        slots = {name: _take_value(name, value, where) for name, value in mention.slots.items()}
        # NumPy's True is equal to Python's
        changed = any(slots[name] is not value for name, value in mention.slots.items())
        mentions.append(replace(mention, slots=slots) if changed else mention)
    return replace(document, mentions=tuple(mentions))


def _take_value(name: str, value: object, where: str) -> Any:
    if value is None or isinstance(value, str):
        return value
    ordered = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
    if isinstance(ordered, (list, tuple)) and all(isinstance(each, str) for each in ordered):
        return tuple(ordered)
    truth = as_truth(value)
    if truth is None:
        problem = f"{shown_name(name)}: expected a string, true or false, or strings"
        raise InputError(f"{problem}, got {shown(value)}", where=where)
    return truth


def check_cells(cells: Sequence[object], separator: str, where: str = "") -> None:
    """Refuse what would break a line of cells: no string, a line end, the separator."""
    for cell in cells:
        if not isinstance(cell, str):
            raise InputError(f"expected a string to write, got {shown(cell)}", where=where)
        if separator in cell or (cell and cell.splitlines() != [cell]):
            name = {" ": "a blank", "\t": "a tab"}.get(separator, separator)
            raise InputError(
                f"the format has no way to write a value with {name} or a line end in it",
                where=where,
            )


def check_plain(mention: Mention, where: str) -> None:
    """Refuse a mention with a code, or of several fragments, where a format has neither."""
    if mention.cui is not None or len(mention.spans) > 1:
        what = "a code" if mention.cui is not None else "several fragments"
        raise InputError(f"the format has no way to write a mention with {what}", where=where)
