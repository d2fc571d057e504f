"""The challenges by name; each is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING

from clineval.errors import InputError

if TYPE_CHECKING:  # the command line's help must not wait for NumPy
    from clineval.challenge import Challenge

NAMES = (
    "semeval15_task14",
    "clefehealth13_task1",
    "clefehealth13_task2",
    "clefehealth13_task3",
    "i2b2_2009_medication",
    "clinais23_b2",
)


def find_challenge(name: str) -> Challenge:
    """Look up a challenge by its module name.

    Raises:
        InputError: there is none of that name; the message lists all.

    Examples:
        >>> find_challenge("semeval15_task14").title
        'SemEval-2015 Task 14: Analysis of Clinical Text'
    """
    if name not in NAMES:
        close = get_close_matches(name, NAMES, 1, 0.5)
        hint = f"Did you mean {close[0]}?" if close else ""
        raise InputError(f"unknown metric, expected one of {', '.join(NAMES)}", remedy=hint)
    challenge: Challenge = import_module(f"clineval.challenges.{name}").CHALLENGE
    return challenge


def check_name(kind: str, name: str, known: Iterable[str]) -> None:
    """Refuse a name that is not among the known ones.

    Raises:
        InputError: lists the known ones.
    """
    if name not in known:
        raise InputError(f"unknown {kind} {name!r}, expected one of {', '.join(known)}")
