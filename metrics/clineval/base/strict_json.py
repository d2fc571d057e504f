"""Read untrusted JSON strictly, without guesses and without a crash."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from math import isinf
from typing import Any, NoReturn

from clineval.base.errors import InputError, named

_BLANKS = re.compile(r"[ \t\n\r]*")
_COLONS = re.compile(r'"[ \t\n\r]*:')
"""Colons after a quote: all that separate names from values, and perhaps some in strings."""
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""The beginning of an escape of half a surrogate pair; a pair has two of them."""
_TOO_MUCH = "a number has too many digits, or lists are nested too deeply"


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
        NotJsonError: the text is not JSON. Or Python's parser would change or lose a part: a key
            that occurs twice in one object, NaN, infinity, or a number that would become infinite.
            Or a string has half of a surrogate pair, which is no character and cannot be written.
            Or a number has too many digits, or lists are nested too deeply.

    Examples:
        >>> parse_json('{"a": [1, 2.5, null]}')
        {'a': [1, 2.5, None]}
        >>> parse_json('{"a": 1, "a": 2}')
        Traceback (most recent call last):
        clineval.base.strict_json.NotJsonError: the key a occurs twice in one object
    """
    constant = float if constants else _refuse_constant
    try:
        found = json.loads(
            text,
            object_pairs_hook=_without_repeats,
            parse_constant=constant,
            parse_float=float if constants else _finite,
        )
        _refuse_halves(text, found)
    except _RefusedError as error:
        problem, line = str(error), 0
    except json.JSONDecodeError as error:
        problem, line = f"column {error.colno}: not JSON", error.lineno
    except (ValueError, TypeError, RecursionError):
        problem, line = _TOO_MUCH, 0
    else:
        return found
    raise NotJsonError(problem, line)


def _refuse_halves(text: str, found: object) -> None:
    """Reject half of a surrogate pair in the text of a value, escaped or not."""
    try:
        if not text.isascii():
            text.encode()
        if _may_have_halves(text):
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise _RefusedError("a string has half of a surrogate pair, not a character") from None


def _may_have_halves(text: str) -> bool:
    return "\\u" in text and _HALF.search(text) is not None


def parse_flat(text: str) -> dict[str, object] | None:
    """Parse a JSON object quickly if it is flat: its values are scalars, or lists of flat objects.

    The parser keeps the last of several values of a key. None is lost if the objects have as many
    members as the text has colons, or colons after a quote: a member needs one, and strings can
    only have further ones.

    Returns:
        The object; None if :func:`parse_json` must parse the text, or reject it.

    Examples:
        >>> parse_flat('{"id": "a", "mentions": [{"spans": [[4, 15]]}]}')
        {'id': 'a', 'mentions': [{'spans': [[4, 15]]}]}
        >>> parse_flat('{"id": "a", "id": "b"}'), parse_flat("[]"), parse_flat('{"id": ')
        (None, None, None)
    """
    try:
        found, end = _PLAIN.raw_decode(text)
    except (_RefusedError, ValueError, TypeError, RecursionError):
        return None
    if type(found) is not dict or _end_blanks(text, end) < len(text):
        return None
    members = _count_members(found)
    complete = members == text.count(":") or members == len(_COLONS.findall(text))
    return found if complete and not _may_have_halves(text) else None


def _count_members(found: Mapping[str, object]) -> int:
    """Count the members of an object, and of the objects in its lists."""
    members = len(found)
    for value in found.values():
        if type(value) is list and set(map(type, value)) == {dict}:
            members += sum(map(len, value))
    return members


def iterate_object(text: str) -> Iterator[tuple[str, object]]:
    """Parse the members of a JSON object one after the other, so that they need not all be held.

    Raises:
        NotJsonError: as :func:`parse_json`; or the text is not an object.

    Examples:
        >>> [*iterate_object('{"a": {"x": 1}, "b": []}')]
        [('a', {'x': 1}), ('b', [])]
    """
    try:
        yield from _iterate_object(text)
    except _RefusedError as error:
        problem, line = str(error), 0
    except json.JSONDecodeError as error:
        problem, line = f"column {error.colno}: not JSON", error.lineno
    except (ValueError, TypeError, RecursionError):
        problem, line = _TOO_MUCH, 0
    else:
        return
    raise NotJsonError(problem, line)


def _iterate_object(text: str) -> Iterator[tuple[str, object]]:
    decoder = json.JSONDecoder(
        object_pairs_hook=_without_repeats, parse_constant=_refuse_constant, parse_float=_finite
    )
    seen: set[str] = set()
    at = _skip(text, 0, "{")
    while not text.startswith("}", at):
        at = _skip(text, at, "," if seen else "")
        if not text.startswith('"', at):
            raise json.JSONDecodeError("", text, at)
        begin = at
        key, at = decoder.raw_decode(text, at)
        _refuse_halves(text[begin:at], key)
        if key in seen:
            _without_repeats([(key, None)] * 2)
        seen.add(key)
        begin = _skip(text, at, ":")
        value, at = decoder.raw_decode(text, begin)
        _refuse_halves(text[begin:at], value)
        yield key, value
        at = _end_blanks(text, at)
    at = _skip(text, at, "}")
    if at < len(text):
        raise json.JSONDecodeError("", text, at)


def _skip(text: str, at: int, expected: str) -> int:
    """Return the position after blanks, an expected character, and blanks."""
    at = _end_blanks(text, at)
    if not text.startswith(expected, at):
        raise json.JSONDecodeError("", text, at)
    return _end_blanks(text, at + len(expected))


def _end_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


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


def _finite(digits: str) -> float:
    """Convert a number with a fraction or an exponent, unless it would become infinite."""
    number = float(digits)
    if isinf(number):
        raise _RefusedError("a number is too large")
    return number


_PLAIN = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        name = named(repeated)
        key = f"the key {name}" if name else f"a key of {len(repeated)} characters"
        raise _RefusedError(f"{key} occurs twice in one object")
    return unique
