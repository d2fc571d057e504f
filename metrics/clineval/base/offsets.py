"""Offsets: which numbers can be places in a text, and how digits are read, in every format."""

from __future__ import annotations

from clineval.base.errors import InputError, shown

LARGEST = 2**31 - 1
"""The last offset there is: of 32 bits, as Java, C and Arrow hold them."""
_ENOUGH = 19
"""Digits after which a number is larger than any offset; Python refuses to read thousands."""


def read_whole(digits: str) -> int:
    """Read the number that ASCII digits write, perhaps after a sign.

    One of 20 digits or more comes out smaller than it is, but still larger than any offset.

    Examples:
        >>> read_whole("+007"), read_whole("-12"), read_whole("9" * 5000) > LARGEST
        (7, -12, True)
    """
    number = int(digits.lstrip("+-").lstrip("0")[:_ENOUGH] or 0)
    return -number if digits.startswith("-") else number


def are_offsets(*numbers: int) -> bool:
    """Tell whether each number can be a place in a text.

    Examples:
        >>> are_offsets(0, LARGEST), are_offsets(-1), are_offsets(LARGEST + 1)
        (True, False, False)
    """
    return min(numbers) >= 0 and max(numbers) <= LARGEST


def judge_offset(number: int) -> int:
    """Return a number that can be a place in a text, and refuse any other.

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
