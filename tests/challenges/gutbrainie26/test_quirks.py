"""GutBrainIE 2026: each rule on which the program and the definition differ, on a file for it."""

import json

import pytest
from conftest import DATA

import clineval
from clineval import InputError, InputWarning
from clineval.formats.checking import find_problems
from clineval.results.registry import find_challenge

NAME = "gutbrainie26"
CASES = DATA / "oracle" / NAME / "cases"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def sides_of(case):
    [folder] = CASES.glob(f"{case}_*")
    return folder / "pred.json", folder / "gold.json"


def score(case, config="ner", protocol="spec"):
    return clineval.score(NAME, *sides_of(case), config=config, protocol=protocol)


def count(case, config="ner", protocol="spec"):
    found = score(case, config, protocol)
    return tuple(found[f"micro_{verdict}"] for verdict in ("tp", "fp", "fn"))


DIFFERENT = [
    ("g04", "ner", (2, 0, 0), (1, 1, 1)),
    ("g09", "nerd", (1, 1, 1), (2, 0, 0)),
    ("g11", "ner", (2, 1, 0), (1, 0, 1)),
    ("g13", "ner", (3, 0, 0), (2, 0, 1)),
    ("g14", "ner", (2, 0, 0), (2, 0, 1)),
    ("g15", "ner", (2, 1, 0), (1, 1, 1)),
    ("g16", "ner", (3, 1, 0), (2, 0, 1)),
    ("g17", "ner", (2, 1, 0), (1, 1, 1)),
    ("g18", "ner", (2, 1, 0), (1, 1, 1)),
    ("g19", "ner", (3, 0, 0), (2, 0, 1)),
    ("g21", "ner", (3, 0, 0), (2, 0, 1)),
    ("g22b", "ner", (3, 0, 0), (2, 0, 1)),
    ("g24", "ner", (2, 2, 0), (2, 0, 0)),
    ("g25", "ner", (2, 1, 0), (1, 0, 1)),
    ("g31", "ner", (1, 1, 1), (2, 0, 0)),
    ("g53", "mention_relations", (1, 1, 1), (1, 0, 1)),
    ("g53", "concept_relations", (1, 1, 1), (1, 0, 1)),
    ("g54", "mention_relations", (1, 1, 0), (1, 0, 0)),
    ("g54", "concept_relations", (1, 1, 0), (1, 0, 0)),
    ("g57", "mention_relations", (1, 0, 0), (1, 0, 1)),
    ("g57", "concept_relations", (1, 0, 0), (1, 0, 1)),
]
ALIKE = [
    ("g02", "ner", (1, 1, 1), (1, 0, 1)),
    ("g03", "ner", (1, 1, 1), (1, 1, 1)),
    ("g05", "ner", (1, 1, 1), (1, 1, 1)),
    ("g06", "ner", (2, 0, 0), (2, 0, 0)),
    ("g06", "nerd", (1, 1, 1), (1, 1, 1)),
    ("g07", "nerd", (1, 1, 1), (1, 1, 1)),
    ("g08", "nerd", (2, 0, 0), (2, 0, 0)),
    ("g10", "ner", (2, 0, 0), (2, 0, 0)),
    ("g12", "ner", (2, 1, 0), (2, 0, 0)),
    ("g20", "ner", (3, 0, 0), (3, 0, 0)),
    ("g22a", "ner", (5, 0, 0), (5, 0, 0)),
    ("g23", "ner", (3, 0, 0), (3, 0, 0)),
    ("g36", "ner", (1, 0, 1), (1, 0, 1)),
    ("g38", "ner", (1, 0, 0), (1, 0, 0)),
    ("g40", "ner", (0, 0, 1), (0, 0, 1)),
    ("g52", "mention_relations", (1, 1, 1), (1, 1, 1)),
    ("g56", "concept_relations", (1, 0, 0), (1, 0, 0)),
    ("g58", "mention_relations", (1, 1, 1), (1, 1, 1)),
    ("g61", "concept_relations", (1, 0, 0), (1, 0, 0)),
    ("g64", "mention_relations", (1, 0, 0), (1, 0, 0)),
]


@pytest.mark.parametrize(("case", "config", "spec", "official"), [*DIFFERENT, *ALIKE])
def test_what_both_protocols_count(case, config, spec, official):
    assert (count(case, config), count(case, config, "official")) == (spec, official)


def test_the_two_numbers_that_are_called_macro_f1():
    """The rows: one with P 1 and R 1/2, one with P 1/3 and R 1."""
    spec, official = (score("g62", "mention_relations", way) for way in ("spec", "official"))
    for found in (spec, official):
        assert found["macro_f1"] == pytest.approx(2 * (2 / 3) * 0.75 / (2 / 3 + 0.75))
        assert found["mean_f1"] == pytest.approx((2 / 3 + 0.5) / 2)
    assert spec["mean_f1"] > official["mean_f1"]  # which adds 1e-10 to denominators


def test_a_row_that_is_never_predicted_has_0_in_the_means():
    for protocol in ("spec", "official"):
        found = score("g63", "mention_relations", protocol)
        assert [found["macro_recall"], found["mean_f1"]] == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize(
    ("case", "config", "counted"),
    [
        ("g26", "ner", (1, 1, 1)),
        ("g28", "ner", (1, 1, 1)),
        ("g30", "ner", (0, 1, 1)),
        ("g33", "ner", (0, 1, 1)),
        ("g33", "mention_relations", (0, 1, 1)),
        ("g33", "concept_relations", (0, 1, 1)),
        ("g34", "ner", (0, 0, 1)),
        ("g34", "mention_relations", (0, 0, 1)),
        ("g35", "nerd", (0, 1, 1)),
        ("g37", "ner", (1, 1, 0)),
        ("g37", "concept_relations", (1, 1, 0)),
        ("g39", "ner", (0, 1, 0)),
        ("g59", "mention_relations", (0, 1, 1)),
        ("g60", "concept_relations", (0, 1, 1)),
    ],
)
def test_where_the_program_stops_predictions_are_wrong(case, config, counted):
    assert count(case, config) == counted
    with pytest.raises(InputError, match="the released program"):
        score(case, config, "official")


@pytest.mark.parametrize(
    ("case", "problem"),
    [
        ("g27", r"document 1, entities 2: unknown label 'protein'"),
        ("g29", r"document 1, entities 2: unknown part 'body', expected one of title, abstract"),
    ],
)
def test_gold_items_that_nothing_can_find_are_rejected(case, problem):
    with pytest.raises(InputError, match=problem):
        score(case)
    assert score(case, protocol="official")["micro_fn"] == 1


def test_invalid_predictions_are_told():
    with pytest.warns(InputWarning, match="1 predicted item has an unknown label, predicate"):
        score("g26")


def test_other_words_at_the_place_of_a_gold_entity_are_told():
    with pytest.warns(InputWarning, match="1 predicted entity has the offsets of a gold entity"):
        score("g04")


def test_removed_predictions_are_told_and_counted():
    with pytest.warns(InputWarning, match="2 predictions do not count, because a longer one"):
        found = score("g16", protocol="official")
    assert (found["n_repeated"], found["n_overlapping"]) == (0, 2)
    with pytest.warns(InputWarning, match="1 repeated prediction does not count"):
        found = score("g10", protocol="official")
    assert (found["n_repeated"], found["n_overlapping"]) == (1, 0)


def test_the_default_scores_everything_that_is_there():
    found = score("g01", "default")
    assert [found[f"{of}_micro_f1"] for of in list(find_challenge(NAME).task.configs)[1:]] == [
        1
    ] * 4


def entity(**more):
    usual = {
        "start_idx": 0,
        "end_idx": 3,
        "location": "title",
        "text_span": "Zola",
        "label": "drug",
    }
    return {**usual, "uri": "u:1", **more}


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        ({"start_idx": -1}, "offset -1 is negative"),
        ({"end_idx": 9}, "offset 9 is outside the title, which has 4 characters"),
        ({"start_idx": 2, "end_idx": 1}, "offsets 2-1: the end is before the start"),
        ({"start_idx": "0"}, "expected a whole number as offset"),
        ({"label": None}, "label: expected a string"),
        ({"uri": 5}, "uri: expected a string"),
    ],
)
def test_an_invalid_gold_standard_is_rejected_with_its_place(broken, problem, tmp_path):
    document = {"metadata": {"title": "Zola", "abstract": "x"}, "entities": [entity(**broken)]}
    path = tmp_path / "gold.json"
    path.write_text(json.dumps({"7": document}))
    with pytest.raises(InputError) as refused:
        clineval.score(NAME, path, path, config="nerd")
    assert f"gold.json, document 7, entities 1: {problem}" in str(refused.value)
    problems = [*find_problems(find_challenge(NAME), [path])]
    assert problem in problems[0].message


@pytest.mark.parametrize("missing", ["uri", "label", "text_span", "location", "end_idx"])
def test_every_field_is_needed(missing, tmp_path):
    held = {name: value for name, value in entity().items() if name != missing}
    gold, found = tmp_path / "gold.json", tmp_path / "pred.json"
    gold.write_text(json.dumps({"7": {"entities": [entity()]}}))
    found.write_text(json.dumps({"7": {"entities": [held]}}))
    with pytest.raises(InputError, match=f"document 7, entities 1: '{missing}' is missing"):
        clineval.score(NAME, gold, found, config="nerd")
    score = clineval.score(NAME, found, gold, config="nerd")
    assert [score[f"micro_{of}"] for of in ("tp", "fp", "fn")] == [0, 1, 1]
    with pytest.raises(InputError, match=f"an item has no '{missing}'"):
        clineval.score(NAME, found, gold, config="nerd", protocol="official")
