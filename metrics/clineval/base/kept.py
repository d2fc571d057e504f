"""Bytes that can be read only once, such as standard input, compressed in memory.

They may be text of notes, so they are never written to a file.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import IO

from clineval.base.packed import too_large

_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """Bytes in compressed blocks.

    Args:
        blocks: the blocks by number; those of a part may be missing.
        size: the number of bytes.
    """

    blocks: Mapping[int, bytes]
    size: int

    @classmethod
    def of(cls, stream: IO[bytes], largest: int, where: str) -> Kept:
        """Read a stream to its end.

        Raises:
            InputError: the stream has more than ``largest`` bytes.
        """
        blocks: dict[int, bytes] = {}
        size = 0
        while block := _fill(stream):
            size += len(block)
            if size > largest:
                raise too_large(largest, where)
            blocks[len(blocks)] = zlib.compress(block, 1)
        return cls(blocks, size)

    def unpack(self, number: int) -> bytes:
        """Return the bytes of a block."""
        return zlib.decompress(self.blocks[number])

    def read(
        self, begin: int = 0, end: int | None = None, unpack: Callable[[int], bytes] | None = None
    ) -> bytes:
        """Return the bytes between two positions; ``unpack`` returns the bytes of a block."""
        end = self.size if end is None else min(end, self.size)
        numbers = range(begin // _BLOCK, -(-end // _BLOCK))
        content = b"".join(map(unpack or self.unpack, numbers))
        return content[begin - numbers.start * _BLOCK : end - numbers.start * _BLOCK]

    def open(self) -> IO[bytes]:
        """Open the bytes for reading from the beginning."""
        return io.BufferedReader(_Reading(self), _BLOCK)

    def only(self, ranges: Iterable[tuple[int, int]]) -> Kept:
        """Return a copy with the blocks that cover some ranges of positions."""
        numbers = {
            number for begin, end in ranges for number in range(begin // _BLOCK, -(-end // _BLOCK))
        }
        return Kept({number: self.blocks[number] for number in numbers}, self.size)


class _Reading(io.RawIOBase):
    """Reads a block after the other."""

    def __init__(self, kept: Kept) -> None:
        self._blocks = iter(kept.blocks.values())
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._left and (block := next(self._blocks, None)):
            self._left = zlib.decompress(block)
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size


def _fill(stream: IO[bytes]) -> bytes:
    """Read a whole block; only the last one is shorter."""
    block = stream.read(_BLOCK)
    while 0 < len(block) < _BLOCK and (more := stream.read(_BLOCK - len(block))):
        block += more
    return block
