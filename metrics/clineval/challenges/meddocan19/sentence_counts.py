"""How many sentences documents have: numbers, or files that have a line for each."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, shown
from clineval.base.files import find_directory, is_file
from clineval.formats.files import read_text

MISSING = -1


@dataclass(frozen=True, slots=True)
class Sentences:
    """Where the numbers come from.

    Args:
        numbers: document name to number.
        folder: a directory of files ``<document>.ann``; None if there is none.
    """

    numbers: Mapping[str, int]
    folder: Path | None = None

    def count(self, documents: Sequence[str], *, every: bool) -> IntArray:
        """Count the sentences of each document, ``[documents]``; -1 where that is not known.

        ``every`` counts all lines of a file; otherwise only those that are annotations.
        """
        return np.array([self._count(name, every=every) for name in documents], np.int64)

    def _count(self, name: str, *, every: bool) -> int:
        if self.folder is None:
            return self.numbers.get(name, MISSING)
        path = self.folder / f"{name}.ann"
        if Path(name).name != name or not is_file(path):
            return MISSING
        lines = read_text(path).splitlines()
        return len(lines) if every else sum(line.startswith("T") for line in lines)


def parse_sentences(given: Any) -> Sentences | None:
    """Judge what an option says of sentences: a directory, or documents and numbers."""
    if given is None or isinstance(given, Sentences):
        return given
    if isinstance(given, (str, os.PathLike)):
        return Sentences({}, find_directory(given))
    fine = isinstance(given, Mapping) and all(
        isinstance(name, str) and type(number) is int and number >= 0
        for name, number in given.items()
    )
    if not fine:
        raise InputError(
            f"expected a directory, or documents and numbers, got {shown(given)}", where="sentences"
        )
    return Sentences(dict(given))
