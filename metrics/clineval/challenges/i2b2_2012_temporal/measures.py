"""Declare the scores of i2b2 2012: entities, their attributes, and links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from clineval.base.ratios import Number, Totals, ratio
from clineval.challenges.i2b2_2012_temporal.tags import EVENT, SLOTS, TIMEX3
from clineval.protocols.relations import ALL_PREDICTED, AS_WRITTEN, CLOSED_SCORES
from clineval.results.formulas import Formula, Prf
from clineval.results.measures import Measure, Measures

_TITLES = {EVENT: "Events", TIMEX3: "Times"}
_OF_ENTITIES, _OF_LINKS = ("default", "entities"), ("default", "links")
_FOUND, _ALL = "of found", "of all"


@dataclass(frozen=True, slots=True)
class EntityKeys:
    """The names of the counts of the entities of a label.

    Args:
        label: the label.
    """

    label: str

    @property
    def lenient(self) -> str:
        """Entities that share a character."""
        return self.label.lower()

    @property
    def exact(self) -> str:
        """Pairs with the same words."""
        return f"{self.lenient}_exact"

    def right(self, slot: str) -> str:
        """Pairs with the right value in a slot."""
        return f"{self.lenient}_{slot}_right"


def _declare_spans(label: str) -> Iterator[Measure]:
    keys, title = EntityKeys(label), _TITLES[label]
    short = label[:2].lower()
    yield Prf(keys.lenient, title, heading="overlapping", short=short, configs=_OF_ENTITIES)
    yield Prf(
        keys.exact, title, heading="exact", main=False, configs=_OF_ENTITIES,
    )  # fmt: skip
    for name, parts in {"precision": ("fp",), "recall": ("fn",), "f1": ("fp", "fn")}.items():
        column = {"precision": "P", "recall": "R", "f1": "F1"}[name]
        yield Formula(
            f"{keys.lenient}_partial_{name}",
            _PartialCredit(keys, parts),
            (f"{title}, half credit for overlapping spans", "all", column),
            configs=_OF_ENTITIES,
        )


@dataclass(frozen=True, slots=True)
class _PartialCredit:
    """Divides the credit of pairs, 1 if they are exact and 0.5 if not, by all entities."""

    keys: EntityKeys
    parts: tuple[str, ...]

    def __call__(self, totals: Totals) -> Number:
        lenient = self.keys.lenient
        pairs, exact = totals[f"{lenient}_tp"], totals[f"{self.keys.exact}_tp"]
        sizes = sum(pairs + totals[f"{lenient}_{part}"] for part in self.parts)
        return ratio(len(self.parts) * (pairs + exact) / 2, sizes)


@dataclass(frozen=True, slots=True)
class _Share:
    """Divides pairs with a right value by all pairs, or by all gold entities."""

    keys: EntityKeys
    slot: str
    missed: bool

    def __call__(self, totals: Totals) -> Number:
        lenient = self.keys.lenient
        missed = totals[f"{lenient}_fn"] if self.missed else 0
        return ratio(totals[self.keys.right(self.slot)], totals[f"{lenient}_tp"] + missed)


def _declare_attributes(label: str) -> Iterator[Measure]:
    keys = EntityKeys(label)
    title = f"{_TITLES[label]}, attributes"
    for slot in SLOTS[label]:
        for ending, missed, column in (("_accuracy", False, _FOUND), ("", True, _ALL)):
            yield Formula(
                f"{keys.lenient}_{slot}{ending}",
                _Share(keys, slot, missed),
                (title, slot, column),
                configs=_OF_ENTITIES,
                main=missed and slot in ("type", "value"),
                short=f"{label[:2].lower()}_{slot[:4]}"
                if missed and slot in ("type", "value")
                else "",
            )


def _is_main(slot: str) -> bool:
    return slot in ("type", "value")


_REDUCED, _CLOSED = CLOSED_SCORES
LINKS = (
    replace(_REDUCED, short="link", configs=_OF_LINKS),
    replace(_CLOSED, short="link_c", configs=_OF_LINKS),
    Prf(
        AS_WRITTEN,
        "Links as written",
        heading="as written",
        short="link_w",
        configs=_OF_LINKS,
        place="exact/both",
        narrow={"classes": ("BEFORE", "OVERLAP")},
        preset="links",
    ),
)
"""The scores of links: reduced, all with closure, and as written."""
ENTITIES = tuple(
    measure for label in SLOTS for measure in (*_declare_spans(label), *_declare_attributes(label))
)
"""The scores of events and times."""
MEASURES = Measures.of(
    *ENTITIES,
    *LINKS,
    ranking={
        "default": ("links_f1", "event_f1", "timex3_f1"),
        "entities": ("event_f1", "timex3_f1"),
        "links": ("links_f1",),
    },
    headline=(
        *("links_f1", f"{ALL_PREDICTED}_f1", f"{AS_WRITTEN}_f1"),
        *("event_f1", "event_type", "timex3_f1", "timex3_value"),
    ),
    shown_per_document=("links_f1", "event_f1", "event_type", "timex3_f1", "timex3_value"),
)
