"""The private folder that a run of the application writes to, and that it removes at the end.

A run holds a lock in its folder. The system releases the lock even if the run is killed. If a
folder's lock is free, a killed run has left the folder, and the next run removes it.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "clineval-app-"
_LOCK = "lock"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder that only this user can open; :mod:`tempfile` uses it too.

    The folder is removed at the end. Folders of this user's killed runs are removed first.
    """
    sweep()
    folder, lock = _make()
    usual, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield folder
    finally:
        tempfile.tempdir = usual
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


def sweep() -> None:
    """Remove the folders that killed runs have left."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if _is_own(folder):
                _remove_leftover(folder)


def _is_own(folder: Path) -> bool:
    found = folder.lstat()
    private = stat.S_ISDIR(found.st_mode) and stat.S_IMODE(found.st_mode) == stat.S_IRWXU
    return sys.platform != "win32" and private and found.st_uid == os.getuid()


def _remove_leftover(folder: Path) -> None:
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR)
    except FileNotFoundError:
        folder.rmdir()  # killed before it wrote anything; fails if the folder has files
        return
    try:
        if _take(lock):
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


def _make() -> tuple[Path, int]:
    """Make a folder and take its lock. Before that, another run may remove the folder."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        with suppress(FileNotFoundError):
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            if _take(lock):
                return folder, lock
            os.close(lock)


def _take(lock: int) -> bool:
    """Take a lock, unless another process has it or has removed its file."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(lock).st_nlink > 0
