"""``clineval space``, ``card-results`` and ``eval-yaml``: metrics and scores on the Hub."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from clineval.base.escaping import visible
from clineval.cli.options import (
    SPEC,
    Config,
    Module,
    ProtocolOption,
    argument,
    option,
    setting,
    split_names,
)

app = typer.Typer(
    help="Make a Space of the Hugging Face Hub with a metric and everything that it needs.",
    no_args_is_help=True,
)


@app.command("build")
def build(module: Module, out: Annotated[Path, argument("A new directory.")]) -> None:
    """Assemble a Space: the metric, its card, a page to try it, a sample.

    If the metric comes from another package, the Space has its card and a module for
    evaluate.load.

    [bold]Example[/bold]

      clineval space build semeval15_task14 space/
    """
    from clineval.hub.spaces import build_space

    files = build_space(module, out)
    page = out / "app.py"
    more = f"; try the page: python {page}" if page in files else ""
    typer.echo(visible(f"wrote {len(files)} files to {out}{more}"), err=True)


@app.command("push")
def push(
    module: Module,
    repo: Annotated[str, option(None, "The Space, as OWNER/MODULE; created if it does not exist.")],
    private: Annotated[
        bool,
        typer.Option(
            "--private", help="Make a new Space private; an existing Space stays as it is."
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Send nothing; list the files that would be sent.")
    ] = False,
) -> None:
    """Assemble a Space and publish it, with the account of 'hf auth login'.

    [bold]Example[/bold]

      clineval space push semeval15_task14 --repo me/semeval15_task14 --dry-run
    """
    from clineval.hub.spaces import build_space, push_space

    with TemporaryDirectory() as folder:
        space = Path(folder, module)
        build_space(module, space)
        done = push_space(module, repo, space, private=private, dry_run=dry_run)
    if dry_run:
        for path, size in done.files.items():
            typer.echo(f"{size:>8}  {path}")
    verb = "would send" if dry_run else "sent"
    kind = "private " if private else ""
    total = sum(done.files.values()) / 1000
    typer.echo(
        f"{verb} {len(done.files)} files, {total:.0f} kB, to the {kind}Space {done.url}", err=True
    )


def card_results(
    result: Annotated[Path, argument("The file from 'clineval score --format json -o RESULT'.")],
    card: Annotated[Path, argument("The model's README.md; created if it does not exist.")],
    dataset: Annotated[str, option(None, "The data set on the Hub: OWNER/NAME.")],
    name: Annotated[str | None, option(None, "The name of the data set to display.")] = None,
    model: Annotated[
        str | None,
        option(None, "The model's name; by default from the card, or its directory."),
    ] = None,
    split: Annotated[str | None, option(None, "The split of the data set, such as test.")] = None,
    key: Annotated[
        list[str] | None, option(None, "The scores to show, separated by commas.")
    ] = None,
    task: Annotated[
        str, typer.Option(help="The task of the data set, for its leaderboard on the Hub.")
    ] = "default",
) -> None:
    """Write scores, with their signature, into the metadata of a model card.

    The folder .eval_results next to the card gets the scores that the Hub shows on leaderboards:
    those that --key names, by default the main score.

    [bold]Example[/bold]

      clineval score semeval15_task14 gold/ predicted/ --format json -o result.json

      clineval card-results result.json README.md --dataset me/notes --split test --key strict_f1
    """
    from clineval.hub.results import read_result, to_eval_results, write_eval_results, write_to_card

    scores = read_result(result)
    keys = split_names(key) or None
    entries = to_eval_results(scores, dataset=dataset, dataset_name=name, split=split, keys=keys)
    changed = write_to_card(card, entries, model=model)
    typer.echo(visible(f"wrote {', '.join(changed) or 'nothing new'} to {card}"), err=True)
    for path in write_eval_results(card, entries, task=task, main=not keys):
        typer.echo(visible(f"wrote {path}"), err=True)


def eval_yaml(
    module: Module,
    folder: Annotated[
        Path, argument("The folder of the data set's files; created if it does not exist.")
    ],
    dataset: Annotated[str, option(None, "The data set on the Hub: OWNER/NAME.")],
    subset: Annotated[
        str, setting(None, "The data set's configuration, as named on its card.")
    ] = "default",
    split: Annotated[str, setting(None, "The split that systems are ranked on.")] = "test",
    config: Config = "default",
    protocol: ProtocolOption = SPEC,
) -> None:
    """Make a data set a benchmark of the Hub: write eval.yaml and an Inspect task next to it.

    Each row of the data set needs two columns: "note" is the text of a note, and "gold" is the JSON
    of its gold annotations, in the form of "mentions" in the output of 'clineval convert GOLD
    gold.jsonl'. Push both files with the data. The Hub shows a leaderboard once its maintainers
    list the data set as a benchmark.

    The Hub accepts only Inspect's own scorers, and these do not support spans: the one in eval.yaml
    requires the exact gold JSON. task.py computes the challenge's score; 'clineval card-results
    --task' puts it on a model's page.

    [bold]Example[/bold]

      clineval eval-yaml semeval15_task14 data/ --dataset me/notes

      inspect eval data/task.py --model MODEL
    """
    from clineval.hub.benchmarks import Benchmark, write_benchmark

    benchmark = Benchmark(module, dataset, subset, split, config, protocol)
    for path in write_benchmark(benchmark, folder):
        typer.echo(visible(f"wrote {path}"), err=True)
    typer.echo(f"the leaderboard belongs to the task {benchmark.task}", err=True)
