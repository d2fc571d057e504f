"""The formats of documents with mentions by name, and how file names identify them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

from clineval.base.errors import InputError
from clineval.base.files import is_directory, name_path, read_bytes
from clineval.base.packed import bare_name
from clineval.formats import jsonl
from clineval.formats.brat import documents as brat
from clineval.formats.conll import documents as conll
from clineval.formats.conll import lines as conll_lines
from clineval.formats.conll import writing as conll_writing
from clineval.formats.delimited import clef, pipe
from clineval.formats.delimited.pipe import SLOTS
from clineval.formats.files import names_in
from clineval.formats.tables import parquet
from clineval.kinds.mentions.mention import Document
from clineval.results.registry import all_challenges

_HEAD = 4096


@dataclass(frozen=True, slots=True)
class Format:
    """A format of documents with mentions.

    Args:
        title: a description on one line.
        read: reads a file or a directory; also receives the notes' texts, or None.
        write: writes documents to a path.
        holds: what the format contains besides spans and codes or labels: ``slots``; ``cues``,
            the words that led to the values of slots; ``relations`` between mentions;
            ``equivalences``, which are special relations; ``language`` of a document.
        files: maps patterns of file names to bytes that must occur at the beginning of a file;
            empty unless another format uses the same names.
        needs_texts: whether reading requires the notes' texts.
        in_folders: whether each document has a folder of its own, which holds the files.
    """

    title: str
    read: Callable[[Path, object], Sequence[Document]]
    write: Callable[[Sequence[Document], Path], None]
    holds: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    needs_texts: bool = False
    in_folders: bool = False


_LINES: Mapping[str, Format] = {
    "pipe": Format(
        "SemEval-2015 Task 14: 19 columns",
        lambda path, _: pipe.read_documents(path, SLOTS),
        lambda documents, path: pipe.write_documents(documents, path, SLOTS),
        ("slots", "cues"),
        files={r"\.pipe": b""},
    ),
    "pipe3": Format(
        "SemEval-2015 Task 14: the 3 columns of Task 1",
        lambda path, _: pipe.read_documents(path, SLOTS),
        lambda documents, path: pipe.write_documents(documents, path, SLOTS, short=True),
    ),
    "clef": Format(
        "ShARe/CLEF eHealth 2013 Tasks 1 and 2, SemEval-2014 Task 7",
        lambda path, _: clef.read_documents(path),
        clef.write_documents,
    ),
    "conll": Format(
        "words with tags: IOB, BIOES or BILOU",
        lambda path, _: conll.read_documents(path),
        conll_writing.write_documents,
        files={conll_lines.FILES: b""},
    ),
    "brat": Format(
        "brat's standoff: .ann and .txt",
        lambda path, _: brat.read_documents(path, SLOTS),
        lambda documents, path: brat.write_documents(documents, path, SLOTS),
        ("slots", "relations", "equivalences"),
        files={r"\.ann$": b""},
    ),
}
_RECORDS: Mapping[str, Format] = {
    "jsonl": Format(
        "JSON Lines of documents",
        lambda path, _: jsonl.read_documents(path),
        jsonl.write_documents,
        ("slots", "cues", "relations", "language"),
        files={r"\.jsonl$": b""},
    ),
    "parquet": Format(
        "Parquet: a row for each document",
        lambda path, _: parquet.read_documents(path),
        parquet.write_documents,
        ("slots", "cues", "relations", "language"),
        files={rf"{re.escape(parquet.SUFFIX)}$": b""},
    ),
}


@cache
def list_formats() -> Mapping[str, Format]:
    """List all formats by name; import the challenges to include their formats."""
    found = dict(_LINES)
    for challenge in all_challenges():
        own = import_module(challenge.faces.formats).FORMATS if challenge.faces.formats else {}
        found |= {name: own[name] for name in own if name not in {**found, **_RECORDS}}
    return {**found, **_RECORDS}


def find_format(path: Path, otherwise: str | None = None) -> str:
    """Identify the format by file names; ``otherwise`` is the format of ``.pipe`` files.

    Examples:
        >>> find_format(Path("notes.jsonl")), find_format(Path("a.ann"))
        ('jsonl', 'brat')
    """
    found = next(_find_fitting({"brat": _LINES["brat"], **_LINES, **_RECORDS}, path), None)
    if found:
        return found if found != "pipe" else otherwise or _look_into(path)
    fitting = list(_find_fitting(list_formats(), path))  # imports the challenges only now
    if otherwise and (otherwise in fitting or not fitting):
        return otherwise
    if fitting:
        return fitting[0]
    raise InputError(
        "the names of the files do not identify the format",
        where=name_path(path),
        remedy="Codes of documents and rankings are not mentions; sections and entries need their "
        "--module and a .spacy file. For mentions, name the format: --from "
        f"{'|'.join(list_formats())}",
    )


def _find_fitting(formats: Mapping[str, Format], path: Path) -> Iterator[str]:
    """Yield the formats whose file names match, first the formats that check the content too."""
    names = {nested: _list_names(path, nested=nested) for nested in (False, True)}
    signs = [(name, *sign) for name, known in formats.items() for sign in known.files.items()]
    for name, files, begins in sorted(signs, key=lambda sign: not sign[-1]):
        own = names[formats[name].in_folders]
        fitting = (path / each for each in own if re.search(files, bare_name(each or path.name)))
        first = next(fitting, None)
        if first and (not begins or begins in read_bytes(first)[:_HEAD]):
            yield name


def _list_names(path: Path, *, nested: bool) -> Sequence[str]:
    """List the names in a directory, or in its first folder; an empty one for a file."""
    if not is_directory(path):
        return () if nested else ("",)
    names = sorted(names_in(path))
    if not nested:
        return names
    first = next((name for name in names if is_directory(path / name)), None)
    return [f"{first}/{name}" for name in sorted(names_in(path / first))] if first else ()


def _look_into(path: Path) -> str:
    """Choose between the two formats of ``.pipe`` files by their first line."""
    files = sorted(path.glob("*.pipe*")) if path.is_dir() else [path]
    for file in files:
        line = next((line for line in read_bytes(file).split(b"\n") if line.strip()), b"")
        if line:
            return "clef" if line.split(b"|")[1:2] == [b""] else "pipe"
    return "pipe"
