"""Paths that users pass: recognize, name, read and write them.

A user can pass the text of a note by mistake where a path is expected. Therefore messages name a
path that does not exist only if its last part has the form of a file name, and show only this part.

If a file cannot be read or written, the error is an :class:`InputError`, whatever the system's
reason.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from errno import ELOOP
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clineval.base.errors import InputError, named, one_line, shown
from clineval.base.packed import is_packed, too_large, unpacking
from clineval.base.strict_json import expect_json

if TYPE_CHECKING:  # few files are held
    from clineval.base.kept import Kept

Source = str | os.PathLike[str]
_NOT_THERE = "no such file or directory"
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags for opening files; a pipe without a writer does not block."""
_NUMBERS = count()
_instead: ContextVar[Mapping[str, bytes | Kept]] = ContextVar("instead", default={})  # noqa: B039 - never changed
_kept: ContextVar[dict[str, bytes] | None] = ContextVar("kept", default=None)
_MOST_KEPT, _MOST_FILES = 1 << 16, 1 << 12
"""The largest file that :func:`reading_once` keeps, in bytes, and the most files."""
_LARGEST, _LEAST, _DIGITS = 4 << 30, 1 << 16, 18
"""Largest file and smallest read, in bytes; most digits of ``CLINEVAL_MAX_BYTES``."""


def is_there(given: Source) -> bool:
    """Return whether a path exists.

    The answer is ``False`` where ``Path.exists`` could raise: a string that is too long or
    contains NUL.
    """
    return _is_held(given) or os.path.exists(given)  # noqa: PTH110


def _is_held(given: Source) -> bool:
    return bool(held := _instead.get()) and os.fspath(given) in held


def real_path(given: Path) -> Path:
    """Resolve dots and links in a path, even if links form a loop.

    Return an invalid path unchanged; reading it raises an error.
    """
    try:
        return Path(os.path.realpath(given))
    except ValueError:
        return given


def is_file(given: Source) -> bool:
    """Return whether a path is an existing file, without errors as in :func:`is_there`."""
    return _is_held(given) or os.path.isfile(given)  # noqa: PTH113


def is_directory(given: Source) -> bool:
    """Return whether a path is an existing directory, without errors as in :func:`is_there`."""
    return os.path.isdir(given)  # noqa: PTH112


def as_path(given: object) -> Path:
    """Return the value as a path.

    Raises:
        InputError: the value is neither a string nor a path.
    """
    return Path(_expect_path(given))


def _expect_path(given: object) -> Source:
    if not isinstance(given, (str, os.PathLike)):
        raise InputError(f"expected a path, got {shown(given)}")
    return given


def find_path(given: Source, separator: str = "", *, problem: str = _NOT_THERE) -> Path | None:
    """Return the value as a path; None if it is text in the format.

    Text contains a line end or the format's separator, or is empty; paths contain neither.

    Args:
        given: a path, or a string that is a path or text.
        separator: the format's separator; empty if only a path is accepted.
        problem: the message if the path does not exist.

    Raises:
        InputError: the value is neither text nor an existing path.
    """
    path = as_path(given)
    text = ""
    if separator and isinstance(given, str):
        if not given or "\n" in given or separator in given:
            return None
        text = f", or text that contains {separator.strip() or 'line ends'}"
    if is_there(given):
        return path
    raise InputError(problem, where=name_path(given), remedy=f"Give a path that exists{text}")


def find_directory(given: Source) -> Path:
    """Return the path of a directory.

    Raises:
        InputError: the directory does not exist, or is a file.
    """
    path = find_path(given, problem="no such directory")
    if path is None or not path.is_dir():
        raise InputError("expected a directory, got a file", where=name_path(given))
    return path


def name_path(given: Source) -> str:
    """Return the name of a path for messages: its last part, and the directory of a file.

    Both sides of a corpus have files with the same names; the directories distinguish them. A
    string that is not an existing path is described by its length if it could be text of a note.

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
    """Read a JSON file; messages call the expected content ``wanted``."""
    where = name_path(given)
    try:
        text = read_bytes(given, where, remedy).decode()
    except UnicodeDecodeError:
        problem = f"expected {wanted}, but the file is not valid UTF-8"
        raise InputError(problem, where=where, remedy=remedy) from None
    return expect_json(text, wanted, where, remedy)


@contextmanager
def reading_instead(contents: Mapping[str, bytes | Kept]) -> Iterator[None]:
    """Replace the contents of some paths, which need not exist, for all reads inside."""
    token = _instead.set({**_instead.get(), **contents})
    try:
        yield
    finally:
        _instead.reset(token)


@contextmanager
def reading_once() -> Iterator[None]:
    """Keep the contents of files, so that each file is opened once however often it is read.

    It keeps at most 4,096 files of at most 64 KiB, so that memory stays bounded. Other files are
    opened for each reading.
    """
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def read_bytes(
    given: Source, where: str = "", remedy: str = "", *, largest: int | None = None
) -> bytes:
    """Read a file; unpack it if its name says that it is compressed.

    Args:
        given: the path.
        where: the file's name in messages; :func:`name_path` by default.
        remedy: what the user can do if the file cannot be read.
        largest: the most bytes to read; :func:`find_limit` by default.

    Raises:
        InputError: the file cannot be read, is a pipe or a device, which may have no end, or is
            larger than the environment variable ``CLINEVAL_MAX_BYTES``, by default 4 GiB.
    """
    path = os.fspath(_expect_path(given))  # the system would accept the number of an open file
    kept = _kept.get()
    for held in (_instead.get(), kept or {}):
        if path in held:
            found = held[path]
            return found if isinstance(found, bytes) else found.read()
    largest = find_limit() if largest is None else largest
    content = _read_path(given, where, remedy, largest)
    if is_packed(path):
        content = _unpack(content, path, where or name_path(given), largest)
    if kept is not None and len(content) <= _MOST_KEPT and len(kept) < _MOST_FILES:
        kept[path] = content
    return content


def _read_path(given: Source, where: str, remedy: str, largest: int) -> bytes:
    problem = ""
    try:
        file = os.open(given, _READING)
        try:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode):
                problem = "expected a file, got a directory, a pipe or a device"
                remedy = "Save the content as a file"
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
    """Read an open file of an expected size to its end.

    Many small files take many system calls. A read that returns fewer bytes than requested marks
    the end and saves one call.
    """
    content = os.read(file, size + 1)
    if len(content) == size:
        return content
    return content + b"".join(iter(lambda: os.read(file, max(size, _LEAST)), b""))


def _unpack(packed: bytes, name: str, where: str, largest: int) -> bytes:
    with unpacking(io.BytesIO(packed), name, where) as stream:
        content = stream.read(largest + 1)
    if len(content) > largest:
        raise too_large(largest, where)
    return content


def find_held(path: str) -> Kept | None:
    """Return the content that :func:`reading_instead` holds in place of a stream, if any."""
    found = _instead.get().get(path)
    return None if isinstance(found, bytes) else found


def find_limit() -> int:
    """Return the size limit of files in bytes.

    Raises:
        InputError: the environment variable ``CLINEVAL_MAX_BYTES`` is not a number.
    """
    limit = os.environ.get("CLINEVAL_MAX_BYTES", str(_LARGEST))
    if not limit.isdecimal() or len(limit) > _DIGITS:
        raise InputError("expected a number of bytes", where="CLINEVAL_MAX_BYTES")
    return int(limit)


def list_directory(given: Source) -> list[tuple[str, bool]]:
    """List the names in a directory, each with whether it is a file.

    Raises:
        InputError: the directory, or a link in it, cannot be read.
    """
    try:
        with os.scandir(given) as entries:
            return [(entry.name, entry.is_file()) for entry in entries]
    except OSError as error:
        raise unreadable(error, name_path(given)) from None


def unreadable(error: OSError, where: str, remedy: str = "") -> InputError:
    """Return the error for a file or directory that cannot be read."""
    return InputError(f"cannot be read: {error.strerror}", where=where, remedy=remedy)


def encode(text: str, where: str) -> bytes:
    """Encode text as UTF-8; reject a lone surrogate.

    Programs leave a lone surrogate when they cut a text or cannot decode it.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        at = error.start
    raise half_of_a_pair(f"character {at} is", where)


def half_of_a_pair(what: str, where: str) -> InputError:
    """Return the error for a lone surrogate."""
    problem = f"{what} half of a surrogate pair, not a character"
    return InputError(problem, where=where, remedy="Decode the text as UTF-8")


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file; text as UTF-8, with its own line ends.

    A new file is written in the same directory and then renamed. No other process can read an
    incomplete file, and the old file remains if writing fails. Devices are written directly.

    Raises:
        InputError: the file cannot be written.
    """
    data = encode(content, name_path(path)) if isinstance(content, str) else content
    if is_packed(str(path)):
        problem = "compressed files can only be read"
        raise InputError(problem, where=name_path(path), remedy="Leave out the last ending")
    hidden = None
    try:
        if is_there(path) and not is_file(path):
            path.write_bytes(data)
            return
        target = real_path(path)
        if target.is_symlink():
            raise OSError(ELOOP, os.strerror(ELOOP))  # noqa: TRY301
        # the hidden name shows that the file is not complete
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
    """Create a directory and its parents, unless they exist."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise unwritable(error, path) from None


def copy_directory(source: Path, target: Path) -> None:
    """Copy the files of a directory tree that do not exist in the target yet."""
    for path in source.rglob("*"):
        copy = target / path.relative_to(source)
        if path.is_file() and not is_there(copy):
            make_directory(copy.parent)
            write_file(copy, path.read_bytes())


def unwritable(error: Exception, path: Path) -> InputError:
    """Return the error for a file or directory that cannot be written."""
    reason = getattr(error, "strerror", None) or "not a valid path"
    return InputError(f"cannot be written: {reason}", where=name_path(path))
