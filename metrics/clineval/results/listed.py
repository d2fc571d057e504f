"""Documents of kinds without mentions, as they are written; conversion passes them on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clineval.base.errors import InputError, shown
from clineval.base.strict_json import expect_json


@dataclass(frozen=True, slots=True)
class Listed:
    """A document as it was given.

    Args:
        where: its position, for messages.
        name: its name; None if it has none.
        content: its annotations: a list of records or codes, or a mapping of answers.
        text: the note, if the document contains it.
        constants: whether strings of JSON may contain NaN and infinity.
        left_out: what the document has besides annotations that are scored, as templates of
            warnings about ``n`` documents with ``names``.
    """

    where: str
    name: str | None
    content: object
    text: object = None
    constants: bool = False
    left_out: tuple[str, ...] = ()

    def open_records(self) -> Sequence[object]:
        """Return the records, also from a string of JSON.

        Raises:
            InputError: there is no list.
        """
        records = self.content
        if isinstance(records, str):
            wanted = "a list of records in a string of JSON"
            records = expect_json(records, wanted, self.where, constants=self.constants)
        if isinstance(records, (list, tuple)):
            return records
        raise InputError(f"expected a list of records, got {shown(records)}", where=self.where)

    def open_text(self) -> str | None:
        """Return the note; None if there is none.

        Raises:
            InputError: it is not a string.
        """
        if self.text is None or isinstance(self.text, str):
            return self.text
        raise InputError(f"text: expected a string, got {shown(self.text)}", where=self.where)
