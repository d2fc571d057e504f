"""``clineval agreement``: how far annotators agree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.cli.options import with_options_of_challenges
from clineval.cli.score import (
    Module,
    Notation,
    Protocol,
    console_of,
    name_systems,
    show_progress,
)


@with_options_of_challenges
def agreement(
    module: Module,
    annotators: Annotated[
        list[Path],
        typer.Argument(help="Annotations of two or more annotators.", show_default=False),
    ],
    config: Annotated[str, typer.Option(help="Which part of the challenge.")] = "default",
    protocol: Annotated[Protocol, typer.Option(help="Whose rules count.")] = Protocol.spec,
    confidence: Annotated[float, typer.Option(help="Level of the intervals.")] = 0.95,
    format: Annotated[Notation, typer.Option(help="How to write it.")] = Notation.table,  # noqa: A002
    **options: Any,
) -> None:
    """How far annotators agree: F1 of what they marked, kappa and alpha of the slots.

    kappa (Cohen's) and alpha (Krippendorff's) are those of the mentions that both marked.

    [bold]Examples[/bold]

      clineval agreement semeval15_task14 anna/ ben/
    """
    from clineval.analysis.agreement import agree
    from clineval.progress import tracked_by
    from clineval.report import agreements as report
    from clineval.report.tables import latex_of, markdown_of, print_table

    with tracked_by(show_progress):
        found = agree(
            module,
            dict(zip(name_systems(annotators), annotators, strict=True)),
            config=config,
            protocol=protocol.value,
            confidence=confidence,
            **options,
        )
    if format is Notation.json:
        typer.echo(report.as_json(found))
        return
    if format is Notation.csv:
        raise typer.BadParameter("agreement is no single table", param_hint="--format")
    tables = report.tables_of(found)
    if format is Notation.table:
        for table in tables:
            print_table(console_of(), table)
    else:
        write = markdown_of if format is Notation.markdown else latex_of
        typer.echo("\n\n".join(map(write, tables)))
