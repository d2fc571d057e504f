"""``clineval app``: the Workbench as a local application."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from clineval.cli.demo import CORPORA


def app(
    folder: Annotated[
        Path,
        typer.Argument(
            help="Where files can be chosen from; the bundled demo corpora unless given.",
            show_default=False,
        ),
    ] = CORPORA,
    port: Annotated[
        int | None, typer.Option(help="Port; a free one from 7860 on unless given.")
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open it in your browser.")] = False,
) -> None:
    """Choose or upload files in a browser, and see the report there.

    It serves this computer only (127.0.0.1) and asks no other host for anything. Other users of
    this computer could open the address too, so stop it (Ctrl-C) when you are done.

    [bold]Examples[/bold]

      clineval app

      clineval app my_corpus/ --open
    """
    from clineval.report.app import launch

    # ends as Ctrl-C does, so that nothing that was written stays behind
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    launch(
        folder,
        port=port,
        open_browser=open_browser,
        announce=lambda address: typer.echo(f"serving {address} (Ctrl-C ends it)", err=True),
    )
