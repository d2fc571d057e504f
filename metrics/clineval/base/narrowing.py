"""Check the type of a value that only the caller knows."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def as_type(value: object, wanted: type[T]) -> T:
    """Return the value if it has the wanted type.

    Raises:
        TypeError: the value has another type. This is a mistake in the code, not in the input.

    Examples:
        >>> as_type("note", str)
        'note'
        >>> as_type(3, str)
        Traceback (most recent call last):
        TypeError: expected str, got int
    """
    if isinstance(value, wanted):
        return value
    raise TypeError(f"expected {wanted.__name__}, got {type(value).__name__}")
