"""Sections as a kind: labelled stretches of a note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from clineval.base.errors import located
from clineval.kinds.sections.tagged import as_sections
from clineval.results.kind import DocWays, Kind, T
from clineval.results.sources import Source
from clineval.results.tagged import Annotation

_FORMAT = "sections can only be converted to and from .spacy files: give the other file that suffix"


@dataclass(frozen=True)
class SectionKind(Kind):
    """Sections, each beginning at a token of the note."""

    name: ClassVar[str] = "sections"
    items: ClassVar[str] = "sections"
    never: ClassVar[Mapping[str, str]] = {
        "convert": _FORMAT,
        "read": "sections are not mentions: read the task's JSON, or use spacy_clin.read_docs",
        "adjudicate": "a remark names a mention, and a boundary is a token",
        "answers": "a model's quote of a long section rarely equals the words of the note",
    }

    def hold(self, ways: DocWays[T], /) -> T:
        """Hold sections in a span group."""
        return ways.sections()

    def build(self, annotations: Sequence[Annotation], text: str, /) -> object:
        """Build the sections of a note."""
        return as_sections(annotations, text)

    def of_sources(self, sources: Sequence[Source], /) -> list[object]:
        """Build sections from entities, with types as labels."""
        return [
            self.build(source.annotations, located(source.where, source.find_text))
            for source in sources
        ]
