"""Texts of notes, for reports and for overlap in words."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from clineval.base.errors import InputError, called, shown
from clineval.base.files import find_directory, is_file
from clineval.formats.files import read_text
from clineval.formats.given.text_files import read_texts
from clineval.kinds.mentions.columns import Noted
from clineval.results.options import Option

SideT = TypeVar("SideT", bound=Noted)
NOTES = "a directory of .txt files, or a .jsonl or .parquet file with id and text"


def option_of_texts(use: str, python: str, when: tuple[str, object] | None = None) -> Option:
    """Return the option for the texts of notes.

    Args:
        use: the purpose of the texts, for the help.
        python: as in :class:`~clineval.results.options.Option`.
        when: as in :class:`~clineval.results.options.Option`.
    """
    help_ = f"The notes, for {use}: {NOTES}."
    return Option("texts", help_, kind="texts", flag="--text", python=python, when=when)


def with_texts(side: SideT, texts: object) -> SideT:
    """Add the texts that :func:`find_texts` finds to a side; None keeps the texts it has."""
    if texts is None:
        return side
    return side.with_notes(find_texts(side.noted.documents, texts, "texts"))


def find_texts(names: Sequence[str], texts: object, option: str) -> tuple[str | None, ...]:
    """Find the text of each document; None if it has no text.

    Args:
        names: the names of the documents.
        texts: one text for each document in order, a mapping from document name to text, a
            directory of files named like the documents, or a file of JSON Lines or Parquet.
        option: the name of the option, for messages.

    Raises:
        InputError: the numbers of texts and documents differ, the path does not exist, or a value
            is not a text.
    """
    found: tuple[object, ...]
    if isinstance(texts, (str, os.PathLike)) and is_file(texts):
        of_file = read_texts(texts)
        found = tuple(_find_named(of_file, name) for name in names)
    elif isinstance(texts, (str, os.PathLike)):
        directory = find_directory(texts)
        found = tuple(_read_beside(directory, name) for name in names)
    elif isinstance(texts, Mapping):
        found = tuple(map(texts.get, names))
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
    return tuple(map(_judge_text, names, found))


def _judge_text(name: str, text: object) -> str | None:
    if text is None or isinstance(text, str):
        return text
    raise InputError(f"expected a string, got {shown(text)}", where=f"text of {called(name)}")


def _find_named(texts: Mapping[str, str], name: str) -> str | None:
    """Find the text of the document with this name, with or without ``.txt``."""
    stem = name.removesuffix(".txt")
    return next((texts[each] for each in (name, stem, f"{stem}.txt") if each in texts), None)


def _read_beside(directory: Path, name: str) -> str | None:
    """Read the file with the name of a document, with or without ``.txt``."""
    if Path(name).name != name:  # the name leads out of the directory
        return None
    paths = (directory / name, directory / f"{name}.txt")
    return next((read_text(path) for path in paths if is_file(path)), None)
