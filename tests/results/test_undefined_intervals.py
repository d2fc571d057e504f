"""The interval of one document, or one cluster, is undefined wherever it is written."""

import json

import pytest
from commands import invoke

import clineval
import clineval.hf
from clineval.evaluation.analysis.agreement import agree
from clineval.evaluation.analysis.agreement_tables import describe
from clineval.results.tables import WRITERS
from clineval.workbench import build_workbench

GOLD = [[{"spans": [[0, 4]], "label": "a"}, {"spans": [[6, 8]], "label": "b"}]]
FOUND = [GOLD[0][:1]]
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@pytest.fixture(scope="module")
def score():
    return clineval.score("clinical_spans", FOUND, GOLD, confidence=0.9)


@pytest.mark.parametrize(
    ("notation", "cell"),
    [("text", "  90 %          –"), ("markdown", "| – |"), ("latex", "& -- &")],
)
def test_tables_have_a_dash(score, notation, cell):
    written = str(score) if notation == "text" else WRITERS[notation](score.sheet())
    assert cell in written
    assert "†" not in written


def test_programs_get_null(score):
    told = json.loads(WRITERS["json"](score.sheet()))
    assert (told["scores"]["strict_f1_low"], told["scores"]["strict_f1_high"]) == (None, None)
    assert told["few_units"] == []
    assert "strict_f1_low,," in WRITERS["csv"](score.sheet())
    assert score.as_dict()["strict_f1_high"] is None
    assert all(isinstance(of, (int, float)) for of in score.as_dict(numbers_only=True).values())
    metric = clineval.hf.load("clinical_spans")
    computed = metric.compute(predictions=FOUND, references=GOLD, confidence=0.9)
    assert (computed["strict_f1"], computed["strict_f1_low"]) == (pytest.approx(2 / 3), None)


def test_differences_and_runs_too():
    runs = clineval.Runs([FOUND, GOLD])
    for systems in ({"a": FOUND, "b": GOLD}, {"a": runs, "b": runs}):
        compared = clineval.compare("clinical_spans", systems, GOLD)
        told = json.loads(WRITERS["json"](compared.sheet(["strict_f1"])))
        difference = told["differences"]["b"]["strict_f1"]
        assert (difference["difference_low"] if "difference_low" in difference else
                difference["low"]) is None  # fmt: skip
        assert told["systems"]["a"]["strict_f1_low"] is None
        assert "–" in repr(compared)
        assert "nan" not in repr(compared).lower()
        compared.plot(["strict_f1"])


def test_clusters_are_counted(tmp_path):
    """Two notes of one patient are as one."""
    side = [FOUND[0], GOLD[0]]
    names = {"0": "p", "1": "p"}
    score = clineval.score("clinical_spans", side, GOLD * 2, confidence=0.9, cluster=names)
    assert score.as_dict()["strict_f1_low"] is None
    assert clineval.score("clinical_spans", side, GOLD * 2, confidence=0.9).intervals
    page = build_workbench("clinical_spans", GOLD * 2, {"s": side}, cluster=names)
    assert "NaN" not in repr(page.estimated)
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps({"id": "p-1", "mentions": GOLD[0]}) + "\n")
    done = invoke(["report", "clinical_spans", path, path, "--output", tmp_path / "page.html"])
    assert done.exit_code == 0, done.output


def test_agreement_too():
    [found] = agree("clinical_spans", {"a": FOUND, "b": GOLD})
    sheet = describe([found])
    assert json.loads(WRITERS["json"](sheet))["pairs"][0]["scores"]["strict_f1_low"] is None
    rows = WRITERS["markdown"](sheet).splitlines()
    assert next(row for row in rows if row.startswith("| strict_f1")).endswith("| – |")
