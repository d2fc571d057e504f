"""The entry for the register of Inspect Evals, and what the register requires of a repository.

The fields are those of the register's example entry, as of September 2026: ``id`` comes from the
folder, ``contributors`` and ``tags`` are deprecated. Its pages run ``uv sync`` in a clone, and then
``uv run inspect eval TASK_PATH@NAME``.
"""

import ast
import re
import tomllib

import pytest
import yaml
from conftest import ROOT

ENTRY = yaml.safe_load((ROOT / "hub_cards" / "inspect" / "eval.yaml").read_text("utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
REQUIRED = {"title", "description", "tasks", "source"}
OPTIONAL = {"arxiv", "metadata", "evaluation_report"}
SOURCE = {"repository_url", "repository_commit"}


def list_tasks(path):
    """The functions of a file that ``@task`` decorates."""
    for each in ast.parse((ROOT / path).read_text("utf-8")).body:
        if isinstance(each, ast.FunctionDef):
            names = [node.id for node in each.decorator_list if isinstance(node, ast.Name)]
            if "task" in names:
                yield each


def test_the_entry_has_the_fields_that_the_register_requires_and_no_unknown_ones():
    assert set(ENTRY) >= REQUIRED
    assert set(ENTRY) <= REQUIRED | OPTIONAL
    assert set(ENTRY["source"]) >= SOURCE
    assert set(ENTRY["source"]) <= SOURCE | {"maintainers", "comment"}
    assert all(isinstance(ENTRY[key], str) and ENTRY[key] for key in ("title", "description"))
    assert all(set(each) == {"name", "task_path"} for each in ENTRY["tasks"])


def test_the_source_has_the_placeholders_of_the_pull_requests_and_a_whole_commit():
    source, page = ENTRY["source"], (ROOT / "docs" / "releasing.md").read_text("utf-8")
    assert (source["repository_url"], source["maintainers"]) == ("REPOSITORY", ["OWNER"])
    assert "Replace `REPOSITORY` by the address in `.ci/repository.txt`, and `OWNER` by" in page
    assert re.fullmatch("[0-9a-f]{40}", source["repository_commit"])


def test_the_entry_lists_each_task_of_its_file():
    listed = [(each["task_path"], each["name"]) for each in ENTRY["tasks"]]
    [path] = {path for path, _ in listed}
    assert listed == [(path, each.name) for each in list_tasks(path)]


@pytest.mark.parametrize("each", ENTRY["tasks"], ids=lambda each: each["name"])
def test_the_docstring_of_a_task_describes_its_parameters(each):
    [task] = [found for found in list_tasks(each["task_path"]) if found.name == each["name"]]
    described = re.findall(r"^    (\w+):", ast.get_docstring(task), re.MULTILINE)
    assert described == [argument.arg for argument in task.args.args]
    assert len(task.args.defaults) == len(task.args.args)


def test_a_clone_that_uv_syncs_has_what_the_tasks_import():
    assert PROJECT["project"]["name"] == "clineval"
    [group] = PROJECT["tool"]["uv"]["default-groups"]
    extras = PROJECT["project"]["optional-dependencies"]
    assert sorted(PROJECT["dependency-groups"][group]) == sorted(
        [*extras["inspect"], *extras["answers"]]
    )


def test_the_pages_for_it_name_the_file_of_the_tasks():
    [path] = {each["task_path"] for each in ENTRY["tasks"]}
    for page in ("docs/releasing.md", "metrics/clineval/harness/README.md"):
        assert path in (ROOT / page).read_text("utf-8"), page
