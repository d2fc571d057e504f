"""The notes' texts, where overlap is measured in words."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from clineval.columns import Side
from clineval.errors import InputError, shown


def with_texts(side: Side, texts: Any) -> Side:
    """Put texts beside a side's documents.

    Args:
        side: the documents.
        texts: one text for each document in order, a mapping from document name to text, or a
            directory of files named like the documents; None to keep what came with them.

    Raises:
        InputError: another number of texts than documents, no such directory, or something
            that is no text.
    """
    return side if texts is None else replace(side, texts=find_texts(texts, side.documents))


def find_texts(texts: Any, documents: Sequence[str]) -> tuple[str | None, ...]:
    """The text of each document, None where there is none.

    Args:
        texts: as in :func:`with_texts`, and not None.
        documents: the documents' names.

    Raises:
        InputError: as :func:`with_texts`.

    Examples:
        >>> find_texts({"note-1": "No rash."}, ["note-1", "note-2"])
        ('No rash.', None)
    """
    if isinstance(texts, (str, os.PathLike)):
        texts = _Directory(Path(texts))
    if isinstance(texts, (Mapping, _Directory)):
        found = tuple(texts.get(name) for name in documents)
    elif isinstance(texts, Sequence):
        if len(texts) != len(documents):
            raise InputError(
                f"expected {len(documents)} texts, one for each document, got {len(texts)}",
                where="texts",
            )
        found = tuple(texts)
    else:
        raise InputError(
            f"expected a list, a mapping or a directory, got {shown(texts)}", where="texts"
        )
    for name, text in zip(documents, found, strict=True):
        if text is not None and not isinstance(text, str):
            raise InputError(f"expected a string, got {shown(text)}", where=f"text of {name}")
    return found


class _Directory:
    """Texts in files that are named like the documents, with or without ``.txt``."""

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            raise InputError("no such directory", where=str(path))
        self._path = path

    def get(self, name: str) -> str | None:
        if Path(name).name != name:  # a name that leads out of the directory
            return None
        for path in (self._path / name, self._path / f"{name}.txt"):
            if path.is_file():
                try:
                    return path.read_bytes().decode()
                except UnicodeDecodeError:
                    raise InputError("the file is not UTF-8", where=str(path)) from None
        return None
