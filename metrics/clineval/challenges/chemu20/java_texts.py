"""Split, trim, read and order strings as Java does, for stand-ins of Java programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

_TRIMMED = "".join(map(chr, range(33)))
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_LINE = re.compile(r"\r\n|\r|\n")
_MASK, _LEAST, _FULL = 0xFFFFFFFF, 16, 0.75


def java_trim(text: str) -> str:
    """Remove blanks and control characters from both ends, as ``String.trim`` does."""
    return text.strip(_TRIMMED)


def java_split(text: str, separator: str) -> list[str]:
    """Split a string as ``String.split`` does, without empty strings at the end.

    Examples:
        >>> java_split("a  b ", " "), java_split(" ", " "), java_split("", " ")
        (['a', '', 'b'], [], [''])
    """
    parts = text.split(separator)
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return parts if parts[0] or len(parts) > 1 or not text else []


def java_lines(text: str) -> list[str]:
    """Split a text into lines as ``BufferedReader.readLine`` does."""
    return _LINE.split(text)


def java_whole(text: str) -> int:
    """Read a whole number as ``Integer.parseInt`` does; raise a ``ValueError`` for any other text.

    Examples:
        >>> java_whole("+07")
        7
    """
    if not _WHOLE.fullmatch(text) or not -(1 << 31) <= int(text) < 1 << 31:
        raise ValueError(text)
    return int(text)


def java_fixed(value: float, places: int) -> str:
    """Format a number as ``String.format`` with ``%.<places>f`` does: digits are rounded half up.

    Examples:
        >>> java_fixed(0.28125, 4), f"{0.28125:.4f}"
        ('0.2813', '0.2812')
    """
    return str(Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def hash_order(keys: Sequence[str]) -> list[int]:
    """Return the places of different strings in the order in which a ``HashMap`` lists them.

    A map has 16 buckets, and twice as many whenever it is more than three quarters full. In a
    bucket, keys stand in the order in which they were added.

    Examples:
        >>> keys = ["T1", "T4", "T10"]
        >>> [keys[at] for at in hash_order(keys)]
        ['T4', 'T10', 'T1']
    """
    size = _LEAST
    while len(keys) > size * _FULL:
        size *= 2
    hashes = [_hash(key) for key in keys]
    buckets = [(value ^ value >> 16) & (size - 1) for value in hashes]
    return sorted(range(len(keys)), key=buckets.__getitem__)


def _hash(key: str) -> int:
    """Return the hash of a string, of its UTF-16 units."""
    value, units = 0, key.encode("utf-16-be", "surrogatepass")
    for at in range(0, len(units), 2):
        value = (31 * value + (units[at] << 8) + units[at + 1]) & _MASK
    return value
