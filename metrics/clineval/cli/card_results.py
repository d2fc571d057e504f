"""``clineval card-results``: scores into a model card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clineval.base.escaping import visible
from clineval.cli.options import argument, option


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
        list[str] | None, option(None, "A score to show; may be given several times.")
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
    entries = to_eval_results(scores, dataset=dataset, dataset_name=name, split=split, keys=key)
    changed = write_to_card(card, entries, model=model)
    typer.echo(visible(f"wrote {', '.join(changed) or 'nothing new'} to {card}"), err=True)
    for path in write_eval_results(card, entries, task=task, main=not key):
        typer.echo(visible(f"wrote {path}"), err=True)
