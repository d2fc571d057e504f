"""The table of protocols in each metric card.

``python -m clineval.hub.cards`` updates the tables of all cards from the rules that the challenges
declare. A test checks that the tables are up to date.
"""

from __future__ import annotations

import re

from clineval.base.errors import InputError
from clineval.base.files import write_file
from clineval.results.challenge import Challenge
from clineval.results.registry import NAMES, find_challenge

_TABLE = re.compile(r"(?<=<!-- protocols: begin -->\n).*?(?=<!-- protocols: end -->)", re.DOTALL)


def write_table(challenge: Challenge) -> str:
    """Write the rules in which the protocols differ, as Markdown; a sentence if there are none.

    Examples:
        >>> from clineval.results.registry import find_challenge
        >>> print(write_table(find_challenge("clefehealth13_task2")).strip())
        There is one protocol, `spec`.
    """
    if not challenge.differences:
        names = " and ".join(f"`{name}`" for name in challenge.protocols)
        if len(challenge.protocols) > 1:
            return f"\n{names} return the same numbers.\n\n"
        return f"\nThere is one protocol, {names}.\n\n"
    protocols = [*challenge.protocols]
    rows = [["", *(f'`protocol="{name}"`' for name in protocols)], ["---"] * (len(protocols) + 1)]
    rows += [[rule.rule, *map(rule.under, protocols)] for rule in challenge.differences]
    cells = ([cell.replace("|", r"\|") for cell in row] for row in rows)
    return "\n" + "".join(f"| {' | '.join(row)} |\n" for row in cells) + "\n"


def renew_table(card: str, challenge: Challenge) -> str:
    """Return a card with an updated table between its two marks."""
    if not _TABLE.search(card):
        raise InputError(
            "the marks of the table of protocols are missing",
            where=f"card of {challenge.name}",
            remedy="Add the lines <!-- protocols: begin --> and <!-- protocols: end -->",
        )
    return _TABLE.sub(lambda _: write_table(challenge), card, count=1)


def main() -> None:
    """Update the tables of all cards."""
    from clineval.hf.cards import find_card  # which a Space does not have

    for name in NAMES:
        path = find_card(name)
        write_file(path, renew_table(path.read_text("utf-8"), find_challenge(name)))


if __name__ == "__main__":
    main()
