"""Remarks on annotations: kept by the browser for this file, counted, handed on, read again."""

import csv
import io
import json

import pytest
from conftest import ROOT

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL = CHALLENGES / "semeval15_task14" / "demo"
COLUMNS = ["document", "side", "spans", "class", "tags", "comment"]


@pytest.fixture(scope="module")
def one(make_report):
    sides = SEMEVAL / "gold", SEMEVAL / "tagger"
    return make_report("semeval15_task14", *sides, "--no-text")


@pytest.fixture(scope="module")
def sections(make_report):
    sides = (CHALLENGES / "clinais23_b2" / "demo" / f"{name}.json" for name in ("gold", "tagger"))
    return make_report("clinais23_b2", *sides)


def download(page, name):
    page.locator("summary", has_text="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return waiting.value.path()


def chip(page, name):
    """A filter's chip by its name, which its number follows."""
    return page.locator("#filters .chip", has_text=name)


def remark(page, tag, comment=""):
    page.locator(".remark .chip", has_text=tag).click()
    if comment:
        page.locator(".remark .comment").fill(comment)
        page.locator(".remark .comment").press("Enter")


def test_a_remark_is_counted_filters_and_survives_a_reload(one, open_page, expect):
    page = open_page(one, "#match=exact&crit=span&f=fn&tab=pairs")
    remark(page, "gold wrong", '=1+1, see the "guideline"')
    page.keyboard.press("Tab")
    expect(chip(page, "gold wrong")).to_have_text("gold wrong 1")
    page.locator("#document-body").focus()
    page.keyboard.press("j")
    page.locator(".remark .tag").fill("spelling; mine")
    page.locator(".remark .tag").press("Enter")
    expect(chip(page, "remarked")).to_have_text("remarked 2")
    expect(chip(page, "spelling, mine")).to_have_text("spelling, mine 1")
    page.reload()
    expect(chip(page, "remarked")).to_have_text("remarked 2")
    chip(page, "gold wrong").click()
    expect(page.locator("#tab-pairs")).to_have_text("Items 1")
    expect(page.locator(".remark .comment")).to_have_value('=1+1, see the "guideline"')
    pressed = page.locator(".remark .chip[aria-pressed=true]")
    expect(pressed).to_have_text(["gold wrong"])
    page.reload()
    expect(page.locator("#tab-pairs")).to_have_text("Items 1")
    pressed.click()
    page.locator(".remark .comment").fill("")
    page.locator(".remark .comment").press("Enter")
    expect(chip(page, "gold wrong")).to_have_count(0)


@pytest.mark.parametrize("form", ["CSV", "JSON"])
def test_remarks_are_handed_on_and_read_again(one, open_page, expect, tmp_path, form):
    page = open_page(one, "#match=exact&crit=span&f=fn&tab=pairs")
    remark(page, "gold wrong", '=1+1, see the "guideline"')
    expect(chip(page, "remarked")).to_have_text("remarked 1")
    path = tmp_path / f"remarks.{form.lower()}"
    path.write_bytes(download(page, f"Remarks, {form}").read_bytes())
    written = path.read_text("utf-8")
    if form == "CSV":
        (row,) = csv.DictReader(io.StringIO(written))
        assert list(row) == COLUMNS
        assert row["comment"] == '\'=1+1, see the "guideline"'  # no formula of a spreadsheet
    else:
        (row,) = json.loads(written)["remarks"]
        assert list(row) == COLUMNS
    assert (row["side"], row["document"]) == ("gold", page.locator("#document-name").inner_text())
    other = open_page(one, "#match=exact&crit=span&f=fn&tab=pairs")  # in a window of its own
    expect(chip(other, "remarked")).to_have_count(0)
    for _ in range(2):  # what is read twice is there once
        other.locator("#remarks-file").set_input_files(path)
        expect(chip(other, "remarked")).to_have_text("remarked 1")
    again = download(other, f"Remarks, {form}").read_text("utf-8")
    assert again == written


def test_a_remark_on_a_gold_annotation_is_the_same_for_every_system_and_mode(
    make_report, open_page, expect
):
    systems = SEMEVAL / "dictionary", SEMEVAL / "tagger"
    page = open_page(
        make_report("semeval15_task14", SEMEVAL / "gold", *systems, "--no-text"),
        "#match=exact&crit=span&f=fn&tab=pairs",
    )
    remark(page, "abbreviation")
    expect(chip(page, "abbreviation")).to_have_text("abbreviation 1")
    page.keyboard.press("Escape")
    page.locator("#system").select_option("1")
    page.get_by_role("button", name="show all").click()
    for match in ("exact", "overlap"):
        page.locator(f"[data-set='match:{match}']").click()
        count = page.evaluate("[...current.rows].filter((i) => remarkOf(current.items, i)).length")
        expect(chip(page, "abbreviation")).to_have_text(f"abbreviation {count}")
        assert count >= 1


def test_other_files_are_refused_and_what_is_not_here_is_kept(one, open_page, expect, tmp_path):
    page = open_page(one)
    for name, content in (
        ("a.json", '{"schema": "else"}'),
        ("b.csv", "a,b\n1,2\n"),
        ("c.json", "{"),
    ):
        (tmp_path / name).write_text(content)
        page.locator("#remarks-file").set_input_files(tmp_path / name)
        expect(page.locator("#warning")).to_contain_text("This file has no remarks")
        page.get_by_label("Close this warning").click()
        expect(page.locator("#warning")).to_be_hidden()
    line = "gone.txt,gold,1-2,C1,gold wrong; other,why\n"
    (tmp_path / "d.csv").write_text(",".join(COLUMNS) + "\n" + line)
    page.locator("#remarks-file").set_input_files(tmp_path / "d.csv")
    expect(page.locator("#warning")).to_contain_text(
        "1 remarks are about annotations that this report"
    )
    assert download(page, "Remarks, CSV").read_text("utf-8").endswith(line)


def test_what_is_remarked_is_text_and_nothing_else(one, open_page, expect):
    page = open_page(one)
    page.locator(".remark .tag").fill("<img src=x onerror=alert(1)>")
    page.locator(".remark .tag").press("Enter")
    expect(chip(page, "<img src=x")).to_have_text("<img src=x onerror=alert(1)> 1")
    assert page.evaluate("document.images.length") == 0


def test_items_of_lists_can_be_remarked(sections, open_page, expect):
    page = open_page(sections, "#f=missed&tab=items")
    page.locator("#filters .chip").nth(1).click()
    remark(page, "guideline unclear", "boundary at a heading")
    expect(chip(page, "guideline unclear")).to_have_text("guideline unclear 1")
    (row,) = csv.DictReader(io.StringIO(download(page, "Remarks, CSV").read_text("utf-8")))
    item = page.evaluate("current.list.item(chosenItem())")
    assert row["spans"] == str(item["position"])
    assert row["class"] == page.evaluate("(label) => labelName(label)", item["gold"])
