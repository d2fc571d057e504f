"""Slots and events of corrected mentions: the page writes what the command writes, and as it counts."""

import copy
import json
import re
import shutil

import pytest
from conftest import ROOT
from corrected import correct, export
from processes import run_clineval

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
TAKE = """(rotate) => {
  const { items, rows } = current;
  remarks.clear();
  [...rows].forEach((i, k) => {
    const pair = { gold: items.golds[i], system: items.predictions[i] };
    const eventless = pair.system >= 0 && classOf(view0(), pair.system) === head.brat.eventless;
    const fits = Object.entries(DECISIONS).filter(([, of]) => of[2](pair)).map(([name]) => name);
    const able = fits.filter((name) => name !== "label" || !eventless);
    const right = able.includes("system right") ? "system right" : pair.system < 0 ? "gold wrong" : "";
    const name = rotate ? able[k % able.length] : right;
    if (name) remarks.set(keyOf(placeOfPair(pair)), { ...placeOfPair(pair), tags: [], comment: "", ...correction(name, pair) });
  });
  store();
  refresh();
}"""
"""Decide on all items: the system is right everywhere, or each decision that fits in turn."""


def add_slots(path, new, values):
    """Say of mentions whether they are negated, and how severe they are."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        line["mentions"] += copy.deepcopy(
            line["mentions"][:2]
        )  # the first ones differ in slots alone
        for at, mention in enumerate(line["mentions"]):
            mention |= {name: of[at % len(of)] for name, of in values.items()}
    new.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return new


def make_sides(module, form, folder):
    demo = CHALLENGES / module / "demo"
    if module == "clinical_spans":
        gold = {"negated": [True, False, False], "severity": ["mild", "no", "very severe"]}
        system = {"negated": [False, True], "severity": ["mild", "severe", "no", "no"]}
        sides = [add_slots(demo / f"{side}.jsonl", folder / f"{side}.jsonl", values)
                 for side, values in (("gold", gold), ("tagger", system))]  # fmt: skip
    else:
        sides = [folder / "gold", folder / "tagger"]
        for side in sides:
            shutil.copytree(demo / side.name, side)
    if form == "brat" and module == "clinical_spans":
        new = folder / "gold"
        run_clineval("convert", sides[0], new, "--to", "brat", "--module", module)
        for file in new.glob("*.ann"):  # flags as brat writes them
            file.write_text(re.sub("(Negated T[0-9]+) yes", r"\1", file.read_text()))
        return new, sides[1]
    if form == "jsonl" and module != "clinical_spans":
        new, texts = folder / "gold.jsonl", ("--text", demo / "text")
        run_clineval("convert", sides[0], new, "--module", module, *texts)
        return new, sides[1]
    return sides


CASES = [
    *(("clinical_spans", form, "strict_slots_f1") for form in ("jsonl", "brat")),
    ("clinical_spans", "jsonl", "strict_f1"),
    *(("n2c2_2022_cmed", form, "combined_strict_f1") for form in ("jsonl", "brat")),
]
"""Mentions that differ in slots alone are several where slots count, and else one."""


@pytest.mark.parametrize("case", CASES)
def test_the_page_and_the_command_write_slots_and_events_alike(
    make_report, open_page, tmp_path, case
):
    module, form, score = case
    gold, system = make_sides(module, form, tmp_path)
    texts = CHALLENGES / module / "demo" / "text"
    texts = ("--text", texts) if texts.is_dir() else ()
    options = ("--slots", "negated,severity") if score == "strict_slots_f1" else ()
    report = make_report(module, gold, system, *texts, *options)
    for rotate in (True, False):
        page = open_page(report, "#match=overlap&crit=span")  # a browser asks before it saves many
        page.evaluate(TAKE, rotate)
        remarks = export(page, "Remarks, JSON", tmp_path / f"{rotate}.json")
        held = json.loads(remarks.read_text())
        assert held["scored_slots"][0] == "label"
        assert any(each.get("slots") for each in held["remarks"]) is (score != "strict_f1")
        new = tmp_path / f"command {rotate}"
        run_clineval("adjudicate", gold, remarks, "-o", new, *texts)
        found = correct(page, gold, tmp_path / f"page {rotate}")
        olds = {
            path.name: path.read_bytes()
            for path in ([*gold.iterdir()] if gold.is_dir() else [gold])
        }
        news = {path.name: path.read_bytes() for path in new.iterdir()}
        assert found == {name: content for name, content in news.items() if content != olds[name]}
        assert found
    path = new / gold.name if form == "jsonl" else new
    said = run_clineval("score", module, path, system, *texts, *options, "--format", "json")
    scores = {k: v for k, v in json.loads(said.stdout)["scores"].items() if k.endswith("_f1")}
    assert scores[score] == 1
    assert set(scores.values()) <= {0.0, 1.0}  # 0 where there is nothing to find


KEYS = "[...remarks.values()].map(({ slots, decision, comment }) => [slots.negated, decision, comment])"


@pytest.mark.parametrize("form", ["JSON", "CSV"])
def test_annotations_that_differ_in_slots_alone_have_remarks_of_their_own(
    make_report, open_page, expect, tmp_path, form
):
    mentions = [{"spans": [[0, 4]], "label": "P", "negated": value} for value in (True, False)]
    gold, system = tmp_path / "gold.jsonl", tmp_path / "ours.jsonl"
    gold.write_text(json.dumps({"id": "a", "text": "pain", "mentions": mentions}) + "\n")
    system.write_text(json.dumps({"id": "a", "text": "pain", "mentions": []}) + "\n")
    report = make_report("clinical_spans", gold, system, "--slots", "negated")
    page = open_page(report, "#tab=pairs")
    page.evaluate(
        """() => ["no", "yes"].forEach((comment, row) => changeRemark(
          placeOfMention(corpus.gold, row),
          { comment, ...(row ? { ...NO_DECISION, decision: "gold wrong" } : {}) },
        ))"""
    )
    both = [["no", None, "no"], ["yes", "gold wrong", "yes"]]
    assert page.evaluate(KEYS) == both
    page.reload()
    assert page.evaluate(KEYS) == both
    file = export(page, f"Remarks, {form}", tmp_path / f"r.{form.lower()}")
    other = open_page(report, "#tab=pairs")
    other.locator("#remarks-file").set_input_files(file)
    expect(other.locator("#filters .chip", has_text="remarked")).to_have_text("remarked 2")
    again = export(other, f"Remarks, {form}", tmp_path / f"again.{form.lower()}")
    assert again.read_text() == file.read_text()
    found = correct(other, gold, tmp_path / "page")
    run_clineval("adjudicate", gold, file, "-o", tmp_path / "new", "--module", "clinical_spans")
    assert found == {"gold.jsonl": (tmp_path / "new" / "gold.jsonl").read_bytes()}
    assert json.loads(found["gold.jsonl"])["mentions"] == mentions[1:]


def test_a_remark_of_before_is_on_all_of_them_and_its_decision_is_asked_for_again(
    make_report, open_page, expect, tmp_path
):
    mentions = [{"spans": [[0, 4]], "label": "P", "negated": value} for value in (True, False)]
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps({"id": "a", "text": "pain", "mentions": mentions}) + "\n")
    page = open_page(make_report("clinical_spans", gold, gold, "--slots", "negated"), "#tab=pairs")
    file = tmp_path / "r.csv"
    columns = "document,side,spans,class,tags,comment,decision,to_spans,to_class,to_slots\n"
    file.write_text(columns + "a,gold,0-4,P,,why,gold wrong,,,\n")
    page.locator("#remarks-file").set_input_files(file)
    expect(page.locator("#warning")).to_contain_text("1 decisions were not read")
    assert [comment for _, _, comment in page.evaluate(KEYS)] == ["why", "why"]
    assert page.evaluate("decided()") is False
