"""``-`` reads JSON Lines from standard input, in every command that reads a gold standard."""

import json

import pytest
from commands import invoke
from demos import arguments_of

SPANS = "clinical_spans"
FOUND, GOLD = arguments_of(SPANS)[0]


def run(*words, content=None):
    done = invoke(words, input=content)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("command", ["score", "errors", "validate", "agreement"])
@pytest.mark.parametrize("side", [0, 1])
def test_commands(command, side):
    if command == "validate":
        assert run(command, SPANS, "-", content=GOLD.read_bytes()) == ""
        return
    paths = [GOLD, FOUND]
    held = paths[side].read_bytes()
    given = [*paths[:side], "-", *paths[side + 1 :]]
    form = ["--format", "json"]
    found, usual = (
        run(command, SPANS, *sides, *form, content=content)
        for sides, content in ((given, held), (paths, None))
    )
    stems = [path.stem for path in paths]
    assert found.replace("<stdin>", stems[side]) == usual


def test_systems():
    shown = run("compare", SPANS, GOLD, FOUND, "-", "--format", "json", content=FOUND.read_bytes())
    assert json.loads(shown)["systems"]


def test_conversion(tmp_path):
    run("convert", "-", tmp_path / "a.jsonl", content=GOLD.read_bytes())
    run("convert", GOLD, tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_lines_in_errors():
    done = invoke(["score", SPANS, GOLD, "-"], input=b'\n{"id": 3}\n')
    assert "<stdin>.jsonl:2: expected a string 'id'" in str(done.exception)


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_documents_that_are_left_out(tmp_path):
    lines = GOLD.read_text().splitlines()
    lines[1] = lines[1].replace('"spans"', '"span"')
    listed = tmp_path / "left_out.jsonl"
    run("score", SPANS, GOLD, "-", "--keep-going", listed, content="\n".join(lines).encode())
    [left_out] = map(json.loads, listed.read_text().splitlines())
    assert "<stdin>.jsonl:2" in left_out["problem"]


@pytest.mark.parametrize("words", [["score", SPANS, "-", "-"], ["validate", SPANS, "-", "-"]])
def test_it_is_read_once(words):
    done = invoke(words, input=GOLD.read_bytes())
    assert "only one path can be '-'" in str(done.exception)


def test_it_is_limited_as_files_are(monkeypatch):
    monkeypatch.setenv("CLINEVAL_MAX_BYTES", "10")
    done = invoke(["score", SPANS, GOLD, "-"], input=GOLD.read_bytes())
    assert "standard input: larger than 10 bytes" in str(done.exception)
