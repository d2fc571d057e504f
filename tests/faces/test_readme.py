"""The README's commands and examples, run in order in an empty directory."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the commands were run."""
    folder = tmp_path_factory.mktemp("readme")
    for block in re.findall(r"^```sh\n(.*?)^```", README, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            program, *arguments = shlex.split(line)
            command = [shutil.which(program, path=PATH), *arguments]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, (line, done.stderr)
    return folder


def test_the_commands_leave_their_files(folder):
    names = {path.name for path in folder.iterdir()}
    outputs = {"team_task1_run1.out", "team_task2B_run1.out", "team.1.1a.noadd", "weights.json"}
    results = {"result.json", "MODEL_CARD.md"}
    reports = {
        f"{name}.html" for name in ("report", "two_systems", "codes_only", "entries", "sections")
    }
    assert names == {"demo", "gold", "system", "space", *outputs, *results, *reports}


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_the_examples_print_what_they_say(folder, monkeypatch):
    monkeypatch.chdir(folder)
    test = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert len(test.examples) > 15
    assert runner.summarize(verbose=False).failed == 0
