"""Unpack untrusted archives: no file leaves the target folder, and the total size is limited."""

from __future__ import annotations

import gzip
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from shutil import rmtree
from typing import IO, cast

from clineval.base.errors import InputError
from clineval.base.files import find_limit, make_directory, name_path, unwritable

_RATIO, _LEAST, _FILES = 100, 1 << 20, 100_000
"""Limits: bytes unpacked for each byte of the archive, bytes always allowed, number of files."""
_CHUNK = 1 << 16
_BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError, RuntimeError,
    UnicodeError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an archive: its name, and a function that opens it; None if it is not a file."""

    name: str
    open: Callable[[], IO[bytes] | None] | None


def is_archive(path: Path) -> bool:
    """Return whether a file is a ZIP archive, or a tar archive, compressed or not."""
    return zipfile.is_zipfile(path) or tarfile.is_tarfile(path)


def unpack(archive: Path, folder: Path, only: str = "") -> None:
    """Unpack an archive, or one file or folder of it.

    Args:
        archive: a ZIP or tar archive.
        folder: the target folder.
        only: the path of a file or folder in the archive; empty for all files. Files keep their
            paths.

    Raises:
        InputError: the archive is broken, encrypted or too large; a file would leave the folder,
            occurs twice, or is a link or a device; or a file cannot be written. After an error,
            no unpacked file remains.
    """
    fresh = not folder.exists()
    seen: set[str] = set()
    try:
        _unpack(archive, folder, only, seen)
    except BaseException:
        if fresh:
            rmtree(folder, ignore_errors=True)
        for name in () if fresh else seen:
            _remove(folder, name)
        raise


def expand(packed: Path, target: Path) -> None:
    """Expand a file that gzip compressed.

    Raises:
        InputError: the file is broken or too large, or the target cannot be written.
    """
    where = name_path(packed)
    left = min(find_limit(), max(packed.stat().st_size * _RATIO, _LEAST))
    try:
        _write(
            _Member(target.name, lambda: cast("IO[bytes]", _Expanded(packed))), target, left, where
        )
    except _BROKEN:
        raise InputError("the compressed file is broken", where=where) from None


class _Expanded(gzip.GzipFile):
    """A compressed file whose errors are those of archives."""

    def read(self, size: int | None = -1) -> bytes:
        try:
            return super().read(size)
        except gzip.BadGzipFile:
            raise EOFError from None


def _remove(folder: Path, name: str) -> None:
    """Remove a file from an existing folder, and the subfolders that become empty."""
    with suppress(OSError):
        (folder / name).unlink()
    for parent in PurePosixPath(name).parents[:-1]:
        with suppress(OSError):
            (folder / parent).rmdir()


def _unpack(archive: Path, folder: Path, only: str, seen: set[str]) -> None:
    """Unpack an archive, and add the names of the written files to ``seen``."""
    where = name_path(archive)
    left = min(find_limit(), max(archive.stat().st_size * _RATIO, _LEAST))
    with closing(_list_members(archive)) as members:
        try:
            for member in members:
                name = _judge(member.name, where)
                if only and name != only and not name.startswith(f"{only}/"):
                    continue
                if name in seen or len(seen) == _FILES:
                    problem = "a file occurs twice, or the archive has too many files"
                    raise InputError(problem, where=where)
                seen.add(name)
                left = _write(member, folder / name, left, where)
        except _BROKEN:
            raise InputError("the archive is broken or encrypted", where=where) from None
    if not seen:
        wanted = "the archive does not contain the expected file or folder"
        problem = wanted if only else "the archive is empty"
        raise InputError(problem, where=where)


def _list_members(archive: Path) -> Generator[_Member, None, None]:
    """Yield all members except folders, which are created when a file needs them."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            for info in packed.infolist():
                plain = stat.S_IFMT(info.external_attr >> 16) in (0, stat.S_IFREG)
                if not info.is_dir():
                    yield _Member(info.filename, partial(packed.open, info) if plain else None)
        return
    with tarfile.open(archive) as tape:
        for entry in tape:
            plain = entry.isreg()
            if not entry.isdir():
                yield _Member(entry.name, partial(tape.extractfile, entry) if plain else None)


def _judge(name: str, where: str) -> str:
    """Return the path of a file in the target folder; reject a path that leads out of it."""
    path = PurePosixPath(name)
    parts = path.parts
    if (
        not parts
        or path.is_absolute()
        or ".." in parts
        or any(set(p) & set("\\:\0") for p in parts)
    ):
        raise InputError("the archive has a file whose path leads out of it", where=where)
    return path.as_posix()


def _write(member: _Member, target: Path, left: int, where: str) -> int:
    """Write a file of at most ``left`` bytes; return how many bytes remain for other files."""
    source = member.open() if member.open else None
    if source is None:
        raise InputError("the archive contains a link or a device, expected files", where=where)
    make_directory(target.parent)
    try:
        with source, target.open("wb") as file:
            while chunk := source.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    problem = "the unpacked files are far larger than an archive of texts"
                    raise InputError(problem, where=where)
                file.write(chunk)
    except OSError as error:
        raise unwritable(error, target) from None
    return left
