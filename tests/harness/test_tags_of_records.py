"""Tags of whole records in Inspect and lm-eval with a scripted model: clineval.score's numbers."""

import json

import pytest
from harness.scripted import id_in
from needs import need

need("inspect_ai", "harness")
need("lm_eval", "harness")

import inspect_ai
from harness.test_inspect import told
from harness.test_lm_eval import run as run_lm_eval
from harness.test_lm_eval import write_task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

import clineval
from clineval.harness.inspect import quoted_mentions

NAME = "i2b2_2014_risk"
PAST = {"tag": "SMOKER", "indicator": "past"}
STATIN = {"tag": "MEDICATION", "time": "after DCT", "indicator": "statin + ARB"}
EVENT = {"tag": "CAD", "time": "before DCT", "indicator": "event"}
LATER = {**EVENT, "time": "during DCT"}
GOLD = [[PAST, STATIN], [EVENT], [], [PAST]]
ANSWERS = [
    json.dumps([{**STATIN, "indicator": ["ARB", "statin"]}, {"tag": "CHD"}]),
    f"```json\n{json.dumps({'tags': [LATER]})}\n```",
    json.dumps([LATER]),
    "The patient has never smoked.",
]
FOUND = [[STATIN, {"tag": "CHD"}], [LATER], [LATER], []]
KEYS = ["micro_f1", "record_f1", "macro_f1", "any_time_f1", "cad_event_f1", "medication_f1"]
ASKED = [*KEYS, "n_unreadable"]
EXPECTED = {"micro_f1": 1 / 4, "any_time_f1": 1 / 2, "cad_event_f1": 0, "medication_f1": 1}
pytestmark = [
    pytest.mark.filterwarnings("default"),
    pytest.mark.filterwarnings("ignore::clineval.InputWarning"),
]


def check(found):
    expected = clineval.score(NAME, FOUND, GOLD).as_dict()
    assert found == pytest.approx({**{key: expected[key] for key in KEYS}, "n_unreadable": 1})
    assert {key: found[key] for key in EXPECTED} == pytest.approx(EXPECTED)


def test_inspect(tmp_path):
    def answer(messages, tools, tool_choice, config):  # noqa: ARG001
        output = ModelOutput.from_content("mockllm/model", ANSWERS[int(id_in(messages[-1].text))])
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    samples = [
        Sample(id=f"n{at}", input=f"ID: {at}\n", metadata={"note": "", "gold": json.dumps(gold)})
        for at, gold in enumerate(GOLD)
    ]
    scorer = quoted_mentions(NAME, keys=ASKED)
    task = inspect_ai.Task(dataset=samples, solver=generate(), scorer=scorer)
    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    [log] = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), display="none")
    check(told(log))


def test_lm_eval(tmp_path):
    rows = [
        {"id": str(at), "note": "A note.", "gold": json.dumps(gold)} for at, gold in enumerate(GOLD)
    ]
    notes = tmp_path / "notes.json"
    notes.write_text(json.dumps(rows))
    folder = tmp_path / "task"
    folder.mkdir()
    write_task(folder, notes, NAME, ASKED)
    found = run_lm_eval(folder, "scripted_notes", lambda prompt: ANSWERS[int(id_in(prompt))])
    check({key: found[f"{key},none"] for key in ASKED})
