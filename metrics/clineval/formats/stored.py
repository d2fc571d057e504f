"""Files that another package reads: ``.spacy`` files, spaCy's DocBins, which ``spacy_clin`` reads.

The package registers the reader as an entry point of the group ``clineval.readers``. The core never
imports the package by name.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol as Structure

from clineval.base.errors import InputError
from clineval.base.files import find_path, is_directory, name_path
from clineval.results.challenge import Setup

GROUP, NAME, SUFFIX = "clineval.readers", "spacy", ".spacy"
_REMEDY = "Install it: pip install 'clineval[spacy]'"


class StoredDocuments(ABC):
    """The documents of one side in such files, not read yet. It can be sent to a process."""

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """The name of each document; empty if it has none."""

    @abstractmethod
    def read(self, rows: range, /) -> object:
        """Return some documents in a form that the challenge reads.

        Raises:
            InputError: a document cannot be read; the message names it.
        """

    @abstractmethod
    def compare(self, other: StoredDocuments, pairs: Iterable[tuple[int, int]], /) -> None:
        """Reject pairs of documents with different texts, because offsets refer to the text."""

    @abstractmethod
    def list_texts(self, rows: range, /) -> Sequence[str]:
        """Return the texts of some documents."""

    def __len__(self) -> int:
        return len(self.names)

    def read_all(self) -> object:
        """Return all documents in a form that the challenge reads."""
        return self.read(range(len(self)))

    def is_beside(self, other: StoredDocuments) -> bool:
        """Return whether documents of two sides are in the same order, or a side has no names."""
        both = any(self.names) and any(other.names)
        return len(self) == len(other) and (not both or self.names == other.names)

    def pair(self, other: StoredDocuments) -> list[tuple[int, int]]:
        """Return the numbers of documents that are on both sides, by name or by order."""
        if not (all(self.names) and all(other.names)):
            return list(zip(range(len(self)), range(len(other)), strict=False))
        numbers = {name: number for number, name in enumerate(self.names)}
        return [(numbers[n], at) for at, n in enumerate(other.names) if n in numbers]


class OpenStored(Structure):
    """The function that a package registers."""

    def __call__(self, path: Path, side: str, challenge: str, config: str, /) -> StoredDocuments:
        """Open ``references`` or ``predictions`` of a challenge."""
        ...


def is_stored(source: object) -> bool:
    """Return whether a source is a ``.spacy`` file, or a directory with only such files."""
    if not isinstance(source, (str, os.PathLike)) or not os.fspath(source):
        return False
    if is_directory(source):
        return _holds_only(os.fspath(source))
    return os.fspath(source).endswith(SUFFIX)


def _holds_only(folder: str) -> bool:
    """Return whether a directory has such files, and no others; hidden files do not count."""
    some = False
    for place, _, names in os.walk(folder):
        for name in names:
            if not name.startswith("."):
                if not name.endswith(SUFFIX):
                    return False
                some = some or os.path.isfile(f"{place}/{name}")  # noqa: PTH113 - of many names
    return some


def open_stored(source: object, side: str, setup: Setup) -> object:
    """Open a source if it is such files; otherwise return the source.

    Args:
        source: one side of a corpus, in any form.
        side: ``references`` or ``predictions``.
        setup: the challenge and configuration that read it.

    Raises:
        InputError: the files cannot be read, the challenge has no such files, or the package that
            reads them is not installed.
    """
    if not isinstance(source, (str, os.PathLike)) or not is_stored(source):
        return source
    path = find_path(source) or Path(source)
    challenge = setup.challenge
    challenge.kind_of(setup.config).check("docs", f"{challenge.name} has no {SUFFIX} files")
    return _load(name_path(path))(path, side, challenge.name, setup.config)


def find_records(gold: StoredDocuments, rows: range, setup: Setup) -> dict[str, object]:
    """Return the texts of gold documents as the options that always need them, unless given."""
    wanted = [o.name for o in setup.challenge.options if o.kind == "records"]
    wanted = [name for name in wanted if setup[name] is None]
    if not wanted:
        return {}
    texts, names = gold.list_texts(rows), [gold.names[row] for row in rows]
    found = dict(zip(names, texts, strict=True)) if all(names) else texts
    return dict.fromkeys(wanted, found)


def read_stored(source: object, side: str, setup: Setup) -> object:
    """Read a source if it is such files; otherwise return the source."""
    opened = open_stored(source, side, setup)
    return opened.read_all() if isinstance(opened, StoredDocuments) else opened


def _load(where: str) -> OpenStored:
    try:
        return _find_reader()
    except (ImportError, LookupError):
        problem = "this is a spaCy DocBin, and spaCy is not installed"
        raise InputError(problem, where=where, remedy=_REMEDY) from None


@cache
def _find_reader() -> OpenStored:
    from importlib.metadata import entry_points  # which takes long to import

    reader: OpenStored = entry_points(group=GROUP)[NAME].load()
    return reader
