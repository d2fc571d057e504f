"""Documents as they are written, of kinds that are no mentions: what conversion goes through."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from clineval.base.errors import InputError, shown, warn
from clineval.base.files import name_path, write_file
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


def write_lines(lines: Iterable[dict[str, object]], path: Path) -> None:
    """Write a line of JSON for each document."""
    write_file(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def refuse_ending(path: Path, items: str, endings: Sequence[str]) -> InputError:
    """Return the error for a file whose name does not say how it is written."""
    return InputError(f"{items} are written to {' or '.join(endings)}", where=name_path(path))


def warn_of_texts(documents: Iterable[Listed]) -> None:
    """Warn that a format does not hold the notes."""
    names = [document.name or "" for document in documents if document.text is not None]
    warn("the texts of {n} {document|documents} are left out: write .jsonl to keep them", names)
