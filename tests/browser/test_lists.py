"""Reports of sections, medication entries and ranked lists."""

import base64
import csv
import gzip
import io
import json
import re

import pytest
from conftest import ROOT

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SECTIONS = CHALLENGES / "clinais23_b2" / "demo"
ENTRIES = CHALLENGES / "i2b2_2009_medication" / "demo"
RANKINGS = CHALLENGES / "clefehealth13_task3" / "demo"
CODES = CHALLENGES / "codiesp20" / "demo"
CORPORA = {
    "sections": (
        "clinais23_b2",
        *(SECTIONS / f"{name}.json" for name in ("gold", "windows", "tagger")),
    ),
    "entries": (
        "i2b2_2009_medication",
        *(ENTRIES / name for name in ("gold", "rules", "tagger")),
        *("--text", ENTRIES / "records"),
    ),
    "rankings": (
        "clefehealth13_task3",
        *(RANKINGS / f"{name}.txt" for name in ("qrels", "team.run1", "team.run2")),
    ),
    "codes": (
        "codiesp20",
        *(CODES / f"{name}_D.tsv" for name in ("gold", "dictionary", "classifier")),
        *("--codes", CODES / "codes_D.tsv", "--chapters", CODES / "chapters.tsv"),
        *("--names", CODES / "codes_D.tsv"),
    ),
}


@pytest.fixture(scope="module")
def reports(make_report):
    return {name: make_report(*arguments) for name, arguments in CORPORA.items()}


@pytest.fixture(params=CORPORA)
def page(request, reports, open_page):
    return open_page(reports[request.param])


def errors_of(page):
    """A cell of the totals that counts errors of which there are some."""
    return page.locator("#statistics tr.total .cell").nth(
        4 if page.evaluate("head.view") == "codes" else 3
    )


def shown(page):
    return int(page.locator("#tab-items").inner_text().removeprefix("Items ").replace(",", ""))


def download(page, name):
    page.locator("summary", has_text="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return waiting.value.path().read_text("utf-8")


def test_a_cell_leads_to_the_list_the_document_and_the_detail(page):
    cell = errors_of(page)
    size = int(cell.inner_text().replace(",", ""))
    cell.click()
    assert cell.get_attribute("aria-pressed") == "true"
    assert page.locator("#tab-items").get_attribute("aria-selected") == "true"
    assert shown(page) == size > 0
    assert page.locator("#items [role=option]").first.get_attribute("aria-setsize") == str(size)
    page.wait_for_selector("#document-body .selected")
    assert page.locator("#detail-body .fields tr").count() > 3
    assert page.locator("#position").inner_text() == f"item 1 of {size}"
    page.keyboard.press("k")
    assert page.locator("#position").inner_text() == f"item {size} of {size}"


def test_every_number_is_the_length_of_a_list_that_the_page_shows(page):
    found = page.evaluate(
        """() => {
          history.pushState = () => {};
          const wrong = [];
          let checked = 0;
          const ways = head.modes.flatMap(({ name }) => head.groupings.map((by) => ({ mode: name, by })));
          for (const way of ways) {
            change({ ...NO_FILTER, ...way });
            for (let k = 0; k < document.querySelectorAll('.cell').length; k++) {
              const cell = document.querySelectorAll('.cell')[k];
              const number = Number(cell.textContent.replaceAll(',', ''));
              cell.click();
              checked++;
              if (current.rows.length !== number) wrong.push([cell.ariaLabel, current.rows.length]);
            }
          }
          return { wrong, checked };
        }"""
    )
    assert found["wrong"] == []
    assert found["checked"] > 30


def test_groups_of_a_list_add_up_to_all_of_it(page):
    for by in page.evaluate("head.groupings"):
        if by != "row":
            page.get_by_label("Rows of the statistics").select_option(by)
        rows = page.evaluate(
            """() => [...document.querySelectorAll('#statistics tbody tr')].map((row) =>
              [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replaceAll(',', ''))))"""
        )
        assert len(rows) > 2
        assert [sum(column) for column in zip(*rows[1:], strict=True)] == rows[0]


def test_groups_and_columns_of_a_list_are_in_the_address(page, open_page):
    page.get_by_label("Rows of the statistics").select_option("document")
    heading = page.locator("#statistics thead button").nth(1)
    column = """() => [...document.querySelectorAll('#statistics tbody tr')].map((row) => [
      row.querySelector('th').textContent, Number(row.querySelectorAll('td')[1].textContent)])"""
    for order in ("descending", "ascending"):
        heading.click()
        (first, _), *rows = page.evaluate(column)
        assert first == "All"
        numbers = [number for _, number in rows]
        assert numbers == sorted(numbers, reverse=order == "descending")
        assert page.locator(f"#statistics th[aria-sort={order}]").count() == 1
    page.locator("#statistics tbody tr").nth(1).locator(".cell").first.click()
    again = open_page(page.url.split("file://")[1].split("#")[0], "#" + page.url.split("#")[1])
    assert again.evaluate(column) == page.evaluate(column)
    assert shown(again) == shown(page)
    chip = again.locator("#filters .chip.only")
    assert rows[0][0] in chip.inner_text()
    chip.click()
    assert shown(again) >= shown(page)


def test_headings_of_the_measures_sort_the_documents(page):
    headings = page.evaluate("head.measures.map(([, label]) => label)")
    for place, heading in enumerate(headings, start=3):
        button = page.locator("#report-heads").get_by_role("button", name=heading, exact=True)
        button.click()
        rows = page.evaluate(
            """(place) => [...document.querySelectorAll('#reports .document-row')]
              .sort((a, b) => a.ariaPosInSet - b.ariaPosInSet).map((row) => Number(row.children[place].textContent))""",
            place,
        )
        assert rows == sorted(rows)


def test_names_of_codes_stand_in_lists_tables_and_details(reports, open_page, expect):
    page = open_page(reports["codes"], "#tab=items&by=code&q=anemia")
    expect(page.locator("body")).to_have_attribute("data-searched", "anemia")
    named = "d50.9 anemia ferropénica"
    expect(page.locator("#items [role=option]").first).to_contain_text(named)
    expect(page.locator("#document-body tr.selected")).to_contain_text(named)
    expect(page.locator("#detail-body")).to_contain_text(named)
    expect(page.locator("#statistics tr.chosen th")).to_have_text(named)


def test_two_systems_are_compared(page):
    cells = page.locator("#comparison .cell")
    right, fixed, broken, *_ = (int(n.replace(",", "")) for n in cells.all_inner_texts())
    of_systems = page.evaluate(
        """() => corpus.systems.map(({ lists }) => {
          const { unit, kind } = lists[view.mode].columns;
          return unit.filter((u, i) => u >= 0 && kindOf(kind[i]).right).length;
        })"""
    )
    assert of_systems == [right + broken, right + fixed]
    assert re.search(r"p is exact|trials", page.locator("#slots-body").inner_text())
    page.keyboard.press("x")
    assert page.locator("#system").input_value() == "1"


def test_an_address_restores_what_was_seen_and_back_returns(page, open_page, expect):
    everything = page.locator("#tab-items").inner_text()
    errors_of(page).click()
    page.keyboard.press("j")
    seen = page.locator("#position").inner_text(), page.locator("#document-name").inner_text()
    again = open_page(page.url.split("file://")[1].split("#")[0], "#" + page.url.split("#")[1])
    assert again.locator("#position").inner_text() == seen[0]
    assert again.locator("#document-name").inner_text() == seen[1]
    page.go_back()  # steps from item to item are no entries of their own
    expect(page.locator("#tab-items")).to_have_text(everything)


def test_exports_have_what_is_shown(page, tmp_path, make_report):
    view = page.evaluate("head.view")
    errors_of(page).click()
    rows = list(csv.DictReader(io.StringIO(download(page, "This list, CSV"))))
    assert len(rows) == shown(page) == len(json.loads(download(page, "This list, JSON"))["items"])
    table = tmp_path / "measures.csv"
    make_report(*CORPORA[view], "--store-measures", table)
    assert download(page, "Store outcome measures, CSV") == table.read_text()


def test_the_edits_of_a_note_cost_what_the_score_says(reports, open_page):
    page = open_page(reports["sections"])
    rows = list(csv.DictReader(io.StringIO(download(page, "This list, CSV"))))
    scores = page.evaluate("head.systems[0].scores")
    weighted = []
    for note in {row["document"] for row in rows}:
        own = [row for row in rows if row["document"] == note]
        moved = [float(r["cost"]) for r in own if r["kind"] == "transposition"]
        size = len(own) + len(moved) - sum(moved)
        weight = sum(row["gold"] != "" for row in own)
        spent = sum(float(row["cost"]) for row in own)
        weighted.append((weight * max(0, size - spent) / size, weight))
    total = sum(weight for _, weight in weighted)
    assert sum(score for score, _ in weighted) / total == pytest.approx(scores["b2"])


def test_the_note_between_the_ribbons_is_the_note(reports, open_page, go_to):
    page = open_page(reports["sections"])
    notes = json.loads((SECTIONS / "gold.json").read_text("utf-8"))["annotated_entries"]
    for name, note in notes.items():
        go_to(page, doc=name)
        shown_text = page.evaluate(
            "[...document.querySelectorAll('.prose')].map((x) => x.textContent).join('')"
        )
        assert shown_text == note["note_text"]


def test_the_record_under_the_grid_is_the_record(reports, open_page, go_to):
    page = open_page(reports["entries"])
    for path in sorted((ENTRIES / "records").iterdir()):
        name = path.name.split(".")[0]
        go_to(page, doc=name, m="0")
        shown_text = page.evaluate(
            "[...document.querySelectorAll('.record .line')].map((x) => x.textContent).join('')"
        )
        assert shown_text == path.read_text("utf-8")
        assert page.locator(".record mark").count() > 0


def test_without_text_no_word_of_a_note_is_in_the_file(make_report, open_page):
    for view in ("sections", "entries"):
        arguments = [a for a in CORPORA[view] if a not in ("--text", ENTRIES / "records")]
        records = ["--records", ENTRIES / "records"] if view == "entries" else []
        path = make_report(*arguments, *records, "--no-text")
        html = path.read_text("utf-8")
        assert 'id="chunk-' not in html
        page = open_page(path)
        held = page.evaluate("unpackJson('tables')")
        words = set(re.findall(r"[a-zé]{4,}", json.dumps(held, ensure_ascii=False)))
        notes = (ENTRIES / "records").glob("*") if view == "entries" else [SECTIONS / "gold.json"]
        own = {"document", "kind", "unit", "gold", "system", "cost", "position", "displacement"}
        known = own | {"documents", "rows", "measures", "systems", "extra", "labels", "tokens"}
        known |= {"boundaries", "horizontal", "vertical", "entry", "null", "fields", "exact"}
        known |= {"medication", "dosage", "mode", "frequency", "duration", "reason", "nota"}
        text = " ".join(note.read_text("utf-8") for note in notes)
        assert {word for word in words - known if word in text} == set()
        assert page.locator("#document-body").inner_text()


@pytest.mark.parametrize("change", ["score", "item"])
def test_a_page_that_was_changed_by_hand_warns(reports, open_page, tmp_path, change):
    for view, path in reports.items():
        html = path.read_text("utf-8")
        if change == "score":
            key = {
                "sections": "b2",
                "entries": "exact_horizontal_system_f1",
                "rankings": "map",
                "codes": "micro_recall",
            }
            changed = re.sub(rf'"{key[view]}":0\.\d', f'"{key[view]}":0.0', html)
        else:
            found = re.search(r'id="tables">([^<]*)<', html)
            tables = json.loads(gzip.decompress(base64.b64decode(found[1])))
            items = next(iter(tables["systems"][0].values()))
            items["kind"][0] = (items["kind"][0] + 1) % 3
            packed = base64.b64encode(gzip.compress(json.dumps(tables).encode())).decode()
            changed = html[: found.start(1)] + packed + html[found.end(1) :]
        assert changed != html
        (tmp_path / "changed.html").write_text(changed, "utf-8")
        page = open_page(tmp_path / "changed.html")
        assert "the file was changed" in page.locator("#warning").inner_text(), view


def test_ranks_are_those_of_trec_eval(reports, open_page):
    page = open_page(reports["rankings"])
    items = page.evaluate("corpus.systems[0].lists.ranks.of(0)")
    retrieved = [item for item in items if item["rank"]]
    keys = [(-item["score"], [-ord(c) for c in item["name"]]) for item in retrieved]
    assert keys == sorted(keys)
    assert [item["rank"] for item in retrieved] == list(range(1, len(retrieved) + 1))


@pytest.fixture(scope="module")
def hierarchical(make_report):
    """A page of codes with a hierarchy, without the list of valid codes."""
    files = CORPORA["codes"][1:4]
    return make_report(
        "codiesp20", *files, "--hierarchy", "icd10cm", "--chapters", CODES / "chapters.tsv"
    )


HIERARCHY = """() => [...document.querySelectorAll('#slots-body table.hierarchy tr')].map((row) =>
  [...row.children].map((cell) => cell.textContent))"""


@pytest.mark.parametrize("system", [0, 1])
def test_a_table_has_the_scores_of_each_level_of_a_hierarchy(hierarchical, open_page, system):
    page = open_page(hierarchical, f"#sys={system}")
    headings, *rows = page.evaluate(HIERARCHY)
    assert headings == ["Hierarchy", "Gold", "Predicted", "Right", "P", "R", "F1"]
    scores = page.evaluate("(at) => head.systems[at].scores", system)
    names = [key.removesuffix("_f1") for key in scores if re.match(r"(level\d|h|cophe)_f1", key)]
    assert len(rows) == len(names) == 7
    for name, *cells in rows:
        key = {"codes with ancestors": "h", "with counts (CoPHE)": "cophe"}.get(name)
        key = key or name.replace(" ", "")
        tp, fp, fn = (scores[f"{key}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        assert cells[:3] == [str(tp + fn), str(tp + fp), str(tp)]
        shares = [tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)]
        assert list(map(float, cells[3:])) == pytest.approx(shares, abs=5e-5)
    assert (
        page.locator("#slots-body table.hierarchy caption").inner_text()
        == ["dictionary_D.tsv", "classifier_D.tsv"][system]
    )
    listed = page.locator("#slots-body table").first.inner_text()
    assert "level0 f1" in listed
    assert "level0 tp" not in listed


def test_a_score_that_one_system_lacks_is_a_dash(make_report, open_page):
    """Only the first system ranks its codes; the second one may be the other."""
    demo = ROOT / "metrics/clineval/challenges/clinical_codes/demo"
    systems = [demo / "classifier.csv", demo / "dictionary.csv"]
    for order in (systems, systems[::-1]):
        page = open_page(make_report("clinical_codes", demo / "gold.csv", *order))
        rows = dict(page.locator("#slots-body tbody tr").evaluate_all(SCORES_OF_BOTH))
        ranked = order.index(systems[0])
        assert rows["map"][1 - ranked] == "–"
        assert float(rows["map"][ranked]) > 0
        assert all(float(cell) >= 0 for cell in rows["micro f1"])


SCORES_OF_BOTH = """(rows) => rows.map(({ cells }) =>
  [cells[0].innerText, [cells[1].innerText, cells[2].innerText]])"""
RELATED = {"too general": "I21", "too specific": "I50.1", "sibling": "J45.1", "unrelated": "K10"}


def test_wrong_codes_are_filtered_by_their_relation_to_gold_codes(make_report, open_page, tmp_path):
    codes = {"gold": ("I21.0", "I50", "J45.0"), "found": ("I21", "I50.1", "J45.1", "K10")}
    files = [tmp_path / f"{name}.csv" for name in codes]
    for path, own in zip(files, codes.values(), strict=True):
        path.write_text("filename,code\n" + "".join(f"a,{code}\n" for code in own))
    report = make_report("clinical_codes", *files, "--hierarchy", "icd10")
    page = open_page(report, "#tab=items")
    assert shown(page) == sum(map(len, codes.values()))
    for kind, code in RELATED.items():
        chip = page.locator("#filters .chip", has_text=kind)
        assert chip.inner_text() == f"{kind} 1"
        chip.click()
        assert shown(page) == 1
        row = page.locator("#items [role=option]")
        assert [kind in row.inner_text(), code.lower() in row.inner_text()] == [True, True]
        chip.click()
