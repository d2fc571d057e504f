"""Score n2c2 2022 Track 2 as its released package does: in the order of lines."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import InputError, located
from clineval.base.files import find_path
from clineval.base.offsets import judge_offset
from clineval.challenges.n2c2_2022_sdoh.spec import EVENTS
from clineval.formats import jsonl
from clineval.formats.brat.standoff import FILES
from clineval.formats.files import TextFile, open_strings, read_text_files
from clineval.kinds.events.pairing import (
    ArgumentPairs,
    Criteria,
    find_arguments,
    find_triggers,
    unite,
)
from clineval.kinds.events.units import (
    LABEL,
    NO_VALUE,
    VALUE,
    EventCorpus,
    EventSide,
    join_events,
)
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.overlap import Candidates
from clineval.kinds.mentions.pairing import Pairs, pair_greedily
from clineval.protocols.events import Events
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns

_LINE = re.compile(r"#|[TEAR]\d+\t|T\d+")
_MENTION = re.compile(r"(T\d+)\t(\S+) (\d+(?: \d+;\d+)* \d+)\t(.*)\Z", re.ASCII)
_ATTRIBUTE = re.compile(r"A\d+\t(\S+) (\S+) (\S+)\Z", re.ASCII)
_EVENT = re.compile(r"(E\d+)\t(.*\S)\s*\Z", re.ASCII)
Unit = tuple[int, str, str, int, int, bool]
"""Document, label, value, start, end, and whether it is a trigger."""


class Official(Events):
    """Score as the released package does: in the order of lines, and by spans without gaps."""

    def read_side(self, given: object, side: str, setup: Setup, /) -> EventSide:
        """Read one side; brat lines are read as the package does."""
        if isinstance(given, (str, os.PathLike)):
            path = find_path(given, "\t")
            if path is None or not jsonl.is_jsonl(given, FILES):
                files = list(read_text_files(given, pattern=FILES, separator="\t"))
                names = tuple(file.stem or "" for file in files)
                return _as_side(names, names if all(names) else None, files)
        if isinstance(given, (list, tuple)) and given and all(map(_is_brat, given)):
            texts = open_strings(given)
            return _as_side(("",) * len(texts), None, texts)
        found = super().read_side(given, side, setup)
        return replace(found, mentions=found.mentions.without_gaps())

    def join(self, gold: EventSide, predicted: EventSide, _setup: Setup, /) -> EventCorpus:
        """Join both sides, which must have the same documents."""
        if gold.keys is not None and predicted.keys is not None:
            alone = sorted({*gold.keys} ^ {*predicted.keys})
            if alone:
                raise InputError(
                    "a document is on one side only: the released package stops here",
                    where=f"document {alone[0]}",
                    remedy="Add an empty file for it, or use protocol='spec'",
                )
        return join_events(gold, predicted)

    def pair_units(self, block: EventCorpus, criteria: Criteria) -> Pairs:
        """Pair each gold event, in the order of lines, with the first free predicted event."""
        near = find_triggers(block, criteria.trigger)
        keys = [_measure_distance(block, near)] if criteria.trigger == "min_dist" else []
        chosen = near.take(_choose_first(block, near, keys))
        found = find_arguments(block, chosen, criteria)
        return unite(chosen, found.take(_choose_arguments(block, found)))


def _choose_first(block: EventCorpus, near: Candidates, keys: Sequence[IntArray]) -> IntArray:
    """Choose pairs one to one by keys, then in the order of gold and of predicted lines."""
    order = np.lexsort([block.places[1][near.prediction], block.places[0][near.gold], *keys[::-1]])
    ranks = np.empty(len(near), np.int64)
    ranks[order] = np.arange(len(near))
    numbered = Candidates(near.gold, near.prediction, ranks)
    found = pair_greedily(numbered, [lambda some: some.shared])
    pairs = (near.gold.astype(np.int64) << 32) | near.prediction
    return np.flatnonzero(np.isin(pairs, (found.gold.astype(np.int64) << 32) | found.prediction))


def _choose_arguments(block: EventCorpus, found: ArgumentPairs) -> IntArray:
    """Choose the pairs of arguments, one to one within each pair of events."""
    return _choose_first(block, found.near, [])


def _measure_distance(block: EventCorpus, near: Candidates) -> IntArray:
    """Return the distance between the middles of triggers, in half characters, ``[c]``."""
    middles = []
    for side, rows in ((block.gold, near.gold), (block.prediction, near.prediction)):
        columns = side.columns
        middles.append(
            columns.starts[columns.bounds[rows]] + columns.ends[columns.bounds[rows + 1] - 1]
        )
    distance: IntArray = np.abs(middles[0] - middles[1])
    return distance


def _is_brat(given: object) -> bool:
    return isinstance(given, str) and not given.lstrip().startswith(("{", "["))


def _as_side(
    names: tuple[str, ...], keys: tuple[str, ...] | None, files: Sequence[TextFile]
) -> EventSide:
    """Arrange the events of all files in columns, in the order of lines."""
    units = [unit for at, file in enumerate(files) for unit in read_units(file, at)]
    spans = [[(start, end)] for *_, start, end, _ in units]
    attributes = {
        LABEL.name: Coded.of([label for _, label, *_ in units]),
        VALUE.name: Coded.of([value for _, _, value, *_ in units]),
    }
    columns = MentionColumns.of([at for at, *_ in units], spans, attributes)
    begins = [is_trigger for *_, is_trigger in units]
    return EventSide.from_units(Side(names, keys, columns), columns, begins)


@dataclass(slots=True)
class _Lines:
    """The annotations in the lines of a file: mentions, values and events by id."""

    mentions: dict[str, tuple[str, int, int]]
    values: dict[str, tuple[str, str]]
    events: dict[str, list[str]]


def read_units(file: TextFile, document: int) -> list[Unit]:
    """Read the units of a file as the package does.

    Raises:
        InputError: the package ends with an error at a line.
    """
    lines = _Lines({}, {}, {})
    for number, line in enumerate(file.with_line_feeds().content.decode().split("\n"), 1):
        if line and not line.startswith("#"):
            _read_line(line, lines, f"{file.label}:{number}")
    units: list[Unit] = []
    for ids in lines.events.values():
        for at, id_ in enumerate(ids):
            if id_ not in lines.mentions:
                raise _stop(f"{file.label}, an event without a mention")
            label, start, end = lines.mentions[id_]
            _, value = lines.values.get(id_, ("", NO_VALUE))
            units.append((document, label, value, start, end, at == 0))
    return units


def _read_line(line: str, lines: _Lines, where: str) -> None:
    """Add the annotation of a line."""
    if match := _MENTION.match(line):
        id_, label, offsets, text = match.groups()
        if id_ in lines.mentions:
            raise _stop(where)
        lines.mentions[id_] = (label, *_read_offsets(offsets, text, where))
    elif match := _ATTRIBUTE.match(line):
        name, target, value = match.groups()
        if lines.values.setdefault(target, (name, value)) != (name, value):
            raise _stop(where)
    elif match := _EVENT.match(line):
        words = re.split(r"[ :]", match[2])
        lines.events[match[1]] = words[1::2]
    elif not re.match(r"R\d+\t", line):
        raise _stop(where)


def _read_offsets(offsets: str, text: str, where: str) -> tuple[int, int]:
    """Read the first start and the last end; the text must have a blank between fragments."""
    numbers = [_read_offset(word, where) for word in re.split("[ ;]", offsets)]
    for end in numbers[1:-1:2]:
        at = end - numbers[0]
        if not text[at : at + 1].isspace():
            raise _stop(where)
    return numbers[0], numbers[-1]


def _read_offset(word: str, where: str) -> int:
    try:
        offset = int(word)
    except ValueError:  # more digits than Python accepts
        raise _stop(where) from None
    return located(where, judge_offset, offset)


def _stop(where: str) -> InputError:
    return InputError(
        "the released package stops here",
        where=where,
        remedy="Correct the line, or use protocol='spec', which reports what is wrong",
    )


OFFICIAL = Official(EVENTS, short="shac")
