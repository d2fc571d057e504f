"""Decisions taken with keys on the page, handed on, and followed in the gold standard."""

import csv
import io
import json

import pytest
from conftest import ROOT
from corrected import correct, export
from processes import run_clineval

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL = CHALLENGES / "semeval15_task14" / "demo"
N2C2 = CHALLENGES / "n2c2_2018_track2" / "demo"
COUNTS = """() => {
  const sums = [0, 0, 0];
  for (const verdict of current.items.verdicts.slice(0, current.items.size)) sums[verdict] += 1;
  return sums;
}"""
"""True positives, false positives and false negatives of the mode that is chosen."""
SPAN = "#match=exact&crit=span&tab=pairs"


@pytest.fixture(scope="module")
def one(make_report):
    sides = SEMEVAL / "gold", SEMEVAL / "tagger"
    return make_report("semeval15_task14", *sides, "--text", SEMEVAL / "text")


def chosen(page):
    return page.locator("[data-decision][aria-pressed=true]")


def press(page, key, expect, said):
    page.locator("#document-body").focus()
    page.keyboard.press(key)
    expect(chosen(page)).to_have_text([said] if said else [])


DECISIONS = (
    ("fn", "w", "gold wrong", 3), ("fp", "r", "system right", 2),
    ("boundary", "d", "boundary", 2), ("code", "l", "label", 1),
)  # fmt: skip
IS_PAIR = "(({ gold, system }) => gold >= 0 && system >= 0)(decidedPair())"


def decide(page, kind, key, decision, number):
    """Take some decisions on items of a kind; on those that have no partner, if it is missed ones."""
    page.goto(page.url.split("#")[0] + f"{SPAN}&f={kind}")
    page.wait_for_function("(kind) => view.verdicts.has(kind) || view.kinds.has(kind)", arg=kind)
    for _ in range(page.evaluate("current.rows.length")):
        page.locator("#document-body").focus()
        fits = page.locator(f"[data-decision='{decision}'][aria-disabled=false]").count()
        if fits and not (kind in ("fn", "fp") and page.evaluate(IS_PAIR)):
            page.keyboard.press(key)
            number -= 1
        if not number:
            return
        page.keyboard.press("j")
    pytest.fail("there are too few items")


@pytest.mark.parametrize("form", ["pipe", "jsonl", "brat"])
def test_the_page_corrects_files_as_the_command_does(one, make_report, open_page, tmp_path, form):
    gold = SEMEVAL / "gold"
    if form == "jsonl":
        gold = tmp_path / "gold.jsonl"
        run_clineval("convert", SEMEVAL / "gold", gold, "--text", SEMEVAL / "text")
        one = make_report("semeval15_task14", gold, SEMEVAL / "tagger")
    if form == "brat":
        gold = tmp_path / "brat"
        run_clineval("convert", SEMEVAL / "gold", gold, "--to", "brat", "--text", SEMEVAL / "text")
    page = open_page(one, SPAN)
    for each in DECISIONS:
        decide(page, *each)
    decide(page, "slot", "r", "system right", 2)
    remarks = export(page, "Remarks, JSON", tmp_path / "r.json")
    texts = ("--text", SEMEVAL / "text") if form == "brat" else ()
    run_clineval("adjudicate", gold, remarks, "-o", tmp_path / "command", *texts)
    found = correct(page, gold, tmp_path / "page")
    olds = {path.name: path.read_bytes() for path in (gold.iterdir() if gold.is_dir() else [gold])}
    news = {path.name: path.read_bytes() for path in (tmp_path / "command").iterdir()}
    assert found == {name: content for name, content in news.items() if content != olds[name]}
    assert found


def test_a_second_report_shows_the_corrected_gold_standard(one, make_report, open_page, tmp_path):
    page = open_page(one, SPAN)
    tp, fp, fn = page.evaluate(COUNTS)
    for each in DECISIONS:
        decide(page, *each)
    for form, module in (("json", ()), ("csv", ("--module", "semeval15_task14"))):
        remarks = export(page, f"Remarks, {form.upper()}", tmp_path / f"r.{form}")
        options = ("-o", tmp_path / form, *module, "--format", "json")
        listed = run_clineval("adjudicate", SEMEVAL / "gold", remarks, *options)
        changes = json.loads(listed.stdout)["changes"]
        assert [change["decision"] for change in changes].count("boundary") == 2
        assert len(changes) == 8
    for path in (tmp_path / "csv").iterdir():
        assert path.read_bytes() == (tmp_path / "json" / path.name).read_bytes()
    sides = tmp_path / "json", SEMEVAL / "tagger"
    after = open_page(make_report("semeval15_task14", *sides, "--text", SEMEVAL / "text"), SPAN)
    assert after.evaluate(COUNTS) == [tp + 2 + 2, fp - 2 - 2, fn - 3 - 2]
    assert after.evaluate("findDifferences()") == []


def test_decisions_are_taken_back_one_by_one(one, open_page, expect, tmp_path):
    page = open_page(one, f"{SPAN}&f=boundary")
    press(page, "w", expect, "gold is wrong")
    press(page, "d", expect, "system's boundary")
    expect(page.locator("#filters .chip", has_text="decided")).to_have_text("→ decided 1")
    page.reload()
    expect(chosen(page)).to_have_text("system's boundary")
    press(page, "d", expect, "")  # the same key takes it back
    press(page, "r", expect, "system is right")
    press(page, "w", expect, "gold is wrong")
    press(page, "u", expect, "system is right")
    press(page, "u", expect, "")
    press(page, "u", expect, "system's boundary")
    press(page, "u", expect, "system's boundary")  # what was before the page was opened stays
    press(page, "d", expect, "")
    (rows,) = [export(page, "Remarks, CSV", tmp_path / "r.csv").read_text()]
    assert list(csv.DictReader(io.StringIO(rows))) == []


def test_what_does_not_fit_cannot_be_chosen(one, open_page, expect):
    page = open_page(one, f"{SPAN}&f=fn,alone")
    page.locator("#document-body").focus()
    page.keyboard.press("d")
    expect(page.locator("#status")).to_have_text("This decision does not fit this item.")
    for name in ("boundary", "system right"):
        expect(page.locator(f"[data-decision='{name}']")).to_have_attribute("aria-disabled", "true")
    page.locator("[data-decision='gold wrong']").click()
    expect(chosen(page)).to_have_text("gold is wrong")
    page.locator("[data-decision='undo']").click()
    expect(chosen(page)).to_have_count(0)


def test_mentions_in_brat_can_be_decided_and_relations_not(
    make_report, open_page, expect, tmp_path
):
    sides = N2C2 / "gold", N2C2 / "rules"
    page = open_page(make_report("n2c2_2018_track2", *sides, "--text", N2C2 / "text"), SPAN)
    relation = "corpus.gold.columns.sources.findIndex((size) => size > 0)"
    page.evaluate(f"change({{ doc: corpus.documents[0], m: 'g' + {relation} }})")
    expect(page.locator("#detail-body .remark .comment")).to_be_visible()
    expect(page.locator("[data-decision]")).to_have_count(0)
    decide(page, "boundary", "d", "boundary", 1)
    remarks = export(page, "Remarks, JSON", tmp_path / "r.json")
    new = tmp_path / "new"
    options = ("--text", N2C2 / "text", "-o", new)
    [change] = json.loads(run_clineval("adjudicate", N2C2 / "gold", remarks, *options, "--format",
                                       "json").stdout)["changes"]  # fmt: skip
    kept = correct(page, N2C2 / "gold", tmp_path / "page")
    assert kept == {f"{change['document']}.ann": (new / f"{change['document']}.ann").read_bytes()}
    for path in (N2C2 / "gold").iterdir():
        before, after = (set((of / path.name).read_text().split("\n")) for of in (path.parent, new))
        assert len(before - after) == len(after - before) == (change["document"] == path.stem)


@pytest.mark.parametrize(
    ("module", "sides"),
    [("clinais23_b2", ("gold.json", "tagger.json")),
     ("n2c2_2022_sdoh", ("gold", "tagger")), ("clefehealth13_task2", ("gold.pipe", "first_sense.pipe"))],
)  # fmt: skip
def test_other_pages_have_no_decisions(make_report, open_page, expect, module, sides):
    paths = [CHALLENGES / module / "demo" / side for side in sides]
    page = open_page(make_report(module, *paths, "--no-text"))
    expect(page.locator("#detail-body")).not_to_be_empty()
    expect(page.locator("[data-decision]")).to_have_count(0)
