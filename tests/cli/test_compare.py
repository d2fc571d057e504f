"""The installed ``clineval compare``, and intervals in ``clineval score`` and evaluate."""

import csv
import json
import shutil
from io import StringIO

import evaluate
import pytest
from conftest import ROOT

import clineval

DEMO = ROOT / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo"
NAME = "semeval15_task14"
SYSTEMS = {name: DEMO / name for name in ("dictionary", "tagger", "gold")}
EXPECTED = clineval.compare(NAME, SYSTEMS, DEMO / "gold", config="task1")


def compare(run, *options, status=0):
    systems = SYSTEMS.values()
    return run("compare", NAME, DEMO / "gold", *systems, "--config", "task1", *options,
               status=status)  # fmt: skip


def test_the_table_shows_scores_intervals_differences_and_p(run):
    out = compare(run).stdout
    found = EXPECTED.differences["tagger"]["strict_f1"]
    row = next(line for line in out.splitlines() if line.startswith("tagger"))
    for number in (f"{found.value:+.4f}", f"{found.p:.4f}", f"{found.p_holm:.4f}",
                   f"[{found.low:.4f}, {found.high:.4f}]"):  # fmt: skip
        assert number in row
    assert "< 0.0001" in out
    assert "10000 trials" in out
    assert EXPECTED.signature_line in out
    assert "relaxed_f1" in out
    assert "strict_recall" not in out


def test_json_holds_the_comparison(run):
    result = json.loads(compare(run, "--format", "json", "--score", "all").stdout)
    assert result["signature"] == str(EXPECTED.signature)
    assert result["baseline"] == "dictionary"
    corrected = EXPECTED.correct_all(list(EXPECTED.scores["tagger"].intervals))
    for name, differences in EXPECTED.differences.items():
        for key, found in differences.items():
            assert result["differences"][name][key] == {
                "value": found.value, "low": found.low, "high": found.high,
                "p": found.p, "p_holm": found.p_holm, "exact": found.exact,
                "method": found.method,
                "p_holm_all": corrected[name][key],
            }  # fmt: skip
    tagger = EXPECTED.scores["tagger"]
    assert result["systems"]["tagger"]["strict_f1"] == tagger["strict_f1"]
    assert result["interval_methods"]["tagger"]["strict_f1"] == "binomial"
    assert result["systems"]["tagger"]["strict_f1_low"] == tagger.intervals["strict_f1"][0]


def test_csv_has_a_line_for_each_score_and_system(run):
    options = ("--format", "csv", "--score", "strict_f1", "--score", "relaxed_recall")
    rows = list(csv.DictReader(StringIO(compare(run, *options).stdout)))
    assert [row["score"] for row in rows] == ["strict_f1"] * 3 + ["relaxed_recall"] * 3
    assert [row["system"] for row in rows[:3]] == list(SYSTEMS)
    assert rows[0]["difference"] == ""
    assert float(rows[1]["p"]) == EXPECTED.differences["tagger"]["strict_f1"].p


def test_markdown_and_latex_are_tables(run):
    markdown = compare(run, "--format", "markdown", "--test", "bootstrap").stdout
    assert "| dictionary | 0.6406 |" in markdown
    assert "paired bootstrap" in markdown
    latex = compare(run, "--format", "latex").stdout
    assert r"\begin{tabular}{lrrrrrrrr}" in latex
    assert "$<$ 0.0001" in latex


def test_systems_are_ranked_by_each_score(run):
    chosen = ("--format", "csv", "--score", "strict_f1", "--score", "relaxed_recall")
    given = list(csv.DictReader(StringIO(compare(run, *chosen).stdout)))
    best = list(csv.DictReader(StringIO(compare(run, *chosen, "--sort").stdout)))
    assert [row["rank"] for row in given] == ["3", "2", "1"] * 2
    assert [row["rank"] for row in best] == ["1", "2", "3"] * 2
    assert sorted(map(str, best)) == sorted(map(str, given))
    assert [row["system"] for row in best if not row["p"]] == ["dictionary"] * 2
    grouped = compare(run, *chosen[:4], "--sort", "--by", "length").stdout
    groups = {}
    for row in csv.DictReader(StringIO(grouped)):
        groups.setdefault(row["group"], []).append(float(row["value"]))
    assert len(groups) > 1
    assert all(values == sorted(values, reverse=True) for values in groups.values())


def test_options_of_challenges_reach_the_core(run):
    result = compare(run, "--overlap", "word", "--text", DEMO / "text", "--format", "json")
    assert "|overlap:word|" in json.loads(result.stdout)["signature"]
    demo = DEMO.parents[1] / "clinais23_b2" / "demo"
    systems = [demo / f"{name}.json" for name in ("windows", "tagger")]
    out = run("compare", "clinais23_b2", demo / "gold.json", *systems, "--n-t", "10").stdout
    assert "n_t:10" in out
    assert "all possible trials" in out


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--score", "f1"], "strict_f1"), (["--test", "t"], "ar"), (["--confidence", "2"], "0.95"),
     (["--protocol", "x"], "official")],
)  # fmt: skip
def test_bad_usage_ends_with_status_2(run, options, said):
    result = compare(run, *options, status=2)
    assert said in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def test_one_system_is_not_enough(run):
    result = run("compare", NAME, DEMO / "gold", DEMO / "tagger", status=2)
    assert "two systems" in result.stderr
    result = run("compare", NAME, DEMO / "gold", DEMO / "tagger", DEMO / "tagger", status=2)
    assert "occurs twice" in result.stderr


def test_systems_of_one_name_are_told_apart_by_their_paths(run, tmp_path):
    for name in ("a", "b"):
        shutil.copytree(DEMO / "tagger", tmp_path / name / "out")
    out = run("compare", NAME, DEMO / "gold", "a/out", "b/out", "--format", "json").stdout
    assert json.loads(out)["baseline"] == "a/out"


def test_score_shows_intervals(run):
    arguments = ("score", NAME, DEMO / "gold", DEMO / "tagger", "--config", "task1")
    low, high = EXPECTED.scores["tagger"].intervals["strict_f1"]
    out = run(*arguments, "--confidence", "0.95").stdout
    assert "95 %" in out
    assert f"[{low:.4f}, {high:.4f}]" in out
    options = ("--confidence", "0.95", "--format", "json")
    scores = json.loads(run(*arguments, *options).stdout)["scores"]
    assert (scores["strict_f1_low"], scores["strict_f1_high"]) == (low, high)
    other = run(*arguments, *options, "--seed", "1", "--interval", "bca", "--resamples", "99")
    assert "bs:99|seed:1|ci:bca-0.95" in json.loads(other.stdout)["signature"]


def test_evaluate_gives_intervals():
    metric = evaluate.load(NAME, "task1")
    result = metric.compute(
        predictions=str(DEMO / "tagger"), references=str(DEMO / "gold"), confidence=0.95
    )
    low, high = EXPECTED.scores["tagger"].intervals["strict_f1"]
    assert (result["strict_f1_low"], result["strict_f1_high"]) == (low, high)
