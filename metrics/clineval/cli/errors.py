"""``clineval errors``: what goes wrong most often."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.cli import options as shared
from clineval.cli.answers import take_answers
from clineval.cli.options import argument, option
from clineval.cli.terminal import WIDE, show, show_progress


def errors(
    module: shared.Module,
    gold: shared.Gold,
    pred: Annotated[Path, argument("Predictions: directory or file.")],
    slot: Annotated[
        str | None,
        option(None, "The confusion matrix of this slot instead, such as negation, cui or label."),
    ] = None,
    most: Annotated[
        int, typer.Option(min=1, help="How many of each kind, or how many values.")
    ] = 10,
    config: shared.Config = "default",
    protocol: shared.ProtocolOption = shared.Protocol.spec,
    format: shared.NotationOption = shared.Notation.table,  # noqa: A002
    plot: shared.Plot = None,
    **options: Any,
) -> None:
    """List the most frequent errors by code or label, or how a slot's values are confused.

    Boundary: paired, but the spans differ. Code, label, field or type: paired, but these differ.
    Both: paired, but spans and codes differ. Spurious: a prediction without a gold mention.
    Missed: a gold mention without a prediction.

    [bold]Examples[/bold]

      clineval errors semeval15_task14 gold/ predicted/

      clineval errors semeval15_task14 gold/ predicted/ --slot severity
    """
    from clineval.base.progress import tracked_by
    from clineval.evaluation.analysis.mistakes import (
        confuse,
        count_mistakes,
        describe,
        find_frequent,
    )
    from clineval.evaluation.evaluate import evaluate

    if plot:
        from clineval.evaluation import plots

        plots.check_file(plot)
        if not slot:
            raise typer.BadParameter("needs --slot", param_hint="--plot")
    with tracked_by(show_progress):
        asked = {"config": config, "protocol": protocol.value, **options}
        given = take_answers(module, gold, {pred.name: pred}, asked)
        [found] = given.systems.values()
        outcomes = evaluate(module, found, given.references, **given.options).outcomes
    if slot:
        confusion = confuse(outcomes, slot)
        sheet = confusion.sheet(most)
        if plot:
            plots.save(plots.plot_confusion(confusion), plot)
    else:
        sheet = describe(find_frequent(outcomes, most), count_mistakes(outcomes))
    show(sheet, format.value, WIDE)
