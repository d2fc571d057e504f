"""Metric cards, the source of the descriptions of evaluate modules.

A Space has only one card; a file that returns it replaces this one (:mod:`clineval.hub.spaces`).
"""

from __future__ import annotations

from pathlib import Path

from clineval.base.errors import unknown_name
from clineval.hf.outside import write_card
from clineval.results.registry import NAMES, find_challenge, is_known

_PACKAGES = Path(__file__).resolve().parent.parent.parent
_HOMES = (_PACKAGES.parent / "hub_cards", _PACKAGES / "clineval_modules")  # source tree, wheel


def find_card(name: str) -> Path:
    """Return the file of a metric's card.

    Raises:
        InputError: there is no metric of that name.
    """
    for home in _HOMES:
        path = home / name / "README.md"
        if name in NAMES and path.is_file():
            return path
    raise unknown_name("card", name, NAMES)


def read_card(name: str) -> str:
    """Read a metric's card; for another package's metric, write it from the declaration."""
    if name in NAMES or not is_known(name):
        return find_card(name).read_text("utf-8")
    return write_card(find_challenge(name))
