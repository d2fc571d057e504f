"""Relations as a kind: typed, between two mentions of a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from clineval.base.narrowing import as_type
from clineval.kinds.asking import QUOTE, ask_for_object, describe_slots, say_values
from clineval.kinds.mentions.items import list_items
from clineval.kinds.mentions.kind import SpanKind
from clineval.kinds.relations.columns import RelatedCorpus, RelationColumns
from clineval.results.columns import MentionColumns, Sides
from clineval.results.item import Item
from clineval.results.kind import AnswerWays, Form, ItemGroup, T
from clineval.results.sources import Entity, Source, describe


@dataclass(frozen=True)
class RelationKind(SpanKind):
    """Mentions, and relations between them.

    The slot of classes holds the labels of mentions, and of relations if they are listed.

    Args:
        class_slot: see :class:`SpanKind`, also for the other arguments.
        labels: the labels that relations can have; empty for any.
    """

    name: ClassVar[str] = "relations"
    source_parts: ClassVar[frozenset[str]] = frozenset({"entities", "relations"})
    never: ClassVar[Mapping[str, str]] = {
        "trainer": "tags mark mentions, but not the relations between them",
    }

    _: KW_ONLY
    labels: tuple[str, ...] = ()

    def forms(self) -> Sequence[Form]:
        """List the forms: a document as a string of JSON."""
        return (str,)

    def answer(self, ways: AnswerWays[T], /) -> T:
        """Read quotes, and relations between them."""
        return ways.related(self.labels)

    def ask(self, config: str, /) -> Sequence[str]:
        """Ask for mentions with quotes, and for relations between them."""
        mention = [("id", "a name of its own"), QUOTE, *describe_slots(self.slots(config))]
        labels = say_values(self.labels) or "the label, as the guidelines spell it"
        ends = [(end, "the id of a mention") for end in ("from", "to")]
        return ask_for_object(
            [
                ("mentions", "mention, in the order of the note", mention),
                ("relations", "relation between two of them", [("label", labels), *ends]),
            ]
        )

    def group_items(self, corpus: object, _sides: Sides, /) -> Sequence[ItemGroup]:
        """Return mentions and relations."""
        label = self.class_slot.name if self.class_slot else ""
        related = as_type(corpus, RelatedCorpus)
        mentions, relations = zip(
            *(
                (mentions.columns, links.as_mentions(mentions.columns, label))
                for mentions, links in related.sides
            ),
            strict=True,
        )
        return [
            ItemGroup("mentions", mentions, label),
            ItemGroup("relations", relations, label),
        ]

    def list_items(self, corpus: object, sides: Sides, /) -> tuple[Sequence[Item], Sequence[Item]]:
        """List relations, with mentions as ends."""
        gold, prediction = (
            list_items(columns, self.class_slot, self._list_ends(mentions.columns, relations))
            for columns, (mentions, relations) in zip(
                sides, as_type(corpus, RelatedCorpus).sides, strict=True
            )
        )
        return gold, prediction

    def _list_ends(
        self, mentions: MentionColumns, relations: RelationColumns
    ) -> list[tuple[Item, ...]]:
        items = list_items(mentions, self.class_slot)
        ends = zip(relations.source.tolist(), relations.target.tolist(), strict=True)
        return [(items[source], items[target]) for source, target in ends]

    def _of_source(self, source: Source) -> object:
        mentions = [self._describe(entity) for entity in source.entities]
        relations = [
            {"label": label, "from": first, "to": second}
            for label, first, second in source.relations
        ]
        return {"mentions": mentions, "relations": relations}

    def _describe(self, entity: Entity) -> dict[str, object]:
        classes = self.class_slot.name if self.class_slot else ""
        described = describe(entity.annotation, {classes: entity.annotation.label})
        return {"id": entity.id, **described}


@dataclass(frozen=True)
class TupleKind(RelationKind):
    """Mentions with codes and relations between them, scored as sets of tuples.

    The rows are tuples, which show their words and codes as values.
    """

    never: ClassVar[Mapping[str, str]] = {
        **RelationKind.never,
        "adjudicate": "the page shows relations of the whole document, and mentions without their "
        "relations",
    }

    def group_items(self, corpus: object, sides: Sides, /) -> Sequence[ItemGroup]:
        """Return the tuples."""
        return SpanKind.group_items(self, corpus, sides)

    def list_items(self, corpus: object, sides: Sides, /) -> tuple[Sequence[Item], Sequence[Item]]:
        """List the tuples."""
        return SpanKind.list_items(self, corpus, sides)

    def _describe(self, entity: Entity) -> dict[str, object]:
        """Add the first code of an entity."""
        described = super()._describe(entity)
        return {**described, "code": entity.codes[0]} if entity.codes else described
