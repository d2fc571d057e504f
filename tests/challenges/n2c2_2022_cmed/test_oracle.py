"""n2c2 2022 Track 1 against what the released script printed."""

import json

import pytest
from commands import invoke
from conftest import DATA
from laws import refuses

import clineval

NAME = "n2c2_2022_cmed"
ORACLE = DATA / "oracle" / NAME
EVERY = sorted(path.parent for path in ORACLE.glob("**/official.out"))
CRASHES = [case for case in EVERY if "STDERR: " in (case / "official.out").read_text()]
SCORED = [case for case in EVERY if (case / "official.json").is_file()]
ROWS = {"micro tags": "events", "micro attributes": "context"}
KEYS = ("tp", "fp", "fn", "precision", "recall", "f1")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def named(case):
    return case.name


def test_all_cases_are_there():
    assert (len(EVERY), len(CRASHES), len(SCORED)) == (57, 10, 47)


@pytest.mark.parametrize("case", [c for c in EVERY if c not in CRASHES], ids=named)
def test_the_command_line_prints_what_the_script_prints(case):
    run = invoke(["official", "n2c2-2022-track1", str(case / "gold"), str(case / "system")])
    assert run.exit_code == 0, run.stderr
    printed = run.stdout.replace(str(case / "gold"), "GOLD").replace(str(case / "system"), "SYSTEM")
    expected = (case / "official.out").read_text()
    first = [text.find("*" * 20) for text in (printed, expected)]
    assert printed[first[0] :] == expected[first[1] :]
    # messages of files come in the order of a set
    before = printed[: first[0]], expected[: first[1]]
    assert sorted(before[0].splitlines()) == sorted(before[1].splitlines())


@pytest.mark.parametrize("case", SCORED, ids=named)
def test_counts_and_scores_are_the_script_s(case):
    score = clineval.score(NAME, case / "system", case / "gold", protocol="official")
    for mode, rows in json.loads((case / "official.json").read_text()).items():
        assert score["n_documents"] == rows.pop("files")
        for row, values in rows.items():
            for name, value in zip(KEYS, values, strict=True):
                key = f"{ROWS.get(row, row.lower())}_{mode}_{name}"
                assert score[key] == pytest.approx(value, rel=0, abs=1e-12), key


@pytest.mark.parametrize("case", CRASHES, ids=named)
def test_where_the_script_ends_with_an_error_so_do_we(case):
    sides = [case / "system", case / "gold"]
    refuses(
        lambda: clineval.score(NAME, *sides, protocol="official"),
        ".ann:", "the released script stops",
    )  # fmt: skip
