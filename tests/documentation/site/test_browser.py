"""The site in a real Chromium: narrow and wide, light and dark, for everyone, with its search."""

import pytest
from assembly.pages import list_sections
from chromium import open_tab
from needs import need

need("zensical", "docs")

STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
VIEWS = [(390, "light"), (390, "dark"), (1440, "light"), (1440, "dark")]
SCHEMES = {"light": "default", "dark": "slate"}
SCHEME = "() => document.body.dataset.mdColorScheme"
SCROLLS = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
AXE = """
(tags) => axe.run({ runOnly: { type: "tag", values: tags } }).then(
  ({ violations }) => violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 160))]))"""


SECTIONS = [name.lower() for name, pages in list_sections() if pages]


def list_pages(site, section):
    """The pages of a section; home also has what Zensical itself adds."""
    folder = site if section == "home" else site / section
    return [path.relative_to(site).as_posix() for path in sorted(folder.glob("*.html"))]


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: f"{view[0]}-{view[1]}")
def test_every_page_fits_and_everyone_can_use_it(site, address, browser, view, section):
    from axe_playwright_python.base import AXE_FILE_PATH

    (width, scheme), faults = view, []
    with open_tab(browser, viewport={"width": width, "height": 900}, color_scheme=scheme) as page:
        page.on("request", lambda r: r.url.startswith(address) or faults.append(r.url))
        page.on("pageerror", lambda error: faults.append((page.url, str(error))))
        for name in list_pages(site, section):
            page.goto(address + name)
            page.wait_for_load_state("networkidle")
            assert page.evaluate(SCHEME) == SCHEMES[scheme]
            if page.evaluate(SCROLLS):
                faults.append((name, "scrolls sideways"))
            page.evaluate(AXE_FILE_PATH.read_text("utf-8"))
            faults += [(name, *found) for found in page.evaluate(AXE, STANDARDS)]
    assert faults == []


def test_every_page_is_in_a_section(site):
    seen = {page for section in SECTIONS for page in list_pages(site, section)}
    assert seen == {path.relative_to(site).as_posix() for path in site.rglob("*.html")}


def test_the_search_finds_a_word_of_a_manual(address, browser):
    with open_tab(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(address)
        page.get_by_role("button", name="Search").first.click()
        page.get_by_role("combobox", name="Search").fill("SNOMED")
        page.get_by_role("option").filter(has_text="SemEval-2015").first.wait_for()


def test_the_form_compares_signatures(address, browser):
    with open_tab(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(f"{address}manuals/results.html")
        first = "codiesp20|D|protocol:spec|codes:any|docs:2|v:0.1.0"
        page.get_by_label("First signature").fill(first)
        page.get_by_label("Second signature").fill(first.replace("spec", "official"))
        page.get_by_text("score again with --protocol spec").wait_for()
        assert page.locator("#comparable-answer").inner_text() == "not comparable"
        page.get_by_label("Second signature").fill(f"{first}|bs:9")
        page.get_by_text("only intervals depend on it").first.wait_for()
        assert page.locator("#comparable-answer").inner_text() == "comparable"
