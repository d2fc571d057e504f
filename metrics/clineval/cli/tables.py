"""Options of commands that read tables and count in parts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clineval.cli.options import option

if TYPE_CHECKING:  # help must not wait for NumPy
    from clineval.formats.tables.arrow import Column
    from clineval.results.challenge import Challenge

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


def open_paths(
    challenge: Challenge,
    gold: Path,
    predictions: Path | None,
    references_column: str | None,
    predictions_column: str | None,
    id_column: str | None,
) -> tuple[Path | Column, Path | Column]:
    """Return both sides; columns of tables in place of Parquet files.

    The predictions may be left out where one file has both sides.
    """
    from clineval.formats.tables.arrow import Column, is_parquet

    if predictions is None and not (challenge.faces.one_file or is_parquet(gold)):
        raise typer.BadParameter("Missing argument: the predictions", param_hint="PRED")
    paths = gold, predictions or gold
    if not any(map(is_parquet, paths)):
        names = references_column, predictions_column, id_column
        for role, name in zip(("references", "predictions", "id"), names, strict=True):
            if name is not None:
                raise typer.BadParameter("is for Parquet files", param_hint=f"--{role}-column")
    references, found = (
        Column(path, name or "", id_column) if is_parquet(path) else path
        for path, name in zip(paths, (references_column, predictions_column), strict=True)
    )
    return references, found
