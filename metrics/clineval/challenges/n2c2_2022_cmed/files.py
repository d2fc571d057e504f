r"""brat's files of the challenge: a line ``T`` for a medication, ``E`` for what is said of it.

``T1<tab>Disposition 0 7<tab>aspirin`` is a medication, ``E1<tab>Disposition:T1`` its event and
``A1<tab>Action E1 Stop`` an attribute of the event. The type of the event counts, that of the
medication does not; a medication without an event has the label Drug.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import warn
from clineval.base.files import Source
from clineval.formats.brat.events import Attribute, EventLines, read_attributes, read_events
from clineval.formats.brat.standoff import FILES, Standoff, chunks_of, find_text, parse
from clineval.formats.files import TextFile, from_string, read_text_files
from clineval.kinds.mentions.columns import MentionColumns, Side, concatenate
from clineval.kinds.mentions.slots import Slot

DRUG = "Drug"
EVENTS = ("Disposition", "NoDisposition", "Undetermined")
CONTEXT = ("Action", "Negation", "Temporality", "Certainty", "Actor")
"""The attributes of events, as brat's files call them; slots have their names in lower case."""
ABSENT = "no"
"""The value of an attribute that is not there."""
SLOTS = tuple(Slot(name.lower(), "free") for name in CONTEXT)


@dataclass(frozen=True, slots=True)
class EventFiles:
    """The challenge's text format, as :class:`~clineval.formats.given.mentions.TextFormat`."""

    FILES: str = FILES
    UNREAD: AbstractSet[str] = frozenset({"cui"})

    def document_key(self, name: str) -> str:
        """Return the name without ``.txt``, which names of brat's documents may lack."""
        return name.removesuffix(".txt")

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read files, which are paired by their names."""
        names: list[str] = []
        texts: list[str | None] = []
        parts = []
        for chunk in chunks_of(read_text_files(source, pattern=FILES, separator="\t")):
            found = list(map(find_text, chunk))
            parts.append(_read(chunk, found, len(names)))
            names += [file.stem or "" for file in chunk]
            texts += found
        keys = tuple(names) if all(names) else None
        return Side(tuple(names), keys, concatenate(parts), tuple(texts))

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read one string of lines for each document; they are paired by position."""
        first, parts = 0, []
        files = (from_string(f"document {at}", text) for at, text in enumerate(strings))
        for chunk in chunks_of(files):
            parts.append(_read(chunk, [None] * len(chunk), first))
            first += len(chunk)
        return Side(("",) * first, None, concatenate(parts))


def _read(files: Sequence[TextFile], texts: Sequence[str | None], first: int) -> MentionColumns:
    """Read the medications of some files; documents are numbered from ``first``."""
    standoff = parse(files, loops=True)
    standoff.check_offsets(texts)
    events = read_events(standoff)
    _check(events, standoff)
    slots = _read_slots(events, standoff)
    standoff.refuse()
    mentions = standoff.mentions
    _warn_of_types(mentions)
    standoff.warn_of_links()
    labels = np.zeros(len(mentions), np.int64)
    labels[events.trigger] = events.label.fold(str, (DRUG, *EVENTS)).ids
    return replace(
        mentions,
        document=(mentions.document + first).astype(np.int32),
        attributes={"label": Coded(labels, (DRUG, *EVENTS)), **slots},
    )


def _check(events: EventLines, standoff: Standoff) -> None:
    """Note events of other types, with arguments, or of a medication that has one already."""
    known = np.array([label in EVENTS for label in events.label.values], np.bool_)
    _, firsts = np.unique(events.trigger, return_index=True)
    problems = {
        f"unknown type, expected one of {', '.join(EVENTS)}": ~known[events.label.ids],
        "events of this challenge have no arguments": np.diff(events.bounds) > 0,
        "the mention has an event already; a second one needs a mention of its own": np.isin(
            np.arange(len(events)), firsts, invert=True
        ),
    }
    for problem, wrong in problems.items():
        if wrong.any():
            standoff.problems.append((events.lines[wrong], problem))


def _read_slots(events: EventLines, standoff: Standoff) -> dict[str, Coded]:
    """Read the attributes of events as slots of their triggers."""
    files = standoff.table.file[events.lines].tolist()
    keys = zip(files, events.ids.tolist(), strict=True)
    rows = dict(zip(keys, events.trigger.tolist(), strict=True))
    found: dict[str, dict[int, str]] = {name: {} for name in CONTEXT}
    for attribute in read_attributes(standoff, rows, "E"):
        problem = _add(found, attribute)
        if problem:
            standoff.problems.append((np.array([attribute.line]), problem))
    size = len(standoff.mentions)
    return {name.lower(): _as_column(values, size) for name, values in found.items()}


def _add(found: dict[str, dict[int, str]], attribute: Attribute) -> str:
    """Add an attribute; say what is wrong with it, if anything is."""
    if attribute.name not in found:
        return f"unknown attribute, expected one of {', '.join(CONTEXT)}"
    if found[attribute.name].setdefault(attribute.row, attribute.value) != attribute.value:
        return "the event has this attribute already, with another value"
    return ""


def _as_column(values: dict[int, str], size: int) -> Coded:
    """Return ``[size]``, the values of some rows, and none for the others."""
    names = tuple(dict.fromkeys([ABSENT, *values.values()]))
    numbers = {name: at for at, name in enumerate(names)}
    ids: IntArray = np.zeros(size, np.int64)
    ids[list(values)] = [numbers[value] for value in values.values()]
    return Coded(ids, names)


def _warn_of_types(mentions: MentionColumns) -> None:
    types = mentions.attributes["label"]
    other = np.array([value not in (DRUG, *EVENTS) for value in types.values], np.bool_)
    warn(
        "{n} {mention is|mentions are} of another type than a medication, which is not read",
        n=int(other[types.ids].sum()) if len(mentions) else 0,
    )
