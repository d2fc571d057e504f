"""The formats of documents of mentions by their names, and what the names of files tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clineval.base.errors import InputError
from clineval.base.files import is_directory, name_path, read_bytes
from clineval.formats import i2b2_lines_documents as i2b2_lines
from clineval.formats import i2b2_xml_documents as i2b2_xml
from clineval.formats import jsonl, pubtator_documents
from clineval.formats.brat import documents as brat
from clineval.formats.delimited import clef, pipe
from clineval.formats.delimited.pipe import SLOTS
from clineval.formats.files import names_in
from clineval.formats.tables import parquet
from clineval.kinds.mentions.mention import Document

_TOLD = {
    r"\.ann$": "brat",
    r"\.pipe": "pipe",
    r"\.jsonl$": "jsonl",
    rf"{re.escape(parquet.SUFFIX)}$": "parquet",
    r"\.(con|ast|rel)$": "con",
    r"(?i)\.pubtator(\.txt)?$": "pubtator",
    r"(?i)\.xml$": "xml",
}
"""The pattern of a file's name to its format; the first that fits any file counts."""
_HEAD = 4096
_BIOC = b"<collection"


@dataclass(frozen=True, slots=True)
class Format:
    """A format of documents of mentions.

    Args:
        title: what it is, in a line.
        read: reads a file or a directory.
        write: writes documents to a path.
        holds: what besides spans and codes or labels: ``slots``, ``cues``, the words that led to
            their values, or ``relations`` between mentions.
    """

    title: str
    read: Callable[[Path], Sequence[Document]]
    write: Callable[[Sequence[Document], Path], None]
    holds: tuple[str, ...] = ()


FORMATS: Mapping[str, Format] = {
    "pipe": Format(
        "SemEval-2015 Task 14: 19 columns",
        lambda path: pipe.read_documents(path, SLOTS),
        lambda documents, path: pipe.write_documents(documents, path, SLOTS),
        ("slots", "cues"),
    ),
    "pipe3": Format(
        "SemEval-2015 Task 14: the 3 columns of Task 1",
        lambda path: pipe.read_documents(path, SLOTS),
        lambda documents, path: pipe.write_documents(documents, path, SLOTS, short=True),
    ),
    "clef": Format(
        "ShARe/CLEF eHealth 2013 Tasks 1 and 2, SemEval-2014 Task 7",
        clef.read_documents,
        clef.write_documents,
    ),
    "brat": Format(
        "brat's standoff: .ann and .txt",
        lambda path: brat.read_documents(path, SLOTS),
        lambda documents, path: brat.write_documents(documents, path, SLOTS),
        ("slots", "relations"),
    ),
    "xml": Format(
        "i2b2 2014's XML: a note's text and its labels, one file each",
        i2b2_xml.read_documents,
        i2b2_xml.write_documents,
    ),
    "con": Format(
        "i2b2/VA 2010: .con, .ast and .rel, to be read with the notes",
        i2b2_lines.refuse_without_texts,
        i2b2_lines.write_documents,
        ("relations",),
    ),
    "pubtator": Format(
        "BioCreative V CDR: PubTator and BioC, which can only be read",
        pubtator_documents.read_documents,
        pubtator_documents.refuse_to_write,
        ("slots", "relations"),
    ),
    "jsonl": Format(
        "JSON Lines of documents",
        jsonl.read_documents,
        jsonl.write_documents,
        ("slots", "cues", "relations"),
    ),
    "parquet": Format(
        "Parquet: a row for each document",
        parquet.read_documents,
        parquet.write_documents,
        ("slots",),
    ),
}


def find_format(path: Path, otherwise: str | None = None) -> str:
    """Find the format by the names of files; that of ``.pipe`` files is ``otherwise``.

    Examples:
        >>> find_format(Path("notes.jsonl")), find_format(Path("a.ann"))
        ('jsonl', 'brat')
    """
    names = names_in(path) if is_directory(path) else [path.name]
    told = (name for pattern, name in _TOLD.items() if any(re.search(pattern, n) for n in names))
    found = next(told, otherwise)
    if found == "pipe":
        return otherwise or _look_into(path)
    if found == "xml" and otherwise != "xml" and _BIOC in _read_head(path):
        return "pubtator"
    if found:
        return found
    raise InputError(
        "the format cannot be told from the names of the files",
        where=name_path(path),
        remedy=f"Name it: --from {'|'.join(FORMATS)}",
    )


def _read_head(path: Path) -> bytes:
    """Return the first bytes of a file of XML, or of the first one in a directory."""
    files = sorted(path.glob("*.[xX][mM][lL]")) if path.is_dir() else [path]
    return read_bytes(files[0])[:_HEAD]


def _look_into(path: Path) -> str:
    """Choose between the two formats that have ``.pipe`` files."""
    files = sorted(path.glob("*.pipe*")) if path.is_dir() else [path]
    for file in files:
        line = next((line for line in read_bytes(file).split(b"\n") if line.strip()), b"")
        if line:
            return "clef" if line.split(b"|")[1:2] == [b""] else "pipe"
    return "pipe"
