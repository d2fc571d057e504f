"""Count the rows of a frame: each row is a document, with a column for each side.

:class:`~clineval.Column` describes the content of columns. Each partition is counted separately, in
the order of its rows, with the code that counts Parquet files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from clineval.base.files import Source
from clineval.evaluation.counting.count import make_part_counter
from clineval.evaluation.counting.merging import merge, write_left_out
from clineval.evaluation.counting.packing import COLUMNS, Row, unpack
from clineval.evaluation.counting.parts import Counter, LeftOut, ListPart, Result, RowsPart
from clineval.evaluation.counting.sources import ROWS
from clineval.evaluation.evaluate import make_setup
from clineval.formats.tables.arrow import check_column
from clineval.formats.tables.mentions import BESIDE
from clineval.formats.tables.rows import columns_beside
from clineval.results.scorable import Counts
from clineval.spark.files import GROUP, find_blocks
from clineval.spark.partitions import as_documents, count_batches, count_blocks

if TYPE_CHECKING:  # extras
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

Groups = Mapping[object, list[Result]]
"""The results for each value of the column of groups; for all rows under None."""
_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"


def count(  # noqa: PLR0913 - as clineval.count
    frame: DataFrame,
    module: str,
    *,
    predictions: str = "predictions",
    references: str = "references",
    id: str | None = None,  # noqa: A002 - as in Column
    by: str | None = None,
    config: str = "default",
    protocol: str = "spec",
    batch_size: int = ROWS,
    keep_going: Source | None = None,
    **options: object,
) -> Any:
    """Count a table of Spark.

    Args:
        frame: a ``pyspark.sql.DataFrame`` with a row for each document.
        module: the metric, such as ``semeval15_task14``.
        predictions: the column with the predictions.
        references: the column with the gold standard.
        id: the column with the documents' names; if None, names consist of the number of the
            partition and the number of the row in it.
        by: a column to group by, such as the hospital.
        config: as in ``clineval.score``.
        protocol: as in ``clineval.score``.
        batch_size: the number of documents that are counted at a time.
        keep_going: as in ``clineval.count``.
        options: the challenge's own options; workers must be able to read the files and
            directories in options.

    Returns:
        :class:`~clineval.Counts`, or with ``by`` a dict from value to counts. Documents are in the
        order of the partitions.

    Raises:
        InputError: before any job starts, if a column is missing, a type does not fit, or an option
            depends on all documents; later, if a row is invalid, with its name.
    """
    from pyspark.sql.pandas.types import to_arrow_schema

    setup = make_setup(module, config, protocol, **options)
    counter = make_part_counter(setup, "Spark", keep_going=keep_going is not None)
    roles = {"references": references, "predictions": predictions, "id": id, GROUP: by}
    wanted = {role: name for role, name in roles.items() if name is not None}
    for name in wanted.values():
        check_column(name, frame.columns, "the frame")
    held = [name for name in dict.fromkeys([*wanted.values(), *BESIDE]) if name in frame.columns]
    known = to_arrow_schema(frame.select(*(frame[name] for name in held)).schema)
    beside = columns_beside(known, [references, predictions, *([id] if id else [])], "the frame")
    wanted |= {f"{side}_{n}": column for side, of in beside.items() for n, column in of.items()}
    chosen = frame.select(*(frame[name].alias(role) for role, name in wanted.items()))
    schema = to_arrow_schema(chosen.schema)
    _check_schema(schema, counter)
    blocks = find_blocks(frame, wanted, schema, batch_size)
    if blocks is None:
        rows = _count_rows(chosen, counter, batch_size, by=by)
    else:
        work = partial(count_blocks, columns=wanted, counter=counter, size=batch_size)
        spread = frame.sparkSession.sparkContext.parallelize(blocks, max(1, len(blocks)))
        rows = spread.mapPartitions(work).collect()
    groups: dict[object, list[Result]] = {}
    for row in rows:
        groups.setdefault(row.get(GROUP), []).append(unpack(row))
    return _put_together(groups, counter, keep_going, by=by)


def _count_rows(chosen: DataFrame, counter: Counter, size: int, *, by: str | None) -> list[Row]:
    """Return the rows of counts of a frame that Spark computes."""
    grouped = {GROUP: chosen.schema[GROUP].dataType.simpleString()} if by else {}
    schema = ", ".join(f"{name} {kind}" for name, kind in {**COLUMNS, **grouped}.items())
    cores = chosen.sparkSession.sparkContext.defaultParallelism
    if chosen.rdd.getNumPartitions() < cores:
        chosen = chosen.repartition(cores)
    with _batches_of(chosen.sparkSession, size):
        work = partial(count_batches, counter=counter, size=size)
        rows = chosen.mapInArrow(work, schema).collect()
    return [row.asDict() for row in rows]


def _put_together(
    groups: Groups, counter: Counter, keep_going: Source | None, *, by: str | None
) -> Counts | dict[object, Counts]:
    found: dict[object, Counts] = {}
    left_out: list[LeftOut] = []
    nothing: Groups = {None: [counter(ListPart([], [], 0))]}
    for group, results in (groups or ({} if by else nothing)).items():
        merged = merge(results)
        left_out += merged.left_out
        counts = merged.finish()
        if counts is not None:
            found[group] = counts
    if keep_going is not None:
        write_left_out(left_out, keep_going)
    return found if by else found[None]


def _check_schema(schema: pa.Schema, counter: Counter) -> None:
    """Count an empty table of these types, so that errors are raised before a job starts."""
    result = counter(RowsPart(as_documents(schema.empty_table(), lambda _: [])))
    if result.error is not None:
        raise result.error


@contextmanager
def _batches_of(session: SparkSession, size: int) -> Iterator[None]:
    """Make batches as large as the parts that are counted, during one query."""
    before = session.conf.get(_BATCH)
    session.conf.set(_BATCH, str(size))
    try:
        yield
    finally:
        session.conf.set(_BATCH, before)
