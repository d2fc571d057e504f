r"""brat's files whose mentions have codes in notes: ``#1<tab>AnnotatorNotes T1<tab>8140/3``."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial

from clineval.formats.brat.attributes import Values, read_statements
from clineval.formats.brat.columns import BratLabels, ReadSlots
from clineval.formats.brat.standoff import Standoff
from clineval.results.slots import Slot

CODE = "code"
UNREAD = frozenset({"cui", CODE})


def read_notes(file: Standoff, slot: Slot) -> Values:
    """Read the slot ``code``: the last note on each mention, or nothing if there is none."""
    codes = dict.fromkeys(file.mentions, "")
    for line, statement in read_statements(file, "#"):
        codes[statement.target] = code = statement.note.strip()
        if wrong := slot.judge(code):
            file.note(line, wrong)
    return {CODE: codes}


@dataclass(frozen=True, slots=True)
class BratNotes(BratLabels):
    """The text format of mentions whose codes are in notes."""

    UNREAD: AbstractSet[str] = UNREAD

    def reader_of(self, slots: Sequence[Slot]) -> ReadSlots:
        """Return the function that reads the notes, if codes are wanted."""
        for slot in slots:
            if slot.name == CODE:
                return partial(read_notes, slot=slot)
        return super(BratNotes, self).reader_of(slots)
