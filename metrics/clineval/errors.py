"""The one error for bad input, and the one warning.

Messages are shown to people and written to logs on machines that patient text must not leave.
They name files, lines, documents, fields and offsets, and never repeat a value that could be text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z_-]{0,23}\Z")
_LISTED = 20


class InputError(ValueError):
    """Input that cannot be scored.

    The message has one grammar: where, what is wrong, what was expected, what to do.

    Args:
        problem: what is wrong, and what was expected instead.
        where: file and line, document, mention or field; empty if it concerns the whole call.
        remedy: what the reader can do about it, as a sentence.

    Examples:
        >>> str(InputError("end 10 is not after start 20", where="a.pipe:3", remedy="Swap them."))
        'a.pipe:3: end 10 is not after start 20. Swap them.'
    """

    def __init__(self, problem: str, *, where: str = "", remedy: str = "") -> None:
        place = f"{where}: " if where else ""
        advice = f". {remedy}" if remedy else ""
        super().__init__(f"{place}{problem}{advice}")


class InputWarning(UserWarning):
    """Input that is scored, but of which something was left out or filled in."""


def shown(value: object) -> str:
    """Describe a value that came instead of an expected one, without repeating a note's text.

    A single word in the form of an identifier is shown, and so are numbers; anything else is
    described by its type and length.

    Examples:
        >>> shown("negated"), shown(-3), shown("left lower lobe"), shown({"a": 1})
        ("'negated'", '-3', 'a string of 15 characters', 'a dict')
    """
    if isinstance(value, str):
        return repr(value) if _IDENTIFIER.match(value) else f"a string of {len(value)} characters"
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def listed(names: Sequence[str]) -> str:
    """Join names for a message; of a long list the first twenty and how many more there are.

    Examples:
        >>> listed(["a", "b"])
        'a, b'
    """
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
