"""Spans as a kind: mentions with fragments, and a code or a label."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, ClassVar

from clineval.base.errors import warn
from clineval.kinds.asking import QUOTE, ask_for_list, describe_slots
from clineval.results.columns import Sides
from clineval.results.kind import AnswerWays, DocWays, Form, Kind, Offsets, T
from clineval.results.slots import Slot
from clineval.results.task import ClassSlot

if TYPE_CHECKING:  # only some faces use them
    from clineval.results.item import Item
    from clineval.results.sources import Source
    from clineval.results.tagged import Annotation

NO_CODE = "CUI-less"
"""The code of an entity without a code."""
_IN_TOKENS = "offsets count tokens, but corrections count characters"


def no_slots(_config: str) -> Sequence[Slot]:
    """Return no slots."""
    return ()


@dataclass(frozen=True)
class SpanKind(Kind):
    """Mentions of the text: one or more fragments, a code or a label, and slots.

    Args:
        class_slot: see :class:`Kind`.
        offsets: see :class:`Kind`.
        without: see :class:`Kind`.
        slots_of: returns the slots of mentions in a configuration.
        free: whether mentions can have slots with any other name.
        noted: the slot that brat's files hold as a note; empty if there is none.
        triggers: the classes of mentions that are triggers; brat writes events in their own lines.
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
        """Name of a lacking face to a sentence with the reason."""
        counted = {} if self.offsets == "characters" else {"adjudicate": _IN_TOKENS}
        return {**counted, **super().lacks}

    def slots(self, config: str, /) -> Sequence[Slot]:
        """Return the slots of mentions."""
        return self.slots_of(config)

    @property
    def coded(self) -> bool:
        """Whether the class is a code, which is optional."""
        return self.class_slot is not None and bool(self.class_slot.none)

    def forms(self) -> Sequence[Form]:
        """List the forms: mentions with a class, or a document as a string."""
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
        """Build mentions with tags as labels, or without codes if codes are scored."""
        from clineval.kinds.mentions.tagged import as_mentions

        label = "" if self.coded or self.class_slot is None else self.class_slot.name
        return as_mentions(label=label)(annotations, text)

    def list_items(self, _corpus: object, sides: Sides, /) -> tuple[Sequence[Item], Sequence[Item]]:
        """List mentions."""
        from clineval.kinds.mentions.items import list_sides

        return list_sides(sides, self.class_slot)

    def of_sources(self, sources: Sequence[Source], /) -> list[object]:
        """Build mentions from entities, with the type as the label or with the first code."""
        if self.coded:
            several = sum(len(entity.codes) > 1 for source in sources for entity in source.entities)
            problem = "{n} {entity has|entities have} several codes, and the first one is used"
            warn(problem, n=several)
        return [self._of_source(source) for source in sources]

    def _of_source(self, source: Source) -> object:
        from clineval.results.sources import describe

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
class ConceptKind(SpanKind):
    """Mentions with a label, and with concepts in a slot, separated by bars.

    Args:
        concepts: the slot.
    """

    _: KW_ONLY
    concepts: str

    def answer(self, ways: AnswerWays[T], /) -> T:
        """Read quotes with places; concepts of documents have no words that could be compared."""
        return ways.quoted(worded=False)

    def _of_source(self, source: Source) -> object:
        from clineval.results.sources import describe

        label = self.class_slot.name if self.class_slot else ""
        return [
            describe(
                entity.annotation,
                {label: entity.annotation.label, self.concepts: "|".join(entity.full_codes)},
            )
            for entity in source.entities
        ]


@dataclass(frozen=True)
class GivenSpanKind(SpanKind):
    """Mentions with spans that systems receive, so that only codes are scored."""

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
