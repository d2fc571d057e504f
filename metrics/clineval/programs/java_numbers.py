"""Format numbers as Java does, for stand-ins of Java programs."""

from __future__ import annotations

import math


def java_double(value: float) -> str:
    """Format a number as ``Double.toString`` does.

    Examples:
        >>> java_double(3), java_double(2 / 3), java_double(9e-4), java_double(1e7)
        ('3.0', '0.6666666666666666', '9.0E-4', '1.0E7')
        >>> java_double(float("nan"))
        'NaN'
    """
    if math.isnan(value):
        return "NaN"
    if value == 0 or 1e-3 <= abs(value) < 1e7:  # noqa: PLR2004 - Java writes no exponent here
        return repr(float(value))
    digits, _, exponent = f"{value!r}e".partition("e")
    if not exponent.strip("e"):
        digits, exponent = _with_exponent(digits)
    mantissa = digits if "." in digits else f"{digits}.0"
    return f"{mantissa}E{int(exponent.strip('e'))}"


def _with_exponent(digits: str) -> tuple[str, str]:
    """Rewrite digits without an exponent as digits with one."""
    whole, _, rest = digits.partition(".")
    sign, whole = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    if whole.strip("0"):
        shown = (whole + rest).rstrip("0")
        return f"{sign}{shown[0]}.{shown[1:] or '0'}", str(len(whole) - 1)
    shown = rest.lstrip("0")
    return f"{sign}{shown[0]}.{shown[1:] or '0'}", str(-(len(rest) - len(shown) + 1))


def divide(numerator: float, denominator: float) -> float:
    """Return the ratio of two numbers, NaN if the denominator is 0.

    Examples:
        >>> divide(1, 4), divide(0, 0)
        (0.25, nan)
    """
    return numerator / denominator if denominator else math.nan
