"""Reports of several systems: two at a time side by side, and a table of all."""

import json

import pytest
from conftest import ROOT
from processes import run_clineval

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL = CHALLENGES / "semeval15_task14" / "demo"
SECTIONS = CHALLENGES / "clinais23_b2" / "demo"
SIDES = {
    "semeval15_task14": (SEMEVAL / "gold", SEMEVAL / "dictionary", SEMEVAL / "tagger"),
    "clinais23_b2": tuple(SECTIONS / f"{name}.json" for name in ("gold", "windows", "tagger")),
}


@pytest.fixture(scope="module")
def three(make_report):
    gold, one, two = SIDES["semeval15_task14"]
    named = (f"rules={one}", f"ours={two}", f"perfect={gold}")
    return make_report("semeval15_task14", gold, *named, "--text", SEMEVAL / "text")


@pytest.fixture(scope="module")
def edits(make_report):
    return make_report("clinais23_b2", *SIDES["clinais23_b2"])


def compared(page):
    """State to how many items are in it."""
    found = {}
    for line in page.locator("#comparison li").all():
        found[line.locator("span").first.inner_text()] = int(line.locator(".cell").inner_text())
    return found


@pytest.mark.parametrize("mode", [("exact", "span"), ("exact", "both"), ("overlap", "span")])
@pytest.mark.parametrize(("base", "other"), [(0, 1), (1, 0), (1, 2), (2, 0)])
def test_what_two_systems_made_of_it_adds_up_to_the_counts_of_both(
    three, open_page, mode, base, other
):
    match, criterion = mode
    address = f"#match={match}&crit={criterion}&base={base}&other={other}&sys={base}"
    page = open_page(three, address)
    states = compared(page)
    measures = """([at, match, criterion]) => {
      const { tp, fp, fn } = measureItems(itemsOf(at, match, criterion));
      return [tp, fp, fn];
    }"""
    first, second = (page.evaluate(measures, [at, match, criterion]) for at in (base, other))
    right, fixed, broken, wrong = (
        states[name] for name in ("right in both", "fixed", "broken", "wrong in both")
    )
    new, vanished, same = (
        states[f"{name}"] for name in ("new spurious", "vanished spurious", "spurious in both")
    )
    assert first == [right + broken, same + vanished, fixed + wrong]
    assert second == [right + fixed, same + new, broken + wrong]


def test_a_state_leads_to_its_items_of_the_system_that_has_them(three, open_page, expect):
    page = open_page(three, "#match=overlap&crit=span")
    for state, size in compared(page).items():
        page.get_by_role("button", name=f"{state}: {size}, show them").click()
        expect(page.locator("#tab-pairs")).to_have_text(f"Items {size}")
        system = {"new spurious": "1", "vanished spurious": "0"}.get(state)
        if system:
            expect(page.locator("#system")).to_have_value(system)


def test_any_two_systems_stand_side_by_side_and_survive_a_reload(three, open_page, expect):
    page = open_page(three, "#match=overlap&crit=span")
    titles = page.locator("#document-body .pane-title")
    expect(titles).to_have_text(["Gold", "rules", "ours"])
    page.locator("#system").select_option("perfect")
    expect(titles).to_have_text(["Gold", "rules", "perfect"])
    page.get_by_label("The first of two systems").select_option("ours")
    expect(titles).to_have_text(["Gold", "ours", "perfect"])
    page.keyboard.press("x")
    expect(page.locator("#system")).to_have_value("1")
    page.reload()
    expect(titles).to_have_text(["Gold", "ours", "perfect"])
    expect(page.locator("#system")).to_have_value("1")


@pytest.mark.parametrize(
    ("module", "key", "address"),
    [
        ("semeval15_task14", "span_f1", "#match=overlap&crit=span&table=1"),
        ("clinais23_b2", "b2", "#table=1"),
    ],
)
def test_the_table_of_systems_is_what_the_command_line_prints(
    make_report, open_page, module, key, address
):
    gold, *systems = SIDES[module]
    if module == "semeval15_task14":
        systems.append(gold)
    named = (f"{name}={path}" for name, path in zip("ABC", systems, strict=False))
    options = ("--no-text",) if module == "semeval15_task14" else ()
    page = open_page(make_report(module, gold, *named, *options), address)
    asked = ("--score", key, "--format", "json")
    found = json.loads(run_clineval("compare", module, gold, *systems, *asked).stdout)
    lines = page.locator(".systems tbody tr").all()
    rows = [line.locator("td").all_inner_texts() for line in lines]
    for row, (name, values) in zip(rows, found["systems"].items(), strict=True):
        assert row[0] == f"{values[key]:.4f}"
        low, high = (f"{values[f'{key}_{end}']:.4f}" for end in ("low", "high"))
        dagger = " †" if key in found["few_units"][name] else ""
        assert row[1] == f"{low} to {high}{dagger}"
    for row, difference in zip(rows[1:], found["differences"].values(), strict=True):
        values = difference[key]
        assert row[2].replace("\N{MINUS SIGN}", "-") == f"{values['value']:+.4f}"
        bounds = " to ".join(f"{values[end]:.4f}" for end in ("low", "high"))
        assert row[3].replace("\N{MINUS SIGN}", "-") == bounds
        p = [values["p"], values["p_holm"]]
        shown = ["< 0.0001" if each < 0.0001 else f"{each:.4f}" for each in p]
        assert row[4:] == shown[: len(row) - 4]


def test_a_lower_b2_is_explained_by_what_edits_cost(edits, open_page):
    """36 boundaries were fixed and none broken, and the score is lower all the same."""
    page = open_page(edits)
    effects = page.evaluate("comparedCounts().map(({ effect }) => effect)")
    first, second = page.evaluate("corpus.systems.map(({ scores }) => scores.b2)")
    assert compared(page)["fixed"] == 36
    assert compared(page)["broken"] == 0
    assert second < first
    assert sum(effects) == pytest.approx(second - first, abs=1e-12)
    lost = page.evaluate("corpus.systems.map((s) => VIEW.losses(s).reduce((a, b) => a + b, 0))")
    assert lost == pytest.approx([1 - first, 1 - second], abs=1e-12)
    shown = page.locator("#comparison li", has_text="wrong in both").inner_text()
    assert "\N{MINUS SIGN}0.1239" in shown


def test_numbers_are_rounded_as_python_rounds_them(edits, open_page):
    page = open_page(edits)
    numbers = [0.40625, 0.03125, 0.96875, -0.40625, 0.15625, 0.5, 1.0, 0.00005, 2 / 3, 0.84375]
    assert page.evaluate("(xs) => xs.map(share)", numbers) == [f"{x:.4f}" for x in numbers]
    numbers = [k / 128 for k in range(-3, 128, 2)]
    six = page.evaluate("(xs) => xs.map((x) => rounded(x, 6))", numbers)
    assert six == [f"{x:.6f}" for x in numbers]
