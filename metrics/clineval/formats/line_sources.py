"""The bytes of JSON Lines in any place: files, compressed files, folders of files, held streams.

The files of a side stand one after the other, and positions and lines count on from file to file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import IO

from clineval.base.files import (
    find_held,
    find_limit,
    name_path,
)
from clineval.base.kept import Kept
from clineval.base.packed import is_packed, unpacking

Range = tuple[int, int]
Read = Callable[[int, int], bytes]


@dataclass(frozen=True, slots=True, eq=False)
class LineFile:
    """A file of a side.

    Args:
        path: the path.
        start: the position of its first byte.
        before: the number of lines before it.
        kept: the content of a file that cannot be read at any position.
    """

    path: str
    start: int
    before: int
    kept: Kept | None = None

    @classmethod
    def find(cls, path: str, start: int, before: int) -> LineFile:
        """Return a file, and hold its content if it cannot be read at any position.

        Raises:
            InputError: the file is broken or too large.
            OSError: the file cannot be read.
        """
        kept = find_held(path)
        if kept is None and is_packed(path):
            where = name_path(path)
            with Path(path).open("rb") as file, unpacking(file, path, where) as stream:
                kept = Kept.of(stream, find_limit(), where)
        return cls(path, start, before, kept)

    @property
    def size(self) -> int:
        """The number of bytes."""
        return Path(self.path).stat().st_size if self.kept is None else self.kept.size

    def open(self) -> IO[bytes]:
        """Open the content for reading from the beginning."""
        return Path(self.path).open("rb") if self.kept is None else self.kept.open()

    @contextmanager
    def reading(self) -> Iterator[Read]:
        """Open the content for reading at any position."""
        if self.kept is not None:
            unpack = lru_cache(maxsize=1)(self.kept.unpack)  # many short lines are in a block
            yield partial(self.kept.read, unpack=unpack)
            return
        with Path(self.path).open("rb") as file:

            def read(begin: int, end: int) -> bytes:
                file.seek(begin)
                return file.read(end - begin)

            yield read

    def only(self, ranges: Iterable[Range]) -> LineFile:
        """Return the file with no more content than some ranges of its bytes."""
        return self if self.kept is None else replace(self, kept=self.kept.only(ranges))
