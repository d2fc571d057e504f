"""Read GutBrainIE's JSON as the released program does: it compares strings, and drops overlaps."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from clineval.base.errors import InputError
from clineval.challenges.gutbrainie26.files import (
    CONCEPTS,
    LABELS,
    LISTS,
    MENTIONS,
    NER,
    NERD,
    PARTS,
    PREDICATES,
    Item,
    read_parts,
)
from clineval.formats.parts import Parts
from clineval.kinds.relations.tuples import join_ends, join_labels

REPEATED, OVERLAPPING = "n_repeated", "n_overlapping"
"""The numbers of predictions that the program removes."""
_PLACE = ("start_idx", "end_idx", "location")


def _list_fields(end: str) -> tuple[str, ...]:
    return f"subject_{end}", "subject_label", "predicate", f"object_{end}", "object_label"


_FIELDS: Mapping[str, tuple[str, ...]] = {
    NER: (*_PLACE, "text_span", "label"),
    NERD: (*_PLACE, "text_span", "label", "uri"),
    MENTIONS: _list_fields("text_span"),
    CONCEPTS: _list_fields("uri"),
}
_LEGAL = {"label": LABELS, "subject_label": LABELS, "object_label": LABELS, "predicate": PREDICATES}
Held = Mapping[str, object]


class ReadDocument(NamedTuple):
    """The items of a document, its parts, and how many predictions were removed."""

    parts: Parts
    items: list[Item]
    removed: Counter[str]


def stop(where: str, why: str) -> InputError:
    """Return the error for input at which the program stops."""
    return InputError(f"the released program stops here: {why}", where=where)


def read_document(
    document: object, where: str, sorts: Iterable[str], *, gold: bool
) -> ReadDocument:
    """Read a document.

    Raises:
        InputError: the program stops at it.
    """
    if not isinstance(document, Mapping):
        raise stop(where, "expected an object")
    parts, removed = read_parts(document), Counter[str]()
    items: list[Item] = []
    for sort in sorts:
        listed = _find_list(document, sort, where)
        if not gold:
            listed = _drop(listed, sort, removed, where)
        read = [_read_item(held, sort, parts, where, gold=gold) for held in listed]
        items += _number_repeats(read) if gold else _refuse_repeats(read, where)
    return ReadDocument(parts, items, removed)


def _find_list(document: Held, sort: str, where: str) -> list[Held]:
    """Return the items of a sort; each has all fields that the program reads."""
    name = next((name for name in LISTS[sort] if name in document), None)
    listed = document[name] if name else None
    if not isinstance(listed, list):
        raise stop(where, f"expected a list {LISTS[sort][0]!r}")
    for held in listed:
        for field in _FIELDS[sort]:
            if not isinstance(held, Mapping) or field not in held:
                raise stop(where, f"an item has no {field!r}")
    return listed


def _drop(listed: Sequence[Held], sort: str, removed: Counter[str], where: str) -> list[Held]:
    """Drop repeated predictions, and of overlapping entities all but the longest."""
    placed = sort in (NER, NERD)
    names = _PLACE if placed else _FIELDS[sort]
    for held in listed:
        _check(held, names, where)
    first: dict[tuple[object, ...], Held] = {}
    for held in listed:
        first.setdefault(tuple(map(held.__getitem__, names)), held)
    kept = [*first.values()]
    removed[REPEATED] += len(listed) - len(kept)
    if not placed:
        return kept
    longest = [*_find_longest(kept)]
    removed[OVERLAPPING] += len(kept) - len(longest)
    return longest


def _check(held: Held, names: Iterable[str], where: str) -> None:
    """Reject a prediction that the program cannot compare with others."""
    for name in names:
        value = held[name]
        if isinstance(value, (list, dict)):
            raise stop(where, f"an item has a list or an object as {name}")
        if name in _PLACE[:2] and not isinstance(value, (int, float)):
            raise stop(where, "expected numbers as offsets")
        if name == _PLACE[2] and value not in PARTS:
            raise stop(where, f"expected one of {', '.join(PARTS)} as location")


def _find_longest(entities: Sequence[Held]) -> Iterator[Held]:
    """Yield the first longest entity of each chain in which one overlaps the entities before it."""
    for part in PARTS:
        chain: list[Held] = []
        end = 0.0
        own = [entity for entity in entities if entity["location"] == part]
        for entity in sorted(own, key=lambda entity: _number(entity, "start_idx")):
            if chain and not _number(entity, "start_idx") < end:
                yield max(chain, key=_measure)
                chain = []
            last = _number(entity, "end_idx")
            end = max(end, last) if chain else last
            chain.append(entity)
        if chain:
            yield max(chain, key=_measure)


def _measure(entity: Held) -> float:
    return _number(entity, "end_idx") - _number(entity, "start_idx")


def _number(entity: Held, name: str) -> float:
    value = entity[name]
    return value if isinstance(value, (int, float)) else float("nan")


def _read_item(held: Held, sort: str, parts: Parts, where: str, *, gold: bool) -> Item:
    """Read an item; its value has all strings that are compared besides the labels."""
    said = {name: str(held[name]) for name in _FIELDS[sort]}
    if not gold:
        for name, legal in _LEGAL.items():
            if said.get(name, legal[0]) not in legal:
                raise stop(where, f"an item has an unknown {name}")
    if sort in (MENTIONS, CONCEPTS):
        label = join_labels(said["subject_label"], said["predicate"], said["object_label"])
        return Item(sort, label, join_ends(said[_FIELDS[sort][0]], said[_FIELDS[sort][3]]))
    start, end = (_read_offset(held[name], where) for name in _PLACE[:2])
    words = [said[name] for name in ("location", "text_span", "uri") if name in said]
    value = json.dumps([start, end, *words], ensure_ascii=False)
    try:
        place = parts.place(said["location"], start, end)
    except InputError:
        place = 0, 0
    return Item(sort, said["label"], value, *place)


def _read_offset(value: object, where: str) -> int:
    try:
        return int(value) if isinstance(value, (int, float, str)) else int("")
    except (ValueError, OverflowError):
        raise stop(where, "expected whole numbers as offsets") from None


def _number_repeats(items: Iterable[Item]) -> Iterator[Item]:
    """Make repeated gold items different: they count twice, but a prediction is one of them."""
    times = Counter[Item]()
    for item in items:
        times[item] += 1
        repeat = times[item]
        yield item._replace(value=f"{item.value}\t#{repeat}") if repeat > 1 else item


def _refuse_repeats(items: list[Item], where: str) -> list[Item]:
    if len({*items}) < len(items):
        problem = "two predictions differ only in the type of a value, such as 1 and '1'"
        raise InputError(
            problem, where=where, remedy="Write strings as strings, numbers as numbers"
        )
    return items
