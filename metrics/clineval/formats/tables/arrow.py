"""Columns of tables as sides of a corpus: Parquet files, Arrow tables, Hugging Face datasets.

Each row is a document; :mod:`clineval.formats.tables.rows` reads the rows.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeGuard

from clineval.base.errors import InputError, called, listed, shown, unknown_name
from clineval.base.files import Source, name_path
from clineval.formats.tables.parquet import (
    MENTIONS,
    RELATIONS,
    SUFFIX,
    TEXTS,
    find_null,
    import_pyarrow,
    is_one_of,
    judge_columns,
)

if TYPE_CHECKING:  # an extra
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

SideName = Literal["references", "predictions"]


@dataclass(frozen=True, slots=True)
class Column:
    """One side of a corpus: a column of a table whose rows are documents.

    The columns ``text`` and ``language`` of the table are read with its documents, the column
    ``relations`` with the mentions of the column ``mentions``.

    Args:
        table: the path of a Parquet file, a ``pyarrow.Table``, or a ``datasets.Dataset``.
        name: the column. If empty, it is the column with the name of the side, ``references`` or
            ``predictions``; otherwise ``mentions``, which ``clineval convert`` writes; otherwise
            the only column besides the id.
        id: the column with the documents' names, by which two tables are joined. By default, it is
            the column ``id``, if it exists; empty for none.

    Examples:
        >>> Column("notes.parquet", "predicted", id="note_id").name
        'predicted'
    """

    table: object
    name: str = ""
    id: str | None = None


def is_parquet(given: object) -> TypeGuard[Source]:
    """Return whether the value is the path of a Parquet file, by its ending."""
    return isinstance(given, (str, os.PathLike)) and str(given).endswith(SUFFIX)


def as_column(given: object, key: str | None = None) -> Column | None:
    """Return the value as a column of a table; None if it is not one.

    ``key`` is the column of document names of a Parquet file, as in :class:`Column`.
    """
    if isinstance(given, Column):
        return given
    return Column(given, id=key) if is_parquet(given) else None


def has_column(path: Source, side: SideName, key: str = "") -> bool:
    """Return whether the column of a side is known without its name.

    Args:
        path: a Parquet file.
        side: the side.
        key: the column of document names; empty for the usual one.

    Raises:
        InputError: pyarrow is not installed, or the file is not a Parquet file.
    """
    source, _ = _open(path)
    names = schema_of(source).names
    known, others = _list_columns(names, side, key or "id")
    return bool(known) or len(others) == 1


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """An open table, and its columns to read.

    Args:
        source: the source of the rows.
        column: the column of annotations.
        id: the column of document names; empty if there is none.
        label: the name of the table in messages.
        beside: other columns about the documents, such as their texts.
    """

    source: pa.Table | ParquetFile
    column: str
    id: str
    label: str
    beside: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """The number of documents."""
        return int(getattr(self.source, "metadata", self.source).num_rows)

    def read_names(self) -> pa.Array:
        """Read and check the names of all documents: different strings."""
        return judge_names(self.read([self.id]).column(0), self.label, self.id)

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Read some columns into memory.

        Raises:
            InputError: the Parquet file is damaged.
        """
        import pyarrow as pa

        batches = list(self.batches(columns, max(1, self.rows)))
        schema = pa.schema([schema_of(self.source).field(column) for column in columns])
        return pa.Table.from_batches(batches, None if batches else schema)

    def batches(self, columns: Sequence[str], size: int) -> Iterator[pa.RecordBatch]:
        """Yield batches of some columns, with at most ``size`` rows each."""
        if not hasattr(self.source, "iter_batches"):
            yield from self.source.select(columns).to_batches(size)
            return
        with unbroken(self.label):
            groups = range(self.source.num_row_groups)
            yield from read_groups(self.source, groups, columns, size)


def open_table(given: Column, side: SideName) -> Table:
    """Open the table of a column.

    Raises:
        InputError: pyarrow is not installed, the file is not a Parquet file, or the column does
            not exist.
    """
    source, label = _open(given.table)
    names = schema_of(source).names
    key = given.id if given.id is not None else "id" if "id" in names else ""
    if key:
        check_column(key, names, label)
    column = given.name or _find_column(names, side, key, label)
    check_column(column, names, label)
    judge_columns(schema_of(source), [column, *filter(None, [key])], label)
    beside = find_beside(schema_of(source), column, key, label)
    return Table(source, column, key, label, tuple(beside))


def find_beside(schema: pa.Schema, column: str, key: str, label: str) -> list[str]:
    """Find the columns that belong to the documents of a column of mentions.

    These are texts, languages and, for the column ``mentions``, relations.

    Raises:
        InputError: texts or languages are not strings.
    """
    from clineval.formats.tables.mentions import fields_beside

    wanted = fields_beside(schema.field(column).type)
    found = [
        name
        for name in wanted
        if name in schema.names
        and name not in (column, key)
        and (name != RELATIONS or column == MENTIONS)
    ]
    judge_columns(schema, found, label)
    for name in found:
        if name != RELATIONS:
            _expect_texts(schema.field(name).type, name, label)
    return found


def _expect_texts(kind: pa.DataType, name: str, label: str) -> None:
    held = getattr(kind, "value_type", kind) if is_one_of(kind, "dictionary") else kind
    if not is_one_of(held, *TEXTS, "null"):
        raise InputError(
            f"{name}: expected strings, got a column of {kind}",
            where=label,
            remedy="Rename the column if it holds something else",
        )


def _open(table: object) -> tuple[pa.Table | ParquetFile, str]:
    pa = import_pyarrow()
    if isinstance(table, (str, os.PathLike)):
        return open_parquet(Path(table)), name_path(table)
    if isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table]), "the table"
    if isinstance(table, pa.Table):
        return table, "the table"
    if hasattr(table, "with_format") and hasattr(table, "data"):  # a dataset of Hugging Face
        return table.with_format("arrow")[:], "the dataset"
    raise InputError(
        f"expected a Parquet file, a pyarrow.Table or a datasets.Dataset, got {shown(table)}",
        where="Column",
    )


def open_parquet(path: Path) -> ParquetFile:
    """Open a ``pyarrow.parquet.ParquetFile``.

    Raises:
        InputError: the file does not exist, or is not a Parquet file.
    """
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        file = ParquetFile(path)
        return ParquetFile(path, metadata=file.metadata, read_dictionary=_find_words(file))
    except OSError as error:
        reason = error.strerror or "not a Parquet file"
    except ArrowException:
        reason = "not a Parquet file"
    raise InputError(f"cannot be read: {reason}", where=name_path(path))


def _find_words(file: ParquetFile) -> list[str]:
    """Find the columns of a Parquet file with a string for each mention, such as its code.

    They are read as numbers of the distinct strings, as the file stores them. To expand the
    strings would take longer than to count matches.
    """
    from clineval.formats.tables.mentions import is_mentions

    mentions = {column.name for column in file.schema_arrow if is_mentions(column.type)}
    leaves = [file.schema.column(at) for at in range(len(file.schema.names))]
    return [
        leaf.path
        for leaf in leaves
        if leaf.path.split(".")[0] in mentions
        and leaf.max_repetition_level == 1
        and leaf.logical_type.type == "STRING"
    ]


def schema_of(source: pa.Table | ParquetFile) -> pa.Schema:
    """Return the schema of an open table."""
    return getattr(source, "schema_arrow", None) or source.schema


def check_column(name: str, names: Sequence[str], where: str) -> None:
    """Check that a table has a column.

    Raises:
        InputError: the column does not exist; the message names the available columns.
    """
    if name not in names:
        raise unknown_name("column", name, map(called, names), where=where)


def _find_column(names: Sequence[str], side: SideName, key: str, label: str) -> str:
    known, others = _list_columns(names, side, key)
    if known or len(others) == 1:
        return [*known, *others][0]
    raise InputError(
        f"there is no column {side!r}, only {listed(names)}",
        where=label,
        remedy=f"Name the column: --{side}-column, or clineval.Column(table, name)",
    )


def _list_columns(names: Sequence[str], side: SideName, key: str) -> tuple[list[str], list[str]]:
    """List the columns with a usual name, and all columns that could be annotations."""
    from clineval.formats.tables.mentions import BESIDE

    held = [name for name in names if name != key]
    known = [name for name in (side, MENTIONS) if name in names]
    return known, [name for name in held if name not in BESIDE] or held


def read_groups(
    source: ParquetFile, groups: Iterable[int], columns: Sequence[str], size: int
) -> Iterator[pa.RecordBatch]:
    """Yield batches of a Parquet file's row groups; validate them, because pyarrow does not.

    Groups are read one by one, because the numbers of strings in lists differ between groups.
    """
    import pyarrow as pa

    for group in groups:
        rows = source.metadata.row_group(group).num_rows
        for batch in source.iter_batches(size, [group], list(columns)):
            batch.validate(full=True)
            rows -= batch.num_rows
            yield batch
        if rows:
            raise pa.ArrowInvalid("another number of rows")


@contextmanager
def unbroken(label: str) -> Iterator[None]:
    """Reject a Parquet file if reading its pages inside fails."""
    from pyarrow import ArrowException

    try:
        yield
    except (OSError, ArrowException):
        problem = "the Parquet file is damaged"
        raise InputError(problem, where=label, remedy="Write it again, or copy it again") from None


def judge_names(column: pa.Array | pa.ChunkedArray, label: str, key: str) -> pa.Array:
    """Check and return the names of documents as strings.

    Raises:
        InputError: a name is not a string or an integer, is null, or occurs twice.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_integer(array.type):
        array = array.cast(pa.string())
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if not is_one_of(array.type, *TEXTS):
        problem = f"{key}: expected strings or integers, got a column of {array.type}"
        raise InputError(problem, where=label)
    if array.null_count:
        raise InputError(
            f"{key}: expected a name, got null", where=f"{label}, row {find_null(array)}"
        )
    counts = pc.value_counts(array)
    repeated = counts.filter(pc.greater(counts.field("counts"), 1)).field("values").to_pylist()
    if repeated:
        raise InputError(f"repeated document ids: {listed(sorted(repeated))}", where=label)
    return array
