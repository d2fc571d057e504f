"""What is read together: some Docs of one side, or the files that Docs are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy.tokens import Doc

REFERENCES, PREDICTIONS = "references", "predictions"
MakeDoc = Callable[[str], Doc]


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """Some Docs.

    Args:
        docs: the documents.
        names: their names.
        side: ``references`` or ``predictions``.
    """

    docs: Sequence[Doc]
    names: Sequence[str]
    side: str = PREDICTIONS


@dataclass(frozen=True, slots=True, eq=False)
class FileSource:
    """Files that Docs are made of.

    Args:
        path: the files.
        make_doc: makes a Doc of a text.
        text: directory of the notes, or name to text, where the format does not hold them.
        format: the format, where the names of the files do not tell it.
        side: ``references`` or ``predictions``: which to read of files that hold both.
    """

    path: Path
    make_doc: MakeDoc
    text: Any = None
    format: str | None = None
    side: str = REFERENCES
