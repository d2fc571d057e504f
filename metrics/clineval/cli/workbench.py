"""``clineval app``: the Workbench as a local application."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from clineval.cli.demo import copy_corpora
from clineval.cli.options import argument


def app(
    folder: Annotated[
        Path | None,
        argument("Where files can be chosen from; the bundled demo corpora unless given."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port; a free one from 7860 on unless given."),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open it in your browser.")] = False,
) -> None:
    """Choose or upload files in a browser, and see the report there.

    It serves this computer only (127.0.0.1) and asks no other host for anything. The address that
    it prints has a token: whoever does not know it, such as another user of this computer or a web
    page elsewhere, is refused. What it writes is removed when it ends (Ctrl-C, or the terminal is
    closed).

    [bold]Examples[/bold]

      clineval app

      clineval app my_corpus/ --open
    """
    from clineval.workbench.app import launch

    with _ending_in_order():
        launch(
            folder,
            copy_demo=copy_corpora,
            port=port,
            open_browser=open_browser,
            announce=lambda address: typer.echo(f"serving {address} (Ctrl-C ends it)", err=True),
        )


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """End as Ctrl-C does when stopped or left alone, so that nothing that was written stays."""
    names = ("SIGTERM", "SIGHUP")  # the second one comes when the terminal is closed
    signals = [getattr(signal, name) for name in names if hasattr(signal, name)]

    def end(*_: object) -> None:
        for known in signals:  # a shell may send its own after the system's
            signal.signal(known, signal.SIG_IGN)
        sys.exit()

    before = {known: signal.getsignal(known) for known in signals}
    for known, handler in before.items():
        if handler is not signal.SIG_IGN:  # as nohup asks
            signal.signal(known, end)
    try:
        yield
    finally:
        for known, handler in before.items():
            if signal.getsignal(known) is end:  # none came
                signal.signal(known, handler)
