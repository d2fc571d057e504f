"""Cells such as ``10-20,31-38`` into fragment columns."""

from __future__ import annotations

import numpy as np

from clineval.arrays import BoolArray, Coded, IntArray
from clineval.errors import InputError
from clineval.formats.cells import Bytes, Cells, Table
from clineval.formats.pipe import malformed_spans

_COMMA, _DASH, _BLANK, _ZERO, _NINE = b",- 09"
_MOST_DIGITS = 9


def parse_spans(
    table: Table, cells: Cells, *, strict: bool
) -> tuple[IntArray, IntArray, IntArray, Coded]:
    """Read one column of spans.

    Args:
        table: the lines, to name a place in messages.
        cells: the column.
        strict: refuse reversed, empty and overlapping fragments.

    Returns:
        ``bounds``, ``starts``, ``ends`` and ``spelling`` of
        :class:`~clineval.mentions.columns.MentionColumns`. The spelling keeps blanks and leading
        zeros apart, which the released scripts do not ignore; with ``strict`` it is always empty.
    """
    text, lines = cells.joined(_COMMA)
    text, lines, spaced = _without_blanks(table, text, lines)
    marks = np.flatnonzero((text == _COMMA) | (text == _DASH))
    expected = np.where(np.arange(len(marks)) % 2, _COMMA, _DASH)
    unread = find_unread(text, lines, marks, text[marks] != expected)
    if len(unread):
        raise malformed_spans(table.where(int(unread.min())))
    numbers, padded = read_numbers(text, marks)
    starts, ends = numbers[0::2], numbers[1::2]
    owners = lines[marks[1::2]]
    bounds = np.searchsorted(owners, np.arange(len(cells.starts) + 1))
    if strict:
        check_fragments(table, starts, ends, owners)
        return bounds, starts, ends, no_spelling(len(cells.starts))
    odd = np.union1d(spaced, lines[marks[padded]])
    return bounds, starts, ends, spell(cells, odd)


def _without_blanks(table: Table, text: Bytes, lines: IntArray) -> tuple[Bytes, IntArray, IntArray]:
    """Drop the blanks beside separators; also the lines that had some."""
    blank = text == _BLANK
    if not blank.any():
        return text, lines, lines[:0]
    spaced = np.unique(lines[blank])
    kept = np.flatnonzero(~blank)
    torn = find_torn(text, kept)
    if len(torn):
        raise malformed_spans(table.where(int(lines[torn[0]])))
    return text[kept], lines[kept], spaced


def find_torn(text: Bytes, kept: IntArray) -> IntArray:
    """Where two digits come together only because what is between them is not kept."""
    digit = is_digit(text)[kept]
    torn: IntArray = kept[np.flatnonzero((np.diff(kept) > 1) & digit[1:] & digit[:-1])]
    return torn


def find_unread(text: Bytes, lines: IntArray, marks: IntArray, wrong: BoolArray) -> IntArray:
    """The lines that are not numbers of one to nine digits, each with a mark after it.

    Args:
        text: cells joined, with a mark after each.
        lines: ``[bytes]``, the line of each byte.
        marks: where the marks are.
        wrong: ``[marks]``, which marks stand in a wrong place.
    """
    foreign = np.ones(len(text), np.bool_)
    foreign[marks] = False
    foreign &= ~is_digit(text)
    sizes = np.diff(marks, prepend=-1) - 1
    wrong = wrong | (sizes < 1) | (sizes > _MOST_DIGITS)
    return np.concatenate([lines[foreign], lines[marks[wrong]]])


def read_numbers(text: Bytes, marks: IntArray) -> tuple[IntArray, BoolArray]:
    """The number before each mark, and whether it has leading zeros."""
    sizes = np.diff(marks, prepend=-1) - 1
    numbers = np.zeros(len(marks), np.int32)
    for place in range(int(sizes.max(initial=0))):
        filled = sizes > place
        digits = text[np.where(filled, marks - 1 - place, 0)].astype(np.int32) - _ZERO
        numbers += np.where(filled, digits, 0) * np.int32(10**place)
    padded = (sizes > 1) & (text[marks - sizes] == _ZERO) if len(marks) else sizes > 1
    return numbers, padded


def check_fragments(table: Table, starts: IntArray, ends: IntArray, owners: IntArray) -> None:
    """Refuse fragments that are reversed, empty, or overlap one of the same mention."""
    reversed_ = np.flatnonzero(ends <= starts)
    if len(reversed_):
        k = int(reversed_[0])
        raise InputError(
            f"fragment {starts[k]}-{ends[k]}: the end is not after the start",
            where=table.where(int(owners[k])),
        )
    if len(np.unique(owners)) == len(owners):
        return
    order = np.lexsort((starts, owners))
    left, right = order[:-1], order[1:]
    clash = np.flatnonzero((owners[left] == owners[right]) & (starts[right] < ends[left]))
    if len(clash):
        i, j = left[clash[0]], right[clash[0]]
        raise InputError(
            f"fragments {starts[i]}-{ends[i]} and {starts[j]}-{ends[j]} overlap",
            where=table.where(int(owners[i])),
        )


def is_digit(text: Bytes) -> BoolArray:
    """Which bytes are decimal digits."""
    return (text >= _ZERO) & (text <= _NINE)


def no_spelling(size: int) -> Coded:
    """All spans are written the usual way."""
    return Coded(np.zeros(size, np.int32), ("",))


def spell(cells: Cells, odd: IntArray) -> Coded:
    """The cells of the lines ``odd`` as they are written; the others in the usual way."""
    ids = np.zeros(len(cells.starts), np.int32)
    written = Coded.of([cells.string(line) for line in odd.tolist()])
    ids[odd] = written.ids + 1
    return Coded(ids, ("", *written.values))
