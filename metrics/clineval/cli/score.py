"""``clineval score``: files in, a table or machine-readable scores out."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.cli.options import Interval, Resamples, Seed, with_options_of_challenges
from clineval.errors import InputError
from clineval.registry import NAMES

_MANY = 500
_WIDE = 240


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


class Notation(str, Enum):
    """How anything but scores is written."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


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


@with_options_of_challenges
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
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write to this file instead of printing.", show_default=False
        ),
    ] = None,
    per_document: Annotated[
        bool, typer.Option("--per-document", help="Also the scores of each document.")
    ] = False,
    by: Annotated[
        str | None,
        typer.Option(
            help="The scores of groups instead: document, slot:NAME (such as slot:negation), "
            "code, label, field, length, fragments, seen (codes, with --train), or section (with "
            "--sections). What has no "
            "gold mention is in the group of the predicted one.",
            show_default=False,
        ),
    ] = None,
    train: Annotated[
        Path | None,
        typer.Option(
            help="Gold standard of the training corpus, for --by seen.", show_default=False
        ),
    ] = None,
    sections: Annotated[
        Path | None,
        typer.Option(
            help="For --by section: lines of JSON, an object with id and sections for each note; "
            "a section has start, end and label.",
            show_default=False,
        ),
    ] = None,
    confidence: Annotated[
        float | None,
        typer.Option(
            help="Also intervals that hold the true score with this probability, such as 0.95.",
            show_default=False,
        ),
    ] = None,
    n_resamples: Resamples = 1000,
    seed: Seed = 12345,
    interval: Interval = "percentile",
    plot: Annotated[
        Path | None,
        typer.Option(
            help="Sections: draw the edits of a note to a .png or .svg file; with --document.",
            show_default=False,
        ),
    ] = None,
    document: Annotated[
        str | None, typer.Option(help="The note that --plot draws.", show_default=False)
    ] = None,
    save_counts: Annotated[
        Path | None,
        typer.Option(help="Also write the counts, as JSON, to this file.", show_default=False),
    ] = None,
    **options: Any,
) -> None:
    """Score predictions against a gold standard.

    Exit status: 0 if scored, 2 for bad input or usage.

    [bold]Examples[/bold]

      clineval score semeval15_task14 gold/ predicted/

      clineval score semeval15_task14 gold/ predicted/ --config task1 --protocol official

      clineval score semeval15_task14 gold/ predicted/ --format json | jq .scores.strict_f1

      clineval score semeval15_task14 gold/ predicted/ --format json -o result.json

      clineval score semeval15_task14 gold/ predicted/ --confidence 0.95

      clineval score semeval15_task14 gold/ predicted/ --by slot:negation

      clineval score clinais23_b2 gold.json predicted.json --format clinais
    """
    from clineval.progress import tracked_by
    from clineval.registry import find_challenge
    from clineval.report.tables import find_writer
    from clineval.scoring import count

    challenge = find_challenge(module)
    if pred is None and not challenge.one_file:
        raise typer.BadParameter("Missing argument: the predictions", param_hint="PRED")
    if by and (confidence or per_document):
        raise typer.BadParameter("takes neither --confidence nor --per-document", param_hint="--by")
    write = None if format is Format.table else find_writer(format.value, challenge)
    with tracked_by(show_progress):
        counts = count(
            module, pred or gold, gold, config=config, protocol=protocol.value, **options
        )
        result = counts.score(
            confidence=confidence, n_resamples=n_resamples, seed=seed, interval=interval
        )
        _ = result.intervals  # now, while their progress is shown
    if save_counts:
        counts.save(save_counts)
    if plot:
        from clineval.report import plots

        plots.save(plots.plot_edits(result, document or counts.documents[0]), plot)
    with _printing_to(output):
        if by:
            arguments = {"config": config, "protocol": protocol.value, **options}
            _write_groups(result, by, format, (pred or gold, gold), (train, sections), arguments)
        elif write is None:
            print_to_terminal(result, per_document=per_document)
        else:
            typer.echo(write(result, per_document=per_document))


@contextmanager
def _printing_to(path: Path | None) -> Iterator[None]:
    """What is printed goes to a file, which is not touched if there is an error before."""
    printed = io.StringIO()
    with redirect_stdout(printed) if path else nullcontext():
        yield
    if path:
        try:
            path.write_text(printed.getvalue(), "utf-8", newline="\n")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from None


def _write_groups(
    score: Any,
    by: str,
    notation: Format,
    sides: tuple[Path, Path],
    more: tuple[Path | None, Path | None],
    arguments: dict[str, Any],
) -> None:
    """Print the scores of groups in place of those of the whole."""
    from clineval.analysis.breakdown import break_down
    from clineval.analysis.outcomes import find_outcomes
    from clineval.formats.section_lines import read_sections
    from clineval.registry import check_name
    from clineval.report.breakdowns import WRITERS, print_breakdown

    check_name("format of groups", notation.value, ("table", *WRITERS))
    outcomes = find_outcomes(score.metric, *sides, **arguments)
    train, sections = more
    seen = find_outcomes(score.metric, train, train, **arguments) if train else None
    of_notes = read_sections(sections) if sections else None
    breakdown = break_down(outcomes, by, train=seen, sections=of_notes)
    if notation is Format.table:
        print_breakdown(console_of(_WIDE), breakdown, str(score.signature))
    else:
        typer.echo(WRITERS[notation.value](breakdown, str(score.signature)))


def print_to_terminal(result: Any, *, per_document: bool = False) -> None:
    """Print the tables of a score on standard output."""
    from clineval.report.tables import print_score

    print_score(console_of(_WIDE if per_document else 0), result, per_document=per_document)


def console_of(least: int = 0) -> Any:
    """A rich console on standard output; at full width when that is no terminal."""
    from rich.console import Console

    from clineval.report.tables import WIDTH

    return Console(width=None if sys.stdout.isatty() else max(WIDTH, least))


def show_progress(items: Sequence[Any], label: str) -> Iterable[Any]:
    """A progress bar on standard error, if that is a terminal and there is much to do."""
    if len(items) < _MANY or not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, label, console=Console(stderr=True), transient=True)


def name_systems(systems: Sequence[Path]) -> Sequence[str]:
    """Names for systems: the last parts of the paths if they differ, otherwise the whole paths."""
    for names in ([path.stem for path in systems], [path.name for path in systems]):
        if len(set(names)) == len(names):
            return names
    paths = [str(path) for path in systems]
    if len(set(paths)) < len(paths):
        raise typer.BadParameter("a path is given twice", param_hint="paths")
    return paths
