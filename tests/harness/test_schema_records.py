"""Answers that follow a schema, in Inspect with a scripted model: the numbers of clineval.score."""

import json

import pytest
from harness.scripted import id_in
from needs import need

need("inspect_ai", "harness")

import inspect_ai
from harness.test_inspect import told
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

import clineval
from clineval.harness.inspect import quoted_mentions

NAME = "clinical_records"
SCHEMA = {"type": "object", "properties": {
    "day": {"type": "string", "format": "date"},
    "drugs": {"type": "array", "items": {"type": "object", "properties": {
        "drug": {"type": "string", "x-compare": "fold", "x-key": True},
        "mg": {"type": "number", "x-tolerance": 0.5},
    }}},
}}  # fmt: skip
GOLD = [
    {"day": "2024-05-01", "drugs": [{"drug": "aspirin", "mg": 100}, {"drug": "heparin", "mg": 5}]},
    {"day": "2024-05-02", "drugs": []},
    {"day": "2024-05-03", "drugs": [{"drug": "insulin", "mg": 2}]},
]
FOUND = [
    {"day": "2024-05-01", "drugs": [{"drug": "Heparin", "mg": 5.5}, {"drug": "aspirin", "mg": 1}]},
    {"day": "2024-05-03"},
    {},
]
ANSWERS = [json.dumps(FOUND[0]), f"```json\n{json.dumps(FOUND[1])}\n```", "I cannot say."]
KEYS = ["fields_mean_f1", "day_f1", "drugs_mg_f1", "documents_exact", "n_unreadable", "n_repaired"]
pytestmark = pytest.mark.filterwarnings("default")


def test_inspect(tmp_path):
    def answer(messages, tools, tool_choice, config):  # noqa: ARG001
        output = ModelOutput.from_content("mockllm/model", ANSWERS[int(id_in(messages[-1].text))])
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    samples = [
        Sample(id=f"n{at}", input=f"ID: {at}\n", metadata={"note": "", "gold": json.dumps(gold)})
        for at, gold in enumerate(GOLD)
    ]
    scorer = quoted_mentions(NAME, keys=KEYS, schema=SCHEMA)
    task = inspect_ai.Task(dataset=samples, solver=generate(), scorer=scorer)
    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    [log] = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), display="none")
    found = told(log)
    expected = clineval.score(NAME, [FOUND[0], FOUND[1], []], GOLD, schema=SCHEMA).as_dict()
    assert found == pytest.approx(
        {**{key: expected[key] for key in KEYS[:4]}, "n_unreadable": 1, "n_repaired": 1}
    )
    assert (found["day_f1"], found["drugs_mg_f1"]) == pytest.approx((2 / 5, 2 / 5))
