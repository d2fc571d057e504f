"""Answers that follow a schema of the user: an object, or a list of objects, with lists inside."""

import json

import pytest
from commands import invoke

import clineval
from clineval.answers import score, take_answers
from clineval.answers.plain import shape_of
from clineval.answers.repair import read_items
from clineval.answers.rewards import reward
from clineval.harness.samples import SampleScoring
from clineval.results.registry import find_challenge

NAME = "clinical_records"
DRUG = {"type": "object", "properties": {
    "drug": {"type": "string", "x-key": True},
    "doses": {"type": "array", "items": {"type": "object", "properties": {
        "mg": {"type": "number"}}}},
}}  # fmt: skip
VISIT = {"type": "object", "properties": {
    "day": {"type": "string"}, "drugs": {"type": "array", "items": DRUG},
}}  # fmt: skip
LIST = {"type": "array", "items": DRUG}
A, B = {"drug": "a", "doses": [{"mg": 1}, {"mg": 2}]}, {"drug": "b", "doses": []}
ONE, TWO = {"day": "x", "drugs": [A, B]}, {"drugs": [A]}
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


class Shaping:
    """The way in which answers are read: their shape."""

    def plain(self, form):
        return shape_of(form)


SHAPE = find_challenge(NAME).kind.answer(Shaping())
TEXT, CUT = json.dumps(ONE), json.dumps([A, B])


@pytest.mark.parametrize(("answer", "items", "state"), [
    (TEXT, [ONE], "fine"),
    (ONE, [ONE], "fine"),
    (json.dumps(TWO), [TWO], "fine"),
    (json.dumps([A, B]), [A, B], "fine"),
    (json.dumps({"records": [A, B]}), [A, B], "fine"),
    ("[]", [], "fine"),
    ("{}", [{}], "fine"),
    ("```json\n{}\n```", [{}], "repaired"),
    (f"Here it is:\n```json\n{TEXT}\n```\nDone.", [ONE], "repaired"),
    (str(ONE), [ONE], "repaired"),
    (f"<think>{json.dumps(TWO)}</think>{TEXT}", [ONE], "repaired"),
    (CUT[:-1] + ', {"drug": "c', [A, B], "repaired"),
    (TEXT[:-10], [], "unreadable"),
    ("I found no drug.", [], "unreadable"),
])  # fmt: skip
def test_objects_and_lists_are_read(answer, items, state):
    assert read_items(answer, SHAPE) == (items, state)


@pytest.mark.parametrize(("schema", "gold"), [(VISIT, [ONE, TWO]), (LIST, [[A, B], [B]])])
def test_they_score_as_the_same_documents_do(schema, gold):
    found = [gold[1], gold[0]]
    answers = [f"So:\n```json\n{json.dumps(each, indent=1)}\n```" for each in found]
    result = score(NAME, answers, gold, schema=schema).as_dict()
    expected = clineval.score(NAME, found, gold, schema=schema).as_dict()
    same = expected.keys() - {"signature"}
    assert {key: result[key] for key in same} == {key: expected[key] for key in same}
    assert (result["n_answers"], result["n_repaired"]) == (sum(map(size_of, found)), 2)


def test_an_answer_without_fields_is_an_object_as_in_files():
    result = score(NAME, ["{}", "no idea"], [{"drugs": []}] * 2, schema=VISIT)
    assert (result["records_exact_tp"], result["records_match_fn"]) == (1, 1)
    assert clineval.score(NAME, [{}], [{"drugs": []}], schema=VISIT)["documents_exact"] == 1


def size_of(document):
    return len(document) if isinstance(document, list) else 1


def test_invalid_values_are_counted_with_the_number_of_their_item():
    wrong = [B, {"drug": 5, "doses": [{"mg": 1}, {"mg": "x"}]}]
    taken = take_answers(NAME, {"s": {"n": json.dumps(wrong)}}, {"n": [A, B]}, schema=LIST)
    side = taken.systems["s"]
    assert side.intake.counts["n_invalid"].tolist() == [2]
    assert [(lost.position, lost.reason) for lost in taken.lost["s"]] == [
        (1, "invalid drug"), (1, "invalid doses.mg"),
    ]  # fmt: skip


def test_answers_on_the_command_line(tmp_path):
    for name, lines in (
        ("gold", [{"id": "n1", "records": ONE}, {"id": "n2", "records": TWO}]),
        ("answers", [{"id": "n1", "answer": TEXT}, {"id": "n2", "answer": "none"}]),
    ):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(text)
    (tmp_path / "schema.json").write_text(json.dumps(VISIT))
    done = invoke([
        "score", NAME, tmp_path / "gold.jsonl", tmp_path / "answers.jsonl", "--answers",
        "--schema", tmp_path / "schema.json", "--format", "json",
    ])  # fmt: skip
    assert done.exit_code == 0, done.output
    scores = json.loads(done.stdout)["scores"]
    assert (scores["n_unreadable"], scores["documents_exact"]) == (1, 0.5)
    assert (scores["drugs_drug_tp"], scores["drugs_drug_fn"]) == (2, 1)


def test_rewards_and_samples_of_harnesses():
    written = [TEXT, json.dumps(TWO), "nothing"]
    assert reward(NAME, written, [ONE] * 3, schema=VISIT) == pytest.approx([
        1, reward_of(TWO), 0,
    ])  # fmt: skip
    keys = ("fields_mean_f1", "documents_exact", "n_unreadable")
    scoring = SampleScoring(NAME, keys, options={"schema": VISIT})
    assert not scoring.together
    gold = json.dumps(ONE)
    parts = [
        scoring.count_sample(text, {"gold": gold}, f"n{at}") for at, text in enumerate(written)
    ]
    told = scoring.tell(parts)
    together = score(NAME, written, [ONE] * 3, schema=VISIT).as_dict()
    assert told == {key: together[key] for key in keys}
    assert told["n_unreadable"] == 1


def reward_of(found):
    return clineval.score(NAME, [found], [ONE], schema=VISIT)["fields_mean_f1"]


def test_samples_need_a_schema():
    with pytest.raises(clineval.InputError, match="all references determine the fields"):
        SampleScoring(NAME, ()).check_alone()
