"""Results as rows of a table: what Spark and ``Dataset.map`` send between machines.

A row holds the counts of a part as bytes, and what was warned of or is wrong; no text of a note.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clineval.base.errors import InputError, InputWarning
from clineval.evaluation.counting.parts import LeftOut, Result, input_warnings
from clineval.results.registry import find_challenge
from clineval.results.scores import Counts

Row = Mapping[str, Any]
COLUMNS: Mapping[str, str] = {
    "size": "long",
    "kind": "string",
    "documents": "array<string>",
    "table": "binary",
    "digests": "binary",
    "details": "string",
    "told": "string",
}
"""The columns of a row, with Spark's names of their types."""


def arrow_types() -> dict[str, Any]:
    """Return the Arrow types of the columns of a row."""
    import pyarrow as pa

    kinds = {"long": pa.int64(), "string": pa.string(), "binary": pa.binary()}
    return {name: kinds.get(kind, pa.list_(pa.string())) for name, kind in COLUMNS.items()}


def pack(result: Result) -> dict[str, Any]:
    """Pack a result into a row."""
    counts = result.counts
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    row |= {"size": result.size, "told": json.dumps(_tell(result))}
    if counts is not None:
        named = {
            "metric": counts.metric,
            "config": counts.config,
            "settings": dict(counts.settings),
            "columns": list(counts.columns),
        }
        row |= {
            "kind": json.dumps(named),
            "documents": list(counts.documents),
            "table": np.ascontiguousarray(counts.table, "<f8").tobytes(),
            "digests": np.ascontiguousarray(counts.digests, "<u8").tobytes(),
            "details": json.dumps(list(counts.details)),
        }
    return row


def _tell(result: Result) -> dict[str, Any]:
    about, _ = input_warnings(result.warnings)
    error = result.error
    return {
        "warnings": [[each.template, list(each.names), dict(each.told)] for each in about],
        "left_out": [[each.name, each.problem] for each in result.left_out],
        "error": None if error is None else [error.where, error.problem],
    }


def unpack(row: Row) -> Result:
    """Unpack the result of a row that :func:`pack` made."""
    told = json.loads(row["told"])
    error = told["error"]
    return Result(
        row["size"],
        None if row["kind"] is None else _unpack_counts(row),
        [InputWarning(text, names, **fields) for text, names, fields in told["warnings"]],
        [LeftOut(*each) for each in told["left_out"]],
        None if error is None else InputError(error[1], where=error[0]),
    )


def _unpack_counts(row: Row) -> Counts:
    kind = json.loads(row["kind"])
    columns: Sequence[str] = kind["columns"]
    documents = tuple(row["documents"])
    table = np.frombuffer(bytes(row["table"]), "<f8").reshape(len(documents), len(columns))
    return Counts(
        find_challenge(kind["metric"]),
        kind["config"],
        kind["settings"],
        tuple(columns),
        documents,
        table.astype(np.float64),
        np.frombuffer(bytes(row["digests"]), "<u8").astype(np.uint64),
        json.loads(row["details"]),
    )
