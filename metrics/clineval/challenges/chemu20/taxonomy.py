"""The types of brat's annotation.conf, and which of them are kinds of others."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from clineval.base.errors import InputError, shown
from clineval.formats.files import read_text

TOP = "ALL"
"""The name of the type above all others."""
_TAB = 4
"""The number of blanks for which a tab stands."""
_TRIMMED = "".join(map(chr, range(33)))


class Node(NamedTuple):
    """A type of a section.

    Args:
        level: its indentation, 0 for the type above all others.
        name: its line.
        parents: the places of the types above it, the highest one first.
    """

    level: int
    name: str
    parents: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The sections ``entities`` and ``relations`` of annotation.conf, in the order of lines."""

    sections: Mapping[str, Sequence[Node]]

    def share_type(self, one: str, other: str) -> bool:
        """Return whether two types of entities have a type above both, or one is above the other.

        The type above all others does not count; case does not matter.
        """
        chains = [self._list_above(name) for name in (one, other)]
        return not chains[0].isdisjoint(chains[1])

    def _list_above(self, name: str) -> set[int]:
        nodes = self.sections["entities"]
        found = [at for at, node in enumerate(nodes) if node.name.lower() == name.lower()]
        return {*found[-1:], *(at for last in found[-1:] for at in nodes[last].parents)} - {0}


def parse_taxonomy(path: object) -> Taxonomy | None:
    """Read a file annotation.conf; None for no file.

    Raises:
        InputError: it cannot be read, or defines no types of entities.
    """
    if path is None or isinstance(path, Taxonomy):
        return path
    if not isinstance(path, (str, os.PathLike)):
        problem = f"expected the path of a file annotation.conf, got {shown(path)}"
        raise InputError(problem, where="taxonomy")
    taxonomy = read_taxonomy(read_text(Path(path)))
    if not taxonomy.sections["entities"]:
        raise InputError("expected a section [entities] with types", where=str(path))
    return taxonomy


def read_taxonomy(text: str) -> Taxonomy:
    r"""Read the text of annotation.conf as brateval does.

    Examples:
        >>> [node[:2] for node in read_taxonomy("[entities]\nX\n Y\n").sections["entities"]]
        [(0, 'ALL'), (1, 'X'), (2, 'Y')]
    """
    entries: dict[str, list[tuple[int, str]]] = {"[entities]": [], "[relations]": []}
    section: list[tuple[int, str]] | None = None
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        name = line.strip(_TRIMMED)
        if name.startswith("["):
            section = entries.get(name, [])
            section.append((0, TOP))
        elif name and section is not None:
            section.append((_measure(line), name))
    arrange = partial(map, lambda name: (name.strip("[]"), tuple(_arrange(entries[name]))))
    return Taxonomy(dict(arrange(entries)))


def _measure(line: str) -> int:
    """Return the level of a line from its indentation."""
    level = 1
    for character in line:
        if not character.isspace():
            break
        level = {" ": level + 1, "\t": level + _TAB}.get(character, 1)
    return level


def _arrange(entries: Sequence[tuple[int, str]]) -> Iterator[Node]:
    """Yield the types with the types above them; all are below the first one."""
    above: list[tuple[int, int]] = []
    for at, (level, name) in enumerate(entries):
        while len(above) > 1 and level <= above[-1][1]:
            above.pop()
        yield Node(level, name, tuple(parent for parent, _ in above))
        above.append((at, level))
