"""Journeys through a report of mentions: from a score down to the annotation."""

import csv
import io
import json
import re

import pytest
from conftest import ROOT

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL = CHALLENGES / "semeval15_task14" / "demo"
CLEF = CHALLENGES / "clefehealth13_task1" / "demo"
ACRONYMS = CHALLENGES / "clefehealth13_task2" / "demo"
MODES = [(m, c) for m in ("exact", "overlap") for c in ("span", "class", "both")]


@pytest.fixture(scope="module")
def one(make_report):
    return make_report(
        "semeval15_task14", SEMEVAL / "gold", SEMEVAL / "tagger", "--text", SEMEVAL / "text"
    )


@pytest.fixture(scope="module")
def two(make_report):
    systems = (SEMEVAL / "dictionary", SEMEVAL / "tagger")
    return make_report("semeval15_task14", SEMEVAL / "gold", *systems, "--text", SEMEVAL / "text")


@pytest.fixture(scope="module")
def clef(make_report):
    return make_report(
        "clefehealth13_task1", CLEF / "gold.pipe", CLEF / "tagger.pipe", "--text", SEMEVAL / "text"
    )


def scores_of(page):
    return json.loads(page.locator("#head").text_content())["systems"][0]["scores"]


def shown_pairs(page):
    """How many pairs the list has; its size for screen readers must agree with its title."""
    size = int(page.locator("#tab-pairs").inner_text().removeprefix("Items ").replace(",", ""))
    if size:
        page.wait_for_selector("#pairs [role=option]", state="attached")
        option = page.locator("#pairs [role=option]").first
        assert int(option.get_attribute("aria-setsize")) == size
    return size


def download(page, name):
    page.locator("summary", has_text="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return waiting.value.path().read_text("utf-8")


def test_a_cell_leads_to_the_list_the_document_and_the_detail(one, open_page):
    page = open_page(one, "#match=overlap&crit=span")
    cell = page.get_by_role("button", name="All: FN 23, show them")
    cell.click()
    assert cell.get_attribute("aria-pressed") == "true"
    assert page.locator("#tab-pairs").get_attribute("aria-selected") == "true"
    assert shown_pairs(page) == 23 == scores_of(page)["span_fn"]
    assert page.locator("#position").inner_text() == "item 1 of 23"
    assert page.locator("#pairs [aria-selected=true]").count() == 1
    missed = page.locator("#document-body mark[aria-current=true]").first
    assert "k-missed" in missed.get_attribute("class")
    assert page.locator("#detail-body .summary").inner_text().startswith("Missed")
    span = page.locator("#detail-body .fields tbody tr").first.inner_text()
    assert "\N{EN DASH}" in span
    assert "\N{EM DASH}" in span


@pytest.mark.parametrize(("match", "criterion"), MODES)
def test_every_number_is_the_length_of_a_list_that_the_page_shows(one, open_page, match, criterion):
    page = open_page(one, f"#match={match}&crit={criterion}")
    counts = page.evaluate(
        """() => {
          history.pushState = () => {};  // Chromium slows down an address that changes this often
          const wrong = [];
          let checked = 0;
          const press = (box, before) => {
            for (let k = 0; k < document.querySelectorAll(box + ' .cell').length; k++) {
              before();
              const cell = document.querySelectorAll(box + ' .cell')[k];
              const number = cell.textContent.replaceAll(',', '');
              if (number.includes('.') || number === '–') continue;
              cell.click();
              checked++;
              if (current.rows.length !== Number(number)) wrong.push([cell.ariaLabel, current.rows.length]);
            }
          };
          press('#statistics tr:nth-child(-n+12)', () => {});
          press('#frequent section', () => change({ tab: 'frequent' }));
          for (const { name } of head.slots) press('#slots', () => change({ slotShown: name }));
          return { wrong, checked };
        }"""
    )
    assert counts["wrong"] == []
    assert counts["checked"] > 100


def test_the_modes_give_the_scores_of_the_core(one, open_page):
    page = open_page(one)
    scores = scores_of(page)
    prefixes = {("exact", "both"): "strict", ("overlap", "both"): "relaxed"}
    prefixes["overlap", "span"] = "span"
    for (match, criterion), prefix in prefixes.items():
        page.locator(f"[data-set='match:{match}']").click()
        page.locator(f"[data-set='criterion:{criterion}']").click()
        row = page.locator("#statistics tbody tr").first.locator("td").all_inner_texts()
        assert row[2:5] == [str(scores[f"{prefix}_{kind}"]) for kind in ("tp", "fp", "fn")]
        assert row[5:8] == [f"{scores[f'{prefix}_{m}']:.4f}" for m in ("precision", "recall", "f1")]
        assert page.locator("#headline").inner_text() == f"{prefix}_f1 {scores[f'{prefix}_f1']:.4f}"


@pytest.mark.parametrize(
    ("preset", "key", "address"),
    [
        ("1a exact", "exact_f1", "match=exact&crit=span"),
        ("1a overlap", "overlap_f1", "match=overlap&crit=span"),
        ("1b strict", "strict_accuracy", "match=exact&crit=both"),
        ("1b relaxed", "relaxed_accuracy", "match=exact&crit=class"),
    ],
)
def test_the_presets_are_those_of_the_lab(clef, open_page, preset, key, address):
    page = open_page(clef)
    page.locator("#preset").select_option(preset)
    assert address in page.url
    shown = f"{scores_of(page)[key]:.4f}"
    assert page.locator("#headline").inner_text() == f"{key} {shown}"
    measure = -2 if key == "strict_accuracy" else -1  # recall; else F1 or accuracy
    cells = page.locator("#statistics tbody tr").first.locator("td:not(.interval)")
    assert cells.all_inner_texts()[measure] == shown


def test_slots_that_weigh_nothing_count_as_in_the_scores(make_report, open_page, tmp_path):
    """With weights of the references a slot that never varies weighs 0."""
    line = (
        "a|{0}|C1|no|NULL|patient|NULL|{1}|NULL|unmarked|NULL|unmarked|NULL|false|NULL|false|NULL|"
    )
    for side, uncertain in (("gold", "no"), ("found", "yes")):
        lines = [line.format("1-5", "no"), line.format("9-12", uncertain)]
        (tmp_path / f"{side}.pipe").write_text("NULL|NULL|\n".join([*lines, ""]))
    sides = (tmp_path / f"{side}.pipe" for side in ("gold", "found"))
    options = ("--no-text", "--weights", "references")
    page = open_page(make_report("semeval15_task14", *sides, *options), "#match=overlap&crit=span")
    assert scores_of(page)["uncertainty_weighted_accuracy"] == 0.5
    assert page.locator("body[data-ready]").count() == 1
    assert "0.5000" in page.locator("#slots").inner_text()


@pytest.fixture(scope="module")
def codes(make_report, tmp_path_factory):
    """Spans with several codes: one system has one of them each, the other has others."""
    folder = tmp_path_factory.mktemp("codes")
    sides = {
        "gold": [(4, 15, "C1"), (4, 15, "C2"), (20, 25, "C3"), (30, 40, "C4"), (30, 40, "C5")],
        "one": [(4, 15, "C2"), (20, 25, "C3"), (31, 40, "C4"), (31, 40, "C9"), (50, 55, "C1")],
        "two": [(4, 15, "C1"), (4, 15, "C8"), (4, 15, "C9"), (50, 55, "C1"), (50, 55, "C2")],
    }
    for side, lines in sides.items():
        text = "".join(f"a||T||{code}||{start}||{end}\n" for start, end, code in lines)
        (folder / f"{side}.pipe").write_text(text)
    paths = (folder / f"{side}.pipe" for side in sides)
    return make_report("clefehealth13_task1", *paths, "--no-text")


def test_spans_with_several_codes_count_once_where_spans_count(codes, open_page):
    """The page compares what it counts with the scores, and an error would fail the test."""
    page = open_page(codes, "#match=overlap&crit=span")
    for system, scores in enumerate(json.loads(page.locator("#head").text_content())["systems"]):
        for match, criterion, prefix in (
            ("exact", "span", "exact"),
            ("overlap", "span", "overlap"),
        ):
            page = open_page(codes, f"#match={match}&crit={criterion}&sys={system}")
            row = page.locator("#statistics tbody tr").first.locator("td").all_inner_texts()
            counts = [str(scores["scores"][f"{prefix}_{kind}"]) for kind in ("tp", "fp", "fn")]
            assert row[2:5] == counts
        page = open_page(codes, f"#match=exact&crit=class&sys={system}")
        row = page.locator("#statistics tbody tr").first.locator("td").all_inner_texts()
        wanted = [str(scores["scores"][key]) for key in ("relaxed_total", "correct")]
        assert row[:2] == wanted


def test_two_systems_are_compared_span_by_span(codes, open_page):
    """Both found the first span, if by other codes; the first one the other two as well."""
    page = open_page(codes, "#match=overlap&crit=span")
    shown = page.locator("#comparison li").all_inner_texts()
    numbers = {text.split("\n")[0]: text.split("\n")[-1] for text in shown}
    assert numbers["right in both"] == "1"
    assert numbers["broken"] == "2"


def test_a_mention_whose_span_another_one_stands_for_says_so(codes, open_page):
    page = open_page(codes, "#match=exact&crit=span&doc=a&m=g0")
    assert "Its span counts once, for another mention" in page.locator("#detail-body").inner_text()
    counts = page.locator("#detail-body .modes tbody tr").first.locator("td").all_inner_texts()
    assert counts == ["\N{EN DASH}", "\N{EN DASH}", "FN"]


def test_abbreviations_are_judged_by_the_first_code_or_by_any_listed(make_report, open_page):
    systems = (ACRONYMS / "dictionary.pipe", ACRONYMS / "first_sense.pipe")
    text = ("--text", SEMEVAL / "text")
    page = open_page(make_report("clefehealth13_task2", ACRONYMS / "gold.pipe", *systems, *text))
    scores = scores_of(page)
    for mode, kind in (("First code", "strict"), ("Listed code", "relaxed")):
        page.get_by_role("button", name=mode, exact=True).click()
        row = page.locator("#statistics tbody tr").first.locator("td").all_inner_texts()
        assert (row[0], row[2]) == (str(scores["total"]), str(scores[f"{kind}_correct"]))
        shown = f"{scores[f'{kind}_accuracy']:.4f}"
        assert row[5] == shown  # there is an answer for each: a precision would say nothing
        assert page.locator("#headline").inner_text() == f"{kind}_accuracy {shown}"
        assert (
            f"dictionary.pipe {shown} → first_sense.pipe"
            in page.locator("#comparison").inner_text()
        )
    page.get_by_role("button", name="First code", exact=True).click()
    page.locator("[data-set='show:both']").click()
    page.get_by_role("button", name="All: FN 10, show them").click()
    assert shown_pairs(page) == 10
    assert "in the list, not first" in page.locator("#detail-body").inner_text()
    assert page.locator("#criteria").is_hidden()


@pytest.mark.parametrize(
    ("mode", "wrong"),
    [
        ("First code", [("C3", "C9"), ("C5,C6", "C6")]),
        ("Listed code", [("C3", "C9")]),
    ],
)
def test_confusions_of_abbreviations_are_the_wrong_answers(
    mode, wrong, make_report, open_page, tmp_path
):
    """Right ones, of a list too, are none."""
    sides = {"gold": ("C1,C2", "C3", "C5,C6"), "system": ("C1", "C9", "C6")}
    for name, codes in sides.items():
        lines = [f"a.txt||Acronym||{c}||{10 * k}||{10 * k + 3}\n" for k, c in enumerate(codes)]
        (tmp_path / f"{name}.pipe").write_text("".join(lines))
    paths = (tmp_path / "gold.pipe", tmp_path / "system.pipe")
    page = open_page(make_report("clefehealth13_task2", *paths, "--no-text"))
    page.get_by_role("button", name=mode, exact=True).click()
    rows = page.locator("#slots-body tbody tr")
    told = [row.locator("td").all_inner_texts() for row in rows.all()]
    assert sorted((cells[0], cells[2], cells[3]) for cells in told) == [(*w, "1") for w in wrong]
    page.keyboard.press("c")  # slots
    rows.first.locator(".cell").click()
    assert shown_pairs(page) == 1
    assert page.locator("#detail-body .different td").all_inner_texts()[:2] == list(wrong[0])


def test_the_scores_that_rank_task_2_are_on_the_page(one, open_page, expect):
    page = open_page(one, "#match=overlap&crit=span")
    scores = scores_of(page)
    page.keyboard.press("c")  # slots
    for row, prefix in (("All", ""), ("F1 × all", "f1_x_")):
        cells = page.locator(
            "#slots-body tr", has=page.get_by_role("rowheader", name=row, exact=True)
        )
        assert cells.locator("td").all_inner_texts()[1:3] == [
            f"{scores[f'{prefix}{key}']:.4f}" for key in ("accuracy", "weighted_accuracy")
        ]
    for name, key in (
        ("Task 2 accuracy", "accuracy"),
        ("Task 2 F × accuracy", "f1_x_accuracy"),
        ("Task 2a weighted accuracy", "weighted_accuracy"),
        ("Task 2b F × weighted accuracy", "f1_x_weighted_accuracy"),
    ):
        page.get_by_label("Preset").select_option(name)
        expect(page.locator("#headline")).to_have_text(f"{key} {scores[key]:.4f}")
    assert "95 %" in page.locator("#headline-interval").inner_text()


def test_a_cell_of_a_slot_shows_the_pairs_with_these_two_values(one, open_page):
    page = open_page(one, "#match=overlap&crit=span")
    page.keyboard.press("c")  # slots
    page.get_by_role("button", name="severity", exact=True).click()
    cell = page.locator("#slots-body .off .cell").first
    label, size = cell.get_attribute("aria-label"), int(cell.inner_text())
    cell.click()
    assert shown_pairs(page) == size
    gold, system = label.removeprefix("severity: gold ").split(":")[0].split(", system ")
    row = page.locator("#detail-body .fields tr", has_text="severity").locator("td")
    assert row.all_inner_texts()[:3] == [gold, system, "✗"]
    page.get_by_role("button", name=f"severity {gold}* → {system} ✕").or_(
        page.get_by_role("button", name=f"severity {gold} → {system}")
    ).first.click()
    assert shown_pairs(page) == scores_of(page)["span_tp"] + 16 + 23


def test_the_keyboard_goes_round_the_errors(one, open_page):
    page = open_page(one, "#match=overlap&crit=span&f=fp&tab=pairs")
    assert page.locator("#position").inner_text() == "item 1 of 16"
    seen = []
    for _ in range(16):
        seen.append((page.locator("#document-name").inner_text(), page.evaluate("view.m")))
        page.keyboard.press("j")
    assert len(set(seen)) == 16
    assert page.locator("#position").inner_text() == "item 1 of 16"
    page.keyboard.press("k")
    assert page.locator("#position").inner_text() == "item 16 of 16"
    before = page.locator("#document-name").inner_text()
    page.keyboard.press("p")
    assert page.locator("#document-name").inner_text() != before
    page.keyboard.press("n")
    assert page.locator("#document-name").inner_text() == before


def test_it_can_be_used_with_the_keyboard_alone(one, open_page):
    page = open_page(one)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the document"
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
    assert {
        "system",
        "preset",
        "tab-reports",
        "sort",
        "goto",
        "reports",
        "document-body",
    } <= reached
    page.get_by_role("button", name="All: TP").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    focus = "document.activeElement.ariaLabel"
    assert page.evaluate(focus).startswith("With CUI: FP")
    page.locator("#tab-reports").click()
    page.locator("#reports").focus()
    page.keyboard.press("End")
    assert page.locator("#document-name").inner_text() == page.evaluate(
        "corpus.documents[current.order.at(-1)]"
    )
    page.locator("#tab-reports").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-pairs"
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible()


def test_an_address_restores_what_was_seen(one, open_page):
    page = open_page(one, "#match=overlap&crit=span")
    page.keyboard.press("c")
    page.locator("#slots-body .off .cell").first.click()
    page.keyboard.press("m")
    page.keyboard.press("j")
    parts = "location.hash", "document.getElementById('position').textContent", "view.m"
    before = [page.evaluate(part) for part in parts]
    again = open_page(one, before[0])
    assert [again.evaluate(part) for part in parts] == before
    assert again.locator("[data-set='show:merged']").get_attribute("aria-pressed") == "true"


def test_a_stale_address_opens_the_page_all_the_same(one, open_page):
    page = open_page(one, "#doc=gone&m=p999&f=x&class=C9&slot=no:a>b&phrase=99999&sort=?&sys=7")
    assert page.locator("#document-name").inner_text().startswith("demo-")
    assert page.locator("#warning").is_hidden()


def test_back_returns_to_what_was_seen_before(one, open_page):
    page = open_page(one, "#match=overlap&crit=span")
    first = page.locator("#document-name").inner_text()
    page.locator("#reports [role=option]").nth(2).click()
    second = page.locator("#document-name").inner_text()
    page.keyboard.press("e")
    page.go_back()
    assert page.evaluate("view.match") == "overlap"
    assert page.locator("#document-name").inner_text() == second != first
    page.go_back()
    assert page.locator("#document-name").inner_text() == first
    page.go_forward()
    assert page.locator("#document-name").inner_text() == second


def test_exported_pairs_add_up_to_the_score(one, open_page):
    page = open_page(one, "#match=overlap&crit=span")
    rows = list(csv.DictReader(io.StringIO(download(page, "This list, CSV"))))
    scores = scores_of(page)
    tp, fp, fn = (sum(r["verdict"] == kind for r in rows) for kind in ("tp", "fp", "fn"))
    assert 2 * tp / (2 * tp + fp + fn) == pytest.approx(scores["span_f1"])
    pairs = [row for row in rows if row["verdict"] == "tp"]
    slots = [name.removesuffix("_equal") for name in rows[0] if name.endswith("_equal")]
    weights = [sum(float(row[f"{s}_weight"]) for s in slots) for row in pairs]
    equal = [sum(float(r[f"{s}_weight"]) * int(r[f"{s}_equal"]) for s in slots) for r in pairs]
    weighted = sum(e / w for e, w in zip(equal, weights, strict=True)) / len(pairs)
    assert weighted == pytest.approx(scores["weighted_accuracy"])
    exported = json.loads(download(page, "This list, JSON"))
    assert len(exported["pairs"]) == len(rows)
    assert exported["signature"].startswith("semeval15_task14|")


def test_only_what_is_shown_is_exported(one, open_page):
    page = open_page(one, "#match=overlap&crit=span&f=boundary,discontiguous")
    rows = list(csv.DictReader(io.StringIO(download(page, "This list, CSV"))))
    assert len(rows) == shown_pairs(page)
    assert all("boundary" in row["errors"] for row in rows)
    assert all("," in row["gold_spans"] + row["system_spans"] for row in rows)


def test_the_table_of_outcome_measures_is_the_command_line_s(
    two, clef, open_page, tmp_path, make_report
):
    for path, arguments in (
        (two, ("semeval15_task14", SEMEVAL / "gold", SEMEVAL / "dictionary", SEMEVAL / "tagger")),
        (clef, ("clefehealth13_task1", CLEF / "gold.pipe", CLEF / "tagger.pipe")),
    ):
        table = tmp_path / "measures.csv"
        make_report(*arguments, "--no-text", "--store-measures", table)
        assert download(open_page(path), "Store outcome measures, CSV") == table.read_text()


def test_two_systems_are_compared_gold_mention_by_gold_mention(two, open_page):
    page = open_page(two, "#match=overlap&crit=span")
    first, second = (system["scores"] for system in page.evaluate("head.systems"))
    cells = page.locator("#comparison .cell")
    right, fixed, broken, wrong = (int(cells.nth(k).inner_text()) for k in range(4))
    assert right + broken == first["span_tp"]
    assert right + fixed == second["span_tp"]
    assert broken + wrong == second["span_fn"]
    assert re.search(r"span_f1: p (< 0.0001|= 0\.\d{4})", page.locator("#comparison").inner_text())
    cells.nth(1).click()
    assert shown_pairs(page) == fixed
    assert set(page.evaluate("[...current.rows].map((i) => current.items.verdicts[i])")) == {2}
    assert page.locator(".pane-title").all_inner_texts() == ["Gold", "dictionary", "tagger"]
    page.keyboard.press("x")
    assert page.locator("#system").input_value() == "1"
    assert set(page.evaluate("[...current.rows].map((i) => current.items.verdicts[i])")) == {0}
    page.locator("#tab-reports").click()
    page.locator("#sort").select_option("difference")
    order = page.evaluate("current.order.map((d) => Math.abs(current.differences[d]))")
    assert order == sorted(order, reverse=True)


def test_fragments_of_a_mention_are_joined(one, open_page, go_to, wait_until_drawn):
    page = open_page(one, "#match=overlap&crit=span&f=discontiguous&tab=pairs")
    for _ in range(12):
        joined = page.evaluate(
            """() => {
              const marks = [...document.querySelectorAll('mark[data-fragment]')];
              const numbered = marks.filter((m) => m.dataset.link);
              const names = new Set(numbered.map((m) => m.closest('.line').dataset.pane + m.dataset.link));
              return [names.size, [...names].filter((name) => numbered.filter((m) => m.closest('.line').dataset.pane + m.dataset.link === name).length > 1).length];
            }"""
        )
        assert joined[0] == joined[1] > 0
        page.keyboard.press("n")
        wait_until_drawn(page)
    curves = """() => [...document.querySelectorAll('path.connector')].map((path) => {
      const box = path.getBoundingClientRect();
      return [...document.querySelectorAll('mark[data-fragment]')].some((mark) =>
        [...mark.getClientRects()].some((r) => Math.abs(r.right - box.left) < 4 && Math.abs(r.bottom - box.top) < 6));
    })"""
    go_to(page, doc="demo-019-ECHO_REPORT.txt", show="gold")
    found = []
    for size in (1280, 1000):
        page.set_viewport_size({"width": size, "height": 800})
        page.wait_for_function("(size) => innerWidth === size", arg=size)
        for _ in range(24):
            page.keyboard.press("n")
            wait_until_drawn(page)
            found += page.evaluate(curves)
    assert len(found) > 5
    assert all(found)


def test_pressing_again_where_mentions_overlap_goes_to_the_next_one(
    open_page, make_report, tmp_path
):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "d.txt").write_text("severe chest pain today")
    for side in ("gold", "pred"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "d.pipe").write_text("d.txt|0-17|C0000001|\nd.txt|7-17|C0000002|\n")
    page = open_page(
        make_report(
            "semeval15_task14", tmp_path / "gold", tmp_path / "pred",
            "--config", "task1", "--text", tmp_path / "notes",
        )
    )  # fmt: skip
    inner = page.locator("[data-pane='0'] mark mark").first
    chosen = []
    for _ in range(3):
        inner.click()
        chosen.append(page.evaluate("view.m"))
    assert set(chosen) == {"g0", "g1"}


def test_a_filter_that_nothing_passes_says_so(clef, open_page):
    page = open_page(clef, "#match=exact&crit=both&f=tp,boundary&tab=pairs")
    assert shown_pairs(page) == 0
    assert page.locator("#no-pairs").inner_text() == "Perfect: nothing matches this filter."
    page.get_by_role("button", name="show all").click()
    assert shown_pairs(page) > 0


def test_what_is_frequent_and_where(one, open_page):
    page = open_page(one, "#match=overlap&crit=span&tab=frequent")
    assert page.locator("#frequent h3").all_inner_texts() == [
        "Missed", "Missed, by code", "Spurious", "Spurious, by code",
    ]  # fmt: skip
    item = page.locator("#frequent li").first
    phrase, size = item.locator(".words").inner_text(), int(item.locator(".cell").inner_text())
    item.locator(".cell").click()
    assert shown_pairs(page) == size
    page.wait_for_function("!document.querySelector('#pairs .words').textContent.match(/^\\d/)")
    words = {text.lower() for text in page.locator("#pairs .words").all_inner_texts()}
    assert words == {phrase}


def test_go_to_opens_a_document_by_part_of_its_name(one, open_page):
    page = open_page(one)
    page.keyboard.press("/")
    page.keyboard.type("013-radio")
    page.keyboard.press("Enter")
    assert page.locator("#document-name").inner_text() == "demo-013-RADIOLOGY_REPORT.txt"
