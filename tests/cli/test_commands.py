"""The command line as a user meets it: the installed program, in another directory."""

import csv
import json
import shutil
from io import StringIO

import pytest
from commands import invoke
from conftest import ROOT
from demos import arguments_of

import clineval
from clineval.results.registry import NAMES, find_challenge

DEMO = ROOT / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo"
NAME = "semeval15_task14"
EXPECTED = clineval.score(NAME, DEMO / "tagger", DEMO / "gold")


def score(run, *options, status=0):
    return run("score", NAME, DEMO / "gold", DEMO / "tagger", *options, status=status)


def test_the_table_shows_the_scores(run):
    out = score(run).stdout
    assert f"{EXPECTED['strict_f1']:.4f}" in out
    assert "protocol spec, 24 documents" in out
    assert EXPECTED.signature_line in out
    assert "body_location" in out


def test_json_is_one_object_and_nothing_else(run):
    result = json.loads(score(run, "--format", "json").stdout)
    assert list(result) == ["metric", "config", "protocol", "scores", "signature", "dataset"]
    assert result["scores"] == EXPECTED.values
    result = json.loads(score(run, "--format", "json", "--per-document").stdout)
    assert result["per_document"] == EXPECTED.per_document


def test_csv_can_be_read_back(run):
    rows = dict(csv.reader(StringIO(score(run, "--format", "csv").stdout)))
    assert float(rows["strict_f1"]) == EXPECTED["strict_f1"]
    assert rows["signature"] == str(EXPECTED.signature)
    rows = list(csv.DictReader(StringIO(score(run, "--format", "csv", "--per-document").stdout)))
    assert [row["document"] for row in rows] == list(EXPECTED.counts.documents)
    assert sum(int(row["strict_tp"]) for row in rows) == EXPECTED["strict_tp"]


def test_markdown_and_latex_are_tables(run):
    value = f"{EXPECTED['relaxed_f1']:.4f}"
    markdown = score(run, "--format", "markdown").stdout
    assert "| relaxed | " in markdown
    assert value in markdown
    latex = score(run, "--format", "latex", "--per-document").stdout
    assert r"\begin{tabular}{lrrrrrr}" in latex
    assert rf"{value} & " in latex
    assert r"body\_location" in latex
    assert r"demo-001-DISCHARGE\_SUMMARY.txt" in latex


def test_scores_go_to_a_file(run, tmp_path):
    path = tmp_path / "scores"
    for options in ((), ("--format", "json"), ("--by", "slot:negation"), ("--per-document",)):
        assert score(run, *options, "-o", path).stdout == ""
        assert path.read_text("utf-8") == score(run, *options).stdout
    path.unlink()
    run("score", NAME, DEMO / "gold", DEMO / "none", "-o", path, status=2)
    assert not path.exists()
    said = score(run, "-o", tmp_path / "none" / "scores", status=2).stderr
    assert "cannot be written" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [("report", NAME, DEMO / "gold", DEMO / "tagger", "--no-text"), ("prevalence", DEMO / "gold")],
)
def test_a_file_that_cannot_be_written(run, tmp_path, words):
    said = run(*words, "-o", tmp_path / "none" / "result", status=2).stderr
    assert "result: cannot be written" in said


def test_options_reach_the_core(run):
    options = ["--config", "task1", "--overlap", "word", "--text", DEMO / "text"]
    result = json.loads(score(run, *options, "--format", "json").stdout)
    expected = clineval.score(
        NAME, DEMO / "tagger", DEMO / "gold", config="task1", overlap="word", texts=DEMO / "text"
    )
    assert result["scores"] == expected.values
    result = json.loads(score(run, "--protocol", "official", "--format", "json").stdout)
    assert result["protocol"] == "official"


def test_json_lines_score_like_pipe_files(run, tmp_path):
    from clineval.formats import jsonl
    from clineval.formats.delimited import pipe
    from clineval.formats.delimited.pipe import SLOTS

    for side in ("gold", "tagger"):
        jsonl.write_documents(pipe.read_documents(DEMO / side, SLOTS), tmp_path / f"{side}.jsonl")
    result = run("score", NAME, "gold.jsonl", "tagger.jsonl", "--format", "json")
    assert json.loads(result.stdout)["scores"] == EXPECTED.values
    assert json.loads(result.stdout)["signature"] == str(EXPECTED.signature)


def test_counts_are_saved(run, tmp_path):
    score(run, "--save-counts", "counts.json")
    assert clineval.Counts.load(tmp_path / "counts.json").score().values == EXPECTED.values


def test_weights_from_prevalence(run, tmp_path):
    run("prevalence", DEMO / "gold", "-o", "weights.json")
    weights = json.loads((tmp_path / "weights.json").read_text())
    assert set(weights) == {slot.name for slot in _slots()}
    assert json.loads(run("prevalence", DEMO / "gold").stdout) == weights
    both = json.loads(run("prevalence", DEMO / "gold", DEMO / "gold").stdout)
    assert both == weights
    ours = json.loads(score(run, "--weights", "weights.json", "--format", "json").stdout)
    theirs = json.loads(score(run, "--weights", "references", "--format", "json").stdout)
    assert ours["scores"] == theirs["scores"]


def _slots():
    from clineval.formats.delimited.pipe import SLOTS

    return SLOTS


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score", NAME, "gold", "pred"], "clineval: gold: no such file or directory"),
        (["score", "semeval15", DEMO / "gold", DEMO / "gold"], "Did you mean semeval15_task14?"),
        (["score", NAME, DEMO / "gold", DEMO / "gold", "--config", "x"], "task1, task2a, task2b"),
        (["score", NAME, DEMO / "gold", DEMO / "gold", "--protocol", "x"], "official"),
        (["score", NAME], "Missing argument"),
        (["describe", "x"], "unknown metric"),
        (["demo", "x"], "expected one of"),
        (["demo", "--copy", DEMO], "already exists"),
        (["official", "semeval15-task1", "-n", "x", "-r", "9", "-input", "a", "-gold", "b"], "-r"),
    ],
)
def test_bad_usage_and_bad_input_end_with_status_2(run, arguments, said):
    result = run(*arguments, status=2)
    assert said in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def test_warnings_are_lines_on_standard_error(run, tmp_path):
    shutil.copytree(DEMO / "tagger", tmp_path / "some")
    (tmp_path / "some" / "demo-001-DISCHARGE_SUMMARY.pipe").unlink()
    result = run("score", NAME, DEMO / "gold", "some", "--format", "json")
    assert result.stderr.startswith("clineval: warning: 1 document has no predictions")
    assert "demo-001-DISCHARGE_SUMMARY.txt" in result.stderr
    json.loads(result.stdout)


def test_help_teaches(run):
    assert "clineval demo" in run("--help").stdout
    for command in ("score", "describe"):
        assert "Examples" in run(command, "--help").stdout
    assert "0.1.0" in run("--version").stdout


def test_list_and_describe(run):
    assert "task2b" in run("list").stdout
    listed = json.loads(run("list", "--json").stdout)
    assert NAME in [entry["name"] for entry in listed]
    out = run("describe", NAME, "--full").stdout
    for part in ("eq. 12", "touching spans", "overlap", "@inproceedings"):
        assert part in out


@pytest.mark.parametrize("name", NAMES)
def test_describe_is_short_and_says_where_the_rest_is(run, name):
    out, challenge = run("describe", name).stdout, find_challenge(name)
    assert len(out.splitlines()) <= 40
    for part in (
        challenge.task.title, challenge.task.homepage, *challenge.task.configs,
        *challenge.measures.headline, *challenge.protocols, *(option.name for option in
        challenge.options), f"clineval describe {name} --full", f"clineval score {name} --help",
    ):  # fmt: skip
        assert part in out
    assert "@inproceedings" not in out
    summary = out.split("\n\n")[1]
    assert summary.endswith(".")
    assert "``" not in summary
    whole = run("describe", name, "--full").stdout
    assert len(whole.splitlines()) > 2 * len(out.splitlines())
    assert challenge.task.specification.split()[-1] in whole


def test_demo_scores_two_systems_and_copies_the_corpus(run, tmp_path):
    out = run("demo", NAME, "--copy", "here").stdout
    assert f"{EXPECTED['strict_f1']:.4f}" in out
    assert "Where to look next" in out
    assert (tmp_path / "here" / NAME / "text").is_dir()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_a_demo_shows_the_rows_of_every_system(name):
    """Also if a system lacks some tables, such as those of ranks."""
    out = invoke(["demo", name], env={"COLUMNS": "300"}).stdout
    shown = {tuple(line.split()) for line in out.splitlines()}
    for number, system in enumerate(find_challenge(name).demo.systems):
        sides, options = arguments_of(name, number)
        rows = [
            row for table in clineval.score(name, *sides, **options).tables for row in table.rows
        ]
        assert {tuple(" ".join([row[0], system, *row[1:]]).split()) for row in rows} <= shown


def test_a_second_copy_adds_what_the_first_one_lacks(run, tmp_path):
    run("demo", NAME, "--copy", "here")
    file = "gold/demo-001-DISCHARGE_SUMMARY.pipe"
    gone, changed = (tmp_path / "here" / NAME / name for name in ("tagger", file))
    shutil.rmtree(gone)
    changed.write_text("of mine")
    said = run("demo", NAME, "--copy", "here").stderr
    assert sorted(path.name for path in gone.iterdir()) == sorted(
        path.name for path in (DEMO / "tagger").iterdir()
    )
    assert changed.read_text() == "of mine"
    [warning] = said.splitlines()
    assert warning.endswith(f"warning: 1 file of the copy differs from the demo's: {NAME}/{file}")


def test_the_copy_of_one_demo_is_that_corpus_alone(run, tmp_path):
    """Its directory may be there, if it is empty; a further demo comes beside it."""
    (tmp_path / "here").mkdir()
    run("demo", NAME, "--copy", "here")
    assert [path.name for path in (tmp_path / "here").iterdir()] == [NAME]
    run("demo", "clinical_spans", "--copy", "here")
    assert {path.name for path in (tmp_path / "here").iterdir()} == {NAME, "clinical_spans"}


def test_trace_lists_every_mention(run):
    sides = ["-input", DEMO / "tagger", "-gold", DEMO / "gold"]
    result = run(
        "official", "semeval15-task2", "-n", "x", "-r", "1", "-t", "A", *sides, "-trace", "1"
    )
    verdicts = [line.split("\t")[0] for line in result.stdout.splitlines()[1:]]
    official = clineval.score(NAME, DEMO / "tagger", DEMO / "gold", protocol="official")
    for verdict in ("TP", "FP", "FN"):
        assert verdicts.count(verdict) == official[f"span_{verdict.lower()}"]


def test_completion_knows_the_metrics():
    from clineval.cli.options import complete_metric

    assert complete_metric("sem") == [NAME]


@pytest.mark.parametrize("notation", ["table", "json"])
def test_nothing_is_printed_or_written_where_intervals_fail(run, notation, tmp_path):
    """Intervals are computed when they are laid out, which is before anything is printed."""
    clusters, counts = tmp_path / "clusters.csv", tmp_path / "counts.json"
    clusters.write_text("document,cluster\nno-such-note,1\n")
    options = ("--confidence", "0.9", "--cluster", clusters, "--save-counts", counts)
    done = score(run, *options, "--format", notation, status=2)
    assert done.stdout == ""
    assert "not in the corpus" in done.stderr
    assert not counts.exists()


def test_systems_are_compared_in_processes(run):
    """More processes than the corpus has parts are one, and the numbers are the same."""
    words = ("compare", NAME, DEMO / "gold", DEMO / "dictionary", DEMO / "tagger")
    assert run(*words, "--jobs", "2").stdout == run(*words).stdout
