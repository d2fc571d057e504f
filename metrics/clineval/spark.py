"""Counts of tables of Spark, where they lie: only rows of counts come to the driver.

A row of the table is a document, with a column for each side
(:class:`~clineval.Column` says what is in them). Each partition is counted by itself, in the order
of its rows, with the code that counts Parquet files.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clineval.counting.leaving_out import write_left_out
from clineval.counting.packing import COLUMNS, pack, unpack
from clineval.counting.parts import Counter, LeftOut, ListPart, Result, RowsPart
from clineval.counting.sources import ROWS
from clineval.counting.whole import depends_on_all, make_counter, merge, say_left_out, tell
from clineval.errors import InputError, need
from clineval.inputs.arrow import check_column, judge_names
from clineval.inputs.arrow_rows import Rows, whole_column
from clineval.registry import find_challenge
from clineval.scores import Counts

if TYPE_CHECKING:  # extras
    import pyarrow as pa

_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
_GROUP = "group"
_OLDEST = {3: 8, 4: 17}
"""The oldest Java that a version of Spark runs on."""
_FAST = {
    "spark.driver.defaultJavaOptions": "-XX:+UseParallelGC",  # nobody waits for a single answer
    "spark.sql.parquet.columnarReaderBatchSize": "128",  # rows have hundreds of values
    "spark.sql.files.openCostInBytes": "65536",  # else one core has the larger half of a file
}
"""Settings that make a local session faster; ``counting/README.md`` has figures."""


def count(  # noqa: PLR0913 - as clineval.count
    frame: Any,
    module: str,
    *,
    predictions: str = "predictions",
    references: str = "references",
    id: str | None = None,  # noqa: A002 - as Column has it
    by: str | None = None,
    config: str = "default",
    protocol: str = "spec",
    batch_size: int = ROWS,
    keep_going: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Any:
    """Count a table of Spark.

    Args:
        frame: a ``pyspark.sql.DataFrame``, whose rows are documents.
        module: the metric, such as ``semeval15_task14``.
        predictions: the column with what the system found.
        references: the column with the gold standard.
        id: the column with the documents' names; if None, they are called by the numbers of the
            partition and of the row in it.
        by: a column, such as the hospital; counts come for each of its values.
        config: as in ``clineval.score``.
        protocol: as in ``clineval.score``.
        batch_size: how many documents are counted at a time.
        keep_going: as in ``clineval.count``.
        options: the challenge's own options; files and directories that they name must be where
            the workers are.

    Returns:
        :class:`~clineval.Counts`, or with ``by`` a dict from value to counts. Documents are in the
        order of the partitions.

    Raises:
        InputError: a column that is not there, a type that does not fit, or an option that depends
            on all documents, before any job starts; or what is wrong in a row, with its name.
    """
    challenge = find_challenge(module)
    setup = challenge.setup(config, protocol, options)
    together = depends_on_all(challenge, setup)
    if together:
        raise InputError(f"counts of Spark are taken in parts, but {together}")
    counter = make_counter(challenge, setup, options, keep_going=keep_going is not None)
    wanted = {"references": references, "predictions": predictions, "id": id, _GROUP: by}
    chosen = _select(frame, {role: name for role, name in wanted.items() if name is not None})
    _check_schema(chosen, counter)
    with _batches_of(frame.sparkSession, batch_size):
        work = partial(_count_partition, counter=counter, size=batch_size)
        schema = ", ".join(f"{name} {kind}" for name, kind in _columns_of(chosen, by).items())
        rows = _spread(chosen).mapInArrow(work, schema).collect()
    groups: dict[Any, list[Result]] = {}
    for row in rows:
        groups.setdefault(row[_GROUP] if by else None, []).append(unpack(row.asDict()))
    return _put_together(groups, counter, keep_going, by=by)


def _put_together(
    groups: Mapping[Any, list[Result]],
    counter: Counter,
    keep_going: str | os.PathLike[str] | None,
    *,
    by: str | None,
) -> Any:
    found: dict[Any, Counts] = {}
    left_out: list[LeftOut] = []
    nothing = {None: [counter(ListPart([], [], 0))]}
    for group, results in (groups or ({} if by else nothing)).items():
        counts, told, lost = merge(results, separate=False) or (None, [], [])
        tell(told)
        left_out += lost
        said = say_left_out(counts, lost)
        if said is not None:
            found[group] = said
    if keep_going is not None:
        write_left_out(left_out, Path(keep_going))
    return found if by else found[None]


def _select(frame: Any, wanted: Mapping[str, str]) -> Any:
    """The columns that are read, under the names of their roles."""
    for name in wanted.values():
        check_column(name, frame.columns, "the frame")
    return frame.select(*(frame[name].alias(role) for role, name in wanted.items()))


def _check_schema(chosen: Any, counter: Counter) -> None:
    """Count no rows of these types, so that what does not fit is said before a job starts."""
    from pyspark.sql.pandas.types import to_arrow_schema

    schema = to_arrow_schema(chosen.schema)
    result = counter(RowsPart(_as_rows(schema.empty_table(), lambda _: [])))
    if result.error is not None:
        raise result.error


def _columns_of(chosen: Any, by: str | None) -> Mapping[str, str]:
    """The columns of the rows that come back, with their types."""
    if by is None:
        return COLUMNS
    return {_GROUP: chosen.schema[_GROUP].dataType.simpleString(), **COLUMNS}


def _spread(chosen: Any) -> Any:
    """The rows in as many partitions as there are cores, if there are fewer."""
    cores = chosen.sparkSession.sparkContext.defaultParallelism
    return chosen.repartition(cores) if chosen.rdd.getNumPartitions() < cores else chosen


@contextmanager
def _batches_of(session: Any, size: int) -> Iterator[None]:
    """Batches as large as the parts that are counted, while one query runs."""
    before = session.conf.get(_BATCH)
    session.conf.set(_BATCH, str(size))
    try:
        yield
    finally:
        session.conf.set(_BATCH, before)


def _count_partition(
    batches: Iterable[pa.RecordBatch], counter: Counter, size: int
) -> Iterator[pa.RecordBatch]:
    """One row of counts for each group of a partition; runs in Spark's workers."""
    import pyarrow as pa

    found: dict[Any, list[Result]] = {}
    first = 0
    group_type = None
    for table in _gathered(batches, size):
        names = partial(_number_rows, first)
        if _GROUP in table.column_names:
            group_type = table.schema.field(_GROUP).type
        for group, part in _grouped(table):
            found.setdefault(group, []).append(counter(RowsPart(_as_rows(part, names))))
        first += table.num_rows
    for group, results in found.items():
        row = pack(_join(results))
        arrays = {name: pa.array([row[name]], kind) for name, kind in _types().items()}
        if group_type is not None:
            arrays = {_GROUP: pa.array([group], group_type), **arrays}
        yield pa.RecordBatch.from_pydict(arrays)


def _types() -> Mapping[str, Any]:
    """The types of the columns that come back."""
    import pyarrow as pa

    kinds = {"long": pa.int64(), "string": pa.string(), "binary": pa.binary()}
    return {name: kinds.get(kind, pa.list_(pa.string())) for name, kind in COLUMNS.items()}


def _number_rows(first: int, size: int) -> list[str]:
    """Names of rows that have none: the partition, and the row in it."""
    from pyspark import TaskContext

    context = TaskContext.get()
    partition = context.partitionId() if context else 0
    return [f"{partition}-{row}" for row in range(first, first + size)]


def _gathered(batches: Iterable[pa.RecordBatch], size: int) -> Iterator[pa.Table]:
    """Batches put together, ``size`` rows or a little more at a time."""
    import pyarrow as pa

    waiting: list[Any] = []
    rows = 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= size:
            yield pa.Table.from_batches(waiting)
            waiting, rows = [], 0
    if rows:
        yield pa.Table.from_batches(waiting)


def _grouped(table: pa.Table) -> Iterator[tuple[Any, pa.Table]]:
    """The rows of each group."""
    import pyarrow.compute as pc

    if _GROUP not in table.column_names:
        yield None, table
        return
    column = table.column(_GROUP)
    for group in column.unique():
        value = group.as_py()
        same = pc.is_null(column) if value is None else pc.equal(column, group)
        yield value, table.filter(same)


def _as_rows(table: pa.Table, number: Any) -> Rows:
    """A table as documents."""
    sides = [whole_column(table.column(name)) for name in ("references", "predictions")]
    named = "id" in table.column_names
    if named:
        names = judge_names(table.column("id"), "the frame", "id").to_pylist()
    else:
        names = number(table.num_rows)
    return Rows(sides[0], sides[1], names, by_name=named)


def _join(results: list[Result]) -> Result:
    """The results of some parts as one; the first error ends it."""
    size = sum(result.size for result in results)
    error = next((result.error for result in results if result.error is not None), None)
    if error is not None:
        return Result(size, error=error)
    found = [result.counts for result in results if result.counts is not None]
    return Result(
        size,
        Counts.sum(found) if found else None,
        [warning for result in results for warning in result.warnings],
        [each for result in results for each in result.left_out],
    )


def start(cores: int = 2, **settings: str) -> Any:
    """A local session, to try things: its workers run this Python, nobody else reaches it.

    Args:
        cores: how many it uses.
        settings: further settings of Spark, with ``_`` in place of dots.

    Raises:
        InputError: PySpark or Java is not there, or Java is too old; says what to install.
    """
    version = _spark_version()
    check_java(_OLDEST.get(version, max(_OLDEST.values())))
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    given = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        **_FAST,
        **{name.replace("_", "."): value for name, value in settings.items()},
    }
    builder = SparkSession.builder.master(f"local[{cores}]").appName("clineval")
    for name, value in given.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def _spark_version() -> int:
    pyspark = need("pyspark", "spark", "Spark is not installed")
    return int(pyspark.__version__.split(".")[0])


def check_java(oldest: int) -> None:
    """Refuse a machine without Java, or with one that is too old.

    Raises:
        InputError: says what to install.
    """
    remedy = "Install OpenJDK 17 (Debian: apt-get install openjdk-17-jre-headless), set JAVA_HOME"
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    try:
        told = subprocess.run(  # noqa: S603 - the user's own Java
            [program or "java", "-version"], capture_output=True, text=True, check=True
        ).stderr
    except (OSError, subprocess.CalledProcessError):
        raise InputError("Spark needs Java, and there is none", remedy=remedy) from None
    found = re.search(r'"(?:1\.)?(\d+)', told)
    if found and int(found[1]) < oldest:
        raise InputError(f"Spark needs Java {oldest}, and found Java {found[1]}", remedy=remedy)
