"""A report, or an item, opens where the mouse rests on its row; a setting switches that off."""

import pytest
from conftest import ROOT

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL, CLINAIS = CHALLENGES / "semeval15_task14" / "demo", CHALLENGES / "clinais23_b2" / "demo"
REST = 300
"""Milliseconds, as the page has them."""
OPEN = "() => corpus.documents[current.document]"


@pytest.fixture(scope="module")
def reports(make_report):
    mentions = (SEMEVAL / "gold", SEMEVAL / "tagger", "--text", SEMEVAL / "text")
    return {
        "mentions": make_report("semeval15_task14", *mentions),
        "sections": make_report("clinais23_b2", CLINAIS / "gold.json", CLINAIS / "tagger.json"),
    }


def stop_the_clock(page):
    """From now on time passes in the page only as a test says."""
    page.clock.install(time=0)
    page.clock.pause_at(1000)


def rest_on(page, row, box="#reports"):
    """Move the mouse to a row of a list."""
    find = "(row) => [row.getBoundingClientRect().x, row.getBoundingClientRect().y]"
    x, y = page.locator(f"{box} [aria-posinset='{row}']").evaluate(find)
    page.mouse.move(x + 20, y + 12, steps=2)


@pytest.mark.parametrize("view", ["mentions", "sections"])
def test_a_report_opens_after_a_short_while(view, reports, open_page):
    page = open_page(reports[view])
    stop_the_clock(page)
    listed = page.evaluate("current.order.slice(0, 4).map((d) => corpus.documents[d])")
    entries = page.evaluate("history.length")
    rest_on(page, 2)
    page.clock.run_for(REST - 1)
    rest_on(page, 3)  # what is only crossed does not open
    page.clock.run_for(REST - 1)
    assert page.evaluate(OPEN) == listed[0]
    page.clock.run_for(1)
    assert page.evaluate(OPEN) == listed[2]
    assert page.evaluate("history.length") == entries
    chosen = page.evaluate("view.m")
    page.mouse.move(0, 0)
    rest_on(page, 3)  # what is open stays as it is
    page.clock.run_for(REST)
    assert page.evaluate("[view.m, corpus.documents[current.document]]") == [chosen, listed[2]]


def test_an_item_opens_with_its_detail(reports, open_page):
    page = open_page(reports["mentions"], "#tab=pairs")
    stop_the_clock(page)
    rest_on(page, 3, "#pairs")
    page.clock.run_for(REST)
    assert page.evaluate("current.pair") == 2
    assert page.locator("#detail-body .fields").count() == 1


def test_a_comment_that_is_being_written_is_not_lost(reports, open_page):
    page = open_page(reports["mentions"])
    stop_the_clock(page)
    page.get_by_label("Comment").focus()
    page.keyboard.type("half a com")
    before = page.evaluate(OPEN)
    rest_on(page, 3)
    page.clock.run_for(2 * REST)
    assert page.evaluate(OPEN) == before
    assert page.get_by_label("Comment").input_value() == "half a com"


def test_hovering_can_be_switched_off_and_stays_off(reports, open_page):
    page = open_page(reports["mentions"])
    page.keyboard.press("?")
    page.get_by_label("hovering over a report").uncheck()
    page.keyboard.press("Escape")
    for _ in range(2):
        stop_the_clock(page)
        before = page.evaluate(OPEN)
        rest_on(page, 3)
        page.clock.run_for(2 * REST)
        assert page.evaluate(OPEN) == before
        page.mouse.move(0, 0)
        page.reload()
        page.wait_for_function("() => document.body.dataset.ready")


def test_where_it_is_switched_off_the_key_ctrl_opens(reports, open_page):
    """As the Workbench's MouseCtrl had it; also where the mouse rests before the key is pressed."""
    page = open_page(reports["mentions"])
    page.keyboard.press("?")
    page.get_by_label("hovering over a report").uncheck()
    page.keyboard.press("Escape")
    stop_the_clock(page)
    listed = page.evaluate("current.order.slice(0, 4).map((d) => corpus.documents[d])")
    page.keyboard.down("Control")
    rest_on(page, 3)
    page.clock.run_for(REST)
    assert page.evaluate(OPEN) == listed[2]
    page.keyboard.up("Control")
    rest_on(page, 4)
    page.clock.run_for(2 * REST)
    assert page.evaluate(OPEN) == listed[2]
    page.keyboard.down("Control")
    page.clock.run_for(REST)
    assert page.evaluate(OPEN) == listed[3]
    page.keyboard.up("Control")
