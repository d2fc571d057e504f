"""Entries as a kind: medications with the fields that belong to each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from clineval.base.errors import InputError, listed, located, shown, warn
from clineval.kinds.entries.entry import FIELD_NAMES, FIELDS
from clineval.kinds.entries.tagged import as_entries
from clineval.results.columns import Sides
from clineval.results.kind import DocWays, ItemGroup, Kind, T
from clineval.results.sources import Source
from clineval.results.tagged import Annotation

_FIELD_TYPES = {
    **dict(zip(FIELD_NAMES, FIELDS, strict=True)), **dict(zip(FIELDS, FIELDS, strict=True))
}  # fmt: skip
"""Type of an entity to its field."""


@dataclass(frozen=True)
class EntryKind(Kind):
    """Entries: a medication and its fields, each a phrase with a place."""

    name: ClassVar[str] = "entries"
    items: ClassVar[str] = "entries"
    never: ClassVar[Mapping[str, str]] = {
        "convert": "entries can only be converted to and from .spacy files: give the other "
        "file that suffix",
        "read": "entries are not mentions: read them with spacy_clin.read_docs",
        "adjudicate": "a remark names a mention, and a field belongs to an entry",
        "answers": "fields need lines and tokens, which quotes do not give",
    }

    def group_items(self, _corpus: object, sides: Sides, /) -> Sequence[ItemGroup]:
        """Return the fields of entries."""
        return [ItemGroup("fields", sides, self.class_slot.name if self.class_slot else "")]

    def hold(self, ways: DocWays[T], /) -> T:
        """Hold entries in a span group."""
        return ways.entries()

    def build(self, annotations: Sequence[Annotation], text: str, /) -> object:
        """Build entries; each field belongs to the nearest medication."""
        return as_entries(annotations, text)

    def of_sources(self, sources: Sequence[Source], /) -> list[object]:
        """Build entries from entities whose types are fields, such as ``m`` or ``medication``."""
        labels = [annotation.label for source in sources for annotation in source.annotations]
        unknown = sorted(set(labels) - _FIELD_TYPES.keys())
        if unknown:
            problem = f"entities of unknown types {listed(list(map(shown, unknown)))}"
            expected = f"expected {', '.join(_FIELD_TYPES)}"
            raise InputError(f"{problem}, {expected}", remedy="Choose with types=")
        warn(
            "{n} {field is|fields are} linked to the nearest medication, because the schema has no "
            "entries",
            n=sum(_FIELD_TYPES[label] != "m" for label in labels),
        )
        return [
            self.build(list(_as_fields(source)), located(source.where, source.find_text))
            for source in sources
        ]


def _as_fields(source: Source) -> Iterator[Annotation]:
    for annotation in source.annotations:
        yield Annotation(annotation.spans, _FIELD_TYPES[annotation.label])
