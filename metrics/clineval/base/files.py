"""Paths that users give: whether a string is one, how messages name it, reading and writing.

Where a file can be given, a note can be given by mistake. What is not there is therefore named in
messages only if it has the form of a file's name, and nothing is named by more than its last part.

What cannot be read or written ends in an :class:`InputError`, whatever the system's reason.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from errno import ELOOP
from itertools import count
from pathlib import Path
from typing import Any

from clineval.base.errors import InputError, named, one_line, shown
from clineval.base.strict_json import expect_json

Source = str | os.PathLike[str]
_NOT_THERE = "no such file or directory"
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""A pipe that nobody writes to is opened without waiting for somebody."""
_NUMBERS = count()
_instead: ContextVar[Mapping[str, bytes]] = ContextVar("instead", default={})  # noqa: B039 - never changed
_LARGEST, _LEAST, _DIGITS = 4 << 30, 1 << 16, 18
"""Bytes: the most that a file has, and the least that is read at once."""


def is_there(given: Source) -> bool:
    """Tell whether there is something of that name.

    ``False`` also where a ``Path`` would raise: of a string that is too long, or holds NUL.
    """
    return os.path.exists(given)  # noqa: PTH110


def real_path(given: Path) -> Path:
    """Resolve dots and links in a path, also where links form a loop.

    What is not a valid path stays as it is, and is refused where it is read.
    """
    try:
        return Path(os.path.realpath(given))
    except ValueError:
        return given


def is_file(given: Source) -> bool:
    """Tell whether there is a file of that name, as :func:`is_there` does."""
    return os.path.isfile(given)  # noqa: PTH113


def is_directory(given: Source) -> bool:
    """Tell whether there is a directory of that name, as :func:`is_there` does."""
    return os.path.isdir(given)  # noqa: PTH112


def as_path(given: object) -> Path:
    """Return what is given as a path.

    Raises:
        InputError: it is neither a string nor a path.
    """
    return Path(_expect_path(given))


def _expect_path(given: object) -> Source:
    if not isinstance(given, (str, os.PathLike)):
        raise InputError(f"expected a path, got {shown(given)}")
    return given


def find_path(given: Source, separator: str = "", *, problem: str = _NOT_THERE) -> Path | None:
    """Return the path that is given; None if it is the text itself.

    Text contains a line end or the format's separator, or is empty; paths contain neither.

    Args:
        given: a path, or a string that may be one.
        separator: of the format; empty if only a path will do.
        problem: what to say if there is nothing there.

    Raises:
        InputError: a string that is neither text nor the path of anything.
    """
    path = as_path(given)
    text = ""
    if separator and isinstance(given, str):
        if not given or "\n" in given or separator in given:
            return None
        text = f", or text with {separator.strip() or 'line ends'} in it"
    if is_there(given):
        return path
    raise InputError(problem, where=name_path(given), remedy=f"Give a path that is there{text}")


def find_directory(given: Source) -> Path:
    """Return the path of a directory; an ``InputError`` if there is none, or a file."""
    path = find_path(given, problem="no such directory")
    if path is None or not path.is_dir():
        raise InputError("expected a directory, got a file", where=name_path(given))
    return path


def name_path(given: Source) -> str:
    """Name a path in messages: by its last part, and an existing file by its directory too.

    Both sides of a corpus have files of the same names, which the directories tell apart. A
    string that names nothing is described by its length if it could be words of a note.

    Examples:
        >>> name_path("runs/nowhere.pipe"), name_path("No fever. HR 120/80")
        ('nowhere.pipe', 'a string of 19 characters')
    """
    path = os.fspath(given)
    if is_file(path):
        return "/".join(map(one_line, _parts(path)[-2:]))
    if is_there(path):
        return one_line((_parts(path) or [path])[-1])
    last = _parts(path)[-1:]
    whole = isinstance(given, os.PathLike) or not any(map(str.isspace, path))
    return (whole and last and named(last[0])) or f"a string of {len(path)} characters"


def _parts(path: str) -> list[str]:
    """Split a path into names, without the root."""
    return list(Path(path).parts[bool(Path(path).anchor) :])


def read_json(given: Source, wanted: str = "JSON", remedy: str = "") -> Any:
    """Read a JSON file, which should hold ``wanted``, as messages say."""
    where = name_path(given)
    try:
        text = read_bytes(given, where, remedy).decode()
    except UnicodeDecodeError:
        problem = f"expected {wanted}, but the file is not valid UTF-8"
        raise InputError(problem, where=where, remedy=remedy) from None
    return expect_json(text, wanted, where, remedy)


@contextmanager
def reading_instead(contents: Mapping[str, bytes]) -> Iterator[None]:
    """Read other contents meanwhile than some paths have."""
    token = _instead.set(contents)
    try:
        yield
    finally:
        _instead.reset(token)


def read_bytes(
    given: Source, where: str = "", remedy: str = "", *, largest: int | None = None
) -> bytes:
    """Read a file.

    Messages call it ``where``, by default :func:`name_path`; it has at most ``largest`` bytes, by
    default :func:`find_limit`.

    Raises:
        InputError: it cannot be read, is a pipe or a device, which may have no end, or is larger
            than the environment's ``CLINEVAL_MAX_BYTES``, 4 GiB if that is not set.
    """
    path = os.fspath(_expect_path(given))  # the system takes numbers, of files that are open
    if path in _instead.get():
        return _instead.get()[path]
    problem = ""
    largest = find_limit() if largest is None else largest
    try:
        file = os.open(given, _READING)
        try:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode):
                problem, remedy = "expected a file, got a directory, a pipe or a device", "Save it"
            elif status.st_size > largest:
                problem, remedy = f"larger than {largest} bytes", "Raise CLINEVAL_MAX_BYTES"
            else:
                return _read_open(file, status.st_size)
        finally:
            os.close(file)
    except OSError as error:
        raise unreadable(error, where or name_path(given), remedy) from None
    except ValueError:  # NUL in the path
        problem = "not a valid path"
    raise InputError(problem, where=where or name_path(given), remedy=remedy)


def _read_open(file: int, size: int) -> bytes:
    """Read an open file, which should have this many bytes, to its end.

    With many small files each system call counts: to get fewer bytes than asked for is the end.
    """
    content = os.read(file, size + 1)
    if len(content) == size:
        return content
    return content + b"".join(iter(lambda: os.read(file, max(size, _LEAST)), b""))


def find_limit() -> int:
    """Return the most bytes that a file may have.

    Raises:
        InputError: the environment's ``CLINEVAL_MAX_BYTES`` is not a number.
    """
    limit = os.environ.get("CLINEVAL_MAX_BYTES", str(_LARGEST))
    if not limit.isdecimal() or len(limit) > _DIGITS:
        raise InputError("expected a number of bytes", where="CLINEVAL_MAX_BYTES")
    return int(limit)


def list_directory(given: Source) -> list[tuple[str, bool]]:
    """List the names of what a directory holds, each with whether it is a file.

    Raises:
        InputError: the directory, or a link in it, cannot be read.
    """
    try:
        with os.scandir(given) as entries:
            return [(entry.name, entry.is_file()) for entry in entries]
    except OSError as error:
        raise unreadable(error, name_path(given)) from None


def unreadable(error: OSError, where: str, remedy: str = "") -> InputError:
    """Return the error for a file or directory that the system does not let us read."""
    return InputError(f"cannot be read: {error.strerror}", where=where, remedy=remedy)


def encode(text: str, where: str) -> bytes:
    """Encode text as UTF-8; refuse a lone surrogate.

    Programs leave one where they cut a text or cannot decode it.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        at = error.start
    raise half_of_a_pair(f"character {at} is", where)


def half_of_a_pair(what: str, where: str) -> InputError:
    """Say that there is a lone surrogate."""
    problem = f"{what} half of a surrogate pair, not a character"
    return InputError(problem, where=where, remedy="Decode the text as UTF-8")


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file; text as UTF-8, with its own line ends.

    It is written beside its place and then moved there, so that nobody takes half a file for a
    whole one, and the old file stays if writing fails. A device is written to directly.

    Raises:
        InputError: it cannot be written.
    """
    data = encode(content, name_path(path)) if isinstance(content, str) else content
    hidden = None
    try:
        if is_there(path) and not is_file(path):
            path.write_bytes(data)
            return
        target = real_path(path)
        if target.is_symlink():
            raise OSError(ELOOP, os.strerror(ELOOP))  # noqa: TRY301
        # nobody takes a file of this name for what it will be
        hidden = target.parent / f".clineval-{os.getpid()}-{next(_NUMBERS)}"
        hidden.write_bytes(data)
        hidden.replace(target)
    except (OSError, ValueError) as error:
        raise unwritable(error, path) from None
    finally:
        if hidden:
            with suppress(OSError, ValueError):
                hidden.unlink()


def make_directory(path: Path) -> None:
    """Make a directory and its parents, unless they exist."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise unwritable(error, path) from None


def copy_directory(source: Path, target: Path) -> None:
    """Copy the files of a directory and its subdirectories that another one does not have yet."""
    for path in source.rglob("*"):
        copy = target / path.relative_to(source)
        if path.is_file() and not is_there(copy):
            make_directory(copy.parent)
            write_file(copy, path.read_bytes())


def unwritable(error: Exception, path: Path) -> InputError:
    """Return the error for a file or directory that the system does not let us write."""
    reason = getattr(error, "strerror", None) or "not a valid path"
    return InputError(f"cannot be written: {reason}", where=name_path(path))
