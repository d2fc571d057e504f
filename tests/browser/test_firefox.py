"""The same pages in a real Firefox; ``make test-firefox`` has Marionette, which drives it."""

import json
import shutil

import pytest
from demos import arguments_of
from needs import need
from outside import install
from outside_cases import EVERY, SOURCES
from processes import run_clineval

from clineval.results.registry import NAMES, find_challenge
from clineval.results.tables import format_value

marionette = need("marionette_driver.marionette", "firefox")
waiting = need("marionette_driver.wait", "firefox")

OUTSIDE = {case.name: case for case in EVERY}
PATIENCE = 120
"""Seconds that every wait may take."""
LISTS = """
  showTables(true);
  history.pushState = () => {};  // an address that changes this often is refused
  const number = (at) => at.textContent.match(/[0-9,]+$/)[0].replaceAll(",", "");
  const cells = () => [...document.querySelectorAll("#statistics .cell")];
  const counts = cells().filter((cell) => /^[0-9,]+$/.test(cell.textContent)).map((cell) => cell.ariaLabel);
  return counts.flatMap((label) => {
    const cell = cells().find((each) => each.ariaLabel === label);  // each click draws them anew
    if (!cell) return [];  // the row of what was chosen, which is below the others, if it is there
    cell.click();
    return [[label, number(cell), number(document.querySelector("#tab-pairs, #tab-items"))]];
  });
"""
POSITION = "document.querySelector('#position').innerText"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    """A Firefox without a window, which asks nothing of any host."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.fail("firefox is not installed (Debian: apt-get install firefox-esr)")
    preferences = {"network.proxy.type": 1, "network.proxy.socks": "127.0.0.1"}  # nobody answers
    log = str(tmp_path_factory.mktemp("firefox") / "log")
    opened = marionette.Marionette(
        port=0, bin=program, headless=True, prefs=preferences, gecko_log=log
    )
    opened.start_session()
    opened.timeout.script = PATIENCE
    yield opened
    opened.cleanup()


def run(firefox, script):
    """Run a script as the page's own."""
    return firefox.execute_script(script, sandbox=None)


def wait_until(firefox, condition):
    waiting.Wait(firefox, PATIENCE).until(lambda page: run(page, f"return {condition}"))


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory):
    with install(tmp_path_factory.mktemp("site"), **SOURCES):
        yield


@pytest.fixture(scope="module", params=[*NAMES, *OUTSIDE])
def report(request, make_report, tmp_path_factory):
    """What the command line prints, and the page, of a challenge's demo or of an outside corpus."""
    name = request.param
    if case := OUTSIDE.get(name):
        gold, system = case.write(tmp_path_factory.mktemp("corpus"))
        asked = run_clineval("score", name, gold, system, "--format", "json").stdout
        return json.loads(asked), make_report(name, gold, system)
    (system, gold), options = arguments_of(name)
    given = [word for option, path in options.items() for word in (f"--{option}", path)]
    texts = ["--no-text"] if find_challenge(name).faces.notes_apart and not given else []
    asked = run_clineval("score", name, gold, system, "--format", "json", *given).stdout
    return json.loads(asked), make_report(name, gold, system, *texts, *given)


@pytest.fixture
def page(firefox, report):
    firefox.navigate(report[1].as_uri())
    wait_until(firefox, "document.body.dataset.ready || document.body.dataset.broken")
    assert run(firefox, "return document.body.dataset.broken") is None
    return firefox


def test_the_headline_is_the_score_of_the_command_line(page, report):
    key, shown = run(page, "return document.querySelector('#headline').innerText").split()
    assert shown == format_value(report[0]["scores"][key])


def test_every_number_is_the_length_of_a_list(page):
    lists = run(page, LISTS)
    assert lists
    assert [at for at in lists if at[1] != at[2]] == []
    assert run(page, "return findDifferences()") == []


def test_a_key_leads_to_the_next_line_and_a_reload_stays_there(page):
    before = run(page, f"return {POSITION}")
    page.find_element("css selector", "body").send_keys("j")
    wait_until(page, f"{POSITION} !== {before!r}")
    after, address = run(page, f"return {POSITION}"), page.get_url()
    page.refresh()
    wait_until(page, "document.body.dataset.ready")
    assert page.get_url() == address
    assert run(page, f"return {POSITION}") == after
    assert run(page, "return document.querySelectorAll('#detail-body *').length") > 0
