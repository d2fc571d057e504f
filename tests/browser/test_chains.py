"""Links on a page: the path of a link that follows, and the cycle of a contradictory one."""

import json

import pytest
from conftest import ROOT
from processes import run_clineval

DEMO = ROOT / "metrics" / "clineval" / "challenges" / "i2b2_2012_temporal" / "demo"
SIDES = ("i2b2_2012_temporal", DEMO / "gold", DEMO / "model")
SHOWN = """() => {
  history.pushState = () => {};  // an address that changes this often is refused
  const found = new Map();  // a pair shows the chains of both of its links
  for (const [name, side, letter] of [["gold", corpus.gold, "g"], ["predicted", view0(), "p"]]) {
    for (let d = 0; d < corpus.documents.length; d++) {
      for (let row = side.first[d]; row < side.first[d + 1]; row++) {
        if (!isRelation(side, row)) continue;
        change({ doc: corpus.documents[d], m: letter + (row - side.first[d]) });
        for (const chain of document.querySelectorAll("#detail-body .chain")) {
          found.set(d + chain.textContent, [chain.querySelector("p").textContent.split(":")[0].toLowerCase(), chain.querySelectorAll("li").length]);
        }
      }
    }
  }
  return [...found.values()];
}"""


@pytest.mark.parametrize("config", ["default", "links"])
def test_a_link_shows_its_path_or_its_cycle(make_report, open_page, config):
    listed = json.loads(
        run_clineval("errors", *SIDES, "--config", config, "--format", "json").stdout
    )
    expected = [[of["kind"], len(of["chain"])] for of in listed["reasonings"]]
    page = open_page(make_report(*SIDES, "--config", config))
    assert page.evaluate("findDifferences()") == []
    shown = page.evaluate(SHOWN)
    assert {kind for kind, _ in shown} == {"right by inference", "contradictory"}
    assert sorted(map(list, shown)) == sorted(expected)
