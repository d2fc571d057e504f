"""Pictures in place of tables: the numbers of both are the same, and a bar leads to the items it counts."""

import json

import pytest
from conftest import ROOT
from processes import run_clineval

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL = CHALLENGES / "semeval15_task14" / "demo"
CLASSES = CHALLENGES / "clinical_classes" / "demo"
CODES = CHALLENGES / "clinical_codes" / "demo"
PAGES = {
    "classes": ("clinical_classes", *(CLASSES / n for n in ("gold.csv", "rules.csv", "model.jsonl"))),
    "codes": ("clinical_codes", *(CODES / n for n in ("gold.csv", "dictionary.csv", "classifier.csv"))),
}  # fmt: skip
PRESSED = """() => {
  history.pushState = () => {};
  const wrong = [];
  const all = () => [...document.querySelectorAll("#statistics .bar-button")];
  const labels = all().map((bar) => bar.ariaLabel);
  for (const label of labels) {
    const bar = all().find((each) => each.ariaLabel === label);
    if (!bar) continue;  // the row of what was chosen before, which was below the others
    bar.click();
    const told = Number(/(\\d+) items, show them$/.exec(label)[1]);
    const chosen = all().find((each) => each.ariaPressed === "true")?.ariaLabel ?? null;
    const isWhole = label.startsWith("All");
    if (current.rows.length !== told || (!isWhole && chosen !== label)) wrong.push([label, current.rows.length, chosen]);
  }
  return { wrong, checked: labels.length };
}"""
"""Press every bar: it must show as many items as its label says."""
BARS = """() => Object.fromEntries([...document.querySelectorAll("#statistics .bar-button")].map((bar) =>
  [bar.ariaLabel.split(": ")[0], [...bar.closest("tr").querySelectorAll("td:not(.system-name, .picture-cell)")].map((cell) => cell.textContent)]))"""
TABLE = """() => Object.fromEntries([...document.querySelectorAll("#statistics tbody tr")].map((row) =>
  [row.querySelector("th").textContent, [...row.querySelectorAll("td")].slice(-2).map((cell) => cell.textContent)]))"""


@pytest.fixture(scope="module")
def spans(make_report):
    sides = (SEMEVAL / name for name in ("gold", "dictionary", "tagger"))
    return make_report("semeval15_task14", *sides, "--text", SEMEVAL / "text")


@pytest.fixture(scope="module", params=PAGES)
def lists(request, make_report):
    return make_report(*PAGES[request.param])


@pytest.mark.parametrize(
    "address",
    ["match=exact&crit=both", "match=overlap&crit=class", "match=overlap&crit=span&by=length"],
)
def test_a_bar_says_what_the_table_says_and_leads_to_its_items(spans, open_page, address):
    page = open_page(spans, "#" + address, pictures=True)
    bars = page.evaluate(BARS)
    found = page.evaluate(PRESSED)
    assert found["wrong"] == []
    assert found["checked"] == len(bars) > 8
    for at, name in enumerate(("dictionary", "tagger")):
        table = open_page(spans, f"#{address}&sys={at}").evaluate(TABLE)
        own = {label.removesuffix(f", {name}"): of for label, of in bars.items() if label.endswith(f", {name}")}  # fmt: skip
        shared = own.keys() & table.keys()
        assert len(shared) > 4
        assert {label: own[label][:2] for label in shared if own[label][2] != "0"} == {
            label: table[label] for label in shared if own[label][2] != "0"
        }


def test_bars_equal_the_scores_of_the_command(spans, open_page):
    page = open_page(spans, "#match=exact&crit=both", pictures=True)
    bars = page.evaluate(BARS)
    for name in ("dictionary", "tagger"):
        how = ("--confidence", "0.95", "--format", "json")
        run = run_clineval("score", "semeval15_task14", SEMEVAL / "gold", SEMEVAL / name, *how)
        scores = json.loads(run.stdout)["scores"]
        value, interval, items = bars[f"All, {name}"]
        assert value == f"{scores['strict_f1']:.4f}"
        ends = (f"{scores[f'strict_f1_{end}']:.4f}" for end in ("low", "high"))
        assert interval.removesuffix(" \u2020") == "\N{EN DASH}".join(ends)
        assert int(items) == sum(scores[f"strict_{kind}"] for kind in ("tp", "fp", "fn"))


def test_a_bar_is_as_long_as_its_number(spans, open_page):
    page = open_page(spans, "#match=exact&crit=both", pictures=True)
    lengths = page.evaluate("""() => [...document.querySelectorAll("#statistics .bars")].filter((svg) => svg.querySelector("rect")).map((svg) => {
      const width = (part) => part.getBoundingClientRect().width / svg.getBoundingClientRect().width;
      return [width(svg.querySelector(".bar-of")), Number(svg.closest("tr").querySelector(".picture-cell + td").textContent)];
    })""")
    assert len(lengths) > 20
    assert all(length == pytest.approx(number, abs=0.003) for length, number in lengths)


def test_bars_of_items_lead_to_them(lists, open_page):
    page = open_page(lists, pictures=True)
    found = page.evaluate(PRESSED)
    assert found["wrong"] == []
    assert found["checked"] >= 6
    part = page.locator("#statistics tr:not(.total) .part").first
    kind = part.get_attribute("data-kind")
    part.click()
    assert page.evaluate("[...view.kinds]") == [kind]
    assert page.evaluate("current.rows.length > 0")


def test_scores_with_intervals_are_bars(lists, open_page):
    page = open_page(lists, pictures=True)
    page.keyboard.press("c")
    shown = page.locator("#slots-body .bars").evaluate_all("(all) => all.map((svg) => [svg.role ?? svg.getAttribute('role'), svg.ariaLabel ?? svg.getAttribute('aria-label')])")  # fmt: skip
    assert len(shown) >= 6
    scores = page.evaluate("corpus.systems.map(({ name, scores, empty }) => [name, scores, empty])")
    for role, label in shown:
        assert role == "img"
        key, system = label.split(": ")[0].rsplit(", ", 1)
        [(told, empty)] = [(of, empty) for name, of, empty in scores if name == system]
        key = key.replace(" ", "_")
        value = "\N{EN DASH}" if key in empty else f"{told[key]:.4f}"
        assert f": {value}, 95 % " in label


def test_a_key_and_a_button_bring_the_tables_and_the_choice_stays(spans, open_page, expect):
    page = open_page(spans, pictures=True)
    button = page.locator("#statistics .pictures")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#statistics .cell")).to_have_count(0)
    page.keyboard.press("t")
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.locator("#statistics .cell").count() > 100
    page.reload()
    page.wait_for_function("() => document.body.dataset.ready")
    assert page.locator("#statistics .cell").count() > 100
    button.click()
    expect(page.locator("#statistics .bars").first).to_be_visible()
    button.focus()
    page.keyboard.press("t")
    expect(button).to_be_focused()


def test_bars_are_reached_by_keys(spans, open_page, expect):
    page = open_page(spans, "#match=exact&crit=both", pictures=True)
    bars = page.locator("#statistics .bar-button")
    stops = "(box) => [...box.querySelectorAll('table button')].filter((each) => each.tabIndex === 0).length"
    assert page.locator("#statistics-body").evaluate(stops) == 1
    bars.first.focus()
    page.keyboard.press("ArrowDown")
    expect(bars.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("[view.system, current.rows.length]") == [1, 418]


@pytest.fixture(scope="module")
def confused(make_report, tmp_path_factory):
    """Seven labels, of which some are taken for others."""
    folder = tmp_path_factory.mktemp("confused")
    labels = [f"label{k}" for k in range(7)]
    for name, step in (("gold", 0), ("system", 1)):
        lines = []
        for d in range(12):
            mentions = [{"spans": [[10 * k, 10 * k + 4]], "label": labels[(k + step * (d % 3 == 0) * (k < 3)) % 7]} for k in range(7)]  # fmt: skip
            lines.append(json.dumps({"id": f"n{d}", "mentions": mentions}) + "\n")
        (folder / f"{name}.jsonl").write_text("".join(lines))
    return make_report(
        "clinical_spans", folder / "gold.jsonl", folder / "system.jsonl", "--no-text"
    )


def test_confusions_of_many_classes_are_a_heat_map(confused, open_page, expect):
    page = open_page(confused, "#match=exact&crit=span", pictures=True)
    page.keyboard.press("c")
    cells = page.locator(".heat-cell")
    assert (
        sorted(map(int, cells.locator("text").all_text_contents())) == [4, 4, 4, 8, 8, 8] + [12] * 4
    )
    wrong = page.locator(".heat-cell[aria-label^='label: gold label0, system label1: 4 ']")
    wrong.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("current.rows.length") == 4
    expect(wrong).to_be_focused()
    expect(wrong).to_have_attribute("aria-pressed", "true")
    found = page.evaluate("""() => {
      history.pushState = () => {};
      const labels = [...document.querySelectorAll(".heat-cell")].map((cell) => cell.getAttribute("aria-label"));
      return labels.map((label) => {
        const cell = [...document.querySelectorAll(".heat-cell")].find((each) => each.getAttribute("aria-label") === label);
        cell.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        return [Number(cell.dataset.n), current.rows.length];
      });
    }""")
    assert all(number == rows for number, rows in found)
    page.keyboard.press("t")
    expect(cells).to_have_count(0)


def test_answers_of_many_classes_are_a_heat_map(make_report, open_page, tmp_path):
    rows = [(f"n{k}", f"class{k % 6}", f"class{(k + (k % 5 == 0)) % 6}") for k in range(30)]
    for name, at in (("gold", 1), ("system", 2)):
        (tmp_path / f"{name}.csv").write_text("filename,finding\n" + "".join(f"{row[0]},{row[at]}\n" for row in rows))  # fmt: skip
    report = make_report("clinical_classes", tmp_path / "gold.csv", tmp_path / "system.csv")
    page = open_page(report, pictures=True)
    page.keyboard.press("c")
    cells = page.locator(".heat-cell")
    assert sum(map(int, cells.locator("text").all_text_contents())) == 30
    wrong = page.get_by_role("button", name="gold class0, system class1: 1 items")
    wrong.click()
    assert page.evaluate("current.rows.length") == 1


def test_probabilities_have_a_calibration_diagram_and_a_table(make_report, open_page, expect):
    page = open_page(make_report(*PAGES["codes"]), pictures=True)
    page.keyboard.press("c")
    [bins] = [bins for bins in page.evaluate("head.calibration") if bins]
    picture = page.locator(".calibration svg")
    assert picture.get_attribute("aria-label").count("classifier.csv: ") == len(bins) > 1
    circles = picture.locator("circle").evaluate_all("(all) => all.map((at) => [at.cx.baseVal.value, at.cy.baseVal.value])")  # fmt: skip
    assert circles == [
        pytest.approx([34 + 230 * mean, 8 + 230 * (1 - right)], abs=1e-3) for _, mean, right in bins
    ]
    page.keyboard.press("t")
    rows = page.locator(".calibration tbody tr")
    told = [row.locator("td").all_inner_texts() for row in rows.all()]
    assert told == [[str(n), f"{mean:.4f}", f"{right:.4f}"] for n, mean, right in bins]
    expect(picture).to_have_count(0)
