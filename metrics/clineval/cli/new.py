"""``clineval new``: a package with a metric of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clineval.base.escaping import visible
from clineval.cli.options import argument, option
from clineval.hub.starters import KINDS


def new(
    name: Annotated[str, argument("The name of the metric, such as wound_findings.")],
    kind: Annotated[
        str,
        typer.Option(
            help=f"The kind of annotation: {', '.join(KINDS)}.",
            autocompletion=lambda: [*KINDS],
        ),
    ],
    title: Annotated[str, typer.Option(help="The name for people; by default made of NAME.")] = "",
    output: Annotated[
        Path | None, option(None, "A new folder; by default NAME.", "-o", "--output")
    ] = None,
) -> None:
    """Write a package with a metric of your own: definition, demo, tests, card, leaderboard.

    The package has a definition of about 30 lines, invented notes with two systems, tests that
    pass, a card, eval.yaml for the Hub, and a workflow that validates and scores submissions. If
    it is installed, every command knows the metric.

    [bold]Examples[/bold]

      clineval new wound_findings --kind spans

      clineval new smoking_status --kind classes --title "Smoking status 2027" -o package/
    """
    from clineval.hub.packages import Package, write_package

    folder = output or Path(name)
    files = write_package(Package(name, kind, title), folder)
    typer.echo(visible(f"wrote {len(files)} files to {folder}"), err=True)
    typer.echo(visible(f"next: pip install {folder}, then: clineval demo {name}"), err=True)
