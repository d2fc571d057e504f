"""``clineval compare``: several systems on one gold standard."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.cli.options import Interval, Plot, Resamples, Seed, with_options_of_challenges
from clineval.cli.score import Module, Notation, Protocol, console_of, name_systems, show_progress


class Test(str, Enum):
    """Which paired test."""

    ar = "ar"
    bootstrap = "bootstrap"


@with_options_of_challenges
def compare(
    module: Module,
    gold: Annotated[
        Path, typer.Argument(help="Gold standard: directory or file.", show_default=False)
    ],
    systems: Annotated[
        list[Path],
        typer.Argument(
            help="Predictions of two or more systems; the first is the baseline.",
            show_default=False,
        ),
    ],
    config: Annotated[
        str, typer.Option(help="Which part of the challenge; see 'clineval describe MODULE'.")
    ] = "default",
    protocol: Annotated[
        Protocol,
        typer.Option(help="The challenge document's definition, or the released script's."),
    ] = Protocol.spec,
    format: Annotated[Notation, typer.Option(help="How to write it.")] = Notation.table,  # noqa: A002
    scores: Annotated[
        list[str] | None,
        typer.Option(
            "--score",
            help="A score to show, such as strict_f1, or all; may be given several times. The "
            "challenge's main ones otherwise.",
            show_default=False,
        ),
    ] = None,
    test: Annotated[
        Test, typer.Option(help="Approximate randomization, or the paired bootstrap.")
    ] = Test.ar,
    trials: Annotated[int, typer.Option(help="Trials of the test.")] = 10_000,
    confidence: Annotated[float, typer.Option(help="Level of the intervals.")] = 0.95,
    n_resamples: Resamples = 1000,
    seed: Seed = 12345,
    interval: Interval = "percentile",
    plot: Plot = None,
    scatter: Annotated[
        Path | None,
        typer.Option(
            help="Draw the first score of each document under the first two systems, to a .png "
            "or .svg file.",
            show_default=False,
        ),
    ] = None,
    **options: Any,
) -> None:
    """Compare systems with a baseline: scores, intervals, differences, p-values.

    p is the probability of such a difference between two equally good systems; with more than
    one system beside the baseline, also corrected by Holm's method. Where there are few
    documents p is exact.

    [bold]Examples[/bold]

      clineval compare semeval15_task14 gold/ baseline/ ours/

      clineval compare semeval15_task14 gold/ a/ b/ c/ --config task1 --score strict_f1

      clineval compare clefehealth13_task3 qrels.txt run1.txt run2.txt --test bootstrap
    """
    from clineval.progress import tracked_by
    from clineval.report.comparisons import WRITERS, choose_keys, print_comparison
    from clineval.statistics.comparison import compare as compare_systems

    with tracked_by(show_progress):
        comparison = compare_systems(
            module,
            dict(zip(name_systems(systems), systems, strict=True)),
            gold,
            config=config,
            protocol=protocol.value,
            test=test.value,
            trials=trials,
            confidence=confidence,
            n_resamples=n_resamples,
            seed=seed,
            interval=interval,
            **options,
        )
        keys = choose_keys(comparison, scores or ())
    if plot or scatter:
        from clineval.report import plots

        if plot:
            plots.save(plots.plot_scores(comparison, keys), plot)
        if scatter:
            plots.save(plots.plot_documents(comparison, keys[0]), scatter)
    if format is Notation.table:
        print_comparison(console_of(), comparison, keys)
    else:
        typer.echo(WRITERS[format.value](comparison, keys))
