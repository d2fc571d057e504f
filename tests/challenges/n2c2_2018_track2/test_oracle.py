"""n2c2 2018 Track 2 against what the released script printed."""

import json

import pytest
from commands import invoke
from conftest import DATA
from laws import refuses

import clineval
from clineval.challenges.n2c2_2018_track2.measures import LABELS, MODES, label_key

ORACLE = DATA / "oracle" / "n2c2_2018_track2"
EVERY = sorted(path.parent for path in ORACLE.glob("**/official.out"))
CRASHES = [case for case in EVERY if "STDERR: " in (case / "official.out").read_text()]
SCORED = [case for case in EVERY if (case / "official.strict.json").is_file()]
NAMES = {"concepts": "tags", "relations": "relations"}
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def named(case):
    return case.name


def test_all_cases_are_there():
    assert (len(EVERY), len(CRASHES), len(SCORED)) == (80, 9, 70)


@pytest.mark.parametrize("case", [c for c in EVERY if c not in CRASHES], ids=named)
def test_the_command_line_prints_what_the_script_prints(case):
    run = invoke(["official", "n2c2-2018-track2", str(case / "gold"), str(case / "system")])
    assert run.exit_code == 0, run.stderr
    printed = run.stdout.replace(str(case / "gold"), "GOLD").replace(str(case / "system"), "SYSTEM")
    expected = (case / "official.out").read_text()
    first = [text.find("*" * 30) for text in (printed, expected)]
    assert printed[first[0] :] == expected[first[1] :]
    # messages of files come in the order of a set
    before = printed[: first[0]], expected[: first[1]]
    assert sorted(before[0].splitlines()) == sorted(before[1].splitlines())


@pytest.mark.parametrize("case", SCORED, ids=named)
def test_counts_and_scores_are_the_script_s(case):
    score = clineval.score("n2c2_2018_track2", case / "system", case / "gold", protocol="official")
    for mode in MODES:
        expected = json.loads((case / f"official.{mode}.json").read_text())
        assert score["n_documents"] == expected["files"]
        for kind, labels in LABELS.items():
            of_kind = expected[NAMES[kind]]
            parts = {f"{label_key(label)}_{mode}": of_kind[label] for label in labels}
            overall = of_kind["overall"]
            counts = {name: overall[name] for name in ("tp", "fp", "fn")}
            parts[f"{kind}_micro_{mode}"] = {**counts, **overall["micro"]}
            parts[f"{kind}_macro_{mode}"] = overall["macro"]
            for prefix, values in parts.items():
                for name, value in values.items():
                    assert score[f"{prefix}_{name}"] == pytest.approx(value, rel=0, abs=1e-12), name


@pytest.mark.parametrize("case", CRASHES, ids=named)
def test_where_the_script_ends_with_an_error_so_do_we(case):
    sides = [case / "system", case / "gold"]
    refuses(
        lambda: clineval.score("n2c2_2018_track2", *sides, protocol="official"),
        ".ann:", "the released script stops",
    )  # fmt: skip
