"""The rules on which a challenge's protocols differ, as a table for cards and pages."""

from __future__ import annotations

from clineval.results.challenge import Challenge


def write_table(challenge: Challenge) -> str:
    """Write the rules on which the protocols differ, as Markdown; a sentence if there are none.

    Examples:
        >>> from clineval.results.registry import find_challenge
        >>> print(write_table(find_challenge("clefehealth13_task2")).strip())
        There is one protocol, `spec`.
    """
    if not challenge.differences:
        names = " and ".join(f"`{name}`" for name in challenge.protocols)
        if len(challenge.protocols) > 1:
            return f"\n{names} give the same numbers.\n\n"
        return f"\nThere is one protocol, {names}.\n\n"
    rows = [("", '`protocol="spec"`', '`protocol="official"`'), ("---", "---", "---")]
    rows += [(d.rule, d.spec, d.official) for d in challenge.differences]
    return "\n" + "".join(f"| {' | '.join(map(_cell, row))} |\n" for row in rows) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", r"\|")
