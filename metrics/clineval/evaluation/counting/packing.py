"""Results as rows of a table, which Spark and ``Dataset.map`` send between machines.

A row has the counts of a part as bytes, and its warnings and errors, without text of notes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from clineval.base.errors import InputError, InputWarning, join_warnings
from clineval.evaluation.counting.merging import about_input
from clineval.evaluation.counting.parts import LeftOut, Result
from clineval.results.label_rows import read_rows
from clineval.results.registry import find_challenge
from clineval.results.scorable import Counts

if TYPE_CHECKING:  # an extra
    import pyarrow as pa

Row = Mapping[str, Any]
COLUMNS: Mapping[str, str] = {
    "size": "long",
    "kind": "string",
    "documents": "array<string>",
    "table": "binary",
    "digests": "binary",
    "details": "string",
    "labels": "string",
    "told": "string",
}
"""The columns of a row, with Spark's names of their types."""


def arrow_types() -> dict[str, pa.DataType]:
    """Return the Arrow types of the columns of a row."""
    import pyarrow as pa

    kinds = {"long": pa.int64(), "string": pa.string(), "binary": pa.binary()}
    return {name: kinds.get(kind, pa.list_(pa.string())) for name, kind in COLUMNS.items()}


def pack(result: Result) -> dict[str, object]:
    """Pack a result into a row."""
    counts, error = result.counts, result.error
    messages = {
        "warnings": [
            [each.template, list(each.names), dict(each.values)]
            for each in join_warnings(about_input(result.warnings))
        ],
        "left_out": [[each.document, each.problem] for each in result.left_out],
        "error": None if error is None else [error.where, error.problem],
    }
    row: dict[str, object] = dict.fromkeys(COLUMNS)
    row |= {"size": result.size, "told": json.dumps(messages)}
    if counts is None:
        return row
    named = {
        "metric": counts.metric,
        "config": counts.config,
        "settings": dict(counts.settings),
        "columns": list(counts.columns),
    }
    return row | {
        "kind": json.dumps(named),
        "documents": list(counts.documents),
        "table": np.ascontiguousarray(counts.table, "<f8").tobytes(),
        "digests": np.ascontiguousarray(counts.digests, "<u8").tobytes(),
        "details": json.dumps(list(counts.details)),
        "labels": None if counts.labels is None else json.dumps(counts.labels.as_dict()),
    }


def unpack(row: Row) -> Result:
    """Unpack the result of a row that :func:`pack` made."""
    messages = json.loads(row["told"])
    error = messages["error"]
    return Result(
        row["size"],
        None if row["kind"] is None else _unpack_counts(row),
        [InputWarning(text, names, **fields) for text, names, fields in messages["warnings"]],
        [LeftOut(*each) for each in messages["left_out"]],
        None if error is None else InputError(error[1], where=error[0]),
    )


def _unpack_counts(row: Row) -> Counts:
    kind = json.loads(row["kind"])
    columns, documents = tuple(kind["columns"]), tuple(row["documents"])
    table = np.frombuffer(bytes(row["table"]), "<f8").reshape(len(documents), len(columns))
    return Counts(
        find_challenge(kind["metric"]),
        kind["config"],
        kind["settings"],
        columns,
        documents,
        table.astype(np.float64),
        np.frombuffer(bytes(row["digests"]), "<u8").astype(np.uint64),
        json.loads(row["details"]),
        None if row["labels"] is None else read_rows(json.loads(row["labels"]), len(documents)),
    )
