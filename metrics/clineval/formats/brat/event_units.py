r"""brat's files of events, whose triggers and arguments are units.

``T1<tab>Tobacco 0 6<tab>Smokes`` is a trigger or an argument, ``E1<tab>Tobacco:T1 Status:T2`` an
event, and ``A1<tab>StatusTimeVal T2 current`` the value of an argument; names of roles and of
attributes are not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.base.errors import warn
from clineval.base.files import Source
from clineval.formats.brat.events import (
    EventLines,
    as_column,
    number_mentions,
    read_attributes,
    read_events,
)
from clineval.formats.brat.parts import Documents, read_files, read_strings
from clineval.formats.brat.standoff import FILES, Standoff, parse
from clineval.formats.files import TextFile
from clineval.kinds.events.scheme import Scheme, has_label
from clineval.kinds.events.units import LABEL, NO_VALUE, VALUE, EventSide, warn_of_unused
from clineval.kinds.mentions.columns import MentionColumns, concatenate
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.relations.columns import NO_RELATIONS, RelatedSide

Part = tuple[MentionColumns, BoolArray, tuple[int, int]]
"""Units, which of them are triggers, and how many arguments and triggers are in no event."""


@dataclass(frozen=True, slots=True)
class BratEvents:
    """brat's files as documents with relations are read; what it returns has the units already."""

    scheme: Scheme
    FILES: str = FILES

    def read_side(self, source: Source, _slot: Slot, _labels: Sequence[str], /) -> RelatedSide:
        """Read files, which are paired by their names."""
        return self._join(*read_files(source, self.read))

    def read_strings(
        self, strings: Sequence[str], _slot: Slot, _labels: Sequence[str], /
    ) -> RelatedSide:
        """Read one string of lines for each document; they are paired by position."""
        return self._join(*read_strings(strings, self.read))

    def read(self, files: Sequence[TextFile], texts: Sequence[str | None], first: int) -> Part:
        """Read the units of some files; documents are numbered from ``first``."""
        standoff = parse(files, labels=self.scheme.labels, loops=True)
        standoff.check_offsets(texts)
        events = read_events(standoff)
        values = _read_values(standoff)
        _check(events, standoff, self.scheme)
        standoff.refuse()
        _warn_of_types(events, standoff)
        standoff.warn_of_links()
        mentions = standoff.mentions
        columns = replace(
            mentions,
            document=(mentions.document + first).astype(np.int32),
            attributes={LABEL.name: mentions.attributes["label"], VALUE.name: values},
        )
        # the trigger stands before the arguments of its event
        rows = np.insert(events.argument, events.bounds[:-1], events.trigger)
        begins = np.insert(np.zeros(len(events.argument), np.bool_), events.bounds[:-1], True)
        return columns.take(rows), begins, _count_unused(mentions, rows, self.scheme)

    def check(self, files: Sequence[TextFile], texts: Sequence[str | None]) -> None:
        """Refuse what is wrong in some files, and warn of what does not count."""
        units, _, unused = self.read(files, texts, 0)
        warn_of_unused(*unused)
        drop_values(units, self.scheme)

    def _join(self, parts: Sequence[Part], documents: Documents) -> RelatedSide:
        units = drop_values(concatenate([columns for columns, _, _ in parts]), self.scheme)
        begins = np.concatenate([np.zeros(0, np.bool_), *(of for _, of, _ in parts)])
        warn_of_unused(*map(sum, zip((0, 0), *(unused for *_, unused in parts), strict=True)))
        side = EventSide.from_units(documents.with_mentions(units), units, begins)
        return RelatedSide(side, NO_RELATIONS)


def _check(events: EventLines, standoff: Standoff, scheme: Scheme) -> None:
    """Note events that do not begin with a trigger, or have one as an argument."""
    trigger = has_label(standoff.mentions.attributes["label"], scheme.triggers)
    of_triggers = events.lines[~trigger[events.trigger]]
    of_arguments = events.lines[np.unique(events.owners[trigger[events.argument]])]
    expected = f"expected the trigger first, one of {', '.join(scheme.triggers)}"
    if len(of_triggers):
        standoff.problems.append((of_triggers, expected))
    if len(of_arguments):
        problem = f"a trigger is an argument, expected one of {', '.join(scheme.arguments)}"
        standoff.problems.append((of_arguments, problem))


def _count_unused(mentions: MentionColumns, rows: IntArray, scheme: Scheme) -> tuple[int, int]:
    """Count the arguments, and the triggers, that are not among the ``rows`` of events."""
    unused = np.delete(np.arange(len(mentions)), np.unique(rows))
    column = mentions.attributes["label"]
    label = Coded(column.ids[unused], column.values)
    triggers = int(np.count_nonzero(has_label(label, scheme.triggers)))
    return len(unused) - triggers, triggers


def _warn_of_types(events: EventLines, standoff: Standoff) -> None:
    label = standoff.mentions.attributes["label"]
    given = [events.label.values[at] for at in events.label.ids.tolist()]
    own = [label.values[label.ids[row]] for row in events.trigger.tolist()]
    warn(
        "{n} {event is|events are} called otherwise than {its trigger|their triggers}, whose type "
        "counts",
        n=sum(one != other for one, other in zip(given, own, strict=True)),
    )


def _read_values(standoff: Standoff) -> Coded:
    """Read the value of each mention, ``[n]``."""
    found: dict[int, str] = {}
    for attribute in read_attributes(standoff, number_mentions(standoff), "T"):
        if found.setdefault(attribute.row, attribute.value) != attribute.value:
            problem = "the mention has a value already, which is another one"
            standoff.problems.append((np.array([attribute.line]), problem))
    return as_column(found, len(standoff.mentions), NO_VALUE)


def drop_values(units: MentionColumns, scheme: Scheme) -> MentionColumns:
    """Return the units without values of triggers and of arguments whose place counts."""
    label, value = units.attributes[LABEL.name], units.attributes[VALUE.name]
    labelled = has_label(label, scheme.labelled)
    names = (NO_VALUE, *(name for name in value.values if name != NO_VALUE))
    ids = value.fold(str, names).ids
    warn(
        "{n} {value|values} of triggers, or of arguments whose place counts, {is|are} not read",
        n=int(np.count_nonzero(~labelled & (ids != 0))),
    )
    kept = Coded(np.where(labelled, ids, 0), names)
    return replace(units, attributes={**units.attributes, VALUE.name: kept})
