"""The challenge's count of tokens: lines from 1, tokens of a line from 0.

A token is what stands between two blanks (a tab is one), so two blanks in a row have an empty one
between them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.errors import InputError
from clineval.challenges.i2b2_2009_medication.columns import EntryColumns, split_position
from clineval.challenges.i2b2_2009_medication.entry import Offset

_NEWLINE, _BLANK, _TAB = b"\n \t"


class LineTokens:
    r"""The tokens of one text, and where they are.

    Examples:
        >>> tokens = LineTokens("Start\nlantus 7 units")
        >>> tokens.place(13, 20), tokens.characters((2, 1, 2, 2))
        ((2, 1, 2, 2), (13, 20))
    """

    def __init__(self, text: str) -> None:
        lines = [line.split(" ") for line in text.replace("\t", " ").split("\n")]
        self._starts = [0, *accumulate(len(word) + 1 for words in lines for word in words)]
        self._lines = [0, *accumulate(map(len, lines))]

    def __len__(self) -> int:
        return len(self._starts) - 1

    def number(self, at: int) -> int:
        """Return the number, from 0, of the token that a character is in or after."""
        return bisect_right(self._starts, at) - 1

    def locate(self, token: int) -> tuple[int, int]:
        """Return the line of a token, and its number in the line."""
        line = bisect_right(self._lines, token)
        return line, token - self._lines[line - 1]

    def place(self, start: int, end: int) -> Offset:
        """Return the lines and tokens of some characters."""
        return (*self.locate(self.number(start)), *self.locate(self.number(end - 1)))

    def places(self, spans: Iterable[tuple[int, int]]) -> list[list[int]]:
        """Return the lines and tokens of a phrase; fragments that share a token become one."""
        joined: list[list[int]] = []
        for first, last in sorted(
            (self.number(start), self.number(end - 1)) for start, end in spans
        ):
            if joined and first <= joined[-1][1]:
                joined[-1][1] = max(last, joined[-1][1])
            else:
                joined.append([first, last])
        return [[*self.locate(first), *self.locate(last)] for first, last in joined]

    def characters(self, offset: Sequence[int]) -> tuple[int, int]:
        """Return the characters of a fragment ``(line, token, line, token)``.

        An empty token has no character: the blank after it stands for it, if there is one.
        """
        first_line, first, last_line, last = offset
        start = self._starts[self._number_of(first_line, first)]
        token = self._number_of(last_line, last)
        end = max(self._starts[token + 1] - 1, self._starts[token] + 1)
        return start, min(end, self._starts[-1] - 1)

    def _number_of(self, line: int, token: int) -> int:
        """Return the number of a token, counted from the start of the text."""
        if not 1 <= line < len(self._lines):
            raise InputError(
                f"there is no line {line}, lines count from 1 to {len(self._lines) - 1}"
            )
        size = self._lines[line] - self._lines[line - 1]
        if token >= size:
            raise InputError(
                f"token {token} is beyond line {line}, which has {size} tokens",
                remedy="Tokens count from 0",
            )
        return self._lines[line - 1] + token


@dataclass(frozen=True, slots=True, eq=False)
class RecordLines:
    """The lines of the records whose text is known.

    Args:
        known: ``[records]``, whether the text is known.
        bounds: ``[records + 1]``; the lines of record ``i`` are ``bounds[i]:bounds[i + 1]``.
        starts: ``[lines]``, number of the line's first token in its record.
        sizes: ``[lines]``, number of its tokens.
    """

    known: BoolArray
    bounds: IntArray
    starts: IntArray
    sizes: IntArray

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> RecordLines:
        r"""Count the tokens of all lines.

        Examples:
            >>> lines = RecordLines.of(["a b  c\nd", None])
            >>> lines.sizes.tolist(), lines.bounds.tolist()
            ([4, 1], [0, 2, 2])
        """
        known = np.array([text is not None for text in texts], np.bool_)
        contents = [
            text.encode(errors="surrogatepass") + b"\n" for text in texts if text is not None
        ]
        data = np.frombuffer(b"".join(contents), np.uint8)
        gaps = np.concatenate([[0], np.cumsum((data == _BLANK) | (data == _TAB))])
        ends = np.flatnonzero(data == _NEWLINE)
        begins = np.concatenate([[0], ends + 1])[: len(ends)]
        sizes = gaps[ends] - gaps[begins] + 1
        of_record = np.searchsorted(ends, np.cumsum([0, *map(len, contents)]))
        bounds = np.concatenate([[0], np.cumsum(known)])
        bounds = of_record[bounds]
        starts = np.cumsum(sizes) - sizes
        firsts = starts[np.minimum(bounds[:-1], len(starts) - 1)] if len(starts) else bounds[:-1]
        return cls(known, bounds, starts - np.repeat(firsts, np.diff(bounds)), sizes)


@dataclass(frozen=True, slots=True, eq=False)
class TokenRanges:
    """The fragments of some entries as half-open ranges of token numbers of their record.

    Args:
        starts: ``[f]``.
        ends: ``[f]``; a range whose end is not after its start has no token.
    """

    starts: IntArray
    ends: IntArray


def number_tokens(
    sides: Sequence[EntryColumns], lines: RecordLines, *, strict: bool
) -> list[TokenRanges]:
    """Turn both sides' fragments into ranges of token numbers, alike on both.

    Where the text of a record is not known, its lines are taken to be as long as the largest
    token number needs, and a fragment may not cross lines.

    Args:
        sides: the entries of both sides.
        lines: the records' lines.
        strict: refuse tokens beyond the end of their line; otherwise they are dropped.

    Raises:
        InputError: a line that the record does not have; a fragment that crosses lines of a
            record whose text is not known; with ``strict``, a token beyond its line, and
            fragments that end before they begin or overlap.
    """
    imagined = _imagine(sides, lines)
    ranges = [_number(side, lines, imagined, strict=strict) for side in sides]
    if strict:
        for side, numbered in zip(sides, ranges, strict=True):
            _check_ranges(side, numbered)
    return ranges


def _imagine(sides: Sequence[EntryColumns], lines: RecordLines) -> IntArray:
    """Return the length of the lines of each record without a known text: ``[records]``."""
    widths = np.ones(len(lines.known), np.int64)
    for side in sides:
        record = side.record[side.owners]
        for packed in (side.first, side.last):
            np.maximum.at(widths, record, split_position(packed)[1] + 1)
    return widths


def _number(
    side: EntryColumns, lines: RecordLines, widths: IntArray, *, strict: bool
) -> TokenRanges:
    record = side.record[side.owners]
    (first_line, first), (last_line, last) = map(split_position, (side.first, side.last))
    known = lines.known[record]
    _check_lines(side, known, first_line, last_line, np.diff(lines.bounds)[record])
    at_first, at_last = (
        np.where(known, lines.bounds[record] + line - 1, 0) for line in (first_line, last_line)
    )
    sizes, starts = (
        np.append(column, 0)[[at_first, at_last]] for column in (lines.sizes, lines.starts)
    )
    beyond = known & ((first >= sizes[0]) | (last >= sizes[1]))

    def describe(k: int) -> str:
        ends = (first[k], sizes[0][k]), (last[k], sizes[1][k])
        token, size = min(ends, key=lambda end: end[1] - end[0])  # the one farther beyond
        return f"token {token} is beyond the line, which has {size} tokens"

    if strict:
        side.refuse(beyond, describe, "Tokens count from 0")
    return TokenRanges(
        np.where(
            known, starts[0] + np.minimum(first, sizes[0]), first_line * widths[record] + first
        ),
        np.where(
            known, starts[1] + np.minimum(last + 1, sizes[1]), last_line * widths[record] + last + 1
        ),
    )


def _check_lines(
    side: EntryColumns, known: BoolArray, first: IntArray, last: IntArray, heights: IntArray
) -> None:
    outside = (np.minimum(first, last) < 1) | (known & (np.maximum(first, last) > heights))

    def describe(k: int) -> str:
        line = first[k] if first[k] < 1 or (known[k] and first[k] > heights[k]) else last[k]
        reach = f"from 1 to {heights[k]}" if known[k] else "from 1"
        return f"there is no line {line}, lines count {reach}"

    side.refuse(outside, describe)
    problem = "the field crosses lines, so its tokens can be counted only in the record's text"
    remedy = "Give the records (records=, --records DIR)"
    side.refuse(~known & (first != last), lambda _: problem, remedy)


def _check_ranges(side: EntryColumns, ranges: TokenRanges) -> None:
    side.refuse(ranges.ends <= ranges.starts, lambda _: "the offsets end before they begin")
    order = np.lexsort((ranges.starts, side.field, side.owners))
    left, right = order[:-1], order[1:]
    owners, fields = side.owners, side.field
    same = (owners[left] == owners[right]) & (fields[left] == fields[right])
    clash = np.zeros(len(order), np.bool_)
    clash[left[same & (ranges.starts[right] < ranges.ends[left])]] = True
    side.refuse(clash, lambda _: "two fragments overlap")
