"""``clineval power``: how many documents are needed to see a difference."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clineval.cli.options import Cluster, Notation, NotationOption, argument, option
from clineval.cli.terminal import show


def power(
    counts: Annotated[
        list[Path],
        argument("Counts of a pilot: of one system, or of two (clineval score --save-counts)."),
    ],
    difference: Annotated[
        float, typer.Option(help="The smallest difference that is worth seeing.")
    ] = 0.02,
    power: Annotated[float, typer.Option(help="How often it is to be seen.")] = 0.8,
    confidence: Annotated[
        float, typer.Option(help="1 minus how often one is seen where there is none.")
    ] = 0.95,
    scores: Annotated[
        list[str] | None,
        option(
            None,
            "A score, such as strict_f1; may be given several times. The challenge's main ones "
            "otherwise.",
            "--score",
        ),
    ] = None,
    cluster: Cluster = None,
    format: NotationOption = Notation.table,  # noqa: A002
) -> None:
    """Estimate how many documents are needed to see a difference between two systems.

    From the counts of a pilot: how much the difference varies between documents says how many
    of them it takes. With one system the other is taken to err elsewhere, which asks for more
    documents than two similar systems need.

    [bold]Examples[/bold]

      clineval score semeval15_task14 gold/ ours/ --save-counts ours.json

      clineval power ours.json --difference 0.03

      clineval power baseline.json ours.json --difference 0.02 --score strict_f1
    """
    from clineval.evaluation.power import plan
    from clineval.results.scores import Counts

    pilot = [Counts.load(path) for path in counts]
    planned = plan(
        pilot, difference, power=power, confidence=confidence, scores=scores or (), cluster=cluster
    )
    show(planned.sheet(), format.value)
