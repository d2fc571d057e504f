"""Convert mentions in an Arrow array to columns, without an object for each mention.

Each row is a document: a list of structs, ``list<struct<spans: list<list<int>>, cui: string,
...>>``, or a struct with such ``mentions``, and ``relations``, ``text`` and ``language``. The
columns share the offsets and values of the array. Only the distinct strings of each slot become
Python objects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Self

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import InputError, called, located, unknown_name
from clineval.base.offsets import LARGEST
from clineval.formats.dict_spans import Locate, judge_fragments
from clineval.formats.dicts import UNSCORED, missing, read_records, spell_all
from clineval.formats.tables.parquet import (
    LISTS,
    MENTIONS,
    RELATIONS,
    TEXTS,
    fields_of,
    find_null,
    is_one_of,
)
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.mention import judge_language
from clineval.results.columns import MentionColumns
from clineval.results.slots import ANY, CUI_LESS, Slot, find_slot

if TYPE_CHECKING:  # an extra
    import pyarrow as pa

_SPANS = "spans"
_PAIR = 2
BESIDE = (RELATIONS, "text", "language")
"""The parts of a document besides its mentions."""


def is_mentions(kind: pa.DataType) -> bool:
    """Return whether an Arrow type is a list of mentions for each document."""
    if not (is_one_of(kind, *LISTS) and is_one_of(kind.value_type, "struct")):
        return False
    return _SPANS in [field.name for field in fields_of(kind.value_type)]


def holds_mentions(kind: pa.DataType) -> bool:
    """Return whether an Arrow type contains mentions, alone or with relations and texts.

    Empty lists have an unknown type, and may be mentions.
    """
    if is_one_of(kind, "struct"):
        fields = {field.name: field.type for field in fields_of(kind)}
        mentions = fields.pop(MENTIONS, None)
        return mentions is not None and fields.keys() <= {*BESIDE} and holds_mentions(mentions)
    return is_mentions(kind) or (is_one_of(kind, *LISTS) and is_one_of(kind.value_type, "null"))


def fields_beside(kind: pa.DataType) -> list[str]:
    """List the parts of documents that other columns may contain, for mentions of this type."""
    if not holds_mentions(kind):
        return []
    own = [field.name for field in fields_of(kind)] if is_one_of(kind, "struct") else []
    return [name for name in BESIDE if name not in own]


@dataclass(frozen=True, slots=True, eq=False)
class ArrowMentions:
    """Mentions of documents in an Arrow array; the object converts itself to a side.

    Args:
        array: ``[documents]``, a list of structs for each document.
        names: the documents' names.
        by_name: whether documents of two sides are paired by name.
        side: ``predictions`` or ``references``, for messages.
        beside: ``relations``, ``text`` and ``language`` of the documents, if known.
    """

    array: pa.Array
    names: Sequence[str]
    by_name: bool
    side: str
    beside: Mapping[str, pa.Array]

    @classmethod
    def of(
        cls,
        array: pa.Array,
        beside: Mapping[str, pa.Array],
        names: Sequence[str],
        side: str,
        *,
        by_name: bool,
    ) -> Self:
        """Create mentions from an array, whose items can also be structs of whole documents."""
        if is_one_of(array.type, "struct"):
            _refuse_null(array, "a document", lambda row: f"{side}, document {called(names[row])}")
            held = {
                field.name: part
                for field, part in zip(fields_of(array.type), array.flatten(), strict=True)
            }
            array, beside = held.pop(MENTIONS), {**beside, **held}
        return cls(array, names, by_name, side, beside)

    def as_documents(self) -> list[dict[str, object]]:
        """Return the documents as dicts, for readers that need relations."""
        parts = {name: array.to_pylist() for name, array in self.beside.items()}
        return [
            {"id": name, MENTIONS: mentions, **{n: part[at] for n, part in parts.items()}}
            for at, (name, mentions) in enumerate(
                zip(self.names, self.array.to_pylist(), strict=True)
            )
        ]

    def as_side(self, slots: Sequence[Slot], unread: AbstractSet[str]) -> Side:
        """Return the mentions with these slots.

        Raises:
            InputError: a mention is invalid; the message names side, document, mention and slot.
        """
        _refuse_null(self.array, "a list of mentions", self._document)
        bounds, mentions = _unnest(self.array)
        present = [field.name for field in fields_of(mentions.type)]
        if not len(mentions) and {_SPANS, *UNSCORED}.issuperset(present):
            # a system without any mentions does not write slots
            return self._with_texts(read_records([[] for _ in self.names], slots, names=self.names))
        known = {_SPANS, *UNSCORED, *unread, *(slot.name for slot in slots)}
        others = (find_slot(slots, name) for name in present if name not in known)
        slots = [*(slot for slot in slots if slot.name != ANY), *filter(None, others)]
        self._check_names(present, slots, unread)
        locate = partial(self._locate, bounds)
        _refuse_null(mentions, "a dict", locate)
        sizes = np.diff(bounds)
        owners = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        spans = _read_spans(mentions.field(_SPANS), locate)
        attributes = {
            slot.name: self._read_slot(mentions.field(slot.name), slot, locate)
            if slot.name in present
            else Coded(np.zeros(len(mentions), np.int8), (slot.default or "",))
            for slot in slots
        }
        columns = MentionColumns(owners, *spans, attributes)
        return self._with_texts(Side(tuple(self.names), None, columns))

    def _with_texts(self, side: Side) -> Side:
        """Add names, texts and languages of the documents to the side."""
        texts, languages = (
            tuple(self.beside[name].to_pylist()) if name in self.beside else ()
            for name in ("text", "language")
        )
        codes = tuple(
            located(self._document(at), judge_language, each) or ""
            for at, each in enumerate(languages)
        )
        keys = side.documents if self.by_name else None
        return replace(side, keys=keys, texts=texts, languages=codes)

    def _document(self, number: int) -> str:
        return f"{self.side}, document {called(self.names[number])}"

    def _locate(self, bounds: IntArray, row: int) -> str:
        number = int(np.searchsorted(bounds, row, side="right")) - 1
        return f"{self._document(number)}, mention {row - int(bounds[number])}"

    def _check_names(
        self, present: Sequence[str], slots: Sequence[Slot], unread: AbstractSet[str]
    ) -> None:
        accepted = {_SPANS, *(slot.name for slot in slots), *UNSCORED, *unread}
        for name in present:
            if name not in accepted:
                raise unknown_name("slot", name, sorted(accepted), where=self.side)
        required = {_SPANS, *(slot.name for slot in slots if slot.default is None)}
        for name in sorted(required.difference(present)):
            codes = {slot.name for slot in slots if slot.kind == "code"}
            remedy = f"Give null for {CUI_LESS}" if name in codes else ""
            raise missing(name, present, remedy, self.side)

    def _read_slot(self, array: pa.Array, slot: Slot, locate: Locate) -> Coded:
        ids, values = _number(array, slot, self.side)
        spelled = spell_all(values, slot, lambda number: locate(int(np.argmax(ids == number))))
        return Coded(ids, tuple(spelled))


def _number(array: pa.Array, slot: Slot, side: str) -> tuple[IntArray, Sequence[object]]:
    """Return ``[n]``, the number of each value, and the distinct values; null becomes None."""
    import pyarrow as pa

    kind = array.type
    if is_one_of(kind, *LISTS) and slot.kind == "codes":
        given = [None if value is None else tuple(value) for value in array.to_pylist()]
        numbers = {value: at for at, value in enumerate(dict.fromkeys(given))}
        ids: IntArray = np.fromiter(map(numbers.__getitem__, given), np.int64, len(given))
        return ids, list(numbers)
    dictionary = pa.types.is_dictionary(kind)
    wanted = (kind.value_type, *TEXTS) if dictionary else (kind, *TEXTS, "null", "boolean")
    if not is_one_of(*wanted):
        raise InputError(f"{slot.name}: expected strings, got a column of {kind}", where=side)
    array = array if dictionary else array.dictionary_encode()
    values: list[object] = array.dictionary.to_pylist()
    indices = array.indices
    if indices.null_count:
        indices = indices.fill_null(pa.scalar(len(values), indices.type))
        values.append(None)
    found: IntArray = indices.to_numpy(zero_copy_only=False)
    present = np.flatnonzero(np.bincount(found, minlength=len(values)))
    if len(present) == len(values):
        return found, values
    table = np.zeros(len(values), np.int64)  # a dictionary may contain unused values
    table[present] = np.arange(len(present))
    return table[found], [values[at] for at in present.tolist()]


def _read_spans(spans: pa.Array, locate: Locate) -> tuple[IntArray, IntArray, IntArray]:
    kind = spans.type
    nested = is_one_of(kind, *LISTS) and is_one_of(kind.value_type, *LISTS)
    if not (nested and is_one_of(kind.value_type.value_type, "integer")):
        wanted = "spans: expected lists of lists of integers"
        raise InputError(f"{wanted}, got a column of {kind}", where=locate(0).split(",")[0])
    _refuse_null(spans, "spans such as [[10, 20]]", locate)
    bounds, fragments = _unnest(spans)

    def locate_fragment(row: int) -> str:
        return locate(int(np.searchsorted(bounds, row, side="right")) - 1)

    _refuse_null(fragments, "a fragment [start, end]", locate_fragment)
    limits, offsets = _unnest(fragments)
    widths = np.diff(limits)
    if (widths != _PAIR).any():
        row = int(np.argmax(widths != _PAIR))
        problem = f"expected a fragment [start, end], got a list of {widths[row]}"
        raise InputError(problem, where=locate_fragment(row))
    _refuse_null(offsets, "an integer", lambda row: locate_fragment(row // _PAIR))
    numbers = offsets.to_numpy(zero_copy_only=False)
    too_large = numbers.dtype == np.uint64 and (numbers > LARGEST).any()
    # messages show integers of Python exactly
    numbers = numbers.astype(object if too_large else np.int64, copy=False)
    return judge_fragments(bounds, numbers.reshape(-1, _PAIR), locate)


def _unnest(array: pa.Array) -> tuple[IntArray, pa.Array]:
    """Return the bounds of each list, ``[n + 1]``, and the values of all lists."""
    if not len(array):  # without lists, Arrow in Java, and therefore in Spark, has no offsets
        return np.zeros(1, np.int64), array.values.slice(0, 0)
    if is_one_of(array.type, "fixed_size_list"):
        offsets = np.arange(len(array) + 1, dtype=np.int64) * int(array.type.list_size)
    else:
        offsets = array.offsets.to_numpy().astype(np.int64)
    return offsets - offsets[0], array.flatten()


def _refuse_null(array: pa.Array, wanted: str, locate: Locate) -> None:
    """Reject an array with a null."""
    if array.null_count:
        raise InputError(f"expected {wanted}, got null", where=locate(find_null(array)))
