"""The chapters of codes: a TSV file of code prefixes and their chapters."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from clineval.base.errors import InputError, shown
from clineval.base.files import Source
from clineval.formats.delimited.code_tables import lines_of

NO_CHAPTER = "(no chapter)"


@dataclass(frozen=True, slots=True)
class Chapters:
    """The chapters of codes, by code prefixes in lower case."""

    by_beginning: Mapping[str, str]

    def find(self, code: str) -> str:
        """Find the chapter with the longest prefix of a code.

        Examples:
            >>> chapters = Chapters({"d": "Neoplasms", "d5": "Blood"})
            >>> chapters.find("D50.9"), chapters.find("d10"), chapters.find("I10")
            ('Blood', 'Neoplasms', '(no chapter)')
        """
        beginnings = (code.lower()[:size] for size in range(len(code), 0, -1))
        chapters = (self.by_beginning[b] for b in beginnings if b in self.by_beginning)
        return next(chapters, NO_CHAPTER)


def read_chapters(given: object) -> Chapters | None:
    """Read chapters from a mapping or a TSV file of prefixes; an ``InputError`` names the line."""
    if given is None:
        return None
    if isinstance(given, (str, os.PathLike)):
        return Chapters(dict(_read_chapter_lines(given)))
    if not isinstance(given, Mapping) or not all(map(_is_pair, given.items())):
        raise InputError(
            f"expected a path, or code prefixes and their chapters, got {shown(given)}",
            where="chapters",
        )
    return Chapters({beginning.strip().lower(): chapter for beginning, chapter in given.items()})


def _read_chapter_lines(source: Source) -> Iterator[tuple[str, str]]:
    for where, line in lines_of(source):
        cells = tuple(cell.strip() for cell in line.split("\t")[:2])
        if not _is_pair(cells):
            problem = "expected a code prefix, a tab, and a chapter"
            raise InputError(problem, where=where)
        yield cells[0].lower(), cells[1]


def _is_pair(cells: tuple[object, ...]) -> bool:
    return len(cells) == 2 and all(  # noqa: PLR2004 - prefix and chapter
        isinstance(cell, str) and cell.strip() and cell.isprintable() for cell in cells
    )
