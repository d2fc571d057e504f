"""TAC 2017 ADR: what the evaluation program prints, all its digits, and the scores by the rules."""

import json

import pytest
from commands import invoke
from oracles import Oracle, name_output
from processes import run_clineval

import clineval

NAME = "tac2017_adr"
ORACLE = Oracle(NAME)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
NUMBERS = ("tp", "fp", "fn", "precision", "recall", "f1")


@pytest.mark.parametrize("output", ORACLE.outputs("official.out"), ids=name_output)
def test_what_the_program_prints(output, monkeypatch):
    monkeypatch.chdir(output.parent)
    arguments = ["official", "tac2017-adr", "gold", "system"]
    expected = output.read_text("utf-8")
    if expected.endswith("rc=1\n"):
        done = run_clineval(*arguments, status=2)
        assert done.stdout == ""
        errors = [line for line in done.stderr.splitlines() if "warning:" not in line]
        assert len(errors) == 1
        return
    expected = expected.replace(" GOLD\n", " gold\n").replace(" SYSTEM\n", " system\n")
    done = invoke(arguments)
    assert (done.exit_code, done.stdout) == (0, expected)


def key_of(row):
    """The beginning of the keys of a row, such as ``exact -type`` or ``codes macro``."""
    name, _, sort = row.partition(" ")
    ending = {"+type": "", "-type": "_untyped", "micro": ""}
    return f"document_{name}" if sort == "macro" else f"{name}{ending[sort]}"


def compare(scores, rows, whole):
    """Compare scores with the rows of a file of results; ``whole`` stands there for 1."""
    found, expected = {}, {}
    for row, numbers in rows.items():
        if "documents" in row:
            continue
        keys = [f"{key_of(row)}_{name}" for name in NUMBERS[-len(numbers) :]]
        found |= {key: float(scores[key]) for key in keys}
        scales = [1] * (len(numbers) - 3) + [whole] * 3
        expected |= {key: n / of for key, n, of in zip(keys, numbers, scales, strict=True)}
    assert len(found) == 54
    assert found == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("output", ORACLE.outputs("official.json"), ids=name_output)
def test_all_digits_of_the_program(output):
    sides = output.parent / "system", output.parent / "gold"
    rows = json.loads(output.read_text("utf-8"))
    compare(clineval.score(NAME, *sides, protocol="official"), rows, 100)
    for name in ("reactions", "codes"):
        counts = clineval.count(NAME, *sides, protocol="official", config=name)
        own = counts.table[:, [counts.columns.index(f"{name}_{of}") for of in NUMBERS[:3]]]
        assert own.tolist() == rows[f"{name} documents"] or len(own) > 1
        assert sorted(own.tolist()) == sorted(rows[f"{name} documents"])


@pytest.mark.parametrize("output", ORACLE.outputs("spec.json"), ids=name_output)
def test_scores_by_the_definition(output):
    sides = output.parent / "system", output.parent / "gold"
    rows = json.loads(output.read_text("utf-8"))
    scores = clineval.score(NAME, *sides)
    compare(scores, rows, 1)
    for config in ("mentions", "relations", "reactions", "codes"):
        own = clineval.score(NAME, *sides, config=config).as_dict(numbers_only=True)
        assert own.items() <= scores.as_dict(numbers_only=True).items()
        assert len(own) > 8
