"""Columns of tables as one side of a corpus: Parquet files, Arrow tables, datasets of Hugging Face.

A row is a document; :mod:`clineval.formats.tables.rows` reads them.
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
from clineval.formats.tables.mentions import BESIDE, fields_beside, is_mentions
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

    The columns ``text`` and ``language`` of the table belong to its documents, and ``relations``
    to the mentions of the column ``mentions``: they are read with these.

    Args:
        table: the path of a Parquet file, a ``pyarrow.Table``, or a ``datasets.Dataset``.
        name: the column; if empty, the one that is called ``references`` or ``predictions``, as
            the side is, or ``mentions``, as ``clineval convert`` has it, or the only one besides
            the id.
        id: the column with the documents' names, by which two tables are joined; if None, the
            column ``id`` where there is one; empty for none.

    Examples:
        >>> Column("notes.parquet", "predicted", id="note_id").name
        'predicted'
    """

    table: object
    name: str = ""
    id: str | None = None


def is_parquet(given: object) -> TypeGuard[Source]:
    """Tell whether the value is the path of a Parquet file."""
    return isinstance(given, (str, os.PathLike)) and str(given).endswith(SUFFIX)


def as_column(given: object) -> Column | None:
    """Return the value as a column of a table; None if it is not one."""
    if isinstance(given, Column):
        return given
    return Column(given) if is_parquet(given) else None


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table that has been opened, and the columns of it that are read.

    Args:
        source: where the rows come from.
        column: the annotations.
        id: the documents' names; empty if they have none.
        label: how messages name it.
        beside: other columns that say something of the documents, such as their texts.
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
        """Read the names of all documents, judged: strings, all different."""
        return judge_names(self.read([self.id]).column(0), self.label, self.id)

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Read some columns into memory.

        Raises:
            InputError: a Parquet file with broken pages.
        """
        import pyarrow as pa

        batches = list(self.batches(columns, max(1, self.rows)))
        schema = pa.schema([schema_of(self.source).field(column) for column in columns])
        return pa.Table.from_batches(batches, None if batches else schema)

    def batches(self, columns: Sequence[str], size: int) -> Iterator[pa.RecordBatch]:
        """Yield some columns, at most ``size`` rows at a time."""
        if not hasattr(self.source, "iter_batches"):
            yield from self.source.select(columns).to_batches(size)
            return
        with unbroken(self.label):
            groups = range(self.source.num_row_groups)
            yield from read_groups(self.source, groups, columns, size)


def open_table(given: Column, side: SideName) -> Table:
    """Open the table of a column.

    Raises:
        InputError: pyarrow is not installed, no Parquet file, or no such column.
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
    """Find the columns that say something of the documents whose mentions a column holds.

    These are texts, languages and, for the column ``mentions``, relations.

    Raises:
        InputError: texts or languages that are not strings.
    """
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
        InputError: no such file, or none of Parquet.
    """
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        file = ParquetFile(path)
        return ParquetFile(path, metadata=file.metadata, read_dictionary=_find_words(file))
    except OSError as error:
        reason = error.strerror or "no Parquet file"
    except ArrowException:
        reason = "no Parquet file"
    raise InputError(f"cannot be read: {reason}", where=name_path(path))


def _find_words(file: ParquetFile) -> list[str]:
    """Find the columns of a Parquet file that hold a word for each mention, such as its code.

    They are read as numbers of the distinct words, as the file has them: to write them out takes
    longer than to count.
    """
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
    """Return the schema of a table that has been opened."""
    return getattr(source, "schema_arrow", None) or source.schema


def check_column(name: str, names: Sequence[str], where: str) -> None:
    """Refuse the name of a column that a table does not have.

    Raises:
        InputError: names the available columns.
    """
    if name not in names:
        raise unknown_name("column", name, map(called, names), where=where)


def _find_column(names: Sequence[str], side: SideName, key: str, label: str) -> str:
    held = [name for name in names if name != key]
    others = [name for name in held if name not in BESIDE] or held
    known = [name for name in (side, MENTIONS) if name in names]
    if known or len(others) == 1:
        return [*known, *others][0]
    raise InputError(
        f"there is no column {side!r}, but {listed(names)}",
        where=label,
        remedy=f"Name it: --{side}-column, or clineval.Column(table, name)",
    )


def read_groups(
    source: ParquetFile, groups: Iterable[int], columns: Sequence[str], size: int
) -> Iterator[pa.RecordBatch]:
    """Yield batches of a Parquet file's row groups, judged: pyarrow trusts whatever files say.

    Groups are read one by one, as words in lists cannot be numbers of two at once.
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
    """Refuse a Parquet file whose pages cannot be read inside."""
    from pyarrow import ArrowException

    try:
        yield
    except (OSError, ArrowException):
        problem = "the Parquet file is damaged"
        raise InputError(problem, where=label, remedy="Write it again, or copy it again") from None


def judge_names(column: pa.Array | pa.ChunkedArray, label: str, key: str) -> pa.Array:
    """Return the names of documents as strings, judged.

    Raises:
        InputError: something else, null, or a name twice.
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
