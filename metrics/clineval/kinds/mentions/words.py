"""Words of documents: where each word stands in its file, so that two sides can be compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of documents whose texts consist of words alone.

    Args:
        files: the file of each document, as messages name it.
        starts: for each document the offset of each word.
        lines: for each document the line of each word.
    """

    files: tuple[str, ...]
    starts: tuple[IntArray, ...]
    lines: tuple[IntArray, ...]

    def place(self, document: int, offset: int) -> str:
        """Return file and line of the word at an offset; the last word if the offset is beyond."""
        at = int(np.searchsorted(self.starts[document], offset, side="right")) - 1
        lines = self.lines[document]
        return f"{self.files[document]}:{lines[at]}" if len(lines) else self.files[document]
