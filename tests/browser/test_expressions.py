"""Filter by an expression: as many items as a plain filter of ``clineval errors`` has, in every kind."""

import json
import re

import pytest
from conftest import ROOT
from demos import arguments_of
from processes import run_clineval

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
WIDEST = "#match=overlap&crit=span"
"""The mode in which an item is a row of the widest match."""


def is_missed(row):
    return row["predicted"] is None


def is_spurious(row):
    return row["gold"] is None


def has_both(row, gold, predicted):
    return (row["gold"], row["predicted"]) == (gold, predicted)


# module: expression, and whether it is true of an error with the kind, gold and predicted class
CASES = {
    "clinical_spans": {
        "fn and label:problem": lambda row: is_missed(row) and row["gold"] == "problem",
        "boundary and label=test": lambda row: row["kind"] == "boundary" and row["gold"] == "test",
        "gold:label=treatment and system:label=test": lambda row: has_both(
            row, "treatment", "test"
        ),
        "(fn or fp) and not label:problem": lambda row: (
            (is_missed(row) or is_spurious(row)) and row["gold"] != "problem"
        ),
        "boundary or kind:label": lambda row: row["kind"] in ("boundary", "label", "both"),
    },
    "clinical_relations": {
        "fn": lambda row: row["kind"] in ("missed", "unlinked", "end"),
        "gold:type=CAUSES and system:type=TREATS": lambda row: has_both(row, "CAUSES", "TREATS"),
        "boundary and type:SHOWS": lambda row: row["kind"] == "boundary" and row["gold"] == "SHOWS",
    },
    "clinical_classes": {
        "gold:answer=no and system:answer=yes": lambda row: has_both(row, "no", "yes"),
        "spurious and answer=no": lambda row: is_spurious(row) and row["predicted"] == "no",
        "other and answer:never": lambda row: (
            not is_missed(row) and not is_spurious(row) and row["gold"] == "never"
        ),
        "wrong:answer": lambda row: row["kind"] == "answer",
    },
    "clinical_codes": {
        "spurious and code:r05": lambda row: is_spurious(row) and row["predicted"] == "r05",
        "missed and code~/^[ej]/": lambda row: is_missed(row) and row["gold"][0] in "ej",
        "missed or spurious": lambda row: is_missed(row) or is_spurious(row),
    },
    "clinical_records": {
        "missed or spurious": lambda row: is_missed(row) or is_spurious(row),
        'missed and "medications.times.when"=noon': lambda row: (
            is_missed(row) and "when noon" in row["gold"]
        ),
    },
    "clinical_events": {
        "fn and label:Reason": lambda row: is_missed(row) and row["gold"] == "Reason",
        "fp and not label:Drug": lambda row: is_spurious(row) and row["predicted"] != "Drug",
        "fn or fp": lambda row: is_missed(row) or is_spurious(row),
    },
}


@pytest.fixture(scope="module")
def reports(make_report):
    """Reports and lists of errors of the first systems of demos, by module."""
    made = {}
    for module in CASES:
        (system, gold), options = arguments_of(module)
        asked = [word for name, value in options.items() for word in (f"--{name}", value)]
        listed = run_clineval(
            "errors", module, gold, system, *asked, "--format", "json", "--most", 999
        )
        made[module] = (
            make_report(module, gold, system, *asked),
            json.loads(listed.stdout)["errors"],
        )
    return made


@pytest.fixture
def ask(expect):
    """Type an expression, and wait until the page shows its items."""

    def ask(page, expression):
        page.locator("#where").fill(expression)
        page.locator("#where").press("Enter")
        page.wait_for_function("(wanted) => view.where === wanted && !isLooking()", arg=expression)
        expect(page.locator("#where-problem")).to_be_empty()
        return page.evaluate("current.rows.length")

    return ask


@pytest.mark.parametrize("module", CASES)
def test_items_are_those_of_a_plain_filter(module, reports, open_page, ask):
    report, errors = reports[module]
    page = open_page(report, WIDEST)
    for expression, holds in CASES[module].items():
        size = sum(row["times"] for row in errors if holds(row))
        assert ask(page, expression) == size > 0, expression
        tab = page.locator("#tab-pairs, #tab-items")
        assert tab.inner_text() == f"Items {size}"
        again = open_page(report, "#" + page.url.split("#")[1])
        assert again.evaluate("current.rows.length") == size
        assert again.locator("#where").input_value() == expression


def test_words_places_and_slots_of_mentions(make_report, open_page, ask, tmp_path):
    text = "No chest pain. Chest  wall is fine, mild pain."
    spans = [([3, 13], "yes"), ([15, 26], "no"), ([36, 45], "no"), ([3, 8], "no")]
    gold = [{"spans": [span], "label": "sign", "negation": value} for span, value in spans]
    found = [{**gold[0], "negation": "no"}, gold[1], {**gold[2], "spans": [[41, 45]]}]
    paths = [tmp_path / f"{name}.jsonl" for name in ("gold", "found")]
    for path, mentions in zip(paths, (gold, found), strict=True):
        path.write_text(json.dumps({"id": "a", "text": text, "mentions": mentions}))
    report = make_report("clinical_spans", *paths, "--slots", "negation")
    page = open_page(report, WIDEST)
    expected = {
        'text~"chest"': [0, 1, 3],
        "text~CHEST and text!~pain": [1, 3],
        'text = "chest wall"': [1],
        "text~/^mild|^chest p/": [0, 2],
        "system:text=pain": [2],
        "slot:negation=yes": [0],
        "system:negation=yes": [],
        "gold:negation!=yes": [1, 2, 3],
        "wrong:negation": [0],
        "len>9 and tp": [0, 1],
        "len<=5": [3],
        "start>=15 and end<45": [1],
        "note~wall and fragments=1": [0, 1, 2, 3],
        "note!~wall": [],
        "document:a and not fn": [0, 1, 2],
        "NOT fn AND (start=3 OR boundary)": [0, 2],
        "fn or tp and wrong:negation": [0, 3],
    }
    for expression, items in expected.items():
        ask(page, expression)
        shown = page.evaluate(
            "[...current.rows].map((i) => [current.items.golds[i], current.items.predictions[i]])"
        )
        ends = page.evaluate(
            "[...Array(corpus.gold.size).keys()].map((g) => corpus.gold.fragments(g)[0])"
        )
        places = sorted(ends[g] for g, _ in shown)
        assert places == sorted(spans[at][0] for at in items), expression


PROBLEMS = {
    "lable:problem": (1, "“lable” is neither a field nor a kind of item here. Did you mean label?"),
    "fn and labl:x": (8, "Did you mean label?"),
    "label:problm": (7, "label has no value “problm”. Did you mean problem?"),
    "label:zzz": (7, "expected one of problem, test, treatment"),
    "len>three": (5, "expected a number after “>”, got “three”"),
    "label=": (7, "expected a value after “=”"),
    "document": (9, "expected an operator and a value after document"),
    "(fn or fp": (1, "this parenthesis is not closed"),
    "fn) or fp": (3, "expected “and” or “or”, got “)”"),
    "fn fp": (4, "expected “and” or “or”, got “fp”"),
    "fn and": (7, "expected a field or a kind of item, got the end"),
    "and fn": (1, "expected a field or a kind of item, got “and”"),
    'label="prob': (7, "this quote is not closed"),
    "text~/(/": (6, "this is not a valid regular expression"),
    "gold:document=a": (6, "document is the same on both sides; leave out “gold:”"),
}


def test_an_error_says_what_is_wrong_and_where(reports, open_page, ask):
    page = open_page(reports["clinical_spans"][0], WIDEST)
    size = ask(page, "fn")
    for expression, problem in PROBLEMS.items():
        page.locator("#where").fill(expression)
        page.locator("#where").press("Enter")
        shown = page.locator("#where-problem").inner_text()
        at, words = problem
        assert shown.startswith(f"Character {at}: "), (expression, shown)
        assert words in shown
        assert page.locator("#where").get_attribute("aria-invalid") == "true"
        assert page.evaluate("current.rows.length") == size
    broken = open_page(reports["clinical_spans"][0], "#where=len>x")
    assert broken.locator("#where").input_value() == "len>x"
    assert broken.locator("#where-problem").inner_text().startswith("Character 5: ")
    page.locator("#where").fill("")
    page.locator("#where").press("Enter")
    assert page.locator("#where-problem").inner_text() == ""
    assert page.evaluate("current.rows.length") > size


@pytest.mark.parametrize("module", ["clinical_spans", "clinical_codes"])
def test_a_page_without_texts_says_why_it_compares_no_words(module, make_report, open_page):
    (system, gold), _ = arguments_of(module)
    page = open_page(make_report(module, gold, system, "--no-text"))
    for field in ("text", "note"):
        page.locator("#where").fill(f"{field}~pain")
        page.locator("#where").press("Enter")
        shown = page.locator("#where-problem").inner_text()
        assert shown.startswith(f"Character 1: {field}: this report has no texts")
    page.locator("#where").fill("te")
    offered = page.locator("#where-words option").evaluate_all("(all) => all.map((o) => o.value)")
    assert "text=" not in offered


def test_names_and_values_are_offered(reports, open_page):
    def offered(page, text):
        page.locator("#where").fill(text)
        options = page.locator("#where-words option")
        return options.evaluate_all("(all) => all.map((option) => option.value)")

    page = open_page(reports["clinical_spans"][0], WIDEST)
    assert offered(page, "lab") == ["label", "label="]
    assert offered(page, "label=") == [f"label={name}" for name in ("problem", "test", "treatment")]
    assert offered(page, "fn and gold:label:t") == [
        f"fn and gold:label:{name}" for name in ("test", "treatment")
    ]
    assert offered(page, "fn ") == ["fn and", "fn or"]
    assert offered(page, "(fn or docum") == ["(fn or document="]
    for text in ("", "fn and ", "label=", 'document="'):
        for option in offered(page, text)[:5]:
            assert option.startswith(text.rstrip('"'))
    page = open_page(reports["clinical_codes"][0])
    assert "code=j45.0" in [each.lower() for each in offered(page, "code=j")]


def test_filters_combine_and_show_all_removes_them(reports, open_page, ask, expect):
    page = open_page(reports["clinical_spans"][0], WIDEST)
    ask(page, "label:problem")
    chip = page.locator("#filters .chip", has_text="FN")
    missed = int(re.search(r"\d+", chip.inner_text())[0])
    chip.click()
    assert page.evaluate("current.rows.length") == missed == ask(page, "label:problem and fn")
    page.get_by_role("button", name="show all").click()
    page.locator("#document-body").click()
    expect(page.locator("#where")).to_have_value("")
    page.go_back()
    expect(page.locator("#where")).to_have_value("label:problem and fn")


@pytest.mark.parametrize("module", ["clinical_spans", "clinical_records"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_box_is_accessible(module, scheme, reports, open_page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_page(reports[module][0], scheme=scheme)
    page.locator("#where").fill("len>x")
    page.locator("#where").press("Enter")
    assert page.locator("#where-problem").inner_text()
    rules = {"runOnly": ["wcag2a", "wcag2aa"]}
    for context in ("#where-form", "#help"):
        if context == "#help":
            page.locator("#open-help").click()
        found = axe.run(page, context=context, options=rules)
        assert found.violations_count == 0, found.generate_report()
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("$('help').scrollWidth <= $('help').clientWidth")
