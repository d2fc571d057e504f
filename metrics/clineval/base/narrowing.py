"""Values whose type only the caller knows, checked where they are used."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def as_type(value: object, wanted: type[T]) -> T:
    """Return a value that has a type.

    Raises:
        TypeError: it has another one, which is a mistake in the code and not in the input.

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
