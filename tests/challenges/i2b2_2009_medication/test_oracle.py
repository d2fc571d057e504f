"""The i2b2 2009 medication challenge against the outputs of the released script."""

import evaluate
import laws
import pytest
from commands import invoke
from conftest import DATA

import clineval
from clineval.kinds.entries.entry import FIELD_NAMES, FIELDS

NAME = "i2b2_2009_medication"
ORACLE = DATA / "oracle" / NAME
REFUSED = {"beyond_line": "there is no line 9", "line0": "there is no line 0"}
CASES = sorted(
    path.parent for path in ORACLE.glob("**/official.out") if path.parent.name not in REFUSED
)
DIRECTIONS = {"X": "horizontal"} | {
    tag: f"vertical_{name}" for tag, name in zip(FIELDS, FIELD_NAMES, strict=True)
}
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def official_lines(case):
    return (case / "official.out").read_text().splitlines()


def is_missing(line):
    return line.startswith("# Record")


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_the_command_line_prints_the_script_s_table(case):
    sides = ["-g", case / "gold", "-s", case / "sys", "-r", case / "records"]
    result = invoke(["official", "i2b2-2009", *map(str, sides)])
    assert result.exit_code == 0
    ours, theirs = result.stdout.splitlines(), official_lines(case)
    assert [line for line in ours if not is_missing(line)] == [
        line for line in theirs if not is_missing(line)
    ]
    # the script names missing records in the order of a Python 2 dict, ours in theirs
    assert list(map(is_missing, ours)) == list(map(is_missing, theirs))
    assert sorted(filter(is_missing, ours)) == sorted(filter(is_missing, theirs))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_the_scores_are_the_script_s(case):
    result = clineval.score(
        NAME, case / "sys", case / "gold", protocol="official", records=case / "records"
    )
    for line in official_lines(case):
        cells = line.split("\t")
        if len(cells) < 8:
            continue
        match, _, level, tag = cells[1:5]
        prefix = f"{match}_{DIRECTIONS[tag]}_{level.removesuffix('-level')}"
        ours = [result[f"{prefix}_{measure}"] for measure in ("f1", "precision", "recall")]
        digits = 4 if level == "system-level" else 6
        expected = list(map(float, cells[5:]))
        assert ours == pytest.approx(expected, abs=0.5001 * 10**-digits), line


# lists have no names, so none of their records has a name that is no number
@pytest.mark.parametrize(
    "case", [case for case in CASES if case.name != "nondigit"], ids=lambda path: path.name
)
def test_the_evaluate_module_gives_the_same_numbers(case):
    names = sorted(path.name for path in (case / "records").iterdir())
    files = [[case / side / f"{name}.i2b2.entries" for name in names] for side in ("sys", "gold")]
    found, gold = ([f.read_text() if f.exists() else "" for f in side] for side in files)
    records = [(case / "records" / name).read_text() for name in names]
    metric = evaluate.load(NAME)
    options = {"protocol": "official", "records": records}
    result = metric.compute(predictions=found, references=gold, **options)
    expected = clineval.score(
        NAME, case / "sys", case / "gold", protocol="official", records=case / "records"
    ).as_dict()
    assert result == expected


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_lines_at_which_the_script_crashes_or_wraps_around_are_refused(name, protocol):
    case = ORACLE / "cases" / name
    laws.refuses(
        lambda: clineval.score(
            NAME, case / "sys", case / "gold", protocol=protocol, records=case / "records"
        ),
        "1.i2b2.entries:1, field m: ",
        REFUSED[name],
        "lines count from 1",
    )


def test_the_oracle_is_complete():
    assert len(CASES) == 20
    assert {path.name for path in CASES} > {"random_1", "seed", "greedy", "vert_dup"}
