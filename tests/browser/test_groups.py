"""Groups in the Statistics pane: those of --by, intervals, names of codes, the chosen class."""

import json

import pytest
from conftest import ROOT
from processes import run_clineval

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL = CHALLENGES / "semeval15_task14" / "demo"
SIDES = ("semeval15_task14", SEMEVAL / "gold", SEMEVAL / "tagger")
MODE = "#match=overlap&crit=span"
TABLE = """() => [...document.querySelectorAll('#statistics tbody tr')].map((row) => [
  row.querySelector('th').textContent,
  ...[...row.querySelectorAll('td')].map((cell) => cell.textContent)])"""


@pytest.fixture(scope="module")
def sections(tmp_path_factory):
    """Every note as two sections, split at character 300."""
    path = tmp_path_factory.mktemp("sections") / "sections.jsonl"
    parts = [
        {"start": 0, "end": 300, "label": "HEAD"},
        {"start": 300, "end": 9999, "label": "REST"},
    ]
    notes = sorted(note.name for note in (SEMEVAL / "text").iterdir())
    path.write_text("".join(json.dumps({"id": n, "sections": parts}) + "\n" for n in notes))
    return path


@pytest.fixture(scope="module")
def report(make_report, sections, tmp_path_factory):
    names = tmp_path_factory.mktemp("names") / "names.csv"
    names.write_text(
        'code,name\nC0008031,"Chest pain, <b>any</b>"\nC0018681,Headache\n'
        "C0235299,Pain in the right side\n"
    )
    extras = ("--sections", sections, "--train", SEMEVAL / "gold", "--names", names)
    return make_report(*SIDES, "--text", SEMEVAL / "text", *extras)


@pytest.mark.parametrize("by", ["length", "fragments", "section", "seen", "slot:negation"])
def test_groups_are_those_of_the_command_line(report, open_page, sections, by):
    asked = {"section": ("--sections", sections), "seen": ("--train", SEMEVAL / "gold")}
    options = ("--by", by, *asked.get(by, ()), "--format", "json")
    groups = json.loads(run_clineval("score", *SIDES, *options).stdout)["groups"]
    page = open_page(report, f"{MODE}&by={by}")
    found = {label: cells for label, *cells in page.evaluate(TABLE)}
    assert set(found) - {"All"} == set(groups)
    for name, scores in groups.items():
        counts = [str(scores[f"span_{kind}"]) for kind in ("tp", "fp", "fn")]
        assert found[name][2:5] == counts
        assert found[name][7] == f"{scores['span_f1']:.4f}"
    whole = page.evaluate(
        """() => {
          history.pushState = () => {};
          const wrong = [];
          for (let k = 0; k < document.querySelectorAll('#statistics td .cell').length; k++) {
            const cell = document.querySelectorAll('#statistics td .cell')[k];
            const number = cell.textContent.replaceAll(',', '');
            if (number.includes('.') || number === '–') continue;
            cell.click();
            if (current.rows.length !== Number(number)) wrong.push([cell.ariaLabel, current.rows.length]);
          }
          return wrong;
        }"""
    )
    assert whole == []


def test_intervals_hold_the_measure_and_the_whole_s_is_the_score_s(report, open_page):
    page = open_page(report, MODE)
    rows = page.evaluate(TABLE)
    bounds = {
        row[0]: row[9].split("\N{EN DASH}") for row in rows if len(row) > 9 and len(row[9]) > 1
    }
    assert len(bounds) > 10
    for label, *cells in rows:
        if label in bounds:
            low, high = bounds[label]
            assert low <= cells[7] <= high
    asked = ("--confidence", "0.95", "--format", "json")
    score = json.loads(run_clineval("score", *SIDES, *asked).stdout)
    told = page.evaluate("corpus.systems[0].intervals.span_f1")
    assert told == [score["scores"][f"span_f1_{end}"] for end in ("low", "high")]
    assert f"{told[0]:.4f} to {told[1]:.4f}" in page.locator("#headline-interval").inner_text()


def test_choosing_an_annotation_leads_to_the_statistics_of_its_class(report, open_page, expect):
    page = open_page(report, MODE)
    chosen = page.locator("#statistics tr[aria-current=true] th")
    seen = set()
    for _ in range(6):
        page.keyboard.press("n")
        code = page.evaluate("CLASSES[chosenRow()]")
        expect(chosen).to_contain_text(code)
        expect(chosen).to_be_in_viewport()
        seen.add(code)
    assert len(seen) > 2
    page.locator("#document-body mark").last.click()
    expect(chosen).to_contain_text(page.evaluate("CLASSES[chosenRow()]"))


def test_a_permanent_link_to_a_slot_s_cell_shows_that_slot(report, open_page, expect):
    page = open_page(report, MODE)
    page.keyboard.press("c")  # slots
    page.get_by_role("button", name="severity", exact=True).click()
    page.locator("#slots-body .off .cell").first.click()
    again = open_page(report, "#" + page.url.split("#")[1])
    pressed = again.locator("#slots-body .slots .link[aria-pressed=true]")
    expect(pressed).to_have_text("severity")
    expect(again.locator("#slots-body .matrix .cell[aria-pressed=true]")).to_have_count(1)


def test_steps_from_item_to_item_leave_one_entry_of_the_history(report, open_page, expect):
    page = open_page(report, MODE)
    before = page.evaluate("history.length")
    page.locator("#tab-pairs").click()
    for _ in range(5):
        page.keyboard.press("j")
    assert page.evaluate("history.length") == before + 1
    page.go_back()
    expect(page.locator("#tab-reports")).to_have_attribute("aria-selected", "true")


def test_names_of_codes_stand_with_the_codes_and_can_be_searched(report, open_page, expect):
    page = open_page(report, f"{MODE}&q=any")
    expect(page.locator("body")).to_have_attribute("data-searched", "any")
    codes = page.evaluate("[...current.rows].map((i) => CLASSES[current.items.code(i)])")
    assert "C0008031" in codes
    expect(page.locator("#detail-body")).to_contain_text("C0008031 Chest pain, <b>any</b>")
    expect(page.locator("#statistics tr[aria-current=true] th")).to_have_text(
        "C0008031 Chest pain, <b>any</b>"
    )
    assert page.locator("#statistics b").count() == 0
    page.get_by_role("button", name="“any” ✕").click()  # frequent errors follow the search
    page.locator("#tab-frequent").click()
    expect(page.locator("#frequent")).to_contain_text("C0235299 Pain in the right side")
    page.keyboard.press("c")  # slots
    page.get_by_role("button", name="cui", exact=True).click()
    confused = page.locator("#slots-body .matrix")
    named = page.evaluate("Object.keys(corpus.names)")
    for code in (code for code in named if code in confused.inner_text()):
        expect(confused).to_contain_text(f"{code} {page.evaluate('nameOf', code)}")


def test_kinds_of_errors_count_once_whatever_the_mode_as_in_the_list_of_errors(report, open_page):
    found = json.loads(run_clineval("errors", *SIDES, "--format", "json").stdout)
    kinds = {kind: found["kinds"][kind] + found["kinds"]["both"] for kind in ("boundary", "code")}
    for match in ("exact", "overlap"):
        page = open_page(report, f"#match={match}&crit=span")
        for kind, number in kinds.items():
            chip = page.locator("#filters .chip", has_text=kind)
            assert chip.inner_text() == f"{kind} {number}"
            chip.click()
            assert page.locator("#tab-pairs").inner_text() == f"Items {number}"
            chip.click()
