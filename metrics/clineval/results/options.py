"""Options of a challenge, each declared once for every face."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from clineval.base.errors import InputError, shown, unknown_name

Kind = Literal[
    "choice", "names", "number", "numbers", "flag", "value", "file", "texts", "records", "column"
]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a challenge, declared once for every face.

    Args:
        name: as ``clineval.score`` and the evaluate module take it.
        help: its effect, in the words of the command line's help.
        default: its default value.
        kind: ``choice`` (one of ``choices``), ``names`` (separated by commas, or a list),
            ``number`` (an integer), ``numbers`` (each passed separately), ``flag``, ``value``
            (words or a mapping), ``file``, ``texts`` (notes that only some settings use),
            ``records`` (notes that scoring always uses), or ``column`` (one value for each item of
            lists; not on the command line).
        choices: the values of a ``choice``.
        flag: its name on the command line, if it differs.
        python: its description in Python, if ``help`` is not enough.
        when: another option and its value, if ``texts`` are used only with that value.
        parse: converts a value for the challenge, once; raises an :class:`InputError` for a wrong
            value. None leaves values unchanged.
        gives: what modules without it lack, for the message if such a module is given it.

    Examples:
        >>> Option("ends", "When ends match.", "exact", "choice", choices=("exact", "near")).default
        'exact'
    """

    name: str
    help: str
    default: object = None
    kind: Kind = "value"
    choices: tuple[str, ...] = ()
    flag: str = ""
    python: str = ""
    when: tuple[str, object] | None = None
    parse: Callable[..., object] | None = None
    gives: str = ""

    @property
    def holds_texts(self) -> bool:
        """Whether its value holds the notes' texts."""
        return self.kind in ("texts", "records")

    @property
    def spelled(self) -> str:
        """Its name on the command line."""
        return self.flag or f"--{self.name.replace('_', '-')}"

    def is_chosen(self, value: object) -> bool:
        """Return whether a value, which may be invalid, is another one than the default."""
        alike = type(value) is type(self.default)  # arrays cannot be compared with everything
        return value is not None and not (alike and value == self.default)

    def judge(self, value: object) -> object:
        """Parse the value, or raise an ``InputError`` that describes the expected values."""
        if self.kind == "choice" and not (value is None and self.default is None):
            check_name(self.name, value, self.choices)
        if self.kind == "flag" and not isinstance(value, (bool, np.bool_)):
            raise InputError(f"expected True or False, got {shown(value)}", where=self.name)
        return self.parse(value) if self.parse else value


def check_name(kind: str, name: object, known: Iterable[str]) -> None:
    """Reject an unknown name with an ``InputError`` that lists the known ones."""
    names = list(known)
    if not isinstance(name, str) or name not in names:
        raise unknown_name(kind, name, names)
