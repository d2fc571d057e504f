"""A problem of a file, as ``clineval validate`` lists it."""

from __future__ import annotations

from dataclasses import dataclass

from clineval.base.escaping import visible
from clineval.base.files import name_path


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Args:
        file: the file; empty if it concerns all files together.
        line: the line, from 1; 0 if it concerns the whole file.
        message: what is wrong, and what was expected.

    Examples:
        >>> str(Problem("a.pipe", 3, "expected 19 columns, got 5"))
        'a.pipe:3: expected 19 columns, got 5'
    """

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        file = name_path(self.file) if self.file else ""
        place = f"{file}:{self.line}" if self.line else file
        return visible(f"{place}: {self.message}" if place else self.message)
