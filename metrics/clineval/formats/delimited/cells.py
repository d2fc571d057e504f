"""Delimited text as columns of cells, found and compared with NumPy, without a loop over lines.

A cell is a range of bytes. Cells are compared eight bytes at a time: the bytes are read as 64-bit
words at any address, and bytes beyond the end of a cell are replaced by zeros. A cell can contain
zero bytes too. Therefore cells are equal only if their words and their lengths are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from clineval.base.arrays import BoolArray, Coded, IntArray, expand_ranges
from clineval.base.errors import InputError, raise_all, read_all
from clineval.formats.files import TextFile

Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
_NEWLINE = ord("\n")
_NUL = b"\0"
NUL_REFUSED = "a NUL character (code 0), expected text"
_WORD = 8
_CHUNK = 1 << 22  # temporary columns of this size stay in the processor's cache
_MASKS = np.array([(1 << (8 * size)) - 1 for size in range(_WORD + 1)], np.uint64)
_MULTIPLIER = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """One column: the bytes ``data[starts[i]:ends[i]]`` for line ``i``."""

    text: bytes
    starts: IntArray
    ends: IntArray

    @property
    def lengths(self) -> IntArray:
        """``[lines]``, bytes of each cell."""
        return self.ends - self.starts

    def string(self, line: int) -> str:
        """Return one cell as a string, with a replacement mark for an incomplete character."""
        return self.text[self.starts[line] : self.ends[line]].decode(errors="replace")

    def strings(self) -> list[str]:
        """Return all cells as strings."""
        return [self.string(line) for line in range(len(self.starts))]

    def take(self, lines: IntArray) -> Cells:
        """Return the cells of some lines."""
        return Cells(self.text, self.starts[lines], self.ends[lines])

    def words(self) -> Words:
        """Return ``[lines, words]``: the cells as 64-bit words, padded with zero bytes."""
        lengths = self.lengths
        width = max(1, -(-int(lengths.max(initial=0)) // _WORD))
        stored = len(self.text) - _WORD + 1
        view: Words = np.ndarray((stored,), "<u8", self.text, strides=(1,))
        words = np.empty((len(lengths), width), np.uint64)
        for k in range(width):
            at = np.minimum(self.starts + k * _WORD, stored - 1)
            words[:, k] = view[at] & _MASKS[np.clip(lengths - k * _WORD, 0, _WORD)]
        return words

    def find_new(self) -> BoolArray:
        """Return ``[lines]``, whether each cell differs from the one before it."""
        words, new = self.words(), np.ones(len(self.starts), np.bool_)
        new[1:] = (np.diff(self.lengths) != 0) | (words[1:] != words[:-1]).any(axis=1)
        return new

    def code(self) -> Coded:
        """Assign numbers to the distinct cells; the values are in no particular order."""
        words, lengths = self.words(), self.lengths
        keys = _mix(words)
        # neighbours are often equal: all lines of a document contain its name
        runs = np.flatnonzero(np.diff(keys, prepend=~keys[:1]))
        _, first, ids = np.unique(keys[runs], return_index=True, return_inverse=True)
        first = runs[first]
        ids = np.repeat(ids.astype(np.int32), np.diff(runs, append=len(keys)))
        same = first[ids]
        if not (np.array_equal(words[same], words) and np.array_equal(lengths[same], lengths)):
            return Coded.of(self.strings())
        return Coded(ids, tuple(self.string(line) for line in first.tolist()))

    def code_closed(self, known: Sequence[str]) -> Coded:
        """Assign numbers to cells by a list of known values; other values get the next numbers."""
        words, lengths = self.words(), self.lengths
        ids = np.full(len(words), -1, np.int32)
        others = np.arange(len(words))
        for number, value in enumerate(map(str.encode, known)):
            size = words.shape[1] * _WORD
            if len(value) > size or not len(others):
                continue
            wanted: Words = np.frombuffer(value.ljust(size, _NUL), "<u8")
            same = lengths[others] == len(value)
            for k, word in enumerate(wanted):
                same &= words[others, k] == word
            ids[others[same]] = number
            others = others[~same]  # few remain after the most frequent value
        if not len(others):
            return Coded(ids, tuple(known))
        rest = self.take(others).code()
        ids[others] = rest.ids + len(known)
        return Coded(ids, (*known, *rest.values))

    def joined(self, separator: int) -> tuple[Bytes, IntArray]:
        """Join all cells, each followed by ``separator``; also return the line of each byte."""
        at = expand_ranges(self.starts, self.ends + 1)
        lines = np.repeat(np.arange(len(self.starts)), self.lengths + 1)
        joined = np.frombuffer(self.text, np.uint8)[at]
        joined[np.cumsum(self.lengths + 1) - 1] = separator
        return joined, lines


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The non-empty lines of some files, split into cells.

    Args:
        files: the files of the lines.
        text: all files' bytes, padded so that a word can be read at every address.
        line_starts: ``[lines]``, the position of each line's first byte.
        line_ends: ``[lines]``, the position after each line's last byte.
        file: ``[lines]``, index of the line's file.
        marks: positions of all separators, and the end of the text.
        separator: the number of characters of a separator.
        first_mark: ``[lines]``, index into ``marks`` of the first mark at or after the line.
        widths: ``[lines]``, number of cells, without an empty cell after a last separator.
    """

    files: Sequence[TextFile]
    text: bytes
    line_starts: IntArray
    line_ends: IntArray
    file: IntArray
    marks: IntArray
    separator: int
    first_mark: IntArray
    widths: IntArray

    @classmethod
    def of(cls, files: Sequence[TextFile], separator: str) -> Table:
        """Find the lines and the separators."""
        text = b"".join([file.content for file in files]) + bytes(_WORD)
        data = np.frombuffer(text, np.uint8)
        ends = np.flatnonzero(data == _NEWLINE)
        starts = np.concatenate([[0], ends + 1])[: len(ends)]
        filled = ends > starts
        starts, ends = starts[filled], ends[filled]
        file = np.searchsorted(np.cumsum([len(f.content) for f in files]), starts, side="right")
        marks = np.append(find_separators(data, separator.encode()), len(text))
        first, last = np.searchsorted(marks, starts), np.searchsorted(marks, ends)
        closed = (last > first) & (marks[last - 1] == ends - len(separator))
        widths = last - first + 1 - closed
        return cls(files, text, starts, ends, file, marks, len(separator), first, widths)

    def __len__(self) -> int:
        return len(self.line_starts)

    def line(self, number: int) -> bytes:
        """Return the bytes of one line."""
        return self.text[self.line_starts[number] : self.line_ends[number]]

    def take(self, lines: IntArray) -> Table:
        """Return a table of these lines, in this order."""
        return replace(
            self,
            line_starts=self.line_starts[lines],
            line_ends=self.line_ends[lines],
            file=self.file[lines],
            first_mark=self.first_mark[lines],
            widths=self.widths[lines],
        )

    def refuse_nul(self) -> None:
        """Reject text with a NUL byte, which no reader of these formats expects."""
        if self.text.find(_NUL, 0, len(self.text) - _WORD) >= 0:
            nuls = np.flatnonzero(np.frombuffer(self.text[:-_WORD], np.uint8) == 0)
            lines = np.unique(np.searchsorted(self.line_starts, nuls, side="right") - 1)
            self.refuse(lines, repeat(NUL_REFUSED), remedy="Remove it")

    def lowered(self) -> Table:
        """Return the table in lower case; only ASCII letters, as in the challenges' scripts."""
        return replace(self, text=self.text.lower())

    def column(self, number: int) -> Cells:
        """Return the cells of one column; empty in lines that are too short."""
        last = len(self.marks) - 1
        ends = self.marks[np.minimum(self.first_mark + number, last)]
        return Cells(self.text, self._begin(number), np.minimum(ends, self.line_ends))

    def columns_from(self, number: int) -> Cells:
        """Return all columns from ``number`` on as one cell, without separators at its end."""
        starts, ends = self._begin(number), self.line_ends
        stops = self.marks + self.separator
        while True:
            last = np.searchsorted(stops, ends)
            closed = (stops[last] == ends) & (self.marks[last] >= starts)
            if not closed.any():
                return Cells(self.text, starts, ends)
            ends = np.where(closed, self.marks[last], ends)

    def _begin(self, number: int) -> IntArray:
        if number == 0:
            return self.line_starts
        before = self.marks[np.minimum(self.first_mark + number - 1, len(self.marks) - 1)]
        begin: IntArray = np.minimum(before + self.separator, self.line_ends)
        return begin

    def where(self, line: int) -> str:
        """Return file and line number for messages; :meth:`places` is faster for many lines."""
        return self.places(np.array([line]))[0]

    def places(self, lines: IntArray) -> list[str]:
        """Return file and line number of some lines, for messages."""
        numbers = zip(self.file[lines].tolist(), self.line_numbers(lines).tolist(), strict=True)
        return [f"{self.files[file].label}:{number}" for file, number in numbers]

    def line_numbers(self, lines: IntArray) -> IntArray:
        """Return the numbers of lines in their files, from 1."""
        ends = np.flatnonzero(np.frombuffer(self.text, np.uint8) == _NEWLINE)
        begins = np.cumsum([0, *(len(file.content) for file in self.files)])[self.file[lines]]
        numbers: IntArray = np.searchsorted(ends, self.line_starts[lines])
        return numbers - np.searchsorted(ends, begins) + 1

    def refuse(
        self,
        lines: IntArray,
        problems: Iterable[str],
        *,
        remedy: str = "",
        read: Callable[[Table], object] | None = None,
    ) -> None:
        """Reject some lines, if there are any.

        Args:
            lines: the line numbers.
            problems: the message for each line.
            remedy: what the user can do.
            read: reads the other lines, to find their errors too; None for no reading.

        Raises:
            InputError: the error of the first line, with the other errors; it names file and line.
        """
        if not len(lines):
            return
        errors = [
            InputError(problem, where=where, remedy=remedy)
            for where, problem in zip(self.places(lines), problems, strict=False)
        ]
        readers: list[Callable[[], object]] = [partial(raise_all, errors)]
        if read:
            readers.append(partial(read, self.take(np.delete(np.arange(len(self)), lines))))
        read_all(readers)


def find_separators(data: Bytes, separator: bytes) -> IntArray:
    """Find the positions of a separator of one or several equal characters, from left to right.

    Examples:
        >>> find_separators(np.frombuffer(b"a||b|c|||d||||e", np.uint8), b"||").tolist()
        [1, 6, 10, 12]
    """
    found = np.flatnonzero(data == separator[0])
    if len(separator) == 1:
        return found
    run = np.flatnonzero(np.diff(found, prepend=-2) > 1)
    sizes = np.diff(np.append(run, len(found)))
    place = np.arange(len(found)) - np.repeat(run, sizes)
    whole = place + len(separator) <= np.repeat(sizes, sizes)
    first: IntArray = found[(place % len(separator) == 0) & whole]
    return first


def _mix(words: Words) -> Words:
    """Hash each row to one word; different rows rarely have equal words."""
    keys = words[:, 0].copy()
    for k in range(1, words.shape[1]):
        keys = (keys ^ (keys >> np.uint64(29))) * np.uint64(_MULTIPLIER) + words[:, k]
    return keys


def chunks_of(files: Iterable[TextFile], *, until_empty: bool = False) -> Iterator[list[TextFile]]:
    """Yield groups of a few megabytes; ``until_empty`` also ends a group at an empty file."""
    chunk: list[TextFile] = []
    size = 0
    for file in files:
        chunk.append(file)
        size += len(file.content)
        if size >= _CHUNK or (until_empty and not file.content.strip()):
            yield chunk
            chunk, size = [], 0
    yield chunk
