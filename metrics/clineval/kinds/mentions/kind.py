"""Spans as a kind: mentions with fragments, and a code or a label."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from clineval.base.errors import warn
from clineval.kinds.asking import QUOTE, ask_for_list, describe_slots
from clineval.kinds.mentions.items import list_sides
from clineval.kinds.mentions.tagged import as_mentions
from clineval.results.columns import Sides
from clineval.results.item import Item
from clineval.results.kind import AnswerWays, DocWays, Form, Kind, Offsets, T
from clineval.results.slots import Slot
from clineval.results.sources import Source, describe
from clineval.results.tagged import Annotation
from clineval.results.task import ClassSlot

NO_CODE = "CUI-less"
"""The code of an entity that has none."""
_IN_TOKENS = "offsets count tokens, and corrections are of characters"


def no_slots(_config: str) -> Sequence[Slot]:
    """Return no slots."""
    return ()


@dataclass(frozen=True)
class SpanKind(Kind):
    """Mentions of the text: one or more fragments, a code or a label, and slots.

    Args:
        class_slot: as in :class:`Kind`.
        offsets: likewise.
        without: likewise.
        slots_of: returns the slots of mentions in a configuration.
        free: whether mentions can have slots of any other name.
        noted: the slot that is a note in brat's files; empty for none.
        triggers: the classes of mentions that are triggers of events, which brat has lines for.
    """

    name: ClassVar[str] = "spans"
    items: ClassVar[str] = "mentions"
    in_columns: ClassVar[bool] = True
    with_notes: ClassVar[bool] = True
    quotes: ClassVar[bool] = True

    class_slot: ClassSlot | None = None
    offsets: Offsets = "characters"
    _: KW_ONLY
    slots_of: Callable[[str], Sequence[Slot]] = no_slots
    free: bool = False
    noted: str = ""
    triggers: tuple[str, ...] = ()

    @property
    def lacks(self) -> Mapping[str, str]:
        """Name of a face to a sentence that says why there is none."""
        counted = {} if self.offsets == "characters" else {"adjudicate": _IN_TOKENS}
        return {**counted, **super().lacks}

    def slots(self, config: str, /) -> Sequence[Slot]:
        """Return the slots of mentions."""
        return self.slots_of(config)

    @property
    def coded(self) -> bool:
        """Whether the class is a code, which a mention need not have."""
        return self.class_slot is not None and bool(self.class_slot.none)

    def forms(self) -> Sequence[Form]:
        """List the forms of mentions, which have a class; and a document as a string."""
        if self.class_slot is None:
            return (str,)
        return ([{"spans": [[int]], self.class_slot.name: str}], str)

    def answer(self, ways: AnswerWays[T], /) -> T:
        """Read quotes."""
        return ways.quoted()

    def ask(self, config: str, /) -> Sequence[str]:
        """Ask for a list of mentions with quotes and slots."""
        keys = [QUOTE, *describe_slots(self.slots(config))]
        return ask_for_list("mention, in the order of the note", keys)

    def hold(self, ways: DocWays[T], /) -> T:
        """Hold mentions in a span group."""
        return ways.spans()

    def build(self, annotations: Sequence[Annotation], text: str, /) -> object:
        """Make mentions with the tags as labels; where codes are scored, without codes."""
        label = "" if self.coded or self.class_slot is None else self.class_slot.name
        return as_mentions(label=label)(annotations, text)

    def list_items(self, _corpus: object, sides: Sides, /) -> tuple[Sequence[Item], Sequence[Item]]:
        """List mentions."""
        return list_sides(sides, self.class_slot)

    def of_sources(self, sources: Sequence[Source], /) -> list[object]:
        """Make mentions of entities, with the type as the label or with the first code."""
        if self.coded:
            several = sum(len(entity.codes) > 1 for source in sources for entity in source.entities)
            problem = "{n} {entity has|entities have} several codes, of which the first is taken"
            warn(problem, n=several)
        return [self._of_source(source) for source in sources]

    def _of_source(self, source: Source) -> object:
        classes = self.class_slot.name if self.class_slot else ""
        return [
            describe(
                entity.annotation,
                {classes: next(iter(entity.codes), None) if self.coded else entity.annotation.label}
                if classes
                else {},
            )
            for entity in source.entities
        ]


@dataclass(frozen=True)
class GivenSpanKind(SpanKind):
    """Mentions whose spans are given to the systems, so that only their codes are scored."""

    never: ClassVar[Mapping[str, str]] = {
        "answers": "the spans are given, and a quote does not identify one of them",
        "read": "the spans are given",
        "adjudicate": "the spans are given",
        "trainer": "the spans are given, and tags only find spans",
    }
    given: ClassVar[bool] = True

    def hold(self, ways: DocWays[T], /) -> T:
        """Hold mentions in a span group."""
        return ways.given_spans()

    def of_sources(self, sources: Sequence[Source], /) -> list[object]:
        """List the codes of all entities, one entity after the other."""
        entities = (entity for source in sources for entity in source.entities)
        return [list(entity.codes) or [NO_CODE] for entity in entities]
