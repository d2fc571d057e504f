"""Frames that are Parquet files and nothing else, which the workers read without Spark's rows.

Spark makes rows of such files, and Arrow of the rows, which takes longer than to count. So where a
frame only names files, the workers read them as ``clineval.count`` does. Everything else that a
frame can be, filters, joins, tables of other formats and catalogues, Spark has to make.
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
"""The path of a Parquet file, and the numbers of some of its groups of rows."""
GROUP = "group"
"""The role of the column whose values have counts of their own."""
_CATALYST = "org.apache.spark.sql.catalyst"
_SOURCES = "org.apache.spark.sql.execution.datasources"


def find_blocks(
    frame: DataFrame, columns: Mapping[str, str], schema: pa.Schema, size: int
) -> list[Block] | None:
    """Find what the workers are to read: blocks of at least ``size`` rows or to a file's end.

    ``columns`` are those of the roles, ``schema`` has the roles' types as Spark reads them.

    None where only Spark knows the rows: the frame is something else than files as they lie, they
    are not in the machines' own file systems, or Spark reads a column as another type.
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
            return None  # Spark knows what to do
        if not (_has(file, kinds) and _has_plain(file, columns.get(GROUP))):
            return None
        blocks += ((str(path), groups) for groups in _cut(file.metadata, size))
    return blocks


def _list_files(frame: DataFrame) -> Sequence[str]:
    """List the addresses of the Parquet files of which Spark would read some columns whole.

    The list is empty if it would do anything else. Classes are compared by their names, as formats
    that keep apart what is deleted are subclasses.
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
    """Tell whether a file has columns of these types; names of folders do not count."""
    stored = file.schema.to_arrow_schema()
    return all(n in stored.names and stored.field(n).type == kind for n, kind in kinds.items())


def _has_plain(file: ParquetFile, column: str | None) -> bool:
    """Tell whether Spark and pyarrow make the same values of a column; timestamps differ."""
    from pyarrow import types

    if column is None:
        return True
    kind = file.schema_arrow.field(column).type
    return bool(types.is_string(kind) or types.is_integer(kind) or types.is_boolean(kind))


def _cut(metadata: FileMetaData, size: int) -> Iterator[Sequence[int]]:
    """Cut the groups of rows of a file, some at a time."""
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
