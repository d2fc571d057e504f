"""What cannot be written: status 2, one line, and no half file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from demos import arguments_of
from processes import leave_unmeasured
from thorough import each

NAME = "semeval15_task14"
(FOUND, GOLD), _ = arguments_of(NAME)
(SECTIONS, GOLD_SECTIONS), _ = arguments_of("clinais23_b2")
SCORE = ("score", NAME, GOLD, FOUND)
COMPARE = ("compare", NAME, GOLD, FOUND, GOLD, "--trials", 9, "--resamples", 9)
FILES = {
    "scores": (*SCORE, "-o"),
    "counts": (*SCORE, "--save-counts"),
    "edits": ("score", "clinais23_b2", GOLD_SECTIONS, SECTIONS, "--plot"),
    "confusion": ("errors", NAME, GOLD, FOUND, "--slot", "negation", "--plot"),
    "comparison": (*COMPARE, "--plot"),
    "scatter": (*COMPARE, "--scatter"),
    "page": ("report", NAME, GOLD, FOUND, "--no-text", "-o"),
    "weights": ("prevalence", GOLD, "-o"),
    "mentions": ("convert", GOLD, "--to", "jsonl"),
}
FOLDERS = {
    "pipe": ("convert", GOLD, "--to", "pipe"),
    "space": ("space", "build", NAME),
    "demo": ("demo", NAME, "--copy"),
}
DRAWN = ("edits", "confusion", "comparison", "scatter")


def refused(run, *arguments, cwd="."):
    said = run(*arguments, cwd=cwd, status=2).stderr
    lines = [line for line in said.splitlines() if "warning:" not in line]
    assert len(lines) == 1, said
    return lines[0]


@pytest.mark.parametrize("what", each(FILES, FILES.keys() - {"edits", "confusion", "scatter"}))
def test_a_missing_folder_and_a_folder_in_place_of_a_file(what, run, tmp_path):
    name = "x.png" if what in DRAWN else "x"
    (tmp_path / name).mkdir()
    for path in (tmp_path / "none" / name, tmp_path / name):
        assert "cannot be written: " in refused(run, *FILES[what], path)
    assert list(tmp_path.rglob("*")) == [tmp_path / name]


@pytest.mark.parametrize("what", [what for what in FILES if what not in DRAWN])
def test_a_link_to_itself(what, run, tmp_path):
    """Nothing is left beside it, least of all what was to be written."""
    (tmp_path / "x").symlink_to("x")
    assert "cannot be written: " in refused(run, *FILES[what], tmp_path / "x")
    assert list(tmp_path.iterdir()) == [tmp_path / "x"]


def test_a_link_to_a_file_stays_one(run, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "x").symlink_to("there/y")
    run(*FILES["mentions"], tmp_path / "x")
    assert (tmp_path / "x").is_symlink()
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["y"]


@pytest.mark.parametrize("what", FOLDERS)
def test_a_file_in_place_of_a_folder(what, run, tmp_path):
    (tmp_path / "x").touch()
    for path in (tmp_path / "x", tmp_path / "x" / "y"):
        said = refused(run, *FOLDERS[what], path)
        assert "cannot be written: " in said or "already exists" in said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device to write to")
@pytest.mark.parametrize("what", [what for what in FILES if what not in DRAWN])
def test_a_full_device(what, run):
    assert "cannot be written: No space left on device" in refused(run, *FILES[what], "/dev/full")
    assert Path("/dev/full").exists()


@pytest.mark.skipif(os.name == "nt", reason="there are no limits of a file's size")
@pytest.mark.parametrize("what", each([*FILES], fast=["scores", "confusion", "page"]))
def test_no_half_file_is_left(what, tmp_path):
    path = tmp_path / ("x.png" if what in DRAWN else "x")
    done = limited(100, *FILES[what], path)
    assert done.returncode == 2, done.stderr
    assert "cannot be written: File too large" in done.stderr.splitlines()[-1]
    assert not path.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device to write to")
@pytest.mark.parametrize("words", [("list",), (*SCORE, "--format", "json"), ("--version",)])
def test_standard_output_that_is_full(words):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "clineval", *map(str, words)],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    [line] = [line for line in done.stderr.splitlines() if "warning:" not in line]
    assert line == "clineval: standard output: cannot be written: No space left on device"


def limited(size, *words):
    """A command that may write files of some size at most."""
    code = (
        "import resource, sys; from clineval.cli import main; "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); main()"
    )
    call = [sys.executable, "-c", code, *map(str, words)]
    env = leave_unmeasured()
    return subprocess.run(call, capture_output=True, text=True, check=False, env=env)
