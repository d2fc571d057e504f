"""Values of times, compared as the i2b2 2012 program compares them. Names are cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from clineval.base.errors import InputError

_FORMS = {
    "DURATION": re.compile(r"PT*\d*\.?\d*[YMWDHS]?$", re.ASCII),
    "FREQUENCY": re.compile(r"R\d*\.?\d*P?T?\d*\.?\d*[YMWDHS]?$", re.ASCII),
}
_HOURS: Mapping[str, Callable[[float], float]] = {
    "D": lambda number: number * 24,
    "W": lambda number: number * 24 * 7,
    "Y": lambda number: number * 24 * 4 * 7 * 12,
    "H": lambda number: number,
    "S": lambda number: number / 2400,
}
"""Hours of a unit: a year has 48 weeks, and an hour 2,400 seconds [v01]."""


def same_value(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Return whether the values of two times are equal; both have type, value and modifier."""
    (kind, value, modifier), (other_kind, other, other_modifier) = first, second
    if not (kind in _FORMS and other_kind in _FORMS and value and other):
        return value == other  # as text [v07]
    form = _FORMS[kind]
    if kind != other_kind or not (form.match(value) and form.match(other)):
        return False  # even if equal [v07, v08]
    exact = modifier.rstrip() == other_modifier.rstrip() == "NA"
    if kind == "DURATION":
        return same_period(value[1:], other[1:], exact=exact)
    if "P" not in value or "P" not in other:
        return value == other  # without a period [v06]
    (count, period), (other_count, other_period) = value.split("P"), other.split("P")
    return count == other_count and same_period(period, other_period, exact=exact)


def same_period(first: str, second: str, *, exact: bool) -> bool:
    """Return whether two periods are equal; unless ``exact``, they may differ by two units."""
    if not first or not second:
        raise _stop("that ends with P")  # [v09]
    if first[-1] != second[-1]:
        return _same_hours(first, second, exact=exact)
    timed = first[0] == "T", second[0] == "T"
    if first[-1] == "M" and timed[0] != timed[1]:
        return False  # minutes and months; elsewhere a missing T is forgiven [v02]
    numbers = [period.removeprefix("T")[:-1] for period in (first, second)]
    if exact:
        return numbers[0] == numbers[1]  # as text [v03]
    return abs(_number(numbers[0]) - _number(numbers[1])) < 3  # noqa: PLR2004 [v04]


def _same_hours(first: str, second: str, *, exact: bool) -> bool:
    """Compare periods of two units; the window is that of the first one's unit [v05]."""
    if exact:
        return _hours(first) == _hours(second)
    prefix = "T" if first[0] == "T" else ""
    number = _number(first[len(prefix) : -1])
    hours = _hours(second)
    bounds = f"{max(number - 2, 0):.12g}", f"{number + 2:.12g}"  # as Python 2 prints numbers
    low, high = (_hours(f"{prefix}{bound}{first[-1]}") for bound in bounds)
    return low < hours <= high


def _hours(period: str) -> float:
    number, unit = period[:-1], period[-1]
    if not number:
        raise _stop("of a unit without a number")
    timed = number[0] == "T"
    value = _number(number.removeprefix("T")) if unit == "M" or unit in _HOURS else 0.0
    if unit == "M":  # minutes or months
        return value / 60 if timed else value * 4 * 7 * 24
    if unit not in _HOURS:
        raise _stop("without a unit")  # [v11]
    return _HOURS[unit](value)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise _stop("without a number") from None  # [v10]


def _stop(value: str) -> InputError:
    problem = f"the program stops when it compares a duration or frequency {value}"
    return InputError(problem, remedy="Correct the value, or score with protocol='spec'")
