"""A real Chromium, and programs that serve pages to it."""

import os
import re
import shutil
import subprocess
import time
from contextlib import contextmanager, suppress
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
WAIT = 120_000
"""Milliseconds that every wait may take: a busy machine is slow, and who waits less fails there."""


def _absent(what):
    message = f"{what}; see 'make test-browser'"
    if REQUIRED:
        pytest.fail(message)
    pytest.skip(message)


@contextmanager
def start_chromium():
    """A browser; the tests that need one are skipped where there is none."""
    try:
        from playwright.sync_api import expect, sync_playwright
    except ImportError:
        _absent("playwright is not installed")
    if PROGRAM is None:
        _absent("chromium is not installed")
    with sync_playwright() as playwright:
        expect.set_options(timeout=WAIT)
        launch = {"executable_path": PROGRAM, "args": list(ARGUMENTS), "timeout": WAIT}
        with playwright.chromium.launch(**launch) as chromium:
            yield chromium


@contextmanager
def open_tab(browser, **options):
    """A page in a window of its own, in which every wait is a patient one."""
    with browser.new_context(accept_downloads=True, **options) as context:
        context.set_default_timeout(WAIT)
        yield context.new_page()


def press(button, wanted):
    """Click until something is seen: a busy machine may lose a click, as it may a user's."""
    from playwright.sync_api import TimeoutError as TooLate

    for _ in range(4):
        button.click()
        with suppress(TooLate):
            return wanted.first.wait_for(timeout=WAIT / 4)
    raise AssertionError(f"{button} was clicked, and nothing came")


@contextmanager
def serve(command, *, folder, log, environment):
    """A program that serves 127.0.0.1 at a port that it finds itself; its address once it answers.

    It prints the address; what it prints goes to the file ``log``.
    """
    with log.open("w+") as said:
        process = subprocess.Popen(
            command, cwd=folder, env={**environment, "PYTHONUNBUFFERED": "1"},
            stdout=said, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            yield address_in(process, log)
        finally:
            process.terminate()
            try:
                process.wait(WAIT / 1000)
            finally:
                process.kill()


def address_in(process, log):
    """The address that a program has printed to a file, once it answers there."""
    until = time.monotonic() + WAIT / 1000
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()
        said = re.search(r"http://127\.0\.0\.1:\d+[^\s']*", log.read_text())
        try:
            if said:
                urlopen(said[0], timeout=WAIT / 1000).close()
                return f"{said[0].rstrip('/')}/"
        except OSError:
            pass
        time.sleep(0.2)
    raise AssertionError(f"nothing answers: {log.read_text()}")
