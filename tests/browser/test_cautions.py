"""What a command warns of, on the page that is passed on."""

import json
import re

import pytest
from conftest import ROOT
from processes import run_clineval

SEMEVAL = ROOT / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo"
SECTIONS = ROOT / "metrics" / "clineval" / "challenges" / "clinais23_b2" / "demo"


@pytest.fixture(scope="module")
def two(make_report):
    sides = SEMEVAL / "gold", SEMEVAL / "dictionary", SEMEVAL / "tagger"
    return make_report("semeval15_task14", *sides, "--text", SEMEVAL / "text")


def warned_of(page):
    return page.locator("#cautions li").all_inner_texts()


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (768, "dark"), (390, "light")])
def test_the_warnings_of_the_command_stand_over_the_numbers(two, open_page, width, scheme):
    page = open_page(two, width=width, height=900, scheme=scheme)
    assert any(line.startswith("only 24 documents: below 30") for line in warned_of(page))
    assert warned_of(page)[-1].startswith("† fewer than 10 documents")
    box, table = (page.locator(name).bounding_box() for name in ("#cautions", "#statistics"))
    assert box["y"] + box["height"] <= table["y"]
    signature = page.locator("#signature")
    assert signature.evaluate("(at) => at.scrollWidth <= at.clientWidth")
    assert re.search(r"\|bs:\d+\|seed:\d+\|ci:auto-0\.95\|", signature.inner_text())


@pytest.mark.parametrize("width", [1440, 768])
def test_a_long_signature_is_seen_to_its_end(open_page, make_report, tmp_path, width):
    side = tmp_path / "side.jsonl"
    labels = [f"finding_of_ward_{number}" for number in range(16)]
    mentions = [{"spans": [[k, k + 1]], "label": label} for k, label in enumerate(labels)]
    side.write_text("".join(json.dumps({"id": d, "mentions": mentions}) + "\n" for d in "ab"))
    page = open_page(make_report("clinical_spans", side, side, "--no-text"), width=width)
    signature = page.locator("#signature")
    assert signature.inner_text().endswith(page.evaluate("head.version"))
    cut = "(at) => [at.scrollWidth > at.clientWidth, at.scrollHeight > at.clientHeight]"
    assert signature.evaluate(cut) == [False, False]


def test_intervals_on_few_documents_are_marked_as_in_the_command(two, open_page):
    page = open_page(two, "#match=exact&crit=both")
    sides = SEMEVAL / "gold", SEMEVAL / "dictionary"
    how = ("--confidence", "0.95", "--format", "json")
    told = json.loads(run_clineval("score", "semeval15_task14", *sides, *how).stdout)
    [first, _] = page.evaluate("head.systems")
    assert first["few_units"] == told["few_units"]
    assert first["signature"] == told["signature"]
    assert set(told["warnings"]) <= set(page.evaluate("head.warnings"))
    cells = page.locator("#statistics .interval").all_inner_texts()
    assert any(cell.endswith("†") for cell in cells)


def test_lists_have_them_too(make_report, open_page):
    sides = SECTIONS / "gold.json", SECTIONS / "tagger.json"
    page = open_page(make_report("clinais23_b2", *sides))
    assert any("documents: below 30" in line for line in warned_of(page))
