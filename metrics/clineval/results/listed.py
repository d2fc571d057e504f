"""A document as it is written, of kinds that are no mentions: what conversion goes through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clineval.base.errors import InputError, shown
from clineval.base.strict_json import expect_json


@dataclass(frozen=True, slots=True)
class Listed:
    """A document as it was given.

    Args:
        where: its place, for messages.
        name: its name; None if it has none.
        content: what is said of it: a list of records or of codes, a mapping of answers.
        text: the note, where it came with it.
        constants: whether NaN and infinity are read in strings of JSON.
    """

    where: str
    name: str | None
    content: object
    text: object = None
    constants: bool = False

    def open_records(self) -> Sequence[object]:
        """Return the records as they were given, also where a string of JSON holds them.

        Raises:
            InputError: no list.
        """
        records = self.content
        if isinstance(records, str):
            wanted = "a list of records in a string of JSON"
            records = expect_json(records, wanted, self.where, constants=self.constants)
        if isinstance(records, (list, tuple)):
            return records
        raise InputError(f"expected a list of records, got {shown(records)}", where=self.where)
