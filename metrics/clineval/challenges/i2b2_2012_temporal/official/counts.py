"""Count what the functions of the i2b2 2012 program return, for each document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Literal

from clineval.base.errors import located
from clineval.challenges.i2b2_2012_temporal.official.links import Counts as LinkCounts
from clineval.challenges.i2b2_2012_temporal.official.links import Ids, Verifier
from clineval.challenges.i2b2_2012_temporal.official.pairing import (
    Pairing,
    Take,
    take_event,
    take_time,
)
from clineval.challenges.i2b2_2012_temporal.official.tags import Entity, Tags

Spans = Literal["overlap", "exact", "partialCredit"]
Links = Literal["tempeval", "oo", "oc", "cc"]
Part = Literal["all", "event", "timex", "tlink"]


@dataclass(frozen=True, slots=True)
class Mode:
    """The options of a call: the parts that are evaluated, and how spans and links match."""

    part: Part = "all"
    spans: Spans = "overlap"
    links: Links = "tempeval"

    def has(self, part: Part) -> bool:
        """Return whether a part is evaluated."""
        return self.part in ("all", part)


@dataclass(frozen=True, slots=True)
class EntityCounts:
    """The counts of events or of times in the program's order; gold's pairs give the attributes."""

    gold: int = 0
    system: int = 0
    right_precision: int = 0
    right_recall: int = 0
    first: int = 0
    second: int = 0
    third: int = 0
    credit_recall: float = 0.0
    credit_precision: float = 0.0

    def list_values(self) -> list[float]:
        """List the counts in their order."""
        return [getattr(self, field.name) for field in fields(self)]

    @classmethod
    def total(cls, counts: Iterable[EntityCounts]) -> EntityCounts:
        """Add counts up."""
        return cls(*map(sum, zip(*(of.list_values() for of in counts), strict=True)))


@dataclass(frozen=True, slots=True)
class DocumentCounts:
    """The counts of a document, and the ids in its links that are no entities [l19]."""

    events: EntityCounts
    times: EntityCounts
    links: LinkCounts
    unknown: Sequence[str]


def count_document(gold: Tags, system: Tags, mode: Mode) -> DocumentCounts:
    """Count a document: events, times, and links between the ids that they stand for."""
    events = times = EntityCounts()
    links: LinkCounts = (0, 0, 0, 0)
    ids: tuple[Ids, Ids] = ({}, {})
    unknown: Sequence[str] = ()
    if mode.has("event"):
        events, ids = _count_entities(gold.list_events(), system.list_events(), take_event, mode)
    if mode.has("timex"):
        sides = gold.list_times(), system.list_times()
        times, found = located(gold.name, _count_entities, *sides, take_time, mode)
        ids = {**ids[0], **found[0]}, {**ids[1], **found[1]}
    if mode.has("tlink"):
        verifier = Verifier(gold, system, ids)
        links, unknown = located(gold.name, _METHODS[mode.links], verifier), verifier.unknown
    return DocumentCounts(events, times, links, unknown)


def _count_entities(
    golds: Sequence[Entity], systems: Sequence[Entity], take: Take, mode: Mode
) -> tuple[EntityCounts, tuple[Ids, Ids]]:
    """Pair twice: gold's pairing counts for recall and attributes, the system's for precision."""
    recall, precision = Pairing.between(golds, systems, take), Pairing.between(systems, golds, take)
    exact = mode.spans == "exact"
    first, second, third = (sum(of[at] for of in recall.right if of) for at in range(3))
    counts = EntityCounts(
        len(golds),
        len(systems),
        precision.count(exact=exact),
        recall.count(exact=exact),
        first,
        second,
        third,
        sum(recall.scores),
        sum(precision.scores),
    )
    return counts, (recall.ids, precision.ids)


_METHODS: Mapping[Links, Callable[[Verifier], LinkCounts]] = {
    "tempeval": Verifier.count_by_graph,
    "oo": Verifier.count_as_written,
    "oc": lambda verifier: verifier.count_by_closure(closed=False),
    "cc": lambda verifier: verifier.count_by_closure(closed=True),
}
