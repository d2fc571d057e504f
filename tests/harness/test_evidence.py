"""Evidence for answers in Inspect and lm-eval with a scripted model: clineval.score's numbers."""

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

NAME = "archehr_qa26"
GRADES = {"1": "essential", "2": "essential", "3": "supplementary", "4": "not-relevant"}
CASE = {
    "answers": [{"sentence_id": at, "relevance": grade} for at, grade in GRADES.items()],
    "clinician_answer_sentences": [
        {"id": "1", "citations": ["1"]},
        {"id": "2", "citations": ["1", "2"]},
    ],
}
GOLD = [CASE, ["1>5", "5", "6"], [], ["1", "1>1"]]
LINKS = '[{"answer_id": 1, "evidence_id": [1]}, {"answer_id": "2", "evidence_id": ["3"]}]'
CASES = {
    "subtask2": (
        ['Sentences: ["1", 3, "9"]', '```json\n{"prediction": ["5", "6"]}\n```', '["7"]', "None."],
        [["1", "3", "9"], ["5", "6"], ["7"], []],
        {"strict_micro_f1": 6 / 11, "lenient_micro_f1": 6 / 10, "overall_score": 6 / 11},
    ),
    "subtask4": (
        [LINKS, '["1>5"]', "[]", "I cannot say."],
        [["1>1", "2>3"], ["1>5"], [], []],
        {"micro_f1": 4 / 8, "micro_precision": 2 / 3, "overall_score": 4 / 8},
    ),
}
pytestmark = [
    pytest.mark.filterwarnings("default"),
    pytest.mark.filterwarnings("ignore::clineval.InputWarning"),
    pytest.mark.parametrize("config", CASES),
]


def check(found, config):
    _, predictions, by_hand = CASES[config]
    expected = clineval.score(NAME, predictions, GOLD, config=config)
    assert found == pytest.approx({**{key: expected[key] for key in by_hand}, "n_unreadable": 1})
    assert {key: found[key] for key in by_hand} == pytest.approx(by_hand)


def test_inspect(tmp_path, config):
    answers, _, by_hand = CASES[config]

    def answer(messages, tools, tool_choice, config):  # noqa: ARG001
        output = ModelOutput.from_content("mockllm/model", answers[int(id_in(messages[-1].text))])
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    samples = [
        Sample(id=f"n{at}", input=f"ID: {at}\n", metadata={"note": "", "gold": json.dumps(gold)})
        for at, gold in enumerate(GOLD)
    ]
    scorer = quoted_mentions(NAME, keys=[*by_hand, "n_unreadable"], config=config)
    task = inspect_ai.Task(dataset=samples, solver=generate(), scorer=scorer)
    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    [log] = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), display="none")
    check(told(log), config)


def test_lm_eval(tmp_path, config):
    answers, _, by_hand = CASES[config]
    rows = [
        {"id": str(at), "note": "A note.", "gold": json.dumps(gold)} for at, gold in enumerate(GOLD)
    ]
    notes = tmp_path / "notes.json"
    notes.write_text(json.dumps(rows))
    folder = tmp_path / "task"
    folder.mkdir()
    keys = [*by_hand, "n_unreadable"]
    write_task(folder, notes, NAME, keys, config=config)
    found = run_lm_eval(folder, "scripted_notes", lambda prompt: answers[int(id_in(prompt))])
    check({key: found[f"{key},none"] for key in keys}, config)
