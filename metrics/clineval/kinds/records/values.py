"""Values of fields as texts: equal values have equal texts, and types differ."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

INVALID = "(invalid)"
"""The text of an invalid value; no value of a gold standard has it."""
MOST_BRACKETS = 200
"""The limit of opening brackets; a value has fewer."""
_write = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode  # slow to create


def write_json(value: object) -> str:
    """Write a value as JSON; empty if JSON cannot hold it or it is nested too deeply.

    Examples:
        >>> write_json(["b", "a", 5.0]), write_json({1, 2}), write_json(float("nan"))
        ('["b", "a", 5.0]', '', '')
    """
    try:
        text = _write(value)
    except (TypeError, ValueError, RecursionError):
        return ""
    return "" if _count_brackets(text) >= MOST_BRACKETS else text


def _count_brackets(text: str) -> int:
    return text.count("[") + text.count("{")


def is_too_deep(value: object) -> bool:
    """Return whether a value is invalid JSON only because it has too many brackets.

    Examples:
        >>> is_too_deep([[]] * 200), is_too_deep(["a"]), is_too_deep({1, 2})
        (True, False, False)
    """
    try:
        return _count_brackets(_write(value)) >= MOST_BRACKETS
    except RecursionError:
        return True
    except (TypeError, ValueError):
        return False


def spell(value: object, fold: Callable[[str], str] = str) -> str:
    """Write a JSON value so that equal values give equal texts.

    Types differ. Numbers are compared as numbers; the order of lists and of keys is ignored.
    ``fold`` returns the form in which strings are compared.

    Examples:
        >>> spell(5.0), spell("5"), spell(True), spell(["b", 1, "a"])
        ('5', '"5"', 'true', '["a", "b", 1]')
        >>> spell({"high": 2, "low": 1.0}, str.upper), spell("c", str.upper)
        ('{"high": 2, "low": 1}', '"C"')
    """
    if isinstance(value, str):
        return _write(fold(value))
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(sorted(spell(each, fold) for each in value))}]"
    if isinstance(value, Mapping):
        parts = (f"{spell(name)}: {spell(value[name], fold)}" for name in sorted(value))
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, float) and value.is_integer():
        return json.dumps(int(value))
    return json.dumps(value)  # NaN too, which some programs read
