"""n2c2 2018 Track 1 under ``spec``: equal to a plain scorer, and laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.challenges.n2c2_2018_track1.definition import CLASSES, score
from clineval.challenges.n2c2_2018_track1.measures import CRITERIA

NAME = "n2c2_2018_track1"
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
