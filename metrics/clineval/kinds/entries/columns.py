"""Medication entries as flat NumPy columns, and their tokens in the challenge's count.

Lines count from 1, tokens of a line from 0. Tokens are separated by single spaces or tabs, so there
is an empty token between two spaces in a row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray, expand_ranges
from clineval.base.errors import InputError, raise_all
from clineval.kinds.documents import Documents
from clineval.kinds.entries.entry import FIELDS

Place = Callable[[int], str]
FindTexts = Callable[[tuple[str, ...]], Sequence[str | None]]
"""Returns the texts of the records with these names, None if there is no text."""
_SHIFT = 20  # line and token numbers have up to 6 digits
_TOKEN = (1 << _SHIFT) - 1


@dataclass(frozen=True, slots=True, eq=False)
class EntryColumns:
    """The entries of one side of a corpus: ``n`` entries with ``f`` fragments in all.

    A position packs a line and a token into one number; numbers have the order of positions.

    Args:
        record: ``[n]``, index of the entry's record, never decreasing.
        bounds: ``[n + 1]``; the fragments of entry ``i`` are ``bounds[i]:bounds[i + 1]``.
        field: ``[f]``, the field of each fragment, an index into ``FIELDS``.
        first: ``[f]``, position of the fragment's first token.
        last: ``[f]``, position of its last token.
        genre: ``[n]``, ``list``, ``narrative``, or empty if it is not known.
        row: ``[n]``, the entry's number in the input, for ``place``.
        place: returns the position of an entry, for messages.
    """

    record: IntArray
    bounds: IntArray
    field: IntArray
    first: IntArray
    last: IntArray
    genre: Coded
    row: IntArray
    place: Place

    def __len__(self) -> int:
        return len(self.record)

    @property
    def owners(self) -> IntArray:
        """``[f]``, the entry of each fragment."""
        return np.repeat(np.arange(len(self)), np.diff(self.bounds))

    def refuse(self, wrong: BoolArray, describe: Callable[[int], str], remedy: str = "") -> None:
        """Reject entries with a wrong fragment, and describe the first of each.

        Raises:
            InputError: an entry is wrong; the message names the first one and its field.
        """
        fragments = np.flatnonzero(wrong)
        if not len(fragments):
            return
        entries, first = np.unique(self.owners[fragments], return_index=True)
        raise_all(
            [
                InputError(
                    describe(k),
                    where=f"{self.place(row)}, field {FIELDS[self.field[k]]}",
                    remedy=remedy,
                )
                for k, row in zip(
                    fragments[first].tolist(), self.row[entries].tolist(), strict=True
                )
            ]
        )

    def take(self, rows: IntArray) -> EntryColumns:
        """Select the entries at ``rows``, in that order."""
        low, high = self.bounds[rows], self.bounds[rows + 1]
        fragments = expand_ranges(low, high)
        return EntryColumns(
            self.record[rows],
            np.concatenate([[0], np.cumsum(high - low)]),
            self.field[fragments],
            self.first[fragments],
            self.last[fragments],
            Coded(self.genre.ids[rows], self.genre.values),
            self.row[rows],
            self.place,
        )


@dataclass(frozen=True, slots=True, eq=False)
class EntrySide(Documents):
    """The entries of one side of a corpus after reading; its documents are the records.

    Args:
        entries: the entries.
        texts: returns the records' texts; None if they are not known.
    """

    entries: EntryColumns
    texts: FindTexts | None = None


def position(line: IntArray, token: IntArray) -> IntArray:
    """Pack line and token numbers.

    Examples:
        >>> split_position(position(np.array([5]), np.array([3])))
        (array([5]), array([3]))
    """
    packed: IntArray = (line.astype(np.int64) << _SHIFT) | token
    return packed


def split_position(packed: IntArray) -> tuple[IntArray, IntArray]:
    """Unpack lines and tokens of positions."""
    return packed >> _SHIFT, packed & _TOKEN


_NEWLINE, _BLANK, _TAB = b"\n \t"


@dataclass(frozen=True, slots=True, eq=False)
class RecordLines:
    """The lines of the records with known texts.

    Args:
        known: ``[records]``, whether the text is known.
        bounds: ``[records + 1]``; the lines of record ``i`` are ``bounds[i]:bounds[i + 1]``.
        starts: ``[lines]``, number of the line's first token in its record.
        sizes: ``[lines]``, the line's number of tokens.
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
        with_text = np.array([text is not None for text in texts], np.bool_)
        contents = [
            text.encode(errors="surrogatepass") + b"\n" for text in texts if text is not None
        ]
        data = np.frombuffer(b"".join(contents), np.uint8)
        gaps = np.concatenate([[0], np.cumsum((data == _BLANK) | (data == _TAB))])
        ends = np.flatnonzero(data == _NEWLINE)
        begins = np.concatenate([[0], ends + 1])[: len(ends)]
        sizes = gaps[ends] - gaps[begins] + 1
        of_record = np.searchsorted(ends, np.cumsum([0, *map(len, contents)]))
        bounds = np.concatenate([[0], np.cumsum(with_text)])
        bounds = of_record[bounds]
        starts = np.cumsum(sizes) - sizes
        firsts = starts[np.minimum(bounds[:-1], len(starts) - 1)] if len(starts) else bounds[:-1]
        return cls(with_text, bounds, starts - np.repeat(firsts, np.diff(bounds)), sizes)


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
    """Turn the fragments of both sides into ranges of token numbers.

    If the text of a record is not known, its lines are assumed to be just long enough for the
    largest token number, and a fragment may not cross lines.

    Args:
        sides: the entries of both sides.
        lines: the records' lines.
        strict: whether to reject tokens beyond the end of their line; otherwise they are dropped.

    Raises:
        InputError: the record does not have a line; a fragment crosses lines of a record without a
            known text; with ``strict``, a token is beyond its line, or fragments end before they
            begin or overlap.
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
    with_text = lines.known[record]
    _check_lines(side, with_text, first_line, last_line, np.diff(lines.bounds)[record])
    at_first, at_last = (
        np.where(with_text, lines.bounds[record] + line - 1, 0) for line in (first_line, last_line)
    )
    sizes, starts = (
        np.append(column, 0)[[at_first, at_last]] for column in (lines.sizes, lines.starts)
    )
    beyond = with_text & ((first >= sizes[0]) | (last >= sizes[1]))

    def describe(k: int) -> str:
        ends = (first[k], sizes[0][k]), (last[k], sizes[1][k])
        token, size = min(ends, key=lambda end: end[1] - end[0])  # the larger excess
        return f"token {token} is beyond the line, which has {size} tokens"

    if strict:
        side.refuse(beyond, describe, "Tokens count from 0")
    return TokenRanges(
        np.where(
            with_text, starts[0] + np.minimum(first, sizes[0]), first_line * widths[record] + first
        ),
        np.where(
            with_text,
            starts[1] + np.minimum(last + 1, sizes[1]),
            last_line * widths[record] + last + 1,
        ),
    )


def _check_lines(
    side: EntryColumns, with_text: BoolArray, first: IntArray, last: IntArray, heights: IntArray
) -> None:
    outside = (np.minimum(first, last) < 1) | (with_text & (np.maximum(first, last) > heights))

    def describe(k: int) -> str:
        line = first[k] if first[k] < 1 or (with_text[k] and first[k] > heights[k]) else last[k]
        reach = f"from 1 to {heights[k]}" if with_text[k] else "from 1"
        return f"there is no line {line}, lines count {reach}"

    side.refuse(outside, describe)
    problem = "the field crosses lines, so its tokens can be counted only in the record's text"
    remedy = "Give the records (records=, --records DIR)"
    side.refuse(~with_text & (first != last), lambda _: problem, remedy)


def _check_ranges(side: EntryColumns, ranges: TokenRanges) -> None:
    side.refuse(ranges.ends <= ranges.starts, lambda _: "the offsets end before they begin")
    order = np.lexsort((ranges.starts, side.field, side.owners))
    left, right = order[:-1], order[1:]
    owners, fields = side.owners, side.field
    same = (owners[left] == owners[right]) & (fields[left] == fields[right])
    clash = np.zeros(len(order), np.bool_)
    clash[left[same & (ranges.starts[right] < ranges.ends[left])]] = True
    side.refuse(clash, lambda _: "two fragments overlap")
