"""i2b2 2006 smoking: equal to scikit-learn, and one test for each rule of the format."""

import json

import pytest
from oracles import Oracle, name_output
from sklearn_figures import compare

import clineval
from clineval import InputError

NAME = "i2b2_2006_smoking"
ORACLE = Oracle(NAME)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@pytest.mark.parametrize("output", ORACLE.outputs("sklearn.json"), ids=name_output)
def test_scores_are_those_of_scikit_learn(output):
    scores = clineval.score(NAME, output.parent / "system.xml", output.parent / "gold.xml")
    figures = json.loads(output.read_text("utf-8"))
    assert compare(scores, figures) == 25
    precision, recall = scores["macro_precision"], scores["macro_recall"]
    both = precision + recall
    assert scores["macro_f1_of_means"] == (2 * precision * recall / both if both else 0)


def record(status, name="1"):
    return f'<RECORD ID="{name}"><SMOKING STATUS="{status}"/><TEXT>Invented.</TEXT></RECORD>'


def root(*records):
    return f"<ROOT>\n{chr(10).join(records)}\n</ROOT>\n"


GOLD = root(record("PAST SMOKER"))


def test_case_and_blanks_do_not_matter():
    assert clineval.score(NAME, root(record(" past  smoker")), GOLD)["accuracy"] == 1


@pytest.mark.parametrize("status", ["", "former"])
def test_an_unknown_status_of_a_system_is_no_answer(status):
    scores = clineval.score(NAME, root(record(status)), GOLD)
    assert (scores["micro_fn"], scores["micro_fp"]) == (1, 0)


@pytest.mark.parametrize(
    ("gold", "problem"),
    [
        (root(record("former")), ":2: smoking: expected one of PAST SMOKER"),
        (root(record("")), ":2: expected the attribute STATUS"),
        (root(record("UNKNOWN"), record("UNKNOWN")), ":3: the record 1 occurs twice"),
        (root(record("UNKNOWN", "")), ":2: expected the attribute ID"),
        (root('<RECORD ID="7"><TEXT>x</TEXT></RECORD>'), "document 7: no answer to smoking"),
        ("<ROOT><RECORD", "not well-formed XML"),
    ],
)
def test_wrong_gold_is_rejected(gold, problem):
    with pytest.raises(InputError, match=problem):
        clineval.score(NAME, GOLD, gold)
