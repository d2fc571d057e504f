"""``clineval prevalence``: weights of slot values from gold corpora."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def prevalence(
    gold: Annotated[
        list[Path],
        typer.Argument(help="Gold corpora in the pipe format, together.", show_default=False),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Write to this file.", show_default=False),
    ] = None,
) -> None:
    """Write the weights of slot values, one minus their prevalence, as JSON.

    The file is what --weights of 'clineval score' takes. Give the whole corpus (training,
    development and test), as the challenge did.

      clineval prevalence train/ dev/ test/ -o weights.json
    """
    from clineval.challenges.semeval15_task14 import prevalence as weigh
    from clineval.cli.score import show_progress
    from clineval.progress import tracked_by

    with tracked_by(show_progress):
        weights = json.dumps(weigh(*gold), indent=2)
    if output:
        output.write_text(weights + "\n", "utf-8")
    else:
        typer.echo(weights)
