"""Values of fields in the form in which they are compared: words, dates, codes, numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from math import isfinite
from unicodedata import normalize

from clineval.kinds.records.values import INVALID, spell

_WORD = re.compile(r"[^\W_]+(?:(?<=\d)[.,]\d+)*")
_NUMBER = re.compile(r"([+-]?\d{1,300}(?:\.\d{1,300})?)\s*(.*)", re.ASCII | re.DOTALL)
_PARTIAL_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2]))?", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*", re.ASCII)


_EXACT: Mapping[type, str] = {
    str: "string",
    int: "integer",
    bool: "boolean",
    dict: "object",
    list: "array",
}


def type_of(value: object) -> str:
    """Return the JSON type of a value; empty for a value that JSON cannot hold.

    Examples:
        >>> [type_of(value) for value in (True, 5, 5.0, 5.5, "5", None, [], {}, float("nan"))]
        ['boolean', 'integer', 'integer', 'number', 'string', 'null', 'array', 'object', '']
    """
    if kind := _EXACT.get(type(value)):  # the usual types, fast
        return kind
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    if isinstance(value, (int, float)):
        if not isfinite(value):
            return ""
        return "integer" if float(value).is_integer() else "number"
    kinds = ((str, "string"), ((list, tuple), "array"), (Mapping, "object"))
    return next((name for of, name in kinds if isinstance(value, of)), "")


def spell_filled(value: object) -> str:
    """Write a JSON value as :func:`spell` does, without properties that are null.

    Anything that is not JSON counts as invalid.

    Examples:
        >>> spell_filled({"b": [2, 1.0], "a": None}), spell_filled({1, 2})
        ('{"b": [1, 2]}', '"(invalid)"')
    """
    if isinstance(value, str):
        return spell(value)
    if isinstance(value, Mapping):
        filled = sorted(
            (spell(str(name)), spell_filled(part))
            for name, part in value.items()
            if part is not None
        )
        return f"{{{', '.join(f'{name}: {part}' for name, part in filled)}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(sorted(map(spell_filled, value)))}]"
    return spell(value if type_of(value) else INVALID)


def fold_text(text: str) -> str:
    """Return a text without case, with one blank between words.

    Examples:
        >>> fold_text(" Left  KNEE")
        'left knee'
    """
    return " ".join(normalize("NFKC", text).casefold().split())


def split_words(text: str) -> str:
    """Return the words of a text without case; numbers keep their point or comma.

    A text without letters and digits, such as ``+``, is one word.

    Examples:
        >>> split_words("Aspirin, 2.5mg (p.o.)")
        'aspirin 2.5 mg p o'
    """
    folded = fold_text(text)
    return " ".join(_WORD.findall(folded)) or folded


def fold_code(text: str) -> str:
    """Return a code without case, blanks and points.

    Examples:
        >>> fold_code("e11.9"), fold_code(" E119")
        ('E119', 'E119')
    """
    return "".join(text.upper().replace(".", "").split()) or text


def read_date(text: str) -> str:
    """Return an ISO 8601 year, month, date or date and time; INVALID for anything else.

    A time with an offset becomes UTC.

    Examples:
        >>> read_date("2024-02"), read_date("2024-02-30"), read_date("2024-02-01T10:00:00+02:00")
        ('2024-02', '(invalid)', '2024-02-01T08:00:00+00:00')
    """
    text = text.strip()
    try:
        if _PARTIAL_DATE.fullmatch(text):
            return text
        if _DATE.fullmatch(text):
            return date.fromisoformat(text).isoformat()
        if _DATE_TIME.fullmatch(text):
            moment = datetime.fromisoformat(text)
            return (moment.astimezone(UTC) if moment.tzinfo else moment).isoformat()
    except (ValueError, OverflowError):
        pass
    return INVALID


def read_number(text: str, unit: str = "") -> str:
    """Return the number of a text, which may end with the unit; INVALID for anything else.

    Examples:
        >>> read_number("2.50 mg", "mg"), read_number("2.5 g", "mg"), read_number("-3")
        ('2.5', '(invalid)', '-3')
    """
    match = _NUMBER.fullmatch(text.strip())
    if not match or match[2] not in ("", unit):
        return INVALID
    return spell(float(match[1]) if "." in match[1] else int(match[1]))


TEXTS: Mapping[str, Callable[[str], str]] = {
    "fold": fold_text,
    "words": split_words,
    "code": fold_code,
    "date": read_date,
}
"""Name of a comparison of strings to the function that returns the compared form."""


def is_broken(rule: str, limit: object, value: object) -> bool:
    """Return whether a value violates a keyword of a schema, such as ``minimum``.

    Examples:
        >>> is_broken("minimum", 0, -1), is_broken("maxLength", 3, "abc")
        (True, False)
    """
    kind, judge = _RULES[rule]
    return type_of(value) in kind and not judge(value, limit)


def _is_distinct(values: object, wanted: object) -> bool:
    texts = [spell(value) for value in values] if isinstance(values, (list, tuple)) else []
    return not wanted or len(set(texts)) == len(texts)


_Judge = Callable[..., bool]
_QUANTITY, _TEXT, _LIST = ("integer", "number"), ("string",), ("array",)
_RULES: Mapping[str, tuple[tuple[str, ...], _Judge]] = {
    "minimum": (_QUANTITY, lambda value, limit: value >= limit),
    "maximum": (_QUANTITY, lambda value, limit: value <= limit),
    "exclusiveMinimum": (_QUANTITY, lambda value, limit: value > limit),
    "exclusiveMaximum": (_QUANTITY, lambda value, limit: value < limit),
    "minLength": (_TEXT, lambda value, limit: len(value) >= limit),
    "maxLength": (_TEXT, lambda value, limit: len(value) <= limit),
    "pattern": (_TEXT, lambda value, limit: re.search(limit, value) is not None),
    "minItems": (_LIST, lambda value, limit: len(value) >= limit),
    "maxItems": (_LIST, lambda value, limit: len(value) <= limit),
    "uniqueItems": (_LIST, _is_distinct),
}
RULES = tuple(_RULES)
"""The keywords that limit values."""
NUMERIC_RULES = tuple(rule for rule, (kind, _) in _RULES.items() if kind == _QUANTITY)
