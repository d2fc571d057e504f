"""Options of commands that read tables and count in parts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.cli.options import option

TABLES, WORK = "Parquet files", "Work"
ReferencesColumn = Annotated[
    str | None,
    option(
        TABLES,
        "The column with the gold standard; otherwise the one called references, or the only one.",
    ),
]
PredictionsColumn = Annotated[
    str | None,
    option(
        TABLES,
        "The column with the predictions; otherwise the one called predictions, or the only one.",
    ),
]
IdColumn = Annotated[
    str | None,
    option(
        TABLES, "The column with the notes' names, which joins two files; otherwise id, if there."
    ),
]
Jobs = Annotated[
    int | None,
    option(
        WORK,
        "How many processes count; otherwise as many as there are cores, one for few notes.",
        min=1,
    ),
]
KeepGoing = Annotated[
    Path | None,
    option(
        WORK,
        "Leave out notes that cannot be read, and list them in this file, a line of JSON each.",
    ),
]


def take_columns(
    gold: Path,
    predictions: Path,
    references_column: str | None,
    predictions_column: str | None,
    id_column: str | None,
) -> tuple[Any, Any]:
    """Return both sides; columns of tables in place of Parquet files."""
    from clineval.formats.tables.arrow import Column, is_parquet

    names = references_column, predictions_column
    if not any(map(is_parquet, (gold, predictions))):
        given = {"references": names[0], "predictions": names[1], "id": id_column}
        for name, value in given.items():
            if value is not None:
                raise typer.BadParameter("is for Parquet files", param_hint=f"--{name}-column")
        return gold, predictions
    sides = [
        Column(path, name or "", id_column) if is_parquet(path) else path
        for path, name in zip((gold, predictions), names, strict=True)
    ]
    return sides[0], sides[1]
