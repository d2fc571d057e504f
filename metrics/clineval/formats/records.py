"""Lists of dicts, one list for each document, into columns.

Columns are filled one slot at a time by functions that run in C; only if something is wrong is
each mention looked at by itself, to say where.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, count
from operator import itemgetter
from typing import Any, NoReturn

import numpy as np

from clineval.arrays import Coded, IntArray
from clineval.errors import InputError, shown
from clineval.formats.pipe import unknown_value
from clineval.mentions.columns import MentionColumns, Side
from clineval.mentions.mention import sort_fragments
from clineval.mentions.slots import CUI_LESS, Slot

Record = Mapping[str, Any]
_SPANS = "spans"
_UNSCORED = frozenset({"cues", "text", "type"})
_LARGEST = np.iinfo(np.int32).max


def read_records(
    documents: Sequence[Sequence[Record]],
    slots: Sequence[Slot],
    *,
    names: Sequence[str] = (),
    side: str = "",
) -> Side:
    """Read mentions that are given as dicts.

    Args:
        documents: for each document its mentions: ``{"spans": [[start, end], ...],
            "cui": ..., <slot>: ...}``. A slot left out, or None, has its default value; ``cui``
            must be there, and None stands for CUI-less.
        slots: the slots that a mention can have.
        names: the documents' names; if given, documents are paired by name.
        side: ``predictions`` or ``references``, for messages.

    Raises:
        InputError: names the side, document, mention and field.

    Examples:
        >>> side = read_records([[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"}]],
        ...                     [Slot("cui", "code")])
        >>> side.mentions.starts.tolist(), side.mentions.attributes["cui"].values
        ([4, 31], ('C0344720',))
    """
    place = _Place(side, names)
    sizes = _sizes(documents, place)
    mentions: list[Record] = list(chain.from_iterable(documents))
    place.sizes = sizes
    kept = list(slots)
    cells = _read_complete(mentions, kept)
    if cells is None:
        present = _check_mentions(mentions, slots, place)
        kept = [slot for slot in slots if slot.name in present]
        cells = [m.get(name) for m in mentions for name in (_SPANS, *_names(kept))]
    bounds, starts, ends = _read_spans(cells[:: len(kept) + 1], place)
    del cells[:: len(kept) + 1]
    owners = np.repeat(np.arange(len(documents), dtype=np.int32), sizes)
    found = _read_slots(cells, kept, place)
    attributes = {
        slot.name: found.get(slot.name)
        or Coded(np.zeros(len(mentions), np.int8), (_default(slot),))
        for slot in slots
    }
    spelling = Coded(np.zeros(len(mentions), np.int32), ("",))
    columns = MentionColumns(owners, bounds, starts, ends, attributes, spelling)
    known = tuple(names) or ("",) * len(documents)
    return Side(known, tuple(names) or None, columns)


class _Place:
    """Says where a mention is."""

    def __init__(self, side: str, names: Sequence[str]) -> None:
        self.side = side
        self.names = names
        self.sizes: Sequence[int] = ()

    def document(self, number: int) -> str:
        name = self.names[number] if self.names else number
        return f"{self.side}, document {name}" if self.side else f"document {name}"

    def mention(self, row: int) -> str:
        ends = np.cumsum(self.sizes)
        number = int(np.searchsorted(ends, row, side="right"))
        within = row - int(ends[number] - self.sizes[number])
        return f"{self.document(number)}, mention {within}"


def _sizes(documents: Sequence[Sequence[Record]], place: _Place) -> list[int]:
    for number, document in enumerate(documents):
        if isinstance(document, (str, Mapping)) or not isinstance(document, (list, tuple)):
            raise InputError(
                f"expected a list of mentions, got {shown(document)}",
                where=place.document(number),
                remedy="Give one list of mentions for each document",
            )
    return list(map(len, documents))


def _read_complete(mentions: Sequence[Record], slots: Sequence[Slot]) -> list[Any] | None:
    """Spans and slots, mention by mention, if all are dicts with these names and no others.

    Dicts are far apart in memory, so that each way to look at all of them takes its time.
    """
    names = (_SPANS, *_names(slots))
    if set(map(type, mentions)) != {dict} or set(map(len, mentions)) != {len(names)}:
        return None
    try:
        rows = map(itemgetter(*names), mentions)
        return list(chain.from_iterable(rows) if slots else rows)
    except KeyError:
        return None


def _names(slots: Sequence[Slot]) -> list[str]:
    return [slot.name for slot in slots]


def _check_mentions(
    mentions: Sequence[Record], slots: Sequence[Slot], place: _Place
) -> AbstractSet[str]:
    """Refuse what is no mention; the names that some mention has."""
    required = {_SPANS, *(slot.name for slot in slots if slot.default is None)}
    known = {_SPANS, *_names(slots)} | _UNSCORED
    records = set(map(type, mentions)) <= {dict} or all(map(_is_record, mentions))
    present = set(chain.from_iterable(mentions)) if records else set()
    if records and present <= known and all(_all_have(name, mentions) for name in required):
        return present
    for row, mention in enumerate(mentions):
        if not isinstance(mention, Mapping):
            raise InputError(f"expected a dict, got {shown(mention)}", where=place.mention(row))
        for name in mention.keys() - known:
            raise InputError(
                f"unknown slot {shown(name)}, expected one of {', '.join(sorted(known))}",
                where=place.mention(row),
            )
        for name in sorted(required - mention.keys()):
            remedy = f"Give None for {CUI_LESS}" if name != _SPANS else ""
            raise InputError(f"{name!r} is missing", where=place.mention(row), remedy=remedy)
    return present


def _all_have(name: str, mentions: Sequence[Record]) -> bool:
    try:
        deque(map(itemgetter(name), mentions), maxlen=0)
    except KeyError:
        return False
    return True


def _is_record(mention: object) -> bool:
    return isinstance(mention, Mapping)


def _read_spans(spans: Sequence[Any], place: _Place) -> tuple[IntArray, IntArray, IntArray]:
    """Bounds, starts and ends."""
    try:
        counts = np.fromiter(map(len, spans), np.int64, len(spans))
        fragments = list(chain.from_iterable(spans))
        pairs = set(map(len, fragments)) <= {2}
        offsets = list(chain.from_iterable(fragments))
        regular = pairs and set(map(type, offsets)) <= {int} and counts.all()
    except TypeError:
        regular = False
    if not regular:
        spans = [_read_span(span, place.mention(row)) for row, span in enumerate(spans)]
        return _read_spans(spans, place) if spans else _no_spans()
    bounds = np.concatenate([[0], np.cumsum(counts)])
    try:
        table = np.array(offsets, np.int64).reshape(-1, 2)
        starts, ends = table[:, 0], table[:, 1]
        sound = _is_sound(bounds, starts, ends)
    except OverflowError:
        sound = False
    if not sound:
        for row, span in enumerate(spans):
            _read_span(span, place.mention(row))
    return bounds, starts.astype(np.int32), ends.astype(np.int32)


def _no_spans() -> tuple[IntArray, IntArray, IntArray]:
    none = np.zeros(0, np.int32)
    return np.zeros(1, np.int64), none, none


def _is_sound(bounds: IntArray, starts: IntArray, ends: IntArray) -> bool:
    """Whether all fragments are proper ones and those of a mention sorted and disjoint."""
    if len(starts) == 0:
        return True
    if starts.min() < 0 or ends.max() > _LARGEST or (ends <= starts).any():
        return False
    later = np.ones(len(starts), np.bool_)
    later[bounds[:-1]] = False
    within = np.flatnonzero(later)
    return bool((starts[within] >= ends[within - 1]).all())


def _read_span(span: Any, where: str) -> list[tuple[int, int]]:
    """One mention's fragments in the order given, with plain integers."""
    try:
        if isinstance(span, (str, Mapping)):
            raise TypeError  # noqa: TRY301
        given = [tuple(fragment) for fragment in span]
    except TypeError:
        raise InputError(
            f"expected spans such as [[10, 20]], got {shown(span)}", where=where
        ) from None
    try:
        fragments = sort_fragments(given)
    except InputError as error:
        raise InputError(str(error), where=where) from None
    if fragments[-1][1] > _LARGEST:
        raise InputError(f"offset {fragments[-1][1]} is larger than {_LARGEST}", where=where)
    return [(int(start), int(end)) for start, end in given]


def _read_slots(cells: list[Any], slots: Sequence[Slot], place: _Place) -> dict[str, Coded]:
    """The slots, whose values are given mention by mention."""
    for at, slot in enumerate(slots):
        if slot.kind == "codes":
            cells[at :: len(slots)] = _freeze(cells[at :: len(slots)])
    try:
        table, values = _number(cells)
    except TypeError:  # what cannot be a key, as a list of codes can once it is a tuple
        table, values = _number(_spell_cells(cells, slots, place))
    table = table.reshape(-1, max(1, len(slots)))
    return {
        slot.name: _read_slot(table[:, at], values, slot, place) for at, slot in enumerate(slots)
    }


def _freeze(values: list[Any]) -> list[Any]:
    """Tuples for lists."""
    if set(map(type, values)) == {list}:
        return list(map(tuple, values))
    return [tuple(value) if isinstance(value, list) else value for value in values]


def _spell_cells(cells: Sequence[Any], slots: Sequence[Slot], place: _Place) -> list[str]:
    """Each value as a string, judged by itself."""
    spelled = []
    for number, value in enumerate(cells):
        row, at = divmod(number, len(slots))
        found = _spell(value, slots[at])
        if found is None:
            _refuse(value, slots[at], place.mention(row))
        spelled.append(found)
    return spelled


def _number(cells: Sequence[Any]) -> tuple[IntArray, list[Any]]:
    """A number for each distinct value, and the values in the order of their numbers."""
    numbers: defaultdict[Any, int] = defaultdict(count().__next__)
    table = np.fromiter(map(numbers.__getitem__, cells), np.int32, len(cells))
    return table, list(numbers)


def _read_slot(column: IntArray, values: Sequence[Any], slot: Slot, place: _Place) -> Coded:
    """The values of one slot from their numbers."""
    used = np.zeros(len(values), np.bool_)
    used[column] = True
    known = []
    for number in np.flatnonzero(used).tolist():
        value = _spell(values[number], slot)
        if value is None:
            _refuse(values[number], slot, place.mention(int(np.argmax(column == number))))
        known.append(value)
    return Coded((np.cumsum(used) - 1)[column], tuple(known))


def _default(slot: Slot) -> str:
    return CUI_LESS if slot.default is None else slot.default


def _spell(value: object, slot: Slot) -> str | None:
    """A value as a string, a set of codes as codes with commas between them; None if it is none."""
    if value is None:
        return _default(slot)
    if slot.kind == "codes" and isinstance(value, (list, tuple, set, frozenset)):
        if not value or not all(isinstance(code, str) and "," not in code for code in value):
            return None
        value = ",".join(sorted(value))
    return value if isinstance(value, str) and _is_value(slot, value) else None


def _is_value(slot: Slot, value: str) -> bool:
    if slot.kind == "closed":
        return value.lower() in slot.values
    return not any(
        character.isspace() or character == "|" for character in value.replace(", ", ",")
    )


def _refuse(value: object, slot: Slot, where: str) -> NoReturn:
    if slot.kind == "closed" and isinstance(value, str):
        raise unknown_value(slot, value, where)
    wanted = {"closed": "a string", "code": "a code or None", "codes": "codes or None"}[slot.kind]
    raise InputError(f"{slot.name}: expected {wanted}, got {shown(value)}", where=where)
