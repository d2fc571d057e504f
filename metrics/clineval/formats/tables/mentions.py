"""Mentions in an Arrow array straight into columns, without an object for each mention.

A row is a document: a list of structs, ``list<struct<spans: list<list<int>>, cui: string, ...>>``.
The offsets and values of the array are the columns' own; of each slot only the distinct strings
become objects of Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import InputError, called, unknown_name
from clineval.base.offsets import LARGEST
from clineval.formats.dict_spans import judge_fragments
from clineval.formats.dicts import UNSCORED, missing, spell_all
from clineval.kinds.mentions.columns import MentionColumns, Side
from clineval.kinds.mentions.slots import ANY, CUI_LESS, Slot, find_slot

if TYPE_CHECKING:  # an extra
    import pyarrow as pa

_SPANS = "spans"
_PAIR = 2


def is_mentions(kind: pa.DataType) -> bool:
    """Tell whether an Arrow type is that of a list of mentions for each document."""
    return _is_list(kind) and _is_struct(kind.value_type) and _SPANS in _fields(kind.value_type)


@dataclass(frozen=True, slots=True, eq=False)
class ArrowMentions:
    """Mentions of documents in an Arrow array; it becomes a side by itself.

    Args:
        array: ``[documents]``, a list of structs each.
        names: the documents' names.
        by_name: whether documents of two sides are paired by name.
        side: ``predictions`` or ``references``, for messages.
    """

    array: pa.Array
    names: Sequence[str]
    by_name: bool
    side: str

    def as_side(self, slots: Sequence[Slot], unread: AbstractSet[str]) -> Side:
        """Return the mentions with these slots.

        Raises:
            InputError: names the side, the document, the mention and the field.
        """
        mentions = _Reader(self).read(slots, unread)
        names = tuple(self.names)
        return Side(names, names if self.by_name else None, mentions)


class _Reader:
    """Takes an array apart, and says where something is.

    Args:
        given: the array, with the names of its documents.
    """

    def __init__(self, given: ArrowMentions) -> None:
        self._given = given
        _refuse_null(given.array, "a list of mentions", self._document)
        self._bounds = _bounds_of(given.array)
        self._mentions = _values_of(given.array)

    def read(self, slots: Sequence[Slot], unread: AbstractSet[str]) -> MentionColumns:
        kind = self._mentions.type
        known = {_SPANS, *UNSCORED, *unread, *(slot.name for slot in slots)}
        others = (find_slot(slots, name) for name in _fields(kind) if name not in known)
        slots = [*(slot for slot in slots if slot.name != ANY), *filter(None, others)]
        self._check_names(kind, slots, unread)
        _refuse_null(self._mentions, "a dict", self.locate)
        sizes = np.diff(self._bounds)
        owners = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        spans = _read_spans(self._mentions.field(_SPANS), self.locate)
        attributes = {slot.name: self._read_slot(slot) for slot in slots}
        spelling = Coded(np.zeros(len(self._mentions), np.int8), ("",))
        return MentionColumns(owners, *spans, attributes, spelling)

    def _document(self, number: int) -> str:
        return f"{self._given.side}, document {called(self._given.names[number])}"

    def locate(self, row: int) -> str:
        """Name a mention for messages."""
        number = int(np.searchsorted(self._bounds, row, side="right")) - 1
        return f"{self._document(number)}, mention {row - int(self._bounds[number])}"

    def _check_names(
        self, kind: pa.DataType, slots: Sequence[Slot], unread: AbstractSet[str]
    ) -> None:
        known = {_SPANS, *(slot.name for slot in slots)}
        names = _fields(kind)
        for name in names:
            if name not in known | UNSCORED | unread:
                expected = sorted(known | UNSCORED | unread)
                raise unknown_name("slot", name, expected, where=self._given.side)
        required = {_SPANS, *(slot.name for slot in slots if slot.default is None)}
        for name in sorted(required - set(names)):
            codes = {slot.name for slot in slots if slot.kind == "code"}
            remedy = f"Give null for {CUI_LESS}" if name in codes else ""
            raise missing(name, names, remedy, self._given.side)

    def _read_slot(self, slot: Slot) -> Coded:
        size = len(self._mentions)
        if slot.name not in _fields(self._mentions.type):
            return Coded(np.zeros(size, np.int8), (slot.default or "",))
        array = self._mentions.field(slot.name)
        ids, values = _number(array, slot, self._given.side)

        def locate(number: int) -> str:
            return self.locate(int(np.argmax(ids == number)))

        return Coded(ids, tuple(spell_all(values, slot, locate)))


def _number(array: pa.Array, slot: Slot, side: str) -> tuple[IntArray, Sequence[Any]]:
    """Return ``[n]``, a number for each value; and the distinct values, None for null."""
    import pyarrow as pa

    kind = array.type
    if _is_list(kind) and slot.kind == "codes":
        given = [None if value is None else tuple(value) for value in array.to_pylist()]
        numbers = {value: at for at, value in enumerate(dict.fromkeys(given))}
        ids: IntArray = np.fromiter(map(numbers.__getitem__, given), np.int64, len(given))
        return ids, list(numbers)
    if not pa.types.is_dictionary(kind):
        if not (_is_text(kind) or pa.types.is_null(kind) or pa.types.is_boolean(kind)):
            raise InputError(f"{slot.name}: expected strings, got a column of {kind}", where=side)
        array = array.dictionary_encode()
    elif not _is_text(kind.value_type):
        raise InputError(f"{slot.name}: expected strings, got a column of {kind}", where=side)
    values: list[Any] = array.dictionary.to_pylist()
    indices = array.indices
    if indices.null_count:
        indices = indices.fill_null(pa.scalar(len(values), indices.type))
        values.append(None)
    found: IntArray = indices.to_numpy(zero_copy_only=False)
    present = np.flatnonzero(np.bincount(found, minlength=len(values)))
    if len(present) == len(values):
        return found, values
    table = np.zeros(len(values), np.int64)  # a dictionary may have values that are nowhere
    table[present] = np.arange(len(present))
    return table[found], [values[at] for at in present.tolist()]


def _read_spans(
    spans: pa.Array, locate: Callable[[int], str]
) -> tuple[IntArray, IntArray, IntArray]:
    """Read bounds, starts and ends of the fragments of each mention."""
    import pyarrow as pa

    kind = spans.type
    if not (_is_list(kind) and _is_list(kind.value_type)) or not (
        pa.types.is_integer(kind.value_type.value_type)
    ):
        wanted = "spans: expected lists of lists of integers"
        raise InputError(f"{wanted}, got a column of {kind}", where=locate(0).split(",")[0])
    _refuse_null(spans, "spans such as [[10, 20]]", locate)
    bounds = _bounds_of(spans)
    fragments = _values_of(spans)

    def locate_fragment(row: int) -> str:
        return locate(int(np.searchsorted(bounds, row, side="right")) - 1)

    _refuse_null(fragments, "a fragment [start, end]", locate_fragment)
    widths = np.diff(_bounds_of(fragments))
    offsets = _values_of(fragments)
    wrong = widths != _PAIR
    if wrong.any():
        row = int(np.argmax(wrong))
        problem = f"expected a fragment [start, end], got a list of {widths[row]}"
        raise InputError(problem, where=locate_fragment(row))
    _refuse_null(offsets, "an integer", lambda row: locate_fragment(row // _PAIR))
    table = _integers(offsets).reshape(-1, _PAIR)
    return judge_fragments(bounds, table, locate)


def _integers(offsets: pa.Array) -> IntArray:
    numbers: Any = offsets.to_numpy(zero_copy_only=False)
    too_large = numbers.dtype == np.uint64 and (numbers > LARGEST).any()
    found: IntArray = numbers.astype(object if too_large else np.int64, copy=False)
    return found  # integers of Python are shown as they are


def _values_of(array: pa.Array) -> pa.Array:
    """Return the values of all lists."""
    return array.flatten() if len(array) else array.values.slice(0, 0)


def _bounds_of(array: pa.Array) -> IntArray:
    """Return ``[n + 1]``, where the values of each list are among those of all."""
    import pyarrow as pa

    if not len(array):  # the Arrow of Java, and so of Spark, has no offsets then
        return np.zeros(1, np.int64)
    if pa.types.is_fixed_size_list(array.type):
        bounds: IntArray = np.arange(len(array) + 1, dtype=np.int64) * int(array.type.list_size)
        return bounds
    offsets: IntArray = array.offsets.to_numpy().astype(np.int64)
    offsets -= offsets[0]
    return offsets


def _refuse_null(array: pa.Array, wanted: str, locate: Callable[[int], str]) -> None:
    """Refuse an array in which a value is missing."""
    if array.null_count:
        row = int(np.argmax(array.is_null().to_numpy(zero_copy_only=False)))
        raise InputError(f"expected {wanted}, got null", where=locate(row))


def _is_list(kind: pa.DataType) -> bool:
    import pyarrow as pa

    checks = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    return any(check(kind) for check in checks)


def _is_struct(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_struct(kind))


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _fields(kind: pa.DataType) -> list[str]:
    return [kind.field(at).name for at in range(kind.num_fields)]
