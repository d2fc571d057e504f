"""Batches of table rows: gold and predicted annotations of some documents.

Lists of mentions become columns directly (:mod:`clineval.formats.tables.mentions`). The other kinds
of annotation become the dicts and lists that ``clineval.score`` accepts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from clineval.base.errors import InputError, agree, listed
from clineval.formats.tables.arrow import (
    Column,
    SideName,
    Table,
    find_beside,
    judge_names,
    open_table,
    schema_of,
)
from clineval.formats.tables.mentions import ArrowMentions, holds_mentions
from clineval.formats.tables.parquet import fields_of, judge_fields
from clineval.kinds.documents import check_as_many
from clineval.results.challenge import Challenge

if TYPE_CHECKING:  # an extra
    import pyarrow as pa

_SIDES = ["references", "predictions"]
Given = ArrowMentions | list[object]
"""One side in a form that challenges accept."""
_NAMES = {"id", "note_id"}
"""Fields that may contain the name of a document that is a struct."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Some documents of both sides.

    A document is a struct of its annotations and the content of other columns, such as its text.

    Args:
        references: ``[n]``, null for a document without references.
        predictions: ``[n]``, null for a document without predictions.
        names: ``[n]``, the documents' names, or their positions in the table.
        by_name: whether ``names`` are names.
        apart: whether a document may be missing on one side.
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
        references = _join([self.references, other.references])
        predictions = _join([self.predictions, other.predictions])
        names = [*self.names, *other.names]
        return Rows(references, predictions, names, self.by_name, self.apart)

    def __reduce__(self) -> tuple[object, ...]:
        # pickling a slice would include the whole array
        import pyarrow as pa

        batch = pa.record_batch([self.references, self.predictions], names=_SIDES)
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as stream:
            stream.write_batch(batch)
        return _unpack, (sink.getvalue().to_pybytes(), self.names, self.by_name, self.apart)

    def has_names(self, challenge: Challenge) -> bool:
        """Return whether the challenge receives the documents' names with the documents."""
        kind = self.references.type.field(0).type
        fields = {field.name for field in fields_of(kind)}
        return _has_mentions(kind, challenge) or bool(_NAMES & fields)

    def given(self, challenge: Challenge) -> tuple[Given, Given]:
        """Return references and predictions in a form that the challenge accepts."""
        return (
            self._one(self.references, "references", challenge),
            self._one(self.predictions, "predictions", challenge),
        )

    def _one(self, array: pa.Array, side: SideName, challenge: Challenge) -> Given:
        judge_fields(array.type, side)
        names, array = self._present(array)
        annotations, *others = array.flatten()
        if _has_mentions(annotations.type, challenge):
            named = [field.name for field in fields_of(array.type)[1:]]
            beside = dict(zip(named, others, strict=True))
            return ArrowMentions.of(annotations, beside, names, side, by_name=self.by_name)
        if len(names) < len(self):
            absent = sorted(set(self.names) - set(names))
            problem = agree("{n} {document is|documents are} on one side only", len(absent))
            raise InputError(
                f"{problem}: {listed(absent)}",
                where=side,
                remedy="Give both sides of every document; use an empty list if there is nothing",
            )
        found: list[object] = annotations.to_pylist()
        return found

    def _present(self, array: pa.Array) -> tuple[Sequence[str], pa.Array]:
        if not (self.apart and array.null_count):
            return self.names, array
        there = array.is_valid()
        kept = np.flatnonzero(there.to_numpy(zero_copy_only=False)).tolist()
        return [self.names[at] for at in kept], array.filter(there)


def _has_mentions(kind: pa.DataType, challenge: Challenge) -> bool:
    return challenge.kind.in_columns and holds_mentions(kind)


def _unpack(packed: bytes, names: Sequence[str], by_name: bool, apart: bool) -> Rows:  # noqa: FBT001
    import pyarrow as pa

    [batch] = pa.ipc.open_stream(packed)
    return Rows(batch.column(0), batch.column(1), names, by_name, apart)


def as_rows(
    table: pa.Table,
    columns: Sequence[str],
    label: str,
    number: Callable[[int], Sequence[str]],
    beside: Mapping[str, Mapping[str, str]],
) -> Rows:
    """Read rows of a table that contains both sides.

    Args:
        table: the table.
        columns: the columns of references, predictions and, optionally, names.
        label: the name of the table in messages.
        number: returns names for a number of documents, if there is no column of names.
        beside: for each side, maps other parts of documents, such as ``text``, to their columns.
    """
    references, predictions, *key = columns
    gold, found = (
        _as_documents({"": whole_column(table.column(column))}
                      | {n: whole_column(table.column(at)) for n, at in beside[side].items()})
        for side, column in (("references", references), ("predictions", predictions))
    )  # fmt: skip
    named = [judge_names(table.column(name), label, name).to_pylist() for name in key]
    names = named[0] if named else number(table.num_rows)
    return Rows(gold, found, names, by_name=bool(named))


def columns_beside(
    schema: pa.Schema, columns: Sequence[str], label: str
) -> dict[str, dict[str, str]]:
    """Find the columns with other parts of documents in a table with both sides.

    Args:
        schema: the schema of the table.
        columns: as in :func:`as_rows`.
        label: the name of the table in messages.

    Returns:
        The argument ``beside`` of :func:`as_rows`.

    Raises:
        InputError: texts or languages are not strings.
    """
    sides = zip(_SIDES, columns, strict=False)
    return {
        side: {n: n for n in find_beside(schema, column, "", label) if n not in columns}
        for side, column in sides
    }


def _as_documents(parts: Mapping[str, pa.Array]) -> pa.Array:
    """Return documents as structs; the first field contains the annotations."""
    import pyarrow as pa

    return pa.StructArray.from_arrays(list(parts.values()), list(parts))


def whole_column(column: pa.ChunkedArray) -> pa.Array:
    """Return a column as one array."""
    import pyarrow as pa

    return _join(column.chunks) if column.num_chunks else pa.array([], column.type)


def _join(arrays: Sequence[pa.Array]) -> pa.Array:
    import pyarrow as pa

    return arrays[0] if len(arrays) == 1 else pa.concat_arrays(arrays)


def count_rows(references: Column, predictions: Column) -> int:
    """Return the larger number of rows of two tables, without reading the rows."""
    gold, found = open_table(references, "references"), open_table(predictions, "predictions")
    return max(gold.rows, found.rows)


def read_rows(references: Column, predictions: Column, size: int) -> Iterator[Rows]:
    """Yield the documents of two columns, ``size`` at a time.

    Two columns of one table are read side by side. Two tables are joined by document names if both
    have names, otherwise by position. Tables in the same order are read side by side. Otherwise
    the predictions are held in memory.

    Raises:
        InputError: the tables cannot be joined, or have different numbers of rows and no names.
    """
    gold, found = open_table(references, "references"), open_table(predictions, "predictions")
    together = _origin_of(references.table) == _origin_of(predictions.table)
    if gold.id and found.id and not together:
        names, others = gold.read_names(), found.read_names()
        if not names.equals(others):
            yield from _read_by_name(gold, found, names, others.cast(names.type), size)
            return
    else:
        if not together:
            check_as_many(
                found.rows,
                gold.rows,
                "Give an empty list for a document without mentions, or ids on both sides",
            )
        named = gold if gold.id or together else found
        names = named.read_names() if named.id else None
    first = 0
    arrays = zip(_read_arrays(gold, size), _read_arrays(found, size), strict=True)
    for annotated, predicted in arrays:
        rows = range(first, first + len(annotated))
        first = rows.stop
        known = (
            list(map(str, rows))
            if names is None
            else names.slice(rows.start, len(rows)).to_pylist()
        )
        yield Rows(annotated, predicted, known, by_name=names is not None)


def _origin_of(table: object) -> object:
    return os.fspath(table) if isinstance(table, (str, os.PathLike)) else id(table)


def _read_by_name(
    gold: Table, found: Table, names: pa.Array, others: pa.Array, size: int
) -> Iterator[Rows]:
    """Yield the documents of two tables in the order of the first, then those it does not have."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = found.read([found.column, *found.beside])
    held = pa.chunked_array([_documents_of(batch, found) for batch in table.to_batches()],
                            _kind_of(found))  # fmt: skip
    at = pc.index_in(names, value_set=others)
    first = 0
    for array in _read_arrays(gold, size):
        rows = slice(first, first + len(array))
        taken = whole_column(held.take(at[rows]))
        yield Rows(array, taken, names[rows].to_pylist(), by_name=True, apart=True)
        first = rows.stop
    extra = pc.invert(pc.is_in(others, value_set=names))
    others, held = others.filter(extra), held.filter(extra)
    kind = _kind_of(gold)
    for first in range(0, len(others), size):
        rows = slice(first, first + size)
        known, taken = others[rows].to_pylist(), whole_column(held[rows])
        yield Rows(pa.nulls(len(known), kind), taken, known, by_name=True, apart=True)


def _read_arrays(table: Table, size: int) -> Iterator[pa.Array]:
    """Yield the documents of a table, ``size`` at a time."""
    waiting: list[pa.Array] = []
    for batch in table.batches([table.column, *table.beside], size):
        waiting.append(_documents_of(batch, table))
        while sum(map(len, waiting)) >= size:
            whole = _join(waiting)
            yield whole.slice(0, size)
            waiting = [whole.slice(size)] if len(whole) > size else []
    if sum(map(len, waiting)):
        yield _join(waiting)


def _documents_of(batch: pa.RecordBatch, table: Table) -> pa.Array:
    columns = {"": table.column, **{name: name for name in table.beside}}
    return _as_documents({name: batch.column(column) for name, column in columns.items()})


def _kind_of(table: Table) -> pa.DataType:
    """Return the type of a table's documents."""
    import pyarrow as pa

    known = schema_of(table.source)
    names = {"": table.column, **{name: name for name in table.beside}}
    return pa.struct([(name, known.field(column).type) for name, column in names.items()])


def read_all(
    references: Column, predictions: Column, challenge: Challenge
) -> tuple[object, object]:
    """Read both sides of all documents in a form that the challenge accepts.

    Raises:
        InputError: see :func:`read_rows`.
    """
    parts = list(read_rows(references, predictions, max(1, count_rows(references, predictions))))
    return reduce(Rows.followed_by, parts).given(challenge) if parts else ([], [])
