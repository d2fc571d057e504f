"""Slots that only the data name are on the page as those are that a challenge names."""

import pytest

from clineval.evaluation.evaluate import evaluate, evaluate_systems, make_setup
from clineval.workbench.pairs import pair_mentions

NAME = "clinical_spans"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def mention(at, **slots):
    return {"spans": [[at, at + 4]], "label": "Drug", **slots}


def test_slots_of_the_data_are_compared():
    gold = [[mention(0, negated=True, grade="low"), mention(10)]]
    found = [[mention(0, grade="low"), mention(10)]]
    evaluation = evaluate(NAME, found, gold)
    paired = pair_mentions(evaluation, evaluation.challenge.faces.page)
    assert [slot.name for slot in paired.slots] == ["label", "grade", "negated"]
    assert paired.slots[2].values == ("no", "yes")
    assert paired.equal.tolist() == [[True, True], [True, True], [False, True]]


def test_systems_have_the_same_slots_and_many_values_are_a_list():
    gold = [[mention(10 * at) for at in range(20)]]
    many = [[mention(10 * at, grade=f"g{at}") for at in range(20)]]
    evaluations = evaluate_systems(make_setup(NAME), {"bare": gold, "graded": many}, gold).values()
    slots = [pair_mentions(each, each.challenge.faces.page).slots for each in evaluations]
    assert [slot.kind for slot in slots[0]] == ["label", "free"]
    assert slots[0] == slots[1]
