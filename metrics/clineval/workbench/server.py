"""An ASGI application served on 127.0.0.1 while the main thread waits."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Any

from clineval.base.errors import InputError

HOST = "127.0.0.1"
_PORTS = range(7860, 7960)
_MOMENT = 0.05  # seconds
_PATIENCE = 1  # seconds; also for answers that are on their way when the server is stopped


def listen(port: int | None) -> socket.socket:
    """Return a socket that listens on 127.0.0.1.

    ``port`` is 0 for any that is free, None for the first free one from 7860 on.

    Raises:
        InputError: no such port can be used.
    """
    wanted = [port] if port is not None else _PORTS
    for number in wanted:
        with suppress(OSError):
            return socket.create_server((HOST, number))
    problem = f"port {port} is" if port is not None else f"ports {_PORTS[0]} to {_PORTS[-1]} are"
    raise InputError(f"{problem} in use, or not allowed", remedy="Choose another with --port")


def serve(app: Any, bound: socket.socket, then: Callable[[], None]) -> None:
    """Serve an application until a signal ends the program.

    The server has a thread of its own, since signals are the main thread's.

    ``then`` is called once it answers.

    Raises:
        RuntimeError: the application did not start.
    """
    import uvicorn

    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        log_level="critical",  # pages that are still open at the end are not an error
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
        while not ended.wait(_PATIENCE):  # no system is unable to interrupt a wait that has an end
            pass
    finally:
        server.should_exit = True
        ended.wait(5 * _PATIENCE)


def _run(server: Any, bound: socket.socket, ended: Event) -> None:
    try:
        server.run([bound])
    finally:
        ended.set()
