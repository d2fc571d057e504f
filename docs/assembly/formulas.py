r"""Set formulas as MathML, which browsers show without a script or a font.

GitHub shows blocks of ``math`` itself. Of LaTeX these parts are known: ``\frac``, ``\sqrt``,
``\text``, ``\mathrm``, ``^``, ``_``, ``\left``, ``\right``, and the symbols of :data:`SYMBOLS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

SYMBOLS = {
    r"\sum": "∑", r"\prod": "∏", r"\cdot": "·", r"\times": "×", r"\cap": "∩", r"\cup": "\N{UNION}",
    r"\in": "∈", r"\le": "≤", r"\ge": "≥", r"\ne": "≠", r"\approx": "≈", r"\pm": "±",
    r"\dots": "…", r"\{": "{", r"\}": "}", r"\%": "%", r"\log": "log", r"\min": "min",
    r"\max": "max", "-": "\N{MINUS SIGN}",
}  # fmt: skip
NAMES = {r"\alpha": "\N{GREEK SMALL LETTER ALPHA}", r"\beta": "β", r"\kappa": "κ", r"\lambda": "λ"}
SPACES = {r"\,": 0.17, r"\;": 0.28, r"\quad": 1.0, r"\qquad": 2.0, r"\ ": 0.25}
UNDER = {r"\sum", r"\prod", r"\min", r"\max"}
_PART = re.compile(r"\\(?:text|mathrm)\{[^}]*\}|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|[A-Za-z]+|\S")


class FormulaError(ValueError):
    """A formula with a part that is not known here."""


def set_formula(text: str) -> str:
    """Return the MathML of formulas; lines that end with two backslashes are separate.

    Raises:
        FormulaError: a command is not known, or a brace is missing.
    """
    rows = [_row(row) for row in re.split(r"\\\\\s*", text.strip())]
    body = "".join(f'<math display="block">{row}</math>' for row in rows)
    return f'<div class="formula" tabindex="0" role="group" aria-label="Formula">{body}</div>'


def _row(text: str) -> str:
    return "".join(_parts(iter(_PART.findall(text)), ""))


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
    if part in {r"\left", r"\right"}:
        return f"<mo>{escape(next(parts, ''))}</mo>"
    return _leaf(part)


def _leaf(part: str) -> str:
    if words := re.fullmatch(r"\\(?:text|mathrm)\{([^}]*)\}", part):
        return f"<mtext>{escape(words[1]).replace(' ', '&nbsp;')}</mtext>"
    if part in SPACES:
        return f'<mspace width="{SPACES[part]}em"></mspace>'
    if part in SYMBOLS or re.fullmatch(r"[-+=/|(),.<>:;\[\]!*]", part):
        return f"<mo>{escape(SYMBOLS.get(part, part))}</mo>"
    if part in NAMES or part.isalpha():
        return f"<mi>{NAMES.get(part, part)}</mi>"
    if re.fullmatch(r"\d[\d.]*", part):
        return f"<mn>{part}</mn>"
    raise FormulaError(f"{part!r} is not known")
