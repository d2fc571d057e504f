r"""Whatever a user gives as events, and brat's files of the challenge.

``T1<tab>Tobacco 0 6<tab>Smokes`` is a trigger or an argument, ``E1<tab>Tobacco:T1 Status:T2`` an
event, and ``A1<tab>StatusTimeVal T2 current`` the value of an argument; names of roles and of
attributes are not read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import InputError, shown, warn
from clineval.base.files import Source, find_path, is_there
from clineval.base.problems import Problem
from clineval.base.strict_json import expect_json
from clineval.challenges.n2c2_2022_sdoh.scheme import (
    LABELS,
    SPANS,
    TRIGGERS,
    VALUES,
    flatten,
    is_nested,
)
from clineval.challenges.n2c2_2022_sdoh.units import LABEL, VALUE, EventSide
from clineval.formats import checking, jsonl
from clineval.formats.brat.events import (
    EventLines,
    list_arguments,
    number_mentions,
    read_attributes,
    read_events,
)
from clineval.formats.brat.standoff import FILES, Standoff, chunks_of, find_text, parse, tidy
from clineval.formats.files import TextFile, from_string, read_text_files
from clineval.formats.given.relations import read_related
from clineval.kinds.mentions.columns import MentionColumns, Side, concatenate
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.relations.columns import NO_RELATIONS, RelatedSide

ANY_LABEL = Slot("label", "label", LABELS, required=True)
NO_VALUE = "no"


class BratEvents:
    """brat's files as :func:`read_related` asks for them; what it returns has the units already."""

    FILES = FILES

    def read_side(self, source: Source, _slot: Slot, _labels: Sequence[str], /) -> RelatedSide:
        """Read files, which are paired by their names."""
        names: list[str] = []
        texts: list[str | None] = []
        parts = []
        for chunk in chunks_of(read_text_files(source, pattern=FILES, separator="\t")):
            found = list(map(find_text, chunk))
            parts.append(_read(chunk, found, len(names)))
            names += [file.stem or "" for file in chunk]
            texts += found
        return _join(parts, tuple(names), tuple(names) if all(names) else None, tuple(texts))

    def read_strings(
        self, strings: Sequence[str], _slot: Slot, _labels: Sequence[str], /
    ) -> RelatedSide:
        """Read one string of lines for each document; they are paired by position."""
        first, parts = 0, []
        files = (from_string(f"document {at}", text) for at, text in enumerate(strings))
        for chunk in chunks_of(files):
            parts.append(_read(chunk, [None] * len(chunk), first))
            first += len(chunk)
        return _join(parts, ("",) * first, None)


def read_side(given: object, side: str) -> EventSide:
    """Read one side: brat's files or text, JSON Lines, dicts, Documents."""
    if isinstance(given, EventSide):
        return given
    if isinstance(given, (str, os.PathLike)):
        path = find_path(given, "\t")
        if path is not None and jsonl.is_jsonl(given, FILES):
            given = [line for _, line in _read_lines(given)]
    if isinstance(given, (list, tuple)):
        given = [_flatten(document, at, side) for at, document in enumerate(given)]
    related = read_related(given, [ANY_LABEL, VALUE], (), side=side, text_format=BratEvents())
    if isinstance(related.side, EventSide):
        return related.side
    return _check_arguments(EventSide.of(related, TRIGGERS), side)


def _check_arguments(side: EventSide, name: str) -> EventSide:
    """Refuse triggers that are arguments; the values of what has none are left out."""
    units = side.mentions
    label = units.attributes[LABEL.name]
    trigger = np.array([value in TRIGGERS for value in label.values], np.bool_)[label.ids]
    wrong = np.flatnonzero(trigger & (side.heads != np.arange(len(units))))
    if len(wrong):
        document = side.documents[units.document[wrong[0]]] or str(units.document[wrong[0]])
        raise InputError(
            f"an argument of an event is {label.values[label.ids[wrong[0]]]}, expected one of "
            f"{', '.join((*VALUES, *SPANS))}",
            where=f"{name}, document {document}" if name else f"document {document}",
        )
    return replace(side, mentions=drop_values(units))


def drop_values(units: MentionColumns) -> MentionColumns:
    """Return the units without values of triggers and of arguments whose place counts."""
    label, value = units.attributes[LABEL.name], units.attributes[VALUE.name]
    labelled = np.array([name in VALUES for name in label.values], np.bool_)[label.ids]
    names = (NO_VALUE, *(name for name in value.values if name != NO_VALUE))
    ids = value.fold(str, names).ids
    warn(
        "{n} {value|values} of triggers, or of arguments whose place counts, {is|are} not read",
        n=int(np.count_nonzero(~labelled & (ids != 0))),
    )
    kept = Coded(np.where(labelled, ids, 0), names)
    return replace(units, attributes={**units.attributes, VALUE.name: kept})


def _flatten(document: object, at: int, side: str) -> object:
    where = f"{side}, document {at}" if side else f"document {at}"
    if isinstance(document, str) and document.lstrip().startswith("{"):
        parsed = expect_json(document, "a JSON object", where)
        document = parsed if is_nested(parsed) else document
    return flatten(document, where) if is_nested(document) else document  # type: ignore[arg-type]


def _read_lines(source: Source) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the documents of JSON Lines, each with its place, as mentions and relations."""
    places: dict[str, str] = {}
    for file in read_text_files(source, pattern=jsonl.FILES, separator="{"):
        for where, line in _read_file(file):
            if places.setdefault(line["id"], where) != where:
                problem = f"the document's 'id' is also that of {places[line['id']]}"
                raise InputError(problem, where=where)
            yield where, line


def _read_file(file: TextFile) -> Iterator[tuple[str, dict[str, Any]]]:
    for where, text in file.lines():
        line = expect_json(text, "one JSON object on the line", where)
        if not isinstance(line, dict) or not isinstance(line.get("id"), str):
            raise InputError(
                f"expected an object with a string 'id', got {shown(line)}", where=where
            )
        if not is_nested(line) and not isinstance(line.get("mentions"), list):
            raise InputError("expected a list 'events', or 'mentions'", where=where)
        yield where, flatten(line, where) if is_nested(line) else line


def find_problems(paths: Sequence[Path]) -> Iterator[Problem]:
    """Yield all problems of brat's files and of JSON Lines."""
    for path in paths:
        if is_there(path) and jsonl.is_jsonl(path, FILES):
            yield from checking.find_problems([path], jsonl.FILES, _check_lines)
        else:
            check = partial(_check_file)
            yield from checking.find_problems([path], FILES, check, by_line=False)


def _check_lines(file: TextFile) -> None:
    read_side([line for _, line in _read_file(file)], "")


def _check_file(file: TextFile) -> None:
    _read([tidy(file)], [find_text(file)], 0)


Part = tuple[MentionColumns, list[bool]]
"""Units, and which of them are triggers."""


def _read(files: Sequence[TextFile], texts: Sequence[str | None], first: int) -> Part:
    """Read the units of some files; documents are numbered from ``first``."""
    standoff = parse(files, labels=LABELS)
    standoff.check_offsets(texts)
    events = read_events(standoff)
    values = _read_values(standoff)
    _check(events, standoff)
    standoff.refuse()
    _warn_of_types(events, standoff)
    mentions = standoff.mentions
    attributes = {LABEL.name: mentions.attributes["label"], VALUE.name: values}
    columns = replace(
        mentions, document=(mentions.document + first).astype(np.int32), attributes=attributes
    )
    rows = [
        [trigger, *(row for _, row in arguments)]
        for trigger, arguments in zip(events.trigger.tolist(), list_arguments(events), strict=True)
    ]
    begins = [at == 0 for own in rows for at in range(len(own))]
    return columns.take(np.array([*chain.from_iterable(rows)], np.int64)), begins


def _check(events: EventLines, standoff: Standoff) -> None:
    """Note events that do not begin with a trigger, or have one as an argument."""
    label = standoff.mentions.attributes["label"]
    trigger = np.array([value in TRIGGERS for value in label.values], np.bool_)
    trigger = trigger[label.ids] if len(standoff.mentions) else np.zeros(0, np.bool_)
    of_triggers = events.lines[~trigger[events.trigger]]
    of_arguments = events.lines[np.unique(events.owners[trigger[events.argument]])]
    expected = f"expected the trigger first, one of {', '.join(TRIGGERS)}"
    if len(of_triggers):
        standoff.problems.append((of_triggers, expected))
    if len(of_arguments):
        problem = f"a trigger is an argument, expected one of {', '.join((*VALUES, *SPANS))}"
        standoff.problems.append((of_arguments, problem))


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
    names = tuple(dict.fromkeys([NO_VALUE, *found.values()]))
    numbers = {name: at for at, name in enumerate(names)}
    ids: IntArray = np.zeros(len(standoff.mentions), np.int64)
    ids[list(found)] = [numbers[value] for value in found.values()]
    return Coded(ids, names)


def _join(
    parts: Sequence[Part],
    names: tuple[str, ...],
    keys: tuple[str, ...] | None,
    texts: tuple[str | None, ...] = (),
) -> RelatedSide:
    units = drop_values(concatenate([columns for columns, _ in parts]))
    begins = [*chain.from_iterable(of for _, of in parts)]
    return RelatedSide(
        EventSide.from_units(Side(names, keys, units, texts), units, begins), NO_RELATIONS
    )
