"""``clineval errors`` and ``clineval agreement``: errors of a system, agreement of annotators."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clineval.cli import options as shared
from clineval.cli.answers import take_answers
from clineval.cli.options import CONFIDENCE, argument, option, setting
from clineval.cli.terminal import WIDE, name_systems, show, show_progress


def errors(
    module: shared.Module,
    gold: shared.Gold,
    pred: Annotated[Path, argument("Predictions: directory or file.")],
    slot: Annotated[
        str | None,
        option(
            None, "Show the confusion matrix of this slot instead, such as negation, cui or label."
        ),
    ] = None,
    most: Annotated[
        int, typer.Option(min=1, help="Maximum number of errors of each type, or of values.")
    ] = 10,
    config: shared.Config = "default",
    protocol: shared.ProtocolOption = shared.SPEC,
    format: shared.NotationOption = shared.Notation.table,  # noqa: A002
    plot: shared.Plot = None,
    **options: object,
) -> None:
    """List the most frequent errors by code or label, or the confusions between a slot's values.

    Boundary: a pair whose spans differ. Code, label, field or type: a pair in which these differ.
    Both: a pair whose spans and codes differ. Right: a pair in which neither differs; records have
    no spans, so their other fields may differ. Spurious: a prediction without a gold mention.
    Missed: a gold mention without a prediction. Links of an order with a closure can be right by
    inference or contradictory; the list then shows the links from which they follow, and cycles.

    [bold]Examples[/bold]

      clineval errors semeval15_task14 gold/ predicted/

      clineval errors semeval15_task14 gold/ predicted/ --slot severity
    """
    from clineval.base.progress import tracked_by
    from clineval.evaluation.analysis import mistakes
    from clineval.evaluation.evaluate import evaluate

    if plot and not slot:
        raise typer.BadParameter("needs --slot", param_hint="--plot")
    settings = {"config": config, "protocol": protocol, **options}
    with tracked_by(show_progress):
        scored = take_answers(module, gold, {pred.name: pred}, settings)
        [found] = scored.systems.values()
        outcomes = evaluate(module, found, scored.references, **scored.options).outcomes
    if not slot:
        frequent, kinds = mistakes.find_frequent(outcomes, most), mistakes.count_mistakes(outcomes)
        heading = outcomes.kind.right
        chains = mistakes.list_reasonings(outcomes)
        show(mistakes.describe(frequent, kinds, heading, chains, most), format.value, WIDE)
        return
    confusion = mistakes.confuse(outcomes, slot)
    if plot:
        from clineval.evaluation.plots import plot_confusion
        from clineval.results.pictures.figures import save

        save(plot_confusion(confusion), plot)
    show(confusion.sheet(most), format.value, WIDE)


def agreement(
    module: shared.Module,
    annotators: Annotated[list[Path], argument("Annotations from two or more annotators.")],
    config: shared.Config = "default",
    protocol: shared.ProtocolOption = shared.SPEC,
    confidence: Annotated[float, setting(CONFIDENCE, "Level of the intervals.")] = 0.95,
    cluster: shared.Cluster = None,
    cluster_by: shared.ClusterBy = None,
    format: shared.NotationOption = shared.Notation.table,  # noqa: A002
    plot: shared.Plot = None,
    **options: object,
) -> None:
    """Measure the agreement of annotators: F1 for mentions, kappa and alpha for slots.

    Cohen's kappa and Krippendorff's alpha use the mentions that both annotators marked. If all
    values are the same they are undefined: null in JSON, a dash in tables.

    [bold]Examples[/bold]

      clineval agreement semeval15_task14 anna/ ben/
    """
    from clineval.base.progress import tracked_by
    from clineval.evaluation.analysis.agreement import agree, describe

    with tracked_by(show_progress):
        found = agree(
            module,
            dict(zip(name_systems(annotators), annotators, strict=True)),
            config=config,
            protocol=protocol,
            confidence=confidence,
            cluster=shared.choose_clusters(cluster, cluster_by),
            **options,
        )
    if plot:
        from clineval.evaluation.plots import plot_agreement
        from clineval.results.pictures.figures import save

        save(plot_agreement(found), plot)
    show(describe(found), format.value)
