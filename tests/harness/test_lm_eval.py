"""lm-evaluation-harness with a scripted model: a task of files, and the task that we ship."""

import json
from pathlib import Path

import pytest
from harness.scripted import ANSWERS, KEYS, MODULE, NOTES, command_line, id_in
from needs import need

need("lm_eval", "harness")

import lm_eval
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

import clineval.harness
from clineval import InputError
from clineval.harness.lm_eval import CorpusTask

pytestmark = pytest.mark.filterwarnings("default")
CODE = """
import json
from pathlib import Path
from clineval.answers import Alignment
from clineval.harness.lm_eval import CorpusTask

task = CorpusTask({module!r}, {keys!r}, alignment={alignment}, **{options!r})
process_results = task.process_results
{names} = task.aggregations


def load_notes(**_):
    from datasets import Dataset
    return {{"test": Dataset.from_list(json.loads(Path({notes!r}).read_text()))}}
"""
YAML = """
task: scripted_notes
custom_dataset: !function my_task.load_notes
test_split: test
output_type: generate_until
doc_to_text: "List disorders.\\nID: {{{{id}}}}\\n{{{{note}}}}"
doc_to_target: "{{{{id}}}}"
process_results: !function my_task.process_results
generation_kwargs: {{until: ["\\n\\n"]}}
metric_list: [{metrics}]
metadata: {{version: 1.0}}
"""


class Scripted(LM):
    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def generate_until(self, requests, disable_tqdm=False):  # noqa: ARG002, FBT002
        return [self.answer(request.args[0]) for request in requests]

    def loglikelihood(self, requests, disable_tqdm=False):  # noqa: FBT002
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


def write_task(folder, notes, module, keys, alignment=None, **options):
    """Write the files of a task on notes, which a file of JSON has."""
    names = "".join(f"{key}, " for key in keys).strip()
    held = {"keys": keys, "names": names, "notes": str(notes), "alignment": alignment}
    code = CODE.format(module=module, options=options, **held)
    (folder / "my_task.py").write_text(code)
    metrics = ", ".join(
        f"{{metric: {key}, aggregation: !function my_task.{key}, higher_is_better: true}}"
        for key in keys
    )
    (folder / "task.yaml").write_text(YAML.format(metrics=metrics))


def run(folder, task, answer):
    tasks = TaskManager(include_path=str(folder), include_defaults=False)
    found = lm_eval.simple_evaluate(
        model=Scripted(answer), tasks=[task], task_manager=tasks, bootstrap_iters=10
    )
    return found["results"][task]


def test_it_is_the_command_lines_number(tmp_path):
    notes = tmp_path / "notes.json"
    notes.write_text(json.dumps([{**n, "gold": json.dumps(n["gold"])} for n in NOTES]))
    folder = tmp_path / "task"
    folder.mkdir()
    write_task(folder, notes, MODULE, KEYS, 'Alignment(match="fold")')
    found = run(folder, "scripted_notes", lambda prompt: ANSWERS[id_in(prompt)])
    expected = command_line(tmp_path)
    assert {key: found[f"{key},none"] for key in KEYS} == {key: expected[key] for key in KEYS}
    assert {found[f"{key}_stderr,none"] for key in KEYS} == {"N/A"}


def test_the_shipped_task_scores_gold_quotes_as_they_align():
    folder = Path(clineval.harness.__file__).parent / "lm_eval_task"
    found = run(folder, "clineval_demo", lambda _: "I found nothing.")
    assert found["strict_f1,none"] == 0
    assert found["n_unreadable,none"] == 24


def test_a_task_that_cannot_be_scored_is_rejected_when_it_is_built():
    with pytest.raises(InputError, match="Pass labels="):
        CorpusTask("clinical_spans", ["strict_f1"])


def test_the_shipped_task_lets_a_model_write_before_its_answer():
    """A blank line stood between the first sentence and the JSON, and ended the answer."""
    [file] = (Path(clineval.harness.__file__).parent / "lm_eval_task").glob("*.yaml")
    assert "until: []" in file.read_text()
