"""The task that ``clineval eval-yaml`` writes, run by Inspect on rows of this machine."""

import json

import pytest
import yaml
from commands import invoke
from harness.scripted import ANSWERS, MODULE, NOTES
from needs import need

need("inspect_ai", "harness")

import inspect_ai
from inspect_ai._eval.task.hf import HFTask
from inspect_ai.model import ModelOutput, ModelUsage, get_model

import clineval.answers

pytestmark = pytest.mark.filterwarnings("default")


def answer(messages, tools, tool_choice, config):  # noqa: ARG001
    [name] = [note["id"] for note in NOTES if note["note"] == messages[-1].text]
    output = ModelOutput.from_content("mockllm/model", ANSWERS[name])
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def test_it_is_what_inspect_reads_and_gives_the_challenges_score(tmp_path, monkeypatch):
    rows = [{**note, "gold": json.dumps(note["gold"])} for note in NOTES]
    data = tmp_path / "data"
    data.mkdir()
    data.joinpath("test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = invoke(["eval-yaml", MODULE, tmp_path, "--dataset", "me/notes"])
    assert done.exit_code == 0
    [task] = yaml.safe_load((tmp_path / "eval.yaml").read_text())["tasks"]
    assert HFTask.model_validate(task).id == MODULE
    monkeypatch.chdir(tmp_path)
    [log] = inspect_ai.eval(
        "task.py",
        model=get_model("mockllm/model", custom_outputs=answer, memoize=False),
        task_args={"dataset": str(data)}, log_dir=str(tmp_path / "logs"), display="none",
    )  # fmt: skip
    [scores] = log.results.scores
    expected = clineval.answers.score(
        MODULE, [ANSWERS[note["id"]] for note in NOTES], [note["gold"] for note in NOTES],
        texts=[note["note"] for note in NOTES],
    )  # fmt: skip
    told = {name: metric.value for name, metric in scores.metrics.items()}
    assert told == {name: expected[name] for name in told}
    assert 0 < told["strict_f1"] < 1
    asked = log.samples[0].messages[0].text
    assert asked == task["solvers"][0]["args"]["template"]
