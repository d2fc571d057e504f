"""Batches of table rows: gold and predicted annotations of some documents.

Lists of mentions become columns as they are (:mod:`clineval.formats.tables.mentions`); the other
kinds of annotation become the dicts and lists that ``clineval.score`` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clineval.base.errors import InputError, agree, listed
from clineval.formats.tables.arrow import (
    Column,
    SideName,
    Table,
    as_column,
    as_table,
    judge_names,
    open_table,
    read_groups,
    schema_of,
    unbroken,
)
from clineval.formats.tables.mentions import ArrowMentions, is_mentions
from clineval.formats.tables.parquet import judge_fields
from clineval.kinds.documents import check_as_many
from clineval.results.challenge import Challenge

if TYPE_CHECKING:  # an extra
    import pyarrow as pa

_NAMES = {"id", "note_id"}
"""What a document that is a struct may have its name under."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Some documents of both sides.

    Args:
        references: ``[n]``, null for a document without any.
        predictions: ``[n]``, likewise.
        names: ``[n]``, the documents' names, or their numbers in the whole.
        by_name: whether these are names.
        apart: whether documents may be on one side only.
    """

    references: pa.Array
    predictions: pa.Array
    names: Sequence[str]
    by_name: bool
    apart: bool = False

    def __len__(self) -> int:
        return len(self.names)

    def slice(self, first: int, last: int) -> Rows:
        """Return the documents ``first:last``."""
        references, predictions = (
            side.slice(first, last - first) for side in (self.references, self.predictions)
        )
        return Rows(references, predictions, self.names[first:last], self.by_name, self.apart)

    def followed_by(self, other: Rows) -> Rows:
        """Join these documents with others."""
        import pyarrow as pa

        references = pa.concat_arrays([self.references, other.references])
        predictions = pa.concat_arrays([self.predictions, other.predictions])
        names = [*self.names, *other.names]
        return Rows(references, predictions, names, self.by_name, self.apart)

    def __reduce__(self) -> tuple[Any, ...]:
        # a slice would travel with all that it is a slice of
        return _unpack, (_pack(self.references, self.predictions), *self._others)

    @property
    def _others(self) -> tuple[Any, ...]:
        return list(self.names), self.by_name, self.apart

    def has_names(self, challenge: Challenge) -> bool:
        """Tell whether the challenge gets the documents' names with the documents."""
        kind = self.references.type
        return _becomes_columns(kind, challenge) or bool(_NAMES & set(_fields(kind)))

    def given(self, challenge: Challenge) -> tuple[Any, Any]:
        """Return references and predictions as the challenge takes them."""
        sides: tuple[SideName, SideName] = ("references", "predictions")
        arrays = (self.references, self.predictions)
        found = [self._one(a, s, challenge) for a, s in zip(arrays, sides, strict=True)]
        return found[0], found[1]

    def _one(self, array: pa.Array, side: SideName, challenge: Challenge) -> Any:
        judge_fields(array.type, side)
        names, array = self._present(array)
        if _becomes_columns(array.type, challenge):
            return ArrowMentions(array, names, self.by_name, side)
        if len(names) < len(self):
            absent = sorted(set(self.names) - set(names))
            problem = agree("{n} {document is|documents are} on one side only", len(absent))
            raise InputError(
                f"{problem}: {listed(absent)}",
                where=side,
                remedy="Give both sides of all documents, an empty list where there is nothing",
            )
        return array.to_pylist()

    def _present(self, array: pa.Array) -> tuple[Sequence[str], pa.Array]:
        """Return the documents that a side has."""
        if not (self.apart and array.null_count):
            return self.names, array
        there = array.is_valid()
        kept = np.flatnonzero(there.to_numpy(zero_copy_only=False)).tolist()
        return [self.names[at] for at in kept], array.filter(there)


def _becomes_columns(kind: pa.DataType, challenge: Challenge) -> bool:
    return challenge.task.kind == "mentions" and is_mentions(kind)


def _fields(kind: pa.DataType) -> list[str]:
    """Name the fields of a struct; empty for any other type."""
    return [kind.field(at).name for at in range(kind.num_fields)] if hasattr(kind, "field") else []


def _pack(references: pa.Array, predictions: pa.Array) -> Any:
    """Pack two arrays as the bytes of a stream of Arrow."""
    import pyarrow as pa

    batch = pa.record_batch([references, predictions], names=["references", "predictions"])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    return sink.getvalue().to_pybytes()


def _unpack(packed: bytes, names: Sequence[str], by_name: bool, apart: bool) -> Rows:  # noqa: FBT001
    import pyarrow as pa

    [batch] = pa.ipc.open_stream(packed)
    return Rows(batch.column(0), batch.column(1), names, by_name, apart)


def as_rows(
    table: pa.Table, columns: Sequence[str], label: str, number: Callable[[int], Sequence[str]]
) -> Rows:
    """Read rows of a table that has both sides, which messages call ``label``.

    ``columns`` are those of the references, of the predictions, and of the names if there are any;
    otherwise ``number`` names so many documents.
    """
    references, predictions, *key = columns
    sides = [whole_column(table.column(name)) for name in (references, predictions)]
    named = [judge_names(table.column(name), label, name).to_pylist() for name in key]
    names = named[0] if named else number(table.num_rows)
    return Rows(sides[0], sides[1], names, by_name=bool(named))


def read_rows(references: Column, predictions: Column, size: int) -> Iterator[Rows]:
    """Yield the documents of two columns, ``size`` at a time.

    Two columns of one table are read together. Those of two tables are joined by the documents'
    names if both have them, else by position. Two tables in the same order are read side by side;
    otherwise the table with the predictions is held in memory.

    Raises:
        InputError: tables that cannot be joined, or another number of rows without names.
    """
    gold, found = open_table(references, "references"), open_table(predictions, "predictions")
    if gold.origin == found.origin:
        yield from _read_one(gold, found, size)
    elif gold.id and found.id:
        yield from _read_by_name(gold, found, size)
    else:
        yield from _read_by_position(gold, found, size)


def count_rows(references: Column, predictions: Column) -> int:
    """Count the documents, as far as possible before reading."""
    sides: tuple[tuple[Column, SideName], ...] = (
        (references, "references"),
        (predictions, "predictions"),
    )
    return max(open_table(column, side).rows for column, side in sides)


def _read_one(gold: Table, found: Table, size: int) -> Iterator[Rows]:
    names = _number_or_read(gold)
    wanted = list(dict.fromkeys((gold.column, found.column)))
    for first, table in _batches(gold, wanted, size):
        references, predictions = (
            whole_column(table.column(name)) for name in (gold.column, found.column)
        )
        yield Rows(references, predictions, names(first, table.num_rows), bool(gold.id))


def _number_or_read(table: Table) -> Any:
    """Make a function that names some rows from one on."""
    known = table.read_names() if table.id else None

    def name(first: int, size: int) -> Sequence[str]:
        if known is None:
            return list(map(str, range(first, first + size)))
        names: Sequence[str] = known.slice(first, size).to_pylist()
        return names

    return name


def _read_by_position(gold: Table, found: Table, size: int) -> Iterator[Rows]:
    check_as_many(
        found.rows,
        gold.rows,
        "Give an empty list for a document without mentions, or ids on both sides",
    )
    names = _number_or_read(gold if gold.id else found)
    yield from _side_by_side(gold, found, names, size, by_name=bool(gold.id or found.id))


def _side_by_side(
    gold: Table, found: Table, names: Any, size: int, *, by_name: bool
) -> Iterator[Rows]:
    left = _batches(gold, [gold.column], size)
    right = _batches(found, [found.column], size)
    for (first, one), (_, other) in zip(left, right, strict=True):
        arrays = whole_column(one.column(0)), whole_column(other.column(0))
        yield Rows(*arrays, names(first, one.num_rows), by_name)


def _read_by_name(gold: Table, found: Table, size: int) -> Iterator[Rows]:
    import pyarrow as pa
    import pyarrow.compute as pc

    known, given = (table.read_names() for table in (gold, found))
    if known.equals(given):
        names = lambda first, rows: known.slice(first, rows).to_pylist()  # noqa: E731
        yield from _side_by_side(gold, found, names, size, by_name=True)
        return
    given = given.cast(known.type)
    held = as_table(found, [found.column])
    at = pc.index_in(known, value_set=given)
    for first, table in _batches(gold, [gold.column], size):
        rows = at.slice(first, table.num_rows)
        taken = whole_column(held.take(rows).column(0))
        names = known.slice(first, table.num_rows).to_pylist()
        yield Rows(whole_column(table.column(0)), taken, names, by_name=True, apart=True)
    extra = pc.invert(pc.is_in(given, value_set=known))
    others, taken = given.filter(extra), held.filter(extra)
    kind = schema_of(gold.source).field(gold.column).type
    for first in range(0, len(others), size):
        part = taken.slice(first, size)
        nothing = pa.nulls(part.num_rows, kind)
        names = others.slice(first, size).to_pylist()
        yield Rows(nothing, whole_column(part.column(0)), names, by_name=True, apart=True)


def whole_column(column: Any) -> pa.Array:
    """Return a column as one array."""
    import pyarrow as pa

    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _batches(given: Table, columns: Sequence[str], size: int) -> Iterator[tuple[int, pa.Table]]:
    """Yield the rows of some columns, ``size`` at a time, with the number of the first."""
    import pyarrow as pa

    source = given.source
    if not hasattr(source, "iter_batches"):
        for first in range(0, source.num_rows, size):
            yield first, source.select(list(columns)).slice(first, size)
        return
    first = 0
    parts: list[Any] = []
    for batch in _read_groups(given, columns, size):
        parts.append(batch)
        while sum(part.num_rows for part in parts) >= size:
            waiting = pa.Table.from_batches(parts)
            yield first, waiting.slice(0, size)
            first += size
            parts = waiting.slice(size).to_batches()
    if sum(part.num_rows for part in parts):
        yield first, pa.Table.from_batches(parts)


def _read_groups(given: Table, columns: Sequence[str], size: int) -> Iterator[pa.RecordBatch]:
    """Yield the batches of a Parquet file."""
    with unbroken(given.label):
        yield from read_groups(given.source, range(given.source.num_row_groups), columns, size)


def give_columns(
    challenge: Challenge, references: Any, predictions: Sequence[Any]
) -> tuple[Any, list[Any]]:
    """Replace columns of tables by all their documents; return anything else as it is.

    Raises:
        InputError: as :func:`read_rows`, or a column beside something else.
    """
    gold, systems = as_column(references), list(map(as_column, predictions))
    if gold is None and not any(systems):
        return references, list(predictions)
    if gold is None or None in systems:
        raise InputError(
            "one side is a column of a table, the other is not",
            remedy="Give both as tables; clineval convert writes Parquet",
        )
    pairs = [_read_all(gold, each, challenge) for each in (systems or [gold]) if each is not None]
    return pairs[0][0], [system for _, system in pairs[: len(systems)]]


def _read_all(references: Column, predictions: Column, challenge: Challenge) -> tuple[Any, Any]:
    """Read both sides of all documents."""
    size = max(1, count_rows(references, predictions))
    parts = list(read_rows(references, predictions, size))
    if not parts:
        return [], []
    rows = parts[0]
    for part in parts[1:]:
        rows = rows.followed_by(part)
    return rows.given(challenge)
