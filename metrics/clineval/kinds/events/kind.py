"""Events as a kind: triggers with arguments, which have a value or a span."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.narrowing import as_type
from clineval.kinds.asking import ask_for_list, list_keys, quote, say_values
from clineval.kinds.events.units import EventCorpus
from clineval.kinds.mentions.items import list_items
from clineval.kinds.mentions.kind import SpanKind
from clineval.results.columns import MentionColumns, Sides
from clineval.results.item import Item
from clineval.results.kind import AnswerWays, Form, ItemGroup, T
from clineval.results.scheme import Scheme
from clineval.results.sources import Event, Source, describe

_GUIDED = "the label, as the guidelines spell it"


@dataclass(frozen=True)
class EventKind(SpanKind):
    """Events: triggers with their arguments. The label of a trigger is the event's type.

    Args:
        class_slot: see :class:`SpanKind`, also for the other arguments.
        scheme: the types of events; an empty one allows any types.
    """

    name: ClassVar[str] = "events"
    source_parts: ClassVar[frozenset[str]] = frozenset({"entities", "events"})
    never: ClassVar[Mapping[str, str]] = {
        "adjudicate": "the page shows an argument once for each of its events, but files contain "
        "it once",
        "trainer": "tags mark mentions, but not the event of an argument",
    }

    _: KW_ONLY
    scheme: Scheme

    def forms(self) -> Sequence[Form]:
        """List the forms: a document as a string of JSON."""
        return (str,)

    def group_items(self, corpus: object, sides: Sides, /) -> Sequence[ItemGroup]:
        """Return triggers and arguments."""
        heads = as_type(corpus, EventCorpus).heads
        first, second = (own == np.arange(len(own)) for own in heads)
        label = self.class_slot.name if self.class_slot else ""
        return [
            ItemGroup(name, (sides[0].take(gold), sides[1].take(prediction)), label)
            for name, gold, prediction in (
                ("triggers", np.flatnonzero(first), np.flatnonzero(second)),
                ("arguments", np.flatnonzero(~first), np.flatnonzero(~second)),
            )
        ]

    def list_items(self, corpus: object, sides: Sides, /) -> tuple[Sequence[Item], Sequence[Item]]:
        """List triggers, and arguments with their trigger as the only end."""
        heads = as_type(corpus, EventCorpus).heads
        gold, prediction = (self._list_side(*side) for side in zip(sides, heads, strict=True))
        return gold, prediction

    def _list_side(self, columns: MentionColumns, heads: IntArray) -> list[Item]:
        units = list_items(columns, self.class_slot)
        return [
            unit if head == row else replace(unit, ends=(units[head],))
            for row, (unit, head) in enumerate(zip(units, heads.tolist(), strict=True))
        ]

    def answer(self, ways: AnswerWays[T], /) -> T:
        """Read events with quotes."""
        return ways.nested(self.scheme)

    def ask(self, _config: str, /) -> Sequence[str]:
        """Ask for events with quotes, and for their arguments."""
        argument = [
            ("label", say_values(self.scheme.arguments) or _GUIDED),
            ("text", "its words as they stand in the note"),
            ("value", self._ask_for_value()),
        ]
        return [
            *ask_for_list(
                "event, in the order of the note",
                [
                    ("label", say_values(self.scheme.triggers) or _GUIDED),
                    ("text", "the words of its trigger as they stand in the note"),
                    ("arguments", "a list with an object for each argument"),
                ],
            ),
            "The keys of an argument:",
            *list_keys(argument),
        ]

    def _ask_for_value(self) -> str:
        if self.scheme.is_open:
            return "its value, as the guidelines spell it, or null"
        labelled = ", ".join(map(quote, self.scheme.labelled))
        return f"its value, only for {labelled}" if labelled else "null"

    def _of_source(self, source: Source) -> object:
        """Build events; an argument is an entity with its role as the label."""
        entities = {entity.id: entity for entity in source.entities}

        def as_dict(event: Event) -> dict[str, object]:
            arguments = [
                describe(entities[id_].annotation, {"label": role})
                for role, id_ in event.arguments
                if id_ in entities
            ]
            known = describe(event.trigger, {"label": event.trigger.label})
            return {**known, "arguments": arguments}

        return {"events": list(map(as_dict, source.events))}
