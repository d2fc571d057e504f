"""The command line on CodiEsp 2020."""

import json

import pytest
from conftest import DATA, ROOT

import clineval

NAME = "codiesp20"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
CASES = DATA / "oracle" / NAME / "cases"
SIDES = DEMO / "gold_D.tsv", DEMO / "classifier_D.tsv"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def test_options_reach_the_core(run):
    options = ["--codes", DEMO / "codes_D.tsv", "--cutoffs", "1,2", "--config", "D"]
    result = run("score", NAME, *SIDES, *options, "--format", "json")
    scores = json.loads(result.stdout)["scores"]
    expected = clineval.score(
        NAME, *SIDES[::-1], codes=DEMO / "codes_D.tsv", cutoffs=(1, 2), config="D"
    )
    assert scores == expected.values
    assert list(scores)[:3] == ["map", "map_at_1", "map_at_2"]
    assert "1 predicted code is not in the list" in result.stderr
    assert "map_at_2" in run("score", NAME, *SIDES, *options).stdout


def test_groups_by_chapter(run):
    options = ["--chapters", DEMO / "chapters.tsv", "--by", "slot:chapter", "--format", "json"]
    groups = json.loads(run("score", NAME, *SIDES, *options).stdout)["groups"]
    assert groups["Sangre"]["micro_tp"] == 1


def test_the_scripts_outputs(run):
    folder = CASES / "d_formula"
    sides = ["-g", folder / "gold_D.tsv", "-p", folder / "pred_D.tsv", "-c", folder / "codes_D.tsv"]
    for measure in ("map", "f1"):
        printed = run("official", "codiesp-2020", measure, *sides).stdout
        assert printed == (folder / f"official.D.{measure}.out").read_text("utf-8")
    folder = CASES / "x_exact"
    sides = ["-g", folder / "gold_X.tsv", "-p", folder / "pred_X.tsv"]
    codes = ["-cD", folder / "codes_D.tsv", "-cP", folder / "codes_P.tsv"]
    printed = run("official", "codiesp-2020", "x", *sides, *codes).stdout
    assert printed == (folder / "official.X.out").read_text("utf-8")
    said = run("official", "codiesp-2020", "x", *sides, status=2).stderr
    assert "Give -cD and -cP" in said


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["a\ti10", "", "a\tno fever", "a"], [(3, "code: expected"), (4, "expected 2 columns")]),
        (["a\t1 2\tD\ti10", "a\t2 1\tD\ti10"], [(2, "position: expected every start")]),
        (["a\tD\ti10\tx\t1 2;4 5", "a\tD\ti10\tx\t1-2"], [(2, "position: expected offsets")]),
        (["one two"], [(1, "expected 2 columns")]),
        ([], [(0, "expected lines with a document and a code, got none")]),
    ],
)
def test_validate_names_every_line(run, tmp_path, lines, expected):
    (tmp_path / "run.tsv").write_text("\n".join(lines))
    status = 2 if expected else 0
    result = run("validate", NAME, tmp_path / "run.tsv", "--json", status=status)
    found = json.loads(result.stdout)["problems"]
    assert [problem["line"] for problem in found] == [line for line, _ in expected]
    for problem, (_, part) in zip(found, expected, strict=True):
        assert problem["problem"].startswith(part)
