"""Reports of tags of whole records: times and indicators, and the notes inside the XML."""

import json

import pytest
from conftest import ROOT

import clineval

NAME = "i2b2_2014_risk"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"


@pytest.fixture(scope="module", params=["spec", "official"])
def report(request, make_report):
    sides = (DEMO / side for side in ("gold", "model", "rules"))
    return request.param, make_report(NAME, *sides, "--protocol", request.param)


def test_the_page_counts_what_the_core_counts(report, open_page, expect):
    protocol, path = report
    page = open_page(path)
    assert page.evaluate("findDifferences()") == []
    expected = clineval.score(NAME, DEMO / "model", DEMO / "gold", protocol=protocol)
    shown = page.locator("#headline")
    expect(shown).to_contain_text(f"micro_f1 {expected['micro_f1']:.4f}")
    checked = {*page.evaluate("head.checks.map(({ key }) => key)")}
    assert {"micro_tp", "micro_fp", "micro_fn"} <= checked


def test_a_cell_leads_to_the_tags_and_to_their_note(report, open_page, expect):
    protocol, path = report
    page = open_page(path)
    counts = clineval.score(NAME, DEMO / "model", DEMO / "gold", protocol=protocol)
    row = page.locator("#statistics tr", has_text="MEDICATION")
    gold = counts["medication_tp"] + counts["medication_fn"]
    assert row.locator(".cell").first.inner_text() == str(gold)
    cell = row.locator(".cell").nth(2)
    assert cell.inner_text() == str(counts["medication_tp"])
    cell.click()
    expect(page.locator("#position")).to_have_text(f"item 1 of {counts['medication_tp']}")
    fields = page.locator("#detail-body").inner_text()
    for word in ("medication", "time", "indicator", " dct"):
        assert word in fields.lower(), word
    expect(page.locator("#document-pane")).to_contain_text("Record date")


def test_a_page_without_text_shows_no_word_of_a_note(open_page, make_report):
    path = make_report(NAME, DEMO / "gold", DEMO / "model", "--no-text")
    page = open_page(path)
    held = json.dumps(page.evaluate("unpackJson('tables')"), ensure_ascii=False)
    assert "before DCT" in held
    assert "Record date" not in held + path.read_text("utf-8")
    assert page.locator("#document-body").inner_text()
