"""The i2b2 2009 challenge through the installed command line and the evaluate module."""

import json
import shutil

import evaluate
import laws
import pytest
from conftest import ROOT

import clineval
from clineval.formats import entry_lines

NAME = "i2b2_2009_medication"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
SIDES = (DEMO / "gold", DEMO / "tagger")
OPTIONS = {"records": DEMO / "records"}
EXPECTED = clineval.score(NAME, DEMO / "tagger", DEMO / "gold", **OPTIONS).as_dict()


def scores_of(result):
    printed = json.loads(result.stdout)
    beside = {name: printed[name] for name in ("signature", "dataset") if name in printed}
    return {**printed["scores"], **beside}


def test_the_command_line_scores_files(run):
    result = run("score", NAME, *SIDES, "--records", DEMO / "records", "--format", "json")
    assert scores_of(result) == EXPECTED
    table = run("score", NAME, *SIDES, "--records", DEMO / "records").stdout
    assert f"{EXPECTED['exact_horizontal_system_f1']:.4f}" in table


def test_lists_and_narratives_are_scored_apart(run):
    parts = {}
    for subset in ("list", "narrative"):
        options = ["--records", DEMO / "records", "--subset", subset, "--format", "json"]
        parts[subset] = scores_of(run("score", NAME, *SIDES, *options))
        assert (
            parts[subset]
            == clineval.score(
                NAME, DEMO / "tagger", DEMO / "gold", subset=subset, **OPTIONS
            ).as_dict()
        )
    f1 = "exact_horizontal_system_f1"
    assert parts["list"][f1] > EXPECTED[f1] > parts["narrative"][f1]


def test_evaluation_sets_have_scores_of_their_own_and_a_mean(run):
    sets = DEMO / "evaluation_sets.json"
    options = ["--records", DEMO / "records", "--evaluation-sets", sets, "--format", "json"]
    scores = scores_of(run("score", NAME, *SIDES, *options))
    key = "exact_horizontal_system_f1"
    of_sets = [scores[f"set_{letter}_{key}"] for letter in "abc"]
    assert scores[f"sets_mean_{key}"] == pytest.approx(sum(of_sets) / 3, abs=1e-12)
    members = json.loads(sets.read_text())
    for letter, expected in zip("ABC", of_sets, strict=True):
        names = [name for name in sorted(members) if members[name] == letter]
        alone = clineval.score(NAME, *(_texts(s, names) for s in ("tagger", "gold")), records=[
            (DEMO / "records" / name).read_text() for name in names
        ])  # fmt: skip
        assert alone[key] == pytest.approx(expected, abs=1e-12)


def _texts(side, names):
    return [(DEMO / side / f"{name}.i2b2.entries").read_text() for name in names]


def test_the_evaluate_module_scores_dicts_objects_and_text():
    names = sorted(path.name for path in (DEMO / "records").iterdir())
    records = [(DEMO / "records" / name).read_text() for name in names]
    objects = [
        [entry_lines.read_entries(text)[""] for text in _texts(side, names)]
        for side in ("tagger", "gold")
    ]
    forms = [
        [_texts(side, names) for side in ("tagger", "gold")],
        objects,
        [[[entry.as_dict() for entry in record] for record in side] for side in objects],
    ]
    metric = evaluate.load(NAME)
    for found, gold in forms:
        result = metric.compute(predictions=found, references=gold, records=records)
        assert result == EXPECTED
        metric.add_batch(predictions=found[:4], references=gold[:4])
        metric.add(prediction=found[4], reference=gold[4])
        assert (
            metric.compute(predictions=found[5:], references=gold[5:], records=records) == EXPECTED
        )


def test_a_record_on_one_side_only_is_named(run, tmp_path):
    shutil.copytree(DEMO / "tagger", tmp_path / "some")
    (tmp_path / "some" / "900105.i2b2.entries").unlink()
    options = ["--records", DEMO / "records", "--format", "json"]
    result = run("score", NAME, DEMO / "gold", "some", *options)
    assert "no predictions" in result.stderr
    assert "900105" in result.stderr
    result = run("score", NAME, "some", DEMO / "gold", *options)
    assert "not in the gold standard" in result.stderr
    assert "900105" in result.stderr


def test_bad_options_are_refused(run):
    result = run("score", NAME, *SIDES, "--subset", "prose", status=2)
    assert "expected one of list, narrative" in result.stderr
    laws.refuses(
        lambda: clineval.score(NAME, [""], [""], evaluation_sets=["D"]),
        "expected one of the sets A, B, C",
    )


def test_fields_that_cross_lines_need_the_records(run):
    result = run("score", NAME, *SIDES, status=2)
    assert "the field crosses lines" in result.stderr
    assert "--records DIR" in result.stderr
    assert result.stdout == ""


def test_official_prints_the_table_of_the_script(run):
    sides = ["-g", DEMO / "gold", "-s", DEMO / "tagger", "-r", DEMO / "records"]
    lines = run("official", "i2b2-2009", *sides).stdout.splitlines()
    assert lines[0] == "tagger.xml"
    assert lines[1].startswith("#in/exact\t")
    assert len(lines) == 2 + 2 * (3 + 14)
    f1 = clineval.score(NAME, *SIDES[::-1], protocol="official", **OPTIONS)
    row = next(line for line in lines if "\texact\thorizontal\tsystem-level\tX\t" in line)
    assert float(row.split("\t")[5]) == pytest.approx(f1["exact_horizontal_system_f1"], abs=5.1e-5)


def test_the_demo_says_how_to_score_one_s_own_output(run, tmp_path):
    out = run("demo", NAME, "--copy", tmp_path / "here").stdout
    assert f"{EXPECTED['exact_horizontal_system_f1']:.4f}" in out
    command = next(line for line in out.splitlines() if "MY_OUTPUT" in line)
    assert f"--records {tmp_path}/here/{NAME}/records" in command
    assert "vertical lists" in run("describe", NAME, "--full").stdout
