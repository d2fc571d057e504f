"""Labels of answers: in another case, missing, impossible, under another name, as a list's name."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from thorough import fewer

import clineval
from clineval import InputError, InputWarning
from clineval.answers import Alignment, evaluate, reward, score, take_answers
from clineval.answers.options import takes_answers
from clineval.harness.samples import SampleScoring
from clineval.results.registry import NAMES, find_challenge
from clineval.results.slots import INVENTED

MODULE, NOTE = "clinical_spans", "No edema."
GOLD = [{"spans": [[3, 8]], "label": "Device"}]
WRONG = {
    "case": [{"text": "edema", "label": "device"}],
    "nested": [[{"text": "edema", "label": "Device"}]],
    "quote": ["edema"],
    "none": [{"text": "edema"}],
    "list": [{"text": "edema", "label": ["Device"]}],
    "null": [{"text": "edema", "label": None}],
    "no letter": [{"text": "edema", "label": "!!"}],
    "a word of ours": [{"text": "edema", "label": "Macro"}],
    "other keys": [{"Text": "edema", "Label": "Device"}],
}
READ = {
    "type": [{"text": "edema", "type": "Device"}],
    "labels": {"Device": ["edema"]},
    "of entities": {"entities": {"Device": ["edema"], "Sign": None}},
    "fragments": {"Device": [["edema"]], "Sign": []},
    "one list": {"findings": [{"text": "edema", "label": "Device"}]},
}
WAYS = {
    "found": {},
    "given": {"labels": ["Device"]},
    "words": {"labels": ["Device"], "alignment": Alignment(match="text")},
}


def counted(result, match="strict"):
    return tuple(result[f"{match}_{verdict}"] for verdict in ("tp", "fp", "fn"))


@pytest.mark.filterwarnings("ignore:.*(no 'text'|are ignored|is ignored)")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("answer", WRONG)
def test_a_label_that_cannot_be_is_a_false_positive(answer, way):
    with pytest.warns(InputWarning, match="1 item in the answers has no valid 'label'"):
        result = score(MODULE, [json.dumps(WRONG[answer])], [GOLD], texts=[NOTE], **WAYS[way])
    assert counted(result) == (0, 1, 1)
    assert (result["n_invalid"], result["macro_strict_f1"]) == (1, 0.0)
    assert result.signature.settings["labels"] == "device"
    assert not [key for key in result.as_dict() if re.search("invalid_|such_|edema", key)]
    assert "invalid" not in str(result).replace("n_invalid", "")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("answer", READ)
def test_other_ways_to_say_a_label_are_read(answer, way):
    result = score(MODULE, [json.dumps(READ[answer])], [GOLD], texts=[NOTE], **WAYS[way])
    assert (*counted(result), result["n_invalid"]) == (1, 0, 0, 0)


@pytest.mark.parametrize(
    "answer",
    [
        {"draft": [{"text": "edema"}], "final": [{"text": "No"}]},  # one of them counts
        {"Device": ["edema"], "Sign": "No"},
        {"mentions": ["edema"], "Device": ["edema"]},
    ],
)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_lists_that_could_be_something_else_are_not_read_as_those_of_labels(answer):
    assert score(MODULE, [answer], [GOLD], texts=[NOTE])["strict_tp"] == 0


def test_a_type_is_no_label_where_there_is_one_or_where_mentions_have_codes():
    answer = [{"text": "edema", "label": "Device", "type": "Sign"}]
    assert counted(score(MODULE, [answer], [GOLD], texts=[NOTE])) == (1, 0, 0)
    gold = [[{"spans": [[3, 8]], "cui": "C1"}]]
    answer = [{"text": "edema", "cui": "C1", "type": "disorder"}]
    assert score("semeval15_task14", [answer], gold, texts=[NOTE])["strict_f1"] == 1


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_labels_that_nobody_asked_for_are_left_out_and_impossible_ones_are_not():
    answer = [{"text": "edema", "label": "Device"}, {"text": "No", "label": "Sign"}, "No"]
    result = score(MODULE, [answer], [GOLD], texts=[NOTE], labels=["Device"])
    assert (*counted(result), result["macro_strict_f1"]) == (1, 1, 0, 1.0)
    how = {"texts": [NOTE], "keys": ["strict_f1"], "labels": ["Device"]}
    assert reward(MODULE, [answer], [GOLD], **how) == [result["strict_f1"]]


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_invented_labels_of_several_systems_have_one_row_for_a_key():
    systems = {"a": [[{"text": "No", "label": "Foo"}]], "b": [[{"text": "edema", "label": "foo"}]]}
    taken = take_answers(MODULE, systems, [GOLD], texts=[NOTE])
    for name in systems:
        result = clineval.score(MODULE, taken.systems[name], taken.references)
        assert counted(result) == (0, 1, 1)
    result = score(MODULE, [[*systems["a"][0], *systems["b"][0]]], [GOLD], texts=[NOTE])
    assert counted(result) == (0, 2, 1)
    assert counted(result, "foo_strict") == (0, 1, 0)


def test_labels_of_other_predictions_must_have_keys_of_their_own():
    found = [[{"spans": [[3, 8]], "label": "device"}]]
    with pytest.raises(InputError, match=r"label 'device' would be called 'device'"):
        clineval.score(MODULE, found, [GOLD])


def test_gold_standards_of_words_take_the_labels_that_are_asked_for():
    gold = [[{"text": "edema", "label": "Device"}, {"text": "No", "label": "Sign"}]]
    found = [[{"text": "No", "label": "Sign"}, {"text": "edema", "label": "Device"}]]
    with pytest.warns(InputWarning, match="1 mention has a label that labels= does not list"):
        result = score(MODULE, found, gold, **WAYS["words"])
    assert counted(result) == (1, 0, 0)


QUOTING = [
    name
    for name in NAMES
    if takes_answers(find_challenge(name)) and find_challenge(name).kind.quotes
]
ANY = st.one_of(
    st.sampled_from(["device", "DEVICE", "", "!!", "macro", "a|b", "no\u00a0such", INVENTED]),
    st.none(), st.booleans(), st.integers(0, 9), st.lists(st.text(max_size=3), max_size=2),
)  # fmt: skip


@given(ANY, st.booleans())
@fewer(0.3)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", QUOTING)
def test_no_value_of_an_item_stops_a_score_or_a_reward(name, value, everywhere):
    """The item is no gold mention: there are none."""
    challenge = find_challenge(name)
    slots = challenge.kind.slots("default")
    given_ = {slot.name: value for slot in (slots if everywhere else slots[:1])}
    answer = json.dumps([{"text": "edema", **given_}])
    gold = [] if challenge.kind.name != "events" else {"events": []}
    evaluation = evaluate(name, [answer], [gold], texts=[NOTE])
    result = evaluation.score()
    assert result["n_documents"] == 1
    assert INVENTED not in json.dumps(result.as_dict(), ensure_ascii=False)
    assert reward(name, [answer], [gold], texts=[NOTE]) == [0.0]


def test_a_task_that_needs_all_samples_says_so_when_it_is_built():
    SampleScoring(MODULE, options={"labels": ["Device"]}).check_alone()
    with pytest.raises(InputError, match=r"counted one by one.* Pass labels="):
        SampleScoring(MODULE).check_alone()
    weighted = SampleScoring("semeval15_task14", options={"weights": "references"})
    with pytest.raises(InputError, match=r"counted one by one.*clineval prevalence"):
        weighted.check_alone()


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_samples_and_the_whole_have_the_same_numbers():
    answers = [*WRONG.values(), *READ.values()]
    keys, options = ("strict_f1", "macro_strict_f1"), {"labels": ["Device"]}
    scoring = SampleScoring(MODULE, keys, options=options)
    parts = [scoring.count(json.dumps(a), GOLD, NOTE, str(at)) for at, a in enumerate(answers)]
    size = len(answers)
    whole = score(MODULE, answers, [GOLD] * size, texts=[NOTE] * size, labels=["Device"])
    assert scoring.tell(parts) == {key: whole[key] for key in keys}
    assert whole["strict_fp"] == len(WRONG)
