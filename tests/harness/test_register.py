"""The tasks for the register of Inspect Evals, run by Inspect on the bundled corpora."""

import json

import pytest
from conftest import ROOT
from needs import need

need("inspect_ai", "harness")

import inspect_ai
from inspect_ai.model import ModelOutput, ModelUsage, get_model

import clineval.answers
from clineval.results.registry import find_challenge

pytestmark = pytest.mark.filterwarnings("default")

TASKS = ROOT / "hub_cards" / "inspect" / "tasks.py"
CASES = [
    ("meddocan", "meddocan19", "gold", "tagger", None),
    ("pharmaconer", "pharmaconer19", "gold", "tagger", None),
    ("multiclinai", "multiclinai26", "gold.tsv", "tagger.tsv", "text"),
]


@pytest.fixture(params=CASES, ids=lambda case: case[0])
def case(request):
    """The task, its challenge, and the documents of the gold standard and of a system."""
    task, module, gold, tagger, texts = request.param
    folder = find_challenge(module).task.corpora
    notes = folder / texts if texts else folder / gold
    sides = [clineval.read(folder / side, module, texts=notes) for side in (gold, tagger)]
    return task, module, *sides


def label_of(mention):
    return mention.as_dict()["label"]


def quote(document):
    """A model's answer with the mentions of a document, in the order of the note."""
    mentions = sorted(document.mentions, key=lambda mention: mention.spans)
    quoted = [
        {"text": [document.text[start:end] for start, end in m.spans], "label": label_of(m)}
        for m in mentions
    ]
    return json.dumps(quoted, ensure_ascii=False)


def run(task, documents, folder, **given):
    """Run a task with a model that answers with these documents; return log and scores."""
    known = {document.text: quote(document) for document in documents}

    def answer(messages, tools, tool_choice, config):  # noqa: ARG001
        output = ModelOutput.from_content("mockllm/model", known[messages[-1].text])
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    [log] = inspect_ai.eval(
        f"{TASKS}@{task}",
        model=get_model("mockllm/model", custom_outputs=answer, memoize=False),
        task_args=given, log_dir=str(folder), display="none",
    )  # fmt: skip
    assert log.status == "success", log.error
    [scores] = log.results.scores
    return log, {name: metric.value for name, metric in scores.metrics.items()}


def test_a_task_gives_the_challenges_score(case, tmp_path):
    task, module, gold, found = case
    log, told = run(task, found, tmp_path, part="demo")
    expected = clineval.answers.score(
        module, [quote(document) for document in found], gold, texts=[each.text for each in gold]
    )
    assert told == {name: expected[name] for name in told}
    assert 0 < told["strict_f1"] < 1
    assert log.eval.dataset.name == f"{module}/demo"
    assert len(log.samples) == 6


def test_a_model_that_quotes_the_gold_standard_finds_all_of_it(case, tmp_path):
    task, _, gold, _ = case
    told = run(task, gold, tmp_path, part="demo")[1]
    assert told["strict_f1"] == 1
    assert told["n_unaligned"] == told["n_unreadable"] == 0


def test_a_prompt_names_the_labels_of_its_challenge(case, tmp_path):
    task, _, gold, _ = case
    log, _ = run(task, gold, tmp_path, part="demo")
    prompt = log.samples[0].messages[0].text
    assert all(label_of(mention) in prompt for document in gold for mention in document.mentions)


def test_files_of_ones_own_take_the_place_of_a_part(case, tmp_path):
    task, module, gold, _ = case
    own = find_challenge(module).task.corpora / ("gold.tsv" if task == "multiclinai" else "gold")
    log, told = run(task, gold, tmp_path, gold=str(own))
    assert told["strict_f1"] == 1
    assert log.eval.dataset.name == str(own)


def test_gold_without_notes_is_rejected(tmp_path):
    folder = find_challenge("multiclinai26").task.corpora
    alone = tmp_path / "gold.tsv"
    alone.write_bytes((folder / "gold.tsv").read_bytes())
    with pytest.raises(clineval.InputError, match="Pass -T texts=FOLDER"):
        inspect_ai.eval(
            f"{TASKS}@multiclinai", model="mockllm/model", task_args={"gold": str(alone)},
            log_dir=str(tmp_path / "logs"), display="none",
        )  # fmt: skip
