"""Count a dataset of Hugging Face with ``Dataset.map``, which can use several processes.

``clineval.Column(dataset, name)`` also counts a dataset, and is faster if the dataset is in memory
or in one file. ``Dataset.map`` is better if the dataset is larger than memory, because each
process reads only the rows that it needs from the disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from clineval.base.errors import InputError
from clineval.evaluation.counting.count import make_part_counter
from clineval.evaluation.counting.merging import merge
from clineval.evaluation.counting.packing import arrow_types, pack, unpack
from clineval.evaluation.counting.parts import Counter, ListPart, RowsPart
from clineval.evaluation.counting.sources import ROWS
from clineval.evaluation.evaluate import make_setup
from clineval.formats.tables.arrow import check_column
from clineval.formats.tables.rows import as_rows, columns_beside
from clineval.results.scorable import Counts

if TYPE_CHECKING:  # extras
    import pyarrow as pa
    from datasets import Dataset


def count_dataset(  # noqa: PLR0913 - as clineval.count
    dataset: Dataset,
    module: str,
    *,
    predictions: str = "predictions",
    references: str = "references",
    id: str | None = None,  # noqa: A002 - as in Column
    config: str = "default",
    protocol: str = "spec",
    num_proc: int | None = None,
    batch_size: int = ROWS,
    **options: object,
) -> Counts:
    """Count a dataset, whose rows are documents.

    Args:
        dataset: a ``datasets.Dataset``.
        module: the metric, such as ``semeval15_task14``.
        predictions: the column with the predictions.
        references: the column with the gold standard.
        id: the column with the names of documents; if None, their names are their numbers.
        config: as in ``clineval.score``.
        protocol: as in ``clineval.score``.
        num_proc: the number of processes of ``Dataset.map``.
        batch_size: the number of documents that are counted at a time.
        options: the challenge's own options.

    Returns:
        The counts. The copy that ``Dataset.map`` stores on the disk contains no text.

    Raises:
        InputError: a missing column, an option that depends on all documents, or a problem in a
            row, with the name of the row.

    Examples:
        >>> from datasets import Dataset
        >>> gold = [[{"spans": [[at, at + 5]], "cui": "C0015967"}] for at in range(2)]
        >>> dataset = Dataset.from_dict({"references": gold, "predictions": [gold[0], []]})
        >>> count_dataset(dataset, "semeval15_task14").score()["strict_recall"]
        0.5
    """
    import pyarrow as pa
    from datasets import Features

    counter = make_part_counter(make_setup(module, config, protocol, **options), "datasets")
    wanted = [references, predictions, *([id] if id else [])]
    for name in wanted:
        check_column(name, dataset.column_names, "the dataset")
    beside = columns_beside(dataset.features.arrow_schema, wanted, "the dataset")
    taken = list(dict.fromkeys([*wanted, *beside["references"], *beside["predictions"]]))
    if not len(dataset):
        results = [counter(ListPart([], [], 0))]
    else:
        mapped = dataset.select_columns(taken).with_format("arrow").map(
            partial(_count_batch, counter=counter, columns=wanted, beside=beside),
            with_indices=True,
            batched=True,
            batch_size=batch_size,
            num_proc=num_proc,
            remove_columns=taken,
            load_from_cache_file=False,  # options may name files that have changed since
            features=Features.from_arrow_schema(pa.schema(arrow_types())),
        )  # fmt: skip
        results = [unpack(row) for row in mapped.with_format(None)]
    counts = merge(results).counts
    if counts is None:
        raise InputError("expected at least one document")
    return counts


def _count_batch(
    table: pa.Table,
    indices: list[int],
    *,
    counter: Counter,
    columns: list[str],
    beside: Mapping[str, Mapping[str, str]],
) -> dict[str, list[object]]:
    """Count a batch; return one row of counts."""
    rows = as_rows(table, columns, "the dataset", lambda _: list(map(str, indices)), beside)
    return {name: [value] for name, value in pack(counter(RowsPart(rows))).items()}
