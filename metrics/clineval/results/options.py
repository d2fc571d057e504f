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
        help: what it does, as the command line's help says it.
        default: its value where it is not given.
        kind: ``choice`` of ``choices``; ``names``, with commas between them or as a list; a
            whole ``number``; ``numbers``, each given by itself; a ``flag``; a ``value`` in words
            or a mapping; a ``file``; ``texts``, the notes themselves, which only some settings
            look at; ``records``, notes that scoring always looks at; or a ``column``, one value
            for each item of lists, which the command line does not have.
        choices: the values of a ``choice``.
        flag: its name on the command line, where that is another one.
        python: what it means in Python, where there is more to say than ``help`` does.
        when: another option and its value, where ``texts`` are looked at only under that one.
        parse: turns a value into what the challenge works with, once; raises an
            :class:`InputError` for a value that it refuses. None to take values as they are.

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

    @property
    def holds_texts(self) -> bool:
        """Whether its value holds the notes' texts."""
        return self.kind in ("texts", "records")

    def judge(self, value: object) -> object:
        """Return the value, parsed; an ``InputError`` says what the option takes instead."""
        if self.kind == "choice" and not (value is None and self.default is None):
            check_name(self.name, value, self.choices)
        if self.kind == "flag" and not isinstance(value, (bool, np.bool_)):
            raise InputError(f"expected True or False, got {shown(value)}", where=self.name)
        return self.parse(value) if self.parse else value


def check_name(kind: str, name: object, known: Iterable[str]) -> None:
    """Refuse a name that is not among the known ones, by an ``InputError`` that lists these."""
    names = list(known)
    if not isinstance(name, str) or name not in names:
        raise unknown_name(kind, name, names)
