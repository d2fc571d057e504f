"""Reports of challenges of other packages count what the core counts."""

import json
from pathlib import Path

import pytest
from commands import invoke
from outside import CASES, install
from outside_cases import CASES as OF_KINDS
from outside_cases import SOURCES


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_page_shows_its_classes_and_nothing_differs(case, open_page, tmp_path):
    html = tmp_path / "report.html"
    (tmp_path / "site").mkdir()
    with install(tmp_path / "site"):
        assert invoke(["report", case.name, *case.write(tmp_path), "-o", html]).exit_code == 0
    page = open_page(html)
    assert page.evaluate("findDifferences()") == []
    assert page.evaluate("head.checks.length") == 12
    assert page.locator("#warning").is_hidden()
    names = page.locator("#statistics").inner_text()
    assert all(name in names for name in case.classes), names


@pytest.mark.parametrize("case", OF_KINDS, ids=lambda case: case.name)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_classes_relations_and_rules_have_a_page(case, open_page, tmp_path):
    """It counts again what the core counts; of a rule, whose rows are its own, nothing."""
    html = tmp_path / "report.html"
    (tmp_path / "site").mkdir()
    with install(tmp_path / "site", **SOURCES):
        assert invoke(["report", case.name, *case.write(tmp_path), "-o", html]).exit_code == 0
    page = open_page(html)
    assert page.evaluate("findDifferences()") == []
    counted = {"smoking_status": 3, "drug_effects": 6}.get(case.name, 0)
    assert page.evaluate("head.checks.length") == counted
    assert page.locator("#warning").is_hidden()
    page = open_page(html, "#doc=n0")
    assert page.locator("#document, #note, main").first.inner_text().strip()


def test_numbers_within_the_tolerance_are_not_marked(open_page, tmp_path):
    source = Path(__file__).parents[1] / "data/outside/vital_signs.py"
    records = [{"sign": "pulse", "value": 80}, {"sign": "temperature", "value": 36.6}]
    others = [{"sign": "pulse", "value": 81}, {"sign": "temperature", "value": 37.1}]
    for name, side in (("gold", records), ("found", others)):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"id": "n0", "records": side}) + "\n")
    (tmp_path / "site").mkdir()
    sides = [tmp_path / "gold.jsonl", tmp_path / "found.jsonl"]
    with install(tmp_path / "site", vital_signs=source.read_text()):
        done = invoke(["report", "vital_signs", *sides, "-o", tmp_path / "report.html"])
        assert done.exit_code == 0, done.output
    page = open_page(tmp_path / "report.html", "#doc=n0")
    page.locator("table.entries").wait_for()
    assert page.locator("table.entries u").all_inner_texts() == ["80", "81"]
    assert page.evaluate("findDifferences()") == []
