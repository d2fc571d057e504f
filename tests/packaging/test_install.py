"""The wheel, an editable install and the source tree, each used from another directory."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT

import clineval

NAME = "semeval15_task14"
DEMO = ROOT / "metrics" / "clineval" / "demo" / NAME
EXPECTED = dict(clineval.score(NAME, DEMO / "tagger", DEMO / "gold").values)
EVALUATE = """
import json, sys
from pathlib import Path
{load}
read = lambda side: [p.read_text() for p in sorted(Path(sys.argv[1], side).iterdir())]
result = metric.compute(predictions=read("tagger"), references=read("gold"))
result.pop("signature")
print(json.dumps(result))
"""
BARE = 'import evaluate; metric = evaluate.load("semeval15_task14")'
EXPLICIT = 'import clineval.hf; metric = clineval.hf.load("semeval15_task14")'


def command(*arguments, cwd, **environment):
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    result = subprocess.run(
        [*map(str, arguments)],
        cwd=cwd,
        env={**clean, "HF_EVALUATE_OFFLINE": "1", **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr[-3000:]
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from the source distribution, so that this is complete too."""
    out = tmp_path_factory.mktemp("dist")
    command(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ROOT, cwd=out)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """A fresh environment with the dependencies, and a directory far from the sources."""
    folder = tmp_path_factory.mktemp("fresh")
    command(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    return folder


def pip(folder, *arguments):
    python = folder / "venv" / "bin" / "python"
    command(python, "-m", "pip", "install", "--quiet", *arguments, cwd=folder)


def check(folder, program, load, **environment):
    python = folder / "venv" / "bin" / "python"
    scored = command(
        *program, "score", NAME, DEMO / "gold", DEMO / "tagger", "--format", "json",
        cwd=folder, **environment,
    )  # fmt: skip
    assert json.loads(scored)["scores"] == EXPECTED
    code = EVALUATE.format(load=load)
    computed = command(python, "-W", "ignore", "-c", code, DEMO, cwd=folder, **environment)
    assert json.loads(computed) == EXPECTED


def test_the_wheel_holds_what_is_needed_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {Path(name).parts[0] for name in names} == {
        "clineval", "clineval_modules", "spacy_clin", "clineval-autoload.pth",
        "_clineval_autoload.py", f"clineval-{clineval.__version__}.dist-info",
    }  # fmt: skip
    for needed in (
        "clineval/py.typed",
        f"clineval_modules/{NAME}/{NAME}.py",
        f"clineval_modules/{NAME}/README.md",
        "spacy_clin/py.typed",
    ):
        assert needed in names
    assert any(name.startswith(f"clineval/demo/{NAME}/text/") for name in names)
    assert not [name for name in names if "__pycache__" in name or name.endswith(".ipynb")]


def test_the_wheel_works(wheel, fresh):
    pip(fresh, f"{wheel}[evaluate]")
    check(fresh, [fresh / "venv" / "bin" / "clineval"], BARE)
    shown = command(fresh / "venv" / "bin" / "clineval", "demo", cwd=fresh)
    assert f"{EXPECTED['strict_f1']:.4f}" in shown


def test_the_source_tree_works(wheel, fresh):
    pip(fresh, f"{wheel}[evaluate]")
    python = fresh / "venv" / "bin" / "python"
    command(python, "-m", "pip", "uninstall", "--quiet", "--yes", "clineval", cwd=fresh)
    check(fresh, [python, "-m", "clineval"], EXPLICIT, PYTHONPATH=str(ROOT / "metrics"))


def test_an_editable_install_works_and_leaks_no_folder(fresh):
    pip(fresh, "--editable", f"{ROOT}[evaluate]")
    check(fresh, [fresh / "venv" / "bin" / "clineval"], BARE)
    python = fresh / "venv" / "bin" / "python"
    code = f"""
import clineval, spacy_clin
from importlib.util import find_spec
print(clineval.__file__, find_spec("{NAME}"))
"""
    where, leaked = command(python, "-c", code, cwd=fresh).split()
    assert Path(where).is_relative_to(ROOT / "metrics")
    assert leaked == "None"
