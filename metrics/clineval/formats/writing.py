"""Write files that are named after documents, and check the cells of their lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unicodedata import category, normalize

from clineval.base.errors import InputError, called, listed, shown, shown_name
from clineval.base.files import make_directory, name_path, write_file
from clineval.base.progress import track
from clineval.kinds.mentions.mention import Document, Mention
from clineval.results.slots import as_truth

_LONGEST = 255
"""Most bytes of a file's name on common file systems."""
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|\Z)", re.IGNORECASE
)
"""Names of devices on Windows, with any extension."""
_NO_CHARACTERS = ("Cc", "Cs", "Zl", "Zp")


def name_file(name: str, where: str) -> str:
    """Return a file name if it is valid on all systems.

    Args:
        name: the file's name with its extension.
        where: the source of the name, for messages.

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
        return "be the name of a directory"
    if any(separator in name for separator in "/\\:"):
        return "contain / or \\ or :, which lead to other directories and drives"
    if any(category(character) in _NO_CHARACTERS for character in name):
        return "contain line ends, NUL or other characters that cannot be printed"
    if len(name.encode()) > _LONGEST:
        return f"be longer than {_LONGEST} bytes"
    return "be the name of a Windows device, such as CON or NUL" if _RESERVED.match(name) else ""


def name_files(
    ids: Iterable[str | None], extension: str, *, without: str = "", kind: str = "document"
) -> list[str]:
    """Return the file names of documents; all files are named by this function.

    Args:
        ids: the documents' ids.
        extension: the extension of the files.
        without: an extension to remove from the ids.
        kind: the word for the documents, for messages.

    Raises:
        InputError: an id is missing or :func:`name_file` rejects it, or two files would have the
            same name. Some file systems ignore case, so names that differ only in case are equal.

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
                f"{kind}s whose files would have the same name: {listed([other, str(id_)])}",
                remedy="Give them ids that differ in more than case",
            )
        names.append(name)
    return names


def write_files(directory: Path, files: Iterable[tuple[str, str | bytes]]) -> None:
    """Write files, given as names and contents, into a directory; create it if necessary.

    If the content of a file cannot be formatted, nothing is written and no directory is created.
    """
    formatted = list(files)
    make_directory(directory)
    for name, content in track(formatted, f"writing {name_path(directory)}"):
        write_file(directory / name, content)


def write_pipe_files(
    documents: Iterable[Document], directory: Path, format_document: Callable[[Document], str]
) -> None:
    """Write one ``.pipe`` file for each document; write nothing if a name is invalid.

    ``note.txt`` and ``note`` are written to ``note.pipe``, and called ``note.txt`` there.
    """
    known = list(documents)
    names = name_files((document.id for document in known), ".pipe", without=".txt")
    # the name of the file is the only name of a document without lines
    texts = (
        format_document(Document(f"{name.removesuffix('.pipe')}.txt", document.mentions))
        for name, document in zip(names, track(known, "formatting"), strict=True)
    )
    write_files(directory, zip(names, texts, strict=True))


def check_values(document: Document) -> Document:
    """Return a document whose slots have only values that files can contain.

    These are strings, sets of strings, and booleans. NumPy's booleans become Python's, and sets
    become sorted tuples.

    Raises:
        InputError: a slot has another value; the message names document, mention and slot.
    """
    place, mentions = document.place, []
    for number, mention in enumerate(document.mentions):
        where = f"{place}, mention {number}"
        slots = {name: _take_value(name, value, where) for name, value in mention.slots.items()}
        # NumPy's True equals Python's, so compare identities
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
        problem = f"{shown_name(name)}: expected a string, a boolean or a list of strings"
        raise InputError(f"{problem}, got {shown(value)}", where=where)
    return truth


def check_cells(cells: Sequence[object], separator: str, where: str = "") -> None:
    """Reject cells that would break a line.

    Raises:
        InputError: a cell is not a string, or contains a line end or the separator.
    """
    for cell in cells:
        if not isinstance(cell, str):
            raise InputError(f"expected a string to write, got {shown(cell)}", where=where)
        if separator in cell or (cell and cell.splitlines() != [cell]):
            name = {" ": "a blank", "\t": "a tab"}.get(separator, separator)
            raise InputError(
                f"the format cannot contain a value with {name} or a line end",
                where=where,
            )


def check_plain(mention: Mention, where: str) -> None:
    """Reject a mention with a code or several fragments, for formats that support neither."""
    if mention.cui is not None or len(mention.spans) > 1:
        what = "a code" if mention.cui is not None else "several fragments"
        raise InputError(f"the format cannot contain a mention with {what}", where=where)
