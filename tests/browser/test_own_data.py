"""Reports of the modules for a user's own data: every number is a list, and is counted again."""

import json

import pytest
from demos import arguments_of
from processes import run_clineval

from clineval.results.registry import find_challenge
from clineval.results.tables import format_value

NAMES = (
    "clinical_spans",
    "clinical_relations",
    "clinical_codes",
    "clinical_records",
    "clinical_events",
    "clinical_classes",
    "n2c2_2018_track1",
    "i2b2_2006_smoking",
    "i2b2_2008_obesity",
    "icd_coding",
)
LISTS = """() => {
  history.pushState = () => {};  // an address that changes this often is refused
  const number = (at) => Number(at.textContent.match(/[0-9,]+$/)[0].replaceAll(",", ""));
  const cells = () => [...document.querySelectorAll("#statistics .cell")];
  const found = [];
  for (const by of head.groupings) {
    change({ ...NO_FILTER, by });
    for (let at = 0; at < cells().length; at++) {
      const cell = cells()[at];
      if (!/^[0-9,]+$/.test(cell.textContent)) continue;
      const told = [by, cell.ariaLabel, number(cell)];
      cell.click();
      found.push([...told, number(document.querySelector("#tab-pairs, #tab-items"))]);
      change({ ...NO_FILTER, by });
    }
  }
  return found;
}"""


@pytest.fixture(scope="module", params=NAMES)
def report(request, make_report):
    """What the command line prints, and the page, of a demo."""
    name = request.param
    (system, gold), options = arguments_of(name)
    words = [word for option, path in options.items() for word in (f"--{option}", path)]
    asked = run_clineval("score", name, gold, system, "--format", "json", *words).stdout
    other = arguments_of(name, 1)[0][0]
    text = find_challenge(name).task.corpora / "text"
    words += ("--text", text) if text.is_dir() else ()
    return json.loads(asked)["scores"], make_report(name, gold, system, other, *words)


@pytest.fixture
def page(report, open_page):
    return open_page(report[1])


def test_the_headline_is_the_score_of_the_command_line(page, report):
    key, shown = page.locator("#headline").inner_text().split()
    assert shown == format_value(report[0][key])
    assert page.evaluate("findDifferences()") == []
    assert page.evaluate("head.checks.length") > 2
    assert page.locator("#warning").is_hidden()


def test_every_number_is_the_length_of_a_list(page):
    lists = page.evaluate(LISTS)
    assert len(lists) > 10
    assert [row for row in lists if row[2] != row[3]] == []


def test_keys_step_through_the_list_and_a_reload_stays(page, open_page, expect):
    page.keyboard.press("j")
    position = page.locator("#position").inner_text()
    page.keyboard.press("j")
    expect(page.locator("#position")).not_to_have_text(position)
    position = page.locator("#position").inner_text()
    name = page.locator("#document-name").inner_text()
    path, address = page.url.removeprefix("file://").split("#")
    again = open_page(path, f"#{address}")
    expect(again.locator("#position")).to_have_text(position)
    expect(again.locator("#document-name")).to_have_text(name)
    assert again.locator("#detail-body *").count() > 0


def test_the_other_system_has_its_own_errors(page):
    page.keyboard.press("x")
    assert page.locator("#system").input_value() == "1"
    assert page.evaluate("findDifferences()") == []


def test_a_wrong_type_of_a_relation_is_another_label(make_report, open_page, expect):
    (system, gold), _ = arguments_of("clinical_relations")
    page = open_page(make_report("clinical_relations", gold, system, "--no-text"))
    page.locator("#reports .chip, #filters .chip, .chip", has_text="type 2").first.click()
    expect(page.locator("#detail-body tr", has_text="CAUSES")).to_contain_text("another label")
