"""A problem in a file, as listed by ``clineval validate``."""

from __future__ import annotations

from dataclasses import dataclass

from clineval.base.escaping import visible
from clineval.base.files import name_path


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in a file.

    Args:
        file: the path; empty if the problem concerns all files together.
        line: the line, from 1; 0 if the problem concerns the whole file.
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
