"""i2b2 2008 obesity: equal to scikit-learn, and one test for each rule of the format."""

import json

import pytest
from oracles import Oracle, name_output
from sklearn_figures import compare, key_of

import clineval
from clineval import InputError

NAME = "i2b2_2008_obesity"
ORACLE = Oracle(NAME)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
PREFIXES = {"pooled": "", "mean of diseases": "diseases_"}


@pytest.mark.parametrize("output", ORACLE.outputs("sklearn.json"), ids=name_output)
def test_scores_are_those_of_scikit_learn(output):
    for source, tables in json.loads(output.read_text("utf-8")).items():
        sides = output.parent / "system.xml", output.parent / "gold.xml"
        scores = clineval.score(NAME, *sides, config=source)
        for name, figures in tables.items():
            prefix = PREFIXES.get(name, f"{key_of(name)}_")
            assert compare(scores, figures, prefix) >= 6


def judgments(*rows, source="textual"):
    diseases = "".join(
        f'<disease name="{disease}">\n<doc id="{name}" judgment="{value}"/>\n</disease>'
        for disease, name, value in rows
    )
    return f'<diseaseset>\n<diseases source="{source}">{diseases}</diseases>\n</diseaseset>\n'


GOLD = judgments(("CAD", "1", "Y"), ("Gout", "1", "U"))


def test_a_later_file_replaces_a_judgment(tmp_path):
    for name, value in (("1.xml", "N"), ("2.xml", "Y")):
        (tmp_path / name).write_text(judgments(("CAD", "1", value)))
    scores = clineval.score(NAME, judgments(("CAD", "1", "Y")), tmp_path, config="textual")
    assert (scores["y_tp"], scores["n_fn"]) == (1, 0)


def test_other_sources_are_left_out():
    both = GOLD.replace("</diseaseset>", judgments(("CAD", "1", "N"), source="intuitive")[13:])
    assert clineval.score(NAME, both, both, config="textual")["micro_tp"] == 2
    assert clineval.score(NAME, both, both, config="intuitive")["micro_tp"] == 1


def test_unknown_judgments_and_diseases_of_a_system():
    found = judgments(("cad", "1", "y"), ("Gout", "1", "?"), ("Flu", "1", "Y"))
    with pytest.warns(clineval.InputWarning) as told:
        scores = clineval.score(NAME, found, GOLD)
    assert (scores["micro_tp"], scores["micro_fp"], scores["micro_fn"]) == (1, 0, 1)
    messages = " ".join(str(warning.message) for warning in told)
    assert "1 predicted disease is not one of the challenge's" in messages
    assert "1 predicted answer is not a class" in messages


@pytest.mark.parametrize(
    ("gold", "problem"),
    [
        (judgments(("Flu", "1", "Y")), ":2: name: expected one of Asthma"),
        (judgments(("CAD", "1", "?")), ":3: CAD: expected one of Y, N, Q, U"),
        (judgments(("CAD", "1", "Y"), ("CAD", "1", "N")), "two judgments in this file"),
        (judgments(("CAD", "", "Y")), ":3: expected the attribute id"),
    ],
)
def test_wrong_gold_is_rejected(gold, problem):
    with pytest.raises(InputError, match=problem):
        clineval.score(NAME, GOLD, gold, config="textual")


def test_another_source_is_rejected():
    with pytest.raises(InputError, match=":2: source: expected textual or intuitive, got "):
        clineval.score(NAME, GOLD, GOLD.replace("textual", "visual"))
