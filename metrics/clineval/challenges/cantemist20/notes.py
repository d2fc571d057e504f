r"""brat's files whose mentions have codes in notes: ``#1<tab>AnnotatorNotes T1<tab>8140/3``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial

import numpy as np

from clineval.base.arrays import Coded
from clineval.formats.brat.attributes import parse_statement
from clineval.formats.brat.columns import BratLabels, ReadSlots, read_strings
from clineval.formats.brat.standoff import Standoff
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.slots import Slot

CODE = "code"
UNREAD = frozenset({"cui", CODE})


def read_notes(standoff: Standoff, slot: Slot) -> Mapping[str, Coded]:
    """Read the slot ``code``: the last note on each mention, nothing where there is none."""
    table, found = standoff.table, dict[tuple[int, str], str]()
    for line in standoff.others.tolist():
        text = table.line(line)
        if text.startswith(b"#"):
            statement = parse_statement(text.decode())
            found[int(table.file[line]), statement.target] = code = statement.note.strip()
            if wrong := slot.judge(code):
                standoff.problems.append((np.array([line]), wrong))
    mentions = zip(standoff.mentions.document.tolist(), standoff.ids.tolist(), strict=True)
    return {CODE: Coded.of([found.get((file, f"T{number}"), "") for file, number in mentions])}


@dataclass(frozen=True, slots=True)
class BratNotes(BratLabels):
    """Such files as the text format of mentions."""

    UNREAD: AbstractSet[str] = UNREAD

    def reader_of(self, slots: Sequence[Slot]) -> ReadSlots:
        """Return what reads the notes, if codes are wanted."""
        for slot in slots:
            if slot.name == CODE:
                return partial(read_notes, slot=slot)
        return super(BratNotes, self).reader_of(slots)

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read one string of lines for each document."""
        return read_strings(strings, slots[0], (), slots=self.reader_of(slots), loops=True).side
