"""brat's lines as the scripts of IberLEF 2019 and BioNLP-OST 2019 read them, word by word.

A line that begins with T is a mention whatever it says: of what stands between the first two tabs
the first word is the label, the next two are the offsets. A line without these is passed over.
"""

from __future__ import annotations

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, warn
from clineval.base.files import Source
from clineval.base.offsets import LARGEST, are_offsets
from clineval.formats.brat.standoff import FILES, find_text
from clineval.formats.files import read_text_files
from clineval.kinds.mentions.columns import MentionColumns, Side

Words = tuple[str, int, int]
"""Label, start and end."""
_WANTED = 3


def read_side(source: Source, slot: str, pattern: str = FILES) -> Side:
    """Read files; documents are paired by the names of the files, of a stem the last file counts.

    Offsets that are not numbers, such as those of several fragments, are an ``InputError``.
    """
    files = read_text_files(source, pattern=pattern, separator="\t")
    found = {file.stem or "": file for file in files}
    rows, skipped = [], 0
    for at, file in enumerate(found.values()):
        for where, line in file.with_line_feeds().lines():
            if line.strip().startswith("T"):
                words = _read_line(line.strip(), where)
                skipped += words is None
                rows += [(at, *words)] if words else []
    warn(
        "{n} {line has|lines have} no tab, or no two offsets, and {is|are} passed over as in the "
        "released script",
        n=skipped,
    )
    names = tuple(found)
    texts = tuple(map(find_text, found.values()))
    return Side(names, names if all(names) else None, as_columns(rows, slot), texts)


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
            remedy="The released script stops here too; protocol='spec' reads fragments",
        ) from None
    if not are_offsets(start, end):
        raise InputError(f"expected offsets from 0 to {LARGEST}", where=where)
    return words[0], start, end


def as_columns(rows: list[tuple[int, str, int, int]], slot: str) -> MentionColumns:
    """Read mentions of one fragment: document, label, start and end of each."""
    documents, labels, starts, ends = zip(*rows, strict=True) if rows else ((), (), (), ())
    return MentionColumns(
        np.array(documents, np.int32),
        np.arange(len(rows) + 1),
        np.array(starts, np.int64),
        np.array(ends, np.int64),
        {slot: Coded.of(labels)},
    )
