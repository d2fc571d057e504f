"""Metric cards: where they lie, and the table of protocols in each.

``python -m clineval.hub.cards`` writes the tables of all cards anew from the rule sets that the
challenges declare; a test checks that this changes nothing.
"""

from __future__ import annotations

import re
from pathlib import Path

from clineval.base.errors import InputError, unknown_name
from clineval.base.files import write_file
from clineval.hub.protocols import write_table
from clineval.results.challenge import Challenge
from clineval.results.registry import NAMES, find_challenge

_HERE = Path(__file__).resolve().parent.parent
_HOMES = (_HERE.parents[1] / "hub_cards", _HERE.parent / "clineval_modules")  # source tree, wheel
_TABLE = re.compile(r"(?<=<!-- protocols: begin -->\n).*?(?=<!-- protocols: end -->)", re.DOTALL)


def find_card(name: str) -> Path:
    """Return the file of a metric's card."""
    for home in _HOMES:
        path = home / name / "README.md"
        if name in NAMES and path.is_file():
            return path
    raise unknown_name("card", name, NAMES)


def renew_table(card: str, challenge: Challenge) -> str:
    """Return a card with the table between its two marks written anew."""
    if not _TABLE.search(card):
        raise InputError(
            "no place for the table of protocols",
            where=f"card of {challenge.name}",
            remedy="Add the lines <!-- protocols: begin --> and <!-- protocols: end -->",
        )
    return _TABLE.sub(lambda _: write_table(challenge), card, count=1)


def main() -> None:
    """Write the tables of all cards anew."""
    for name in NAMES:
        path = find_card(name)
        write_file(path, renew_table(path.read_text("utf-8"), find_challenge(name)))


if __name__ == "__main__":
    main()
