"""Convert lists of dicts, one list for each document, to columns.

For speed, functions that run in C fill the columns one slot at a time, in blocks of mentions that
fit into the processor's cache. Only after an error is each mention checked alone, to find its
place.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import chain, count, repeat
from operator import contains, itemgetter
from typing import Any, NoReturn

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import InputError, called, shown, unknown_name
from clineval.formats.delimited.slots import unknown_value
from clineval.formats.dict_spans import Locate, Place, SpanColumns
from clineval.kinds.mentions.columns import Side
from clineval.results.columns import MentionColumns
from clineval.results.slots import ANY, CUI_LESS, Slot, find_slot
from clineval.results.tagged import TYPELESS

Record = Mapping[str, Any]
Cells = Sequence[Any]
"""Values of one key or row, which the reader checks."""
_SPANS = "spans"
_CLASSES = ("label", "type")
"""Names of the slot with a mention's class."""
UNSCORED = frozenset({"cues", "id", "text", "type"})
_NO_CODE = re.compile(r"[\s|]")
_BLOCK = 512
"""Number of mentions that are read together; dicts with ten keys take about 1 MB."""


def read_records(  # noqa: PLR0913 - slots, and places for messages
    documents: Iterable[Sequence[Record]],
    slots: Sequence[Slot],
    *,
    names: Sequence[str] = (),
    side: str = "",
    unread: AbstractSet[str] = frozenset(),
    places: Sequence[str] = (),
) -> Side:
    """Read mentions from dicts.

    Args:
        documents: the mentions of each document: ``{"spans": [[start, end], ...],
            "cui": ..., <slot>: ...}``. An optional slot that is missing or None has its default
            value. A code that is None is CUI-less.
        slots: the slots of mentions; :data:`~clineval.results.slots.ANY` allows other slots.
        names: the documents' names; if not empty, documents are paired by name.
        side: ``predictions`` or ``references``, for messages.
        unread: other slots that mentions can have; they are ignored.
        places: the places of documents from files, for messages.

    Raises:
        InputError: a mention is invalid; the message names side, document, mention and slot.

    Examples:
        >>> side = read_records([[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"}]],
        ...                     [Slot("cui", "code")])
        >>> side.mentions.starts.tolist(), side.mentions.attributes["cui"].values
        ([4, 31], ('C0344720',))
    """
    place = Place(side, names, places=places)
    table = Table(slots, place, unread)
    for mentions in _in_blocks(documents, place):
        table.add(mentions)
    known = tuple(names) or ("",) * len(place.sizes)
    return Side(known, tuple(names) or None, table.finish())


def _in_blocks(documents: Iterable[Sequence[Record]], place: Place) -> Iterator[Sequence[Record]]:
    """Yield blocks with the mentions of whole documents."""
    block: list[Record] = []
    for number, document in enumerate(documents):
        if not isinstance(document, (list, tuple)):
            raise InputError(
                f"expected a list of mentions, got {shown(document)}",
                where=place.document(number),
                remedy="Give one list of mentions for each document",
            )
        place.sizes.append(len(document))
        block += document
        if len(block) >= _BLOCK:
            yield block
            block = []
    if block:
        yield block


class _Numbers:
    """Assigns numbers to values that are added block by block; equal values share a number."""

    def __init__(self) -> None:
        self._known: defaultdict[object, int] = defaultdict(count().__next__)
        self._blocks: list[IntArray] = []

    def add(self, values: Cells) -> None:
        """Add some values; raise a ``TypeError`` if a value is not hashable."""
        numbers = map(self._known.__getitem__, values)
        self._blocks.append(np.fromiter(numbers, np.int32, len(values)))

    def takes(self, values: Cells) -> bool:
        """Add some values if all are hashable; return whether they were added."""
        try:
            self.add(values)
        except TypeError:
            return False
        return True

    @property
    def values(self) -> list[Any]:
        """The distinct values, in the order of their numbers."""
        return list(self._known)

    @property
    def ids(self) -> IntArray:
        """The number of each value."""
        if len(self._blocks) == 1:
            return self._blocks[0]
        return np.concatenate([np.zeros(0, np.int32), *self._blocks])


class Table:
    """Columns of mentions, added block by block.

    Closed slots have few values, and few distinct rows of values. Only the values of distinct rows
    are checked.

    Args:
        slots: the slots of mentions.
        place: names documents and mentions in messages. The caller adds the sizes of documents.
        unread: other slots that mentions can have; they are ignored.
    """

    def __init__(self, slots: Sequence[Slot], place: Place, unread: AbstractSet[str]) -> None:
        self._slots = [slot for slot in slots if slot.name != ANY]
        self._others = [slot for slot in slots if slot.name == ANY]
        self._place = place
        self._required = {_SPANS, *(slot.name for slot in slots if slot.default is None)}
        self._remedies = {s.name: f"Give None for {CUI_LESS}" for s in slots if s.kind == "code"}
        self._known = {_SPANS, *(slot.name for slot in self._slots)}
        self._accepted = self._known | UNSCORED | unread
        self._closed = [slot for slot in self._slots if slot.kind == "closed"]
        self._open = [slot for slot in self._slots if slot.kind != "closed"]
        self._spans = SpanColumns(place.mention)
        self._rows = _Numbers()
        self._codes = {slot.name: _Numbers() for slot in self._open}
        self._size = 0

    def add(self, mentions: Sequence[Record]) -> None:
        """Add a block of mentions."""
        spans, rows, codes = self._take_apart(mentions)
        self._spans.add(spans)
        if not self._rows.takes(rows):  # a value that is not hashable is invalid
            columns = zip(zip(*rows, strict=True), self._closed, strict=True)
            spelled = [spell_all(values, slot, self._locate) for values, slot in columns]
            self._rows.add(list(zip(*spelled, strict=True)))
        for slot, values in zip(self._open, codes, strict=True):
            numbers = self._codes[slot.name]
            if not numbers.takes(_as_keys(values) if slot.kind == "codes" else values):
                # a set of codes, for example
                numbers.add(spell_all(values, slot, self._locate))
        self._size += len(mentions)

    def _take_apart(self, mentions: Sequence[Record]) -> tuple[Cells, Cells, list[Cells]]:
        """Split dicts into spans, rows of closed slots, and the values of each other slot."""
        alike = set(map(type, mentions)) == {dict}
        if alike and set(map(len, mentions)) == {len(self._known)}:
            with suppress(KeyError):  # some mentions have other keys, which may be valid too
                return self._gather(mentions)
        names = set(chain.from_iterable(mentions)) if alike else self._known
        if not (alike and self._are_fine(mentions, names)):
            self._check(mentions)
        return self._gather(mentions, names)

    def _gather(
        self, mentions: Sequence[Record], names: AbstractSet[str] | None = None
    ) -> tuple[Cells, Cells, list[Cells]]:
        """Read mentions key by key.

        If ``names``, the keys that mentions may have, are None, they have all keys: a missing key
        raises a ``KeyError``.
        """
        complete = names is None

        def column(name: str) -> Cells:
            if names is None:
                return list(map(itemgetter(name), mentions))
            if name not in names:
                return [None] * len(mentions)
            return [mention.get(name) for mention in mentions]

        closed = [slot.name for slot in self._closed]
        if complete and len(closed) > 1:
            rows = list(map(itemgetter(*closed), mentions))
        else:
            rows = list(zip(*map(column, closed), strict=True))
        return column(_SPANS), rows, [column(slot.name) for slot in self._open]

    def _locate(self, row: int) -> str:
        """Return the name of a mention in the current block, for messages."""
        return self._place.mention(self._size + row)

    def _check(self, mentions: Sequence[Record]) -> None:
        known = self._accepted
        for row, mention in enumerate(mentions):
            if not isinstance(mention, Mapping):
                where = self._locate(row)
                raise InputError(f"expected a dict, got {shown(mention)}", where=where)
            for name in mention.keys() - known:
                raise unknown_name("slot", name, sorted(known), where=self._locate(row))
            for name in sorted(self._required - mention.keys()):
                raise missing(name, mention, self._remedies.get(name, ""), self._locate(row))

    def _are_fine(self, mentions: Sequence[Record], names: AbstractSet[str]) -> bool:
        """Return whether all mentions have the required keys, and only allowed ``names``."""
        self._open_others(names)
        return names <= self._accepted and all(
            all(map(contains, mentions, repeat(name))) for name in self._required
        )

    def _open_others(self, names: AbstractSet[Any]) -> None:
        """Add columns for new slots, if other slots are allowed."""
        found = (find_slot(self._others, name) for name in sorted(names - self._accepted, key=str))
        for slot in filter(None, found):
            self._slots.append(slot)
            self._open.append(slot)
            self._codes[slot.name] = _Numbers()
            self._codes[slot.name].add([None] * self._size)
            self._known.add(slot.name)
            self._accepted = self._accepted | {slot.name}

    def finish(self) -> MentionColumns:
        """Check the values, and return the columns of all mentions."""
        owners = np.repeat(np.arange(len(self._place.sizes), dtype=np.int32), self._place.sizes)
        found = self._read_closed()
        for slot in self._open:
            numbers = self._codes[slot.name]
            found[slot.name] = self._judge(slot, numbers.ids, numbers.values)
        attributes = {slot.name: found[slot.name] for slot in self._slots}
        return MentionColumns(owners, *self._spans.finish(), attributes)

    def _read_closed(self) -> dict[str, Coded]:
        ids, rows = self._rows.ids, self._rows.values
        found = {}
        for at, slot in enumerate(self._closed):
            values = [row[at] for row in rows]
            numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
            renumbered = np.array([numbers[value] for value in values], np.int32)
            found[slot.name] = self._judge(slot, renumbered.take(ids), [*numbers])
        return found

    def _judge(self, slot: Slot, ids: IntArray, values: Cells) -> Coded:
        def locate(number: int) -> str:
            return self._place.mention(int(np.argmax(ids == number)))

        return Coded(ids, tuple(spell_all(values, slot, locate)))


def missing(name: str, present: Iterable[str], remedy: str, where: str) -> InputError:
    """Return the error for a missing slot; mention another name of the class that is present."""
    problem = f"{name!r} is missing"
    others = [other for other in _CLASSES if other in present and name in _CLASSES]
    if others:
        problem += f", but {others[0]!r} is present"
        remedy = "If you converted the files, add --module and the name of this metric"
    if name == _SPANS and "text" in present:
        problem += ", but 'text' is present"
        remedy = "To compare texts without offsets, score answers of a model with match='text'"
    return InputError(problem, where=where, remedy=remedy)


def _as_keys(values: Cells) -> Cells:
    """Convert lists to tuples, which are hashable."""
    if set(map(type, values)) <= {list, tuple}:
        return list(map(tuple, values))
    return [tuple(value) if isinstance(value, list) else value for value in values]


def spell_all(values: Cells, slot: Slot, locate: Locate) -> list[str]:
    """Convert the values of a slot to strings.

    Args:
        values: the distinct values.
        slot: the slot.
        locate: returns the name of a mention that has the value with a number.

    Raises:
        InputError: the slot cannot have a value.
    """
    spelled = []
    for number, value in enumerate(values):
        text = spell(value, slot)
        if text is None:
            _refuse(value, slot, locate(number))
        if wrong := slot.judge(text):
            raise InputError(wrong, where=locate(number))
        spelled.append(text)
    return spelled


def spell(value: object, slot: Slot) -> str | None:
    """Convert a value to a string, a set of codes separated by commas; None if it is invalid."""
    if value is None:
        return CUI_LESS if slot.kind == "code" else slot.default
    value = slot.word(value)
    if slot.kind == "codes" and isinstance(value, (list, tuple, set, frozenset)):
        if not value:  # an empty set is a missing value
            return slot.default
        if not all(isinstance(code, str) and "," not in code for code in value):
            return None
        value = ",".join(sorted(value))
    if slot.kind == "codes" and isinstance(value, str):
        value = value.replace(", ", ",")  # both are allowed, and equal in all protocols
    return value if isinstance(value, str) and _is_value(slot, value) else None


def _is_value(slot: Slot, value: str) -> bool:
    if slot.kind == "closed":
        return slot.find(value) is not None
    if slot.kind in ("label", "free"):
        return value in slot.values if slot.values else value.isprintable() and bool(value.strip())
    return not _NO_CODE.search(value.replace(", ", ","))


def _refuse(value: object, slot: Slot, where: str) -> NoReturn:
    if isinstance(value, str) and not value and slot.name in _CLASSES:
        problem = f"{slot.name}: expected a label, got an empty string"
        raise InputError(problem, where=where, remedy=TYPELESS)
    if slot.values and isinstance(value, str):
        raise unknown_value(slot, value, where)
    wanted = {
        "closed": "a string",
        "label": "a label in printable characters",
        "free": "a value in printable characters, true, false or nothing",
        "code": "a code or None",
        "codes": "codes or None",
    }[slot.kind]
    problem = f"{called(slot.name)}: expected {wanted}, got {shown(value)}"
    raise InputError(problem, where=where)
