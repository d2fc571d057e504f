"""Challenges of codes and of several configurations from outside: no face ends in a traceback."""

import json

import pytest
from commands import invoke
from conftest import DATA
from outside import install

import clineval
import clineval.hf
from clineval import InputError
from clineval.evaluation.analysis.agreement import agree
from clineval.workbench import build_workbench

NAMES = ("ward_codes", "ward_notes")
CODED = [("ward_codes", ()), ("ward_notes", ("--config", "coded"))]
GOLD = [["I10", "E11.9"], ["J45"], ["I10"]]
FOUND = [["i10"], ["J46", "E11.9"], ["I10", "J45"]]
COUNTS = {"micro_tp": 2, "micro_fp": 3, "micro_fn": 2}
"""By hand: I10 is right in two documents."""
WORDS = {"ward_codes": "code", "ward_notes": "label"}
NOTES = [
    [
        {"spans": [[0, 4]], "label": "PAIN", "assertion": "Absent"},
        {"spans": [[9, 13]], "label": "FALL", "assertion": "Present"},
    ]
]
SAME = [
    [
        {"spans": [[0, 4]], "label": "pain", "assertion": "ABSENT"},
        {"spans": [[9, 13]], "label": "Fall"},
    ]
]
TEXT = "Pain, or fell?"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory):
    sources = {name: (DATA / "outside" / f"{name}.py").read_text() for name in NAMES}
    with install(tmp_path_factory.mktemp("site"), **sources):
        yield


@pytest.fixture
def sides(tmp_path):
    paths = [tmp_path / "gold.tsv", tmp_path / "found.tsv"]
    for path, side in zip(paths, (GOLD, FOUND), strict=True):
        rows = [f"n{at}\t{code}\n" for at, codes in enumerate(side) for code in codes]
        path.write_text("filename\tcode\n" + "".join(rows))
    return paths


def run(*words, status=0):
    done = invoke(words)
    assert done.exit_code == status, (done.output, done.exception)
    return json.loads(done.stdout) if "json" in words else done.stdout


@pytest.mark.parametrize(("name", "config"), CODED)
def test_every_face_knows_sets_of_codes(name, config, sides, tmp_path):
    word = WORDS[name]
    for more in ((), ("--jobs", "2"), ("--confidence", ".9")):
        scored = run("score", name, *sides, *config, *more, "--format", "json")["scores"]
        assert {key: scored[key] for key in COUNTS} == COUNTS
    groups = run("score", name, *sides, *config, "--by", word, "--format", "json")["groups"]
    assert (groups["i10"]["micro_tp"], groups["j46"]["micro_fp"]) == (2, 1)
    errors = run("errors", name, *sides, *config, "--format", "json")
    assert {kind: n for kind, n in errors["kinds"].items() if n} == {
        "right": 2, "spurious": 3, "missed": 2,
    }  # fmt: skip
    confused = run("errors", name, *sides, *config, "--slot", word, "--format", "json")
    assert confused["values"][0] == "i10"
    [pair] = run("agreement", name, *sides, *config, "--format", "json")["pairs"]
    assert pair["scores"]["micro_f1"] == pytest.approx(4 / 9)
    compared = run("compare", name, sides[0], sides[1], sides[0], *config, "--format", "json")
    assert compared["differences"]["gold"]["micro_f1"]["value"] == pytest.approx(5 / 9)
    run("compare", name, sides[0], sides[1], sides[0], *config, "--by", word)
    run("report", name, *sides, *config, "--output", tmp_path / "report.html")
    assert "codes" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_files_of_codes_are_checked(name, sides, tmp_path):
    run("validate", name, *sides)
    sides[0].write_text("filename\tcode\na\tI 10\na\n\tJ45\n")
    found = run("validate", name, sides[0], status=2)
    assert [line.split(":")[1] for line in found.splitlines()[:3]] == ["2", "3", "4"]
    missing = run("validate", name, tmp_path / "missing.tsv", status=2)
    assert "no such file" in missing


@pytest.mark.parametrize(("name", "config"), CODED)
def test_lists_of_codes_are_scored_in_python(name, config):
    options = {"config": "coded"} if config else {}
    score = clineval.score(name, FOUND, GOLD, **options)
    assert {key: score[key] for key in COUNTS} == COUNTS
    metric = clineval.hf.load(name, **({"config": "coded"} if config else {}))
    assert metric.compute(predictions=FOUND, references=GOLD)["micro_fp"] == 3
    assert agree(name, {"a": GOLD, "b": FOUND}, **options)
    assert build_workbench(name, GOLD, {"system": FOUND}, **options)


def test_what_codes_do_not_have_is_an_error(sides, tmp_path):
    for words in (
        ("score", "ward_codes", *sides, "--by", "length"),
        ("convert", sides[0], tmp_path / "x.jsonl", "--module", "ward_codes", "--from", "tsv"),
        ("compare", "ward_codes", *sides, sides[0], "--test", "mcnemar"),
    ):
        done = invoke(words)
        assert isinstance(done.exception, (InputError, SystemExit)), words


def test_labels_and_values_with_capitals_are_read_in_any_case(tmp_path):
    score = clineval.score("ward_notes", SAME, NOTES)
    assert (score["strict_f1"], score["assertion_accuracy"], score["pain_strict_tp"]) == (1, 1, 1)
    paths = [tmp_path / "gold.jsonl", tmp_path / "found.jsonl"]
    for path, side in zip(paths, (NOTES, SAME), strict=True):
        path.write_text(json.dumps({"id": "a", "mentions": side[0], "text": TEXT}) + "\n")
    run("validate", "ward_notes", *paths)
    groups = run("score", "ward_notes", *paths, "--by", "slot:assertion", "--format", "json")
    assert {*groups["groups"]} == {"Present", "Absent"}
    run("convert", paths[1], tmp_path / "brat", "--to", "brat", "--module", "ward_notes")
    run("convert", tmp_path / "brat", tmp_path / "back.jsonl", "--module", "ward_notes")
    assert (
        run("score", "ward_notes", paths[0], tmp_path / "back.jsonl", "--format", "json")["scores"][
            "assertion_accuracy"
        ]
        == 1
    )
    with pytest.raises(InputError, match="label: expected one of FALL, PAIN, got 'ITCH'"):
        clineval.score("ward_notes", [[{"spans": [[0, 4]], "label": "ITCH"}]], NOTES)
