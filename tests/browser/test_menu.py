"""The menu closes as menus do, and copies what a paper or a colleague needs."""

import json
import re

import pytest
from conftest import ROOT
from processes import run_clineval

from clineval.results.registry import find_challenge

SEMEVAL = ROOT / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo"
SIDES = SEMEVAL / "gold", SEMEVAL / "tagger"


@pytest.fixture(scope="module")
def report(make_report):
    return make_report("semeval15_task14", *SIDES, "--no-text")


@pytest.fixture
def menu(report, open_page):
    page = open_page(report, "#match=overlap&crit=span&sys=0")
    page.locator(".menu summary").click()
    assert page.locator(".menu").evaluate("(menu) => menu.open")
    return page


def is_open(page):
    return page.locator(".menu").evaluate("(menu) => menu.open")


def test_escape_closes_the_menu_and_gives_the_focus_back(menu, expect):
    menu.locator(".menu button").first.focus()
    menu.keyboard.press("Escape")
    assert not is_open(menu)
    expect(menu.locator(".menu summary")).to_be_focused()
    menu.keyboard.press("?")
    expect(menu.locator("#help")).to_be_visible()


def test_pressing_elsewhere_closes_the_menu(menu):
    menu.locator("#document-title").click()
    assert not is_open(menu)


def test_leaving_the_menu_with_the_tab_key_closes_it(menu):
    for _ in range(menu.locator(".menu button").count() + 1):
        assert is_open(menu)
        menu.keyboard.press("Tab")
    assert not is_open(menu)


def copied(page, name):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=name).click()
    page.wait_for_function("() => document.getElementById('told').textContent.endsWith('copied')")
    return page.evaluate("navigator.clipboard.readText()")


def test_the_link_leads_to_the_same_view(menu, report, open_page):
    link = copied(menu, "Copy the link to this view")
    again = open_page(report, "#" + link.partition("#")[2])
    assert (
        again.locator("#document-name").inner_text() == menu.locator("#document-name").inner_text()
    )
    assert again.locator("#headline").inner_text() == menu.locator("#headline").inner_text()


def test_the_signature_is_that_of_the_command(menu):
    how = ("--confidence", "0.95", "--format", "json")
    told = json.loads(run_clineval("score", "semeval15_task14", *SIDES, *how).stdout)
    assert copied(menu, "Copy the signature") == told["signature"]


def test_the_citation_is_of_clineval_with_the_signature_and_of_the_challenge(menu):
    found = copied(menu, "Copy the citation, BibTeX")
    own, challenge = found.split("\n}\n", 1)
    assert challenge.strip() == find_challenge("semeval15_task14").task.citation.strip()
    cited = (ROOT / "README.md").read_text("utf-8").partition("@software{clineval,")[2]
    field = re.compile(r"(\w+) += \{(.*)\},")
    assert dict(field.findall(own)) == {
        **dict(field.findall(cited.partition("\n}")[0])),
        "note": rf"\detokenize{{{menu.evaluate('head.systems[0].signature')}}}",
    }


def test_where_the_clipboard_is_refused_the_page_says_what_it_would_copy(menu):
    menu.evaluate(
        """() => {
          navigator.clipboard.writeText = () => Promise.reject(new Error());
          document.execCommand = () => false;
        }"""
    )
    menu.get_by_role("button", name="Copy the signature").click()
    menu.locator("#warning:visible").wait_for()
    assert menu.evaluate("head.systems[0].signature") in menu.locator("#warning").inner_text()
