"""Reports of several kinds of items: concepts, assertions, concepts of documents, relations."""

import pytest
from conftest import ROOT
from demos import arguments_of

DEMO = ROOT / "metrics" / "clineval" / "challenges" / "n2c2_2018_track2" / "demo"


CROSSED = """() => {
  const inside = (x, y, box) => x > box.left && x < box.right && y > box.top + 3 && y < box.bottom - 3;
  const words = [];
  for (const line of document.querySelectorAll('#document-body .line')) {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      if (walker.currentNode.textContent.trim()) words.push(...range.getClientRects());
    }
  }
  const crossed = [];
  let seen = 0;
  const origin = document.querySelector('#document-body .connectors').getBoundingClientRect();
  for (const arc of document.querySelectorAll('#document-body .arc')) {
    for (let at = 0; at <= arc.getTotalLength(); at += 3) {
      const point = arc.getPointAtLength(at);
      seen += 1;
      if (words.some((box) => inside(point.x + origin.left, point.y + origin.top, box))) crossed.push(arc.parentElement.textContent);
    }
  }
  const labels = [...document.querySelectorAll('#document-body .relation text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
  labels.forEach(([name, box], k) => {
    if (words.some((word) => box.left < word.right && word.left < box.right && box.top + 2 < word.bottom - 3 && word.top + 3 < box.bottom - 2)) crossed.push(name + ' on a word');
    for (const [other, second] of labels.slice(k + 1)) {
      if (box.left < second.right && second.left < box.right && Math.abs(box.top - second.top) < 8) crossed.push(name + ' on ' + other);
    }
  });
  return [seen, labels.length, crossed];
}"""
"""Points of arcs that were looked at, labels, and what crosses words or other labels."""


@pytest.fixture(scope="module", params=["spec", "official"])
def report(request, make_report):
    sides = (DEMO / "gold", DEMO / "rules", DEMO / "tagger")
    asked = ("--protocol", request.param, "--text", DEMO / "text")
    return make_report("n2c2_2018_track2", *sides, *asked)


def test_the_page_counts_what_the_core_counts(report, open_page):
    page = open_page(report)
    assert page.evaluate("findDifferences()") == []
    assert page.evaluate("head.checks.length") == 24


def test_concepts_and_relations_are_added_up_apart(report, open_page, expect):
    page = open_page(report, "#match=exact&crit=both")
    scores = page.evaluate("head.systems[0].scores")
    for kind in ("concepts", "relations"):
        name = f"{kind}_micro_strict"
        row = page.locator("#statistics tbody tr", has=page.get_by_text(f"All {kind}"))
        shown = row.locator("td").all_inner_texts()
        assert shown[2:8] == [
            *(str(scores[f"{name}_{count}"]) for count in ("tp", "fp", "fn")),
            *(f"{scores[f'{name}_{measure}']:.4f}" for measure in ("precision", "recall", "f1")),
        ]
        page.get_by_label("Preset").select_option(f"{kind} strict")
        expect(page.locator("#headline-interval")).to_have_text(
            "95 %: " + shown[8].replace("\N{EN DASH}", " to ")
        )
        counted = (
            "[...Array(corpus.documents.length).keys()].reduce((n, d) => n + countsOf(d)[TP], 0)"
        )
        assert page.evaluate(counted) == scores[f"{name}_tp"]
    assert page.get_by_role("rowheader", name="All", exact=True).count() == 0
    page.get_by_role("button", name="All relations: FN 23, show them").click()
    assert page.evaluate("current.rows.length") == 23
    again = open_page(report, "#" + page.url.split("#")[1])
    assert again.evaluate("current.rows.length") == 23


@pytest.mark.parametrize("module", ["n2c2_2018_track2", "i2b2_2010"])
def test_a_relation_is_no_discontiguous_mention(module, make_report, open_page):
    """Nor has it a length: in these corpora all mentions are contiguous."""
    (prediction, gold), _ = arguments_of(module)
    page = open_page(make_report(module, gold, prediction, "--no-text"), "#by=fragments")
    assert page.get_by_role("button", name="discontiguous 0").count() == 1
    rows = page.locator("#statistics tbody th").all_inner_texts()
    assert rows[-2:] == ["contiguous", "relation"]


def test_a_relation_is_shown_with_the_words_of_both_arguments(report, open_page):
    page = open_page(report, "#match=overlap&crit=both")
    page.get_by_role("button", name="Form-Drug: TP 4, show them").click()
    page.wait_for_selector("#pairs [role=option]", state="attached")
    shown = page.locator("#pairs [role=option]").all_inner_texts()
    assert len(shown) == 4
    assert "tablet … furosemide" in shown[0]
    marked = page.locator("#document-body mark[aria-current=true]").all_inner_texts()
    assert any("furosemide" in words for words in marked)
    assert any("tablet" in words for words in marked)
    assert "Form-Drug" in page.locator("#detail-body").inner_text()


def test_the_detail_of_a_mention_lists_its_relations(report, open_page, expect):
    page = open_page(report, "#doc=demo-002&match=overlap&crit=both")
    page.locator("#document-body mark", has_text="warfarin").first.click()
    rows = page.locator("#detail-body tr", has=page.get_by_role("rowheader", name="relation"))
    expect(rows.first).to_contain_text("atrial fibrillation")  # once the text is unpacked
    told = [row.locator("td").all_inner_texts()[:3] for row in rows.all()]
    right = ["Strength-Drug ← 5 mg 61–65", "Frequency-Drug ← every evening 66–79"]
    missed = ["Reason-Drug ← atrial fibrillation 84–103", "ADE-Drug ← nosebleed 107–116"]
    assert [gold for gold, *_ in told if gold != "—"] == [*missed, *right]
    found = [system for _, system, _ in told if system != "—"]
    assert found == ["Reason-Drug ← nosebleed 107–116", *right]
    assert [gold for gold, system, same in told if same == "✓" and gold == system] == right
    page.get_by_role("button", name="Reason-Drug ← nosebleed").click()
    fields = page.locator("#detail-body .fields")
    expect(fields.get_by_role("rowheader", name="source")).to_have_count(1)
    expect(fields).to_contain_text("Reason-Drug")


def test_of_two_mentions_at_one_place_the_argument_has_the_relation(
    make_report, open_page, tmp_path
):
    lines = ["T1\tDrug 0 7\taspirin", "T2\tReason 12 16\tpain", "T3\tADE 12 16\tpain"]
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
        text = "\n".join([*lines, "R1\tReason-Drug Arg1:T2 Arg2:T1", ""])
        (tmp_path / side / "a.ann").write_text(text)
        (tmp_path / side / "a.txt").write_text("aspirin for pain")
    sides = (tmp_path / "gold", tmp_path / "system", "--no-text")
    page = open_page(make_report("n2c2_2018_track2", *sides))
    related = page.evaluate(
        """() => [...Array(corpus.gold.size).keys()].map((row) =>
          [corpus.gold.value(row, head.slots[0]), corpus.gold.relationsOf(row).length])"""
    )
    assert sorted(related) == [["ADE", 0], ["Drug", 1], ["Reason", 1], ["Reason-Drug", 0]]


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("module", ["i2b2_2010", "bc5cdr"])
def test_kinds_that_share_their_labels_are_counted_apart(module, protocol, make_report, open_page):
    (prediction, gold), _ = arguments_of(module)
    text = ("--no-text",) if module == "i2b2_2010" else ()
    page = open_page(make_report(module, gold, prediction, "--protocol", protocol, *text))
    assert page.evaluate("findDifferences()") == []
    checked = page.evaluate("head.checks.map(({ key }) => key)")
    lacking = {("i2b2_2010", "official"): 3, ("bc5cdr", "official"): 24}.get((module, protocol), 0)
    assert len(checked) == {"i2b2_2010": 48, "bc5cdr": 42}[module] - lacking


def test_items_that_are_equal_or_not_have_one_way_of_counting(make_report, open_page, expect):
    (prediction, gold), _ = arguments_of("bc5cdr")
    page = open_page(make_report("bc5cdr", gold, prediction))
    for group in ("Match mode", "Criterion"):
        expect(page.get_by_role("group", name=group)).to_be_hidden()
    scores = page.evaluate("head.systems[0].scores")
    for kind in ("concepts", "relations", "mentions"):
        page.get_by_label("Preset").select_option(kind)
        expect(page.locator("#headline")).to_have_text(f"{kind}_f1 {scores[f'{kind}_f1']:.4f}")
    page.keyboard.press("o")
    assert page.evaluate("view.match") == "exact"
    again = open_page(page.url.split("file://")[1].split("#")[0], "#preset=relations")
    expect(again.locator("#headline")).to_contain_text("relations_f1")


@pytest.mark.parametrize("shown", ["gold", "both", "merged"])
@pytest.mark.parametrize("width", [390, 768, 1440])
def test_arcs_are_stacked_over_the_words_and_cross_none(
    report, open_page, wait_until_drawn, width, shown
):
    page = open_page(report, f"#doc=demo-002&show={shown}", width=width, height=900)
    for _ in range(3):
        points, labels, crossed = page.evaluate(CROSSED)
        assert points > 300
        assert labels > 10
        assert crossed == []
        page.keyboard.press("n")
        wait_until_drawn(page)


def test_a_relation_across_rows_has_a_stretch_on_each_and_both_lead_to_it(report, open_page):
    page = open_page(report, "#doc=demo-002&show=merged", width=390, height=900)
    keys = (
        "[...document.querySelectorAll('#document-body g.relation')].map((arc) => arc.dataset.key)"
    )
    drawn = page.evaluate(keys)
    broken = next(key for key in drawn if drawn.count(key) == 2)
    for at in range(2):
        label = page.locator(f"#document-body g.relation[data-key={broken}] text").nth(at)
        label.dispatch_event("click")
        assert page.evaluate("view.m") == broken
        page.keyboard.press("j")


def test_what_is_right_has_one_arc_where_both_sides_are_merged(report, open_page):
    page = open_page(report, "#doc=demo-002&show=merged")
    [merged] = page.evaluate(
        "current.panes.map(({ arcs }) => arcs.map(({ key, look }) => [key[0], look]))"
    )
    assert ["g", "right"] in merged
    assert ["p", "right"] not in merged
    assert any(side == "p" for side, _ in merged)


def test_what_was_missed_of_relations_is_called_a_relation(open_page, make_report):
    sides = (DEMO / "gold", DEMO / "tagger", "--text", DEMO / "text")
    page = open_page(make_report("n2c2_2018_track2", *sides))
    said = page.evaluate("""() => Array.from(corpus.gold.document, (_, row) => row)
      .filter((row) => widest(view0()).gold[row] < 0)
      .map((gold) => [corpus.gold.sourceSize(gold) > 0, element("p", {}, ...summary({ gold, system: -1 })).textContent])""")
    relations = [text for is_relation, text in said if is_relation]
    assert len(relations) > 5
    for text in relations:
        assert text.startswith("Missed relation: no predicted relation is paired with it. ")
        assert "mention" not in text
    arrows = [text for text in relations if "It overlaps nothing" not in text]
    assert arrows
    assert all(" → " in text for text in arrows)
    assert all(text.startswith("Missed: ") for is_relation, text in said if not is_relation)
