"""Records as a kind: fields with values for a document, without spans in its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

from clineval.kinds.asking import ask_for_list, say_values
from clineval.kinds.mentions.items import list_sides
from clineval.kinds.records.fields import Field
from clineval.kinds.records.shape import LIST
from clineval.results.columns import Sides
from clineval.results.item import Item
from clineval.results.kind import AnswerWays, ItemGroup, Kind, PlainAnswers, T

WHOLE = "record"
"""The slot that holds the fields of a record together."""


_BY_SCHEMA = (
    "Answer with JSON and nothing else. It must follow the schema: an object, or a list",
    "of objects. Leave out properties that the note does not mention.",
)


@dataclass(frozen=True)
class RecordKind(Kind):
    """The records of documents.

    Args:
        class_slot: see :class:`Kind`, also for the other arguments.
        fields: the fields of a record; empty if a schema of the user describes them.
        names: the names that the list of a document's records may have.
    """

    name: ClassVar[str] = "records"
    items: ClassVar[str] = "records"
    no_value: ClassVar[str | None] = ""
    structure: ClassVar[frozenset[str]] = frozenset({LIST})
    never: ClassVar[Mapping[str, str]] = {
        "adjudicate": "a remark names a place in the text, and records have none",
        "docs": "Docs hold annotations with a place in the text, and records have none",
        "bigbio": "the BigBIO schemas have no records",
        "trainer": "tags mark places in the text, and records have none",
    }

    _: KW_ONLY
    fields: tuple[Field, ...] = ()
    names: tuple[str, ...] = ()

    def answer(self, ways: AnswerWays[T], /) -> T:
        """Read records; with a schema of the user, any object is one."""
        keys = {field.name: field.key or field.name for field in self.fields}
        return ways.plain(
            PlainAnswers(self.names, tuple(keys.values()), keys=keys, objects=not keys)
        )

    def ask(self, _config: str, /) -> Sequence[str]:
        """Ask for a list of records, or for what the schema describes."""
        if not self.fields:
            return _BY_SCHEMA
        keys = [(field.key or field.name, _describe(field)) for field in self.fields]
        return ask_for_list("item that the note mentions", keys)

    def group_items(self, _corpus: object, sides: Sides, /) -> Sequence[ItemGroup]:
        """Return the records with their fields, without the slot that holds all of them.

        If records are nested, their label is the list to which they belong.
        """
        whole = self.class_slot.name if self.class_slot else WHOLE
        gold, prediction = (
            replace(side, attributes={n: c for n, c in side.attributes.items() if n != whole})
            for side in sides
        )
        return [ItemGroup(self.items, (gold, prediction), LIST)]

    def list_items(self, _corpus: object, sides: Sides, /) -> tuple[Sequence[Item], Sequence[Item]]:
        """List records, with their fields as values."""
        return list_sides(sides, self.class_slot)

    @property
    def right(self) -> str:
        """The fields in which pairs must agree to be right in ``errors``."""
        if self.class_slot is None:
            return ""
        if not self.fields:
            return "right: records that are paired and agree in all their fields"
        same = f"records that are paired and have the same {self.class_slot.word}"
        return f"right: {same}; other fields may differ"


def _describe(field: Field) -> str:
    """Describe the value of a field."""
    described = say_values(field.values) or (
        "a list" if field.kind == "set" else "the value as written"
    )
    return described if field.required else f"{described}; may be left out"
