"""n2c2 2018 Track 1 under ``spec``: equal to a plain scorer, and one test for each quirk."""

import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from plain.n2c2_2018_track1 import CLASSES, score

import clineval
from clineval import InputError
from clineval.challenges.n2c2_2018_track1.files import CRITERIA

NAME = "n2c2_2018_track1"
CASES = DATA / "oracle" / NAME / "cases"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
VALUE = st.sampled_from(CLASSES)
complete = st.fixed_dictionaries(dict.fromkeys(CRITERIA, VALUE))
partial = st.fixed_dictionaries({}, optional=dict.fromkeys(CRITERIA, VALUE))
NAMES = st.sampled_from("abcd")


@given(st.dictionaries(NAMES, complete, min_size=1), st.dictionaries(NAMES, partial))
def test_scores_are_those_of_a_plain_scorer(gold, found):
    counts, expected = score(gold, found, CRITERIA)
    scores = clineval.score(NAME, found, gold)
    assert {key: scores[key] for key in expected} == pytest.approx(expected)
    for (criterion, value, verdict), number in counts.items():
        key = f"{criterion}_{value}_{verdict}".lower().replace("-", "_").replace(" ", "_")
        assert scores[key] == number


@given(st.dictionaries(NAMES, complete, min_size=1))
def test_a_perfect_system_has_1_whatever_classes_there_are(gold):
    scores = clineval.score(NAME, gold, gold)
    assert scores["micro_overall_f1"] == scores["macro_overall_f1"] == 1
    assert scores["balanced_accuracy"] == 1


@given(st.dictionaries(NAMES, complete, min_size=2, max_size=2), st.data())
def test_swapping_the_sides_swaps_precision_and_recall(gold, data):
    found = {name: data.draw(complete) for name in gold}
    one, other = clineval.score(NAME, found, gold), clineval.score(NAME, gold, found)
    assert one["met_precision"] == other["met_recall"]
    assert one["micro_overall_f1"] == pytest.approx(other["micro_overall_f1"])


def score_case(name, **options):
    [folder] = CASES.glob(f"{name}_*")
    return clineval.score(NAME, folder / "system", folder / "gold", **options)


def test_absent_classes_are_left_out():
    for name in ("t02", "t03", "t04"):
        assert score_case(name)["micro_overall_f1"] == 1
    assert score_case("t02", protocol="official")["micro_overall_f1"] == 0.5


def test_patients_on_one_side():
    scores = score_case("t23")
    assert (scores["micro_fn"], scores["micro_fp"]) == (13, 26)
    assert score_case("t23", protocol="official")["micro_fn"] == 0


@pytest.mark.parametrize("name", ["t08", "t09", "t26"])
def test_case_blanks_and_order_do_not_matter(name):
    spec, official = score_case(name), score_case(name, protocol="official")
    assert spec["met_f1"] == official["met_f1"]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("t11", "1.xml:.*: expected the attribute met, met or not met"),
        ("t14", "document 100: no answer to MI-6MOS"),
        ("t17", "100.xml:2: not well-formed XML"),
    ],
)
def test_gold_answers_must_be_complete_and_known(name, problem):
    with pytest.raises(InputError, match=problem):
        score_case(name)


def test_a_missing_or_unknown_answer_of_a_system_is_missed():
    assert score_case("t13")["abdominal_met_fn"] + score_case("t13")["abdominal_not_met_fn"] > 0
    with pytest.warns(clineval.InputWarning, match="not a class|not classes"):
        score_case("t10")
