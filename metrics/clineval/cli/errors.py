"""``clineval errors``: what goes wrong most often."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.cli.options import Plot, with_options_of_challenges
from clineval.cli.score import Module, Notation, Protocol, console_of, show_progress

_WIDE = 240


@with_options_of_challenges
def errors(
    module: Module,
    gold: Annotated[
        Path, typer.Argument(help="Gold standard: directory or file.", show_default=False)
    ],
    pred: Annotated[
        Path, typer.Argument(help="Predictions: directory or file.", show_default=False)
    ],
    slot: Annotated[
        str | None,
        typer.Option(
            help="The confusion matrix of this slot instead, such as negation, cui or label.",
            show_default=False,
        ),
    ] = None,
    most: Annotated[
        int, typer.Option(min=1, help="How many of each kind, or how many values.")
    ] = 10,
    config: Annotated[str, typer.Option(help="Which part of the challenge.")] = "default",
    protocol: Annotated[Protocol, typer.Option(help="Whose rules count.")] = Protocol.spec,
    format: Annotated[Notation, typer.Option(help="How to write it.")] = Notation.table,  # noqa: A002
    plot: Plot = None,
    **options: Any,
) -> None:
    """List the most frequent errors by code or label, or how a slot's values are confused.

    Boundary: paired, but the spans differ. Code: paired, but the codes differ. Spurious: a
    prediction without a gold mention. Missed: a gold mention without a prediction.

    [bold]Examples[/bold]

      clineval errors semeval15_task14 gold/ predicted/

      clineval errors semeval15_task14 gold/ predicted/ --slot severity
    """
    from clineval.analysis.mistakes import confuse, count_mistakes, find_frequent
    from clineval.analysis.outcomes import find_outcomes
    from clineval.progress import tracked_by
    from clineval.report import mistakes as report
    from clineval.report.tables import print_table

    if plot:
        from clineval.report import plots

        plots.check_file(plot)
        if not slot:
            raise typer.BadParameter("needs --slot", param_hint="--plot")
    with tracked_by(show_progress):
        outcomes = find_outcomes(
            module, pred, gold, config=config, protocol=protocol.value, **options
        )
    if slot:
        confusion = confuse(outcomes, slot)
        table = report.table_of_confusion(confusion, most)
        described = report.describe_confusion(confusion)
        if plot:
            plots.save(plots.plot_confusion(confusion), plot)
    else:
        frequent, kinds = find_frequent(outcomes, most), count_mistakes(outcomes)
        table = report.table_of_mistakes(frequent, kinds)
        described = report.describe_mistakes(frequent, kinds)
    if format is Notation.table:
        print_table(console_of(_WIDE), table)
    else:
        typer.echo(report.WRITERS[format.value](described, table))
