"""``clineval prevalence``: weights of slot values from gold corpora."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from clineval.cli.options import argument, complete_metric, option


def prevalence(
    gold: Annotated[list[Path], argument("Gold corpora in the pipe format, together.")],
    output: Annotated[Path | None, option(None, "Write to this file.", "-o", "--output")] = None,
    module: Annotated[
        str | None,
        option(
            None,
            "The metric whose slots are weighed; the first one that weighs slots otherwise.",
            autocompletion=complete_metric,
        ),
    ] = None,
) -> None:
    """Write the weights of slot values, one minus their prevalence, as JSON.

    The file is what --weights of 'clineval score' takes. Give the whole corpus (training,
    development and test), as the challenge did.

      clineval prevalence train/ dev/ test/ -o weights.json
    """
    from clineval.base.errors import InputError
    from clineval.base.files import write_file
    from clineval.base.progress import tracked_by
    from clineval.cli.terminal import show_progress
    from clineval.results.registry import all_challenges, find_challenge

    weighted = [challenge.name for challenge in all_challenges() if challenge.faces.prevalence]
    if module is None:
        module, *_ = weighted
    weigh = find_challenge(module).faces.prevalence
    if weigh is None:
        raise InputError(f"{module} weighs no slots, expected one of {', '.join(weighted)}")
    with tracked_by(show_progress):
        weights = json.dumps(weigh(*gold), indent=2)
    if output:
        write_file(output, weights + "\n")
    else:
        typer.echo(weights)
