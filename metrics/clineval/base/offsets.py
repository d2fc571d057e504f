"""Offsets in every format: how digits are read, and which numbers can be positions in a text."""

from __future__ import annotations

from clineval.base.errors import InputError, shown

LARGEST = 2**31 - 1
"""The largest offset: the largest signed integer of 32 bits, as in Java, C and Arrow."""
_ENOUGH = 19
"""Digits to read: a longer number exceeds every offset, and Python rejects thousands of digits."""


def read_whole(digits: str) -> int:
    """Read an integer from ASCII digits with an optional sign.

    A number of 20 digits or more is returned too small, but still larger than any offset.

    Examples:
        >>> read_whole("+007"), read_whole("-12"), read_whole("9" * 5000) > LARGEST
        (7, -12, True)
    """
    number = int(digits.lstrip("+-").lstrip("0")[:_ENOUGH] or 0)
    return -number if digits.startswith("-") else number


def are_offsets(*numbers: int) -> bool:
    """Return whether each number can be a position in a text.

    Examples:
        >>> are_offsets(0, LARGEST), are_offsets(-1), are_offsets(LARGEST + 1)
        (True, False, False)
    """
    return min(numbers) >= 0 and max(numbers) <= LARGEST


def judge_offset(number: int) -> int:
    """Return a number that can be a position in a text; reject any other number.

    Examples:
        >>> judge_offset(-5)
        Traceback (most recent call last):
        clineval.InputError: offset -5 is negative
    """
    if number < 0:
        raise InputError(f"offset {shown(number)} is negative")
    if number > LARGEST:
        raise InputError(f"offset {shown(number)} is larger than {LARGEST}")
    return number
