"""Documents of mentions from one format into another."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clineval.challenges.semeval15_task14 import SLOTS
from clineval.errors import InputError, InputWarning
from clineval.formats import brat, clef, jsonl, pipe
from clineval.mentions.mention import Document, Mention
from clineval.registry import check_name


@dataclass(frozen=True, slots=True)
class Format:
    """A format of documents of mentions.

    Args:
        title: what it is, in a line.
        read: reads a file or a directory.
        write: writes documents to a path.
        slots: whether it holds slots.
        cues: whether it holds the words that led to the values of slots.
    """

    title: str
    read: Callable[[Path], Sequence[Document]]
    write: Callable[[Sequence[Document], Path], None]
    slots: bool = True
    cues: bool = True


FORMATS: Mapping[str, Format] = {
    "pipe": Format(
        "SemEval-2015 Task 14: 19 columns",
        lambda path: pipe.read_documents(path, SLOTS),
        lambda documents, path: pipe.write_documents(documents, path, SLOTS),
    ),
    "pipe3": Format(
        "SemEval-2015 Task 14: the 3 columns of Task 1",
        lambda path: pipe.read_documents(path, SLOTS),
        lambda documents, path: pipe.write_documents(documents, path, SLOTS, short=True),
        slots=False,
        cues=False,
    ),
    "clef": Format(
        "ShARe/CLEF eHealth 2013 Tasks 1 and 2, SemEval-2014 Task 7",
        clef.read_documents,
        clef.write_documents,
        slots=False,
        cues=False,
    ),
    "brat": Format(
        "brat's standoff: .ann and .txt",
        lambda path: brat.read_documents(path, SLOTS),
        lambda documents, path: brat.write_documents(documents, path, SLOTS),
        cues=False,
    ),
    "jsonl": Format(
        "JSON Lines of documents",
        jsonl.read_documents,
        jsonl.write_documents,
    ),
}


def find_format(path: Path, otherwise: str | None = None) -> str:
    """The name of the format that the names of files tell.

    Args:
        path: a file or a directory.
        otherwise: what ``.pipe`` files are; None if they may be of either kind.

    Raises:
        InputError: the names do not tell.

    Examples:
        >>> find_format(Path("notes.jsonl")), find_format(Path("a.ann"))
        ('jsonl', 'brat')
    """
    names = [path.name] if not path.is_dir() else [each.name for each in path.iterdir()]
    if any(name.endswith(".ann") for name in names):
        return "brat"
    if any(".pipe" in name for name in names):
        return otherwise or _look_into(path)
    if any(name.endswith(".jsonl") for name in names):
        return "jsonl"
    if otherwise:
        return otherwise
    raise InputError(
        "the format cannot be told from the names of the files",
        where=str(path),
        remedy=f"Say it: --from {'|'.join(FORMATS)}",
    )


def _look_into(path: Path) -> str:
    """Which of the two formats that have ``.pipe`` files."""
    files = sorted(path.glob("*.pipe*")) if path.is_dir() else [path]
    for file in files:
        with file.open("rb") as lines:
            line = next((line for line in lines if line.strip()), b"")
        if line:
            return "clef" if line.split(b"|")[1:2] == [b""] else "pipe"
    return "pipe"


def read_documents(path: Path, format: str) -> list[Document]:  # noqa: A002
    """Read documents.

    Raises:
        InputError: no such format, or what is wrong in the files, with file and line.
    """
    check_name("format", format, FORMATS)
    return list(FORMATS[format].read(path))


def write_documents(documents: Iterable[Document], path: Path, format: str) -> None:  # noqa: A002
    """Write documents to a directory, or to a file where the format has one for all."""
    check_name("format", format, FORMATS)
    known = list(documents)
    _warn_of_loss(known, FORMATS[format])
    FORMATS[format].write(known, path)


def _warn_of_loss(documents: Sequence[Document], target: Format) -> None:
    """Say what of the mentions the format does not hold."""
    mentions = [mention for document in documents for mention in document.mentions]
    lost = {
        "slots": 0 if target.slots else sum(map(_has_slots, mentions)),
        "cues": 0 if target.cues else sum(bool(mention.cues) for mention in mentions),
    }
    parts = [f"{what} of {number} mentions" for what, number in lost.items() if number]
    if parts:
        warnings.warn(
            f"the format does not hold the {' and the '.join(parts)}", InputWarning, stacklevel=3
        )


def _has_slots(mention: Mention) -> bool:
    """Whether some slot is not at its default."""
    return any(
        slot.name in mention.slots and not brat.is_default(slot, mention.slots[slot.name])
        for slot in SLOTS
    )
