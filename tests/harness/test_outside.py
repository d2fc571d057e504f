"""Challenges of other people in Inspect and lm-evaluation-harness: the numbers of a hand."""

import json

import pytest
from harness.scripted import id_in
from needs import need
from outside import install
from outside_cases import EVERY, SOURCES, TEXT

need("inspect_ai", "harness")
need("lm_eval", "harness")

import inspect_ai
from harness.test_inspect import told
from harness.test_lm_eval import run as run_lm_eval
from harness.test_lm_eval import write_task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

from clineval.harness.inspect import quoted_mentions

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory):
    with install(tmp_path_factory.mktemp("site"), **SOURCES):
        yield


@pytest.fixture(params=EVERY, ids=lambda case: case.name)
def case(request):
    return request.param


@pytest.fixture
def answers(case):
    """Answers by the note's id: each says what the case's system found."""
    return {f"n{at}": case.answer_for(found) for at, found in enumerate(case.found)}


def notes(case):
    """Samples with the gold standard as harnesses carry it: words as they are, else JSON."""
    return [
        {"id": f"n{at}", "note": TEXT, "gold": gold if isinstance(gold, str) else json.dumps(gold)}
        for at, gold in enumerate(case.gold)
    ]


def test_inspect(case, answers, tmp_path):
    def answer(messages, tools, tool_choice, config):  # noqa: ARG001
        output = ModelOutput.from_content("mockllm/model", answers[id_in(messages[-1].text)])
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    samples = [Sample(id=n["id"], input=f"ID: {n['id']}\n", metadata=n) for n in notes(case)]
    scorer = quoted_mentions(case.name, keys=[*case.scores, "n_unreadable"])
    task = inspect_ai.Task(dataset=samples, solver=generate(), scorer=scorer)
    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    [log] = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), display="none")
    assert told(log) == pytest.approx({**case.scores, "n_unreadable": 0})


def test_lm_eval(case, answers, tmp_path):
    rows = tmp_path / "notes.json"
    rows.write_text(json.dumps(notes(case)))
    folder = tmp_path / "task"
    folder.mkdir()
    keys = [*case.scores]
    write_task(folder, rows, case.name, keys)
    found = run_lm_eval(folder, "scripted_notes", lambda prompt: answers[id_in(prompt)])
    assert {key: found[f"{key},none"] for key in keys} == pytest.approx(case.scores)
