"""``clineval app`` in a real Chromium: choose or upload, and see the report inside."""

import os
import re
import socket
from urllib.parse import urlsplit

import pytest
from chromium import REQUIRED, open_tab, press, serve
from conftest import ROOT

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL = CHALLENGES / "semeval15_task14" / "demo"


@pytest.fixture(scope="module")
def address(tmp_path_factory, clineval_command):
    if not REQUIRED:
        pytest.importorskip("gradio", reason="make test-browser has gradio")
    folder = tmp_path_factory.mktemp("app")
    environment = os.environ | {"TMPDIR": str(folder), "HF_HOME": str(folder)}
    command, log = [str(clineval_command), "app"], folder / "log"
    with serve(command, folder=folder, log=log, environment=environment) as address:
        yield address
    assert log.read_text() == f"serving {address} (Ctrl-C to stop)\n"
    assert not list(folder.glob("clineval-*"))  # nothing of what it wrote is left


@pytest.fixture
def page(browser, address):
    """The application, opened; no request may leave this computer."""
    hosts, errors = set(), []
    with open_tab(browser, viewport={"width": 1400, "height": 1300}) as opened:
        opened.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.goto(address)
        opened.wait_for_selector("body[data-ready]")
        yield opened
    assert hosts - {None} == {"127.0.0.1"}
    assert errors == []


def choose(page, side, name):
    field = page.locator(f"#{side}-path input").first
    field.click()
    field.press_sequentially(name)  # what is filled in at once does not filter the list
    page.locator(f"#{side}-path").get_by_role("option", name=name, exact=True).click()


def show(page, wanted="#frame iframe"):
    press(page.locator("#show"), page.locator(wanted))


def test_what_is_chosen_from_the_folder_is_shown(page):
    for side, name in (("gold", "gold"), ("system", "tagger"), ("notes", "text")):
        choose(page, side, f"semeval15_task14/{name}")
    show(page)
    report = page.frame_locator("#frame iframe")
    report.locator("body[data-ready]").wait_for()
    assert report.locator("#headline").inner_text().startswith("strict_f1 0.7158")
    assert report.locator("#warning").is_hidden()
    report.get_by_role("button", name="All: FN 96, show them").click()
    assert report.locator("#tab-pairs").inner_text() == "Items 96"
    with page.expect_download() as waiting:
        page.locator("#report").click()
    assert waiting.value.path().read_text("utf-8").startswith("<!doctype html>")


def test_three_systems_are_compared(page):
    demo = "semeval15_task14"
    for side, names in (
        ("gold", ["gold"]), ("system", ["tagger"]), ("system2", ["dictionary", "gold"])
    ):  # fmt: skip
        for name in names:
            choose(page, side, f"{demo}/{name}")
    page.locator("#with-text input").uncheck()
    show(page)
    report = page.frame_locator("#frame iframe")
    report.locator("body[data-ready]").wait_for()
    report.get_by_role("button", name="all 3 systems").click()
    rows = report.locator("#comparison tbody th")
    assert rows.all_inner_texts() == ["tagger", "dictionary", "gold"]


def test_what_is_uploaded_is_shown_without_text(page):
    for side, folder in (("gold", "gold"), ("system", "dictionary")):
        files = sorted(map(str, (SEMEVAL / folder).iterdir()))
        page.locator(f"#{side}-files input[type=file]").set_input_files(files)
        page.wait_for_function(
            "([side, n]) => document.querySelectorAll(`#${side}-files .file-preview tr.file`).length === n",
            arg=[side, len(files)],
        )
    page.locator("#with-text input").uncheck()
    show(page)
    report = page.frame_locator("#frame iframe")
    report.locator("body[data-ready]").wait_for()
    assert report.locator("#headline").inner_text().startswith("strict_f1")
    assert "no text" in report.locator("#document-body").inner_text()


def test_what_is_missing_is_said(page):
    choose(page, "gold", "semeval15_task14/gold")
    show(page, "#problem")
    assert re.match("no system. Choose", page.locator("#problem").inner_text())


def test_the_configurations_are_those_of_the_metric(page):
    field = page.locator("#module input").first
    field.click()
    field.fill("clefehealth13_task1")
    page.locator("#module").get_by_role("option", name="clefehealth13_task1").click()
    page.locator("#config input").first.click()
    options = page.locator("#config").get_by_role("option")
    options.first.wait_for()
    names = [option.get_attribute("aria-label") for option in options.all()]
    assert names == ["default", "task1a", "task1b"]


def test_it_serves_this_computer_only(address):
    port = urlsplit(address).port
    others = {i[4][0] for i in socket.getaddrinfo(socket.gethostname(), port, socket.AF_INET)}
    for host in others - {"127.0.0.1", "127.0.1.1"}:
        with socket.socket() as other:
            other.settimeout(2)
            assert other.connect_ex((host, port)) != 0
