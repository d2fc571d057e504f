"""Corrections of mentions in their files: nothing else of a file is touched, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO

from clineval.base.errors import InputError
from clineval.kinds.mentions.mention import Fragment
from clineval.kinds.mentions.slots import Slot

Fragments = tuple[Fragment, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What a mention is known by: its fragments, and its class as people write it."""

    spans: Fragments
    label: str

    def __str__(self) -> str:
        return f"{spell_spans(self.spans)} {self.label}".strip()


@dataclass(frozen=True, slots=True)
class Edit:
    """A correction of one mention.

    Args:
        document: the document's name.
        old: the mention that is changed or taken out; None for one that is added.
        new: what it becomes; None to take it out.
        slots: the values of its other slots, as people write them; None to keep those it has.
        where: what asked for it, for messages.
    """

    document: str
    old: Known | None
    new: Known | None
    slots: Mapping[str, str] | None = None
    where: str = ""

    def refuse(self, problem: str, remedy: str = "") -> InputError:
        """Return an error that says which correction it is of."""
        return InputError(f"{self.old or self.new}: {problem}", where=self.where, remedy=remedy)


@dataclass(frozen=True, slots=True)
class Labels:
    """What the mentions of a metric have: the slot that is their class, and all slots."""

    classes: Slot | None
    slots: Sequence[Slot] = field(default=())

    def spell(self, value: object) -> str:
        """Write a class as people do, to compare it with another."""
        if self.classes is None:
            return ""
        given = value if isinstance(value, str) else ""
        return self.classes.spell(self.classes.fold(given))

    def others(self) -> list[Slot]:
        """List the slots that are not the class."""
        return [slot for slot in self.slots if slot != self.classes]


Text = Callable[[str], str | None]
"""From a document's name to its text, None where it is not known."""


def spell_spans(spans: Fragments) -> str:
    """Write fragments as pages and pipe files do.

    Examples:
        >>> spell_spans(((4, 15), (31, 38)))
        '4-15,31-38'
    """
    return ",".join(f"{start}-{end}" for start, end in spans)


def lines_of(text: str) -> list[str]:
    r"""Split text after each ``\n``, and at nothing else that ends a line somewhere.

    Examples:
        >>> lines_of("a\u2028b\nc")
        ['a\u2028b\n', 'c']
    """
    return list(StringIO(text, newline="\n"))


def refuse_lost(edits: Sequence[Edit], done: set[int]) -> None:
    """Refuse corrections of mentions that were not found."""
    for number, edit in enumerate(edits):
        if number not in done and edit.old is not None:
            raise edit.refuse(
                "the gold standard has no such mention",
                "Give the gold standard that the report was made of",
            )
