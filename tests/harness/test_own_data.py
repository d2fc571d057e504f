"""Answers with relations, events, codes, records and classes in Inspect and lm-eval."""

import json

import pytest
from answer_cases import CASES, answers_of
from harness.scripted import id_in
from needs import need
from outside_cases import TEXT

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
from clineval.answers.rewards import reward
from clineval.harness.inspect import quoted_mentions

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(params=CASES)
def case(request):
    return request.param.partition(" ")[0], *CASES[request.param]


def notes_of(gold):
    """Samples with the gold standard as harnesses carry it: words as they are, else JSON."""
    carried = [each if isinstance(each, str) else json.dumps(each) for each in gold]
    return [{"id": f"n{at}", "note": TEXT, "gold": each} for at, each in enumerate(carried)]


def test_the_lists_give_what_a_hand_gives(case):
    name, gold, found, options, scores = case
    result = clineval.score(name, found, gold, **options)
    assert {key: result[key] for key in scores} == pytest.approx(scores)


def test_inspect(case, tmp_path):
    name, gold, found, options, scores = case
    written = answers_of(found)

    def answer(messages, tools, tool_choice, config):  # noqa: ARG001
        text = written[int(id_in(messages[-1].text).removeprefix("n"))]
        output = ModelOutput.from_content("mockllm/model", text)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    samples = [Sample(id=n["id"], input=f"ID: {n['id']}\n", metadata=n) for n in notes_of(gold)]
    scorer = quoted_mentions(name, keys=[*scores, "n_unreadable"], **options)
    task = inspect_ai.Task(dataset=samples, solver=generate(), scorer=scorer)
    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    [log] = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), display="none")
    assert told(log) == pytest.approx({**scores, "n_unreadable": 0})


def test_lm_eval(case, tmp_path):
    name, gold, found, options, scores = case
    rows, folder, written = tmp_path / "notes.json", tmp_path / "task", answers_of(found)
    rows.write_text(json.dumps(notes_of(gold)))
    folder.mkdir()
    write_task(folder, rows, name, [*scores], **options)
    told = run_lm_eval(
        folder, "scripted_notes", lambda prompt: written[int(id_in(prompt).removeprefix("n"))]
    )
    assert {key: told[f"{key},none"] for key in scores} == pytest.approx(scores)


def test_rewards(case):
    name, gold, found, options, _ = case
    texts = [TEXT] * len(gold)
    assert reward(name, answers_of(gold), gold, texts=texts, **options)[0] == pytest.approx(1)
    assert reward(name, answers_of(found), gold, texts=texts, **options)[0] < 1
    assert reward(name, ["I cannot say"], gold[:1], texts=texts[:1], **options) == [0]
