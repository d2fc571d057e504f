"""The wheel, an editable install and the source tree, each used from another directory."""

import configparser
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from archives import unpack
from conftest import ROOT
from environments import make_python, requirements_of

import clineval
from clineval.results.registry import NAMES, find_challenge

NAME = "semeval15_task14"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
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


def build(folder, out):
    """The source distribution, and the wheel that is made of it, so that it is complete too."""
    arguments = ("-m", "build", "--no-isolation", "--outdir", out, folder)
    command(sys.executable, *arguments, cwd=folder.parent, SOURCE_DATE_EPOCH="1700000000")
    [wheel], [source] = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, source


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(ROOT, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def wheel(built):
    return built[0]


@pytest.fixture
def fresh(tmp_path):
    """A fresh environment with what clineval says it needs, far from the sources."""
    needed = requirements_of("clineval[evaluate]") | {"pip"}
    backend = {"hatchling", "editables"}
    make_python(tmp_path / "venv", needed | backend | requirements_of(*backend))
    return tmp_path


def pip(folder, *arguments):
    python = folder / "venv" / "bin" / "python"
    install = ("install", "--quiet", "--no-index", "--no-build-isolation")
    command(python, "-m", "pip", *install, *arguments, cwd=folder)


def check(folder, program, load, **environment):
    python = folder / "venv" / "bin" / "python"
    scored = command(
        *program, "score", NAME, DEMO / "gold", DEMO / "tagger", "--format", "json",
        cwd=folder, **environment,
    )  # fmt: skip
    assert json.loads(scored)["scores"] == EXPECTED
    code = EVALUATE.format(load=load)
    computed = command(python, "-W", "ignore", "-c", code, DEMO, cwd=folder, **environment)
    assert json.loads(computed) == {**EXPECTED, "dataset": f"{NAME}/demo"}


def test_the_wheel_holds_what_is_needed_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {Path(name).parts[0] for name in names} == {
        "clineval", "clineval_modules", "spacy_clin", "clineval-autoload.pth",
        "clineval-autoload.start",
        "_clineval_autoload.py", f"clineval-{clineval.__version__}.dist-info",
    }  # fmt: skip
    modules = [f"clineval_modules/{n}/{file}" for n in NAMES for file in (f"{n}.py", "README.md")]
    changelog = "clineval_modules/CHANGELOG.md"
    assert [name for name in names if "_modules" in name] == sorted([*modules, changelog])
    definitions = [f"clineval/challenges/{name}/definition.py" for name in NAMES]
    for needed in ("clineval/py.typed", "spacy_clin/py.typed", *definitions):
        assert needed in names
    assert any(name.startswith(f"clineval/challenges/{NAME}/demo/text/") for name in names)
    assert not [name for name in names if "__pycache__" in name or name.endswith(".ipynb")]


def test_the_source_distribution_holds_no_tests_and_both_are_small(built):
    wheel, source = built
    with tarfile.open(source) as archive:
        held = {Path(*Path(member.name).parts[1:]): member.size for member in archive}
    assert {path.parts[0] for path in held} == {
        ".ci", ".gitignore", "CHANGELOG.md", "CITATION.cff", "LICENSE", "PKG-INFO", "README.md",
        "hub_cards", "metrics", "pyproject.toml", "spacy_clin",
    }  # fmt: skip
    sizes = [file.file_size for file in zipfile.ZipFile(wheel).infolist()] + [*held.values()]
    assert max(*sizes, wheel.stat().st_size, source.stat().st_size) < 5_000_000


@pytest.mark.thorough
def test_the_same_bytes_come_of_another_place_time_and_owner(built, tmp_path):
    folder = unpack(built[1], tmp_path / "unpacked")
    for path in folder.rglob("*"):
        os.utime(path, (1e9, 1e9))
        path.chmod(0o700 if path.is_dir() else 0o600)
    again = build(folder, tmp_path / "again")
    assert [made.read_bytes() for made in again] == [made.read_bytes() for made in built]


def test_spacy_finds_the_challenges_that_its_docs_hold(wheel):
    archive = zipfile.ZipFile(wheel)
    [name] = [name for name in archive.namelist() if name.endswith("/entry_points.txt")]
    points = configparser.ConfigParser(delimiters="=")
    points.optionxform = str
    points.read_string(archive.read(name).decode())
    held = {name for name in NAMES if find_challenge(name).faces.docs is not None}
    factories = {f"clin_{name}" for name in held} | {"clin_converter", "clin_scorer"}
    assert set(points["spacy_factories"]) == factories
    scorers = {f"{name}_scorer" for name in held} | {"scorer", "combined_scorer"}
    assert set(points["spacy_scorers"]) == {f"spacy_clin.{scorer}.v1" for scorer in scorers}


def test_the_wheel_works(wheel, fresh):
    pip(fresh, f"{wheel}[evaluate]")
    check(fresh, [fresh / "venv" / "bin" / "clineval"], BARE)
    shown = command(fresh / "venv" / "bin" / "clineval", "demo", cwd=fresh)
    assert f"{EXPECTED['strict_f1']:.4f}" in shown


def test_the_source_tree_works(fresh):
    python = fresh / "venv" / "bin" / "python"
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


PIPELINE = """
import spacy
nlp = spacy.blank("en")
nlp.add_pipe("entity_ruler").add_patterns([{"label": "X", "pattern": "fever"}])
nlp.add_pipe("clin_converter")
nlp.add_pipe("clin_scorer", config={"challenge": "clefehealth13_task1", "config": "task1a"})
nlp.to_disk("model")
"""
LOADED = """
import en_demo
nlp = en_demo.load()
doc = nlp("No fever.")
print(nlp.pipe_names[-1], [span.text for span in doc.spans["clin"]])
"""


@pytest.mark.thorough
def test_a_packaged_pipeline_requires_clineval_and_loads_in_a_fresh_environment(wheel, tmp_path):
    """spaCy looks into top_level.txt for what a component comes from."""
    needed = requirements_of("clineval[spacy]") | {"pip", "spacy"} | requirements_of("spacy")
    python = make_python(tmp_path / "venv", needed)
    pip(tmp_path, wheel)
    command(python, "-c", PIPELINE, cwd=tmp_path)
    (tmp_path / "out").mkdir()
    package = ("-m", "spacy", "package", "model", "out", "--name", "demo", "--version", "1.0")
    command(python, *package, "--build", "none", cwd=tmp_path)
    [folder] = (tmp_path / "out").iterdir()
    required = json.loads((folder / "meta.json").read_text())["requirements"]
    assert f"clineval>={clineval.__version__},<0.2.0" in required
    # where its setup.py puts it
    shutil.copy(folder / "meta.json", folder / "en_demo")
    loaded = command(python, "-c", LOADED, cwd=tmp_path, PYTHONPATH=str(folder))
    assert loaded == "clin_scorer ['fever']\n"
