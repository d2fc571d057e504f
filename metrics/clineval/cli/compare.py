"""``clineval compare``: several systems on one gold standard."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.cli.options import Interval, Resamples, Seed, with_options_of_challenges
from clineval.cli.score import Module, Protocol, console_of, show_progress


class Test(str, Enum):
    """Which paired test."""

    ar = "ar"
    bootstrap = "bootstrap"


class Notation(str, Enum):
    """How the comparison is written."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


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
    from clineval.comparison import compare as compare_systems
    from clineval.progress import tracked_by
    from clineval.report.comparisons import WRITERS, choose_keys, print_comparison

    with tracked_by(show_progress):
        comparison = compare_systems(
            module,
            dict(zip(_name(systems), systems, strict=True)),
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
    if format is Notation.table:
        print_comparison(console_of(), comparison, keys)
    else:
        typer.echo(WRITERS[format.value](comparison, keys))


def _name(systems: Sequence[Path]) -> Sequence[str]:
    """The last parts of the paths if they differ, otherwise the whole paths."""
    for names in ([path.stem for path in systems], [path.name for path in systems]):
        if len(set(names)) == len(names):
            return names
    paths = [str(path) for path in systems]
    if len(set(paths)) < len(paths):
        raise typer.BadParameter("a system is given twice", param_hint="SYSTEMS")
    return paths
