"""The arrangement of a page: the document in its centre, panes that fold, two systems in rows."""

import re

import pytest
from conftest import ROOT

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL = CHALLENGES / "semeval15_task14" / "demo"
SECTIONS = CHALLENGES / "clinais23_b2" / "demo"
PAGES = {
    "mentions": ("semeval15_task14", *(SEMEVAL / n for n in ("gold", "dictionary", "tagger")), "--text", SEMEVAL / "text"),
    "sections": ("clinais23_b2", *(SECTIONS / f"{n}.json" for n in ("gold", "windows", "tagger"))),
}  # fmt: skip
HEIGHT = "(id) => document.getElementById(id).getBoundingClientRect().height"


@pytest.fixture(scope="module", params=PAGES)
def report(request, make_report):
    return make_report(*PAGES[request.param])


@pytest.fixture(scope="module")
def two(make_report):
    return make_report(*PAGES["mentions"])


@pytest.mark.parametrize("size", [(1440, 900), (1280, 800), (1920, 1080), (390, 844)])
def test_the_document_has_half_of_the_window(report, open_page, size):
    width, height = size
    page = open_page(report, width=width, height=height)
    assert page.evaluate(HEIGHT, "document-pane") >= height / 2
    if width > 900:
        assert page.evaluate(HEIGHT, "cautions") <= 26
        assert page.evaluate(HEIGHT, "comparison") <= 32
        assert page.evaluate("document.documentElement.scrollHeight") <= height


def test_the_line_below_a_printed_picture_says_how_many_classes_are_left(two, open_page):
    page = open_page(two, "#match=exact&crit=both", pictures=True)
    page.emulate_media(media="print")
    rows = page.locator("#statistics tbody tr")
    assert sum(row.is_visible() for row in rows.all()) == 20
    every = page.evaluate("countClasses(current.items).length")
    assert page.locator("#statistics .on-paper").inner_text() == f"and {every - 10} more"


def test_cautions_open_and_fold(two, open_page, expect):
    page = open_page(two, width=900)
    button = page.get_by_role("button", name="2 cautions")
    expect(button).to_have_attribute("aria-expanded", "false")
    folded = page.evaluate(HEIGHT, "cautions")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    assert page.evaluate(HEIGHT, "cautions") > folded
    button.click()
    assert page.evaluate(HEIGHT, "cautions") == folded


def test_panes_fold_and_stay_folded(report, open_page, expect):
    page = open_page(report)
    before = page.evaluate(HEIGHT, "document-pane")
    fold = page.locator("#detail .fold")
    fold.press("Enter")
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(page.locator("#detail-body")).to_be_hidden()
    assert page.evaluate(HEIGHT, "document-pane") > before + 60
    page.get_by_role("separator", name="Height of the statistics").press("Enter")
    expect(page.locator("#statistics-body")).to_be_hidden()
    page.locator("#lists .fold").click()
    page.reload()
    page.wait_for_function("() => document.body.dataset.ready")
    for name in ("detail-body", "statistics-body", "reports"):
        expect(page.locator(f"#{name}")).to_be_hidden()
    page.locator("#lists .fold").click()
    expect(page.locator("#reports")).to_be_visible()


def test_a_list_that_is_asked_for_opens(two, open_page, expect):
    page = open_page(two)
    page.locator("#lists .fold").click()
    page.locator("#statistics .cell").first.click()
    expect(page.locator("#pairs")).to_be_visible()
    page.keyboard.press("z")
    expect(page.locator("#lists")).to_be_hidden()
    expect(page.locator("#detail")).to_be_hidden()
    page.reload()
    page.wait_for_function("() => document.body.dataset.ready")
    expect(page.locator("#lists")).to_be_hidden()
    page.keyboard.press("/")
    expect(page.locator("#goto")).to_be_focused()


def test_slots_take_the_place_of_the_statistics(report, open_page, expect):
    page = open_page(report)
    page.locator("#statistics .beside-title").press("Enter")
    expect(page.locator("#slots-body")).to_be_visible()
    expect(page.locator("#statistics-body")).to_be_hidden()
    expect(page.locator("#slots .beside-title")).to_be_focused()
    page.reload()
    page.wait_for_function("() => document.body.dataset.ready")
    expect(page.locator("#slots-body")).to_be_visible()
    page.keyboard.press("c")
    expect(page.locator("#statistics-body")).to_be_visible()


def test_what_a_browser_kept_wrongly_is_ignored(two, open_page, expect):
    page = open_page(two)
    for kept in ('{"front": 7, "folded": "x", "rows": 1, "alone": "yes"}', "[]", "5", "{"):
        page.evaluate("(kept) => localStorage.setItem('clineval panes', kept)", kept)
        page.reload()
        page.wait_for_function("() => document.body.dataset.ready")
        expect(page.locator("#statistics-body")).to_be_visible()


def test_a_page_without_storage_has_a_layout(two, open_page, expect):
    page = open_page(two)
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('none'); } })")  # fmt: skip
    page.reload()
    page.wait_for_function("() => document.body.dataset.ready")
    page.locator("#detail .fold").click()
    expect(page.locator("#detail-body")).to_be_hidden()


def test_two_systems_stand_in_rows_below_the_gold_standard(two, open_page, expect):
    page = open_page(two, "#show=both", width=1440)
    note = page.locator("#document-body .note")
    expect(note).to_have_class(re.compile("rows"))
    lines = page.locator(".text-row:not(.plain) .line")
    boxes = [lines.nth(k).bounding_box() for k in range(3)]
    assert boxes[0]["y"] < boxes[1]["y"] < boxes[2]["y"]
    assert len({box["x"] for box in boxes}) == 1
    colours = lines.evaluate_all(
        "(all) => all.slice(0, 3).map((line) => getComputedStyle(line).color)"
    )
    assert len(set(colours)) == 1  # both systems at full contrast
    plain = page.locator(".text-row.plain").first.locator(".line")
    assert [line.is_visible() for line in plain.all()] == [True, False, False]
    page.get_by_role("button", name="Rows").click()
    expect(note).to_have_class(re.compile("panes-3"))
    boxes = [lines.nth(k).bounding_box() for k in range(3)]
    assert boxes[0]["x"] < boxes[1]["x"] < boxes[2]["x"]
    page.reload()
    page.wait_for_function("() => document.body.dataset.ready")
    expect(note).to_have_class(re.compile("panes-3"))


def test_a_mark_of_the_other_system_chooses_it(two, open_page, expect):
    page = open_page(two, "#show=both", width=1440)
    mark = page.locator(".line.other mark").first
    key = mark.get_attribute("data-key")
    mark.click()
    expect(page.locator("#system")).to_have_value("1")
    assert page.evaluate("view.m") == key


@pytest.mark.parametrize("width", [390, 768])
def test_lists_of_two_systems_do_not_overlap_in_a_narrow_window(make_report, open_page, width):
    demo = CHALLENGES / "clinical_codes" / "demo"
    sides = (demo / name for name in ("gold.csv", "dictionary.csv", "classifier.csv"))
    page = open_page(make_report("clinical_codes", *sides), width=width)
    first, second = (table.bounding_box() for table in page.locator(".rankings table").all())
    beside = first["x"] + first["width"] <= second["x"] + 1
    assert beside or first["y"] + first["height"] <= second["y"]
    cut = "(all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length"
    assert page.locator(".rankings td:not(.named)").evaluate_all(cut) == 0
