"""Inspect with a scripted model: corpus scores, epochs, samples that fail, another scoring."""

import pytest
from harness.scripted import ALIGNMENT, ANSWERS, KEYS, MODULE, NOTES, command_line, id_in, prompt_of
from needs import need

need("inspect_ai", "harness")

import inspect_ai
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

from clineval import InputError
from clineval.harness.inspect import quoted_mentions

pytestmark = pytest.mark.filterwarnings("default")


class Script:
    """Answers by the note's id; another answer each epoch; some notes fail."""

    def __init__(self, *epochs, fails=()):
        self.epochs, self.fails, self.asked = epochs or (ANSWERS,), fails, {}

    def __call__(self, messages, tools, tool_choice, config):  # noqa: ARG002
        name = id_in(messages[-1].text)
        if name in self.fails:
            raise RuntimeError("scripted failure")
        turn = self.asked[name] = self.asked.get(name, -1) + 1
        output = ModelOutput.from_content("mockllm/model", self.epochs[turn][name])
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output


def run(folder, script, keys=KEYS, **options):
    samples = [Sample(id=n["id"], input=prompt_of(n), metadata=n) for n in NOTES]
    scorer = quoted_mentions(MODULE, keys=keys, alignment=ALIGNMENT)
    task = inspect_ai.Task(dataset=samples, solver=generate(), scorer=scorer)
    model = get_model("mockllm/model", custom_outputs=script, memoize=False)
    [log] = inspect_ai.eval(task, model=model, log_dir=str(folder), display="none", **options)
    return log


def told(log):
    [scores] = log.results.scores
    return {name: metric.value for name, metric in scores.metrics.items()}


def test_it_is_the_command_lines_number(tmp_path):
    log = run(tmp_path / "logs", Script())
    expected = command_line(tmp_path)
    assert told(log) == {key: expected[key] for key in KEYS}
    assert 0 < expected["strict_f1"] < 1
    assert (expected["n_unaligned"], expected["n_invalid"], expected["n_unreadable"]) == (1, 1, 1)


def test_without_keys_it_tells_the_main_scores_and_what_was_counted(tmp_path):
    names = told(run(tmp_path / "logs", Script(), keys=()))
    assert {"strict_f1", "n_answers", "n_unaligned", "n_repaired"} <= names.keys()
    assert "strict_tp" not in names


def test_epochs_are_pooled(tmp_path):
    """As twice as many notes, half of them with the answers of the other epoch."""
    empty = dict.fromkeys(ANSWERS, "[]")
    log = run(tmp_path / "logs", Script(ANSWERS, empty), epochs=2, max_samples=1)
    twice = [{**n, "id": f"{n['id']}{k}"} for k in "ab" for n in NOTES]
    both = {f"{n}a": a for n, a in ANSWERS.items()} | {f"{n}b": "[]" for n in ANSWERS}
    assert told(log)["strict_f1"] == command_line(tmp_path, both, twice)["strict_f1"]


def test_a_sample_that_failed_keeps_its_gold_mentions(tmp_path):
    script = Script(fails={"n3"})
    log = run(tmp_path / "logs", script, fail_on_error=False, score_on_error=True)
    expected = command_line(tmp_path, {**ANSWERS, "n3": "[]"})
    assert told(log)["strict_f1"] == expected["strict_f1"]
    assert log.results.scores[0].scored_samples == len(NOTES)


def test_a_log_is_scored_again_without_the_model(tmp_path):
    log = run(tmp_path / "logs", Script(), keys=["strict_f1"])
    scorer = quoted_mentions(MODULE, keys=KEYS, alignment=ALIGNMENT)
    again = inspect_ai.score(log, scorer, action="overwrite", display="none")
    assert told(again) == {key: command_line(tmp_path)[key] for key in KEYS}


def test_what_is_unknown_is_refused_before_the_model_is_asked():
    for given in (
        {"module": "bleu"},
        {"module": MODULE, "config": "x"},
        {"module": MODULE, "overlap": "x"},
    ):
        with pytest.raises(InputError):
            quoted_mentions(**given)


def test_a_task_that_cannot_be_scored_is_rejected_when_it_is_built():
    with pytest.raises(InputError, match="Pass labels="):
        quoted_mentions("clinical_spans", keys=["strict_f1"])


def test_labels_in_another_case_are_wrong_and_stop_nothing(tmp_path):
    """The metric in the log knows nothing of the labels, and needs nothing of them."""
    gold = [{"spans": [[3, 8]], "label": "Device"}]
    answers = {"a": '[{"text": "edema", "label": "device"}]', "b": '{"Device": ["edema"]}'}
    notes = [{"id": name, "note": "No edema.", "gold": gold} for name in answers]
    samples = [Sample(id=n["id"], input=prompt_of(n), metadata=n) for n in notes]
    keys = ["strict_f1", "strict_fp"]
    scorer = quoted_mentions("clinical_spans", keys=keys, labels=["Device"])
    task = inspect_ai.Task(dataset=samples, solver=generate(), scorer=scorer)
    model = get_model("mockllm/model", custom_outputs=Script(answers), memoize=False)
    [log] = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), display="none")
    assert told(log) == {"strict_f1": 0.5, "strict_fp": 1}
