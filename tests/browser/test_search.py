"""Search: phrases, codes and regular expressions, over notes and items, with and without text."""

import json
import re

import pytest
from conftest import ROOT

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL = CHALLENGES / "semeval15_task14" / "demo"
CORPORA = {
    "sections": ("clinais23_b2", *(CHALLENGES / "clinais23_b2" / "demo" / f"{n}.json" for n in ("gold", "tagger"))),
    "entries": (
        "i2b2_2009_medication",
        *(CHALLENGES / "i2b2_2009_medication" / "demo" / n for n in ("gold", "rules")),
        *("--text", CHALLENGES / "i2b2_2009_medication" / "demo" / "records"),
    ),
    "rankings": (
        "clefehealth13_task3",
        *(CHALLENGES / "clefehealth13_task3" / "demo" / f"{n}.txt" for n in ("qrels", "team.run1")),
    ),
    "codes": (
        "codiesp20",
        *(CHALLENGES / "codiesp20" / "demo" / f"{n}_D.tsv" for n in ("gold", "classifier")),
    ),
}  # fmt: skip
NOTES = {path.name: path.read_text("utf-8") for path in sorted((SEMEVAL / "text").iterdir())}


@pytest.fixture(scope="module")
def one(make_report):
    sides = SEMEVAL / "gold", SEMEVAL / "tagger"
    return make_report("semeval15_task14", *sides, "--text", SEMEVAL / "text")


@pytest.fixture(scope="module")
def bare(make_report):
    return make_report("semeval15_task14", SEMEVAL / "gold", SEMEVAL / "tagger", "--no-text")


@pytest.fixture
def ask(expect):
    """Type a question and wait for its answer."""

    def ask(page, query, *, regular=False):
        page.locator("#regular").set_checked(regular)
        page.locator("#query").fill(query)
        page.locator("#query").press("Enter")
        expect(page.locator("body")).to_have_attribute("data-searched", query)

    return ask


def hits_of(pattern):
    return [(name, m.start(), m.end()) for name, t in NOTES.items() for m in pattern.finditer(t)]


@pytest.mark.parametrize(
    "question",
    [
        ("chest pain", False, r"chest\s+pain"),
        ("Chest  PAIN", False, r"chest\s+pain"),
        (r"(left|right) \w+", True, r"(left|right) \w+"),
        ("s/p", False, "s/p"),
        ("(", False, r"\("),
    ],
)
def test_hits_are_all_places_in_the_notes(one, open_page, ask, question):
    query, regular, pattern = question
    page = open_page(one)
    ask(page, query, regular=regular)
    found = page.evaluate(
        "current.hits.map(({ d, start, end }) => [corpus.documents[d], start, end])"
    )
    expected = hits_of(re.compile(pattern, re.IGNORECASE))
    assert [tuple(hit) for hit in found] == expected
    assert page.locator("#tab-hits").inner_text() == f"Hits {len(expected)}"
    assert expected


def test_items_are_those_that_a_hit_touches_and_filters_combine_with_them(
    one, open_page, ask, expect
):
    page = open_page(one, "#match=overlap&crit=span")
    ask(page, "pain")
    places = hits_of(re.compile("pain", re.IGNORECASE))
    items = """() => [...current.rows].map((i) => {
      const [g, p] = [current.items.golds[i], current.items.predictions[i]];
      return [corpus.documents[current.items.documents[i]], current.items.verdicts[i],
        [...(g >= 0 ? corpus.gold.fragments(g) : []), ...(p >= 0 ? view0().fragments(p) : [])]];
    })"""
    found = page.evaluate(items)
    assert found
    for name, _, fragments in found:
        assert any(n == name and a < e and s < b for n, a, b in places for s, e in fragments)
    page.locator("#filters .chip", has_text="FN").click()
    missed = [item for item in found if item[1] == 2]
    expect(page.locator("#tab-pairs")).to_have_text(f"Items {len(missed)}")
    assert page.evaluate(items) == missed
    shown = page.evaluate(
        "current.hits.map(({ d, start, end }) => [corpus.documents[d], start, end])"
    )
    assert {tuple(hit) for hit in shown} == {
        (n, a, b) for n, a, b in places
        if any(n == name and a < e and s < b for name, _, f in missed for s, e in f)
    }  # fmt: skip


def test_a_hit_opens_its_note_and_is_marked_there(one, open_page, ask, expect, wait_until_drawn):
    page = open_page(one)
    ask(page, "warfarin")
    page.locator("#tab-hits").click()
    row = page.locator("#hits [role=option]").first
    expect(row.locator("b")).to_have_text("warfarin")
    row.click()
    name = page.evaluate("corpus.documents[current.hits[0].d]")
    expect(page.locator("#document-name")).to_have_text(name)
    wait_until_drawn(page)
    marked = page.evaluate("[...CSS.highlights.get('hit')].map(String)")
    assert set(marked) == {"warfarin"}
    panes = page.locator("#document-body .pane-title").count()
    assert len(marked) == panes * len(re.findall("warfarin", NOTES[name]))
    assert page.evaluate("[...CSS.highlights.get('chosen-hit')].map(String)") == ["warfarin"]


def test_what_is_searched_survives_a_reload_and_can_be_taken_away(one, open_page, ask, expect):
    page = open_page(one)
    everything = page.locator("#tab-pairs").inner_text()
    ask(page, "pain")
    before = page.locator("#tab-pairs").inner_text()
    assert before != everything
    page.reload()
    expect(page.locator("#tab-pairs")).to_have_text(before)
    expect(page.locator("#query")).to_have_value("pain")
    page.get_by_role("button", name="“pain” ✕").click()
    expect(page.locator("#tab-pairs")).to_have_text(everything)
    expect(page.locator("#query")).to_have_value("")
    expect(page.locator("#tab-hits")).to_be_hidden()


def test_codes_are_found_without_text(bare, open_page, ask, expect):
    page = open_page(bare, "#match=exact&crit=span")
    code = page.locator("#statistics tbody tr").nth(3).locator("th").inner_text()
    ask(page, code)
    rows = page.evaluate(
        "[...current.rows].map((i) => [current.items.golds[i], current.items.predictions[i]])"
    )
    values = page.evaluate(
        """(rows) => rows.map(([g, p]) => [g >= 0 ? corpus.gold.value(g, head.slots[CLASS_SLOT]) : '',
            p >= 0 ? view0().value(p, head.slots[CLASS_SLOT]) : ''])""", rows,
    )  # fmt: skip
    assert rows
    assert all(code in pair for pair in values)
    expect(page.locator("#tab-hits")).to_be_hidden()


def test_what_is_no_regular_expression_is_said_and_not_applied(one, open_page, ask, expect):
    page = open_page(one)
    ask(page, "pain")
    before = page.locator("#tab-pairs").inner_text()
    page.locator("#regular").check()
    page.locator("#query").fill("((")
    page.locator("#query").press("Enter")
    expect(page.locator("#query-problem")).to_contain_text("not a valid regular expression")
    assert page.evaluate("view.query") == "pain"
    assert page.locator("#tab-pairs").inner_text() == before
    page.locator("#query").fill("(left|right)")
    page.locator("#query").press("Enter")
    expect(page.locator("#query-problem")).to_have_text("")
    expect(page.locator("body")).to_have_attribute("data-searched", "(left|right)")
    page.goto(page.url.split("#")[0] + "#q=((&re=1")
    expect(page.locator("#query-problem")).to_contain_text("not a valid regular expression")
    expect(page.locator("#query")).to_have_value("((")
    assert page.evaluate("view.query") == ""


def test_typing_searches_and_what_is_not_there_is_not_perfect(one, open_page, expect):
    page = open_page(one)
    page.locator("#query").press_sequentially("zebra")
    expect(page.locator("#no-pairs")).to_have_text("No item matches “zebra”.")
    expect(page.locator("#document-body")).to_have_text("No item matches “zebra”.")
    page.locator("#filters .chip", has_text="FN").click()
    expect(page.locator("#no-pairs")).to_have_text(
        "No item matches “zebra” under the other filters."
    )
    page.get_by_role("button", name="“zebra” ✕").click()
    expect(page.locator("#query")).to_have_value("")


def test_frequent_errors_follow_the_search(one, open_page, ask, expect):
    page = open_page(one, "#match=exact&crit=span&tab=frequent")
    everything = page.locator("#frequent li").count()
    ask(page, "pain")
    listed = page.locator("#frequent li")
    expect(page.locator("#tab-frequent")).to_have_attribute("aria-selected", "true")
    assert 0 < listed.count() < everything
    n = listed.first.locator("button").inner_text()
    listed.first.locator("button").click()
    expect(page.locator("#tab-pairs")).to_have_text(f"Items {n}")
    expect(page.locator("#query")).to_have_value("pain")


def test_pairs_of_one_code_say_which_mode_has_confusions(one, open_page, expect):
    page = open_page(one, "#match=exact&crit=both")
    page.keyboard.press("c")  # slots
    page.locator("#slots-body .link", has_text=re.compile("^cui$")).click()
    expect(page.locator("#slots-body .empty")).to_contain_text("have the same code")
    page.locator("#slots-body .empty .link").click()
    assert page.evaluate("view.criterion") == "span"


@pytest.mark.parametrize(
    ("view", "query"),
    [("sections", "EXPLORATION"), ("entries", "mg"), ("rankings", "doc1"), ("codes", "^[a-m]")],
)
def test_every_view_can_be_searched(make_report, open_page, ask, view, query):
    page = open_page(make_report(*CORPORA[view]))
    regular = query.startswith("^")
    if view == "rankings":
        query = page.evaluate("corpus.systems[0].lists.ranks.item(0).name")
    ask(page, query, regular=regular)
    items = page.evaluate("current.rows.map((i) => JSON.stringify(current.list.item(i)))")
    everything = page.evaluate("current.list.size")
    assert 0 < len(items) < everything
    if view == "codes":
        assert all(json.loads(item)["code"][0].lower() <= "m" for item in items)
    if view == "rankings":
        assert all(json.loads(item)["name"] == query for item in items)


def test_the_marks_of_hits_follow_what_is_asked(one, open_page, ask):
    page = open_page(one)
    marks = "CSS.highlights.get('hit')?.size ?? 0"
    ask(page, "chest")
    first = page.evaluate(marks)
    assert first
    ask(page, "")
    assert page.evaluate(marks) == 0
    page.keyboard.press("Escape")
    page.evaluate("change({ doc: hasFilter() ? null : view.doc })")
    ask(page, "chest")
    page.wait_for_function(f"{marks} === {first}")


def test_what_was_given_up_can_be_asked_again(one, open_page, ask):
    page = open_page(one)
    page.evaluate("""() => {
      change({ query: "chest" });
      change({ query: "" });
    }""")
    page.wait_for_function("current.searching === null")
    ask(page, "chest")
    assert page.evaluate("current.hits.length") > 0
