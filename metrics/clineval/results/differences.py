"""The rules on which protocols differ, read from the list in which a challenge writes them."""

from __future__ import annotations

from inspect import cleandoc

from clineval.results.task import Difference


def list_differences(text: str) -> tuple[Difference, ...]:
    """Parse a list of differences: rule and example, followed by the behaviour of each protocol.

    Lines that are indented further continue the line before.

    Examples:
        >>> [found] = list_differences('''
        ...     touching spans (q3_touch)
        ...         spec: do not overlap:
        ...             ends are exclusive
        ...         official: overlap
        ... ''')
        >>> found.rule, found.spec, found.official, found.example
        ('touching spans', 'do not overlap: ends are exclusive', 'overlap', 'q3_touch')
    """
    blocks: list[list[str]] = []
    for line in cleandoc(text).splitlines():
        if not line.startswith(" "):
            blocks.append([line])
        elif line.startswith(" " * 8):
            blocks[-1][-1] += f" {line.strip()}"
        else:
            blocks[-1].append(line.strip())
    return tuple(_as_difference(*block) for block in blocks)


def _as_difference(head: str, *lines: str) -> Difference:
    rule, _, example = head.removesuffix(")").rpartition(" (")
    found = {name: text for name, _, text in (line.partition(": ") for line in lines)}
    return Difference(rule, found.pop("spec"), found.pop("official", ""), example, found)
