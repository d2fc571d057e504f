"""Columns of tables as one side of a corpus: Parquet files, Arrow tables, datasets of Hugging Face.

A row is a document; :mod:`clineval.formats.tables.rows` reads them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from clineval.base.errors import InputError, called, listed, shown, unknown_name
from clineval.base.files import name_path
from clineval.formats.tables.mentions import is_mentions
from clineval.formats.tables.parquet import MENTIONS, SUFFIX, import_pyarrow, judge_columns

if TYPE_CHECKING:  # an extra
    import pyarrow as pa

SideName = Literal["references", "predictions"]
_ID = "id"


@dataclass(frozen=True, slots=True)
class Column:
    """One side of a corpus: a column of a table whose rows are documents.

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

    table: Any
    name: str = ""
    id: str | None = None


def is_parquet(given: Any) -> bool:
    """Tell whether the value is the path of a Parquet file."""
    return isinstance(given, (str, os.PathLike)) and str(given).endswith(SUFFIX)


def as_column(given: Any) -> Column | None:
    """Return the value as a column of a table; None if it is not one."""
    if isinstance(given, Column):
        return given
    return Column(given) if is_parquet(given) else None


@dataclass(frozen=True, slots=True)
class Table:
    """A table that has been opened, and the columns of it that are read.

    Args:
        source: a ``pyarrow.Table``, or a ``pyarrow.parquet.ParquetFile``.
        column: the annotations.
        id: the documents' names; empty if they have none.
        label: how messages name it.
        origin: the same for two columns of one table.
    """

    source: Any
    column: str
    id: str
    label: str
    origin: Any = field(compare=False)

    @property
    def rows(self) -> int:
        """The number of documents."""
        metadata = getattr(self.source, "metadata", None)
        return int(metadata.num_rows if metadata is not None else self.source.num_rows)

    def read_names(self) -> pa.Array:
        """Read the names of all documents, judged: strings, all different."""
        column = as_table(self, [self.id]).column(0).combine_chunks()
        return judge_names(column, self.label, self.id)


def open_table(given: Column, side: SideName) -> Table:
    """Open the table of a column.

    Raises:
        InputError: pyarrow is not installed, no Parquet file, or no such column.
    """
    source, label = _open(given.table)
    names = schema_of(source).names
    key = _find_id(given.id, names, label)
    column = given.name or _find_column(names, side, key, label)
    check_column(column, names, label)
    judge_columns(schema_of(source), [column, *filter(None, [key])], label)
    return Table(source, column, key, label, _origin_of(given.table))


def _origin_of(table: Any) -> Any:
    return os.fspath(table) if isinstance(table, (str, os.PathLike)) else id(table)


def _open(table: Any) -> tuple[Any, str]:
    pa = import_pyarrow()
    if isinstance(table, (str, os.PathLike)):
        return open_parquet(Path(table)), name_path(table)
    if isinstance(table, (pa.Table, pa.RecordBatch)):
        whole = table if isinstance(table, pa.Table) else pa.Table.from_batches([table])
        return whole, "the table"
    if hasattr(table, "with_format") and hasattr(table, "data"):  # a dataset of Hugging Face
        return table.with_format("arrow")[:], "the dataset"
    raise InputError(
        f"expected a Parquet file, a pyarrow.Table or a datasets.Dataset, got {shown(table)}",
        where="Column",
    )


def open_parquet(path: Path) -> Any:
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


def _find_words(file: Any) -> list[str]:
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


def schema_of(source: Any) -> Any:
    """Return the schema of a table that has been opened."""
    return getattr(source, "schema_arrow", None) or source.schema


def _find_id(given: str | None, names: Sequence[str], label: str) -> str:
    if given is None:
        return _ID if _ID in names else ""
    if given:
        check_column(given, names, label)
    return given


def check_column(name: str, names: Sequence[str], where: str) -> None:
    """Refuse the name of a column that a table does not have.

    Raises:
        InputError: names the available columns.
    """
    if name not in names:
        raise unknown_name("column", name, map(called, names), where=where)


def _find_column(names: Sequence[str], side: SideName, key: str, label: str) -> str:
    others = [name for name in names if name != key]
    known = [name for name in (side, MENTIONS) if name in names]
    if known or len(others) == 1:
        return [*known, *others][0]
    raise InputError(
        f"there is no column {side!r}, but {listed(names)}",
        where=label,
        remedy=f"Name it: --{side}-column, or clineval.Column(table, name)",
    )


def as_table(given: Table, columns: Sequence[str]) -> pa.Table:
    """Read some columns of a table into memory.

    Raises:
        InputError: a Parquet file with broken pages.
    """
    import pyarrow as pa

    source, wanted = given.source, list(columns)
    if not hasattr(source, "read_row_group"):
        return source.select(wanted)
    groups = range(source.num_row_groups)
    with unbroken(given.label):
        batches = list(read_groups(source, groups, wanted, max(1, source.metadata.num_rows)))
    schema = pa.schema([source.schema_arrow.field(name) for name in wanted])
    return pa.Table.from_batches(batches, None if batches else schema)


def read_groups(
    source: Any, groups: Iterable[int], columns: Sequence[str], size: int
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


def judge_names(column: Any, label: str, key: str) -> pa.Array:
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
    if not (pa.types.is_string(array.type) or pa.types.is_large_string(array.type)):
        problem = f"{key}: expected strings or integers, got a column of {array.type}"
        raise InputError(problem, where=label)
    if array.null_count:
        row = int(np.argmax(array.is_null().to_numpy(zero_copy_only=False)))
        raise InputError(f"{key}: expected a name, got null", where=f"{label}, row {row}")
    counts = pc.value_counts(array)
    repeated = counts.filter(pc.greater(counts.field("counts"), 1)).field("values").to_pylist()
    if repeated:
        raise InputError(f"repeated document ids: {listed(sorted(repeated))}", where=label)
    return array
