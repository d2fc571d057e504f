"""``clineval card-results``: scores into a model card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def card_results(
    result: Annotated[
        Path,
        typer.Argument(
            help="What 'clineval score --format json -o RESULT' wrote.", show_default=False
        ),
    ],
    card: Annotated[
        Path, typer.Argument(help="The model's README.md; made if absent.", show_default=False)
    ],
    dataset: Annotated[
        str, typer.Option(help="The data set on the Hub: OWNER/NAME.", show_default=False)
    ],
    name: Annotated[
        str | None, typer.Option(help="The data set's name for people.", show_default=False)
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="The model's name; that of the card, or of its directory, if left out.",
            show_default=False,
        ),
    ] = None,
    split: Annotated[str | None, typer.Option(help="Such as test.", show_default=False)] = None,
    key: Annotated[
        list[str] | None,
        typer.Option(help="A score to show; may be given several times.", show_default=False),
    ] = None,
) -> None:
    """Write scores, with their signature, into the metadata of a model card.

    [bold]Example[/bold]

      clineval score semeval15_task14 gold/ predicted/ --format json -o result.json

      clineval card-results result.json README.md --dataset me/notes --split test --key strict_f1
    """
    from clineval.hub.results import read_result, to_eval_results, write_to_card

    scores = read_result(result)
    entries = to_eval_results(scores, dataset=dataset, dataset_name=name, split=split, keys=key)
    changed = write_to_card(card, entries, model=model)
    typer.echo(f"wrote {', '.join(changed) or 'nothing new'} to {card}", err=True)
