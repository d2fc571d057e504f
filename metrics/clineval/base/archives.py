"""Archives that anyone may have made: unpacked without a file elsewhere, and without a flood."""

from __future__ import annotations

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
from typing import IO

from clineval.base.errors import InputError
from clineval.base.files import find_limit, make_directory, name_path, unwritable

_RATIO, _LEAST, _FILES = 100, 1 << 20, 100_000
"""What is unpacked has at most so many times the archive's bytes, but these at least; and files."""
_CHUNK = 1 << 16
_BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError, RuntimeError,
    UnicodeError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Member:
    """A file of an archive: its name there, and what opens it; None for what is no file."""

    name: str
    open: Callable[[], IO[bytes] | None] | None


def is_archive(path: Path) -> bool:
    """Tell whether a file is a ZIP archive or a tape archive, compressed or not."""
    return zipfile.is_zipfile(path) or tarfile.is_tarfile(path)


def unpack(archive: Path, folder: Path, only: str = "") -> None:
    """Unpack the files of an archive; all of them, or a file or folder of it.

    Args:
        archive: a ZIP archive or a tape archive.
        folder: where to.
        only: the path in the archive of what is wanted; the files keep theirs.

    Raises:
        InputError: it is broken or encrypted; a file would come to lie elsewhere, twice in one
            place, or is a link or a device; it holds too much; or it cannot be written. Nothing
            that was unpacked stays then.
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


def _remove(folder: Path, name: str) -> None:
    """Remove a file of a folder that was there before, and the folders that are empty then."""
    with suppress(OSError):
        (folder / name).unlink()
    for parent in PurePosixPath(name).parents[:-1]:
        with suppress(OSError):
            (folder / parent).rmdir()


def _unpack(archive: Path, folder: Path, only: str, seen: set[str]) -> None:
    """Do so, and note the names of the files that are written."""
    where = name_path(archive)
    left = min(find_limit(), max(archive.stat().st_size * _RATIO, _LEAST))
    with closing(_list_members(archive)) as members:
        try:
            for member in members:
                name = _judge(member.name, where)
                if only and name != only and not name.startswith(f"{only}/"):
                    continue
                if name in seen or len(seen) == _FILES:
                    raise InputError("a file comes twice, or there are too many", where=where)
                seen.add(name)
                left = _write(member, folder / name, left, where)
        except _BROKEN:
            raise InputError("a broken or encrypted archive", where=where) from None
    if not seen:
        problem = "the archive does not have what is wanted of it" if only else "an empty archive"
        raise InputError(problem, where=where)


def _list_members(archive: Path) -> Generator[_Member, None, None]:
    """Yield all but folders, which are made as files need them."""
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
    """Return the path of a file in its folder; refuse one that leads out."""
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
    """Write a file, at most so many bytes; return how many are left for others."""
    source = member.open() if member.open else None
    if source is None:
        raise InputError("the archive has a link or a device, expected files", where=where)
    make_directory(target.parent)
    try:
        with source, target.open("wb") as file:
            while chunk := source.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    problem = "unpacked it is far larger than an archive of notes"
                    raise InputError(problem, where=where)
                file.write(chunk)
    except OSError as error:
        raise unwritable(error, target) from None
    return left
