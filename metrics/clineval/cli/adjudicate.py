"""``clineval adjudicate``: correct a gold standard with a reviewer's remarks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clineval.base.errors import agree
from clineval.base.escaping import visible
from clineval.cli import options as shared
from clineval.cli.options import argument, option
from clineval.cli.terminal import show


def adjudicate(
    gold: Annotated[
        Path, argument("The gold standard of the report, in brat, JSON Lines or pipe format.")
    ],
    remarks: Annotated[
        Path, argument("The remarks and decisions that the report exported: .json or .csv.")
    ],
    output: Annotated[
        Path | None,
        option(
            None,
            "A new directory for the corrected gold standard, in its original format. Without "
            "this option the corrections are only listed.",
            "--output",
            "-o",
        ),
    ] = None,
    module: Annotated[
        str | None, option(None, "The metric, such as n2c2_2018_track2; .csv does not name it.")
    ] = None,
    texts: Annotated[
        Path | None,
        option(None, "The notes, if they are not next to brat's files.", "--text"),
    ] = None,
    format: shared.NotationOption = shared.Notation.table,  # noqa: A002
) -> None:
    """Apply a reviewer's decisions to the gold standard, and list the changes.

    Reviewers record decisions on annotations in the Workbench (clineval report): the gold
    annotation is wrong, or the system is right about the annotation, its boundary or its label.
    Only the lines of these annotations change. If one of them is missing, nothing is written.

    [bold]Examples[/bold]

      clineval adjudicate gold/ remarks.json -o corrected/

      clineval adjudicate gold.jsonl remarks.csv --module semeval15_task14

      clineval report semeval15_task14 corrected/ ours/ --text notes/
    """
    from clineval.evaluation.adjudication import adjudicate as follow

    found = follow(gold, remarks, module, texts=texts)
    if output:
        found.write(output)
    show(found.sheet(), format.value)
    if output:
        files = agree("{n} {file|files}", len(found.files))
        typer.echo(visible(f"wrote {output}") + f" ({files})", err=True)
