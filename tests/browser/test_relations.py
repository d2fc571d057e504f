"""A report of concepts and the relations between them."""

import pytest
from conftest import ROOT

DEMO = ROOT / "metrics" / "clineval" / "demo" / "n2c2_2018_track2"


@pytest.fixture(scope="module", params=["spec", "official"])
def report(request, make_report):
    sides = (DEMO / "gold", DEMO / "rules", DEMO / "tagger")
    asked = ("--protocol", request.param, "--text", DEMO / "text")
    return make_report("n2c2_2018_track2", *sides, *asked)


def test_the_page_counts_what_the_core_counts(report, open_page):
    page = open_page(report)
    assert page.evaluate("findDifferences()") == []
    assert page.evaluate("head.checks.length") == 24


def test_a_relation_is_shown_with_the_words_of_both_arguments(report, open_page):
    page = open_page(report, "#match=overlap&crit=both")
    page.get_by_role("button", name="Form-Drug: TP 4, show them").click()
    page.wait_for_selector("#pairs [role=option]", state="attached")
    shown = page.locator("#pairs [role=option]").all_inner_texts()
    assert len(shown) == 4
    assert "tablet … furosemide" in shown[0]
    marked = page.locator("#document-body mark[aria-current=true]").all_inner_texts()
    assert any("furosemide" in words for words in marked)
    assert any("tablet" in words for words in marked)
    assert "Form-Drug" in page.locator("#detail-body").inner_text()
