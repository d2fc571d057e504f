"""n2c2 2022 Track 2 against what the released package wrote."""

import json

import pytest
from commands import invoke
from conftest import DATA
from laws import refuses

import clineval
from clineval.challenges.n2c2_2022_sdoh.printed import count_rows, format_table

NAME = "n2c2_2022_sdoh"
ORACLE = DATA / "oracle" / NAME
SCORED = sorted(path.parent for path in ORACLE.glob("**/official.csv"))
CRASHES = sorted(path.parent for path in ORACLE.glob("**/official.out"))
CRITERIA = ("exact exact exact", "overlap overlap overlap", "min_dist exact label")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def named(case):
    return case.name


def test_all_cases_are_there():
    assert (len(SCORED), len(CRASHES)) == (47, 10)


@pytest.mark.parametrize("case", SCORED, ids=named)
def test_the_command_line_writes_what_the_package_writes(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sides = str(case / "gold"), str(case / "system")
    run = invoke(["official", "n2c2-2022-track2", *sides, "-o", "table.csv"])
    assert run.exit_code == 0, run.stderr
    assert (tmp_path / "table.csv").read_text() == (case / "official.csv").read_text()


@pytest.mark.parametrize("criteria", CRITERIA)
@pytest.mark.parametrize("case", SCORED, ids=named)
def test_other_criteria_give_the_package_s_rows(case, criteria):
    options = dict(zip(("trigger", "span", "labeled"), criteria.split(), strict=True))
    sides = case / "system", case / "gold"
    evaluation = clineval.evaluate(NAME, *sides, protocol="official", **options)
    table = format_table(count_rows(evaluation.corpus, evaluation.pairings))
    expected = json.loads((case / "official.json").read_text())[criteria]
    assert table.splitlines()[1:] == [",".join(map(str, row)) for row in expected]
    overall = dict(zip(("NT", "NP", "TP"), expected[0][3:], strict=False))
    score = evaluation.score()
    assert score["overall_tp"] == overall["TP"]
    assert score["overall_fn"] == overall["NT"] - overall["TP"]
    assert score["overall_f1"] == pytest.approx(expected[0][-1], rel=0, abs=1e-12)


@pytest.mark.parametrize("case", CRASHES, ids=named)
def test_where_the_package_ends_with_an_error_so_do_we(case):
    sides = case / "system", case / "gold"
    refuses(lambda: clineval.score(NAME, *sides, protocol="official"), "the released package")
