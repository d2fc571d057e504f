"""``clineval datasets``: list, describe and download gold standards."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clineval.base.escaping import visible
from clineval.cli import options as shared
from clineval.cli.options import (
    OUTPUT,
    argument,
    complete_metric,
    option,
    setting,
    with_options,
)
from clineval.cli.parameters import Command
from clineval.cli.terminal import WIDE, show, show_bytes

if TYPE_CHECKING:  # help must not wait for NumPy
    from clineval.evaluation.gold import Gold
    from clineval.results.challenge import Challenge
    from clineval.results.known.entries import Dataset

HELP = """List gold standards by name: their sources, and the digests that identify them.

The signature of a score names its gold standard: refs:a822d7 (pharmaconer19/demo).

[bold]Examples[/bold]

  clineval datasets

  clineval datasets --module meddocan19 --format json

  clineval datasets digest meddocan19 gold/

  clineval datasets get meddocan19/test -o meddocan/
"""


class Form(StrEnum):
    """The notations of a description."""

    table = "table"
    json = "json"
    markdown = "markdown"
    toml = "toml"


class Listing(StrEnum):
    """The notations of the list."""

    table = "table"
    json = "json"
    markdown = "markdown"


def make_app(challenge: Challenge | None) -> typer.Typer:
    """Make the group; ``digest`` gets the options of the challenge."""
    app = typer.Typer(help=HELP, rich_markup_mode="rich")
    app.callback(invoke_without_command=True)(list_datasets)
    declared = {f"Options of {challenge.name}": challenge.options} if challenge else {}
    app.command("digest", cls=Command)(with_options(digest, declared))
    app.command("get", cls=Command)(get)
    return app


def list_datasets(
    context: typer.Context,
    module: Annotated[
        str | None,
        option(None, "List only gold standards of this metric.", autocompletion=complete_metric),
    ] = None,
    format: Annotated[Listing, setting(None, "Output format.")] = Listing.table,  # noqa: A002
) -> None:
    """List all gold standards, unless a command is given."""
    if context.invoked_subcommand:
        return
    from clineval.results.known.listing import list_sheet
    from clineval.results.registry import all_challenges, find_challenge

    show(list_sheet([find_challenge(module)] if module else all_challenges()), format.value, WIDE)
    if format is Listing.table:
        typer.echo(
            "\nDigest unknown? If you have the corpus, this prints what to send in, without any "
            "text:\n  clineval datasets digest MODULE GOLD"
        )


def digest(
    module: shared.Module,
    gold: shared.Gold,
    config: shared.Config = "default",
    protocol: shared.ProtocolOption = shared.SPEC,
    format: Annotated[  # noqa: A002
        Form, setting(OUTPUT, "Output format; toml writes an entry for the list.")
    ] = Form.table,
    documents: Annotated[
        bool,
        option(
            OUTPUT, "With --format json: also write the digest of each document.", "--documents"
        ),
    ] = False,
    **options: object,
) -> None:
    """Describe a gold standard by numbers and digests that can be published, without any text.

    The digests cover offsets, codes, labels and slots. The order and the names of documents do not
    matter. Configurations and protocols that read something else have digests of their own. If you
    have a corpus that others may not see, send its digests in, so that scores can name the corpus.

    [bold]Examples[/bold]

      clineval datasets digest meddocan19 gold/

      clineval datasets digest n2c2_2018_track2 gold/ --format toml
    """
    from clineval.base.progress import tracked_by
    from clineval.cli.terminal import show_progress
    from clineval.evaluation.gold import describe_gold

    if documents and format is not Form.json:
        raise typer.BadParameter("needs --format json", param_hint="--documents")
    with tracked_by(show_progress):
        found = describe_gold(module, gold, config=config, protocol=protocol, **options)
    if format is Form.toml:
        typer.echo(_as_entry(found))
    else:
        show(found.sheet(by_document=documents), format.value, WIDE)


def _as_entry(gold: Gold) -> str:
    """Write an entry for a challenge's list, to be completed by the owner of the corpus."""
    lines = [
        "[PART]",
        *(f'{key} = ""' for key in ("about", "language", "licence", "homepage", "version")),
        'access = "agreement"  # or open',
        'source = ""  # where to get it, or whom to ask',
        f"documents = {gold.documents}",
        f"annotations = {gold.annotations}",
        "",
        "[PART.digests]",
        *(
            f'{view if "/" not in view else repr(view)} = "{of}"'
            for view, of in gold.digests.items()
        ),
    ]
    return "\n".join(lines)


def get(
    name: Annotated[str, argument("The gold standard, such as meddocan19/test.")],
    output: Annotated[
        Path | None, option(None, "A new directory for a copy.", "--output", "-o")
    ] = None,
    offline: Annotated[
        bool, option(None, "Use only earlier downloads, without the network.", "--offline")
    ] = False,
) -> None:
    """Download a gold standard from its home, check it, and print its path.

    Downloads stay in a cache folder, so that a second call needs no network. Set CLINEVAL_CACHE to
    choose the folder. 'clineval score MODULE PRED --dataset NAME' finds the gold standard there.
    The size, the SHA-256 and the digest of the annotations are checked, if they are known. Gold
    standards that require an agreement are never downloaded.

    [bold]Example[/bold]

      clineval datasets get meddocan19/test -o meddocan/
    """
    from clineval.base.progress import metered_by
    from clineval.evaluation.corpora import get_dataset

    with metered_by(show_bytes):
        gold = get_dataset(name, output, offline=offline, announce=_announce)
    typer.echo(visible(str(gold)))


def _announce(dataset: Dataset) -> None:
    """Print the licence, the terms and the source before anything is downloaded."""
    lines = [
        f"{dataset.name}: {dataset.about}",
        f"  licence: {dataset.licence or 'not known; see its home'}",
        *([f"  terms: {dataset.terms}"] if dataset.terms else []),
        *([f"  home: {dataset.homepage}"] if dataset.homepage else []),
        *(f"  from: {file.url}" for file in dataset.files),
    ]
    if not dataset.verified:
        lines.append("  unverified: we could not check this file, so its size and its SHA-256 are "
                     "unknown")  # fmt: skip
        if dataset.digests:
            lines.append("  the digest of its annotations is known and will be checked")
    for line in lines:
        typer.echo(visible(line), err=True)
