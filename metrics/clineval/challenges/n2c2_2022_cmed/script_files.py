"""Read files as the released script of n2c2 2022 Track 1 does: by the first letter of a line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.files import Source
from clineval.challenges.n2c2_2022_cmed.files import ABSENT, CONTEXT, DRUG, SLOTS
from clineval.formats.brat.standoff import FILES
from clineval.formats.files import open_strings, read_text_files
from clineval.kinds.mentions.columns import Side
from clineval.programs.lettered_lines import read_mentions, split_lines, split_three, stop
from clineval.results.columns import MentionColumns

COMBINED = len(CONTEXT)
"""The number that stands for all attributes of an event together."""


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """The attributes of mentions in the order of lines, with a combined one for each event.

    Args:
        mention: the row of the mention that the event belongs to, ``[a]``.
        name: the number of the attribute in :data:`CONTEXT`, or :data:`COMBINED`, ``[a]``.
        value: the value of the attribute, ``[a]``.
    """

    mention: IntArray
    name: IntArray
    value: Coded

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, str]]) -> Said:
        """Build columns from rows of mention, number of the attribute, and value."""
        mentions, names, values = zip(*rows, strict=True) if rows else ((), (), ())
        return cls(np.array(mentions, np.int64), np.array(names, np.int64), Coded.of(values))


@dataclass(frozen=True, slots=True, eq=False)
class ScriptSide(Side):
    """One side as the script reads it; mentions are in the order of lines.

    Args:
        said: the attributes, including repeated ones.
    """

    said: Said = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Lines:
    """The annotations that the script reads in one file.

    Args:
        mentions: type, start and end of each mention, by its id.
        events: the type of the event of each mention, by the id of the mention.
        said: the attributes: id of the mention, name and value.
        messages: the script's messages about lines; it prints the path before each.
    """

    mentions: Mapping[str, tuple[str, int, int]]
    events: Mapping[str, str]
    said: Sequence[tuple[str, str, str]]
    messages: Sequence[str]


def read_side(source: Source) -> ScriptSide:
    """Read files as the script does."""
    files = read_text_files(source, pattern=FILES, separator="\t", as_written=True)
    read = {file.stem or "": read_lines(file.content.decode(), file.label) for file in files}
    names = tuple(read)
    return _as_side(names, names if all(names) else None, list(read.values()))


def read_strings(strings: Sequence[str]) -> ScriptSide:
    """Read one string of lines for each document; they are paired by position."""
    read = [read_lines(file.content.decode(), file.label) for file in open_strings(strings)]
    return _as_side(("",) * len(read), None, read)


def from_slots(side: Side) -> ScriptSide:
    """Return a side that was not read from files, with its slots as attributes."""
    rows = side.mentions
    columns = [rows.attributes[slot.name] for slot in SLOTS]
    values = [[column.values[at] for at in column.ids.tolist()] for column in columns]
    each = zip(*values, strict=True)
    said = [row for at, own in enumerate(each) for row in _combine(at, list(enumerate(own)))]
    return ScriptSide(
        side.documents,
        side.keys,
        rows.without_gaps(),
        side.texts,
        languages=side.languages,
        said=Said.of(said),
    )


def _combine(mention: int, given: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    """Yield the attributes that a mention has, and the combined one if there are any."""
    own = [(name, value) for name, value in given if value != ABSENT]
    yield from ((mention, name, value) for name, value in own)
    if own:
        yield mention, COMBINED, _join(own)


def _join(given: Sequence[tuple[int, str]]) -> str:
    """Join all attributes of a mention in one value."""
    last = dict(given)
    return "_".join(last.get(name, "") for name in range(len(CONTEXT)))


def _as_side(
    names: tuple[str, ...], keys: tuple[str, ...] | None, read: Sequence[Lines]
) -> ScriptSide:
    """Arrange the lines of all documents in columns, in the order of lines."""
    drugs = [(at, id_, *of) for at, doc in enumerate(read) for id_, of in doc.mentions.items()]
    rows = {(at, id_): row for row, (at, id_, *_) in enumerate(drugs)}
    own: dict[int, list[tuple[int, str]]] = {}
    said = []
    for at, lines in enumerate(read):
        for id_, name, value in lines.said:
            row = rows[at, id_], CONTEXT.index(name), value
            own.setdefault(row[0], []).append(row[1:])
            said.append(row)
    said += [(row, COMBINED, _join(given)) for row, given in own.items()]
    last = [dict(own.get(row, ())) for row in range(len(drugs))]
    slots = {
        slot.name: Coded.of([of.get(at, ABSENT) for of in last]) for at, slot in enumerate(SLOTS)
    }
    mentions = MentionColumns.labelled(
        [(at, read[at].events.get(id_, DRUG), start, end) for at, id_, _, start, end in drugs],
        "label",
    )
    mentions = replace(mentions, attributes={**mentions.attributes, **slots})
    return ScriptSide(names, keys, mentions, said=Said.of(said))


def read_lines(text: str, label: str) -> Lines:
    """Read one file line by line as the script does; ``label`` is its name in messages.

    Raises:
        InputError: the script ends with an error at a line.
    """
    lines = split_lines(text, label)
    messages: list[str] = []
    events: dict[str, tuple[str, str]] = {}
    for where, _, stripped in lines:
        if stripped.startswith("E"):
            _add_event(events, stripped, where)
    mentions = read_mentions(lines, messages)
    said = [
        _read_attribute(stripped, events, mentions, where)
        for where, _, stripped in lines
        if stripped.startswith("A")
    ]
    types = {mention: kind for kind, mention in events.values()}
    return Lines(mentions, types, said, messages)


def _add_event(events: dict[str, tuple[str, str]], line: str, where: str) -> None:
    """Add type and mention of an event under its id."""
    cells = line.split("\t")
    words = cells[-1].split(":")
    if len(cells) != 2 or len(words) != 2:  # noqa: PLR2004
        raise stop(where)
    mention = words[1].strip()
    if cells[0] in events or any(mention == other for _, other in events.values()):
        raise stop(where)
    events[cells[0]] = words[0].strip(), mention


def _read_attribute(
    line: str,
    events: Mapping[str, tuple[str, str]],
    mentions: Collection[str],
    where: str,
) -> tuple[str, str, str]:
    """Return the id of the mention, the attribute and its value."""
    _, (name, event, value) = split_three(line, where)
    if name not in CONTEXT or event not in events or events[event][1] not in mentions:
        raise stop(where)
    return events[event][1], name, value
