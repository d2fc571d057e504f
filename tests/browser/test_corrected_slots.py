"""Slots and events of corrected mentions: the page writes what the command writes, and as it counts."""

import json
import re
import shutil

import pytest
from conftest import ROOT
from corrected import correct, export
from programs import run_clineval

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
TAKE = """(rotate) => {
  const { items, rows } = current;
  const counts = new Map();
  for (let row = 0; row < corpus.gold.size; row++) {
    const key = keyOf(placeOfMention(corpus.gold, row));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  remarks.clear();
  [...rows].forEach((i, k) => {
    const pair = { gold: items.golds[i], system: items.predictions[i] };
    const eventless = pair.system >= 0 && classOf(view0(), pair.system) === head.brat.eventless;
    const fits = Object.entries(DECISIONS).filter(([, of]) => of[2](pair)).map(([name]) => name);
    const able = fits.filter((name) => name !== "label" || !eventless);
    const right = able.includes("system right") ? "system right" : pair.system < 0 ? "gold wrong" : "";
    const name = rotate ? able[k % able.length] : right;
    if (name && !(counts.get(keyOf(placeOfPair(pair))) > 1)) remarks.set(keyOf(placeOfPair(pair)), { ...placeOfPair(pair), tags: [], comment: "", ...correction(name, pair) });
  });
  store();
  refresh();
}"""
"""Decide on all items: the system is right everywhere, or each decision that fits in turn."""


def add_slots(path, new, values):
    """Say of mentions whether they are negated, and how severe they are."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
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
        for side in sides:  # a medication of demo-005 has two events of one type
            shutil.copytree(demo / side.name, side, ignore=shutil.ignore_patterns("demo-005.*"))
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


@pytest.mark.parametrize("form", ["jsonl", "brat"])
@pytest.mark.parametrize("module", ["clinical_spans", "n2c2_2022_cmed"])
def test_the_page_and_the_command_write_slots_and_events_alike(
    make_report, open_page, tmp_path, module, form
):
    gold, system = make_sides(module, form, tmp_path)
    texts = CHALLENGES / module / "demo" / "text"
    texts = ("--text", texts) if texts.is_dir() else ()
    page = open_page(make_report(module, gold, system, *texts), "#match=overlap&crit=span")
    for rotate in (True, False):
        page.evaluate(TAKE, rotate)
        remarks = export(page, "Remarks, JSON", tmp_path / f"{rotate}.json")
        held = json.loads(remarks.read_text())
        assert held["scored_slots"][0] == "label"
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
    options = ("--slots", "negated,severity") if module == "clinical_spans" else ()
    said = run_clineval("score", module, path, system, *texts, *options, "--format", "json")
    scores = {k: v for k, v in json.loads(said.stdout)["scores"].items() if k.endswith("_f1")}
    assert scores["strict_slots_f1" if options else "combined_strict_f1"] == 1
    assert set(scores.values()) <= {0.0, 1.0}  # 0 where there is nothing to find
