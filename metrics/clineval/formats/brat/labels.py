"""brat's files as the text format of mentions whose labels are brat's types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from clineval.base.files import Source
from clineval.base.problems import Problem
from clineval.formats.brat import columns as brat_columns
from clineval.formats.brat import words as brat_words
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.slots import ANY, Slot


@dataclass(frozen=True, slots=True)
class BratLabels:
    """A text format, as :func:`clineval.formats.given.mentions.read_side` asks for one."""

    FILES: str = brat_columns.FILES
    UNREAD: AbstractSet[str] = frozenset({"cui"})

    def document_key(self, name: str) -> str:
        """Return the name without ``.txt``, which names of brat's documents may lack."""
        return name.removesuffix(".txt")

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read a directory, a file or a text; if not strictly, as released scripts split words."""
        if strict:
            others = any(slot.name == ANY for slot in slots)
            return brat_columns.read_side(source, slots[0], (), attributes=others).side
        return brat_words.read_side(source, slots[0].name)

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read one string of lines for each document."""
        return brat_columns.read_strings(strings, slots[0], ()).side

    def find_problems(self, paths: Sequence[Path], slots: Sequence[Slot]) -> Iterator[Problem]:
        """Find all problems of files; attributes are looked at where slots of any name are."""
        others = any(slot.name == ANY for slot in slots)
        return brat_columns.find_problems(paths, slots[0], (), attributes=others)
