"""Records as language models write them: read without doubt, scored as the same records are."""

import csv
import json
from pathlib import Path

import pytest
from commands import invoke
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.answers import Alignment, score, take_answers
from clineval.answers.plain import shape_of
from clineval.answers.repair import read_items
from clineval.challenges.mediqa_oe25.spec import SPEC as ORDERS
from clineval.challenges.mediqa_synur26.spec import SPEC as OBSERVATIONS
from clineval.harness.samples import SampleScoring

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
DEMOS = Path(clineval.__file__).parent / "challenges"
SYNUR, OE = "mediqa_synur26", "mediqa_oe25"
FILES = {SYNUR: ("gold.jsonl", "model.jsonl"), OE: ("gold.json", "model.json")}


class Shaping:
    """The way in which records are read: their shape."""

    def plain(self, form):
        return shape_of(form)


SHAPES = {SYNUR: OBSERVATIONS.kind.answer(Shaping()), OE: ORDERS.kind.answer(Shaping())}
COUNTED = {"n_answers", "n_invalid", "n_repaired", "n_unreadable"}
BREATH = {"id": "8", "value": ["Crackles", "Rhonchi"]}
UNIT = {"id": "5", "value": "F"}
WORDS = st.text("ab \"'{}[],:5\n", max_size=6)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "value", "observations", "description", "order_type", "provenance", "x"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


def demo(module):
    return [DEMOS / module / "demo" / name for name in FILES[module]]


def demo_records(module):
    """The demo's system: document to records."""
    text = demo(module)[1].read_text()
    if module == OE:
        return json.loads(text)
    return {line["id"]: line["observations"] for line in map(json.loads, text.splitlines())}


@pytest.mark.parametrize(
    ("written", "items", "state"),
    [
        (json.dumps(BREATH), [BREATH], "fine"),
        (json.dumps([BREATH, UNIT]), [BREATH, UNIT], "fine"),
        (json.dumps({"observations": [BREATH]}), [BREATH], "fine"),
        (json.dumps({"id": "note-1", "observations": []}), [], "fine"),
        (json.dumps({"id": "note-1", "findings": [BREATH, UNIT]}), [BREATH, UNIT], "fine"),
        (json.dumps({"id": "8", "value": []}), [{"id": "8", "value": []}], "fine"),
        (f"{json.dumps(BREATH)}\n{json.dumps(UNIT)}", [BREATH, UNIT], "repaired"),
        (f"```json\n{json.dumps(BREATH)[:-1]},}}\n```", [BREATH], "repaired"),
        (f"<think>{[UNIT]}</think>Here: {BREATH}", [BREATH], "repaired"),
        (json.dumps({"answer": {"observations": [UNIT]}}), [UNIT], "repaired"),
        (f'[{json.dumps(UNIT)}, {{"id": "8", "value": ["Cra', [UNIT], "repaired"),
        (f'{{"hints": ["x"], "observations": [{json.dumps(UNIT)}, {{"id"', [UNIT], "repaired"),
        (f"Found: {[UNIT, 'x']}", [UNIT, "x"], "repaired"),
        ('{"id": "8", "value": ["Cra', [], "unreadable"),
        ('{"id": "8", "value": ["Crackles", "Rho', [], "unreadable"),
        (f"{json.dumps([UNIT])} or {json.dumps([BREATH])}", [], "unreadable"),
        ('{"observations": "none"}', [], "unreadable"),
    ],
)
def test_a_record_that_has_a_list_is_one_record(written, items, state):
    assert read_items(written, SHAPES[SYNUR]) == (items, state)


@pytest.mark.parametrize("around", ["{}", "Here:\n```json\n{}\n```", "<think>[1]</think>{}"])
@pytest.mark.parametrize("module", [SYNUR, OE])
def test_records_count_as_they_do_without_an_answer_around_them(module, around):
    gold, system = demo(module)
    wrapped = {
        name: around.replace("{}", json.dumps(of)) for name, of in demo_records(module).items()
    }
    expected = clineval.score(module, system, gold)
    for answers in (wrapped, system):
        found = score(module, answers, gold)
        assert {key: found[key] for key in expected.values} == dict(expected.values)
        assert set(found.values) - set(expected.values) == COUNTED
        assert found["n_answers"] == sum(map(len, demo_records(module).values()))
        assert found.signature.settings["answers"] == "json"


@given(st.lists(JSON | JSON.map(json.dumps) | WORDS, min_size=1, max_size=3))
def test_whatever_a_model_says_is_scored_and_nothing_is_left_out(answers):
    observations = score(
        SYNUR, answers, [[{**BREATH, "value_type": "MULTI_SELECT"}]] * len(answers)
    )
    assert observations["micro_tp"] + observations["micro_fn"] == 2 * len(answers)
    orders = score(OE, answers, [[{"description": "a 5", "order_type": "lab"}]] * len(answers))
    assert orders["match_tp"] + orders["match_fn"] == len(answers)
    assert orders["match_tp"] + orders["match_fp"] == orders["n_answers"]


def test_what_cannot_be_right_is_counted_and_has_a_place():
    answers = {
        "a": [UNIT, "F", {"value": 5}],
        "b": "nothing",
        "c": [{"description": "x-ray", "order_type": "xray"}],
    }
    gold = dict.fromkeys(answers, ())
    for module, lost in (
        (SYNUR, [("a", 1, "invalid id"), ("a", 2, "invalid id"), ("b", None, "unreadable"),
                 ("c", 0, "invalid id")]),
        (OE, [(name, at, f"invalid {of}") for name, at in (("a", 0), ("a", 1), ("a", 2))
              for of in ("description", "order_type")]
             + [("b", None, "unreadable"), ("c", 0, "invalid order_type")]),
    ):  # fmt: skip
        taken = take_answers(module, {"model": answers}, gold)
        assert [tuple(each) for each in map(_as_row, taken.lost["model"])] == lost
        result = clineval.score(module, taken.systems["model"], taken.references)
        assert result["n_invalid"] == len(lost) - 1
        assert result["n_unreadable"] == 1


def _as_row(lost):
    return lost.document, lost.position, lost.reason


def test_policies_for_quotes_are_refused():
    with pytest.raises(clineval.InputError, match="records have no quotes"):
        score(SYNUR, [[]], [[]], alignment=Alignment())


@pytest.mark.parametrize("module", [SYNUR, OE])
def test_samples_of_a_harness_add_up_to_the_score(module):
    gold, system = demo(module)
    scoring = SampleScoring(module)
    documents = demo_records(module)
    text = gold.read_text()
    golds = json.loads(text) if module == OE else {
        line["id"]: line["observations"] for line in map(json.loads, text.splitlines())
    }  # fmt: skip
    parts = [
        scoring.count_sample(json.dumps(documents.get(name, [])), {"gold": of}, name)
        for name, of in golds.items()
    ]
    told = scoring.tell(parts)
    expected = clineval.score(module, system, gold)
    assert {key: told[key] for key in expected.headline} == {
        key: pytest.approx(expected[key], abs=1e-12) for key in expected.headline
    }


def test_every_command_takes_them(tmp_path):
    gold, system = demo(SYNUR)
    answers, unplaced = tmp_path / "answers.jsonl", tmp_path / "unplaced.csv"
    lines = [
        {"id": name, "answer": f"Found: {[*records, 'Crackles']}"}
        for name, records in demo_records(SYNUR).items()
    ]
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    shown = invoke(
        ["score", SYNUR, gold, answers, "--answers", "--unplaced", unplaced, "--format", "json"]
    )
    scores = json.loads(shown.stdout)["scores"]
    assert scores["n_repaired"] == scores["n_invalid"] == len(lines)
    assert scores["micro_f1"] < clineval.score(SYNUR, system, gold)["micro_f1"]
    reasons = [row["reason"] for row in csv.DictReader(unplaced.read_text().splitlines())]
    assert reasons == ["invalid id"] * len(lines)
    assert invoke(["errors", SYNUR, gold, answers, "--answers"]).exit_code == 0
    assert invoke(["compare", SYNUR, gold, answers, system, "--answers"]).exit_code == 0
    page = tmp_path / "page.html"
    assert invoke(["report", SYNUR, gold, answers, "--answers", "-o", page]).exit_code == 0
    refused = invoke(["score", SYNUR, gold, answers, "--answers", "--align", "first"])
    assert refused.exit_code == 2
