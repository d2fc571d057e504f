"""``clineval score``: files in, a table or machine-readable scores out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.registry import NAMES

_MANY = 500


class Protocol(str, Enum):
    """Whose rules count."""

    spec = "spec"
    official = "official"


class Format(str, Enum):
    """How scores are written."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"
    clinais = "clinais"


def complete_metric(incomplete: str) -> list[str]:
    """Metric names for the shell's completion."""
    return [name for name in NAMES if name.startswith(incomplete)]


Module = Annotated[
    str,
    typer.Argument(
        help="The metric, such as semeval15_task14; see 'clineval list'.",
        autocompletion=complete_metric,
        show_default=False,
    ),
]


def score(
    module: Module,
    gold: Annotated[
        Path, typer.Argument(help="Gold standard: directory or file.", show_default=False)
    ],
    pred: Annotated[
        Path | None,
        typer.Argument(
            help="Predictions: directory or file; may be left out where one file has both.",
            show_default=False,
        ),
    ] = None,
    config: Annotated[
        str, typer.Option(help="Which part of the challenge; see 'clineval describe MODULE'.")
    ] = "default",
    protocol: Annotated[
        Protocol,
        typer.Option(help="The challenge document's definition, or the released script's."),
    ] = Protocol.spec,
    format: Annotated[Format, typer.Option(help="How to write the scores.")] = Format.table,  # noqa: A002
    per_document: Annotated[
        bool, typer.Option("--per-document", help="Also the scores of each document.")
    ] = False,
    overlap: Annotated[
        str | None,
        typer.Option(
            help="character or word: what overlapping mentions share.", show_default=False
        ),
    ] = None,
    text: Annotated[
        Path | None,
        typer.Option(help="Directory of the notes, for --overlap word.", show_default=False),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            help="share, references, or a file made by 'clineval prevalence'; for sections, "
            "clinais or a file.",
            show_default=False,
        ),
    ] = None,
    n_t: Annotated[
        int | None,
        typer.Option(
            "--n-t", help="Sections: boundaries move by less than this.", show_default=False
        ),
    ] = None,
    b_weights: Annotated[
        str | None,
        typer.Option(help="Sections: unweighted or scaled, for B.", show_default=False),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(help="Sections: all labels, with commas between them.", show_default=False),
    ] = None,
    measures: Annotated[
        str | None,
        typer.Option(
            help="Measures of trec_eval with commas between them, official, or all_trec.",
            show_default=False,
        ),
    ] = None,
    complete: Annotated[
        bool | None,
        typer.Option(
            help="Whether judged topics that a run lacks count 0, or not at all.",
            show_default=False,
        ),
    ] = None,
    relevance_level: Annotated[
        int | None,
        typer.Option(help="Lowest judgment that is relevant.", show_default=False),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            help="Directory of the records, whose lines fields may cross.", show_default=False
        ),
    ] = None,
    subset: Annotated[
        str | None, typer.Option(help="list or narrative: these entries only.", show_default=False)
    ] = None,
    evaluation_sets: Annotated[
        Path | None,
        typer.Option(
            help="JSON file: record name to A, B or C, to score each set.", show_default=False
        ),
    ] = None,
    save_counts: Annotated[
        Path | None,
        typer.Option(help="Also write the counts, as JSON, to this file.", show_default=False),
    ] = None,
) -> None:
    """Score predictions against a gold standard.

    Exit status: 0 if scored, 2 for bad input or usage.

    [bold]Examples[/bold]

      clineval score semeval15_task14 gold/ predicted/

      clineval score semeval15_task14 gold/ predicted/ --config task1 --protocol official

      clineval score semeval15_task14 gold/ predicted/ --format json | jq .scores.strict_f1

      clineval score clinais23_b2 gold.json predicted.json --format clinais
    """
    from clineval.progress import tracked_by
    from clineval.registry import find_challenge
    from clineval.report.tables import find_writer
    from clineval.scoring import count

    challenge = find_challenge(module)
    if pred is None and not challenge.one_file:
        raise typer.BadParameter("Missing argument: the predictions", param_hint="PRED")
    given: dict[str, Any] = {
        "overlap": overlap,
        "texts": text,
        "weights": weights,
        "measures": measures,
        "complete": complete,
        "relevance_level": relevance_level,
        "n_t": n_t,
        "b_weights": b_weights,
        "labels": labels and labels.split(","),
        "records": records,
        "subset": subset,
        "evaluation_sets": evaluation_sets,
    }
    options = {name: value for name, value in given.items() if value is not None}
    write = None if format is Format.table else find_writer(format.value, challenge)
    with tracked_by(show_progress):
        counts = count(
            module, pred or gold, gold, config=config, protocol=protocol.value, **options
        )
    result = counts.score()
    if save_counts:
        counts.save(save_counts)
    if write is None:
        print_to_terminal(result, per_document=per_document)
    else:
        typer.echo(write(result, per_document=per_document))


def print_to_terminal(result: Any, *, per_document: bool = False) -> None:
    """Print the tables of a score on standard output, at full width when it is no terminal."""
    from rich.console import Console

    from clineval.report.tables import WIDTH, print_score

    width = None if sys.stdout.isatty() else max(WIDTH, 240 if per_document else 0)
    print_score(Console(width=width), result, per_document=per_document)


def show_progress(items: Sequence[Any], label: str) -> Iterable[Any]:
    """A progress bar on standard error, if that is a terminal and there is much to do."""
    if len(items) < _MANY or not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, label, console=Console(stderr=True), transient=True)
