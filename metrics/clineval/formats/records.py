"""Lists of dicts, one list for each document, into columns.

Columns are filled one slot at a time by functions that run in C; only if something is wrong is
each mention looked at by itself, to say where.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
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
    present = _check_mentions(mentions, slots, place)
    bounds, starts, ends = _read_spans(list(map(itemgetter("spans"), mentions)), place)
    owners = np.repeat(np.arange(len(documents), dtype=np.int32), sizes)
    attributes = {
        slot.name: _read_slot(mentions, slot, place)
        if slot.name in present
        else Coded(np.zeros(len(mentions), np.int8), (_default(slot),))
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


def _check_mentions(
    mentions: Sequence[Record], slots: Sequence[Slot], place: _Place
) -> AbstractSet[str]:
    """Refuse what is no mention; the names that some mention has."""
    required = {"spans", *(slot.name for slot in slots if slot.default is None)}
    known = {"spans", *(slot.name for slot in slots)} | _UNSCORED
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
            remedy = f"Give None for {CUI_LESS}" if name != "spans" else ""
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


def _read_slot(mentions: Sequence[Record], slot: Slot, place: _Place) -> Coded:
    default = _default(slot)
    values = [mention.get(slot.name) for mention in mentions]
    try:
        distinct = dict.fromkeys(values)
        plain = all(value is None or isinstance(value, str) for value in distinct)
    except TypeError:  # a list of codes, which cannot be a key
        plain = False
    if not plain:
        values = [_read_value(value, slot, place, row) for row, value in enumerate(values)]
        distinct = dict.fromkeys(values)
    for value in distinct:
        if value is not None and not _is_value(slot, value):
            _refuse(value, slot, place.mention(values.index(value)))
    known = {value: default if value is None else value for value in distinct}
    numbers = {value: number for number, value in enumerate(known)}
    ids = np.fromiter(map(numbers.__getitem__, values), np.int32, len(values))
    return Coded(ids, tuple(known.values()))


def _default(slot: Slot) -> str:
    return CUI_LESS if slot.default is None else slot.default


def _read_value(value: object, slot: Slot, place: _Place, row: int) -> str | None:
    """A value as a string; a set of codes as codes with commas between them."""
    if value is None or isinstance(value, str):
        return value
    codes = value if isinstance(value, (list, tuple, set, frozenset)) else ()
    plain = codes and all(isinstance(code, str) and "," not in code for code in codes)
    if slot.kind != "codes" or not plain:
        _refuse(value, slot, place.mention(row))
    return ",".join(sorted(codes))


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
