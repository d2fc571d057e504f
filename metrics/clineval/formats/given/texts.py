"""The notes' texts, where overlap is measured in words."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from clineval.base.errors import InputError, called, shown
from clineval.base.files import Source, find_directory, is_file
from clineval.formats.files import read_text
from clineval.kinds.mentions.columns import Side
from clineval.results.options import Option


def option_of_texts(use: str, python: str, when: tuple[str, Any] | None = None) -> Option:
    """Return the option of the notes' texts.

    Args:
        use: what they are for, as its help says it.
        python: as in :class:`~clineval.results.options.Option`.
        when: likewise.
    """
    help_ = f"Directory of the notes, for {use}."
    return Option("texts", help_, kind="texts", flag="--text", python=python, when=when)


def with_texts(side: Side, texts: Any) -> Side:
    """Put texts beside a side's documents, as :func:`find_texts`; None keeps those they have."""
    if texts is None:
        return side
    return replace(side, texts=find_texts(side.documents, texts, "texts"))


def find_texts(names: Sequence[str], texts: Any, option: str) -> tuple[str | None, ...]:
    """Find the text of each document, None where there is none.

    Args:
        names: the documents' names.
        texts: one text for each document in order, a mapping from document name to text, or a
            directory of files named like the documents.
        option: what the user calls the texts, for messages.

    Raises:
        InputError: another number of texts than documents, no such directory, or something
            that is not a text.
    """
    if isinstance(texts, (str, os.PathLike)):
        texts = _Directory(texts)
    if isinstance(texts, (Mapping, _Directory)):
        found = tuple(texts.get(name) for name in names)
    elif isinstance(texts, Sequence):
        if len(texts) != len(names):
            raise InputError(
                f"expected {len(names)} texts, one for each document, got {len(texts)}",
                where=option,
            )
        found = tuple(texts)
    else:
        raise InputError(
            f"expected a list, a mapping or a directory, got {shown(texts)}", where=option
        )
    for name, text in zip(names, found, strict=True):
        if text is not None and not isinstance(text, str):
            raise InputError(
                f"expected a string, got {shown(text)}", where=f"text of {called(name)}"
            )
    return found


class _Directory:
    """Texts in files that are named like the documents, with or without ``.txt``."""

    def __init__(self, given: Source) -> None:
        self._path = find_directory(given)

    def get(self, name: str) -> str | None:
        if Path(name).name != name:  # a name that leads out of the directory
            return None
        for path in (self._path / name, self._path / f"{name}.txt"):
            if is_file(path):
                return read_text(path)
        return None
