"""Events of any types: built from mentions and relations, with the kinds of units that they have.

The value of a mention is the value of its only attribute, or all its attributes with their names.
Attributes of a trigger are labelled arguments of its event, in the place of the trigger. An
attribute that states ``no`` is one too, and has no value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.base.errors import warn
from clineval.kinds.events.units import (
    EVENT,
    LABEL,
    NO_VALUE,
    VALUE,
    EventSide,
    UnitKind,
    list_kinds,
)
from clineval.kinds.mentions.columns import concatenate
from clineval.kinds.relations.columns import RelatedSide
from clineval.results.columns import MentionColumns
from clineval.results.scheme import has_label
from clineval.results.slots import INVENTED

_UNUSED = "{n} {mention belongs|mentions belong} to no event and {does|do} not count"
_LOOSE = "{n} {relation does|relations do} not begin at a trigger and {does|do} not count"


class Scorers(NamedTuple):
    """The metrics that score what is not part of an event, for warnings; empty for none."""

    mentions: str = ""
    relations: str = ""

    def advise(self, what: str) -> str:
        """Return the end of a warning about ``mentions`` or ``relations`` that are left out.

        Examples:
            >>> Scorers(relations="other_metric").advise("relations")
            '; other_metric scores relations'
        """
        name = self._asdict()[what]
        return f"; {name} scores {what}" if name else ""


NO_SCORERS = Scorers()
Stated = Mapping[str, IntArray]
"""Name of an attribute to the rows of the mentions that state ``no``; others do not have it."""
_NOTHING: Stated = {}


def build_events(
    related: RelatedSide,
    triggers: BoolArray,
    *,
    by_role: bool,
    scorers: Scorers = NO_SCORERS,
    stated: Stated = _NOTHING,
) -> EventSide:
    """Build events from triggers, and from relations that lead from them to their arguments.

    An argument that is a trigger, too, has no value.

    Args:
        related: the mentions and relations.
        triggers: ``[n]``, which mentions are triggers.
        by_role: whether an argument has the label of the relation; otherwise of its mention.
        scorers: the metrics that score other mentions and relations.
        stated: the mentions with attributes that state ``no``.
    """
    mentions, relations = related.side.mentions, related.relations
    own = relations.take(np.flatnonzero(triggers[relations.source]))
    firsts, label = np.flatnonzero(triggers), mentions.attributes[LABEL.name]
    value = _join_attributes(mentions)
    of_targets = Coded(np.where(triggers[own.target], 0, value.ids[own.target]), value.values)
    named = own.label if by_role else Coded(label.ids[own.target], label.values)
    parts = [
        (firsts, _as_units(mentions, firsts, Coded(label.ids[firsts], label.values), NO_VALUE)),
        (own.source, _as_units(mentions, own.target, named, of_targets)),
        *_list_attributes(mentions, firsts, stated),
    ]
    order = np.argsort(np.concatenate([heads for heads, _ in parts]), kind="stable")
    units = concatenate([columns for _, columns in parts]).take(order)
    warn(_UNUSED + scorers.advise("mentions"), n=_count_unused(triggers, own.target))
    warn(_LOOSE + scorers.advise("relations"), n=len(relations) - len(own))
    return EventSide.from_units(related.side, units, order < len(firsts))


def _count_unused(triggers: BoolArray, targets: IntArray) -> int:
    used = triggers.copy()
    used[targets] = True
    return int(np.count_nonzero(~used))


def _as_units(
    mentions: MentionColumns, rows: IntArray, label: Coded, value: Coded | str
) -> MentionColumns:
    """Return the mentions at some rows as units with these labels and values."""
    if isinstance(value, str):
        value = Coded(np.zeros(len(rows), np.int8), (value,))
    found = mentions.take(rows)
    return MentionColumns(
        found.document,
        found.bounds,
        found.starts,
        found.ends,
        {LABEL.name: label, VALUE.name: value},
        found.spelling,
    )


def _list_attributes(
    mentions: MentionColumns, triggers: IntArray, stated: Stated
) -> Iterator[tuple[IntArray, MentionColumns]]:
    """Yield the attributes of triggers as labelled arguments, with the rows of their triggers."""
    for name, column in _attributes_of(mentions):
        named = np.array([value != NO_VALUE for value in column.values], np.bool_)
        has_it = named[column.ids] if len(named) else np.zeros(len(mentions), np.bool_)
        if name in stated:
            has_it[stated[name]] = True
        rows = triggers[has_it[triggers]]
        if len(rows):
            label = Coded(np.zeros(len(rows), np.int8), (name,))
            yield rows, _as_units(mentions, rows, label, Coded(column.ids[rows], column.values))


def _attributes_of(mentions: MentionColumns) -> list[tuple[str, Coded]]:
    return sorted((name, of) for name, of in mentions.attributes.items() if name != LABEL.name)


def _join_attributes(mentions: MentionColumns) -> Coded:
    """Return the value of each mention, :data:`NO_VALUE` first."""
    attributes = _attributes_of(mentions)
    if not attributes or not len(mentions):
        return Coded(np.zeros(len(mentions), np.int8), (NO_VALUE,))
    table = np.column_stack([column.ids.astype(np.int64) for _, column in attributes])
    combinations, numbers = np.unique(table, axis=0, return_inverse=True)
    named = [
        [(name, of.values[at]) for (name, of), at in zip(attributes, row, strict=True)]
        for row in combinations.tolist()
    ]
    joined = Coded.of([_join_values(values) for values in named])
    values = (NO_VALUE, *(value for value in joined.values if value != NO_VALUE))
    folded = joined.fold(str, values)
    return Coded(folded.ids[numbers.reshape(-1)], values)


def _join_values(values: list[tuple[str, str]]) -> str:
    """Join the attributes of a mention.

    Examples:
        >>> _join_values([("negated", "no"), ("severity", "high")])
        'high'
        >>> _join_values([("negated", "yes"), ("severity", "high")])
        'negated=yes severity=high'
    """
    there = [(name, value) for name, value in values if value != NO_VALUE]
    if len(there) == 1:
        return there[0][1]
    return " ".join(f"{name}={value}" for name, value in there) or NO_VALUE


def list_unit_kinds(side: EventSide) -> list[UnitKind]:
    """List the kinds of units of a side, without placeholders for invalid values."""
    kinds, _ = list_kinds(side.mentions, side.heads)
    return [kind for kind in kinds if INVENTED not in kind]


def find_labelled(side: EventSide) -> tuple[str, ...]:
    """List the labels of arguments that have a value in half of the cases, or more."""
    kinds, numbers = list_kinds(side.mentions, side.heads)
    valued, every = Counter[str](), Counter[str]()
    for kind, count in zip(kinds, np.bincount(numbers, minlength=len(kinds)), strict=True):
        if not kind.trigger:
            every[kind.label] += int(count)
            valued[kind.label] += int(count) * (kind.value != NO_VALUE)
    return tuple(sorted(label for label in every if 2 * valued[label] >= every[label]))


def keep_types(side: EventSide, types: Collection[str]) -> EventSide:
    """Keep the events of some types, and invalid ones; a warning counts the others."""
    units = side.mentions
    kept = has_label(units.attributes[EVENT.name], [*types, INVENTED])
    lost = ~kept & (side.heads == np.arange(len(units)))
    warn(
        "{n} {event has a type|events have types} that events= does not list, and {does|do} not "
        "count",
        n=int(np.count_nonzero(lost)),
    )
    return side if kept.all() else side.keep(kept)


def keep_arguments(side: EventSide, labels: Collection[str]) -> EventSide:
    """Keep triggers, and the arguments with some labels; a warning counts the others."""
    units = side.mentions
    kept = has_label(units.attributes[LABEL.name], [*labels, INVENTED])
    kept |= side.heads == np.arange(len(units))
    warn(
        "{n} {argument has a label|arguments have labels} that events= does not list, and "
        "{does|do} not count",
        n=int(np.count_nonzero(~kept)),
    )
    return side if kept.all() else side.keep(kept)
