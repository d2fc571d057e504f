"""Reports of events: an argument is drawn with an arc from its trigger, and each lists the other."""

import pytest
from conftest import ROOT

DEMO = ROOT / "metrics" / "clineval" / "challenges" / "n2c2_2022_sdoh" / "demo"


@pytest.fixture(scope="module", params=["spec", "official"])
def report(request, make_report):
    asked = ("--protocol", request.param, "--text", DEMO / "text")
    return make_report("n2c2_2022_sdoh", DEMO / "gold", DEMO / "tagger", *asked)


def test_the_page_counts_what_the_core_counts(report, open_page, expect):
    page = open_page(report)
    assert page.evaluate("findDifferences()") == []
    checked = page.evaluate("head.checks.map(({ key }) => key)")
    assert {"overall_f1", "trigger_f1", "labelled_f1", "span_f1", "tobacco_trigger_tp"} <= {
        *checked
    }
    scores = page.evaluate("head.systems[0].scores")
    expect(page.locator("#headline")).to_have_text(f"overall_f1 {scores['overall_f1']:.4f}")


def test_arguments_have_arcs_from_their_triggers(report, open_page):
    page = open_page(report, "#doc=demo-002&match=overlap&crit=both")
    arcs = page.evaluate(
        "current.panes[0].arcs.map(({ label, source, target }) => [label, source, target])"
    )
    assert ["TypeLiving", 4, 10] in arcs
    drawn = (
        "[...document.querySelectorAll('#document-body g.relation')].map((arc) => arc.dataset.key)"
    )
    wanted = page.evaluate("current.panes.flatMap(({ arcs }) => arcs.map(({ key }) => key))")
    assert wanted
    assert set(page.evaluate(drawn)) == set(wanted)
    page.evaluate(
        "change({ m: current.panes[0].arcs.find(({ label }) => label === 'TypeLiving').key })"
    )
    trigger = page.locator("#detail-body tr", has=page.get_by_role("rowheader", name="event"))
    assert "LivingStatus ← lives" in trigger.last.inner_text()


def test_the_detail_of_a_trigger_lists_its_arguments(report, open_page, expect):
    page = open_page(report, "#doc=demo-002&match=overlap&crit=both&m=g0")
    rows = page.locator("#detail-body tr", has=page.get_by_role("rowheader", name="argument"))
    expect(rows.first).to_contain_text("with her sister")  # once the text is unpacked
    assert "its arguments differ" in page.locator("#detail-body .summary").inner_text()
    page.get_by_role("button", name="TypeLiving → with her sister").click()
    expect(page.locator("#detail-body .fields")).to_contain_text("LivingStatus ← lives")
    assert "event" in page.locator("#slots").inner_text()
