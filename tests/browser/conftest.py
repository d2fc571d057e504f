"""A real Chromium, offline, in which no page may log an error or ask anything of any host."""

import subprocess
import sys
from pathlib import Path

import pytest

CLINEVAL = Path(sys.executable).with_name("clineval")


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
