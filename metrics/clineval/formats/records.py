"""Lists of dicts, one list for each document, into columns.

Columns are filled one slot at a time by functions that run in C; only if something is wrong is
each mention looked at by itself, to say where.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
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
_Spans = tuple[IntArray, IntArray, IntArray]
_SPANS = "spans"
_UNSCORED = frozenset({"cues", "text", "type"})
_NO_CODE = re.compile(r"[\s|]")
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
    (bounds, starts, ends), found = _read_mentions(mentions, slots, place)
    owners = np.repeat(np.arange(len(documents), dtype=np.int32), sizes)
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


def _read_mentions(
    mentions: Sequence[Record], slots: Sequence[Slot], place: _Place
) -> tuple[_Spans, dict[str, Coded]]:
    """Spans, and the slots that some mention has."""
    size = len(slots) + 1
    if set(map(type, mentions)) == {dict} and set(map(len, mentions)) == {size}:
        try:
            return _read(_Reader(mentions, slots, complete=True), place)
        except KeyError:  # some have other names, which may be right as well
            pass
    present = _check_mentions(mentions, slots, place)
    kept = [slot for slot in slots if slot.name in present]
    return _read(_Reader(mentions, kept, complete=False), place)


@dataclass(frozen=True, slots=True, eq=False)
class _Reader:
    """Gives values of mentions.

    Args:
        mentions: the mentions.
        slots: the slots that some of them have.
        complete: whether all should have all of these, which can be read in C; one that does not
            is a ``KeyError``.
    """

    mentions: Sequence[Record]
    slots: Sequence[Slot]
    complete: bool

    def column(self, name: str) -> Iterator[Any]:
        """The values of one name."""
        if self.complete:
            return map(itemgetter(name), self.mentions)
        return (mention.get(name) for mention in self.mentions)

    def rows(self, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The values of some names, of each mention together."""
        if self.complete and len(names) > 1:
            return map(itemgetter(*names), self.mentions)
        return zip(*map(self.column, names), strict=True)


def _read(reader: _Reader, place: _Place) -> tuple[_Spans, dict[str, Coded]]:
    spans = _read_spans(list(reader.column(_SPANS)), place)
    return spans, _read_slots(reader, place)


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


def _read_spans(spans: Sequence[Any], place: _Place) -> _Spans:
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


def _no_spans() -> _Spans:
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


def _read_slots(reader: _Reader, place: _Place) -> dict[str, Coded]:
    """The slots that some mention has."""
    closed = [slot for slot in reader.slots if slot.kind == "closed"]
    found = _read_closed(reader, closed, place) if closed else {}
    for slot in reader.slots:
        if slot.name not in found:
            found[slot.name] = _read_slot(list(reader.column(slot.name)), slot, place)
    return found


def _read_closed(reader: _Reader, slots: Sequence[Slot], place: _Place) -> dict[str, Coded]:
    """Slots of few values, which have few rows of values too: each is looked at once."""
    try:
        table, rows = _number(reader.rows(_names(slots)), len(reader.mentions))
    except TypeError:  # what cannot be a key is no value either
        return {}
    found = {}
    for at, slot in enumerate(slots):
        numbers, values = _number([row[at] for row in rows], len(rows))
        found[slot.name] = _spell_values(numbers[table], values, slot, place)
    return found


def _read_slot(values: Sequence[Any], slot: Slot, place: _Place) -> Coded:
    """The values of one slot."""
    if slot.kind == "codes":
        values = [tuple(value) if isinstance(value, list) else value for value in values]
    try:
        numbers, known = _number(values, len(values))
    except TypeError:  # what cannot be a key, as a list of codes can once it is a tuple
        spelled = [_spell_cell(value, slot, place, row) for row, value in enumerate(values)]
        numbers, known = _number(spelled, len(values))
    return _spell_values(numbers, known, slot, place)


def _number(values: Iterable[Any], size: int) -> tuple[IntArray, list[Any]]:
    """A number for each distinct value, and the values in the order of their numbers."""
    numbers: defaultdict[Any, int] = defaultdict(count().__next__)
    table = np.fromiter(map(numbers.__getitem__, values), np.int32, size)
    return table, list(numbers)


def _spell_values(numbers: IntArray, values: Sequence[Any], slot: Slot, place: _Place) -> Coded:
    """A column from its distinct values, judged."""
    known = []
    for number, value in enumerate(values):
        spelled = _spell(value, slot)
        if spelled is None:
            _refuse(value, slot, place.mention(int(np.argmax(numbers == number))))
        known.append(spelled)
    return Coded(numbers, tuple(known))


def _spell_cell(value: object, slot: Slot, place: _Place, row: int) -> str:
    spelled = _spell(value, slot)
    if spelled is None:
        _refuse(value, slot, place.mention(row))
    return spelled


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
    return not _NO_CODE.search(value.replace(", ", ","))


def _refuse(value: object, slot: Slot, where: str) -> NoReturn:
    if slot.kind == "closed" and isinstance(value, str):
        raise unknown_value(slot, value, where)
    wanted = {"closed": "a string", "code": "a code or None", "codes": "codes or None"}[slot.kind]
    raise InputError(f"{slot.name}: expected {wanted}, got {shown(value)}", where=where)
