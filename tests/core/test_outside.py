"""A challenge of other people: one file and an entry point, and every face works for it."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from conftest import DATA

NAME, BROKEN = "trial_concepts", "broken_metric"
GOLD = """\
{"id": "n0", "mentions": [{"spans": [[3, 8]], "type": "problem", "assertion": "absent"}, \
{"spans": [[10, 17]], "type": "treatment"}], "text": "No fever. aspirin given."}
{"id": "n1", "mentions": [{"spans": [[0, 3]], "type": "test"}], "text": "ecg"}
"""
FOUND = """\
{"id": "n0", "mentions": [{"spans": [[3, 8]], "type": "problem"}, \
{"spans": [[10, 23]], "type": "treatment"}]}
{"id": "n1", "mentions": [{"spans": [[0, 3]], "type": "problem"}]}
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder of packages as an installer leaves them: the challenge's, and one that is broken."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(DATA / "outside" / f"{NAME}.py", folder)
    (folder / f"{BROKEN}.py").write_text("raise TypeError('of its author')")
    for name in (NAME, BROKEN):
        information = folder / f"{name}-1.0.dist-info"
        information.mkdir()
        text = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        (information / "METADATA").write_text(text)
        points = f"[clineval.challenges]\n{name} = {name}:CHALLENGE\n"
        (information / "entry_points.txt").write_text(points)
    return folder


@pytest.fixture(scope="module")
def run(site, tmp_path_factory):
    """Run Python where the distribution is installed; gives what it prints."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "gold.jsonl").write_text(GOLD)
    (folder / "found.jsonl").write_text(FOUND)

    def call(*words, status=0, stream="stdout"):
        done = subprocess.run(
            [sys.executable, *map(str, words)], cwd=folder, capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": str(site)}, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stderr
        return getattr(done, stream)

    call.folder = folder
    return call


@pytest.fixture(scope="module")
def results(run):
    run(DATA / "outside" / "use.py", run.folder)
    return json.loads((run.folder / "results.json").read_text())


def as_brat(run):
    """Write mentions of a built-in challenge as the files of brat, and return their folder."""
    (run.folder / "semeval.jsonl").write_text(SEMEVAL)
    run("-m", "clineval", "convert", "semeval.jsonl", "semeval", "--to", "brat")
    return "semeval"


def test_every_form_of_input_has_the_scores_worked_out_by_hand(results):
    """Right: the fever; by overlap aspirin; the ecg is called a problem; one wrong assertion."""
    for form in ("dicts", "documents", "docs"):
        scores = results[form]
        assert (scores["strict_tp"], scores["strict_fp"], scores["strict_fn"]) == (1, 2, 2)
        assert scores["lenient_f1"] == pytest.approx(2 / 3)
        assert scores["problem_strict_precision"] == 0.5
        assert scores["test_strict_fn"] == scores["treatment_lenient_tp"] == 1
        assert scores["macro_strict_recall"] == pytest.approx(1 / 3)
        assert scores["macro_lenient_precision"] == pytest.approx((1 / 2 + 0 + 1) / 3)
        assert scores["assertion_accuracy"] == 0


def test_groups_errors_confusion_and_agreement_know_its_class(results):
    assert results["by type"]["test"]["strict_fn"] == 1
    assert results["by type"]["problem"]["strict_fp"] == 1
    assert results["by assertion"]["absent"]["assertion_accuracy"] == 0
    assert results["kinds"] == {
        "right": 1, "boundary": 1, "concept": 1, "both": 0,
        "spurious": 0, "missed": 0, "displaced": 0,
    }  # fmt: skip
    assert sorted(results["errors"], key=str) == [
        ["boundary", "treatment", "treatment"], ["concept", "test", "problem"],
    ]  # fmt: skip
    values, table = results["confusion"]
    assert table[values.index("problem")][values.index("problem")] == 1
    assert table[values.index("test")][values.index("problem")] == 1
    slots = {"assertion": [3, 2 / 3, 0], "conditional": [3, 2 / 3, 0]}
    assert results["agreement"] == {"type": [3, 2 / 3, 0.5], **slots}


def test_the_page_names_its_class(results):
    start, classes = results["report"]
    assert start == "<!doctype html>"
    assert classes == {"slot": "type", "name": "TYPE", "word": "concept", "none": ""}


def test_mentions_have_no_code_that_nobody_gave(results):
    assert results["objects without a code"][1] == {"spans": [[0, 3]], "type": "test"}
    assert results["kept on docs"] == [
        {"spans": [[3, 8]], "type": "problem", "assertion": "absent", "conditional": True},
        {"spans": [[10, 17]], "type": "treatment"},
    ]
    assert results["bigbio"] == [
        [{"spans": [[3, 8]], "type": "problem"}, {"spans": [[10, 17]], "type": "treatment"}]
    ]


def test_a_tagger_is_scored(results):
    assert results["trained"]["strict_f1"] == 1


@pytest.mark.parametrize(("words", "expected"), [
    (["score", NAME, "gold.jsonl", "found.jsonl"], ["0.3333", "Labels, strict"]),
    (["score", NAME, "gold.jsonl", "found.jsonl", "--by", "concept"], ["By concept", "treatment"]),
    (["errors", NAME, "gold.jsonl", "found.jsonl"], ["treatment", "boundary"]),
    (["errors", NAME, "gold.jsonl", "found.jsonl", "--slot", "type"], ["type: gold"]),
    (["agreement", NAME, "gold.jsonl", "found.jsonl"], ["assertion", "strict_f1"]),
    (["compare", NAME, "gold.jsonl", "found.jsonl", "gold.jsonl"], ["lenient_f1"]),
    (["report", NAME, "gold.jsonl", "found.jsonl", "--no-text"], []),
    (["describe", NAME], ["Trial: concepts and assertions"]),
    (["list"], [NAME]),
    (["validate", NAME, "gold.jsonl"], []),
])  # fmt: skip
def test_commands(run, words, expected):
    printed = run("-m", "clineval", *words)
    for text in expected:
        assert text in printed


def test_its_slots_survive_brat(run):
    run("-m", "clineval", "convert", "gold.jsonl", "brat", "--to", "brat", "--module", NAME)
    run("-m", "clineval", "convert", "brat", "back.jsonl", "--module", NAME)
    lines = [json.loads(line) for line in (run.folder / "back.jsonl").read_text().splitlines()]
    given = [json.loads(line) for line in GOLD.splitlines()]
    assert [line["mentions"] for line in lines] == [line["mentions"] for line in given]
    run("-m", "clineval", "convert", "gold.jsonl", "same.jsonl")
    assert (run.folder / "same.jsonl").read_text() == GOLD


SEMEVAL = """\
{"id": "n0", "mentions": [{"spans": [[3, 8]], "cui": "C0015967", "negation": "yes"}], \
"text": "No fever."}
"""


def test_what_is_built_in_is_as_if_nothing_were_installed(run):
    """Types of brat are none of the challenge's; a package that raises stands in one warning."""
    said = run("-m", "clineval", "convert", as_brat(run), "semeval.spacy", stream="stderr")
    assert said.count(f"package {BROKEN}, metric {BROKEN}: it cannot be imported: TypeError") == 1
    run("-m", "clineval", "convert", "semeval.spacy", "back.jsonl")
    [line] = (run.folder / "back.jsonl").read_text().splitlines()
    [mention] = json.loads(line)["mentions"]
    assert (mention["cui"], mention["negation"]) == ("C0015967", "yes")


def test_a_package_that_is_broken_is_named_where_it_is_asked_for(run):
    said = run("-m", "clineval", "score", BROKEN, "a", "b", status=2, stream="stderr")
    assert f"package {BROKEN}" in said
    assert "of its author" in said
    assert "Traceback" not in said


def test_a_value_that_is_none_is_found_by_validate(run):
    (run.folder / "bad.jsonl").write_text(GOLD.replace('"test"', '"tests"'))
    found = run("-m", "clineval", "validate", NAME, "bad.jsonl", status=2)
    assert "bad.jsonl:2" in found
    assert "problem, test, treatment" in found
    brat = as_brat(run)
    said = run("-m", "clineval", "score", NAME, brat, brat, status=2, stream="stderr")
    assert "expected JSON Lines" in said
    assert "This is brat" in said


def test_scores_choose_a_model_without_a_view_of_docs(results):
    assert results["weights"] == {
        "tc_strict_f1": 1, "tc_lenient_f1": 0, "tc_asse_accu": 0, "tc_cond_accu": 0,
        "tc_scores": None,
    }  # fmt: skip


def test_what_is_for_the_metrics_of_clineval_says_so(results):
    assert results["load"].startswith(f"{NAME} is a metric of another package")
    assert (
        "'x', expected one of assertion, conditional, type"
        in results["slots of the challenge alone"]
    )
