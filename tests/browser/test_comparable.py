"""The page decides as ``clineval comparable`` does whether its result and another are comparable."""

from dataclasses import replace

import pytest
from conftest import ROOT

from clineval import Signature
from clineval.results.comparable import find_settings

DEMO = ROOT / "metrics/clineval/challenges/semeval15_task14/demo"
CALL = "semeval15_task14", DEMO / "gold", DEMO / "tagger", "--no-text"


def say(page, text):
    """The answer and the fields that differ, for the text of another signature."""
    page.locator("#other-signature").fill(text)
    rows = page.locator("#comparable-fields tbody tr").all()
    cells = [row.locator("th, td").all_inner_texts() for row in rows]
    return page.locator("#comparable-answer").inner_text(), cells


@pytest.fixture
def opened(make_report, open_page):
    page = open_page(make_report(*CALL))
    page.locator("summary", has_text="Export").click()
    page.get_by_role("button", name="Compare with another signature").click()
    return page


def test_every_field_alone(opened):
    ours = Signature.parse(opened.locator("#signature").inner_text())
    assert say(opened, str(ours)) == ("comparable", [])
    others = [replace(ours, metric="codiesp20"), replace(ours, config="task1")]
    for name in [*find_settings("semeval15_task14"), "novel"][2:]:
        others.append(replace(ours, settings={**ours.settings, name: "9"}))
        others.append(replace(ours, settings={k: v for k, v in ours.settings.items() if k != name}))
    for other in others:
        expected = ours.compare(other)
        answer, cells = say(opened, str(other))
        fields = [(each.name, each.first or "–", each.second or "–") for each in expected.differing]
        assert [tuple(row[:3]) for row in cells] == fields
        if other.settings.get("v") == ours.settings["v"]:
            assert answer == expected.answer
            told = [(each.verdict, each.advice) for each in expected.differing]
            for (verdict, advice), row in zip(told, cells, strict=True):
                assert row[3] == verdict
                assert row[4] == advice or verdict == "cannot tell"
        else:
            assert answer == "cannot tell"


def test_what_is_no_signature(opened):
    assert say(opened, "") == ("", [])
    answer, cells = say(opened, "<b>x</b>")
    assert answer.startswith("expected a signature")
    assert cells == []
    _, cells = say(opened, "a|b|x:<img src=x onerror=alert(1)>")
    assert ["x", "–", "<img src=x onerror=alert(1)>"] in [row[:3] for row in cells]
    assert opened.locator("#comparable img").count() == 0


def test_keys_are_words_in_the_dialog(opened):
    opened.locator("#other-signature").press_sequentially("jk?")
    assert opened.locator("#other-signature").input_value() == "jk?"
    opened.keyboard.press("Escape")
    assert not opened.locator("#comparable").is_visible()
