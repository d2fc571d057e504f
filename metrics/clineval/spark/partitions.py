"""The work of Spark's workers: count the documents of a partition, group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from clineval.base.errors import InputError
from clineval.base.files import name_path
from clineval.evaluation.counting.packing import arrow_types, pack
from clineval.evaluation.counting.parts import Counter, Result, RowsPart
from clineval.formats.tables.arrow import open_parquet, read_groups, unbroken
from clineval.formats.tables.rows import Rows, as_rows
from clineval.results.scorable import Counts
from clineval.spark.files import GROUP, Block

if TYPE_CHECKING:  # extras
    import pyarrow as pa


def count_batches(
    batches: Iterable[pa.RecordBatch], counter: Counter, size: int
) -> Iterator[pa.RecordBatch]:
    """Count batches from Spark, with roles as columns; yield a row of counts for each group."""
    import pyarrow as pa

    stream = iter(batches)
    first = next(stream, None)
    if first is None:
        return
    kinds = arrow_types()
    if GROUP in first.schema.names:
        kinds[GROUP] = first.schema.field(GROUP).type
    for row in _count(chain([first], stream), counter, size):
        yield pa.RecordBatch.from_pydict({n: pa.array([row[n]], kind) for n, kind in kinds.items()})


def count_blocks(
    blocks: Iterable[Block], columns: Mapping[str, str], counter: Counter, size: int
) -> Iterator[dict[str, object]]:
    """Count files; yield a row of counts for each group. ``columns`` maps roles to columns."""
    yield from _count(_read(blocks, columns, size), counter, size)


def _read(
    blocks: Iterable[Block], columns: Mapping[str, str], size: int
) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    names = list(dict.fromkeys(columns.values()))
    for path, groups in blocks:
        file = open_parquet(Path(path))
        with unbroken(name_path(path)):
            for batch in read_groups(file, groups, names, size):
                arrays = [batch.column(name) for name in columns.values()]
                yield pa.RecordBatch.from_arrays(arrays, names=list(columns))


def _count(
    batches: Iterable[pa.RecordBatch], counter: Counter, size: int
) -> Iterator[dict[str, object]]:
    """Count a partition; yield a row of counts for each group."""
    found: dict[object, list[Result]] = {}
    first = 0
    try:
        for table in _gathered(batches, size):
            names = partial(_number_rows, first)
            for group, part in _grouped(table):
                found.setdefault(group, []).append(counter(RowsPart(as_documents(part, names))))
            first += table.num_rows
    except InputError as error:  # from ids or damaged files
        found.setdefault(None, []).append(Result(0, error=error))
    for group, results in found.items():
        yield {GROUP: group, **pack(_join(results))}


def _number_rows(first: int, size: int) -> list[str]:
    """Name rows without names by the partition and the row in it."""
    from pyspark import TaskContext

    context = TaskContext.get()
    partition = context.partitionId() if context else 0
    return [f"{partition}-{row}" for row in range(first, first + size)]


def _gathered(batches: Iterable[pa.RecordBatch], size: int) -> Iterator[pa.Table]:
    """Combine batches to tables of ``size`` rows or slightly more."""
    import pyarrow as pa

    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= size:
            yield pa.Table.from_batches(waiting)
            waiting, rows = [], 0
    if rows:
        yield pa.Table.from_batches(waiting)


def _grouped(table: pa.Table) -> Iterator[tuple[object, pa.Table]]:
    """Yield the rows of each group."""
    import pyarrow.compute as pc

    if GROUP not in table.column_names:
        yield None, table
        return
    column = table.column(GROUP)
    for group in column.unique():
        value = group.as_py()
        same = pc.is_null(column) if value is None else pc.equal(column, group)
        yield value, table.filter(same)


def as_documents(table: pa.Table, number: Callable[[int], Sequence[str]]) -> Rows:
    """Return a table, whose columns are named by their roles, as documents."""
    sides = ("references", "predictions")
    roles = [*sides, *({"id"} & {*table.column_names})]
    beside = {
        side: {
            role.removeprefix(f"{side}_"): role
            for role in table.column_names
            if role.startswith(f"{side}_")
        }
        for side in sides
    }
    return as_rows(table, roles, "the frame", number, beside)


def _join(results: list[Result]) -> Result:
    """Join the results of parts, up to the first error."""
    size = sum(result.size for result in results)
    error = next((result.error for result in results if result.error is not None), None)
    if error is not None:
        return Result(size, error=error)
    found = [result.counts for result in results if result.counts is not None]
    return Result(
        size,
        Counts.sum(found) if found else None,
        list(chain.from_iterable(result.warnings for result in results)),
        list(chain.from_iterable(result.left_out for result in results)),
    )
