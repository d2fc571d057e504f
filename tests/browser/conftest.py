"""A real Chromium, offline, in which no page may log an error or ask anything of any host."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
CLINEVAL = Path(sys.executable).with_name("clineval")


def _absent(what):
    message = f"{what}; see 'make test-browser'"
    if os.environ.get("CLINEVAL_BROWSER") == "required":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _absent("playwright is not installed")
    if CHROMIUM is None:
        _absent("chromium is not installed")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser):
    """Open a report; at the end nothing may have been logged or asked for."""
    contexts, complaints = [], []

    def complain_of_request(request):
        if not request.url.startswith(("file:", "blob:", "data:")):
            complaints.append(f"request: {request.url}")

    def open_page(path, address="", *, width=1280, height=800, scheme="light"):
        context = browser.new_context(
            offline=True,
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            accept_downloads=True,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("request", complain_of_request)
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on(
            "console",
            lambda m: complaints.append(f"console: {m.text}") if m.type == "error" else None,
        )
        page.goto(Path(path).resolve().as_uri() + address)
        page.wait_for_selector("body[data-ready], body[data-broken]")
        return page

    open_page.complaints = complaints
    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def clineval_command():
    """The installed program."""
    return CLINEVAL


@pytest.fixture(scope="session")
def make_report(tmp_path_factory):
    """Run the installed ``clineval report``; returns the page's path."""

    def make_report(*arguments):
        path = tmp_path_factory.mktemp("report") / "report.html"
        command = [str(CLINEVAL), "report", *map(str, arguments), "--output", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return path

    return make_report
