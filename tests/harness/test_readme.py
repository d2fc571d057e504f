"""The page's scripts, as a reader copies them: they give the command line's numbers."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from commands import invoke
from conftest import ROOT
from needs import need
from pages import code_of

PAGE = "metrics/clineval/harness/README.md"
CORPUS = ROOT / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo"
MODULE = "semeval15_task14"
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What the scripts print, one after the other in one program."""
    for package in ("inspect_ai", "lm_eval", "torchmetrics"):
        need(package, "harness")
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(CORPUS, folder / "demo" / MODULE)
    script = "\n".join(code_of(PAGE, "python"))
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder,
        env={**os.environ, **OFFLINE, "HF_HOME": str(folder)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    said = re.findall(r"^print.*  # (.*)$", script, re.MULTILINE)
    lines = done.stdout.splitlines()
    assert len(said) == 3
    assert [line for line in lines if line in said] == said
    return said, lines


def test_answers_have_the_command_lines_number(printed, tmp_path):
    answers = tmp_path / "answers.jsonl"
    found = [{"text": "shortness of breath", "cui": "C0013404"}]
    names = sorted(path.name for path in (CORPUS / "text").iterdir())
    answers.write_text("".join(json.dumps({"id": n, "mentions": found}) + "\n" for n in names))
    done = invoke([
        "score", MODULE, CORPUS / "gold", answers, "--answers", "--text", CORPUS / "text",
        "--match", "fold", "--format", "json",
    ])  # fmt: skip
    number = str(json.loads(done.stdout)["scores"]["strict_f1"])
    assert printed[0][:2] == [number, number]


def test_the_last_script_shows_the_signature_too(printed):
    assert printed[1][-1].startswith(f"{MODULE}|default|protocol:spec|")
