"""``clineval reproduce``: what a row says, and the exit status."""

import json
import os
from contextlib import contextmanager
from dataclasses import replace

import pytest
from commands import invoke
from conftest import SHARED
from demos import arguments_of
from markdown_it import MarkdownIt

import clineval
from clineval.base.progress import metered_by
from clineval.hub.reproduced.verdicts import reproduce
from clineval.results.known.published import Collection, Ranking, Run, write_collections
from clineval.results.task import Task

(TAGGER, GOLD), _ = arguments_of("bc5cdr")
OURS = {"mentions_f1": clineval.score("bc5cdr", TAGGER, GOLD, protocol="official")["mentions_f1"]}
SAME = {"mentions_f1": f"{OURS['mentions_f1']:.3f}"}
OTHER = {"mentions_f1": "0.9999"}


@pytest.fixture
def publish(tmp_path, monkeypatch):
    """Writes published results of the demo's system, whose files are in a folder."""
    folder = tmp_path / "files" / "demo"
    folder.mkdir(parents=True)
    for path in (TAGGER, GOLD):
        (folder / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(Task, "published", tmp_path / "published.json")

    def write(*runs, **changes):
        ranking = Ranking("Demo", "bc5cdr", "its paper", runs, gold=GOLD.name)
        collection = Collection("demo", "https://example.org", (replace(ranking, **changes),))
        write_collections(Task.published, [collection])
        return collection

    return write


@pytest.fixture
def call(tmp_path):
    def call(*arguments):
        return invoke(["reproduce", "bc5cdr", *arguments, "--files", tmp_path / "files"])

    return call


OLD = {"mentions_f1": 0.5}
ERROR = "A typing error."
AWAY = (
    "They are at https://example.org. clineval does not download them (no licence is stated). "
    "Put it at DIR/demo/gone.txt, and pass --files DIR"
)
CASES = [
    (Run("a", SAME, TAGGER.name), "agrees", "", 0),
    (Run("a", SAME, TAGGER.name, OLD), "agrees", "", 0),
    (Run("a", OTHER, TAGGER.name, OURS, why=ERROR), "explained", ERROR, 0),
    (
        Run("a", OTHER, TAGGER.name, OLD, why=ERROR),
        "differs", "clineval computed other scores when they were recorded: mentions_f1 0.5000", 1,
    ),
    (Run("a", OTHER, TAGGER.name), "differs", "No reason is known. Please report it", 1),
    (Run("a", OTHER), "not computed", "No public file with the output is known.", 0),
    (Run("a", OTHER, why="It is secret."), "not computed", "It is secret.", 0),
    (Run("a", OTHER, "gone.txt"), "not computed", f"gone.txt is not here. {AWAY}", 0),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_row_says_whether_it_agrees_and_why_not(publish, call, case):
    run, verdict, why, status = case
    publish(run)
    done = call("--format", "json")
    assert done.exit_code == status
    [row] = json.loads(done.stdout)["rankings"][0]["runs"]
    assert (row["verdict"], row["why"]) == (verdict, why)
    assert row["published"] == run.published
    assert row["official"] == (OURS if verdict != "not computed" else {})
    table = call()
    assert table.exit_code == status
    assert verdict in table.stdout
    assert " ".join(why.split()[:3]) in table.stdout


def test_the_other_rows_are_computed_if_a_file_is_missing(publish, call):
    publish(Run("a", SAME, TAGGER.name), Run("b", SAME, "gone.txt"), Run("c", OTHER, TAGGER.name))
    done = call()
    assert done.exit_code == 1
    counted = "1 agree, 0 differ for a known reason, 1 differ, and 1 could not be computed here."
    assert done.stdout.startswith(f"Of 3 published results, {counted}")


def test_a_file_of_an_option_is_named_if_it_is_missing(publish, call):
    publish(Run("a", SAME, TAGGER.name), files={"codes": "codes.tsv"})
    assert "codes.tsv is not here." in call("--format", "csv").stdout


def test_a_gold_standard_that_nobody_can_download_is_put_into_the_directory(run):
    rows = json.loads(run("reproduce", "mediqa_synur26", "--format", "json").stdout)["rankings"]
    why = rows[0]["runs"][0]["why"]
    assert "get it from https://huggingface.co/datasets/microsoft/SYNUR" in why
    assert why.endswith(
        "Put it at DIR/MEDIQA-SYNUR-HSE_NLP/mediqa_synur_test.jsonl, and pass --files DIR"
    )


def test_the_notations_have_the_same_rows(publish, call):
    publish(Run("a", SAME, TAGGER.name), Run("b", OTHER, TAGGER.name))
    data = json.loads(call("--format", "json").stdout)["rankings"][0]
    assert data["signatures"]["official"].startswith("bc5cdr|default|protocol:official|docs:")
    assert data["signatures"]["spec"].startswith("bc5cdr|default|protocol:spec|docs:")
    lines = call("--format", "csv").stdout.splitlines()
    assert lines[0] == "ranking,run,score,published,official,spec,verdict,why"
    assert lines[1].startswith(f"Demo,a,mentions_f1,{SAME['mentions_f1']},0.")
    assert len(lines) == 3
    markdown = call("--format", "markdown").stdout
    tokens = MarkdownIt().enable("table").parse(markdown)
    assert sum(token.type == "tr_open" for token in tokens) == 6
    assert data["signatures"]["official"].replace("|", r"\|") in markdown


def test_a_file_that_cannot_be_read_is_bad_input(publish, call, tmp_path):
    publish(Run("a", SAME, TAGGER.name))
    (tmp_path / "files" / "demo" / TAGGER.name).write_text("words without a tab\n")
    assert str(call().exception).startswith("Demo, a: ")


def test_its_progress_is_one_bar_for_all_results(publish, tmp_path):
    collection = publish(Run("a", SAME, TAGGER.name), Run("b", SAME, TAGGER.name))
    shown = []

    @contextmanager
    def meter(total, label, **_):
        shown.append((total, label))
        yield shown.append

    with metered_by(meter):
        reproduce([collection], lambda of: tmp_path / "files" / of.name)
    assert shown == [(2, "published results"), 1, 1]


def test_the_installed_command_says_what_is_not_public(run):
    done = run("reproduce", "archehr_qa26")
    assert done.stdout.startswith("Of 3 published results, 0 agree")
    assert "needs an agreement with PhysioNet" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("n2c2_2018_track2",), "clineval has no published results of n2c2_2018_track2"),
        (("bc5cdr", "tst"), "bc5cdr: unknown set 'tst'"),
        (("bc5cdrr",), "bc5cdrr"),
        (("bc5cdr", "--files", "nowhere"), "nowhere: no such directory"),
    ],
)
def test_bad_input_is_one_line_and_status_2(run, words, problem):
    done = run("reproduce", *words, status=2)
    assert problem in done.stderr
    assert done.stdout == ""


def test_help_names_the_status_and_the_set(run):
    said = run("reproduce", "--help").stdout
    assert "[SET]" in said
    assert "Exit status" in said
    assert "--systems" in run("datasets", "get", "--help").stdout


SAMPLE = SHARED / "oracle" / "clinais23_b2" / "prediction.sample.json"


@pytest.mark.skipif(not SAMPLE.is_file(), reason="CLINEVAL_SHARED has no sample of ClinAIS")
def test_a_real_result_agrees_and_differs_after_a_change(run, tmp_path):
    folder = tmp_path / "clinais23_b2"
    folder.mkdir()
    (folder / SAMPLE.name).write_bytes(SAMPLE.read_bytes())
    words = ("reproduce", "clinais23_b2", "--files", tmp_path)
    assert "1 agree" in run(*words).stdout
    sample = json.loads(SAMPLE.read_text("utf-8"))
    note = next(iter(sample["annotated_entries"].values()))["boundary_annotation"]
    for token in note["prediction"][1:]:
        token["boundary"] = None
    (folder / SAMPLE.name).write_text(json.dumps(sample))
    assert "1 differ," in run(*words, status=1).stdout


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("reproduce bc5", ["bc5cdr"]),
        ("reproduce bc5cdr t", ["test"]),
        ("datasets get bc5", ["bc5cdr/"]),
        ("datasets get bc5cdr/te", ["bc5cdr/test"]),
        ("datasets get --systems bc5cdr/B", ["bc5cdr/BC5CDR"]),
    ],
)
def test_the_shell_completes_metrics_and_sets(run, words, completed):
    line = f"clineval {words}"
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    env = {**os.environ, **asked, "_CLINEVAL_COMPLETE": "complete_bash"}
    assert run(env=env).stdout.split() == completed
