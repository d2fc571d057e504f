"""``clineval adjudicate``: from a reviewer's remarks to a corrected gold standard."""

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
        Path, argument("The gold standard that the report was made of: brat, JSON Lines or pipe.")
    ],
    remarks: Annotated[
        Path, argument("The remarks that the report exported, with decisions: .json or .csv.")
    ],
    output: Annotated[
        Path | None,
        option(
            None,
            "A new directory for the corrected gold standard, in the format it came in; without "
            "it the corrections are listed only.",
            "--output",
            "-o",
        ),
    ] = None,
    module: Annotated[
        str | None, option(None, "The metric, which .csv does not say, such as n2c2_2018_track2.")
    ] = None,
    texts: Annotated[
        Path | None,
        option(None, "The notes, where they are not beside brat's files.", "--text"),
    ] = None,
    format: shared.NotationOption = shared.Notation.table,  # noqa: A002
) -> None:
    """Follow a reviewer's decisions in the gold standard, and list what changed.

    The Workbench (clineval report) takes decisions on annotations: the gold standard is wrong, the
    system is right, or its boundary, or its label. Only the lines of these annotations change,
    and nothing is written if one of them is not there.

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
