"""Compare the values of times: durations and frequencies as numbers, all others as texts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

PERIODS = ("DURATION", "FREQUENCY")
"""The types of times whose values are numbers of a unit."""
WITHIN = 2
"""The units by which two periods may differ if one of them has a modifier."""
EXACT = ("", "NA")
"""The modifiers of exact values."""
_PERIOD = re.compile(r"(?:R(\d*\.?\d*))?P(T?)(\d+\.?\d*|\.\d+)([YMWDHS])", re.ASCII)
_HOURS = {
    "Y": Fraction(12 * 4 * 7 * 24),
    "M": Fraction(4 * 7 * 24),
    "W": Fraction(7 * 24),
    "D": Fraction(24),
    "H": Fraction(1),
    "TM": Fraction(1, 60),
    "S": Fraction(1, 3600),
}
"""Hours of a unit; a month has four weeks, and a year twelve months, as in the program."""


class Time(NamedTuple):
    """The attributes of a time, in capitals."""

    type: str
    value: str
    modifier: str


@dataclass(frozen=True, slots=True)
class Period:
    """The value of a duration or of a frequency.

    Args:
        repeats: how often something is repeated within it; None if the value does not have it.
        hours: its length in hours.
        unit: the hours of its unit.
    """

    repeats: Fraction | None
    hours: Fraction
    unit: Fraction

    @classmethod
    def parse(cls, value: str) -> Period | None:
        """Parse a value such as ``P3D`` or ``R2PT12H``; return None if it has another form.

        Examples:
            >>> Period.parse("PT36H").hours == Period.parse("P1.5D").hours
            True
        """
        found = _PERIOD.fullmatch(value)
        if not found:
            return None
        repeats, timed, number, unit = found.groups()
        hours = _HOURS[f"{timed}{unit}" if unit == "M" else unit]
        times = Fraction(repeats) if repeats and repeats != "." else None
        return cls(times, Fraction(number) * hours, hours)


def same_value(gold: Time, prediction: Time) -> bool:
    """Return whether a predicted value is right.

    Examples:
        >>> same_value(Time("DURATION", "P1D", "NA"), Time("DURATION", "PT24H", "NA"))
        True
        >>> same_value(Time("DURATION", "P3W", "APPROX"), Time("DURATION", "P1M", "NA"))
        True
    """
    if gold.value == prediction.value:
        return True
    if gold.type != prediction.type or gold.type not in PERIODS:
        return False
    own, other = Period.parse(gold.value), Period.parse(prediction.value)
    if own is None or other is None or own.repeats != other.repeats:
        return False
    exact = gold.modifier in EXACT and prediction.modifier in EXACT
    return abs(own.hours - other.hours) <= (0 if exact else WITHIN * own.unit)
