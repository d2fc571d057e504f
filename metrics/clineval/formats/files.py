"""Read text from a directory, a file or a string."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TypeVar

from clineval.base.errors import InputError, agree, listed, one_line, warn
from clineval.base.files import (
    Source,
    encode,
    find_limit,
    find_path,
    is_directory,
    list_directory,
    name_path,
    read_bytes,
)
from clineval.base.packed import bare_name, ending_of
from clineval.base.progress import metered, track
from clineval.base.subjects import about
from clineval.formats import looks

NameT = TypeVar("NameT", bound="str | None")
_LARGE, _STEP = 1 << 20, 1 << 16
"""Sizes in bytes of a file with progress of its own, and of the part that it reports."""
_BOM = b"\xef\xbb\xbf"
_noted: ContextVar[list[str] | None] = ContextVar("noted", default=None)
_FOR_ONE = " reads such lines as one, and loses the others"
_LONE_RETURN = re.compile(rb"\r(?=[^\r\n])")


@dataclass(frozen=True, slots=True)
class TextFile:
    r"""The content of one file, with ``\n`` line ends and without a byte order mark.

    Args:
        label: the name in messages.
        stem: the name up to the format's extension; None for a string.
        content: UTF-8 bytes; empty, or with a line end at the end.
        path: the path; empty for a string.
    """

    label: str
    stem: str | None
    content: bytes
    path: str = ""

    def has_ending(self, ending: str) -> bool:
        """Return whether the name ends so, without the ending of compressed files."""
        return bare_name(self.path).endswith(ending)

    def with_line_feeds(self) -> TextFile:
        """Convert lone carriage returns to line feeds, as Python does for text files."""
        if b"\r" not in self.content:
            return self
        return replace(self, content=re.sub(rb"\r\n?", b"\n", self.content))

    def refuse_returns(self, program: str = "") -> None:
        """Reject lone carriage returns, because they could be line ends.

        Args:
            program: the released program, for the message; empty for none.

        Raises:
            InputError: a line contains a lone carriage return. The message names the first one,
                counted by line feeds, and how the program reads it.
        """
        if found := _LONE_RETURN.search(self.content):
            line = self.content.count(b"\n", 0, found.start()) + 1
            raise InputError(
                "a carriage return without a line feed within the line",
                where=f"{self.label}:{line}",
                remedy="Save the file with line feeds"
                + (f": {program}{_FOR_ONE}" if program else ", one for each line"),
            )

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield place and text of the lines that are not blank."""
        content = self.content.lstrip(b"\n")  # of a part of a file, many lines can be empty
        first = len(self.content) - len(content) + 1
        for number, line in enumerate(self._track(BytesIO(content)), first):  # decoded one by one
            text = line.decode().removesuffix("\n")
            if text.strip():
                yield f"{self.label}:{number}", text

    def _track(self, lines: BytesIO) -> Iterable[bytes]:
        """Report the progress of a large file in bytes."""
        return lines if len(self.content) < _LARGE else self._report(lines)

    def _report(self, lines: BytesIO) -> Iterator[bytes]:
        with metered(len(self.content), f"reading {self.label}", size=True) as advance:
            while some := lines.readlines(_STEP):
                yield from some
                advance(sum(map(len, some)))


@dataclass(frozen=True, slots=True)
class SomeFiles(os.PathLike[str]):
    """A directory, reduced to some of its files.

    Args:
        directory: the directory.
        names: the names of the files.
    """

    directory: Path
    names: Sequence[str]

    def __fspath__(self) -> str:
        return str(self.directory)


def names_in(directory: Source) -> Sequence[str]:
    """Return the names of the files in a directory, or in :class:`SomeFiles`."""
    if isinstance(directory, SomeFiles):
        return directory.names
    return [name for name, _ in list_directory(directory)]


def holds(source: Source, pattern: str) -> bool:
    """Return whether a source is a directory with a file name that matches a pattern."""
    return is_directory(source) and any(
        re.search(pattern, bare_name(name)) for name in names_in(source)
    )


def read_text_files(
    source: Source,
    *,
    pattern: str,
    separator: str,
    as_written: bool = False,
    old_ends: bool = True,
) -> Iterator[TextFile]:
    r"""Yield the files of a directory, a single file, or a string.

    Args:
        source: a directory, whose files that match ``pattern`` are read in the order of their
            names; a file with any name; or the text itself.
        pattern: regular expression for file names, such as ``\.pipe``.
        separator: the separator of columns; a string that contains it is text, not a path.
        as_written: whether to keep carriage returns, and to accept a directory without such files.
        old_ends: whether carriage returns are line ends in files without line feeds.

    Raises:
        InputError: the path does not exist, a directory has no file in the format, or a file is
            not UTF-8.
    """
    path = find_path(source, separator)
    if path is None:
        yield from_string("<string>", str(source), as_written=as_written, old_ends=old_ends)
    elif path.is_dir():
        names = _matching_names(source, pattern, may_be_none=as_written)
        folder = name_path(path)
        split = re.compile(pattern).split
        largest = find_limit()
        for name in track(names, f"reading {folder}"):
            where = f"{path}/{name}"
            label = f"{folder}/{one_line(name)}"
            content = read_bytes(where, label, largest=largest)
            stem = split(bare_name(name), maxsplit=1)[0]
            yield normalize(
                label, stem, content, path=where, as_written=as_written, old_ends=old_ends
            )
    else:
        where, label = str(path), name_path(path)
        stem = re.split(pattern, bare_name(path.name), maxsplit=1)[0]
        content = read_bytes(where, label)
        looks.refuse_brat(path.name, label, content, pattern)
        if not as_written:
            looks.refuse_text(label, content, pattern)
        yield normalize(label, stem, content, path=where, as_written=as_written, old_ends=old_ends)


def from_string(
    label: str, text: str, *, as_written: bool = False, old_ends: bool = True
) -> TextFile:
    """Return a string as a file.

    Raises:
        InputError: the string cannot be encoded as UTF-8.
    """
    content = encode(text, label)
    return normalize(label, None, content, as_written=as_written, old_ends=old_ends)


def open_strings(strings: Iterable[str]) -> list[TextFile]:
    """Return strings as files, one for each document; messages count documents from 0."""
    return [from_string(f"document {number}", text) for number, text in enumerate(strings)]


def normalize(  # noqa: PLR0913 - the options of read_text_files
    label: str,
    stem: str | None,
    content: bytes,
    *,
    path: str = "",
    as_written: bool = False,
    old_ends: bool = True,
) -> TextFile:
    r"""Check the encoding, drop a byte order mark, and end every line with ``\n``.

    Examples:
        >>> normalize("a", None, b"T1\r\nT2").content, normalize("a", None, b"T1\rT2").content
        (b'T1\nT2\n', b'T1\nT2\n')
    """
    content = content.removeprefix(_BOM)
    if not content.isascii():
        _check_utf8(label, content)
    if b"\r" in content and not as_written:
        content = content.replace(b"\r\n", b"\n")
        if old_ends and b"\n" not in content:
            content = content.replace(b"\r", b"\n")
    if content and not content.endswith(b"\n"):
        content += b"\n"
    return TextFile(label, stem, content, path)


def read_text(path: str | Path) -> str:
    """Read the text of one file without changes.

    Raises:
        InputError: the file cannot be read, or is not UTF-8.
    """
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8", where=name_path(path)) from None


@contextmanager
def noting_names() -> Iterator[list[str]]:
    """Collect the names of the files that are read from directories inside."""
    names: list[str] = []
    token = _noted.set(names)
    try:
        yield names
    finally:
        _noted.reset(token)


def list_names(directory: Source, pattern: str) -> tuple[Sequence[str], int]:
    """List the file names in a directory that match a pattern, and count all files.

    Folders, and JSON Lines beside files in another format, trigger a warning, because the user may
    expect them to be read. For :class:`SomeFiles`, only its own names are counted.

    Returns:
        The sorted names, and the number of all files.

    Raises:
        InputError: the directory cannot be read.
    """
    if isinstance(directory, SomeFiles):
        names = sorted(name for name in directory.names if re.search(pattern, bare_name(name)))
        return names, len(directory.names)
    where = name_path(directory)
    found = list_directory(directory)
    present = [name for name, is_file in found if is_file]
    others = [name for name, is_file in found if not is_file]
    names = sorted(name for name in present if re.search(pattern, bare_name(name)))
    noted = _noted.get()
    if noted is not None:
        noted += names
    lines = [name for name in present if ending_of(name) == ".jsonl"] if names else []
    _warn_of_unread(where, others, "which are not files")
    _warn_of_unread(where, set(lines).difference(names), "beside files of another format")
    return names, len(present)


def _warn_of_unread(where: str, names: Iterable[str], why: str) -> None:
    seen = sorted(name for name in names if not name.startswith("."))
    if seen:
        with about(""):  # the place already identifies the side
            warn(f"{where}: not read: {listed(seen)}, {why}")


def _matching_names(directory: Source, pattern: str, *, may_be_none: bool) -> Sequence[str]:
    where = name_path(directory)
    names, present = list_names(directory, pattern)
    if not names and not isinstance(directory, SomeFiles):
        found = (
            agree("{n} {file|files} with other names", present) if present else "an empty directory"
        )
        if may_be_none:
            with about(""):
                warn(f"{where}: {found}, nothing is read")
            return ()
        raise InputError(
            f"expected files{_describe(pattern)}, got {found}",
            where=where,
            remedy=looks.say(
                looks.by_names(names_in(directory)), "Give the directory with the annotations"
            ),
        )
    return names


def _describe(pattern: str) -> str:
    r"""Describe the names that a pattern matches, for messages; empty if these are not endings.

    Examples:
        >>> _describe(r"(?i)\.(pubtator|txt)$"), _describe(r"\.pipe(?!.*~$)"), _describe("^[^.]")
        (" whose names contain '.pubtator' or '.txt'", " whose names contain '.pipe'", '')
    """
    if pattern.startswith("^"):
        return ""
    begin, _, group = re.sub(r"\(\?[^)]*\)|[\\$]", "", pattern).partition("(")
    endings = [begin + end for end in group.rstrip(")").split("|")] if group else begin.split("|")
    return f" whose names contain {' or '.join(map(repr, endings))}"


def _check_utf8(label: str, content: bytes) -> None:
    try:
        content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"byte {error.start} is not UTF-8",
            where=f"{label}:{line}",
            remedy=looks.say(looks.by_bytes(content), "Save the file as UTF-8"),
        ) from None


def check_new_id(places: dict[NameT, str], name: NameT, where: str, remedy: str = "") -> None:
    """Record the place of a document; reject a name that another place already has.

    Raises:
        InputError: another document has this name; the message names its place, and ``remedy``.
    """
    if places.setdefault(name, where) != where:
        problem = f"the document has the same 'id' as {places[name]}"
        raise InputError(problem, where=where, remedy=remedy)
