"""Read untrusted JSON strictly, without guesses and without a crash."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NoReturn

from clineval.base.errors import InputError, named


class NotJsonError(ValueError):
    """A text is not valid JSON; the message repeats nothing of the text.

    Args:
        problem: what is wrong.
        line: the line, from 1; 0 if unknown.
    """

    def __init__(self, problem: str, line: int = 0) -> None:
        super().__init__(problem)
        self.line = line


class _RefusedError(Exception):
    """Raised inside the parser, because the parser would catch a ValueError as its own."""


def parse_json(text: str, *, constants: bool = False) -> Any:
    """Parse JSON; ``constants`` also accepts NaN and infinity, which Python writes.

    Raises:
        NotJsonError: the text is not JSON; or Python's parser would change or lose a part: a key
            that occurs twice in one object, NaN, infinity, or a number with too many digits; or
            lists are nested too deeply.

    Examples:
        >>> parse_json('{"a": [1, 2.5, null]}')
        {'a': [1, 2.5, None]}
        >>> parse_json('{"a": 1, "a": 2}')
        Traceback (most recent call last):
        clineval.base.strict_json.NotJsonError: the key a occurs twice in one object
    """
    constant = float if constants else _refuse_constant
    try:
        return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=constant)
    except _RefusedError as error:
        problem, line = str(error), 0
    except json.JSONDecodeError as error:
        problem, line = f"column {error.colno}: not JSON", error.lineno
    except (ValueError, TypeError, RecursionError):
        problem, line = "a number has too many digits, or lists are nested too deeply", 0
    raise NotJsonError(problem, line)


def expect_json(
    text: str, wanted: str, where: str, remedy: str = "", *, constants: bool = False
) -> Any:
    """Parse JSON as :func:`parse_json` does.

    Args:
        text: the text.
        wanted: the expected content, for messages.
        where: the place, for messages.
        remedy: what the user can do, for messages.
        constants: whether to accept NaN and infinity.

    Raises:
        InputError: the text is not JSON.
    """
    try:
        return parse_json(text, constants=constants)
    except NotJsonError as error:
        problem = f"expected {wanted}{_locate(error, text)}"
        raise InputError(problem, where=where, remedy=remedy) from None


def _locate(error: NotJsonError, text: str) -> str:
    """Return the end of a message: what is wrong, and the line if the text has several."""
    if not error.line:
        return f", {error}"
    return f", line {error.line}, {error}" if "\n" in text.strip() else ""


def read_strings(texts: Sequence[str], where: str) -> list[object] | None:
    """Parse strings that may be JSON; return None if they are text in another format.

    Raises:
        InputError: a string begins like a JSON list or object, and not all strings are JSON.

    Examples:
        >>> read_strings(["[1]", "{}"], ""), read_strings(["a.pipe|1-2|C1|", ""], "")
        ([[1], {}], None)
    """
    if not any(text.startswith(("[", "{")) for text in texts):
        return None
    wanted = "every string to be JSON, because one of them begins like JSON"
    return [expect_json(text, wanted, where) for text in texts]


def _refuse_constant(name: str) -> NoReturn:
    raise _RefusedError(f"{name} is not a finite number")


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        name = named(repeated)
        key = f"the key {name}" if name else f"a key of {len(repeated)} characters"
        raise _RefusedError(f"{key} occurs twice in one object")
    return unique
