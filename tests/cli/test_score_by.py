"""The installed ``clineval score --by``."""

import csv
import json
from functools import partial
from io import StringIO

import pytest
from conftest import ROOT

import clineval
from clineval import evaluate
from clineval.evaluation.analysis.breakdown import break_down

DEMO = ROOT / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo"
NAME = "semeval15_task14"
OUTCOMES = evaluate(NAME, DEMO / "tagger", DEMO / "gold").outcomes
SCORE = clineval.score(NAME, DEMO / "tagger", DEMO / "gold")


@pytest.fixture
def score(run):
    """Run ``clineval score`` on the demo."""
    return partial(run, "score", NAME, DEMO / "gold", DEMO / "tagger")


def test_the_table_has_a_row_for_each_group(score):
    expected = break_down(OUTCOMES, "slot:negation")
    out = score("--by", "slot:negation").stdout
    for name, f1 in zip(expected.names, expected.scores["span_f1"], strict=True):
        row = next(line for line in out.splitlines() if line.startswith(name))
        assert f"{f1:.4f}" in row
    assert "weighted_accuracy" in out
    assert SCORE.signature_line in out
    assert "smaller groups" in score("--by", "code").stdout


def test_csv_adds_up_to_the_whole(score):
    rows = list(csv.DictReader(StringIO(score("--by", "code", "--format", "csv").stdout)))
    for key in ("strict_tp", "strict_fp", "relaxed_fn", "span_tp"):
        assert sum(int(row[key]) for row in rows) == SCORE[key]


def test_json_markdown_and_latex(score):
    result = json.loads(score("--by", "length", "--format", "json").stdout)
    assert result["by"] == "length"
    assert sum(group["span_fn"] for group in result["groups"].values()) == SCORE["span_fn"]
    assert result["signature"] == str(SCORE.signature)
    assert "| contiguous | " in score("--by", "fragments", "--format", "markdown").stdout
    assert r"\begin{tabular}" in score("--by", "document", "--format", "latex").stdout


def test_seen_codes_need_the_training_corpus(score):
    out = score("--by", "seen", "--train", DEMO / "dictionary", "--format", "json").stdout
    assert set(json.loads(out)["groups"]) == {"seen", "unseen", "cui-less"}
    assert "--train" in score("--by", "seen", status=2).stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--by", "slot:x"], "negation"), (["--by", "length", "--format", "clinais"], "clinais"),
     (["--by", "document", "--confidence", "0.9"], "single document"),
     (["--by", "length", "--per-document"], "--per-document")],
)  # fmt: skip
def test_bad_usage_ends_with_status_2(score, options, said):
    result = score(*options, status=2)
    assert said in " ".join(result.stderr.split())
    assert result.stdout == ""
