"""ClinAIS 2023 on the command line, as a user meets it: the installed program, elsewhere."""

import csv
import json
from io import StringIO

import pytest
from conftest import ROOT

import clineval
from clineval.challenges.clinais23_b2.spec import LABELS

NAME = "clinais23_b2"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
GOLD, TAGGER, WINDOWS = (DEMO / f"{name}.json" for name in ("gold", "tagger", "windows"))
EXPECTED = clineval.score(NAME, TAGGER, GOLD)


def test_two_files_and_one_file_score_alike(run):
    two = json.loads(run("score", NAME, GOLD, TAGGER, "--format", "json").stdout)
    one = json.loads(run("score", NAME, TAGGER, "--format", "json").stdout)
    assert one == two
    assert two["scores"] == EXPECTED.values
    assert two["signature"] == str(EXPECTED.signature)


def test_the_table_shows_scores_and_notes(run):
    out = run("score", NAME, GOLD, TAGGER, "--per-document").stdout
    assert f"{EXPECTED['b2']:.4f}" in out
    [line] = [line for line in out.splitlines() if line.startswith("nota-06")]
    row = EXPECTED.per_document[5]
    assert f"{row['b2']:.4f}" in line
    assert EXPECTED.signature_line in out


def test_the_task_s_own_layout(run):
    report = json.loads(run("score", NAME, GOLD, TAGGER, "--format", "clinais").stdout)
    assert report["Weighted B2"] == EXPECTED["b2"]
    assert list(report["Scores per file"]) == list(EXPECTED.counts.documents)


def test_json_has_the_edits_of_each_note_and_csv_its_scores(run):
    options = ["--per-document", "--format"]
    result = json.loads(run("score", NAME, GOLD, TAGGER, *options, "json").stdout)
    assert result["per_document"] == EXPECTED.per_document
    rows = list(csv.DictReader(StringIO(run("score", NAME, GOLD, TAGGER, *options, "csv").stdout)))
    assert list(rows[0]) == ["document", *(key for key in EXPECTED.values if key[:2] != "n_")]
    assert [float(row["b2"]) for row in rows] == [row["b2"] for row in EXPECTED.per_document]


def test_options_reach_the_core(run, tmp_path):
    (tmp_path / "weights.json").write_text('{"substitution": 1}')
    options = ["--n-t", 5, "--b-weights", "scaled", "--weights", "weights.json"]
    options += ["--labels", ",".join(LABELS), "--protocol", "official", "--format", "json"]
    result = json.loads(run("score", NAME, GOLD, WINDOWS, *options).stdout)
    expected = clineval.score(
        NAME, WINDOWS, GOLD, n_t=5, b_weights="scaled", weights={"substitution": 1},
        protocol="official",
    )  # fmt: skip
    assert result["scores"] == expected.values
    assert result["signature"] == str(expected.signature)


def test_no_text_of_a_note_is_ever_written(run):
    text = json.loads(GOLD.read_text("utf-8"))["annotated_entries"]["nota-01"]["note_text"]
    words = [word for word in text.split() if len(word) > 4]
    for notation in ("table", "json", "csv", "clinais"):
        result = run("score", NAME, GOLD, TAGGER, "--per-document", "--format", notation)
        assert not any(word in result.stdout + result.stderr for word in words)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score", NAME, GOLD], "note nota-01: no 'prediction'"),
        (["score", NAME, GOLD, "x.json"], "x.json: no such file or directory"),
        (["score", NAME, TAGGER, "--overlap", "word"], "No such option"),
        (["score", NAME, TAGGER, "--labels", "A,B"], "expected one of A, B"),
        (["score", "semeval15_task14", GOLD], "Missing argument"),
        (
            ["score", "semeval15_task14", DEMO, DEMO, "--format", "clinais"],
            "unknown format 'clinais'",
        ),
    ],
)
def test_bad_usage_and_bad_input_end_with_status_2(run, arguments, said):
    result = run(*arguments, status=2)
    assert said in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def test_describe_and_demo(run):
    assert "w_A(n) = n (0.75 + tanh((n - 1.5) - 2) / 4)" in run("describe", NAME, "--full").stdout
    out = run("demo", NAME).stdout
    assert f"{EXPECTED['b2']:.4f}" in out
    assert "windows" in out
