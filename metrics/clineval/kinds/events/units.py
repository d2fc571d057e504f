"""Events as units: triggers and arguments are rows of one table of mentions.

An argument or a trigger of two events is a unit in each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from clineval.base.arrays import (
    BoolArray,
    Coded,
    IntArray,
    find_first,
    number_repeats,
    rank_rows,
)
from clineval.base.errors import warn
from clineval.base.hashing import ODD, Hashes, mix
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus, trace_sides
from clineval.kinds.mentions.digest import add_up_hashes, hash_mentions
from clineval.kinds.relations.columns import RelatedSide
from clineval.results.columns import MentionColumns
from clineval.results.scheme import Scheme, has_label
from clineval.results.slots import Slot

LABEL = Slot("label", "label", required=True)
VALUE = Slot("value", "free")
EVENT = Slot("event", "label", required=True)
_UNIT = Slot("unit", "label", required=True)
NO_VALUE = "no"
"""The value of units without a value."""


@dataclass(frozen=True, slots=True, eq=False)
class EventSide(Side):
    """One side of a corpus of events after reading.

    The ``n`` mentions are units with the slots ``label``, ``value`` and ``event`` (the label of the
    trigger). The units of an event are consecutive, the trigger first, in the order of the input.

    Args:
        heads: ``[n]``, the row of each unit's trigger; a trigger is its own.
        scheme: the types of events that the data show; None if the challenge declares them.
    """

    heads: IntArray = field(kw_only=True)
    scheme: Scheme | None = field(default=None, kw_only=True)

    def keep(self, kept: BoolArray) -> Self:
        """Return the side with some of its units; the arguments of a trigger need the trigger."""
        rows = np.flatnonzero(kept)
        numbers = np.cumsum(kept) - 1
        mentions = self.mentions.take(rows)
        return replace(self, mentions=mentions, heads=numbers[self.heads[rows]])

    @classmethod
    def of(cls, related: RelatedSide, triggers: Sequence[str]) -> EventSide:
        """Build events from mentions with the label of a trigger, and relations from them.

        Other mentions and relations are left out; a warning gives their number.
        """
        mentions, relations = related.side.mentions, related.relations
        firsts = np.flatnonzero(has_label(mentions.attributes[LABEL.name], triggers))
        own = np.flatnonzero(np.isin(relations.source, firsts))
        sources, targets = relations.source[own], relations.target[own]
        order = np.argsort(np.concatenate([firsts, sources]), kind="stable")
        rows = np.concatenate([firsts, targets])[order]
        warn_of_unused(len(mentions) - len(np.unique(rows)))
        warn(
            "{n} {relation does not begin|relations do not begin} at a trigger and {does|do} not "
            "count",
            n=len(relations) - len(own),
        )
        return cls.from_units(related.side, mentions.take(rows), order < len(firsts))

    @classmethod
    def from_units(cls, side: Side, units: MentionColumns, begins: ArrayLike) -> EventSide:
        """Build events from units, which belong to the last trigger before them."""
        firsts = np.flatnonzero(begins)
        sizes = np.diff(np.append(firsts, len(units)))
        heads = np.repeat(firsts, sizes)
        label = units.attributes[LABEL.name]
        names = Coded(label.ids[heads], label.values)
        document = units.document[heads]
        columns = replace(
            units, document=document, attributes={**units.attributes, EVENT.name: names}
        )
        known = side.texts, side.intake, side.languages
        return cls(side.documents, side.keys, columns, *known, heads=heads)


@dataclass(frozen=True, slots=True, eq=False)
class EventCorpus(Corpus):
    """Gold and predicted units of the same documents, ready for pairing.

    Units are in canonical order, independent of the order of the input. None are merged.

    Args:
        heads: for both sides ``[n]``, the row of each unit's trigger.
        places: for both sides ``[n]``, the position of each unit in the input.
        scheme: the types of events that the data show; None if the challenge declares them.
    """

    heads: tuple[IntArray, IntArray] = field(kw_only=True)
    places: tuple[IntArray, IntArray] = field(kw_only=True)
    scheme: Scheme | None = field(default=None, kw_only=True)

    def of_documents(self, first: int, last: int) -> Self:
        """Return the corpus of the documents ``first:last``, renumbered from 0."""
        part = super(EventCorpus, self).of_documents(first, last)
        cuts = [
            slice(*find_first(side.columns.document, [first, last]).tolist())
            for side in (self.gold, self.prediction)
        ]
        heads = [of[at] - at.start for of, at in zip(self.heads, cuts, strict=True)]
        places = [of[at] for of, at in zip(self.places, cuts, strict=True)]
        return replace(part, heads=(heads[0], heads[1]), places=(places[0], places[1]))

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of each document's gold units, with their triggers."""
        units = hash_mentions(self.gold.columns)
        hashes = mix(units[self.heads[0]] * ODD + units)
        return add_up_hashes(hashes, self.gold.columns.document, len(self.documents))

    @property
    def triggers(self) -> tuple[IntArray, IntArray]:
        """The rows of the triggers of both sides."""
        gold, prediction = (np.flatnonzero(of == np.arange(len(of))) for of in self.heads)
        return gold, prediction

    @property
    def steps(self) -> tuple[IntArray, IntArray]:
        """The distance in rows from each unit to its trigger, for both sides ``[n]``."""
        gold, prediction = (of - np.arange(len(of)) for of in self.heads)
        return gold, prediction

    @property
    def arguments(self) -> tuple[IntArray, IntArray]:
        """The rows of the arguments of both sides."""
        gold, prediction = (np.flatnonzero(of != np.arange(len(of))) for of in self.heads)
        return gold, prediction


class UnitKind(NamedTuple):
    """Whether a unit is a trigger, its event type, its label and its value."""

    trigger: bool
    event: str
    label: str
    value: str


def list_kinds(units: MentionColumns, heads: IntArray) -> tuple[list[UnitKind], IntArray]:
    """List the kinds of units that occur, and return the number of each unit's kind, ``[n]``."""
    columns = [units.attributes[slot.name] for slot in (EVENT, LABEL, VALUE)]
    shape = [2, *(max(len(column.values), 1) for column in columns)]
    first = (heads == np.arange(len(heads))).astype(np.int64)
    found = np.ravel_multi_index([first, *(column.ids for column in columns)], shape)
    there, numbers = np.unique(found, return_inverse=True)
    kinds = [
        UnitKind(
            bool(trigger), *(of.values[number] for of, number in zip(columns, ids, strict=True))
        )
        for trigger, *ids in zip(*np.unravel_index(there, shape), strict=True)
    ]
    return kinds, numbers


def warn_of_unused(arguments: int, triggers: int = 0) -> None:
    """Warn about arguments, and about triggers in brat's files, that are in no event."""
    for what, number in (("argument", arguments), ("trigger", triggers)):
        problem = f"{{n}} {{{what} belongs|{what}s belong}} to no event and {{does|do}} not count"
        warn(problem, n=number)


def join_events(gold: EventSide, prediction: EventSide) -> EventCorpus:
    """Join both sides."""
    sides = (_with_units(gold), _with_units(prediction))
    corpus, rows = trace_sides(*sides, [LABEL, EVENT, VALUE, _UNIT])
    heads, places = [], []
    for side, new_rows in zip((gold, prediction), rows, strict=True):
        place = np.empty(len(new_rows), np.int64)
        place[new_rows] = np.arange(len(new_rows))
        places.append(place)
        heads.append(new_rows[side.heads[place]])
    shown = corpus.with_columns(_without_units)
    return EventCorpus(
        shown.documents,
        shown.gold,
        shown.prediction,
        shown.texts,
        intake=shown.intake,
        heads=(heads[0], heads[1]),
        places=(places[0], places[1]),
        scheme=gold.scheme,
    )


def _with_units(side: EventSide) -> Side:
    """Add a slot that differs between all units and does not depend on their order."""
    units = side.mentions
    hashes = hash_mentions(units)
    firsts = np.flatnonzero(side.heads == np.arange(len(units)))
    events = np.add.reduceat(mix(hashes), firsts) if len(firsts) else hashes
    whole = mix(mix(hashes[firsts]) * ODD + events)
    event = np.repeat(np.arange(len(firsts)), np.diff(np.append(firsts, len(units))))
    order = np.lexsort((event, whole[event]))
    numbers = np.empty(len(units), np.int64)
    numbers[order] = number_repeats(rank_rows([units.document, hashes.view(np.int64)])[order])
    names = tuple(f"{number:09}" for number in range(int(numbers.max(initial=-1)) + 1))
    attributes = {**units.attributes, _UNIT.name: Coded(numbers, names)}
    return replace(side, mentions=replace(units, attributes=attributes))


def _without_units(columns: MentionColumns) -> MentionColumns:
    kept = {name: of for name, of in columns.attributes.items() if name != _UNIT.name}
    return replace(columns, attributes=kept)
