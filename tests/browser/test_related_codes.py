"""Chips, reasons and tables of levels on pages of spans, records and concepts with a hierarchy."""

import json

import pytest
from workbench.test_related_codes import MODULES, OPTIONS, RELATED, SCHEMA, TREE, make_sides

import clineval
from clineval.evaluation.analysis.mistakes import count_mistakes
from clineval.evaluation.evaluate import evaluate

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
TABLES = """() => [...document.querySelectorAll('#slots-body table.hierarchy')].map((table) =>
  [table.caption.textContent, [...table.tBodies[0].rows].map((row) =>
    [...row.children].map((cell) => cell.textContent))])"""


@pytest.fixture(scope="module")
def reports(make_report, tmp_path_factory):
    """Reports of all modules, by module."""
    folder = tmp_path_factory.mktemp("related")
    (folder / "tree.csv").write_text(TREE)
    (folder / "schema.json").write_text(json.dumps(SCHEMA))
    more = {"clinical_spans": ["--slots", "icd"], "clinical_records": ["--schema", "schema.json"]}
    made = {}
    for module in MODULES:
        files = [folder / f"{module}-{name}.jsonl" for name in ("gold", "a", "b")]
        for path, documents in zip(files, make_sides(module), strict=True):
            path.write_text("".join(json.dumps(document) + "\n" for document in documents))
        asked = [folder / each if each.endswith("json") else each for each in more.get(module, [])]
        made[module] = make_report(module, *files, *asked, "--hierarchy", folder / "tree.csv")
    return made


def evaluated(module, system):
    gold, *systems = make_sides(module)
    tree = {line.split(",")[0]: line.split(",")[1] or None for line in TREE.split()[1:]}
    options = {**OPTIONS.get(module, {}), "hierarchy": tree}
    return evaluate(module, systems[system], gold, **options)


@pytest.mark.parametrize("module", MODULES)
def test_chips_have_the_numbers_of_errors_and_items_have_their_reason(module, reports, open_page):
    for system in (0, 1):
        counts = count_mistakes(evaluated(module, system).outcomes)
        is_list = module == "clinical_records"
        # the widest mode, in which pairs are not told apart
        page = open_page(reports[module], f"#sys={system}&tab=pairs&match=overlap&crit=span")
        for kind in RELATED:
            chip = page.locator("#filters .chip", has_text=kind)
            assert chip.inner_text() == f"{kind} {counts[kind]}"
            if not counts[kind]:
                continue
            chip.click()
            assert page.evaluate("current.rows.length") == counts[kind]
            assert f"&f={kind.replace(' ', '+')}" in page.url
            if is_list:
                page.locator("#tab-items").click()
                assert kind in page.locator("#items [role=option]").first.inner_text()
            else:
                row = page.locator("#pairs [role=option]").first
                assert row.locator(f"abbr[title='{kind}']").count() == 1
            detail = page.locator("#detail-body").inner_text()
            assert kind.capitalize() in detail or kind in detail
            assert "a gold code" in detail or "in the hierarchy" in detail
            chip.click()


@pytest.mark.parametrize("module", MODULES)
def test_tables_have_the_scores_of_each_level(module, reports, open_page):
    page = open_page(reports[module])
    scores = evaluated(module, 0).score().as_dict()
    begins = [key.removesuffix("cophe_f1") for key in scores if key.endswith("cophe_f1")]
    tables = page.evaluate(TABLES)
    assert len(tables) == len(begins) >= 1
    for begin, (caption, rows) in zip(begins, tables, strict=True):
        assert begin.removesuffix("_").replace("_", " ") in caption
        levels = [key for key in scores if key.startswith(f"{begin}level") and key.endswith("_f1")]
        assert len(rows) == len(levels) + 2
        for name, *cells in rows:
            key = {"codes with ancestors": "h", "with counts (CoPHE)": "cophe"}.get(name)
            key = begin + (key or name.replace(" ", ""))
            tp, fp, fn = (scores[f"{key}_{verdict}"] for verdict in ("tp", "fp", "fn"))
            assert cells[:3] == [str(tp + fn), str(tp + fp), str(tp)]
            shares = [scores[f"{key}_{part}"] for part in ("precision", "recall", "f1")]
            assert list(map(float, cells[3:])) == pytest.approx(shares, abs=5e-5)


def test_a_page_without_a_hierarchy_has_neither(make_report, open_page, tmp_path):
    gold, found, _ = make_sides("bc5cdr")
    for name, documents in (("gold", gold), ("found", found)):
        lines = "".join(json.dumps(document) + "\n" for document in documents)
        (tmp_path / f"{name}.jsonl").write_text(lines)
    page = open_page(make_report("bc5cdr", tmp_path / "gold.jsonl", tmp_path / "found.jsonl"))
    assert page.evaluate(TABLES) == []
    assert "too general" not in page.locator("#filters").inner_text()
    assert "cophe_f1" not in clineval.score("bc5cdr", found, gold).as_dict()
