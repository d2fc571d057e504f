"""Find frames that consist only of Parquet files, so that workers read them without Spark's rows.

Spark converts such files to rows, and then rows to Arrow, which takes longer than counting. If a
frame only names files, the workers read them directly, as ``clineval.count`` does. Spark computes
all other frames, such as filters, joins, and tables from catalogues or in other formats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from clineval.base.errors import InputError
from clineval.formats.tables.arrow import open_parquet

if TYPE_CHECKING:  # extras
    import pyarrow as pa
    from pyarrow.parquet import FileMetaData, ParquetFile
    from pyspark.sql import DataFrame

Block = tuple[str, Sequence[int]]
"""The path of a Parquet file, and the numbers of some of its row groups."""
GROUP = "group"
"""The role of the column to group by."""
_CATALYST = "org.apache.spark.sql.catalyst"
_SOURCES = "org.apache.spark.sql.execution.datasources"


def find_blocks(
    frame: DataFrame, columns: Mapping[str, str], schema: pa.Schema, size: int
) -> list[Block] | None:
    """Divide files into blocks for the workers, of at least ``size`` rows or to a file's end.

    ``columns`` maps roles to columns. ``schema`` contains the roles' types as Spark reads them.

    Return None if only Spark can produce the rows: the frame does not consist only of files, the
    files are not in a local file system, or Spark reads a column as another type.
    """
    addresses = [urlsplit(address) for address in _list_files(frame)]
    if not addresses or any(address.scheme != "file" for address in addresses):
        return None
    kinds = {name: schema.field(role).type for role, name in columns.items()}
    blocks: list[Block] = []
    for address in addresses:
        path = Path(url2pathname(address.path))
        try:
            file = open_parquet(path)
        except InputError:
            return None  # leave it to Spark
        if not (_has(file, kinds) and _has_plain(file, columns.get(GROUP))):
            return None
        blocks += ((str(path), groups) for groups in _cut(file.metadata, size))
    return blocks


def _list_files(frame: DataFrame) -> Sequence[str]:
    """List the addresses of the Parquet files, if Spark would only read some of their columns.

    Return an empty list if Spark would do anything else. Classes are compared by name, because
    formats that store deletions separately are subclasses.
    """
    plan = frame._jdf.queryExecution().optimizedPlan()  # noqa: SLF001 - the only way to the plan
    if _class_of(plan) == f"{_CATALYST}.plans.logical.Project":
        chosen = plan.projectList()
        kinds = {_class_of(chosen.apply(at)) for at in range(chosen.size())}
        if kinds != {f"{_CATALYST}.expressions.AttributeReference"}:
            return []
        plan = plan.child()
    if _class_of(plan) != f"{_SOURCES}.LogicalRelation":
        return []
    relation = plan.relation()
    plain = (
        _class_of(relation) == f"{_SOURCES}.HadoopFsRelation"
        and _class_of(relation.fileFormat()) == f"{_SOURCES}.parquet.ParquetFileFormat"
        and _class_of(relation.location()) == f"{_SOURCES}.InMemoryFileIndex"
    )
    return list(relation.location().inputFiles()) if plain else []


def _class_of(thing: Any) -> str:
    return str(thing.getClass().getName())


def _has(file: ParquetFile, kinds: Mapping[str, pa.DataType]) -> bool:
    """Return whether a file has columns of these types; columns from folder names do not count."""
    stored = file.schema.to_arrow_schema()
    return all(n in stored.names and stored.field(n).type == kind for n, kind in kinds.items())


def _has_plain(file: ParquetFile, column: str | None) -> bool:
    """Return whether Spark and pyarrow read the same values from a column; timestamps differ."""
    from pyarrow import types

    if column is None:
        return True
    kind = file.schema_arrow.field(column).type
    return bool(types.is_string(kind) or types.is_integer(kind) or types.is_boolean(kind))


def _cut(metadata: FileMetaData, size: int) -> Iterator[Sequence[int]]:
    """Divide the row groups of a file into blocks."""
    block: list[int] = []
    rows = 0
    for group in range(metadata.num_row_groups):
        block.append(group)
        rows += metadata.row_group(group).num_rows
        if rows >= size:
            yield block
            block, rows = [], 0
    if block:
        yield block
