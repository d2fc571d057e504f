"""``clineval compare`` and ``clineval power``: differences between systems, and their detection."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.cli import options as shared
from clineval.cli.answers import take_answers
from clineval.cli.options import OUTPUT, argument, option
from clineval.cli.standard_input import take_files
from clineval.cli.terminal import WIDE, name_runs, show


class Test(StrEnum):
    """The paired tests."""

    ar = "ar"
    bootstrap = "bootstrap"
    mcnemar = "mcnemar"


def compare(
    module: shared.Module,
    gold: shared.Gold,
    systems: Annotated[
        list[Path],
        argument(
            "Predictions of two or more systems; the first is the baseline. Write several runs of "
            "a system as NAME=RUN1,RUN2,...",
            callback=take_files,
        ),
    ],
    config: shared.Config = "default",
    protocol: shared.ProtocolOption = shared.SPEC,
    dataset: shared.DatasetOption = None,
    format: shared.PaperNotationOption = shared.PaperNotation.table,  # noqa: A002
    scores: Annotated[
        list[str] | None,
        option(
            None,
            "The scores to show, separated by commas, such as strict_f1,lenient_f1, or all; by "
            "default the main scores of the challenge.",
            "--score",
        ),
    ] = None,
    test: Annotated[
        Test,
        typer.Option(
            help="The test: approximate randomization (ar), the paired bootstrap, or McNemar's "
            "exact test for accuracies."
        ),
    ] = Test.ar,
    sort: Annotated[
        bool,
        option(OUTPUT, "List the systems by score, the best first.", "--sort"),
    ] = False,
    trials: Annotated[int, typer.Option(help="Number of trials of the test.")] = 10_000,
    confidence: Annotated[float, typer.Option(help="Level of the intervals.")] = 0.95,
    n_resamples: shared.Resamples = 1000,
    seed: shared.Seed = 12345,
    interval: shared.Interval = "auto",
    cluster: shared.Cluster = None,
    cluster_by: shared.ClusterBy = None,
    by: shared.By = None,
    train: shared.Train = None,
    sections: shared.SectionsOption = None,
    plot: shared.Plot = None,
    scatter: Annotated[
        Path | None,
        option(
            None,
            "Draw the first score of each document for the first two systems, to a .png or .svg "
            "file.",
        ),
    ] = None,
    leaderboard: Annotated[
        Path | None,
        option(
            OUTPUT,
            "Also write a leaderboard to this folder: index.html, README.md and leaderboard.json, "
            "with ranks, intervals, and neighbours that the test does not separate.",
        ),
    ] = None,
    jobs: shared.Jobs = None,
    **options: object,
) -> None:
    """Compare systems with a baseline: scores, intervals, differences, p-values.

    p is the probability of a difference at least this large between two equally good systems. With
    two or more systems besides the baseline, p is also corrected by Holm's method. With few
    documents, p is exact. If systems have several runs, their means are compared, over documents
    and runs together. Each score ranks the systems; systems with equal scores share a rank.

    [bold]Examples[/bold]

      clineval compare semeval15_task14 gold/ baseline/ ours/

      clineval compare semeval15_task14 gold/ a/ b/ c/ --config task1 --score strict_f1

      clineval compare semeval15_task14 gold/ a/ b/ c/ --sort

      clineval compare semeval15_task14 gold/ submissions/* --sort --leaderboard site/

      clineval compare semeval15_task14 gold/ base=b1/,b2/,b3/ ours=o1/,o2/,o3/

      clineval compare clefehealth13_task3 qrels.txt run1.txt run2.txt --test bootstrap

      clineval compare semeval15_task14 gold/ baseline/ ours/ --format methods-latex
    """
    from clineval.evaluation.analysis.compared_groups import GroupedComparison, compare_groups
    from clineval.evaluation.compare import compare as compare_systems
    from clineval.evaluation.comparison import Comparison
    from clineval.evaluation.evaluate import make_setup
    from clineval.evaluation.inputs import open_inputs
    from clineval.evaluation.leaderboard import rank_systems
    from clineval.evaluation.runs import Runs
    from clineval.hub.leaderboards import write_leaderboard

    if by and (plot or scatter or leaderboard):
        problem = "takes neither --plot nor --scatter nor --leaderboard"
        raise typer.BadParameter(problem, param_hint="--by")
    settings = {"config": config, "protocol": protocol, **options}
    if dataset:
        settings["dataset"] = dataset
    paths, runs = name_runs(systems)
    scored = take_answers(module, gold, paths, settings)
    named = {name: Runs(scored.systems[run] for run in of) for name, of in runs.items()}
    how: dict[str, Any] = {
        "test": test.value,
        "trials": trials,
        "confidence": confidence,
        "n_resamples": n_resamples,
        "seed": seed,
        "interval": interval,
        "cluster": shared.choose_clusters(cluster, cluster_by),
        "asked": shared.split_names(scores),
        **scored.options,
    }
    comparison: Comparison | GroupedComparison
    if by:
        setup = make_setup(module, **scored.options)
        groupings = shared.read_groupings(setup, train, sections)
        comparison = compare_groups(module, named, scored.references, by, **groupings, **how)
    else:
        if jobs is not None:  # without it, files of options need not be read here
            first = next(iter(scored.systems.values()))
            setup = make_setup(module, **scored.options)
            inputs = open_inputs(scored.references, [first], setup)
            shared.say_if_jobs_do_nothing(setup, inputs, jobs)
        comparison = compare_systems(module, named, scored.references, jobs=jobs, **how)
    keys = comparison.choose_keys(shared.split_names(scores))
    if isinstance(comparison, Comparison) and (plot or scatter):
        from clineval.evaluation import plots
        from clineval.results.pictures.figures import save

        if plot:
            save(plots.plot_comparison(comparison, keys), plot)
        if scatter:
            save(plots.plot_documents(comparison, keys[0]), scatter)
    if leaderboard and isinstance(comparison, Comparison):
        write_leaderboard(rank_systems(comparison), leaderboard)
    show(comparison.sheet(keys, ranked=sort), format.value, WIDE)


def power(
    counts: Annotated[
        list[Path],
        argument("Counts of one or two systems on a pilot, from 'clineval score --save-counts'."),
    ],
    pilots: Annotated[
        list[str] | None,
        option(
            None,
            "Counts on a further pilot with other documents, of one system or of two as A,B. You "
            "can repeat the option.",
            "--pilot",
        ),
    ] = None,
    difference: Annotated[
        float, typer.Option(help="The smallest difference that you want to detect.")
    ] = 0.02,
    power: Annotated[
        float, typer.Option(help="Probability of detecting this difference if it exists.")
    ] = 0.8,
    confidence: Annotated[
        float,
        typer.Option(help="1 minus the probability of detecting a difference if there is none."),
    ] = 0.95,
    scores: Annotated[
        list[str] | None,
        option(
            None,
            "The scores, separated by commas, such as strict_f1,lenient_f1; by default the main "
            "scores of the challenge.",
            "--score",
        ),
    ] = None,
    cluster: shared.Cluster = None,
    cluster_by: shared.ClusterBy = None,
    plot: shared.Plot = None,
    format: shared.NotationOption = shared.Notation.table,  # noqa: A002
) -> None:
    """Estimate how many documents are needed to detect a difference between two systems.

    The estimate uses the counts of a pilot, because the number of documents depends on how much
    the difference varies between documents. If you pass one system, the other is assumed to err on
    other documents. This gives a larger number than two similar systems need.

    A pilot is a sample. Half of other pilots of the same size would give an answer within the
    range. More documents, or further pilots (--pilot), make the range narrower.

    [bold]Examples[/bold]

      clineval score semeval15_task14 gold/ ours/ --save-counts ours.json

      clineval power ours.json --difference 0.03

      clineval power baseline.json ours.json --difference 0.02 --score strict_f1

      clineval power base1.json ours1.json --pilot base2.json,ours2.json --score strict_f1
    """
    from clineval.evaluation.power import plan
    from clineval.results.scorable import Counts

    further = [list(map(Path, of.split(","))) for of in pilots or ()]
    planned = plan(
        [[Counts.load(path) for path in of] for of in (counts, *further)],
        difference,
        power=power,
        confidence=confidence,
        scores=shared.split_names(scores),
        cluster=shared.choose_clusters(cluster, cluster_by),
    )
    if plot:
        from clineval.evaluation.plots import plot_power
        from clineval.results.pictures.figures import save

        save(plot_power(planned), plot)
    show(planned.sheet(), format.value)
