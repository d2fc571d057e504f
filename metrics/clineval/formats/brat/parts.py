"""brat's files in parts that fit into memory, read one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from clineval.base.files import Source
from clineval.formats.brat.standoff import FILES, chunks_of, find_text
from clineval.formats.files import TextFile, from_string, read_text_files
from clineval.kinds.mentions.columns import MentionColumns, Side

PartT = TypeVar("PartT")
Read = Callable[[Sequence[TextFile], Sequence[str | None], int], PartT]
"""Reads some files, given their texts, and the number of the first document."""


class Documents(NamedTuple):
    """The documents of a side, as :class:`Side` has them."""

    names: tuple[str, ...]
    keys: tuple[str, ...] | None
    texts: tuple[str | None, ...]

    def with_mentions(self, mentions: MentionColumns) -> Side:
        """Return a side of them."""
        return Side(self.names, self.keys, mentions, self.texts)


def read_files(source: Source, read: Read[PartT]) -> tuple[list[PartT], Documents]:
    """Read a directory, a file or a text; documents are paired by the names of the files."""
    files = read_text_files(source, pattern=FILES, separator="\t")
    parts, names, texts = _read_parts(files, read, with_texts=True)
    return parts, Documents(tuple(names), tuple(names) if all(names) else None, tuple(texts))


def read_strings(strings: Sequence[str], read: Read[PartT]) -> tuple[list[PartT], Documents]:
    """Read one string of lines for each document; they are paired by position."""
    files = (from_string(f"document {number}", text) for number, text in enumerate(strings))
    parts, names, _ = _read_parts(files, read, with_texts=False)
    return parts, Documents(("",) * len(names), None, ())


def _read_parts(
    files: Iterable[TextFile], read: Read[PartT], *, with_texts: bool
) -> tuple[list[PartT], list[str], list[str | None]]:
    names: list[str] = []
    texts: list[str | None] = []
    parts: list[PartT] = []
    for chunk in chunks_of(files):
        found = [find_text(file) if with_texts else None for file in chunk]
        parts.append(read(chunk, found, len(names)))
        names += [file.stem or "" for file in chunk]
        texts += found
    return parts, names, texts
