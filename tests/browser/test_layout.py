"""Panes that can be resized, columns that sort, names whose end stays in sight."""

import json
import re

import pytest
from conftest import ROOT

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL = CHALLENGES / "semeval15_task14" / "demo"
ENTRIES = CHALLENGES / "i2b2_2009_medication" / "demo"
CODES = CHALLENGES / "codiesp20" / "demo"
RANKINGS = CHALLENGES / "clefehealth13_task3" / "demo"
LISTS = {
    "sections": ("clinais23_b2", *(CHALLENGES / "clinais23_b2" / "demo" / f"{n}.json" for n in ("gold", "tagger"))),
    "entries": ("i2b2_2009_medication", *(ENTRIES / name for name in ("gold", "rules", "tagger")), "--records", ENTRIES / "records"),
    "codes": ("codiesp20", *(CODES / f"{n}_D.tsv" for n in ("gold", "dictionary", "classifier"))),
    "rankings": ("clefehealth13_task3", *(RANKINGS / f"{n}.txt" for n in ("qrels", "team.run1", "team.run2"))),
}  # fmt: skip


@pytest.fixture(scope="module")
def one(make_report):
    sides = SEMEVAL / "gold", SEMEVAL / "tagger"
    return make_report("semeval15_task14", *sides, "--text", SEMEVAL / "text")


@pytest.fixture(scope="module")
def entries(make_report):
    sides = ENTRIES / "gold", ENTRIES / "rules"
    return make_report("i2b2_2009_medication", *sides, "--text", ENTRIES / "records")


@pytest.mark.parametrize(
    "resized",
    [
        ("Height of the statistics", "statistics", "height", "ArrowDown", 16),
        ("Width of the lists", "statistics", "width", "ArrowLeft", -16),
        ("Width of the lists", "lists", "width", "ArrowRight", 16),
        ("Height of the detail", "detail", "height", "ArrowUp", 16),
    ],
)
def test_panes_are_resized_with_the_keys_and_stay_so(one, open_page, resized):
    label, pane, side, key, change = resized
    page = open_page(one)
    before = page.locator(f"#{pane}").bounding_box()[side]
    page.get_by_role("separator", name=label).focus()
    page.keyboard.press(key)
    assert page.locator(f"#{pane}").bounding_box()[side] == pytest.approx(before + change, abs=1)
    page.reload()
    page.wait_for_function("() => document.body.dataset.ready")
    assert page.locator(f"#{pane}").bounding_box()[side] == pytest.approx(before + change, abs=1)
    page.get_by_role("separator", name=label).dblclick()
    assert page.locator(f"#{pane}").bounding_box()[side] == pytest.approx(before, abs=1)


def test_a_pane_is_resized_by_dragging(one, open_page):
    page = open_page(one)
    before = page.locator("#lists").bounding_box()["width"]
    box = page.get_by_role("separator", name="Width of the lists").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 70, y, steps=4)
    page.mouse.up()
    page.mouse.move(x + 200, y)
    assert page.locator("#lists").bounding_box()["width"] == pytest.approx(before + 70, abs=2)


def test_columns_of_the_statistics_sort_and_totals_stay(one, open_page):
    page = open_page(one, "#match=overlap&crit=span")
    column = """() => [...document.querySelectorAll('#statistics tbody tr')].map((row) => [
      row.querySelector('th').textContent, Number(row.querySelectorAll('td')[0].textContent)])"""
    usual = page.evaluate(column)
    for pressed, order in ((1, "descending"), (2, "ascending")):
        page.get_by_role("button", name="Gold", exact=True).first.click()
        rows = page.evaluate(column)
        assert [label for label, _ in rows[:2]] == ["All", "With CUI"], pressed
        numbers = [number for _, number in rows[2:] if number is not None]
        shown = numbers[:60]
        assert shown == sorted(shown, reverse=order == "descending")
        assert page.locator(f"#statistics th[aria-sort={order}]").count() == 1
    again = open_page(one, "#" + page.url.split("#")[1])
    assert again.evaluate(column)[:20] == rows[:20]
    page.get_by_role("button", name="Gold", exact=True).first.click()
    assert page.evaluate(column) == usual


@pytest.mark.parametrize(("heading", "sort"), [("FP", "fp"), ("FN", "fn"), ("shown", "matches")])
def test_headings_of_the_documents_sort_them(one, open_page, heading, sort):
    page = open_page(one, "#match=overlap&crit=span")
    page.locator("#report-heads").get_by_role("button", name=heading, exact=True).click()
    assert page.locator("#sort").input_value() == sort
    place = {"matches": 1, "fp": 2, "fn": 3}[sort]
    rows = page.evaluate(
        """(place) => [...document.querySelectorAll('#reports .document-row')]
          .sort((a, b) => a.ariaPosInSet - b.ariaPosInSet).map((row) => Number(row.children[place].textContent))""",
        place,
    )
    assert rows == sorted(rows, reverse=True)


@pytest.mark.parametrize("width", [1280, 1920])
def test_nothing_is_clipped_and_numbers_do_not_touch(one, open_page, width):
    page = open_page(one, "#match=overlap&crit=span", width=width, height=900)
    for pane in ("statistics-body", "slots-body", "detail-body"):
        if pane == "slots-body":
            page.keyboard.press("c")  # Slots takes the place of Statistics
        sizes = page.evaluate("(id) => [$(id).scrollWidth, $(id).clientWidth]", pane)
        assert sizes[0] <= sizes[1], pane
    gaps = page.evaluate(
        """() => [...document.querySelectorAll('#reports .document-row')].flatMap((row) => {
          const boxes = [...row.children].map((cell) => {
            if (cell.matches('.name')) return cell.getBoundingClientRect();
            const range = document.createRange();
            range.selectNodeContents(cell);
            return range.getBoundingClientRect();
          }).filter((box) => box.width);
          return boxes.slice(1).map((box, k) => box.left - boxes[k].right);
        })"""
    )
    assert min(gaps) >= 3


def test_entries_show_words_and_the_record_beside_the_grid(entries, open_page, expect):
    page = open_page(entries, "#tab=items")
    row = page.locator("#items [role=option]").first
    expect(row).not_to_contain_text(":")
    words = page.evaluate(
        """async () => {
          const item = current.list.item(current.rows[0]);
          return wordsOf(item.gold || item.system, await textOf(item.document));
        }"""
    )
    expect(row).to_contain_text(words)
    grid, record = (page.locator(name).bounding_box() for name in (".entries", ".record"))
    assert record["x"] >= grid["x"] + 300
    assert record["y"] < grid["y"] + 60
    page.keyboard.press("2")
    expect(page.locator("[data-mode=vertical]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("/")
    expect(page.locator("#goto")).to_be_focused()


@pytest.fixture(scope="module")
def lists(make_report):
    return {name: make_report(*arguments) for name, arguments in LISTS.items()}


@pytest.mark.parametrize("width", [768, 1440])
@pytest.mark.parametrize("name", LISTS)
def test_a_heading_stands_over_its_column(lists, open_page, name, width):
    page = open_page(lists[name], width=width, height=900)
    ends = """(row) => [...row.children].slice(1).map((at) => {
      const range = document.createRange();
      range.selectNodeContents(at);
      return range.getBoundingClientRect().right;
    })"""
    heads = page.locator("#report-heads").evaluate(ends)
    numbers = page.locator("#reports .document-row").first.evaluate(ends)
    assert len(heads) == 2 + len(page.evaluate("head.measures"))
    assert heads == pytest.approx(numbers, abs=4)
    heads, numbers = (
        page.locator(f"#statistics {part} tr").first.evaluate(ends) for part in ("thead", "tbody")
    )
    assert heads == pytest.approx(numbers, abs=4)


@pytest.mark.parametrize("name", ["codes", "rankings"])
def test_equal_ranks_of_two_systems_stand_beside_one_another(lists, open_page, name):
    page = open_page(lists[name], width=1440, height=900)
    tops = page.evaluate(
        """() => [...document.querySelectorAll('.rankings table')].map((table) =>
          [...table.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect().top))"""
    )
    ranks = min(map(len, tops))
    assert ranks > 3
    assert tops[0][:ranks] == pytest.approx(tops[1][:ranks], abs=0.5)


NAMES = ("ward-3-p12-DISCHARGE_SUMMARY.txt", "ward-3-p12-ECHO_REPORT_OF_HEART.txt", "ward-3-p7-DISCHARGE_SUMMARY.txt",
         "ward-3-p100-a-long-stretch-of-words-note-1", "ward-3-p100-a-long-stretch-of-words-note-2")  # fmt: skip
TELLING = ("p12-DISCHARGE", "p12-ECHO", "p7", "of-words-note-1", "of-words-note-2")


@pytest.mark.parametrize("width", [390, 1440])
def test_what_tells_a_name_from_others_is_never_cut(tmp_path, make_report, open_page, width):
    side = tmp_path / "side.jsonl"
    lines = [
        f'{{"id": "{name}", "mentions": [{{"spans": [[0, 4]], "cui": null}}]}}\n' for name in NAMES
    ]
    side.write_text("".join(lines))
    page = open_page(make_report("semeval15_task14", side, side, "--no-text"), width=width)
    seen = page.evaluate(
        """() => [...document.querySelectorAll('#reports .document-row .name')].map((name) => {
          const own = name.querySelector('.telling');
          const [inner, outer] = [own.getBoundingClientRect(), name.getBoundingClientRect()];
          return [name.title, own.textContent, own.scrollWidth <= own.clientWidth && inner.right <= outer.right + 1];
        })"""
    )
    expected = [(name, telling[-14:], True) for name, telling in zip(NAMES, TELLING, strict=True)]
    assert {tuple(of) for of in seen} == set(expected)
    gaps = page.evaluate(
        """() => [...document.querySelectorAll('#reports .name .begin bdi')].map((begin) =>
          begin.closest('.name').querySelector('.telling').getBoundingClientRect().left - begin.getBoundingClientRect().right)"""
    )
    assert gaps
    assert all(abs(gap) < 1 for gap in gaps), "what is cut leaves no hole before it"


@pytest.fixture(scope="module")
def compared(make_report):
    """Two systems of the challenge with the most controls over its tables."""
    demo = CHALLENGES / "n2c2_2018_track2" / "demo"
    sides = (demo / name for name in ("gold", "rules", "tagger"))
    return make_report("n2c2_2018_track2", *sides, "--text", demo / "text")


def test_a_telephone_shows_the_first_table_and_the_merged_note(compared, open_page):
    page = open_page(compared, width=390, height=844)
    table = page.locator("#statistics").bounding_box()
    assert table["y"] < 844 / 2
    assert table["y"] + table["height"] <= 844
    assert page.locator("[data-set='show:merged']").get_attribute("aria-pressed") == "true"
    page.locator("[data-set='show:both']").click()
    page.reload()
    page.wait_for_function("() => document.body.dataset.ready")
    assert page.locator("[data-set='show:both']").get_attribute("aria-pressed") == "true"
    wide = open_page(compared, width=1440)
    assert wide.locator("[data-set='show:both']").get_attribute("aria-pressed") == "true"


def test_a_table_that_scrolls_fades_where_there_is_more(compared, open_page, expect):
    page = open_page(compared, width=390, height=844)
    body = page.locator("#statistics-body")
    expect(body).to_have_class(re.compile("more-right"))
    name = body.locator("tbody th").first
    left = name.bounding_box()["x"]
    body.evaluate("(box) => box.scrollBy(box.scrollWidth, box.scrollHeight)")
    expect(body).not_to_have_class(re.compile("more-"))
    assert name.bounding_box()["x"] == left  # whose numbers these are stays in sight


def test_every_row_has_an_interval_or_says_why_not(tmp_path, make_report, open_page):
    """Fifty classes, of which forty have intervals, and numbers as long as of 10,000 documents."""
    code = "C{:07d}".format
    for side, shift in (("gold", 0), ("system", 1)):
        lines = []
        for number in range(40):
            codes = [None, *(code(at) for at in range(50) if at <= number + 10)]
            mentions = [
                {"spans": [[at * 10 + shift * (at % 7 == 0), at * 10 + 5]], "cui": cui}
                for at, cui in enumerate(codes)
            ]
            lines.append(json.dumps({"id": f"n{number}", "mentions": mentions}) + "\n")
        (tmp_path / f"{side}.jsonl").write_text("".join(lines))
    sides = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    page = open_page(
        make_report("semeval15_task14", *sides, "--no-text"),
        "#preset=Task 1 strict",
        width=1440,
        height=900,
    )
    rows = page.evaluate(
        """() => [...document.querySelectorAll('#statistics tbody tr')].map((row) =>
          [row.querySelector('th').textContent, row.querySelector('.interval').textContent, row.querySelector('.interval').title])"""
    )
    assert len(rows) == 53
    bare = [
        name for name, shown, _ in rows if not re.fullmatch(r"0\.\d{4}–[01]\.\d{4}( †)?", shown)
    ]
    assert {shown for name, shown, _ in rows if name in bare} == {"–"}
    assert {why for name, _, why in rows if name in bare} == {
        "only the 40 largest classes have an interval"
    }
    assert len(bare) == 11  # 51 classes with that of mentions without a code
    assert page.get_by_text("–: only the 40 largest classes have an interval.").count() == 1
    for cell in page.locator("#statistics tbody tr:first-child .cell").all()[:5]:
        cell.evaluate("(cell) => (cell.textContent = '250,000')")
    box = page.locator("#statistics-body")
    assert box.evaluate("(box) => box.scrollWidth <= box.clientWidth")


def test_the_headline_says_which_row_it_is(compared, open_page, expect):
    page = open_page(compared, "#preset=relations strict")
    own = page.locator("#statistics tr.total", has_text="All relations")
    expect(page.locator("#headline-population")).to_have_text("“All relations” in the table")
    assert page.locator("#headline").inner_text().split()[1] in own.inner_text().split()
    page.get_by_label("Preset").select_option("concepts strict")
    expect(page.locator("#headline-population")).to_have_text("“All concepts” in the table")


def test_a_headline_that_is_no_row_says_so(one, open_page, expect):
    page = open_page(one, "#match=exact&crit=both&preset=Task 1 strict")
    expect(page.locator("#headline-population")).to_have_text("")
    page.get_by_label("Preset").select_option("Task 2 accuracy")
    total = page.locator("#statistics tr.total td").nth(7).inner_text()
    assert total not in page.locator("#headline").inner_text()
    expect(page.locator("#headline-population")).to_have_text(
        f"differs from the table (F1 of “All” {total}), which counts the items of this mode"
    )
