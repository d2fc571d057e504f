"""Frequent errors and confusion matrices as tables."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import Any

import numpy as np

from clineval.analysis.mistakes import Confusion, Mistake
from clineval.report.tables import Table, latex_of, markdown_of

_NO_MENTION, _OTHERS = "(none)", "(others)"


def table_of_mistakes(mistakes: Sequence[Mistake], kinds: Mapping[str, int]) -> Table:
    """A row for each; the title tells how many there are of each kind."""
    numbers = ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count)
    rows = tuple(
        (m.kind, m.gold or _NO_MENTION, m.prediction or _NO_MENTION, str(len(m))) for m in mistakes
    )
    return Table(f"Most frequent errors ({numbers})", ("gold", "predicted", "times"), rows)


def table_of_confusion(confusion: Confusion, most: int) -> Table:
    """Gold values by predicted values; the most frequent ones, and the others as one."""
    names, table = [*confusion.values, _NO_MENTION], confusion.table
    if len(confusion.values) > most:
        names = [*confusion.values[:most], _OTHERS, _NO_MENTION]
        edges = [*range(most + 1), len(confusion.values)]
        table = np.add.reduceat(np.add.reduceat(table, edges, axis=0), edges, axis=1)
    rows = tuple(
        (name, *map(str, counts)) for name, counts in zip(names, table.tolist(), strict=True)
    )
    return Table(f"{confusion.slot}: gold (rows) and predicted (columns)", tuple(names), rows)


def describe_mistakes(mistakes: Sequence[Mistake], kinds: Mapping[str, int]) -> dict[str, Any]:
    """For programs: ``kinds`` and ``errors``."""
    errors = [
        {"kind": m.kind, "gold": m.gold, "predicted": m.prediction, "times": len(m)}
        for m in mistakes
    ]
    return {"kinds": dict(kinds), "errors": errors}


def describe_confusion(confusion: Confusion) -> dict[str, Any]:
    """For programs: ``values``, None for no mention, and ``confusion``, gold by predicted."""
    values = [*confusion.values, None]
    return {"slot": confusion.slot, "values": values, "confusion": confusion.table.tolist()}


def as_json(described: Mapping[str, Any], _: Table) -> str:
    """One JSON object."""
    return json.dumps(described, indent=2, ensure_ascii=False)


def as_csv(_: Mapping[str, Any], table: Table) -> str:
    """The lines of the table."""
    buffer = StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([("", *table.columns), *table.rows])
    return buffer.getvalue().rstrip("\n")


WRITERS: Mapping[str, Callable[[Mapping[str, Any], Table], str]] = {
    "json": as_json,
    "csv": as_csv,
    "markdown": lambda _, table: markdown_of(table),
    "latex": lambda _, table: latex_of(table),
}
"""Notation to the function that writes what was described, or its table."""
