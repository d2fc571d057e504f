"""What a page writes to files: no text is a formula or steers a terminal, as in Python's files."""

import csv
import io
import json

import pytest
from hostile_names import FORMULAS, NAMES, escaped, steers

from clineval.base.escaping import write_csv


def download(page, name):
    page.locator("summary", has_text="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return waiting.value.path().read_bytes().decode()


@pytest.fixture
def mentions(tmp_path):
    """Lines of JSON with hostile names of documents, codes and the system."""
    for file, shift in (("gold.jsonl", 0), ("=system[.jsonl", 1)):
        codes = ["".join(name.split()) for name in NAMES[shift:] + NAMES[:shift]]
        lines = [
            {"id": name, "text": "pain", "mentions": [{"spans": [[0, 4]], "cui": code}]}
            for name, code in zip(NAMES, codes, strict=True)
        ]
        (tmp_path / file).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return "semeval15_task14", tmp_path / "gold.jsonl", tmp_path / "=system[.jsonl"


@pytest.fixture
def ranking(tmp_path):
    """A run whose documents have hostile names; names of TREC have no spaces."""
    names = ["".join(name.split()) for name in NAMES]
    judged = "".join(f"q1 0 {name} {at % 2}\n" for at, name in enumerate(names))
    (tmp_path / "qrels.txt").write_text(judged)
    ranked = "".join(f"q1 Q0 {name} 1 {9 - at}.5 run\n" for at, name in enumerate(names))
    (tmp_path / "run.txt").write_text(ranked)
    return "clefehealth13_task3", tmp_path / "qrels.txt", tmp_path / "run.txt"


def check(written, names):
    """The names as Python writes them; the only cells that may be formulas are numbers."""
    assert not any(steers(character) for character in written.replace("\n", ""))
    cells = [cell for row in csv.reader(io.StringIO(written)) for cell in row]
    for cell in cells:
        if cell.startswith(("=", "+", "-", "@")):
            float(cell)
    for name in names:
        assert next(csv.reader([write_csv([[name]])]))[0] in cells
    assert {f"'{escaped(name)}" for name in FORMULAS if name in names} <= set(cells)


def test_the_tables_of_mentions(mentions, tmp_path, make_report, open_page):
    measures = tmp_path / "measures.csv"
    page = open_page(make_report(*mentions, "--store-measures", measures), "#match=exact&crit=span")
    check(download(page, "This list, CSV"), NAMES)
    written = download(page, "Store outcome measures, CSV")
    check(written, ["=system[.jsonl"])
    assert written == measures.read_text("utf-8")


def test_the_table_of_a_list(ranking, make_report, open_page):
    page = open_page(make_report(*ranking))
    written = download(page, "This list, CSV")
    check(written, ["".join(name.split()) for name in NAMES])
    scores = [row["score"] for row in csv.DictReader(io.StringIO(written))]
    assert "-1.5" in scores
