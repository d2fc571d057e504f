"""Reports of challenges of other packages count what the core counts."""

import json
from pathlib import Path

import pytest
from commands import invoke
from corrected import correct, export
from outside import CASES, install
from outside_cases import EVERY, SOURCES

import clineval

OF_KINDS = {case.name: case for case in EVERY}


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


MAIN = {
    "smoking_status": "micro_f1", "drug_effects": "relations_f1", "time_lines": "system_f1",
    "event_order": "links_as_written_f1", "shared_words": "credit_f1", "ward_codes": "micro_f1",
}  # fmt: skip
SCORES = {
    "drug_effects": 2 / 5, "event_order": 2 / 7, "shared_words": 2 * (8 / 11 + 1) / (3 + 6), "ward_codes": 4 / 9,
}  # fmt: skip
"""Those that the cases do not have."""


@pytest.mark.parametrize("case", EVERY, ids=lambda case: case.name)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_classes_relations_codes_and_rules_have_a_page(case, open_page, tmp_path):
    """It counts again what the core counts; of a rule, whose rows are its own, nothing."""
    html = tmp_path / "report.html"
    (tmp_path / "site").mkdir()
    with install(tmp_path / "site", **SOURCES):
        assert invoke(["report", case.name, *case.write(tmp_path), "-o", html]).exit_code == 0
    page = open_page(html)
    assert page.evaluate("findDifferences()") == []
    counted = {"smoking_status": 3, "drug_effects": 6, "event_order": 6, "ward_codes": 3}.get(
        case.name, 0
    )
    assert page.evaluate("head.checks.length") == counted
    assert page.locator("#warning").is_hidden()
    main = MAIN[case.name]
    value = case.scores.get(main, SCORES.get(case.name))
    assert page.locator("#headline").inner_text() == f"{main} {value:.4f}"
    page = open_page(html, "#doc=n0")
    assert page.locator("#document, #note, main").first.inner_text().strip()


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_a_decision_of_the_page_of_a_rule_is_followed(open_page, tmp_path):
    case = OF_KINDS["shared_words"]
    gold, found = case.write(tmp_path)
    (tmp_path / "site").mkdir()
    with install(tmp_path / "site", **SOURCES):
        report = ["report", case.name, gold, found, "-o", tmp_path / "report.html"]
        assert invoke(report).exit_code == 0
        page = open_page(tmp_path / "report.html")
        page.evaluate("change({ doc: 'n1', m: 'g0' })")
        page.locator("[data-decision='gold wrong']").click()
        remarks = export(page, "Remarks, JSON", tmp_path / "remarks.json")
        done = invoke(["adjudicate", gold, remarks, "-o", tmp_path / "new", "--format", "json"])
        assert [change["before"] for change in json.loads(done.stdout)["changes"]]
        assert correct(page, gold, tmp_path / "page") == {
            gold.name: (tmp_path / "new" / gold.name).read_bytes()
        }
        score = clineval.score(case.name, found, tmp_path / "new" / gold.name)
    assert score["credit_recall"] == pytest.approx((8 / 11 + 1) / 5)


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
