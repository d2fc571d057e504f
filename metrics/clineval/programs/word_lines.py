"""Read brat lines word by word, as the scripts of IberLEF 2019 and BioNLP-OST 2019 do.

A line that begins with T is a mention. Its second cell holds the label and the two offsets as its
first three words. A line without these is skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clineval.base.errors import InputError, warn
from clineval.base.files import Source
from clineval.base.offsets import LARGEST, are_offsets
from clineval.formats.brat.columns import BratLabels
from clineval.formats.brat.standoff import FILES, find_text
from clineval.formats.files import read_text_files
from clineval.kinds.mentions.columns import Side
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot

Words = tuple[str, int, int]
"""Label, start and end."""
_WANTED = 3


def read_side(source: Source, slot: str, pattern: str = FILES) -> Side:
    """Read files; documents are paired by file names without suffix.

    If several files share such a name, the last one counts.

    Raises:
        InputError: offsets are not numbers, as in a mention with several fragments.
    """
    files = read_text_files(source, pattern=pattern, separator="\t")
    found = {file.stem or "": file for file in files}
    rows: list[tuple[int, str, int, int]] = []
    skipped = 0
    for at, file in enumerate(found.values()):
        for where, line in file.with_line_feeds().lines():
            if line.strip().startswith("T"):
                words = _read_line(line.strip(), where)
                skipped += words is None
                rows += [(at, *words)] if words else []
    warn(
        "{n} {line has|lines have} no tab or no two offsets, and {is|are} skipped as in the "
        "released script",
        n=skipped,
    )
    names = tuple(found)
    texts = tuple(map(find_text, found.values()))
    return Side(names, names if all(names) else None, MentionColumns.labelled(rows, slot), texts)


def _read_line(line: str, where: str) -> Words | None:
    cells = line.split("\t")
    words = cells[1].split() if len(cells) > 1 else []
    if len(words) < _WANTED:
        return None
    try:
        start, end = int(words[1]), int(words[2])
    except ValueError:
        raise InputError(
            "expected two offsets",
            where=where,
            remedy="The released script stops here too. protocol='spec' reads fragments",
        ) from None
    if not are_offsets(start, end):
        raise InputError(f"expected offsets from 0 to {LARGEST}", where=where)
    return words[0], start, end


@dataclass(frozen=True, slots=True)
class WordFiles(BratLabels):
    """The text format of mentions that reads such files."""

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read a directory, a file or a text."""
        return read_side(source, slots[0].name)
