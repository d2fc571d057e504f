r"""Set formulas as MathML, which browsers show without a script or a font.

GitHub and the Hub set lines between ``$$`` themselves; there a backslash before punctuation, such
as ``\,``, is lost. Supported are ``\frac``, ``\sqrt``, ``\text``, ``^``, ``_``, ``\left``,
``\right``, and the symbols below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

SYMBOLS = {
    r"\sum": "∑", r"\prod": "∏", r"\cdot": "·", r"\times": "×", r"\cap": "∩", r"\cup": "\N{UNION}",
    r"\in": "∈", r"\le": "≤", r"\ge": "≥", r"\ne": "≠", r"\approx": "≈", r"\pm": "±",
    r"\dots": "…", r"\log": "log", r"\tanh": "tanh", r"\min": "min", r"\max": "max",
    "-": "\N{MINUS SIGN}",
}  # fmt: skip
NAMES = {r"\alpha": "\N{GREEK SMALL LETTER ALPHA}", r"\beta": "β", r"\kappa": "κ", r"\lambda": "λ"}
SPACES = {r"\quad": 1.0, r"\qquad": 2.0}
UNDER = {r"\sum", r"\prod", r"\min", r"\max"}
_PART = re.compile(r"\\text\{[^}]*\}|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|[A-Za-z]+|\S")


class FormulaError(ValueError):
    """A formula with a part that is not known here."""


def set_formula(text: str) -> str:
    """Return the MathML of a formula.

    Raises:
        FormulaError: a command is not supported, or a brace is missing.
    """
    body = "".join(_parts(iter(_PART.findall(text)), ""))
    math = f'<math display="block">{body}</math>'
    return f'<div class="formula" tabindex="0" role="group" aria-label="Formula">{math}</div>'


def _parts(parts: Iterator[str], end: str) -> list[str]:
    """Return the elements up to a closing part."""
    elements: list[str] = []
    large = False  # whether limits stand under and over the last element
    for part in parts:
        if part == end:
            return elements
        if part in {"^", "_"}:
            if not elements:
                raise FormulaError(f"nothing before {part}")
            elements[-1] = _script(part, elements[-1], _argument(parts), large=large)
        else:
            if part.isalpha() and elements and elements[-1].startswith("<mn>"):
                elements.append('<mspace width="0.17em"></mspace>')
            elements.append(_element(part, parts))
            large = part in UNDER
    if end:
        raise FormulaError(f"missing {end}")
    return elements


def _script(mark: str, base: str, script: str, *, large: bool) -> str:
    both = re.fullmatch(r"<m(sub|under)>(.*)</m\1>", base) if mark == "^" else None
    if both:  # a lower limit is there already
        name = "munderover" if both[1] == "under" else "msubsup"
        return f"<{name}>{both[2]}{script}</{name}>"
    name = {"_": ("msub", "munder"), "^": ("msup", "mover")}[mark][large]
    return f"<{name}>{base}{script}</{name}>"


def _argument(parts: Iterator[str]) -> str:
    return _element(next(parts, ""), parts)


def _element(part: str, parts: Iterator[str]) -> str:
    if part == "{":
        return f"<mrow>{''.join(_parts(parts, '}'))}</mrow>"
    if part == r"\frac":
        return f"<mfrac>{_argument(parts)}{_argument(parts)}</mfrac>"
    if part == r"\sqrt":
        return f"<msqrt>{_argument(parts)}</msqrt>"
    if part == r"\left":
        opening, inside = next(parts, ""), "".join(_parts(parts, r"\right"))
        return f"<mrow><mo>{opening}</mo>{inside}<mo>{next(parts, '')}</mo></mrow>"
    return _leaf(part)


def _leaf(part: str) -> str:
    if words := re.fullmatch(r"\\text\{([^}]*)\}", part):
        return f"<mtext>{escape(words[1]).replace(' ', '&nbsp;')}</mtext>"
    if part in SPACES:
        return f'<mspace width="{SPACES[part]}em"></mspace>'
    if part == "|":
        return '<mo lspace="0" rspace="0">|</mo>'
    if part in SYMBOLS or re.fullmatch(r"[-+=/(),.<>:;\[\]!*]", part):
        return f"<mo>{escape(SYMBOLS.get(part, part))}</mo>"
    if part in NAMES or part.isalpha():
        return f"<mi>{NAMES.get(part, part)}</mi>"
    if re.fullmatch(r"\d[\d.]*", part):
        return f"<mn>{part}</mn>"
    raise FormulaError(f"{part!r} is not known")
