"""What is printed: the tables, and documents with their notes, items and the chosen item's fields."""

import re

import pytest
from conftest import ROOT
from processes import run_clineval

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL = CHALLENGES / "semeval15_task14" / "demo"
N2C2 = CHALLENGES / "n2c2_2018_track2" / "demo"
RELATED = ("n2c2_2018_track2", *(N2C2 / n for n in ("gold", "rules", "tagger")), "--text", N2C2 / "text")  # fmt: skip
SHEETS = """() => [...document.querySelectorAll('#paper .sheet')].map((sheet) => sheet.querySelector('h2').textContent)"""


@pytest.fixture(scope="module")
def two(make_report):
    systems = (SEMEVAL / "dictionary", SEMEVAL / "tagger")
    return make_report("semeval15_task14", SEMEVAL / "gold", *systems, "--text", SEMEVAL / "text")


@pytest.fixture
def on_paper():
    """A page as its printer sees it."""

    def on_paper(page):
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        return page.locator("#paper")

    return on_paper


def count_pages(page):
    pdf = page.pdf(format="A4")
    return len(re.findall(rb"/Type ?/Page\b(?!s)", pdf))


def test_the_tables_say_whose_they_are_and_how_many_rows_are_left_out(two, open_page, on_paper):
    page = open_page(two, "#match=exact&crit=both")
    on_paper(page)
    for name in (
        "#statistics",
        "#slots",
        "#signature",
        "#system",
        "#preset",
        "#slots th .link >> nth=0",
    ):
        assert page.locator(name).is_visible(), name
    for name in ("#lists", "#document-pane", "#search", ".menu"):
        assert not page.locator(name).is_visible(), name
    rows = page.locator("#statistics tbody tr")
    printed = sum(row.is_visible() for row in rows.all())
    assert printed == 20
    every = page.evaluate("countClasses(current.items).length")
    assert page.locator("#statistics .on-paper").inner_text() == f"and {every - printed} more"


def test_the_open_document_is_printed_with_its_note_items_and_the_chosen_one(
    two, open_page, on_paper
):
    page = open_page(two, "#match=exact&crit=both&show=merged&f=fn&tab=pairs")
    name = page.locator("#document-name").inner_text()
    shown = page.evaluate(
        "[...current.rows].filter((i) => current.items.documents[i] === current.document).length"
    )
    page.get_by_role("button", name="guideline unclear").click()
    page.get_by_label("Comment").fill("as the others")
    page.get_by_label("Comment").press("Tab")
    sheet = on_paper(page).locator(".sheet")
    assert sheet.locator("h2").all_inner_texts() == [name]
    note = (SEMEVAL / "text" / name).read_text("utf-8")
    assert "".join(sheet.locator(".line").all_text_contents()) == note
    assert sheet.locator("caption").inner_text() == f"Items that the filter shows, {shown}"
    assert sheet.locator(".paper-items tbody tr").count() == shown
    assert "guideline unclear; as the others" in sheet.locator(".paper-items").inner_text()
    assert sheet.locator(".fields").text_content() == page.locator("#detail .fields").text_content()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator(".sheet").count() == 0


@pytest.mark.parametrize("view", ["mentions", "sections", "entries", "rankings", "codes"])
def test_each_view_is_printed(view, make_report, open_page, on_paper):
    entries, rankings = (
        CHALLENGES / n / "demo" for n in ("i2b2_2009_medication", "clefehealth13_task3")
    )
    sections, codes = (CHALLENGES / n / "demo" for n in ("clinais23_b2", "codiesp20"))
    arguments = {
        "mentions": RELATED,
        "sections": ("clinais23_b2", sections / "gold.json", sections / "tagger.json"),
        "entries": (
            "i2b2_2009_medication",
            entries / "gold",
            entries / "rules",
            "--records",
            entries / "records",
        ),
        "rankings": ("clefehealth13_task3", rankings / "qrels.txt", rankings / "team.run1.txt"),
        "codes": ("codiesp20", codes / "gold_D.tsv", codes / "dictionary_D.tsv"),
    }[view]
    page = open_page(make_report(*arguments))
    paper = on_paper(page)
    assert page.evaluate(SHEETS) == [page.locator("#document-name").text_content()]
    assert paper.locator(".paper-items tbody tr").count() > 0
    assert paper.locator(".fields").count() == 1
    wide = """() => Math.max(...[...document.querySelectorAll('#paper *')].map((at) =>
      at.getBoundingClientRect().right)) - document.querySelector('#paper').getBoundingClientRect().left"""
    assert page.evaluate(wide) <= 703


def test_named_documents_are_printed_with_a_list_of_them(make_report, open_page, on_paper):
    page = open_page(make_report(*RELATED, "--print-documents", "demo-004,demo-002"))
    paper = on_paper(page)
    assert page.evaluate(SHEETS) == ["demo-004", "demo-002"]
    links = paper.locator("nav a")
    assert links.all_inner_texts() == ["demo-004", "demo-002"]
    for link in links.all():
        assert (
            page.locator(link.get_attribute("href")).locator("h2").inner_text() == link.inner_text()
        )
    assert count_pages(page) >= 3
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.evaluate("unpackSheets(usualSheets())")
    on_paper(page)
    assert page.evaluate(SHEETS) == ["demo-004", "demo-002"]


def test_a_document_that_is_not_there_is_refused_before_anything_is_written(tmp_path):
    page = tmp_path / "report.html"
    told = run_clineval(
        "report", *RELATED, "--print-documents", "demo-002,demo-999", "-o", page, status=2
    )
    assert "no document to print is named demo-999" in told.stderr
    assert not page.exists()


def test_the_listed_documents_are_printed_from_the_menu(two, open_page):
    page = open_page(two, "#match=exact&crit=both&f=fp&tab=reports")
    page.evaluate("window.print = () => window.dispatchEvent(new Event('beforeprint'))")
    listed = page.evaluate("current.order.map((d) => corpus.documents[d])")
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Print the listed documents").click()
    page.wait_for_selector(".sheet", state="attached")
    assert page.evaluate(SHEETS) == listed
    assert 1 < len(listed) < 24
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Print this document").click()
    page.wait_for_selector(".sheet", state="attached")
    assert page.evaluate(SHEETS) == [page.locator("#document-name").inner_text()]


def test_arcs_on_paper_stand_over_their_words(make_report, open_page, on_paper):
    page = open_page(make_report(*RELATED, "--print-documents", "demo-002,demo-004"))
    on_paper(page)
    feet = page.evaluate(
        """() => [...document.querySelectorAll('#paper .arc-head')].map((head) => {
          const box = head.getBoundingClientRect();
          const marks = [...head.closest('.text-row').querySelectorAll('mark')].flatMap((mark) => [...mark.getClientRects()]);
          return Math.min(...marks.filter((mark) => mark.left <= box.right && box.left <= mark.right).map((mark) => Math.abs(mark.top - box.bottom)));
        })"""
    )
    assert len(feet) > 30
    assert max(feet) < 4


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_light_for_whoever_prints(two, open_page, on_paper, scheme):
    page = open_page(two, scheme=scheme)
    colours = "['--page', '--ink', '--chosen', '--right', '--warning'].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name))"
    on_paper(page)
    assert page.evaluate(colours) == ["#fff", "#000", "#dbeafe", "#007a5a", "#fff1e5"]


def test_what_is_chosen_looks_chosen_without_backgrounds(two, open_page, on_paper):
    page = open_page(two, "#match=exact&crit=both&show=merged")
    on_paper(page)
    look = """(name) => {
      const { color, fontWeight, backgroundColor, borderTopWidth } = getComputedStyle(document.querySelector(name));
      return { ink: color.match(/\\d+/g).map(Number)[0], bold: Number(fontWeight) > 600, bare: backgroundColor === "rgba(0, 0, 0, 0)", frame: parseFloat(borderTopWidth) };
    }"""
    for pressed, other in (("match:exact", "match:overlap"), ("criterion:both", "criterion:span")):
        chosen, left = (page.evaluate(look, f'[data-set="{name}"]') for name in (pressed, other))
        assert chosen["bare"]
        assert chosen["bold"]
        assert not left["bold"]
        assert chosen["ink"] < left["ink"]
        assert chosen["frame"] > left["frame"]


def test_a_boundary_error_has_both_sides_in_the_list_of_items(two, open_page, on_paper):
    page = open_page(two, "#match=exact&crit=both&f=boundary&tab=pairs")
    rows = on_paper(page).locator(".paper-items tbody tr")
    cells = [row.locator("td").all_inner_texts() for row in rows.all()]
    assert cells
    assert all("—" not in row for row in cells), cells
    assert {row[0] for row in cells} <= {"FN", "FP"}
