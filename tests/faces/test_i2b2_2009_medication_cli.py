"""The i2b2 2009 command line: the installed program, in another directory."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import clineval

NAME = "i2b2_2009_medication"
DEMO = ROOT / "metrics" / "clineval" / "demo" / NAME
RECORDS = ("--records", DEMO / "records")
PROGRAM = shutil.which("clineval", path=str(Path(sys.executable).parent))


@pytest.fixture
def run(tmp_path):
    assert PROGRAM, "clineval is not installed beside this Python"

    def call(*arguments, status=0):
        result = subprocess.run(
            [PROGRAM, *map(str, arguments)],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert result.returncode == status, result.stderr
        return result

    return call


def score(run, *options, status=0):
    return run("score", NAME, DEMO / "gold", DEMO / "tagger", *options, status=status)


def expected(**options):
    return clineval.score(NAME, DEMO / "tagger", DEMO / "gold", records=DEMO / "records", **options)


def test_the_table_shows_the_scores(run):
    out = score(run, *RECORDS).stdout
    for key in ("exact_horizontal_system_f1", "inexact_vertical_reason_patient_recall"):
        assert f"{expected()[key]:.4f}" in out
    assert "protocol spec, 10 documents" in out
    assert "Evaluation set" not in out
    assert str(expected().signature) in out


@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_options_reach_the_core(run, protocol):
    sets = DEMO / "evaluation_sets.json"
    options = ["--subset", "list", "--evaluation-sets", sets, "--protocol", protocol]
    result = json.loads(score(run, *RECORDS, *options, "--format", "json").stdout)
    ours = expected(subset="list", evaluation_sets=sets, protocol=protocol)
    assert result["scores"] == ours.values
    assert result["signature"] == str(ours.signature)
    out = score(run, *RECORDS, *options).stdout
    assert "Evaluation set A" in out
    assert "Mean of the evaluation sets" in out


def test_fields_that_cross_lines_need_the_records(run):
    result = score(run, status=2)
    assert "the field crosses lines" in result.stderr
    assert "--records DIR" in result.stderr
    assert result.stdout == ""


def test_an_unknown_subset_ends_with_status_2(run):
    assert "expected one of list, narrative" in score(run, "--subset", "prose", status=2).stderr


def test_official_prints_the_table(run):
    sides = ["-g", DEMO / "gold", "-s", DEMO / "tagger", "-r", DEMO / "records"]
    lines = run("official", "i2b2-2009", *sides).stdout.splitlines()
    assert lines[0] == "tagger.xml"
    assert lines[1].startswith("#in/exact\t")
    f1 = expected(protocol="official")["exact_horizontal_system_f1"]
    row = next(line for line in lines if "\texact\thorizontal\tsystem-level\tX\t" in line)
    assert float(row.split("\t")[5]) == pytest.approx(f1, abs=5.001e-5)
    assert len(lines) == 2 + 2 * (3 + 14)


def test_counts_are_saved(run, tmp_path):
    score(run, *RECORDS, "--save-counts", "counts.json")
    assert clineval.Counts.load(tmp_path / "counts.json").score().values == expected().values


def test_describe_and_demo_show_it(run, tmp_path):
    out = run("describe", NAME).stdout
    for part in ("eq. 1", "vertical lists", "0.09", "@article"):
        assert part in out
    out = run("demo", NAME, "--copy", "here").stdout
    assert f"{expected()['exact_horizontal_system_f1']:.4f}" in out
    command = next(line for line in out.splitlines() if "MY_OUTPUT" in line)
    assert f"--records {tmp_path}/here/{NAME}/records" in command or "--records here" in command
