"""``clineval errors`` and ``clineval agreement``: errors of a system, agreement of annotators."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clineval.cli import options as shared
from clineval.cli.answers import take_answers
from clineval.cli.options import CONFIDENCE, argument, option, setting
from clineval.cli.standard_input import take_file, take_files
from clineval.cli.terminal import WIDE, name_systems, show


def errors(
    module: shared.Module,
    gold: shared.Gold,
    pred: Annotated[Path, argument("Predictions: directory or file.", callback=take_file)],
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
    from clineval.evaluation.analysis import mistakes
    from clineval.evaluation.evaluate import evaluate

    if plot and not slot:
        raise typer.BadParameter("needs --slot", param_hint="--plot")
    settings = {"config": config, "protocol": protocol, **options}
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
    annotators: Annotated[
        list[Path], argument("Annotations from two or more annotators.", callback=take_files)
    ],
    config: shared.Config = "default",
    protocol: shared.ProtocolOption = shared.SPEC,
    confidence: Annotated[float, setting(CONFIDENCE, "Level of the intervals.")] = 0.95,
    cluster: shared.Cluster = None,
    cluster_by: shared.ClusterBy = None,
    system: Annotated[
        Path | None,
        option(
            None, "Predictions of a system, to be compared with people: prints the human ceiling."
        ),
    ] = None,
    scale: Annotated[
        str | None,
        option(None, "Answers in their order, such as mild,moderate,severe: adds weighted kappa."),
    ] = None,
    format: shared.NotationOption = shared.Notation.table,  # noqa: A002
    plot: shared.Plot = None,
    **options: object,
) -> None:
    """Measure the agreement of annotators: scores such as F1, and kappa, AC1 and alpha of answers.

    Cohen's kappa, Gwet's AC1 and Krippendorff's alpha compare the classes and the codes of
    documents, the fields of paired records, and the slots of mentions that both annotators marked.
    If all values are the same, kappa and alpha are undefined: null in JSON, a dash in tables.

    [bold]Examples[/bold]

      clineval agreement semeval15_task14 anna/ ben/

      clineval agreement clinical_classes anna.csv ben.csv eva.csv --system judge.csv
    """
    from clineval.evaluation.analysis.agreements import agreement as measure

    everybody = [*annotators, *([system] if system else [])]
    names = name_systems(everybody)
    found = measure(
        module,
        dict(zip(names, annotators, strict=False)),
        system={names[-1]: system} if system else None,
        scale=scale,
        config=config,
        protocol=protocol,
        confidence=confidence,
        cluster=shared.choose_clusters(cluster, cluster_by),
        **options,
    )
    if plot:
        from clineval.results.pictures.figures import save

        save(found.plot(), plot)
    show(found.sheet(), format.value, WIDE)
