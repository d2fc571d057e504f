"""C's ``atof`` and ``atol``: what programs that read with them make of a word."""

from __future__ import annotations

import math
import re

_REAL = re.compile(
    r"""[+-]?(?:
        (?P<hexadecimal>0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?)
        |(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?
        |inf(?:inity)?
        |nan
    )""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)


def atof(word: str) -> float:
    """Return the number that a word begins with, else 0.

    Examples:
        >>> atof("7abc"), atof("9,5"), atof("0x10"), atof("abc"), atof("-inf"), atof("1e999")
        (7.0, 9.0, 16.0, 0.0, -inf, inf)
    """
    found = _REAL.match(word)
    if not found:
        return 0.0
    return _from_hexadecimal(found[0]) if found["hexadecimal"] else float(found[0])


def _from_hexadecimal(number: str) -> float:
    try:
        return float.fromhex(number)
    except OverflowError:
        return -math.inf if number.startswith("-") else math.inf


def atol(word: str) -> int:
    """Return the whole number that a word begins with, else 0.

    More digits than Python reads, which no machine's ``long`` holds, raise a ``ValueError``.

    Examples:
        >>> atol("1.9"), atol("-2x"), atol("x")
        (1, -2, 0)
    """
    found = _WHOLE.match(word)
    return int(found[0]) if found else 0
