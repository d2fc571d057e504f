"""Reports of evidence for answers: sentences by their grades, and links."""

import pytest
from conftest import ROOT

import clineval

NAME = "archehr_qa26"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
SYSTEMS = {
    "default": ("keywords", "model"),
    "subtask2": ("keywords", "model"),
    "subtask4": ("keywords_links", "model_links"),
}
SHOWN = {
    "default": ("strict_micro", "lenient_micro"),
    "subtask2": ("strict_micro", "lenient_micro"),
    "subtask4": ("micro",),
}
"""Configuration to what its demo predicts."""
CELLS = """() => {
  history.pushState = () => {};
  const found = {};
  for (let k = 0; k < document.querySelectorAll('#statistics .cell').length; k++) {
    const cell = document.querySelectorAll('#statistics .cell')[k];
    const label = cell.ariaLabel.split(',')[0];
    const number = Number(cell.textContent);
    cell.click();
    found[label] = [number, current.rows.length];
  }
  return found;
}"""


@pytest.fixture(
    scope="module",
    params=[(config, protocol) for config in SYSTEMS for protocol in ("spec", "official")],
    ids=" ".join,
)
def report(request, make_report):
    config, protocol = request.param
    key, *systems = (DEMO / f"{name}.json" for name in ("key", *SYSTEMS[config]))
    page = make_report(NAME, key, *systems, "--config", config, "--protocol", protocol)
    options = {"config": config, "protocol": protocol}
    return page, config, clineval.score(NAME, systems[0], key, **options)


def test_the_page_counts_what_the_core_counts(report, open_page, expect):
    path, config, score = report
    page = open_page(path)
    assert page.evaluate("findDifferences()") == []
    checked = {*page.evaluate("head.checks.map(({ key }) => key)")}
    names = SHOWN[config]
    assert {f"{name}_{of}" for name in names for of in ("tp", "fp", "fn")} <= checked
    first = "overall_score" if config == "default" else f"{names[0]}_f1"
    expect(page.locator("#headline")).to_contain_text(f"{first} {score[first]:.4f}")


def test_every_cell_is_the_length_of_its_list(report, open_page):
    path, config, score = report
    page = open_page(path)
    found = page.evaluate(CELLS)
    assert all(number == rows for number, rows in found.values())
    cells = {label.removeprefix("All: ").rpartition(" ")[0]: number
             for label, (number, _) in found.items() if label.startswith("All: ")}  # fmt: skip
    if config == "subtask4":
        names = ("right link", "spurious link", "missed link")
        wanted = [score[f"micro_{of}"] for of in ("tp", "fp", "fn")]
    else:
        names = ("right", "spurious", "missed", "supplementary")
        wanted = [score[f"lenient_micro_{of}"] for of in ("tp", "fp", "fn")]
        wanted.append(score["strict_micro_fp"] - score["lenient_micro_fp"])
    assert [cells[name] for name in names] == wanted
    assert sum(cells.values()) == sum(wanted)
    assert min(wanted[:3]) > 0


def test_an_item_leads_to_its_case_and_to_both_systems(report, open_page, expect):
    path, config, _ = report
    page = open_page(path, "#tab=items")
    page.locator("#items [role=option]").first.click()
    expect(page.locator("#document-name")).to_have_text("1")
    shown = page.locator("#document-body").inner_text()
    assert [f"{name}.json" in shown for name in SYSTEMS[config]] == [True, True]
    detail = page.locator("#detail-body").inner_text()
    assert (">" in detail) == (config == "subtask4")
    comparison = page.locator("#comparison .cell").all_inner_texts()
    assert sum(map(int, comparison)) > 0


def test_the_page_holds_no_word_of_the_notes(report):
    html = report[0].read_text("utf-8")
    assert "blood thinner" not in html
    assert "femoral" not in html
