"""The packages that ``clineval new`` writes: each kind is built, installed and used as one."""

import json
import os
import subprocess
import sys
import zipfile
from importlib.metadata import distributions

import pytest
import yaml
from conftest import ROOT
from decoded_pages import decode_page
from environments import make_python
from pages import code_of

from clineval import InputError
from clineval.hub.packages import Package, write_package
from clineval.hub.starters import KINDS
from clineval.results.registry import is_known


def call(*arguments, cwd, **variables):
    done = subprocess.run(
        [sys.executable, *map(str, arguments)], cwd=cwd, env={**os.environ, **variables},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "kind",
    [kind if kind == "spans" else pytest.param(kind, marks=pytest.mark.thorough) for kind in KINDS],
)
def test_its_tests_pass_and_every_command_knows_it(kind, tmp_path):
    name, folder = f"own_{kind}", tmp_path / "package"
    call("-m", "clineval", "new", name, "--kind", kind, "-o", "package", cwd=tmp_path)
    install(name, folder)
    known = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])

    def run(*arguments):
        return call("-m", *arguments, cwd=folder, PYTHONPATH=known)

    run("pytest", "-q", "-p", "no:cacheprovider", "tests")
    [gold] = folder.glob(f"{name}/demo/gold.*")
    submissions = sorted((folder / "submissions").iterdir())
    run("clineval", "validate", name, gold, *submissions)
    run("clineval", "compare", name, gold, *submissions, "--sort", "--leaderboard", "site")
    board = json.loads((folder / "site/leaderboard.json").read_text("utf-8"))
    assert [place["system"] for place in board["places"]] == ["good", "weak"]
    run("clineval", "report", name, gold, submissions[0], "-o", "report.html")
    assert name in decode_page((folder / "report.html").read_text("utf-8"))
    assert "good" in run("clineval", "demo", name)


def install(name, folder):
    """Leave behind what an installer does."""
    information = folder / f"{name}-0.1.0.dist-info"
    information.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n"
    information.joinpath("METADATA").write_text(metadata)
    points = f"[clineval.challenges]\n{name} = {name}:CHALLENGE\n"
    information.joinpath("entry_points.txt").write_text(points)


@pytest.mark.parametrize("kind", KINDS)
def test_its_files(kind, tmp_path):
    name = f"own_{kind}"
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == []
    files = write_package(Package(name, kind), tmp_path)
    assert files == sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert len((tmp_path / name / "__init__.py").read_text("utf-8").splitlines()) <= 40
    workflow = yaml.safe_load((tmp_path / ".github/workflows/submission.yml").read_text("utf-8"))
    assert workflow["jobs"]["score"]["steps"]
    for path in files:
        assert "@NAME@" not in path.read_text("utf-8"), path
    asked = (tmp_path / "hub" / "eval.yaml").exists()
    assert asked is ("On the Hub" in (tmp_path / "README.md").read_text("utf-8"))


def test_it_leaves_nothing_behind(tmp_path):
    write_package(Package("left_over", "spans"), tmp_path / "a")
    assert not is_known("left_over")
    assert "left_over" not in sys.modules


@pytest.mark.parametrize(
    ("name", "kind", "title", "problem"),
    [
        ("semeval15_task14", "spans", "", "there is a metric called"),
        ("Wound", "spans", "", "lower-case letters"),
        ("class", "spans", "", "lower-case letters"),
        ("../x", "spans", "", "lower-case letters"),
        ("wounds", "span", "", "kind 'span'"),
        ("wounds", "spans", 'A"""', "letters, digits"),
        ("wounds", "spans", "A\nB", "letters, digits"),
    ],
)
def test_what_cannot_be_a_package(name, kind, title, problem):
    with pytest.raises(InputError, match=problem):
        Package(name, kind, title)


def test_a_folder_with_files_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(InputError, match="not empty"):
        write_package(Package("wounds", "spans"), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_a_wheel_of_it_has_all_that_it_needs(kind, tmp_path):
    name = f"own_{kind}"
    write_package(Package(name, kind, "A title (2027)"), tmp_path / "package")
    arguments = ("--no-isolation", "--wheel", "--outdir", tmp_path, tmp_path / "package")
    call("-m", "build", *arguments, cwd=tmp_path)
    [wheel] = tmp_path.glob("*.whl")
    installed = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    known = {"cwd": tmp_path, "PYTHONPATH": str(installed)}
    assert "A title (2027)" in call("-m", "clineval", "describe", name, **known)
    assert "good" in call("-m", "clineval", "demo", name, **known)


@pytest.mark.thorough
def test_the_manual_for_organisers(tmp_path):
    """Its commands, in a new environment: a stranger gets to a leaderboard."""
    python = make_python(tmp_path / "environment", {each.name for each in distributions()})
    [commands] = code_of("docs/organisers.md", "bash")
    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    installing = "pip install --no-build-isolation --no-deps"
    commands = commands.replace("pip install", f"python -m {installing}")
    shell = ["bash", "-eux", "-c", commands.replace("clineval ", "python -m clineval ")]
    ours = os.pathsep.join([str(ROOT / "metrics"), str(ROOT)])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": ours}
    done = subprocess.run(
        shell, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    board = json.loads((tmp_path / "wound_findings/site/leaderboard.json").read_text("utf-8"))
    assert [place["rank"] for place in board["places"]] == [1, 2]
