"""Serve pages of Gradio on 127.0.0.1, and store files that are uploaded to them."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from threading import Event, Thread
from types import ModuleType
from typing import TYPE_CHECKING

from clineval.base.errors import InputError
from clineval.base.files import make_directory, read_bytes, write_file

if TYPE_CHECKING:
    from gradio import Blocks
    from uvicorn import Server

HOST = "127.0.0.1"
_PORTS = range(7860, 7960)
_MOMENT = 0.05  # seconds
_PATIENCE = 1  # seconds; also for pending responses when the server is stopped


def listen(port: int | None) -> socket.socket:
    """Return a socket that listens on 127.0.0.1.

    Args:
        port: the port; 0 for any free port, None for the first free port from 7860.

    Raises:
        InputError: the port cannot be used.
    """
    wanted = [port] if port is not None else _PORTS
    for number in wanted:
        with suppress(OSError):
            return socket.create_server((HOST, number))
    problem = f"port {port} is" if port is not None else f"ports {_PORTS[0]} to {_PORTS[-1]} are"
    raise InputError(f"{problem} in use, or not allowed", remedy="Choose another with --port")


def serve(
    app: Callable[..., Awaitable[None]], bound: socket.socket, then: Callable[[], None]
) -> None:
    """Serve an ASGI application until a signal ends the program.

    The server has a thread of its own, because the main thread receives signals.

    Args:
        app: the application.
        bound: the socket.
        then: called once the server responds.

    Raises:
        RuntimeError: the application did not start.
    """
    import uvicorn

    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        log_level="critical",  # open pages at the end are not an error
        proxy_headers=False,
        timeout_graceful_shutdown=_PATIENCE,
    )
    server, ended = uvicorn.Server(config), Event()
    Thread(target=_run, args=(server, bound, ended), daemon=True).start()
    try:
        while not server.started:
            if ended.wait(_MOMENT):
                raise RuntimeError("the server did not start")
        then()
        while not ended.wait(_PATIENCE):  # every system can interrupt a wait with a timeout
            pass
    finally:
        server.should_exit = True
        ended.wait(5 * _PATIENCE)


def _run(server: Server, bound: socket.socket, ended: Event) -> None:
    try:
        server.run([bound])
    finally:
        ended.set()


def store_uploads(uploads: Sequence[str], folder: Path, *, alone: bool) -> Path:
    """Copy uploaded files to a new directory, and return the path to score.

    With ``alone``, the path is a single file if there is only one; otherwise the directory.

    Raises:
        InputError: two files have the same name, or a copy cannot be written.
    """
    names = [Path(upload).name for upload in uploads]
    if len(set(names)) < len(names):
        raise InputError("two files have the same name", remedy="Upload each document once")
    make_directory(folder)
    for upload, name in zip(uploads, names, strict=True):
        write_file(folder / name, read_bytes(upload))
    return folder / names[0] if alone and len(names) == 1 else folder


def serving_settings(gr: ModuleType) -> dict[str, object]:
    """Return Gradio's settings for a page without links to other hosts."""
    # the system's fonts, because the default theme loads fonts from another host
    theme = gr.themes.Base(font=("system-ui", "sans-serif"), font_mono=("monospace",))
    return {"ssr_mode": False, "footer_links": [], "theme": theme}


def write_notes(warnings: Sequence[str]) -> str:
    """Write warnings as HTML paragraphs."""
    return "".join(f"<p>Note: {escape(warning)}</p>" for warning in warnings)


def mark_ready(page: Blocks) -> None:
    """Set the attribute ``data-ready`` of a page's body once Gradio handles all events.

    Earlier clicks and uploads can be lost.
    """
    page.load(None, js="() => { document.body.dataset.ready = 'true'; }")
