"""The site, built once as ``make docs`` builds it, and served on this machine."""

import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from conftest import ROOT


@pytest.fixture(scope="session")
def site():
    """The folder of the site."""
    subprocess.run([sys.executable, "-m", "assembly"], cwd=ROOT / "docs", check=True)
    return ROOT / "build" / "docs" / "site"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing of it."""

    def log_message(self, *_):
        pass


@contextmanager
def _serve(folder):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="session")
def address(site):
    """Where the site is served."""
    with _serve(site) as address:
        yield address
