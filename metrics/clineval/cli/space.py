"""``clineval space``: a metric as a Space of the HuggingFace Hub."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from clineval.base.escaping import visible
from clineval.cli.options import Module, argument, option

app = typer.Typer(
    help="Make a Space of the HuggingFace Hub that holds a metric and all that it needs.",
    no_args_is_help=True,
)


@app.command("build")
def build(module: Module, out: Annotated[Path, argument("A new directory.")]) -> None:
    """Assemble a Space: the metric, its card, a page to try it, a sample.

    [bold]Example[/bold]

      clineval space build semeval15_task14 space/
    """
    from clineval.hub.spaces import build_space

    files = build_space(module, out)
    typer.echo(
        visible(f"wrote {len(files)} files to {out}; try the page: python {out / 'app.py'}"),
        err=True,
    )


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
