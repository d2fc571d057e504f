"""A real Chromium, offline, in which no page may log an error or ask anything of any host."""

import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from chromium import open_tab
from processes import run_clineval

CLINEVAL = Path(sys.executable).with_name("clineval")
IS_DRAWN = """() => {
  const text = (id) => document.getElementById(id).textContent;
  const { broken, ready } = document.body.dataset;
  const drawn = document.getElementById("document-body").dataset.document;
  return broken || (ready && ["", drawn].includes(text("document-name")));
}"""
"""Whether a page shows the document that it names: it unpacks the text first."""
PREFER_TABLES = """
try { localStorage["clineval panes"] ??= '{"tables": true}'; } catch {}"""
"""A reader who has chosen tables: most tests compare the numbers of all columns."""
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""What a page draws after a change of size, its curves for one, comes with the frame of the change."""
IS_SEEN = """
(wanted) => Object.entries(wanted).every(([name, value]) => String(view[name]) === value)"""


@pytest.fixture
def open_page(browser):
    """Open a report; at the end nothing may have been logged or asked for."""
    complaints = []

    def complain_of_request(request):
        if not request.url.startswith(("file:", "blob:", "data:")):
            complaints.append(f"request: {request.url}")

    def open_page(path, address="", *, width=1280, height=800, scheme="light", pictures=False):  # noqa: PLR0913
        size = {"width": width, "height": height}
        page = tabs.enter_context(
            open_tab(browser, offline=True, viewport=size, color_scheme=scheme)
        )
        if not pictures:
            page.add_init_script(PREFER_TABLES)
        page.on("request", complain_of_request)
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on(
            "console",
            lambda m: complaints.append(f"console: {m.text}") if m.type == "error" else None,
        )
        page.goto(Path(path).resolve().as_uri() + address)
        page.wait_for_function(IS_DRAWN)
        return page

    open_page.complaints = complaints
    with ExitStack() as tabs:
        yield open_page
    assert complaints == []


@pytest.fixture
def wait_until_drawn():
    """Wait until a page shows the document that it names, curves and all."""

    def wait_until_drawn(page):
        page.wait_for_function(IS_DRAWN)
        page.evaluate(NEXT_FRAME)

    return wait_until_drawn


@pytest.fixture
def go_to(wait_until_drawn):
    """Change the address of a report, such as ``doc=a.txt&show=gold``."""

    def go_to(page, **wanted):
        address = "&".join(f"{name}={value}" for name, value in wanted.items())
        page.goto(f"{page.url.split('#')[0]}#{address}")
        page.wait_for_function(IS_SEEN, arg=wanted)
        wait_until_drawn(page)

    return go_to


@pytest.fixture
def expect(browser):  # noqa: ARG001 - it says whether there is playwright
    """What waits until a page is as it should be."""
    from playwright.sync_api import expect

    return expect


@pytest.fixture(scope="session")
def clineval_command():
    """The installed program."""
    return CLINEVAL


@pytest.fixture(scope="session")
def make_report(tmp_path_factory):
    """Run the installed ``clineval report``; returns the page's path."""

    def make_report(*arguments):
        path = tmp_path_factory.mktemp("report") / "report.html"
        run_clineval("report", *arguments, "--output", path)
        return path

    return make_report
