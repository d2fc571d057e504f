"""Convert cells such as ``10-20,31-38`` to columns of fragments."""

from __future__ import annotations

from functools import partial
from itertools import pairwise, repeat

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray, unite_keys
from clineval.formats.delimited.cells import Bytes, Cells, Table
from clineval.kinds.mentions.mention import Fragment
from clineval.results.columns import USUAL

_COMMA, _DASH, _BLANK, _ZERO, _NINE = b",- 09"
_MOST_DIGITS = 9
_MALFORMED = "expected spans such as 10-20 or 10-20,31-38 in column {}"


Spans = tuple[IntArray, IntArray, IntArray, Coded]
"""``bounds``, ``starts``, ``ends`` and ``spelling`` of mentions."""


def parse_spans(table: Table, column: int, *, strict: bool, ordered: bool = False) -> Spans:
    """Read one column of spans.

    Args:
        table: the lines.
        column: number of the column, from 0.
        strict: whether to reject reversed, empty and overlapping fragments.
        ordered: whether to reject fragments that are not in increasing order, too.

    Returns:
        ``bounds``, ``starts``, ``ends`` and ``spelling`` of
        :class:`~clineval.results.columns.MentionColumns`. The spelling preserves blanks and
        leading zeros, which the released scripts do not ignore. With ``strict`` it is empty.
    """
    cells = table.column(column)
    text, lines = cells.joined(_COMMA)
    text, lines, spaced, torn = _without_blanks(text, lines)
    marks = np.flatnonzero((text == _COMMA) | (text == _DASH))
    places = np.arange(len(marks))
    unread = find_unread(text, lines, marks, text[marks] != np.where(places % 2, _COMMA, _DASH))
    if len(unread):  # a wrong number of marks in a line must not affect the lines after it
        places -= np.searchsorted(lines[marks], lines[marks])
        wrong = text[marks] != np.where(places % 2, _COMMA, _DASH)
        unread = find_unread(text, lines, marks, wrong)
    unread = unite_keys(torn, unread)
    read_others = partial(parse_spans, column=column, strict=strict, ordered=ordered)
    table.refuse(unread, repeat(_MALFORMED.format(column + 1)), read=read_others)
    numbers, padded = read_numbers(text, marks)
    starts, ends = numbers[0::2], numbers[1::2]
    owners = lines[marks[1::2]]
    bounds = np.searchsorted(owners, np.arange(len(cells.starts) + 1))
    if strict:
        check_fragments(table, starts, ends, owners, ordered=ordered)
        return bounds, starts, ends, USUAL
    odd = unite_keys(spaced, lines[marks[padded]])
    return bounds, starts, ends, spell(cells, odd)


def list_fragments(bounds: IntArray, starts: IntArray, ends: IntArray) -> list[list[Fragment]]:
    """List the fragments of each mention as pairs.

    Examples:
        >>> list_fragments(*map(np.array, ([0, 2, 3], [4, 31, 60], [15, 38, 65])))
        [[(4, 15), (31, 38)], [(60, 65)]]
    """
    fragments = list(zip(starts.tolist(), ends.tolist(), strict=True))
    return [fragments[low:high] for low, high in pairwise(bounds.tolist())]


def _without_blanks(text: Bytes, lines: IntArray) -> tuple[Bytes, IntArray, IntArray, IntArray]:
    """Drop blanks; also return the lines with blanks, and those with blanks inside a number."""
    blank = text == _BLANK
    if not blank.any():
        return text, lines, lines[:0], lines[:0]
    spaced = np.unique(lines[blank])
    kept = np.flatnonzero(~blank)
    return text[kept], lines[kept], spaced, lines[find_torn(text, kept)]


def find_torn(text: Bytes, kept: IntArray) -> IntArray:
    """Find digits that are adjacent only because the blanks between them were dropped."""
    digit = is_digit(text)[kept]
    torn: IntArray = kept[np.flatnonzero((np.diff(kept) > 1) & digit[1:] & digit[:-1])]
    return torn


def find_unread(text: Bytes, lines: IntArray, marks: IntArray, wrong: BoolArray) -> IntArray:
    """Find the lines that are not numbers of one to nine digits, each followed by a mark.

    Args:
        text: the joined cells.
        lines: the line of each byte.
        marks: the positions of the marks.
        wrong: ``[marks]``, whether a mark is not allowed at its position.
    """
    foreign = np.ones(len(text), np.bool_)
    foreign[marks] = False
    foreign &= ~is_digit(text)
    sizes = np.diff(marks, prepend=-1) - 1
    wrong = wrong | (sizes < 1) | (sizes > _MOST_DIGITS)
    return np.concatenate([lines[foreign], lines[marks[wrong]]])


def read_numbers(text: Bytes, marks: IntArray) -> tuple[IntArray, BoolArray]:
    """Return the number before each mark, and whether it has leading zeros."""
    sizes = np.diff(marks, prepend=-1) - 1
    numbers = np.zeros(len(marks), np.int32)
    for place in range(int(sizes.max(initial=0))):
        filled = sizes > place
        digits = text[np.where(filled, marks - 1 - place, 0)].astype(np.int32) - _ZERO
        numbers += np.where(filled, digits, 0) * np.int32(10**place)
    padded = (sizes > 1) & (text[marks - sizes] == _ZERO) if len(marks) else sizes > 1
    return numbers, padded


def check_fragments(
    table: Table, starts: IntArray, ends: IntArray, owners: IntArray, *, ordered: bool = False
) -> None:
    """Reject fragments that are reversed, empty, or overlap within a mention.

    With ``ordered``, also reject fragments that are not in increasing order.
    """

    def name(k: int) -> str:
        return f"{starts[k]}-{ends[k]}"

    reversed_ = np.flatnonzero(ends <= starts).tolist()
    found = [(k, f"fragment {name(k)}: the end is not after the start") for k in reversed_]
    joined = owners[1:] == owners[:-1]
    if joined.any():
        falls = joined & (starts[1:] < starts[:-1])
        found += [
            (k + 1, f"fragment {name(k + 1)} follows {name(k)}, expected increasing order")
            for k in (np.flatnonzero(falls).tolist() if ordered else ())
        ]
        several = np.flatnonzero(np.append(joined, [False]) | np.append([False], joined))
        order = several[np.lexsort((starts[several], owners[several]))]
        left, right = order[:-1], order[1:]
        clash = np.flatnonzero((owners[left] == owners[right]) & (starts[right] < ends[left]))
        pairs = zip(left[clash].tolist(), right[clash].tolist(), strict=True)
        found += [(i, f"fragments {name(i)} and {name(j)} overlap") for i, j in pairs]
    if found:
        table.refuse(owners[[k for k, _ in found]], [problem for _, problem in found])


def is_digit(text: Bytes) -> BoolArray:
    """Return which bytes are decimal digits."""
    return (text >= _ZERO) & (text <= _NINE)


def spell(cells: Cells, odd: IntArray) -> Coded:
    """Return the spelling of the lines ``odd``; other lines have the usual spelling."""
    ids = np.zeros(len(cells.starts), np.int32)
    written = Coded.of([cells.string(line) for line in odd.tolist()])
    ids[odd] = written.ids + 1
    return Coded(ids, ("", *written.values))
