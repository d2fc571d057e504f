"""``clineval datasets``: list, describe and download gold standards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clineval.base.errors import agree
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
from clineval.cli.terminal import WIDE, show

if TYPE_CHECKING:  # help must not wait for NumPy
    from clineval.evaluation.gold import Gold
    from clineval.results.challenge import Challenge
    from clineval.results.known.entries import Dataset, RemoteFile
    from clineval.results.known.published import Collection

HELP = """List gold standards by name: their sources, and the digests that identify them.

The signature of a score names its gold standard: refs:a822d7 (pharmaconer19/demo).

[bold]Examples[/bold]

  clineval datasets

  clineval datasets --module meddocan19 --format json

  clineval datasets digest meddocan19 gold/

  clineval datasets get meddocan19/test -o meddocan/

  clineval datasets --systems

  clineval datasets get ehealthkd20/test-scenario1 --systems
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
    systems: Annotated[
        bool,
        option(None, "List published results of systems and their outputs instead.", "--systems"),
    ] = False,
    format: Annotated[Listing, setting(None, "Output format.")] = Listing.table,  # noqa: A002
) -> None:
    """List all gold standards, unless a command is given."""
    if context.invoked_subcommand:
        return
    if systems:
        _list_systems(module, format)
        return
    from clineval.results.known.listing import list_sheet
    from clineval.results.registry import all_challenges, find_challenge

    show(list_sheet([find_challenge(module)] if module else all_challenges()), format.value, WIDE)
    if format is Listing.table:
        typer.echo(
            "\nDigest unknown? If you have the corpus, this prints what to send in, without any "
            "text:\n  clineval datasets digest MODULE GOLD"
        )


def _list_systems(module: str | None, notation: Listing) -> None:
    from clineval.results.known.published_listing import list_outputs
    from clineval.results.registry import all_challenges, find_challenge

    challenges = [find_challenge(module)] if module else all_challenges()
    show(list_outputs(challenges), notation.value, WIDE)


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
    from clineval.evaluation.gold import describe_gold

    if documents and format is not Form.json:
        raise typer.BadParameter("needs --format json", param_hint="--documents")
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
    name: Annotated[
        str,
        argument(
            "The gold standard, such as meddocan19/test; with --systems also a collection of "
            "outputs, such as ehealthkd20/ehealthkd-2019.",
            metavar="SET",
            autocompletion=complete_dataset,
        ),
    ],
    output: Annotated[
        Path | None, option(None, "A new directory for a copy.", "--output", "-o")
    ] = None,
    systems: Annotated[
        bool,
        option(
            None,
            "Download the published outputs of systems instead, and print NAME=PATH for each.",
            "--systems",
        ),
    ] = False,
    offline: Annotated[
        bool, option(None, "Use only earlier downloads, without the network.", "--offline")
    ] = False,
) -> None:
    """Download a gold standard from its home, check it, and print its path.

    Downloads stay in a cache folder, so that a second call needs no network. Set CLINEVAL_CACHE to
    choose the folder. 'clineval score MODULE PRED --dataset NAME' finds the gold standard there.
    The size, the SHA-256 and the digest of the annotations are checked, if they are known. Gold
    standards that require an agreement are never downloaded, nor are outputs without a licence.
    'clineval reproduce' computes the published results again from the outputs of --systems.

    [bold]Examples[/bold]

      clineval datasets get meddocan19/test -o meddocan/

      clineval datasets get ehealthkd20/test-scenario2 --systems
    """
    from clineval.evaluation.corpora import get_dataset
    from clineval.evaluation.outputs import get_outputs

    if systems:
        outputs = get_outputs(
            name, output, offline=offline, announce=_announce_outputs, record=_record
        )
        lines = [f"{system}={path}" for system, path in outputs.items()]
    else:
        gold = get_dataset(name, output, offline=offline, announce=_announce, record=_record)
        lines = [str(gold)]
    for line in lines:
        typer.echo(visible(line))


def complete_dataset(context: typer.Context, incomplete: str) -> list[str]:
    """List the names of gold standards for the shell's completion, or of sets of outputs."""
    from clineval.results.known.names import list_datasets
    from clineval.results.known.published import list_published, list_sets
    from clineval.results.registry import find_challenge, is_known

    module, slash, _ = incomplete.partition("/")
    if not slash or not is_known(module):
        return [f"{name}/" for name in complete_metric(incomplete)]
    challenge = find_challenge(module)
    systems = context.params.get("systems")
    sets = list_sets(list_published(challenge)) if systems else []
    names = [f"{module}/{part}" for part in sets] or [of.name for of in list_datasets(challenge)]
    return [name for name in names if name.startswith(incomplete)]


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
    _tell(lines)


def _announce_outputs(collection: Collection, files: Sequence[RemoteFile]) -> None:
    """Print the licence and the source of outputs before anything is downloaded."""
    from clineval.results.known.names import find_dataset

    sources = {file.url for file in files} if len(files) == 1 else {collection.address}
    datasets = [of.dataset for of in collection.rankings if of.dataset]
    terms = {find_dataset(f"{collection.module}/{of}").terms for of in datasets}
    size = sum(file.size or 0 for file in files)
    number = agree("{n} {file|files}", len(files))
    lines = [
        f"{collection.name}: outputs of systems, {number}, {size / 1e6:.1f} MB or more",
        f"  licence: {collection.licence}",
        *(f"  terms: {of}" for of in sorted(terms - {""})),
        f"  home: {collection.home}",
        *(f"  from: {source}" for source in sources),
    ]
    if unverified := sum(not file.verified for file in files):
        counted = agree("{n} {file|files}", unverified)
        lines.append(f"  unverified: we could not check {counted}, so size and SHA-256 are unknown")
    _tell(lines)


def _record(file: RemoteFile) -> None:
    """Print what a list needs to verify a file from now on."""
    facts = f"{file.url}, size {file.size}, SHA-256 {file.sha256}"
    please = "Please report both numbers, so that later downloads can be checked"
    _tell([f"  downloaded without a check: {facts}. {please}"])


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(visible(line), err=True)
