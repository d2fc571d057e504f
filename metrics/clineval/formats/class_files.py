"""Challenges' own formats of classes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Protocol

from clineval.base.files import Source
from clineval.formats.files import TextFile, holds
from clineval.kinds.classes.columns import Draft


class ClassFiles(Protocol):
    """A challenge's own format of classes."""

    @property
    def pattern(self) -> str:
        """The pattern of its file names."""
        ...

    def read_files(self, files: Iterable[TextFile], draft: Draft, /) -> None:
        """Read files into a draft, in the order of their names.

        Raises:
            InputError: a file is invalid.
        """
        ...


def is_own(source: Source, files: ClassFiles) -> bool:
    """Return whether a source is in the challenge's own format: a text, a file or a directory."""
    if isinstance(source, str) and source.lstrip().startswith("<"):
        return True
    named = isinstance(source, (str, os.PathLike)) and re.search(files.pattern, os.fspath(source))
    return bool(named) or holds(source, files.pattern)
