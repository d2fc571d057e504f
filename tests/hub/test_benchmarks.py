"""``clineval eval-yaml``: what the Hub reads, what a model is told, what is refused."""

import ast

import pytest
import yaml
from processes import run_clineval

from clineval.answers.options import takes_answers
from clineval.results.registry import NAMES, find_challenge

ABLE = [name for name in NAMES if takes_answers(find_challenge(name))]


def run(folder, module="semeval15_task14", *more, status=0):
    """What it says."""
    words = ("eval-yaml", module, folder, "--dataset", "me/notes", *more)
    return run_clineval(*words, status=status).stderr


def read(folder):
    return yaml.safe_load((folder / "eval.yaml").read_text("utf-8"))


@pytest.mark.parametrize("module", ABLE)
def test_it_has_what_the_hub_asks_of_a_benchmark_of_inspect(module, tmp_path):
    run(tmp_path, module)
    benchmark = read(tmp_path)
    assert benchmark.pop("name") == find_challenge(module).task.title
    assert benchmark.pop("description").endswith(", scored by clineval")
    assert benchmark.pop("evaluation_framework") == "inspect-ai"
    [task] = benchmark.pop("tasks")
    assert benchmark == {}
    assert (task["id"], task["config"], task["split"]) == (module, "default", "test")
    assert task["field_spec"]["input"] == "note"
    assert [step["name"] for step in task["solvers"]] == ["system_message", "generate"]
    # a brace would be a place that Inspect fills in
    assert not {"{", "}"} & set(task["solvers"][0]["args"]["template"])
    ast.parse((tmp_path / "task.py").read_text("utf-8"))


def test_a_model_is_told_the_fields_and_their_values(tmp_path):
    run(tmp_path)
    lines = read(tmp_path)["tasks"][0]["solvers"][0]["args"]["template"].splitlines()
    slots = find_challenge("semeval15_task14").kind.slots("default")
    assert [line.split('"')[1] for line in lines[3:]] == ["text", *(slot.name for slot in slots)]
    assert '- "cui": the code, or null if there is none' in lines
    assert '- "negation": one of "no", "yes"; "no" if left out' in lines


def test_records_are_told_by_the_keys_that_they_are_read_by(tmp_path):
    run(tmp_path, "mediqa_synur26")
    text = read(tmp_path)["tasks"][0]["solvers"][0]["args"]["template"]
    assert '- "id": the value as written\n' in text
    assert '"text"' not in text


def test_what_is_not_usual_is_in_the_names(tmp_path):
    more = ("--config", "task1", "--protocol", "official", "--subset", "en", "--split", "dev")
    said = run(tmp_path, "semeval15_task14", *more)
    [task] = read(tmp_path)["tasks"]
    assert (task["id"], task["config"], task["split"]) == (
        "semeval15_task14-task1-official", "en", "dev",
    )  # fmt: skip
    assert said.endswith("the leaderboard belongs to the task semeval15_task14-task1-official\n")
    assert 'config="task1", protocol="official"' in (tmp_path / "task.py").read_text()


@pytest.mark.parametrize(
    ("module", "more", "said"),
    [
        (
            "i2b2_2010",
            (),
            "i2b2_2010 does not accept answers: offsets of concepts, assertions and relations",
        ),
        ("semeval15_task14", ("--config", "task9"), "unknown config 'task9'"),
        (
            "semeval15_task14",
            ("--dataset", "notes"),
            "--dataset: expected OWNER/NAME, as on the Hub",
        ),
        ("semeval15_task14", ("--dataset", "a/b/c"), "--dataset: expected OWNER/NAME"),
        ("semeval15_task14", ("--split", "x: y"), "--split: expected a name, got"),
        ("semeval15_task14", ("--subset", '"\n'), "--subset: expected a name, got"),
    ],
)
def test_what_cannot_be_a_benchmark_is_refused(module, more, said, tmp_path):
    assert said in run(tmp_path / "new", module, *more, status=2)
    assert not (tmp_path / "new").exists()


def test_nothing_of_others_is_overwritten(tmp_path):
    assert run(tmp_path) == run(tmp_path)
    tmp_path.joinpath("task.py").write_text("mine")
    said = run(tmp_path, "meddocan19", status=2)
    assert "it exists with other content. Remove it, or choose another folder" in said
    assert read(tmp_path)["tasks"][0]["id"] == "semeval15_task14"
