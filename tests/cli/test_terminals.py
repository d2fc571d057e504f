"""Terminals that hold no letters but ASCII's, outputs that are closed, names that are not UTF-8."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from demos import arguments_of

NAME = "meddocan19"
(FOUND, GOLD), _ = arguments_of(NAME)
PROGRAM = (sys.executable, "-m", "clineval")
BARE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TERM": "dumb"}
"""An encoding of ASCII only: the C locale alone makes Python take UTF-8."""


def start(*words, **options):
    return subprocess.run(
        [*PROGRAM, *map(str, words)], stderr=subprocess.PIPE, check=False, **options
    )


@pytest.mark.parametrize(
    ("words", "escaped"),
    [
        (("demo", "semeval15_task14"), b"\\u00d7"),  # the multiplication sign
        (("describe", "codiesp20", "--full"), b"\\u00f3"),  # CodiEsp's Spanish
        (("list",), b"\\u00f3"),
    ],
)
def test_what_a_terminal_lacks_is_escaped(words, escaped):
    done = start(*words, stdout=subprocess.PIPE, env={**os.environ, **BARE})
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    assert escaped in done.stdout


def test_json_of_a_bare_terminal_says_the_same(tmp_path):
    line = {"id": "niño-👿", "mentions": [{"spans": [[0, 4]], "label": "FECHAS"}]}
    (tmp_path / "a.jsonl").write_text(json.dumps(line), "utf-8")
    words = ("score", NAME, "a.jsonl", "a.jsonl", "--per-document", "--format", "json")
    said = [
        start(*words, stdout=subprocess.PIPE, env={**os.environ, **more}, cwd=tmp_path).stdout
        for more in (BARE, {"PYTHONUTF8": "1"})
    ]
    assert json.loads(said[0]) == json.loads(said[1])
    assert "niño-👿" in json.loads(said[0])["per_document"][0].values()


@pytest.mark.skipif(os.name == "nt", reason="a shell closes the outputs")
@pytest.mark.parametrize("words", ["list", "--version", f"score {NAME} '{GOLD}' '{FOUND}'"])
def test_an_output_that_is_closed(words):
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m clineval {words} >&-'],
        stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("words", [("list",), ("--help",), ("score", NAME, GOLD, FOUND)])
def test_a_pipe_that_nobody_reads(words):
    read, write = os.pipe()
    os.close(read)
    done = start(*words, stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")  # as one that SIGPIPE ended


@pytest.fixture
def odd(tmp_path):
    """Gold standard and system in a folder and with a document whose names are not UTF-8."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    try:
        for side, path in {"gold": GOLD, "found": FOUND}.items():
            shutil.copytree(path, folder / side)
            for ending in (".ann", ".txt"):
                name = folder / side / f"caso-01{ending}"
                name.rename(folder / side / os.fsdecode(b"caso-01\xff" + ending.encode()))
    except OSError:
        pytest.skip("this system's names are UTF-8")
    return folder


COMMANDS = {
    "table": ("score", NAME, "gold", "found", "--per-document"),
    "json": ("score", NAME, "gold", "found", "--per-document", "--format", "json"),
    "csv": ("score", NAME, "gold", "found", "--per-document", "--format", "csv"),
    "errors": ("errors", NAME, "gold", "found"),
    "agreement": ("agreement", NAME, "gold", "found"),
    "validate": ("validate", NAME, "found"),
    "compare": ("compare", NAME, "gold", "found", "gold", "--trials", "9", "--resamples", "9"),
    "report": ("report", NAME, "gold", "found", "-o", "page.html"),
    "counts": ("score", NAME, "gold", "found", "--save-counts", "counts.json"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_names_that_are_not_utf_8(command, run, odd):
    words = [str(odd / word) if (odd / word).is_dir() else word for word in COMMANDS[command]]
    done = run(*words)
    assert "Traceback" not in done.stderr
    if command in ("table", "json", "csv"):
        assert "caso-01\\udcff" in done.stdout
    for page in odd.glob("page.html"):
        page.read_text("utf-8")


def test_an_output_whose_name_is_not_utf_8(run, tmp_path):
    name = os.fsdecode(b"scores\xff.json")
    try:
        (tmp_path / name).touch()
    except OSError:
        pytest.skip("this system's names are UTF-8")
    run("score", NAME, GOLD, FOUND, "-o", name, "--format", "json")
    assert json.loads(Path(tmp_path, name).read_text("utf-8"))


@pytest.mark.parametrize("to", ["jsonl", "brat"])
def test_documents_that_no_file_can_name_are_refused(to, run, odd, tmp_path):
    said = run("convert", odd / "gold", tmp_path / "out", "--to", to, status=2).stderr
    [line] = [line for line in said.splitlines() if "warning:" not in line]
    assert "surrogate" in line or "the name of a file cannot contain" in line
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").iterdir())
