"""brat's files as the text format of mentions whose labels are brat's types."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from clineval.formats import brat_columns, brat_words
from clineval.mentions.columns import Side
from clineval.mentions.slots import ANY, Slot
from clineval.paths import Source


@dataclass(frozen=True, slots=True)
class BratLabels:
    """A text format, as :func:`clineval.inputs.mentions.read_side` asks for one."""

    FILES: str = brat_columns.FILES
    UNREAD: AbstractSet[str] = frozenset({"cui"})

    def document_key(self, name: str) -> str:
        """Names of brat's documents may lack the ``.txt``."""
        return name.removesuffix(".txt")

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read a directory, a file or a text; if not strictly, as released scripts split words."""
        if strict:
            others = any(slot.name == ANY for slot in slots)
            return brat_columns.read_side(source, slots[0], (), attributes=others).side
        return brat_words.read_side(source, slots[0].name)

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """One string of lines for each document."""
        return brat_columns.read_strings(strings, slots[0], ()).side
