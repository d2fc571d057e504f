"""``clineval space`` and ``clineval card-results``: metrics and scores on the HuggingFace Hub."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from clineval.base.escaping import visible
from clineval.cli.options import (
    Config,
    Module,
    Protocol,
    ProtocolOption,
    argument,
    option,
    setting,
    split_names,
)

app = typer.Typer(
    help="Make a Space of the HuggingFace Hub that holds a metric and all that it needs.",
    no_args_is_help=True,
)


@app.command("build")
def build(module: Module, out: Annotated[Path, argument("A new directory.")]) -> None:
    """Assemble a Space: the metric, its card, a page to try it, a sample.

    Of another package's metric: its card, and a module for evaluate.load.

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
    repo: Annotated[str, option(None, "OWNER/MODULE; made if there is none.")],
    private: Annotated[
        bool,
        typer.Option(
            "--private", help="Make a new Space private; one that is there stays as it is."
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Send nothing; list what would be sent.")
    ] = False,
) -> None:
    """Assemble a Space and publish it, as whoever 'hf auth login' logged in.

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
    result: Annotated[Path, argument("What 'clineval score --format json -o RESULT' wrote.")],
    card: Annotated[Path, argument("The model's README.md; made if absent.")],
    dataset: Annotated[str, option(None, "The data set on the Hub: OWNER/NAME.")],
    name: Annotated[str | None, option(None, "The data set's name for people.")] = None,
    model: Annotated[
        str | None,
        option(None, "The model's name; that of the card, or of its directory, if left out."),
    ] = None,
    split: Annotated[str | None, option(None, "Such as test.")] = None,
    key: Annotated[
        list[str] | None, option(None, "The scores to show, with commas between them.")
    ] = None,
    task: Annotated[
        str, typer.Option(help="The task of the data set, for its leaderboard on the Hub.")
    ] = "default",
) -> None:
    """Write scores, with their signature, into the metadata of a model card.

    Beside the card, the folder .eval_results gets what the Hub shows on leaderboards: the scores
    that --key names, otherwise the main one.

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
    folder: Annotated[Path, argument("Where the data set's files are; made if absent.")],
    dataset: Annotated[str, option(None, "The data set on the Hub: OWNER/NAME.")],
    subset: Annotated[
        str, setting(None, "The data set's configuration, as its card has it.")
    ] = "default",
    split: Annotated[str, setting(None, "The split that systems are ranked on.")] = "test",
    config: Config = "default",
    protocol: ProtocolOption = Protocol.spec,
) -> None:
    """Make a data set a benchmark of the Hub: write eval.yaml and the task of Inspect beside it.

    Each row of the data set has a note as "note" and the JSON of its gold standard as "gold", which
    'clineval convert GOLD gold.jsonl' puts under "mentions". Push both files with the data. The Hub
    shows a leaderboard once it has put the data set on its list of benchmarks.

    The Hub takes no scorers but Inspect's own, and these know no spans: the one in eval.yaml asks
    for the gold standard to the letter. The challenge's score is that of task.py; 'clineval
    card-results --task' puts it on a model's page.

    [bold]Example[/bold]

      clineval eval-yaml semeval15_task14 data/ --dataset me/notes

      inspect eval data/task.py --model MODEL
    """
    from clineval.hub.benchmarks import Benchmark, write_benchmark

    benchmark = Benchmark(module, dataset, subset, split, config, protocol.value)
    for path in write_benchmark(benchmark, folder):
        typer.echo(visible(f"wrote {path}"), err=True)
    typer.echo(f"its leaderboard is of the task {benchmark.task}", err=True)
