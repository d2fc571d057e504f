"""A challenge of records of other people is a declaration; numbers are right within a tolerance."""

import json
from fractions import Fraction

import pytest
from commands import invoke
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from outside import install

import clineval
from clineval import Field, InputError, Records

NAME = "vital_signs"
SOURCE = DATA / "outside" / f"{NAME}.py"
GOLD = [
    {"sign": "Heart rate", "value": 80},
    {"sign": "heart rate", "value": 95.2},
    {"sign": "Temperature", "value": 36.6},
    {"sign": "Weight"},
    {"sign": "Pain", "value": 4},
]
FOUND = [
    {"sign": "heart rate", "value": 95.7},
    {"sign": "heart rate", "value": 80.6},
    {"sign": "temperature", "value": 37.1},
    {"sign": "weight"},
    {"sign": "pain"},
]
VALUES = (2, 1, 2)
"""True and false positives and false negatives, by hand: 95.7 and 37.1 are .5 away, 80.6 is not."""
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory):
    with install(tmp_path_factory.mktemp("site"), **{NAME: SOURCE.read_text()}):
        yield


def score(gold, found):
    return clineval.score(NAME, [{"records": found}], [{"records": gold}])


def counts_of(score, name):
    return tuple(score[f"{name}_{verdict}"] for verdict in ("tp", "fp", "fn"))


def run(*words):
    done = invoke(list(map(str, words)))
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


def test_numbers_are_right_within_the_tolerance():
    forwards, turned = score(GOLD, FOUND), score(GOLD, FOUND[::-1])
    assert counts_of(forwards, "match") == (5, 0, 0)
    assert counts_of(forwards, "value") == VALUES
    assert {**forwards, "signature": ""} == {**turned, "signature": ""}
    assert counts_of(score(FOUND, GOLD), "value") == (VALUES[0], VALUES[2], VALUES[1])


def test_commands_know_it(tmp_path):
    paths = [tmp_path / f"{name}.jsonl" for name in ("gold", "found")]
    for path, records in zip(paths, (GOLD, FOUND), strict=True):
        path.write_text(json.dumps({"id": "n0", "records": records}) + "\n")
    scores = json.loads(run("score", NAME, *paths, "--format", "json"))["scores"]
    assert counts_of(scores, "value") == VALUES
    assert "heart rate" in run("score", NAME, *paths, "--by", "record")
    rows = json.loads(run("errors", NAME, *paths, "--format", "json"))
    assert [(row["kind"], row["gold"]) for row in rows["errors"]] == []  # all belong together
    confusions = run("errors", NAME, *paths, "--slot", "value")
    assert "80.6" in confusions


@pytest.mark.parametrize("value", ["80", True, [80], "eighty"])
def test_what_is_no_number_is_refused_in_the_gold_standard_and_wrong_elsewhere(value):
    with pytest.raises(InputError, match="value: expected a number"):
        score([{"sign": "pulse", "value": value}], [])
    found = score([{"sign": "pulse", "value": 80}], [{"sign": "pulse", "value": value}])
    assert counts_of(found, "value") == (0, 1, 1)


@pytest.mark.parametrize(
    ("kind", "tolerance"), [("number", -1), ("number", float("nan")), ("label", 1)]
)
def test_a_tolerance_is_a_number_from_0_of_numbers(kind, tolerance):
    with pytest.raises(InputError, match="tolerance of the field 'dose'"):
        Field("dose", kind, tolerance=tolerance)


def test_pairs_by_equal_keys_take_no_tolerance():
    dose = Field("dose", "number", tolerance=1)
    with pytest.raises(InputError, match="Use FittingRecords"):
        Records((Field("drug", "label"), dose), {"same": ("drug", "dose")})


NUMBERS = st.integers(-30, 30).map(lambda tenths: tenths / 10) | st.integers(-(10**20), 10**20)


@given(left=NUMBERS, right=NUMBERS)
def test_the_difference_is_that_of_the_numbers_as_written(left, right):
    near = abs(Fraction(str(left)) - Fraction(str(right))) <= Fraction(1, 2)
    found = score([{"sign": "x", "value": left}], [{"sign": "x", "value": right}])
    assert counts_of(found, "value") == ((1, 0, 0) if near else (0, 1, 1))
