"""Makefile, workflows, hooks and templates agree with one another and with pyproject.toml."""

import re

import pytest
import yaml
from conftest import ROOT
from pages import OTHERS, PAGES

from clineval.results.registry import NAMES, find_challenge

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = set(re.findall(r"^([\w-]+):", MAKEFILE, re.MULTILINE))
PROJECT = (ROOT / "pyproject.toml").read_text()


def load(path):
    return yaml.safe_load(path.read_text("utf-8"))


def steps_of(workflow):
    """The commands of all jobs, with each value of a matrix in its place."""
    for job in workflow["jobs"].values():
        [(name, values)] = job.get("strategy", {}).get("matrix", {"": [""]}).items()
        for step in job["steps"]:
            for value in values:
                yield step.get("run", "").replace(f"${{{{ matrix.{name} }}}}", value)


PYTHONS = re.findall(r"Programming Language :: Python :: (3\.\d+)", PROJECT)


def test_the_pythons_are_the_same_wherever_they_are_named():
    first, last = PYTHONS[0], PYTHONS[-1]
    assert [f"3.{minor}" for minor in range(int(first[2:]), int(last[2:]) + 1)] == PYTHONS
    assert f'requires-python = ">={first}"' in PROJECT
    assert f'target-version = "py{first.replace(".", "")}"' in PROJECT
    readme = (ROOT / "README.md").read_text("utf-8")
    assert re.findall(r"Python:? (3\.\d+ to 3\.\d+)", readme) == [f"{first} to {last}"] * 2


def test_the_least_versions_are_those_of_all_that_the_tests_install():
    [tried] = re.findall(r"^LEAST := (.*)$", MAKEFILE, re.MULTILINE)
    [installed] = re.findall(r'^dev = \[\n    "clineval\[(.*)\]"', PROJECT, re.MULTILINE)
    assert tried.split() == installed.split(",")


def test_the_matrix_is_what_the_package_says_it_supports():
    [matrix] = [
        job["strategy"]["matrix"]["python"]
        for path in WORKFLOWS
        for job in load(path)["jobs"].values()
        if "python" in job.get("strategy", {}).get("matrix", {})
    ]
    assert matrix == PYTHONS


def test_the_workflows_run_every_target_that_checks_something():
    commands = [command for path in WORKFLOWS for command in steps_of(load(path))]
    run = {target for c in commands for target in re.findall(r"^make ([\w-]+)", c, re.MULTILINE)}
    checks = {
        target for target in TARGETS if re.fullmatch(r"test(-[a-z-]+)?|dist|audit|docs", target)
    }
    assert run == checks


@pytest.mark.parametrize("page", [*PAGES, *OTHERS, ".github/pull_request_template.md", ".ci/run"])
def test_every_target_that_is_named_exists(page):
    named = re.findall(r"(?:^|`)make ([\w-]+)", (ROOT / page).read_text("utf-8"), re.MULTILINE)
    assert set(named) <= TARGETS


def test_every_target_for_people_is_listed():
    listed = set(re.findall(r"^([\w-]+):.*##", MAKEFILE, re.MULTILINE))
    # parts of others
    assert TARGETS - listed <= {"check", "check-all", "check-rest", "test-spacy37", "test-spacy38"}


def test_spacy_is_told_of_the_challenges_that_docs_hold():
    """By entry points, which .ci/metadata.py makes of the list: it cannot import clineval."""
    listed = (ROOT / ".ci" / "docs.txt").read_text().split()
    assert listed == [name for name in NAMES if find_challenge(name).faces.docs is not None]


def test_hooks_are_the_tools_of_make_lint():
    [repository] = load(ROOT / ".pre-commit-config.yaml")["repos"]
    hooks = {hook["entry"].split()[0].removeprefix(".venv/bin/") for hook in repository["hooks"]}
    lint = re.search(r"^lint:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)[1]
    assert hooks == set(re.findall(r"\$\(BIN\)/([\w-]+)", lint))


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_issue_forms_are_what_github_reads(path):
    form = load(path)
    assert form["name"]
    assert form["description"]
    inputs = [part for part in form["body"] if part["type"] != "markdown"]
    assert all(part["id"] and part["attributes"]["label"] for part in inputs)
    assert len({part["id"] for part in inputs}) == len(inputs)
