"""A real Chromium, and programs that serve pages to it."""

import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from urllib.request import urlopen

import pytest

PROGRAM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
REQUIRED = os.environ.get("CLINEVAL_BROWSER") == "required"
"""Set by the make targets that have a browser, where nothing may be skipped."""


def _absent(what):
    message = f"{what}; see 'make test-browser'"
    if REQUIRED:
        pytest.fail(message)
    pytest.skip(message)


@contextmanager
def start_chromium():
    """A browser; the tests that need one are skipped where there is none."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _absent("playwright is not installed")
    if PROGRAM is None:
        _absent("chromium is not installed")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=PROGRAM, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


def find_port():
    """A port that is free."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextmanager
def serve(command, port, *, folder, log, environment):
    """A program that serves 127.0.0.1, running; its address, once it answers.

    What it prints goes to the file ``log``.
    """
    address = f"http://127.0.0.1:{port}/"
    with log.open("w+") as said:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=said, stderr=subprocess.STDOUT
        )
        try:
            _wait(process, address, log)
            yield address
        finally:
            process.terminate()
            try:
                process.wait(30)
            finally:
                process.kill()


def _wait(process, address, log):
    for _ in range(240):
        assert process.poll() is None, log.read_text()
        try:
            urlopen(address, timeout=2).close()
        except OSError:
            time.sleep(0.5)
        else:
            return
    raise AssertionError(f"nothing answers: {log.read_text()}")
