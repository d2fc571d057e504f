"""n2c2 2018 Track 1: what the released program prints, and all its digits."""

import json

import pytest
from commands import invoke
from oracles import Oracle, name_output
from processes import run_clineval

import clineval
from clineval import InputError

NAME = "n2c2_2018_track1"
ORACLE = Oracle(NAME)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
NUMBERS = ("precision", "recall", "f1")


def key_of(name):
    return name.lower().replace("-", "_").replace(" ", "_")


@pytest.mark.parametrize("output", ORACLE.outputs("official.out"), ids=name_output)
def test_what_the_program_prints(output, monkeypatch):
    monkeypatch.chdir(output.parent)
    arguments = ["official", "n2c2-2018-track1", "gold", "system"]
    expected = output.read_text("utf-8")
    if expected.endswith("rc=1\n"):
        done = run_clineval(*arguments, status=2)
        assert (done.stdout, len(done.stderr.splitlines())) == ("", 1)
        return
    for name in ("GOLD", "SYSTEM"):
        folder = (output.parent / name.lower()).resolve()  # as the working directory's path is
        expected = expected.replace(f"skipped in {name}", f"skipped in {folder}")
    done = invoke(arguments)
    assert (done.exit_code, done.stdout) == (0, expected)


def test_folders_must_be_there(tmp_path):
    done = run_clineval("official", "n2c2-2018-track1", tmp_path / "none", tmp_path, status=2)
    assert "none: no such directory" in done.stderr


@pytest.mark.parametrize("output", ORACLE.outputs("official.json"), ids=name_output)
def test_all_digits_of_the_program(output):
    sides = output.parent / "system", output.parent / "gold"
    scores = clineval.score(NAME, *sides, protocol="official")
    found, expected = {}, {}
    for value, rows in json.loads(output.read_text("utf-8")).items():
        for criterion, numbers in rows.items() if value in ("met", "not met") else ():
            for number, of_number in zip(NUMBERS, numbers, strict=False):
                key = f"{key_of(criterion)}_{key_of(value)}_{number}".removeprefix("micro_")
                found[key], expected[key] = scores[key], of_number
            if value == "met":
                prefix = "" if criterion == "micro" else f"{key_of(criterion)}_"
                key = f"{prefix}balanced_accuracy"
                found[key], expected[key] = scores[key], numbers[-1]
    assert len(found) > 80
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("output", ORACLE.outputs("spec.json"), ids=name_output)
def test_scores_by_the_definition(output):
    expected = json.loads(output.read_text("utf-8"))
    sides = output.parent / "system", output.parent / "gold"
    if "refused" in expected:
        with pytest.raises(InputError, match=r"expected (the attribute met|one of met, not met)"):
            clineval.score(NAME, *sides)
        return
    scores = clineval.score(NAME, *sides)
    for names, counts in expected["counts"].items():
        prefix = "_".join(map(key_of, names.split(" | ")))
        assert [scores[f"{prefix}_{verdict}"] for verdict in ("tp", "fp", "fn")] == counts
    for average in ("micro", "macro"):
        for value in ("met", "not met"):
            numbers = expected[f"{average} | {value}"]
            prefix = f"{average}_{key_of(value)}".removeprefix("micro_")
            found = {name: scores[f"{prefix}_{name}"] for name in NUMBERS}
            assert found == pytest.approx(numbers, abs=1e-9)
    for criterion, f1 in expected["overall_f1 of criteria"].items():
        assert scores[f"{key_of(criterion)}_overall_f1"] == pytest.approx(f1 or 0, abs=1e-9)
    for key in ("micro_overall_f1", "macro_overall_f1"):
        assert scores[key] == pytest.approx(expected[key], abs=1e-9)
    assert scores["balanced_accuracy"] == pytest.approx(expected["micro_balanced_accuracy"])
