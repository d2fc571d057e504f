"""Numbers of options: parsed from any form, and written to the signature."""

from __future__ import annotations

from contextlib import suppress

from clineval.base.arrays import is_number
from clineval.base.errors import InputError, shown


def write_number(value: float) -> str:
    """Write a number as short as possible, without loss.

    Examples:
        >>> write_number(2.0), write_number(0.5), write_number(1 / 3)
        ('2', '0.5', '0.3333333333333333')
    """
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def parse_share(value: object, *, where: str) -> float | None:
    """Parse the least overlap, a number above 0 and at most 1; None for no least overlap.

    Raises:
        InputError: it is not such a number.
    """
    return _parse(value, where, 1.0, "a number above 0 and at most 1, such as 0.5")


def parse_beta(value: object) -> float | None:
    """Parse beta, a number above 0; None for no F-beta; raise as :func:`parse_share` does."""
    return _parse(value, "beta", 1e6, "a number above 0, such as 2")


def _parse(value: object, where: str, most: float, expected: str) -> float | None:
    if value is None:
        return None
    number = value
    if isinstance(value, str):
        with suppress(ValueError):
            number = float(value)
    if not is_number(number) or not 0 < number <= most:
        raise InputError(f"expected {expected}, got {shown(value)}", where=where)
    return float(number)
