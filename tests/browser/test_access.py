"""Readable by everyone: contrast, names and roles, narrow windows, paper."""

from functools import cache

import pytest
from conftest import ROOT
from thorough import crossed

SEMEVAL = ROOT / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo"
CONTRASTS = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].map((v) => v / 255);
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const backdrop = (at) => {
    const layers = [];
    for (; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [1, 1, 1, 1]);
  };
  const light = (c) => c.slice(0, 3).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const low = [];
  for (const at of document.querySelectorAll('body *')) {
    if (!at.checkVisibility() || ![...at.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    if (at.closest('dialog, .skip, #status, script, style')) continue;
    const behind = backdrop(at);
    const front = over(rgba(getComputedStyle(at).color), behind);
    const [a, b] = [light(front), light(behind)].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) low.push([at.tagName, at.className, at.textContent.slice(0, 20), contrast.toFixed(2)]);
  }
  return low;
}"""


@pytest.fixture(scope="module")
def two(make_report):
    systems = (SEMEVAL / "dictionary", SEMEVAL / "tagger")
    return make_report("semeval15_task14", SEMEVAL / "gold", *systems, "--text", SEMEVAL / "text")


CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
ENTRIES = CHALLENGES / "i2b2_2009_medication" / "demo"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("tab", ["reports", "pairs", "frequent"])
def test_text_stands_out_from_what_is_behind_it(two, open_page, scheme, tab):
    page = open_page(two, f"#match=overlap&crit=span&tab={tab}", scheme=scheme, pictures=True)
    page.wait_for_selector("#document-body mark")
    assert page.evaluate(CONTRASTS) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("clinais23_b2", *(CHALLENGES / "clinais23_b2" / "demo" / f"{n}.json" for n in ("gold", "tagger"))),
        ("i2b2_2009_medication", ENTRIES / "gold", ENTRIES / "rules", "--text", ENTRIES / "records"),
        ("clefehealth13_task3", *(CHALLENGES / "clefehealth13_task3" / "demo" / n for n in ("qrels.txt", "team.run1.txt", "team.run2.txt"))),
    ],
    ids=lambda arguments: arguments[0],
)  # fmt: skip
def test_text_of_the_other_views_stands_out_too(make_report, open_page, scheme, arguments):
    page = open_page(make_report(*arguments), scheme=scheme)
    page.wait_for_selector("#document-body .selected")
    assert page.evaluate(CONTRASTS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_panes_buttons_and_fields_have_names(two, open_page):
    page = open_page(two, "#match=overlap&crit=span&f=fp&tab=pairs")
    snapshot = page.locator("body").aria_snapshot()
    for expected in (
        'region "Statistics"',
        'button "Slots of pairs"',
        'region "Document demo-',
        'region "Detail"',
        'toolbar "Matching"',
        'tab "Items 7" [selected]',
        'listbox "Items"',
        'button "All: TP 226, show them"',
        'button "Next item"',
        'combobox "Preset"',
    ):
        assert expected in snapshot, expected
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('button, select, input, [role=listbox], [tabindex="0"]')]
          .filter((at) => !(at.textContent.trim() || at.ariaLabel || at.labels?.length || at.getAttribute('aria-labelledby')))
          .map((at) => at.outerHTML.slice(0, 80))"""
    )
    assert unnamed == []
    assert page.locator("#status").inner_text().endswith("item 1 of 7")


def test_no_error_is_told_by_colour_alone(two, open_page, wait_until_drawn):
    page = open_page(two, "#match=overlap&crit=span&sys=1")
    kinds = {}
    for _ in range(24):
        wait_until_drawn(page)
        for kind, letters, style in page.evaluate(
            """() => [...document.querySelectorAll('#document-body .last')].map((m) => [
              [...m.classList].find((c) => c.startsWith('k-')), m.dataset.letters ?? '', getComputedStyle(m).borderBottomStyle])"""
        ):
            kinds.setdefault(kind, set()).add((letters, style))
        page.keyboard.press("n")
    styles = {kind: {style for _, style in found} for kind, found in kinds.items()}
    assert styles["k-right"] == {"solid"}
    assert styles["k-boundary"] == {"dashed"}
    assert styles["k-code"] == {"double"}
    assert styles["k-slot"] == {"dotted"}
    letters = {kind: "".join(letter for letter, _ in found) for kind, found in kinds.items()}
    assert "FN" in letters["k-missed"]
    assert "FP" in letters["k-spurious"]
    assert letters["k-right"] == ""


@pytest.mark.parametrize("width", [360, 700])
def test_a_narrow_window_has_everything_one_below_the_other(two, open_page, width):
    page = open_page(two, width=width, height=800)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    tops = [
        page.locator(f"#{name}").bounding_box()["y"]
        for name in ("statistics", "slots", "lists", "document-pane", "detail")
    ]
    assert tops == sorted(tops)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080), (1000, 600)])
def test_all_panes_fit_into_the_window(two, open_page, width, height):
    page = open_page(two, width=width, height=height)
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for name in ("statistics-body", "reports", "document-body", "detail-body", "slots-body"):
        if name == "slots-body":
            page.keyboard.press("c")  # it takes the place of Statistics
        assert page.locator(f"#{name}").bounding_box()["height"] > 60, name


VIEWS = {
    "mentions": ("semeval15_task14", *(SEMEVAL / n for n in ("gold", "dictionary", "tagger"))),
    "relations": (
        "n2c2_2018_track2",
        *(CHALLENGES / "n2c2_2018_track2" / "demo" / n for n in ("gold", "rules", "tagger")),
    ),
    "sections": ("clinais23_b2", *(CHALLENGES / "clinais23_b2" / "demo" / f"{n}.json" for n in ("gold", "windows", "tagger"))),
    "entries": ("i2b2_2009_medication", ENTRIES / "gold", ENTRIES / "rules", ENTRIES / "tagger"),
    "rankings": (
        "clefehealth13_task3",
        *(CHALLENGES / "clefehealth13_task3" / "demo" / f"{n}.txt" for n in ("qrels", "team.run1", "team.run2")),
    ),
    "codes": (
        "codiesp20",
        *(CHALLENGES / "codiesp20" / "demo" / f"{n}_D.tsv" for n in ("gold", "dictionary", "classifier")),
    ),
    "evidence": (
        "archehr_qa26",
        *(CHALLENGES / "archehr_qa26" / "demo" / f"{n}.json" for n in ("key", "keywords", "model")),
    ),
    "records": (
        "mediqa_oe25",
        *(CHALLENGES / "mediqa_oe25" / "demo" / f"{n}.json" for n in ("gold", "rules", "model")),
    ),
    "events": (
        "n2c2_2022_sdoh",
        *(CHALLENGES / "n2c2_2022_sdoh" / "demo" / n for n in ("gold", "rules", "tagger")),
    ),
    "classes": (
        "clinical_classes",
        *(CHALLENGES / "clinical_classes" / "demo" / n for n in ("gold.csv", "rules.csv", "model.jsonl")),
        "--label-column", "smoking",  # a question: each has its own rows of scores
    ),
}  # fmt: skip
TEXTS = {
    "records": ("--text", CHALLENGES / "mediqa_oe25" / "demo" / "text"),
    "events": ("--text", CHALLENGES / "n2c2_2022_sdoh" / "demo" / "text"),
    "mentions": ("--text", SEMEVAL / "text"),
    "relations": ("--text", CHALLENGES / "n2c2_2018_track2" / "demo" / "text"),
    "entries": ("--text", ENTRIES / "records"),
}
# most of axe's time goes into the rules that find nothing wrong, if their nodes are returned
AXE = """(tags) => axe
  .run({ runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] })
  .then((found) => found.violations)"""
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture
def violations(browser):  # noqa: ARG001 - it says whether there is a browser
    """What axe-core finds wrong with a page; the script is run by the browser's debugger."""
    from axe_playwright_python.base import AXE_FILE_PATH

    def violations(page):
        if not page.evaluate("typeof axe === 'object'"):
            page.evaluate(AXE_FILE_PATH.read_text("utf-8"))
        return [
            (v["id"], [n["html"][:120] for n in v["nodes"]]) for v in page.evaluate(AXE, STANDARDS)
        ]

    return violations


@pytest.fixture(scope="module")
def views(make_report):
    """Make the report of a view when a test first needs it."""
    return cache(lambda name: make_report(*VIEWS[name], *TEXTS.get(name, ())))


LOOKS = [("light", 1440), ("dark", 768), ("light", 390)]


# axe takes two minutes for some views: a quick one has all looks at each change
@pytest.mark.parametrize(
    ("name", "look"), crossed(sorted(VIEWS, key="codes".__ne__), LOOKS), ids=str
)
def test_axe_finds_nothing_wrong_in_any_view(views, open_page, violations, name, look):
    scheme, width = look
    page = open_page(views(name), "#table=1", width=width, scheme=scheme, pictures=True)
    assert violations(page) == []
    page.keyboard.press("c")  # slots or scores
    assert violations(page) == []
    page.keyboard.press("t")  # tables
    assert violations(page) == []
    page.keyboard.press("c")
    tabs = page.locator("[role=tab]:visible")
    for k in range(tabs.count()):
        if tabs.nth(k).get_attribute("aria-selected") == "true":
            continue  # this is the view that was just checked
        tabs.nth(k).click()
        assert violations(page) == [], tabs.nth(k).inner_text()
    page.locator("#query").fill("a")
    page.locator("#query").press("Enter")
    page.wait_for_function("() => document.body.dataset.searched === 'a'")
    if page.locator("#tab-hits").is_visible():
        page.locator("#tab-hits").click()
    assert violations(page) == []
    page.locator("#open-help").click()
    assert violations(page) == []


def test_what_is_chosen_stands_out_with_forced_colours(views, open_page):
    page = open_page(views("mentions"), "#match=overlap&crit=span&f=fp&tab=pairs")
    page.emulate_media(forced_colors="active")
    looks = """(selector) => {
      const style = getComputedStyle(document.querySelector(selector));
      return [style.backgroundColor, style.color];
    }"""
    for chosen, other in (
        ("button[aria-pressed=true][data-set]", "button[aria-pressed=false][data-set]"),
        ("#filters .chip[aria-pressed=true]", "#filters .chip[aria-pressed=false]"),
        ("[role=tab][aria-selected=true]", "[role=tab][aria-selected=false]"),
        ("#pairs [aria-selected=true]", "#pairs [aria-selected=false]"),
    ):
        assert page.evaluate(looks, chosen)[0] != page.evaluate(looks, other)[0], chosen


def test_single_keys_can_be_switched_off_and_stay_off(views, open_page, expect):
    page = open_page(views("mentions"), "#match=overlap&crit=span")
    page.keyboard.press("e")
    expect(page.locator("[data-set='match:exact']")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("?")
    page.get_by_label("use single keys as shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    expect(page.locator("[data-set='match:exact']")).to_have_attribute("aria-pressed", "true")
    page.reload()
    page.wait_for_function("() => document.body.dataset.ready")
    page.keyboard.press("o")
    expect(page.locator("[data-set='match:exact']")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("name", VIEWS)
def test_the_focus_never_falls_to_the_body(views, open_page, name):
    page = open_page(views(name), "#table=1")
    lost = page.evaluate(
        """() => {
          history.pushState = () => {};
          const lost = [];
          const of = (box) => [...document.querySelectorAll(box + ' button')];
          for (const box of ['#comparison', '#statistics', '#slots', '#filters', '#detail', '#report-heads', '#document-body']) {
            for (let k = 0; k < Math.min(of(box).length, 12); k++) {
              const button = of(box)[k];
              if (!button || !button.checkVisibility()) continue;
              button.focus();
              button.click();
              if (document.activeElement === document.body) lost.push([box, k]);
            }
          }
          return lost;
        }"""
    )
    assert lost == []
